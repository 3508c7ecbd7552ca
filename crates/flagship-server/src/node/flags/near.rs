//! How a wrong flag came near a right one. Right flags are kept in memory as hashes under a random
//! key of this process alone; their texts are there only while these are computed. All hashes of a
//! text are computed before the first look-up, so that near misses take no longer to judge.
//!
//! Of flags that differ by team, what is around the code is kept. Whose code it is is computed from
//! the code, in the same time for each team and for none.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use flagship_actions::challenge::text::other;
use flagship_game::team_flag::CODE_CHARS;
use flagship_game::{ChallengeId, Secret, TeamFlag, TeamId, flag_text};
use flagship_pack::Flag;
use flagship_pack::source::{self, OtherChallenge, Surroundings};
use flagship_store::challenges::{Draft, Flag as StoredFlag};
use flagship_store::wrong_flags::Near;
use flagship_store::{Db, Key, Seal, StoreError, challenges, sources};

use crate::node::background::once;

/// The right flags of an event, without regard to their form, and former ones.
#[derive(Default)]
pub struct NearSet {
    /// `challenges::revision` of the flags; 0 before they are read.
    revision: i64,
    /// `sources::revision` of the texts of the flags.
    sources: Option<String>,
    hashes: RandomState,
    /// By the hash of what is left of a flag without case, wrapper and blanks.
    by_core: HashMap<u64, Vec<Known>>,
    /// Digests of flags that challenges had; each is of a flag for one challenge.
    former: HashSet<String>,
    /// Digests of decoys in lower case; each is of a decoy of one challenge.
    decoys: HashSet<String>,
    of_teams: Vec<OfTeams>,
    /// The lengths of what is left of flags, in bytes.
    core_lengths: BTreeSet<usize>,
    /// False if the texts of some exact flags could not be read.
    is_whole: bool,
}

/// How a text that is wrong came near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Miss {
    pub near: Option<Near>,
    /// The team whose flag it is, if it is another one's.
    pub of_team: Option<TeamId>,
}

impl From<Near> for Miss {
    fn from(near: Near) -> Self {
        Self { near: Some(near), of_team: None }
    }
}

struct OfTeams {
    challenge: ChallengeId,
    flag: TeamFlag,
    /// What is left of it without case, wrapper and blanks.
    core: TeamFlag,
}

/// The team whose code for a challenge this is.
pub fn owner_of(key: &Key, challenge: &ChallengeId, code: &str) -> Option<TeamId> {
    key.team_of_code(challenge.as_str(), code).map(TeamId)
}

struct Known {
    challenge: ChallengeId,
    forms: Forms,
}

/// The hashes of a text in lower case, without blanks, and without its wrapper.
type Forms = [u64; 3];

impl NearSet {
    /// The flags of a revision; `None` if this has them, and no source changed since.
    pub async fn newer(
        &self,
        db: &Db,
        seal: &Seal,
        revision: i64,
    ) -> Result<Option<Self>, StoreError> {
        // Read first: a source that changes after this is read again.
        let sources = sources::revision(db).await?;
        if self.revision == revision && self.sources == sources {
            return Ok(None);
        }
        let set = read(db, seal, revision).await?;
        Ok(Some(Self { sources, ..set }))
    }

    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// Returns true if all exact flags are compared. Those whose texts could not be read are not.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns true if a text contains an exact flag of any challenge, or a possible code of a
    /// team, without regard to case, whitespace and wrapper.
    pub fn has_flag_in(&self, text: &str) -> bool {
        let text = without_blanks(text).to_lowercase();
        let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
        let is_flag = |length: &usize| {
            let mut parts = starts.iter().filter_map(|start| text.get(*start..start + length));
            parts.any(|part| self.by_core.contains_key(&self.hashes.hash_one(part)))
        };
        let has_code =
            || text.split(|c: char| !c.is_ascii_hexdigit()).any(|it| it.len() >= CODE_CHARS);
        self.core_lengths.iter().any(is_flag) || !self.of_teams.is_empty() && has_code()
    }

