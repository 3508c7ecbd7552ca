//! Sentences of the audit log, in the language of the reader.

use flagship_store::actions::{OWN_TEAM, Record};
use flagship_store::ops::COMMAND_LINE;
use serde_json::Value;

use crate::list;
use crate::mail::language::Language;
use crate::messages::{Part, Phrase, known, text};
use crate::recorded;

/// Sentence of a recorded action: `Ada banned "Otters".` Other challenges that the action changed
/// are named only if the reader sees all challenges, because an author must not learn about them.
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

/// Sentence of an action by `name` that has no record yet.
pub fn of(name: &str, action: &str, arguments: &Value, language: Language) -> String {
    let sentence = Phrase::bare("sentence").part("actor", actor(name));
    sentence.part("what", phrase(action, arguments)).in_language(language)
}

/// Arguments of a recorded action, without the IDs of other challenges that it changed.
pub fn arguments(record: &Record) -> Value {
    let mut arguments = record.field("arguments");
    if let Some(naming) = arguments.get_mut("naming") {
        *naming = Value::Null;
    }
    arguments
}

/// Returns the reason why an action cannot be undone.
pub fn why_no_undo(record: &Record, language: Language) -> &'static str {
    if record.undoes.is_some() {
        return text("undo.no_undo", language).unwrap_or_default();
    }
    let why = why_never(&record.action, language);
    why.or_else(|| text("unknown.no_undo", language)).unwrap_or_default()
}

/// Reason why actions with this name cannot be undone; `None` if they can be.
pub fn why_never(action: &str, language: Language) -> Option<&'static str> {
    text(&format!("{action}.no_undo"), language)
}

/// Phrase of an action with its arguments but without the actor: `banned "Otters"`.
pub fn phrase(action: &str, arguments: &Value) -> Phrase {
    match list::find(action) {
        Some(action) => (action.phrase)(arguments),
        None => recorded::phrase(action, arguments).unwrap_or_else(|| unknown(action)),
    }
}

/// Phrase of an action that this version does not know.
fn unknown(action: &str) -> Phrase {
    Phrase::bare("unknown").with("action", action)
}

/// Phrase of an action whose arguments were erased with the personal data of its team, without the
/// actor.
fn erased(record: &Record) -> Phrase {
    let action = &record.action;
    let own = (record.actor == OWN_TEAM).then(|| known(&format!("{action}.erased.own")));
    let several = record.object.contains(',').then(|| known(&format!("{action}.erased.several")));
    let key = own.flatten().or(several.flatten());
    let key = key.or_else(|| known(&format!("{action}.erased")));
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
            assert!(said.ends_with(" (details erased)."), "{said}");
            assert!(!said.contains(['"', '0']) && !said.contains("  "), "{said}");
        }
        for action in ["team.award", "solve.count", "evidence.state", "question.answer"] {
            assert!(!erased(action, "Ada", None).contains(action), "{action} has words");
        }
        let said = erased("team.award", "Ada", Some(4));
        let expected = "Ada undid action 4: changed the points of a team (details erased).";
        assert_eq!(said, expected);
        let said = erased("team.country", OWN_TEAM, None);
        assert_eq!(said, "The team changed its country (details erased).");
    }

    #[test]
    fn a_sentence_has_who_and_what() {
        let by =
            |actor: &str| record("team.award", actor, Some(json!({"team": "A", "points": -5})));
        assert_eq!(said(&by("Ada")), "Ada deducted 5 points from \"A\".");
        let command = "The command line deducted 5 points from \"A\".";
        assert_eq!(said(&by(COMMAND_LINE)), command);
        assert_eq!(sentence(&by("Ada"), italian(), true), "Ada ha tolto 5 punti a “A”.");
        let undo = Record { undoes: Some(4), ..by("Ada") };
        assert_eq!(said(&undo), "Ada undid action 4: deducted 5 points from \"A\".");
        let expected = "Ada ha annullato l'azione 4: «ha tolto 5 punti a “A”».";
        assert_eq!(sentence(&undo, italian(), true), expected);
        let teams = json!({"teams": 1});
        assert_eq!(of("Ada", "team.import", &teams, Language::default()), "Ada imported 1 team.");
        let stopped = record("team.address", OWN_TEAM, Some(json!({"team": "A", "stopped": true})));
        assert_eq!(
            said(&stopped),
            "The email change of \"A\" was canceled from its previous address."
        );
        assert_eq!(said(&record("a.b", "Ada", Some(json!({})))), "Ada performed a.b.");
    }

    #[test]
    fn only_who_sees_all_challenges_reads_which_ones_had_a_name() {
        let edited = json!({"challenge": "web", "keys": ["name", "value"], "naming": ["b", "c"]});
        let record = record("challenge.edit", "Ada", Some(edited));
        let expected = "Ada edited web: name, value; replaced its name with its ID in b, c.";
        assert_eq!(said(&record), expected);
        let seen = sentence(&record, Language::default(), false);
        let expected =
            "Ada edited web: name, value; replaced its name with its ID in other challenges.";
        assert_eq!(seen, expected);
        assert_eq!(arguments(&record)["naming"], Value::Null);
    }

    #[test]
    fn what_cannot_be_undone_has_a_reason() {
        let why = |action: &str| {
            why_no_undo(&record(action, "Ada", Some(json!({}))), Language::default())
        };
        assert_eq!(
            why("team.code"),
            "The code has been shown; setting a new password invalidates it."
        );
        assert_eq!(why("event.apply"), "Apply the previous files again.");
        assert_eq!(why("team.ban"), "No undo data was stored.");
        let undo = Record { undoes: Some(4), ..record("team.ban", "Ada", None) };
        let expected = "It is itself an undo; repeat the original action instead.";
        assert_eq!(why_no_undo(&undo, Language::default()), expected);
        assert_eq!(why_no_undo(&undo, italian()), "Annulla un'altra azione; ripeti quella.");
    }
}
