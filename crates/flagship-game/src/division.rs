//! Divisions: groups of teams with their own ranks, such as schools or kinds of AI use.
//!
//! Points, positions and first bloods are those of the whole event; only ranks are counted within a
//! division. The journal contains the public divisions. The rules for joining, and private
//! divisions, are in ordinary tables.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// Maximum number of divisions of an event.
pub const DIVISIONS_MAX: usize = 50;
/// Maximum length of an ID, in bytes.
const ID_BYTES_MAX: usize = 40;

/// ID of a division: it stays the same when the name changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DivisionId(String);

impl DivisionId {
    /// Parses an ID of 1 to 40 lowercase letters, digits, dashes and underscores.
    pub fn parse(text: &str) -> Option<Self> {
        let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_valid = (1..=ID_BYTES_MAX).contains(&text.len())
            && text.bytes().all(|byte| is_part(byte) || matches!(byte, b'-' | b'_'));
        is_valid.then(|| Self(text.to_owned()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for DivisionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Way in which teams join a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Join {
    /// Every team can choose the division.
    Open,
    /// A team needs the code of the division.
    Code,
    /// A team needs an email address of certain domains.
    Domain,
    /// Only organizers add teams.
    Organizers,
}

impl Join {
    /// All variants, by their names in `event.toml` and on the wire.
    pub const NAMED: [(&str, Self); 4] = [
        ("open", Self::Open),
        ("code", Self::Code),
        ("domain", Self::Domain),
        ("organizers", Self::Organizers),
    ];

    /// The name in `event.toml` and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Code => "code",
            Self::Domain => "domain",
            Self::Organizers => "organizers",
        }
    }
}

/// A division, without the rules for joining that are not public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// The ID.
    pub id: DivisionId,
    /// The displayed name.
    pub name: String,
    /// Name of the group: a team is in at most one division of each group.
    pub group: String,
    /// Way in which teams join.
    pub join: Join,
    /// True if the division replaces the student flag.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub student: bool,
}

/// A division with all its rules, for organizers. `Debug` does not show the code.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivisionRules {
    /// The division.
    #[serde(flatten)]
    pub division: Division,
    /// Code for joining; set if and only if teams join by code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Domains of the email addresses of teams that can join, lowercase and in ASCII (IDNA),
    /// without their subdomains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<String>,
    /// True if only organizers see the division.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl std::fmt::Debug for DivisionRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { division, code, domains, private } = self;
        let code = code.as_ref().map(|_| "[secret]");
        f.debug_struct("DivisionRules")
            .field("division", division)
            .field("code", &code)
            .field("domains", domains)
            .field("private", private)
            .finish()
    }
}

impl DivisionRules {
    /// The ID.
    pub fn id(&self) -> &DivisionId {
        &self.division.id
    }

    /// True if a team with an email address of this domain can be in the division.
    pub fn accepts_domain(&self, domain: &str) -> bool {
        self.division.join != Join::Domain || self.domains.iter().any(|it| it == domain)
    }

    /// Compares the code in constant time; false without a code.
    fn accepts_code(&self, code: &str) -> bool {
        let expected = self.code.as_deref();
        expected.is_some_and(|it| it.as_bytes().ct_eq(code.trim().as_bytes()).into())
    }
}

/// Returns the divisions that everyone can see.
pub fn public(rules: &[DivisionRules]) -> Vec<Division> {
    rules.iter().filter(|it| !it.private).map(|it| it.division.clone()).collect()
}

/// Returns the memberships that count, in the order of the definitions: those of defined divisions,
/// and the first one of each group. Groups can be merged after teams have joined.
pub fn effective<'d>(
    divisions: impl IntoIterator<Item = &'d Division>,
    joined: &[DivisionId],
) -> Vec<&'d Division> {
    let mut groups = HashSet::new();
    let divisions = divisions.into_iter().filter(|it| joined.contains(&it.id));
    divisions.filter(|it| groups.insert(it.group.as_str())).collect()
}

/// Returns true if two of the divisions are in the same group.
pub fn share_group<'d>(divisions: impl IntoIterator<Item = &'d Division>) -> bool {
    let mut groups = HashSet::new();
    divisions.into_iter().any(|it| !groups.insert(it.group.as_str()))
}

/// Divisions that a team chooses at its signup or before the start.
#[derive(Clone, Default)]
pub struct DivisionChoice {
    /// IDs as sent by the client.
    pub ids: Vec<String>,
    /// Codes as sent by the client.
    pub codes: DivisionCodes,
    /// True if all members of the team are students.
    pub is_student: bool,
}

/// Codes for divisions.
#[derive(Clone)]
pub enum DivisionCodes {
    /// One code for all chosen divisions.
    All(String),
    /// Codes by the ID of the division.
    Each(HashMap<String, String>),
}