    /// Compares with these flags, and with the digests of former ones. The decoys and the flags of
    /// teams are those of the drafts.
    pub fn new<'a>(
        revision: i64,
        flags: impl IntoIterator<Item = (&'a ChallengeId, &'a str)>,
        former: impl IntoIterator<Item = String>,
        drafts: &[Draft],
    ) -> Self {
        let mut set = Self { revision, is_whole: true, ..Self::default() };
        set.former = former.into_iter().collect();
        let all = drafts.iter().flat_map(|draft| {
            let id = &draft.challenge.id;
            draft.flags.iter().map(move |flag| (id, flag))
        });
        for (challenge, flag) in all {
            if let StoredFlag::Decoy { digest } = flag {
                set.decoys.insert(digest.clone());
            }
            let Some(flag) = flag.of_teams() else { continue };
            let Some(core) = flag.changed(core_of) else { continue };
            set.of_teams.push(OfTeams { challenge: challenge.clone(), flag, core });
        }
        for (challenge, text) in flags {
            let (core, forms) = set.hashes(text.trim());
            set.core_lengths.insert(core_of(text).len());
            let known = Known { challenge: challenge.clone(), forms };
            set.by_core.entry(core).or_default().push(known);
        }
        set
    }

    /// How a text that is wrong for a challenge came near. `digests` are those of the text as it is
    /// and in lower case; `team` is who sent it.
    pub fn near(
        &self,
        key: &Key,
        challenge: &ChallengeId,
        text: &str,
        digests: [&str; 2],
        team: Option<TeamId>,
    ) -> Miss {
        let (core, forms) = self.hashes(text);
        let of_teams = self.near_of_teams(key, challenge, text, &forms, team);
        if self.decoys.contains(digests[1]) {
            return Near::Decoy.into();
        }
        if let Some(miss) = of_teams {
            return miss;
        }
        let near = if digests.iter().any(|digest| self.former.contains(*digest)) {
            Some(Near::Former)
        } else {
            self.near_by_core(challenge, core, &forms)
        };
        Miss { near, of_team: None }
    }

    /// How a text came near a flag that differs by team: another team's, or the own one.
    fn near_of_teams(
        &self,
        key: &Key,
        challenge: &ChallengeId,
        text: &str,
        forms: &Forms,
        team: Option<TeamId>,
    ) -> Option<Miss> {
        if self.of_teams.is_empty() {
            return None;
        }
        let text_core = core_of(text);
        let mut found = None;
        for it in &self.of_teams {
            let Some(code) = it.core.code_in(&text_core) else { continue };
            // All this is done for each text that has the form, whosever it is.
            let (_, expected) = self.hashes(&it.flag.with(code));
            let is_here = it.challenge == *challenge;
            let Some(owner) = owner_of(key, &it.challenge, code) else { continue };
            let miss = match team {
                Some(team) if team != owner => {
                    Miss { near: Some(Near::Team), of_team: Some(owner) }
                }
                _ if is_here => way(&expected, forms).unwrap_or(Near::Form).into(),
                _ => Near::Elsewhere.into(),
            };
            // A flag of this challenge says more than one of another.
            if is_here || found.is_none() {
                found = Some(miss);
            }
        }
        found
    }

    fn near_by_core(&self, challenge: &ChallengeId, core: u64, forms: &Forms) -> Option<Near> {
        let found = self.by_core.get(&core)?;
        let mut own = found.iter().filter(|known| known.challenge == *challenge).peekable();
        if own.peek().is_none() {
            return Some(Near::Elsewhere);
        }
        let one_way = own.find_map(|known| way(&known.forms, forms));
        Some(one_way.unwrap_or(Near::Form))
    }

    /// The hash of a text without case, wrapper and blanks, and those of its forms.
    fn hashes(&self, text: &str) -> (u64, Forms) {
        let hash = |text: &str| self.hashes.hash_one(text);
        let forms =
            [hash(&text.to_lowercase()), hash(&without_blanks(text)), hash(unwrapped(text).trim())];
        (hash(&core_of(text)), forms)
    }
}

/// The only difference of a text from a flag.
fn way(known: &Forms, sent: &Forms) -> Option<Near> {
    let ways = [Near::Case, Near::Blanks, Near::Wrapper];
    let mut same = known.iter().zip(sent).zip(ways);
    same.find(|((a, b), _)| a == b).map(|(_, way)| way)
}

