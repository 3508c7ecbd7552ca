//! Options of `action`, `actions`, `event`, `code` and `notice`, and parsing of action fields.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{Args, Command, Subcommand};
use flagship_actions::{ACTIONS, Type, arguments, find};
use serde_json::{Map, Value};

use super::options::{ActionArgs, Installation, Listing, PublicUrl, ReasonOption, whole};

/// Fields that are never passed as arguments, because other users on the machine can read those.
const SECRET: [&str; 3] = ["email", "flag", "flags"];

#[derive(Args)]
pub struct Action {
    /// The action to run.
    #[arg(value_parser = PossibleValuesParser::new(ACTIONS.iter().map(|it| it.rule.name)))]
    pub action: String,
    /// Fields of the action, for example `--team Otters --points 25`. Pass email addresses only
    /// with --fields.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "--KEY VALUE")]
    pub words: Vec<String>,
    /// JSON file with fields; `-` reads standard input.
    #[arg(long, env = "FLAGSHIP_FIELDS", value_name = "FILE")]
    pub fields: Option<PathBuf>,
    #[command(flatten)]
    pub reason: ReasonOption,
    #[command(flatten)]
    pub preview: PreviewOption,
    /// Allow actions that take something from players or reveal frozen results.
    #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
    pub force: bool,
    #[command(flatten)]
    pub site: PublicUrl,
    #[command(flatten)]
    pub installation: Installation,
    /// Fields parsed from `words`.
    #[arg(skip)]
    pub given: Map<String, Value>,
}

#[derive(Args)]
pub struct PreviewOption {
    /// Show the effect and rank changes without changing anything.
    #[arg(long, env = "FLAGSHIP_PREVIEW", value_parser = BoolishValueParser::new())]
    pub preview: bool,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Actions {
    #[command(subcommand)]
    pub command: Option<ActionsCommand>,
    #[command(flatten)]
    pub listing: Listing,
    /// Only actions with an ID below this one.
    #[arg(long, env = "FLAGSHIP_BEFORE", value_name = "ID", value_parser = whole::<i64>)]
    pub before: Option<i64>,
}

#[derive(Subcommand)]
pub enum ActionsCommand {
    /// Undoes an action, unless later actions on the same object exist.
    Undo {
        /// Action ID, from `flagship actions`.
        #[arg(value_parser = whole::<i64>)]
        id: i64,
        #[command(flatten)]
        reason: ReasonOption,
        #[command(flatten)]
        preview: PreviewOption,
        /// Allow it even if it takes something from players or reveals frozen results.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        installation: Installation,
    },
    /// Verifies that the audit log has not been modified.
    Verify(Installation),
}

#[derive(Subcommand)]
pub enum Event {
    /// Extends the event; also moves a freeze that has not started.
    Extend {
        /// Number of minutes.
        #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        minutes: u32,
        #[command(flatten)]
        args: ActionArgs,
    },
    /// Stops accepting flags until `resume`.
    Pause(ActionArgs),
    /// Accepts flags again.
    Resume {
        /// Shift the end, freeze and upcoming releases by the length of the pause.
        #[arg(long, env = "FLAGSHIP_MOVES", value_parser = BoolishValueParser::new())]
        moves: bool,
        #[command(flatten)]
        args: ActionArgs,
    },
}

#[derive(Subcommand)]
pub enum Code {
    /// Makes codes and prints them, one per line.
    Make {
        /// Number of codes.
        #[arg(long, env = "FLAGSHIP_COUNT", default_value_t = 1)]
        #[arg(value_parser = clap::value_parser!(i64).range(1..=1000))]
        count: i64,
        /// Number of teams that can sign up with each code.
        #[arg(long, env = "FLAGSHIP_USES", default_value_t = 1)]
        #[arg(value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
        uses: i64,
        /// Label for organizers, such as the school that gets the codes.
        #[arg(long, env = "FLAGSHIP_LABEL", value_name = "TEXT", default_value = "")]
        #[arg(hide_default_value = true)]
        label: String,
        #[command(flatten)]
        args: ActionArgs,
    },
    /// Lists all codes with the number of teams that use them.
    List(Listing),
    /// Revokes a code. Teams that have signed up with it stay.
    Revoke {
        /// The code.
        code: String,
        #[command(flatten)]
        args: ActionArgs,
    },
}

#[derive(Subcommand)]
pub enum Notice {
    /// Publishes a notice to players.
    Post {
        /// Notice title.
        title: String,
        /// Markdown file with the text; `-` reads standard input.
        #[arg(long, env = "FLAGSHIP_TEXT", value_name = "FILE")]
        text: PathBuf,
        /// Related challenge.
        #[arg(long, env = "FLAGSHIP_CHALLENGE", value_name = "ID")]
        challenge: Option<String>,
        /// Also show it as a banner on every page.
        #[arg(long, env = "FLAGSHIP_URGENT", value_parser = BoolishValueParser::new())]
        urgent: bool,
        #[command(flatten)]
        args: ActionArgs,
    },
}

/// Splits the words after an action into options of the command and fields of the action.
pub fn divided(words: &[String], action: &Command) -> (Vec<OsString>, Vec<OsString>) {
    let mut own = Vec::new();
    let mut others = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let name = word.strip_prefix("--").map(|it| it.split('=').next().unwrap_or_default());
        let option =
            action.get_arguments().find(|it| it.get_long().is_some() && it.get_long() == name);
        let Some(option) = option else {
            others.push(word.into());
            continue;
        };
        own.push(word.into());
        if option.get_action().takes_values() && !word.contains('=') {
            own.extend(words.next().map(OsString::from));
        }
    }
    (own, others)
}

