//! `[[divisions]]` of `event.toml`: groups of teams with their own ranks.

use flagship_game::division::{DIVISIONS_MAX, Division, DivisionId, DivisionRules, Join};

use crate::problem::{Report, quote};
use crate::table::Table;

/// Maximum length of a domain, in bytes (RFC 1035).
const DOMAIN_BYTES_MAX: usize = 253;
/// Name of the array of tables.
pub(crate) const TABLE: &str = "divisions";
const KEYS: &[&str] = &["id", "name", "group", "join", "code", "domains", "private", "student"];
/// Group of a division without `group`.
const GROUP: &str = "Division";
/// Maximum length of a name and of a group, in characters.
const NAME_CHARS_MAX: usize = 60;
/// Maximum length of a code, in characters.
const CODE_CHARS_MAX: usize = 100;
/// Length of a code under which it is easy to guess, in characters.
const CODE_CHARS_MIN: usize = 8;

/// Reads the divisions of the root table. Divisions with errors are left out. `confirms_email` is
/// true if teams must confirm their email addresses.
pub(crate) fn divisions(
    root: &Table<'_, '_>,
    confirms_email: bool,
    report: &mut Report,
) -> Vec<DivisionRules> {
    let mut all: Vec<DivisionRules> = Vec::new();
    for table in root.tables(TABLE, TABLE, DIVISIONS_MAX, report) {
        table.refuse_unknown(KEYS, &[], report);
        let errors_before = report.errors();
        let Some(rules) = division(&table, report) else { continue };
        check_alone(&table, &rules, confirms_email, report);
        check_among(&table, &rules, &all, report);
        if report.errors() == errors_before {
            all.push(rules);
        }
    }
    all
}

fn division(table: &Table<'_, '_>, report: &mut Report) -> Option<DivisionRules> {
    let errors_before = report.errors();
    let says = "must have 1 to 40 lowercase letters, digits, dashes or underscores";
    let id = table.text_where("id", says, |text| DivisionId::parse(text).is_some(), report);
    let is_short = |text: &str| text.chars().count() <= NAME_CHARS_MAX;
    let says = "must have at most 60 characters";
    let name = table.text_where("name", says, is_short, report);
    let group = table.text_where("group", says, is_short, report);
    let join = table.choice("join", &Join::NAMED, report);
    let says = "must have at most 100 characters";
    let is_code = |text: &str| text.chars().count() <= CODE_CHARS_MAX;
    let code = table.text_where("code", says, is_code, report);
    let says = "must be domains such as \"example.org\"";
    let domains = table.list("domains", says, email_domain, report).unwrap_or_default();
    let private = table.boolean("private", report).unwrap_or_default();
    let student = table.boolean("student", report).unwrap_or_default();
    let id = id.as_deref().and_then(DivisionId::parse);
    let Some(((id, name), join)) = id.zip(name).zip(join) else {
        if report.errors() == errors_before {
            let message = "a division requires an `id`, a `name` and `join`";
            report.error(table.line("id"), message);
        }
        return None;
    };
    let group = group.unwrap_or_else(|| GROUP.to_owned());
    let division = Division { id, name, group, join, student };
    Some(DivisionRules { division, code, domains, private })
}

/// Checks the keys of one division against each other.
fn check_alone(
    table: &Table<'_, '_>,
    rules: &DivisionRules,
    confirms_email: bool,
    report: &mut Report,
) {
    let join = rules.division.join;
    for (key, is_set, needs) in [
        ("code", rules.code.is_some(), Join::Code),
        ("domains", !rules.domains.is_empty(), Join::Domain),
    ] {
        let word = needs.as_str();
        if is_set && join != needs {
            let message = format!("only a division with `join = \"{word}\"` has `{key}`");
            report.error(table.line(key), message);
        }
        if !is_set && join == needs {
            report.error(table.line("join"), format!("`join = \"{word}\"` requires `{key}`"));
        }
    }
    if rules.code.as_ref().is_some_and(|code| code.chars().count() < CODE_CHARS_MIN) {
        let message = format!("`code` is easy to guess: use at least {CODE_CHARS_MIN} characters");
        report.warning(table.line("code"), message);
    }
    if join == Join::Domain && !confirms_email {
        let message = "without `confirm_email`, a team can enter any address of these domains";
        report.warning(table.line("domains"), message);
    }
    let is_student = rules.division.student;
    if rules.private && is_student && join != Join::Open {
        let message = "a private division with `student = true` requires `join = \"open\"`: its \
                       teams join by the student checkbox, and an error would reveal it";
        report.error(table.line("join"), message);
    } else if rules.private && !is_student && join != Join::Organizers {
        let message = "teams cannot join a private division: only organizers add teams";
        report.warning(table.line("join"), message);
    }
}

/// Checks a division against the previous ones.
fn check_among(
    table: &Table<'_, '_>,
    rules: &DivisionRules,
    others: &[DivisionRules],
    report: &mut Report,
) {
    let Division { id, name, group, student, .. } = &rules.division;
    if others.iter().any(|other| other.id() == id) {
        let message = format!("two divisions have the `id` {}", quote(id.as_str()));
        report.error(table.line("id"), message);
    }
    let has_name =
        |other: &DivisionRules| (&other.division.name, &other.division.group) == (name, group);
    if others.iter().any(has_name) {
        let message = format!("two divisions of {} have the name {}", quote(group), quote(name));
        report.error(table.line("name"), message);
    }
    let mates: Vec<_> = others.iter().filter(|other| other.division.group == *group).collect();
    let is_hidden = |it: &DivisionRules| it.private && it.division.student;
    if !mates.is_empty() && (is_hidden(rules) || mates.iter().any(|it| is_hidden(it))) {
        let message = "a private division with `student = true` requires its own `group`: an \
                       error of the signup would reveal it";
        report.error(table.line("id"), message);
    } else if mates.iter().any(|other| other.private != rules.private) {
        let message = format!(
            "a team of a private division of {} cannot join its public ones: use another `group`",
            quote(group)
        );
        report.warning(table.line("id"), message);
    }
    let students = others.iter().map(|other| &other.division).find(|other| other.student);
    if let Some(other) = students.filter(|_| *student) {
        let other = quote(other.id.as_str());
        let message = format!("only one division has `student = true`, and {other} has it");
        report.error(table.line("student"), message);
    }
}

/// Returns an email domain in lowercase ASCII; `None` if it is invalid.
pub(crate) fn email_domain(text: &str) -> Option<String> {
    let domain = idna::domain_to_ascii_strict(text.strip_prefix('@').unwrap_or(text)).ok()?;
    let is_name = domain.len() <= DOMAIN_BYTES_MAX && !domain.is_empty();
    let has_dots = !domain.starts_with('.') && !domain.ends_with('.') && domain.contains('.');
    (is_name && has_dots).then_some(domain)
}