/// Returns what is left of a text without case, wrapper, blanks and the quotation marks around it.
fn core_of(text: &str) -> String {
    let bare = without_blanks(text);
    unwrapped(bare.trim_matches(is_quotation_mark)).to_lowercase()
}

/// Removes blanks and invisible characters.
pub(super) fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !flag_text::is_invisible(*c)).collect()
}

/// Returns true for the marks that people and word processors put around a quoted flag.
fn is_quotation_mark(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '´' | '«' | '»' | '‘'..='‟' | '‹' | '›' | '「'..='』' | '＂')
}

/// What is between the brackets of `flag{text}`, whichever brackets and word; the text itself
/// without them, or with nothing between.
pub(super) fn unwrapped(text: &str) -> &str {
    let Some((word, rest)) = text.split_once(['{', '[', '(', '<']) else { return text };
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    match rest.trim_end().strip_suffix(['}', ']', ')', '>']) {
        Some(inner) if is_word && !inner.trim().is_empty() => inner,
        _ => text,
    }
}

async fn read(db: &Db, seal: &Seal, revision: i64) -> Result<NearSet, StoreError> {
    let former = challenges::former_flags(db).await?;
    let kept = sources::all(db, seal).await?;
    let (_, drafts) = challenges::all(db).await?;
    let reading = once("near misses", move || {
        let mut flags: Vec<(ChallengeId, Secret)> = Vec::new();
        let is_exact = |flag: &StoredFlag| matches!(flag, StoredFlag::Exact { .. });
        let has_exact = |draft: &&Draft| draft.flags.iter().any(is_exact);
        let mut unread: Vec<ChallengeId> =
            drafts.iter().filter(has_exact).map(|it| it.challenge.id.clone()).collect();
        let defaults = source::Defaults::default();
        let all: Vec<OtherChallenge> = drafts.iter().map(other).collect();
        for kept in kept {
            let (path, text) = (kept.live.path, kept.live.text);
            // A text may require other challenges, and is not one of them.
            let others: Vec<OtherChallenge> =
                all.iter().filter(|it| it.id != kept.challenge).cloned().collect();
            let around =
                Surroundings { defaults: &defaults, end_ms: None, files: &[], others: &others };
            let Ok(reading) = source::read(&source::Source { path, text }, around) else {
                tracing::warn!(challenge = %kept.challenge, "near misses of it are not told");
                continue;
            };
            unread.retain(|id| *id != kept.challenge);
            let exact = reading.flags.into_iter().filter_map(|flag| match flag {
                Flag::Exact { text, .. } => Some((kept.challenge.clone(), text)),
                Flag::Regex { .. } | Flag::Team(_) | Flag::Decoy(_) => None,
            });
            flags.extend(exact);
        }
        let flags = flags.iter().map(|(challenge, text)| (challenge, text.expose()));
        let is_whole = unread.is_empty();
        NearSet { is_whole, ..NearSet::new(revision, flags, former, &drafts) }
    });
    Ok(reading.await.expect("reading a challenge does not panic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The flags of three challenges.
    const FLAGS: [(&str, &str); 5] = [
        ("one", "flag{Salty_Dog}"),
        ("one", "open sesame"),
        ("two", "flag{two}"),
        ("two", "flag{a{b}c}"),
        ("three", "SN{the_third}"),
    ];
    const FORMER: [(&str, &str); 2] = [("one", "flag{typo}"), ("two", "flag{Before}")];

    /// What is sent to a challenge, and how it came near.
    const CASES: &[(&str, &str, Option<Near>)] = &[
        // In other case.
        ("one", "flag{salty_dog}", Some(Near::Case)),
        ("one", "FLAG{SALTY_DOG}", Some(Near::Case)),
        ("one", "flag{Salty_dog}", Some(Near::Case)),
        ("one", "Flag{Salty_Dog}", Some(Near::Case)),
        ("one", "Open Sesame", Some(Near::Case)),
        ("one", "OPEN SESAME", Some(Near::Case)),
        ("two", "flag{TWO}", Some(Near::Case)),
        ("two", "flag{A{b}c}", Some(Near::Case)),
        ("three", "sn{the_third}", Some(Near::Case)),
        ("three", "SN{THE_THIRD}", Some(Near::Case)),
        // Without the wrapper, or in another.
        ("one", "Salty_Dog", Some(Near::Wrapper)),
        ("one", "SN{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "ctf{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "flag[Salty_Dog]", Some(Near::Wrapper)),
        ("one", "flag(Salty_Dog)", Some(Near::Wrapper)),
        ("one", "<Salty_Dog>", Some(Near::Wrapper)),
        ("one", "{Salty_Dog}", Some(Near::Wrapper)),
        ("one", "flag{open sesame}", Some(Near::Wrapper)),
        ("two", "two", Some(Near::Wrapper)),
        ("two", "a{b}c", Some(Near::Wrapper)),
        ("two", "pier{a{b}c}", Some(Near::Wrapper)),
        ("three", "the_third", Some(Near::Wrapper)),
        ("three", "flag{the_third}", Some(Near::Wrapper)),
        // With other blanks.
        ("one", "flag{ Salty_Dog }", Some(Near::Blanks)),
        ("one", "flag {Salty_Dog}", Some(Near::Blanks)),
        ("one", "flag{Salty_ Dog}", Some(Near::Blanks)),
        ("one", "flag{Salty_Dog\u{a0}}", Some(Near::Blanks)),
        ("one", "opensesame", Some(Near::Blanks)),
        ("one", "open  sesame", Some(Near::Blanks)),
        ("two", "flag{two }", Some(Near::Blanks)),
        ("two", "flag{\ttwo}", Some(Near::Blanks)),
        ("two", "flag{t\u{200b}wo}", Some(Near::Blanks)),
        ("three", "S N{the_third}", Some(Near::Blanks)),
        // With several differences.
        ("one", "salty_dog", Some(Near::Form)),
        ("one", "SALTY_DOG", Some(Near::Form)),
        ("one", "ctf{salty_dog}", Some(Near::Form)),
        ("one", "flag{ salty_dog }", Some(Near::Form)),
        ("one", "OpenSesame", Some(Near::Form)),
        ("one", "flag{OPEN SESAME}", Some(Near::Form)),
        ("two", "Two", Some(Near::Form)),
        // Between quotation marks.
        ("two", "“flag{two}”", Some(Near::Form)),
        ("two", "„flag{two}“", Some(Near::Form)),
        ("two", "«flag{two}»", Some(Near::Form)),
        ("two", "`flag{two}`", Some(Near::Form)),
        ("one", "'open sesame'", Some(Near::Form)),
        ("three", "THE THIRD", None),
        // Former ones.
        ("one", "flag{typo}", Some(Near::Former)),
        ("two", "flag{Before}", Some(Near::Former)),
        ("two", "flag{before}", None),
        ("two", "flag{typo}", Some(Near::Decoy)),
        // Those of another challenge.
        ("one", "flag{two}", Some(Near::Elsewhere)),
        ("one", "two", Some(Near::Elsewhere)),
        ("one", "FLAG{TWO}", Some(Near::Elsewhere)),
        ("two", "flag{Salty_Dog}", Some(Near::Elsewhere)),
        ("two", "salty_dog", Some(Near::Elsewhere)),
        ("two", "opensesame", Some(Near::Elsewhere)),
        ("three", "flag{two}", Some(Near::Elsewhere)),
        ("three", "flag{a{b}c}", Some(Near::Elsewhere)),
        ("unknown", "flag{two}", Some(Near::Elsewhere)),
        // Decoys, in any case.
        ("one", "flag{bait}", Some(Near::Decoy)),
        ("one", "FLAG{Bait}", Some(Near::Decoy)),
        ("one", "bait", None),
        ("two", "flag{bait}", None),
        ("two", "flag{TYPO}", Some(Near::Decoy)),
        // Those of another team, also nearly; `[2]` is the code of team 2 for the challenge "pier".
        ("pier", "flag{pier_[2]}", Some(Near::Team)),
        ("pier", "FLAG{PIER_[2]}", Some(Near::Team)),
        ("pier", "pier_[2]", Some(Near::Team)),
        ("pier", "flag{ pier_[2] }", Some(Near::Team)),
        ("pier", "SN(PIER_[2])", Some(Near::Team)),
        ("one", "flag{pier_[2]}", Some(Near::Team)),
        ("mole", "[m2]", Some(Near::Team)),
        ("mole", "flag{[m2]}", Some(Near::Team)),
        // The own one, nearly.
        ("pier", "FLAG{PIER_[1]}", Some(Near::Case)),
        ("pier", "pier_[1]", Some(Near::Wrapper)),
        ("pier", "flag{pier_ [1]}", Some(Near::Blanks)),
        ("pier", "PIER_[1]", Some(Near::Form)),
        ("one", "flag{pier_[1]}", Some(Near::Elsewhere)),
        ("mole", "flag{pier_[1]}", Some(Near::Elsewhere)),
        ("mole", "FLAG{[m1]}", Some(Near::Form)),
        // Codes of another challenge, and of nobody.
        ("pier", "flag{pier_[m2]}", None),
        ("mole", "[2]", None),
        ("pier", "flag{pier_[1][1]}", None),
        ("pier", "flag{pier_[TEAM]}", None),
        ("pier", "flag{pier_0123456789abcdef0123456789abcdef}", None),
        ("pier", "flag{pier_}", None),
        // Not near.
        ("one", "flag{Salty_Dogs}", None),
        ("one", "flag{}", None),
        ("one", "{}", None),
        ("one", "flag", None),
        ("one", "x", None),
        ("two", "flag{tw0}", None),
        ("two", "flag{two", None),
        ("three", "flag{the_fourth}", None),
    ];

    #[test]
    fn sixty_texts_come_near_or_not() {
        let key = Key::new(b"secret");
        let set = set(&key);
        assert!(CASES.len() >= 60 + 25);
        for (challenge, text, expected) in CASES {
            let text = with_codes(&key, text);
            let miss = near(&set, &key, challenge, &text);
            assert_eq!(miss.near, *expected, "{text:?} for {challenge}");
            let of_team = (*expected == Some(Near::Team)).then_some(TeamId(2));
            assert_eq!(miss.of_team, of_team, "{text:?} for {challenge}");
        }
    }

    #[test]
    fn without_a_sender_the_flag_of_any_team_is_an_own_one() {
        let key = Key::new(b"secret");
        let set = set(&key);
        let pier = ChallengeId::from_name("pier");
        let text = with_codes(&key, "PIER_[2]");
        let miss = set.near(&key, &pier, &text, ["", ""], None);
        assert_eq!(miss, Miss::from(Near::Form));
    }

    fn set(key: &Key) -> NearSet {
        let ids = FLAGS.map(|(id, text)| (ChallengeId::from_name(id), text));
        let former = FORMER.map(|(id, text)| key.flag_digest(id, text));
        let decoy = |id: &str, text: &str| {
            let digest = key.flag_digest(id, &text.to_lowercase());
            with_flag(id, StoredFlag::Decoy { digest })
        };
        let drafts = [
            decoy("one", "flag{Bait}"),
            // Also a former flag, without regard to case.
            decoy("two", "flag{typo}"),
            with_flag("pier", StoredFlag::Team("flag{pier_[TEAM]}".to_owned())),
            with_flag("mole", StoredFlag::Team("[TEAM]".to_owned())),
        ];
        NearSet::new(1, ids.iter().map(|(id, text)| (id, *text)), former, &drafts)
    }

    fn with_flag(id: &str, flag: StoredFlag) -> Draft {
        Draft { flags: vec![flag], ..flagship_testkit::player::draft(id) }
    }

    /// A text with the codes of teams 1 and 2 for "pier" and "mole" in it; upper case stays so.
    fn with_codes(key: &Key, text: &str) -> String {
        let mut text = text.to_owned();
        let is_upper = text.contains("PIER") || text.contains("FLAG{[");
        for (mark, challenge, team) in
            [("[1]", "pier", 1), ("[2]", "pier", 2), ("[m1]", "mole", 1), ("[m2]", "mole", 2)]
        {
            let code = key.team_code(challenge, team);
            let code = if is_upper { code.to_uppercase() } else { code };
            text = text.replace(mark, &code);
        }
        text
    }

    /// How a text of team 1 came near.
    fn near(set: &NearSet, key: &Key, challenge: &str, text: &str) -> Miss {
        let digests = [text, &text.to_lowercase()].map(|it| key.flag_digest(challenge, it));
        let challenge = ChallengeId::from_name(challenge);
        set.near(key, &challenge, text, [&digests[0], &digests[1]], Some(TeamId(1)))
    }
}
