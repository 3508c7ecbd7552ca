//! Sentences of the audit log, in the language of the reader.

use flagship_store::actions::{OWN_TEAM, Record};
use flagship_store::ops::COMMAND_LINE;
use serde_json::Value;

use crate::list;
use crate::mail::language::Language;
use crate::messages::{Part, Phrase, known, text};
use crate::recorded;

/// A recorded action: `Ada banned "Otters".` It names no challenge but the one that the action is
/// about, as an author knows of no others, unless the reader sees all challenges.
pub fn sentence(record: &Record, language: Language, sees_all: bool) -> String {
    let arguments = if sees_all { record.field("arguments") } else { arguments(record) };
    if arguments.get("stopped").is_some() {
        return Phrase::new("team.address.stopped", &arguments).in_language(language);
    }
    let what = match record.body {
        Some(_) => phrase(&record.action, &arguments),
        None => Phrase::bare("sentence.erased").part("what", erased(record)),
    };
    let sentence = match record.undoes {
        Some(id) => Phrase::bare("sentence.undo").with("id", id),
        None => Phrase::bare("sentence"),
    };
    sentence.part("actor", actor(&record.actor)).part("what", what).in_language(language)
}

/// The sentence of an action that `name` did, before its record is read.
pub fn of(name: &str, action: &str, arguments: &Value, language: Language) -> String {
    let sentence = Phrase::bare("sentence").part("actor", actor(name));
    sentence.part("what", phrase(action, arguments)).in_language(language)
}

/// The arguments of a recorded action, without the ids of the challenges that it changed beside the
/// one that it is about.
pub fn arguments(record: &Record) -> Value {
    let mut arguments = record.field("arguments");
    if let Some(naming) = arguments.get_mut("naming") {
        *naming = Value::Null;
    }
    arguments
}

/// Reason why an action cannot be undone.
pub fn why_no_undo(record: &Record, language: Language) -> &'static str {
    if record.undoes.is_some() {
        return text("undo.no_undo", language).unwrap_or_default();
    }
    let why = why_never(&record.action, language);
    why.or_else(|| text("unknown.no_undo", language)).unwrap_or_default()
}

/// Reason why actions with a name cannot be undone, if some cannot.
pub fn why_never(action: &str, language: Language) -> Option<&'static str> {
    text(&format!("{action}.no_undo"), language)
}

/// An action with its arguments, without who does it: `banned "Otters"`.
pub fn phrase(action: &str, arguments: &Value) -> Phrase {
    match list::find(action) {
        Some(action) => (action.phrase)(arguments),
        None => recorded::phrase(action, arguments).unwrap_or_else(|| unknown(action)),
    }
}

/// An action that this program does not know.
fn unknown(action: &str) -> Phrase {
    Phrase::bare("unknown").with("action", action)
}

/// An action whose arguments were erased with what was private about its team, without who does it.
fn erased(record: &Record) -> Phrase {
    let action = &record.action;
    let own = (record.actor == OWN_TEAM).then(|| known(&format!("{action}.erased.own")));
    let key = own.flatten().or_else(|| known(&format!("{action}.erased")));
    key.map_or_else(|| unknown(action), Phrase::bare)
}

