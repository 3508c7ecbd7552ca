//! Actions about challenges.

pub mod attempts;
pub mod close;
pub mod create;
pub mod draft;
pub mod edit;
pub mod files;
pub mod flags;
pub mod hide;
pub mod rejudge;
pub mod release;
pub mod status;
pub mod text;
pub mod visibility;

use flagship_game::ChallengeId;

/// Audit log object of actions that release or hide a challenge.
fn object(id: &ChallengeId) -> String {
    format!("challenge {id}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::mail::language::Language;
    use crate::{Action, find};

    /// English phrase for recorded arguments.
    fn said(action: &str, arguments: Value) -> String {
        let english = Language::kept(Some("en")).expect("it is a language");
        (find(action).expect("it is an action").phrase)(&arguments).in_language(english)
    }

    #[test]
    fn sentences_name_what_was_done() {
        let edited = json!({"challenge": "one", "keys": ["name", "value"]});
        assert_eq!(said("challenge.edit", edited), "edited one: name, value");
        let takes = "edited one: name; replaced its name with its ID in";
        for (naming, names) in [(Value::Null, "other challenges"), (json!(["a", "b"]), "a, b")] {
            let edited = json!({"challenge": "one", "keys": ["name"], "naming": naming});
            assert_eq!(said("challenge.edit", edited), format!("{takes} {names}"));
        }
        let released = json!({"challenges": ["a", "b"], "at": null});
        assert_eq!(said("challenge.release", released), "released a, b");
        let later = json!({"challenges": ["a"], "at": 5});
        assert_eq!(said("challenge.release", later), "scheduled the release of a");
        let hidden = json!({"challenge": "a", "with": ["b", "c"]});
        assert_eq!(
            said("challenge.hide", hidden),
            "hid a and the challenges that require it: b, c"
        );
        let works = json!({"challenge": "a", "status": "works", "note": ""});
        assert_eq!(said("challenge.status", works), "set the status of a to working");
        let looked_at = json!({"challenge": "a", "status": "looked_at", "note": ""});
        assert_eq!(said("challenge.status", looked_at), "set the status of a to investigating");
        let not_found = "(submissions that match only a regex cannot be found, because their \
                         text is not stored)";
        let one = json!({"challenge": "a", "teams": 1, "patterns": 2});
        let expected = format!("rejudged a: 1 submission credited {not_found}");
        assert_eq!(said("challenge.rejudge", one), expected);
        let none = json!({"challenge": "a", "teams": 0, "patterns": 0});
        assert_eq!(said("challenge.rejudge", none), "rejudged a: 0 submissions credited");
        let all = json!({"team": null, "challenge": "a"});
        assert_eq!(said("solve.withdraw", all), "withdrew all solves of a");
    }

    /// Serialized record of an action with these arguments. The key order matters.
    fn record<A: Action>(arguments: Value) -> String {
        let action: A = serde_json::from_value(arguments).expect("they are arguments");
        serde_json::to_string(&action).expect("plain data")
    }

    #[test]
    fn flags_and_texts_are_not_recorded_and_are_in_the_schema() {
        let arguments = json!({"challenge": "a", "fields": {"flags": ["flag{a}"]}});
        assert_eq!(record::<edit::Edit>(arguments), r#"{"challenge":"a"}"#);
        let arguments = json!({"challenge": "a", "fields": {}, "from": "b"});
        assert_eq!(record::<create::Create>(arguments), r#"{"challenge":"a"}"#);
        let arguments = json!({"challenge": "a", "at": "2026-12-01T10:00:00Z"});
        assert_eq!(record::<close::Close>(arguments), r#"{"challenge":"a"}"#);
        let arguments = json!({"challenges": ["b"], "at": "1970-01-01T01:00:01+01:00"});
        assert_eq!(record::<release::Release>(arguments), r#"{"challenges":["b"],"at":1000}"#);
        let schema = (find("challenge.create").expect("it is an action").schema)();
        let schema = serde_json::to_value(&schema).expect("plain data");
        assert_eq!(schema["required"], json!(["challenge", "fields"]));
        assert!(schema["properties"]["from"].is_object());
        assert_eq!(schema["properties"].as_object().map(|it| it.len()), Some(3));
    }

    #[test]
    fn undo_data_of_former_versions_is_read() {
        let held = json!({"shown": false, "release_at_ms": null});
        let state = json!({"challenge": "a", "hidden": true, "released": false,
            "release_at_ms": 5, "held": null, "left": held});
        let solve = json!({"team": 7, "at_ms": 5, "after": 2});
        let row = json!({"challenge_id": "a", "path": "p", "sealed": "s", "files": "[]",
            "applied": null, "changed_by": "Ada", "changed_at_ms": 5});
        let before = json!({"draft": null, "held": held, "source": row, "left": "v"});
        let status = json!({"type": "status", "challenge": "a", "status": "works", "note": ""});
        let states = json!({"type": "states", "states": [state]});
        let draft = json!({"type": "draft", "challenge": "a", "before": before});
        let rejudged =
            json!({"type": "rejudged", "challenge": "a", "teams": [7], "solves": [solve]});
        let solves = json!({"type": "solves", "challenge": "a", "solves": [solve]});
        for (action, undo) in [
            ("challenge.close", &draft),
            ("challenge.create", &draft),
            ("challenge.edit", &draft),
            ("challenge.hide", &states),
            ("challenge.release", &states),
            ("challenge.rejudge", &rejudged),
            ("challenge.status", &json!({"type": "facts", "facts": [status]})),
            ("solve.count", &rejudged),
            ("solve.withdraw", &solves),
        ] {
            let read = crate::read_undo(action, &undo.to_string());
            let read = read.unwrap_or_else(|error| panic!("{action}: {error}"));
            let is_of_authors = ["challenge.close", "challenge.create", "challenge.edit"];
            let is_of_authors = is_of_authors.contains(&action) || action == "challenge.status";
            assert_eq!(read.challenge.is_some(), is_of_authors, "{action}");
        }
    }
}