/// Parses the fields of an action from `--key value` and `--key=value`.
///
/// # Errors
/// Returns a message for the first invalid field, without the values of secret fields.
pub fn fields(action: &str, words: &[String]) -> Result<Map<String, Value>, String> {
    let arguments = find(action).map(arguments).unwrap_or_default();
    let mut fields = Map::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(pair) = word.strip_prefix("--").filter(|it| !it.is_empty()) else {
            return Err(format!("unexpected argument {word:?}: pass fields as `--key value`"));
        };
        let (typed, value) = match pair.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (pair, None),
        };
        let name = in_camel_case(typed);
        if SECRET.contains(&name.as_str()) {
            return Err(format!(
                "--{typed} cannot be passed as an argument, because other users could read it: \
                use `--fields FILE`, or `--fields -` with {{\"{name}\": ...}} on standard input"
            ));
        }
        let of = arguments.iter().find(|it| it.name == name).map(|it| &it.of);
        let is_flag = of == Some(&Type::Boolean);
        let is_value = |word: &&String| match is_flag {
            true => ["true", "false"].contains(&word.as_str()),
            false => !word.starts_with("--"),
        };
        let value = value.or_else(|| words.next_if(is_value).cloned());
        let value = value.or_else(|| is_flag.then(|| "true".to_owned()));
        let missing = || format!("a value is required for '--{typed}' but none was supplied");
        let value = value.ok_or_else(missing)?;
        let read = read(of, &value)
            .map_err(|why| format!("invalid value '{value}' for '--{typed}': {why}"))?;
        if fields.insert(name, read).is_some() {
            return Err(format!("'--{typed}' is given twice"));
        }
    }
    Ok(fields)
}

/// `to-all` as `toAll`.
fn in_camel_case(name: &str) -> String {
    let mut parts = name.split('-');
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        all.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        all.push_str(letters.as_str());
    }
    all
}

/// Parses a value according to the type of its field.
fn read(of: Option<&Type>, text: &str) -> Result<Value, String> {
    Ok(match of {
        Some(Type::Integer) => whole::<i64>(text)?.into(),
        Some(Type::Boolean) => {
            text.parse::<bool>().map_err(|_| "expected true or false".to_owned())?.into()
        }
        Some(Type::List(of)) if **of == Type::Text => {
            text.split(',').map(|it| Value::from(it.trim())).collect()
        }
        _ => text.into(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn fields_have_the_types_of_the_arguments() {
        for (action, text, expected) in [
            ("team.award", "--team Ants --points -25", json!({"team": "Ants", "points": -25})),
            ("team.award", "--points=5 --team=--x", json!({"points": 5, "team": "--x"})),
            ("notice.post", "--urgent --title 1", json!({"urgent": true, "title": "1"})),
            (
                "question.answer",
                "--to-all false --question 7",
                json!({"toAll": false, "question": 7}),
            ),
            ("question.answer", "--toAll --text x", json!({"toAll": true, "text": "x"})),
            ("page.set", "--position 1 --text 1", json!({"position": 1, "text": "1"})),
            ("event.name", "--flag-format x", json!({"flagFormat": "x"})),
            ("challenge.release", "--challenges one,two", json!({"challenges": ["one", "two"]})),
            ("team.ban", "--points 5", json!({"points": "5"})),
            ("event.pause", "", json!({})),
        ] {
            let read = fields(action, &words(text)).map(Value::Object);
            assert_eq!(read, Ok(expected), "{action} {text}");
        }
    }

    #[test]
    fn every_argument_has_a_type_that_words_can_have_or_is_for_files() {
        let mut others = Vec::new();
        for action in ACTIONS {
            for argument in arguments(action) {
                let is_list = matches!(&argument.of, Type::List(of) if **of != Type::Text);
                if argument.of == Type::Object || is_list {
                    others.push(format!("{} {}", action.rule.name, argument.name));
                }
            }
        }
        let of_files = [
            "answers.set answers",
            "brand.set values",
            "challenge.create fields",
            "challenge.edit fields",
            "settings.set values",
        ];
        assert_eq!(others, of_files);
    }

    #[test]
    fn invalid_fields_are_rejected() {
        for (action, text, piece) in [
            ("team.ban", "Ants", "pass fields as `--key value`"),
            ("team.ban", "--", "pass fields as `--key value`"),
            ("team.ban", "--team", "a value is required for '--team'"),
            ("team.award", "--team --points 5", "a value is required for '--team'"),
            ("team.ban", "--team A --team B", "given twice"),
            ("team.award", "--points 2.5", "expected a whole number"),
            ("notice.post", "--urgent=maybe", "true or false"),
            ("team.address", "--email a@example.org", "`--fields -`"),
            ("team.address", "--email=a@example.org", "`--fields -`"),
            ("challenge.edit", "--flags x", "`--fields -`"),
        ] {
            let why = fields(action, &words(text)).expect_err(text);
            assert!(why.contains(piece) && !why.contains("example.org"), "{text}: {why}");
        }
    }
}
