//! The rows about actions in the docs.

use flagship_actions::mail::language::Language;
use flagship_actions::sentences::why_never;
use flagship_actions::{ACTIONS, Argument, Factor, Kind, Rule, Type, arguments};
use flagship_store::organizers::Role;

/// A kind of caller of the table in `docs/authorization.md`.
enum Caller {
    /// A caller without credentials, or with an expired session or token.
    Nobody,
    /// A team.
    Team,
    /// An organizer who recently passed two-factor authentication.
    Session(Role),
    /// A script with an organizer's token.
    Token(Role),
    /// An owner who has not passed two-factor authentication.
    NoFactor,
    /// An owner who passed two-factor authentication some time ago.
    StaleFactor,
}

impl Caller {
    /// The callers, in the order of the columns.
    fn all() -> impl Iterator<Item = Self> {
        let teams = [Self::Nobody, Self::Team, Self::Team].into_iter();
        let sessions = Role::ALL.into_iter().map(Self::Session);
        let tokens = Role::ALL.into_iter().map(Self::Token);
        let others = [Self::Nobody, Self::Nobody, Self::NoFactor, Self::StaleFactor];
        teams.chain(sessions).chain(tokens).chain(others)
    }

    /// Status with which a rule rejects the caller, or `None` if it accepts the caller.
    fn rejection(&self, rule: &Rule) -> Option<u16> {
        let may = |role: &Role| rule.roles.contains(role);
        let again = (rule.factor == Factor::Again).then_some(403);
        match self {
            Self::Nobody => Some(401),
            Self::NoFactor => Some(403),
            Self::Session(role) if may(role) => None,
            Self::Token(role) if may(role) => again,
            Self::StaleFactor => again,
            Self::Team | Self::Session(_) | Self::Token(_) => Some(404),
        }
    }
}

/// The rows about actions in `docs/authorization.md`, whose first column has `width` characters.
/// `let_in` returns the status of an action for its n-th authorized caller, counted from 0.
pub fn authorization_rows(width: usize, let_in: impl Fn(&str, usize) -> u16) -> String {
    let mut rows = String::new();
    for action in ACTIONS {
        let rule = &action.rule;
        let mut let_in_before = 0;
        let mut row = format!("{:<width$}", rule.name);
        for caller in Caller::all() {
            let status = caller.rejection(rule).unwrap_or_else(|| {
                let_in_before += 1;
                let_in(rule.name, let_in_before - 1)
            });
            row += &format!("{status:>4}");
        }
        rows.push_str(&row);
        rows.push('\n');
    }
    rows
}

/// The table of actions in `docs/api.md`.
pub fn table() -> String {
    let mut table = "| action | arguments | who | reason | second factor | not undone, because |\n\
                     |---|---|---|---|---|---|\n"
        .to_owned();
    for action in ACTIONS {
        let arguments: Vec<String> = arguments(action).iter().map(described).collect();
        let Rule { name, factor, .. } = &action.rule;
        let reason = if action.needs_reason { "needed" } else { "" };
        let factor = if *factor == Factor::Again { "again" } else { "" };
        let why = (!action.can_be_undone).then(|| why_never(name, Language::default()));
        let cells = [
            format!("`{name}`"),
            arguments.join(", "),
            who(action),
            reason.to_owned(),
            factor.to_owned(),
            why.flatten().unwrap_or_default().to_owned(),
        ];
        // An empty cell contains one space.
        let cells = cells.map(|cell| if cell.is_empty() { cell } else { format!("{cell} ") });
        table += &format!("| {}|\n", cells.join("| "));
    }
    table
}

/// Roles that may perform an action. Owners may do everything that organizers may.
fn who(action: &Kind) -> String {
    let roles = action.rule.roles;
    let is_named = |role: &&Role| **role != Role::Owner || !roles.contains(&Role::Organizer);
    let roles: Vec<&str> = roles.iter().filter(is_named).map(|role| role.as_str()).collect();
    roles.join(", ")
}

/// An argument: `` `points`: integer ``.
fn described(Argument { name, of, is_optional }: &Argument) -> String {
    let optional = if *is_optional { " (optional)" } else { "" };
    format!("`{name}`: {}{optional}", words(of))
}

/// A type in words.
fn words(of: &Type) -> String {
    match of {
        Type::Text => "text".to_owned(),
        Type::Time => "time".to_owned(),
        Type::Integer => "integer".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Object => "object".to_owned(),
        Type::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            words.join(" or ")
        }
        Type::List(of) => format!("list of {}s", self::words(of)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_whom_an_action_lets_in() {
        let width = 24;
        let rows = authorization_rows(width, |_, _| 422);
        for row in [
            "team.ban                 401 404 404 404 404 404 422 422 404 404 404 422 422 401 401 \
             403 422",
            "team.address             401 404 404 404 404 422 422 422 404 404 403 403 403 401 401 \
             403 403",
            "team.note                401 404 404 404 404 422 422 422 404 404 422 422 422 401 401 \
             403 422",
        ] {
            assert!(rows.lines().any(|it| it == row), "{row}\n{rows}");
        }
        assert_eq!(rows.lines().count(), ACTIONS.len());
        let counted = authorization_rows(width, |_, number| 200 + number as u16);
        let row = counted.lines().find(|row| row.starts_with("team.ban ")).expect("a row");
        assert!(row.ends_with("404 404 404 404 200 201 404 404 404 202 203 401 401 403 204"));
    }

    #[test]
    fn a_row_of_the_table_has_arguments_roles_and_rules() {
        let table = table();
        for row in [
            "| `team.award` | `points`: integer, `team`: text | organizer | needed | | |",
            "| `team.rename` | `name`: text, `team`: text, `offensive`: boolean (optional) | \
             support, organizer | needed | | |",
            "| `team.code` | `team`: text | organizer | needed | again | The code has been \
             shown; setting a new password invalidates it. |",
            "| `team.note` | `team`: text, `text`: text | support, organizer | | | Notes are \
            permanent. |",
        ] {
            assert!(table.lines().any(|it| it == row), "{row}\n{table}");
        }
        let words = Type::Words(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(super::words(&words), "`a` or `b`");
        assert_eq!(super::words(&Type::List(Box::new(Type::Text))), "list of texts");
    }
}