impl Default for DivisionCodes {
    fn default() -> Self {
        Self::All(String::new())
    }
}

impl DivisionCodes {
    fn get(&self, id: &DivisionId) -> &str {
        match self {
            Self::All(code) => code,
            Self::Each(codes) => codes.get(id.as_str()).map_or("", |code| code),
        }
    }
}

/// Reason for rejecting a choice of divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DivisionRefusal {
    /// The division does not exist, is private, or is joined by organizers only.
    #[error("the division is unknown")]
    Unknown,
    /// Two divisions are in the same group.
    #[error("two divisions are in the same group")]
    Group,
    /// The code is missing or wrong.
    #[error("the code of the division is wrong")]
    Code,
    /// The domain of the email address does not match.
    #[error("the email address is not of the division's domains")]
    Domain,
}

/// Returns the divisions of a team after its own choice. `domain` is that of its email address.
/// The team keeps divisions that only organizers change, and needs no code for those it is in.
///
/// # Errors
/// See [`DivisionRefusal`].
pub fn choose(
    rules: &[DivisionRules],
    before: &[DivisionId],
    choice: &DivisionChoice,
    domain: &str,
) -> Result<Vec<DivisionId>, DivisionRefusal> {
    let is_member = |rules: &DivisionRules| before.contains(rules.id());
    let listed = |rules: &DivisionRules| choice.ids.iter().any(|id| id == rules.id().as_str());
    let by_flag = |rules: &DivisionRules| choice.is_student && rules.division.student;
    let is_joined_by_teams = |rules: &DivisionRules| rules.division.join != Join::Organizers;
    let may_join =
        |rules: &DivisionRules| is_joined_by_teams(rules) && (!rules.private || by_flag(rules));
    // A client does not learn that a private division exists.
    let may_list =
        |rules: &DivisionRules| !rules.private && (is_joined_by_teams(rules) || is_member(rules));
    let is_known = |id: &String| rules.iter().any(|it| it.id().as_str() == id && may_list(it));
    let flagged = rules.iter().find(|it| by_flag(it));
    if !choice.ids.iter().all(is_known) || flagged.is_some_and(|it| !may_join(it)) {
        return Err(DivisionRefusal::Unknown);
    }
    let is_kept = |rules: &DivisionRules| is_member(rules) && !may_join(rules);
    let stays = |it: &&DivisionRules| listed(it) || by_flag(it) || is_kept(it);
    let all: Vec<&DivisionRules> = rules.iter().filter(stays).collect();
    if share_group(all.iter().map(|it| &it.division)) {
        return Err(DivisionRefusal::Group);
    }
    let new = || all.iter().filter(|it| !is_member(it));
    let has_code = |rules: &DivisionRules| rules.accepts_code(choice.codes.get(rules.id()));
    if new().any(|it| it.division.join == Join::Code && !has_code(it)) {
        return Err(DivisionRefusal::Code);
    }
    if new().any(|it| !it.accepts_domain(domain)) {
        return Err(DivisionRefusal::Domain);
    }
    // Memberships in divisions that are no longer defined are kept for the case that they return.
    let is_defined = |id: &DivisionId| rules.iter().any(|it| it.id() == id);
    let undefined = before.iter().filter(|id| !is_defined(id));
    Ok(all.iter().map(|it| it.id().clone()).chain(undefined.cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn division(id: &str, group: &str) -> Division {
        let id = DivisionId::parse(id).expect("a valid ID");
        let name = id.to_string();
        Division { id, name, group: group.to_owned(), join: Join::Open, student: false }
    }

    #[test]
    fn ids_are_short_and_plain() {
        for good in ["school", "a-b_1", &"x".repeat(40)] {
            assert!(DivisionId::parse(good).is_some(), "{good}");
        }
        for bad in ["", "School", "a b", "é", "a/b", &"x".repeat(41)] {
            assert!(DivisionId::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn one_membership_of_each_group_counts() {
        let divisions = [division("a", "x"), division("b", "x"), division("c", "y")];
        let joined = ["c", "b", "a", "gone"].map(|id| DivisionId::parse(id).expect("valid"));
        let ids = |joined: &[DivisionId]| -> Vec<String> {
            effective(&divisions, joined).iter().map(|it| it.id.to_string()).collect()
        };
        assert_eq!(ids(&joined), ["a", "c"]);
        assert_eq!(ids(&joined[..2]), ["b", "c"]);
        assert_eq!(ids(&[]), Vec::<String>::new());
        assert!(share_group(&divisions) && !share_group(&divisions[1..]));
    }

    fn rules() -> Vec<DivisionRules> {
        let rules = |id, group, join, code: Option<&str>, domain: Option<&str>| DivisionRules {
            division: Division { join, ..division(id, group) },
            code: code.map(str::to_owned),
            domains: domain.map(str::to_owned).into_iter().collect(),
            private: false,
        };
        let mut all = vec![
            rules("school", "kind", Join::Open, None, None),
            rules("coded", "kind", Join::Code, Some("sea horse"), None),
            rules("uni", "kind", Join::Domain, None, Some("uni.example")),
            rules("invited", "prize", Join::Organizers, None, None),
            rules("secret", "secret", Join::Open, None, None),
        ];
        all[0].division.student = true;
        all[4].private = true;
        all
    }

    fn chosen(before: &[&str], ids: &[&str], code: &str, domain: &str) -> Result<String, String> {
        let before: Vec<_> = before.iter().filter_map(|id| DivisionId::parse(id)).collect();
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        let choice =
            DivisionChoice { ids, codes: DivisionCodes::All(code.to_owned()), is_student: false };
        let chosen = choose(&rules(), &before, &choice, domain);
        let words =
            |ids: Vec<DivisionId>| -> Vec<String> { ids.iter().map(ToString::to_string).collect() };
        chosen.map(|ids| words(ids).join(" ")).map_err(|refusal| format!("{refusal:?}"))
    }

    #[test]
    fn a_team_joins_by_the_rules_of_each_division() {
        let refused = |why: &str| Err(why.to_owned());
        let joined = |ids: &str| Ok(ids.to_owned());
        let of = |ids: &[&str], code: &str| chosen(&[], ids, code, "uni.example");
        assert_eq!(of(&[], ""), joined(""));
        assert_eq!(of(&["school", "school"], ""), joined("school"));
        assert_eq!(of(&["coded"], " sea horse "), joined("coded"));
        assert_eq!(of(&["uni"], ""), joined("uni"));
        assert_eq!(of(&["coded"], "sea"), refused("Code"));
        assert_eq!(of(&["coded"], ""), refused("Code"));
        assert_eq!(of(&["school", "uni"], ""), refused("Group"));
        for unknown in ["nothing", "secret", "invited", "", "School"] {
            assert_eq!(of(&["school", unknown], ""), refused("Unknown"), "{unknown}");
        }
        for domain in ["sub.uni.example", "example", ""] {
            assert_eq!(chosen(&[], &["uni"], "", domain), refused("Domain"), "{domain}");
        }
    }

    #[test]
    fn a_team_keeps_what_organizers_gave_it_and_needs_a_code_once() {
        let of = |before: &[&str], ids: &[&str]| chosen(before, ids, "", "a.example").unwrap();
        assert_eq!(of(&["coded"], &["coded"]), "coded");
        assert_eq!(of(&["uni"], &["uni"]), "uni");
        assert_eq!(of(&["coded"], &["school"]), "school");
        assert_eq!(of(&["invited", "secret", "school"], &[]), "invited secret");
        assert_eq!(of(&["invited"], &["invited", "school"]), "school invited");
        assert_eq!(of(&["gone", "school"], &[]), "gone");
        let listed = chosen(&["secret"], &["secret"], "", "a.example");
        assert_eq!(listed, Err("Unknown".to_owned()), "a private division does not show itself");
    }

    #[test]
    fn the_student_flag_joins_its_division() {
        let of = |rules: &[DivisionRules], ids: &[&str]| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            let choice = DivisionChoice { ids, is_student: true, ..DivisionChoice::default() };
            choose(rules, &[], &choice, "uni.example")
        };
        let school = || vec![DivisionId::parse("school").unwrap()];
        assert_eq!(of(&rules(), &[]), Ok(school()));
        assert_eq!(of(&rules(), &["school"]), Ok(school()));
        assert_eq!(of(&rules(), &["uni"]), Err(DivisionRefusal::Group));
        let mut private = rules();
        private[0].private = true;
        assert_eq!(of(&private, &[]), Ok(school()), "as before divisions, only organizers see it");
        assert_eq!(of(&private, &["school"]), Err(DivisionRefusal::Unknown));
        private[0].division.join = Join::Organizers;
        assert_eq!(of(&private, &[]), Err(DivisionRefusal::Unknown));
        assert_eq!(of(&[], &[]), Ok(vec![]), "without divisions, it is only a flag");
    }

    /// The text is stored, so that a later version must read it.
    #[test]
    fn rules_are_flat_and_leave_out_defaults() {
        let rules = DivisionRules {
            division: division("a", "x"),
            code: None,
            domains: Vec::new(),
            private: false,
        };
        let text = serde_json::to_string(&rules).expect("plain data");
        assert_eq!(text, r#"{"id":"a","name":"a","group":"x","join":"open"}"#);
        assert_eq!(serde_json::from_str::<DivisionRules>(&text).expect("it is valid"), rules);
    }
}