fn actor(name: &str) -> Part {
    match name {
        COMMAND_LINE => Phrase::bare("actor.command_line").into(),
        OWN_TEAM => Phrase::bare("actor.team").into(),
        name => name.to_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(action: &str, actor: &str, arguments: Option<Value>) -> Record {
        Record {
            id: 9,
            at_ms: 0,
            actor: actor.to_owned(),
            action: action.to_owned(),
            object: "team 7".to_owned(),
            body: arguments.map(|it| json!({"arguments": it, "reason": ""}).to_string()),
            commitment: String::new(),
            first_seq: None,
            last_seq: None,
            undoes: None,
            hash: String::new(),
        }
    }

    fn italian() -> Language {
        Language::kept(Some("it")).expect("it is a language")
    }

    fn said(record: &Record) -> String {
        sentence(record, Language::default(), true)
    }

    fn erased(action: &str, actor: &str, undoes: Option<i64>) -> String {
        let record = Record { undoes, ..record(action, actor, None) };
        assert_eq!(said(&record), sentence(&record, Language::default(), false));
        said(&record)
    }

    #[test]
    fn no_erased_action_has_an_empty_place_or_a_number() {
        for action in list::recorded() {
            let said = erased(action, "Ada", None);
            assert!(said.starts_with("Ada "), "{said}");
            assert!(said.ends_with("; the details are erased."), "{said}");
            assert!(!said.contains(['"', '0']) && !said.contains("  "), "{said}");
        }
        for action in ["team.award", "solve.count", "evidence.state", "question.answer"] {
            assert!(!erased(action, "Ada", None).contains(action), "{action} has words");
        }
        let said = erased("team.award", "Ada", Some(4));
        let expected =
            "Ada took back action 4: changed the points of a team; the details are erased.";
        assert_eq!(said, expected);
        let said = erased("team.country", OWN_TEAM, None);
        assert_eq!(said, "The team changed its country; the details are erased.");
    }

    #[test]
    fn a_sentence_has_who_and_what() {
        let by =
            |actor: &str| record("team.award", actor, Some(json!({"team": "A", "points": -5})));
        assert_eq!(said(&by("Ada")), "Ada took 5 points from \"A\".");
        let command = "Somebody at the command line took 5 points from \"A\".";
        assert_eq!(said(&by(COMMAND_LINE)), command);
        assert_eq!(sentence(&by("Ada"), italian(), true), "Ada ha tolto 5 punti a “A”.");
        let undo = Record { undoes: Some(4), ..by("Ada") };
        assert_eq!(said(&undo), "Ada took back action 4: took 5 points from \"A\".");
        let expected = "Ada ha annullato l'azione 4: «ha tolto 5 punti a “A”».";
        assert_eq!(sentence(&undo, italian(), true), expected);
        let teams = json!({"teams": 1});
        assert_eq!(of("Ada", "team.import", &teams, Language::default()), "Ada imported 1 team.");
        let stopped = record("team.address", OWN_TEAM, Some(json!({"team": "A", "stopped": true})));
        assert_eq!(said(&stopped), "The address before stopped the change of \"A\".");
        assert_eq!(said(&record("a.b", "Ada", Some(json!({})))), "Ada did a.b.");
    }

    #[test]
    fn only_who_sees_all_challenges_reads_which_ones_had_a_name() {
        let edited = json!({"challenge": "web", "keys": ["name", "value"], "naming": ["b", "c"]});
        let record = record("challenge.edit", "Ada", Some(edited));
        let expected = "Ada edited web: name, value; its id takes the place of its name in b, c.";
        assert_eq!(said(&record), expected);
        let seen = sentence(&record, Language::default(), false);
        let expected =
            "Ada edited web: name, value; its id takes the place of its name in other challenges.";
        assert_eq!(seen, expected);
        assert_eq!(arguments(&record)["naming"], Value::Null);
    }

    #[test]
    fn what_cannot_be_undone_has_a_reason() {
        let why = |action: &str| {
            why_no_undo(&record(action, "Ada", Some(json!({}))), Language::default())
        };
        assert_eq!(why("team.code"), "The code was shown; a new password ends it.");
        assert_eq!(why("event.apply"), "Apply the files of before.");
        assert_eq!(why("team.ban"), "Nothing is kept that puts it back.");
        let undo = Record { undoes: Some(4), ..record("team.ban", "Ada", None) };
        let expected = "It takes back another action; do that one again.";
        assert_eq!(why_no_undo(&undo, Language::default()), expected);
        assert_eq!(why_no_undo(&undo, italian()), "Annulla un'altra azione; ripeti quella.");
    }
}
