//! Messages of the audit log, in the language of the reader.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::mail::language::Language;

type Texts = BTreeMap<String, String>;

static ENGLISH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("messages/en.json")));
static ITALIAN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("messages/it.json")));

fn read(file: &str) -> Texts {
    serde_json::from_str(file).expect("a test reads the file")
}

/// Looks up a message in English or Italian; in English for any other language.
pub(crate) fn text(key: &str, language: Language) -> Option<&'static str> {
    let texts: &'static Texts = if language.code() == "it" { &ITALIAN } else { &ENGLISH };
    texts.get(key).map(String::as_str)
}

/// Returns the key if it has a message.
pub(crate) fn known(key: &str) -> Option<&'static str> {
    ENGLISH.get_key_value(key).map(|(key, _)| key.as_str())
}

/// A value for a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A string that is the same in every language.
    Text(String),
    /// Another phrase.
    Phrase(Phrase),
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Phrase> for Part {
    fn from(phrase: Phrase) -> Self {
        Self::Phrase(phrase)
    }
}

/// A message key with values for its placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    key: &'static str,
    values: BTreeMap<&'static str, Part>,
    arguments: Value,
}

impl Phrase {
    /// Creates a phrase whose placeholders are named like the recorded arguments.
    pub fn new(key: &'static str, arguments: &Value) -> Self {
        Self { key, values: BTreeMap::new(), arguments: arguments.clone() }
    }

    /// Creates a phrase whose placeholders are filled by [`with`](Self::with) and
    /// [`part`](Self::part).
    pub fn bare(key: &'static str) -> Self {
        Self::new(key, &Value::Null)
    }

    /// Sets the value of a placeholder.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl ToString) -> Self {
        self.part(name, value.to_string())
    }

    /// Sets a placeholder to a phrase or a string.
    #[must_use]
    pub fn part(mut self, name: &'static str, part: impl Into<Part>) -> Self {
        self.values.insert(name, part.into());
        self
    }

    /// Creates a phrase for a change: `old → new`.
    pub fn change(old: impl Into<Part>, new: impl Into<Part>) -> Self {
        Self::bare("change").part("old", old).part("new", new)
    }

    /// Joins phrases into a list; `None` if there are none.
    pub fn list(phrases: impl IntoIterator<Item = Self>) -> Option<Self> {
        let joined = |list, next| Self::bare("list").part("list", list).part("next", next);
        phrases.into_iter().reduce(joined)
    }

    /// Formats the phrase in English or Italian; in English for any other language.
    pub fn in_language(&self, language: Language) -> String {
        let mut filled = String::new();
        let mut rest = text(self.key, language).unwrap_or(self.key);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            filled.push_str(&self.value(name, language));
            rest = after;
        }
        filled + rest
    }

    fn value(&self, name: &str, language: Language) -> String {
        match self.values.get(name) {
            Some(Part::Text(text)) => text.clone(),
            Some(Part::Phrase(phrase)) => phrase.in_language(language),
            None => self.arguments.get(name).map(words).unwrap_or_default(),
        }
    }
}

/// Formats an argument for a sentence. A list becomes its items separated by commas.
fn words(argument: &Value) -> String {
    match argument {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::list::{self, ACTIONS, RECORDED, recorded};
    use crate::sentences;

    /// Keys shared by all sentences.
    const KEYS: [&str; 9] = [
        "actor.command_line",
        "actor.team",
        "sentence",
        "sentence.erased",
        "sentence.undo",
        "team.address.stopped",
        "undo.no_undo",
        "unknown",
        "unknown.no_undo",
    ];

    /// Arguments that produce every form of the sentences, by action.
    fn forms(action: &str) -> Vec<Value> {
        match action {
            "challenge.edit" => {
                vec![json!({}), json!({"naming": ["web"]}), json!({"naming": null})]
            }
            "challenge.hide" => vec![
                json!({}),
                json!({"with": ["web"]}),
                json!({"challenges": ["a", "b"]}),
                json!({"challenges": ["a", "b"], "with": ["web"]}),
            ],
            "challenge.rejudge" => vec![
                json!({"teams": 1}),
                json!({"teams": 2}),
                json!({"teams": 1, "patterns": 1}),
                json!({"teams": 2, "patterns": 1}),
            ],
            "challenge.release" | "notice.post" => vec![json!({}), json!({"at": 1})],
            "challenge.status" => {
                let of = |status: &str| json!({"status": status});
                ["works", "looked_at", "broken", "fixed", "other"].map(of).to_vec()
            }
            "code.make" => vec![
                json!({"count": 1}),
                json!({"count": 2}),
                json!({"count": 1, "label": "A"}),
                json!({"count": 2, "label": "A"}),
            ],
            "event.apply" => [0, 1, 2].map(|changes| json!({"changes": changes})).to_vec(),
            "event.name" => vec![
                json!({"name": "B", "reveal": "auto", "timezone": "UTC", "flag_format": "b{}",
                    "before": {"name": "A", "reveal": "manual", "timezone": "CET",
                        "flag_format": "a{}"}}),
                json!({"practice": true, "before": {"practice": false}}),
                json!({"name": "B", "before": {}}),
            ],
            "event.times" => {
                vec![json!({}), json!({"start": 1, "freeze": 2, "end": 3, "before": {"end_ms": 2}})]
            }
            "evidence.state" => {
                let of = |state: &str| json!({"other": "B", "state": state});
                let mut forms = ["new", "looked_at", "cleared"].map(of).to_vec();
                forms.push(json!({"state": "new"}));
                forms
            }
            "organizer.add" => {
                let roles = ["observer", "author", "support", "organizer", "owner"];
                vec![json!({"roles": roles, "challenges": ["web"]})]
            }
            "organizer.token" => vec![json!({}), json!({"ended": true})],
            "privacy.erase" | "solve.withdraw" => vec![json!({}), json!({"team": "A"})],
            "team.address" => vec![json!({}), json!({"waits": true})],
            "team.award" => [1, 2, -1, -2].map(|points| json!({"points": points})).to_vec(),
            "team.hide" | "team.message" | "team.resend" | "team.show" => {
                vec![json!({}), json!({"teams": ["A", "B"]})]
            }
            "team.divisions" => vec![json!({}), json!({"divisions": ["a"]})],
            "team.cards" => vec![json!({"teams": 2}), json!({"team": "A"})],
            "team.import" => [1, 2].map(|teams| json!({"teams": teams})).to_vec(),
            _ => vec![json!({})],
        }
    }

    fn collect(phrase: &Phrase, keys: &mut BTreeSet<&'static str>) {
        keys.insert(phrase.key);
        for part in phrase.values.values() {
            if let Part::Phrase(phrase) = part {
                collect(phrase, keys);
            }
        }
    }

    fn places(text: &str) -> BTreeSet<&str> {
        let places = text.split('{').skip(1);
        places.filter_map(|rest| rest.split_once('}').map(|(place, _)| place)).collect()
    }

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_places() {
        assert_eq!(ENGLISH.keys().collect::<Vec<_>>(), ITALIAN.keys().collect::<Vec<_>>());
        for ((key, english), italian) in ENGLISH.iter().zip(ITALIAN.values()) {
            assert_eq!(places(english), places(italian), "{key}");
            for text in [english, italian] {
                assert!(!text.is_empty() && text.trim() == text, "{key}");
                assert_eq!(text.matches('{').count(), text.matches('}').count(), "{key}");
            }
        }
    }

    #[test]
    fn every_action_has_its_texts_and_no_text_is_unused() {
        let mut used = BTreeSet::from(KEYS);
        for action in recorded() {
            let mut keys = BTreeSet::new();
            for arguments in forms(action) {
                collect(&sentences::phrase(action, &arguments), &mut keys);
            }
            assert!(!keys.contains("unknown"), "{action}");
            for key in &keys {
                assert!(known(key).is_some(), "{action}: {key}");
            }
            used.extend(keys);
            for more in ["erased", "erased.own", "erased.several", "no_undo"] {
                used.extend(known(&format!("{action}.{more}")));
            }
            let never = list::find(action).is_some_and(|action| !action.can_be_undone);
            let has_why = known(&format!("{action}.no_undo")).is_some();
            assert!(has_why || !(never || RECORDED.contains(&action)), "{action}");
        }
        let all: BTreeSet<&str> = ENGLISH.keys().map(String::as_str).collect();
        assert_eq!(all.difference(&used).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn what_is_erased_about_a_team_has_words() {
        let about_teams = ["team.", "solve.", "question.", "evidence."];
        let names = ACTIONS.iter().map(|action| action.rule.name);
        for name in names.filter(|name| about_teams.iter().any(|it| name.starts_with(it))) {
            assert!(known(&format!("{name}.erased")).is_some(), "{name}");
        }
    }

    #[test]
    fn a_place_has_its_phrase_or_the_argument_of_its_name() {
        let arguments = json!({"keys": ["a", "b"], "section": "x", "team": "{keys}"});
        let said = |phrase: Phrase| phrase.in_language(Language::default());
        assert_eq!(said(Phrase::new("settings.set", &arguments)), "changed a, b in [x]");
        assert_eq!(said(Phrase::new("team.ban", &arguments)), "banned \"{keys}\"");
        assert_eq!(said(Phrase::bare("team.ban").with("team", "A")), "banned \"A\"");
        assert_eq!(said(Phrase::bare("team.ban")), "banned \"\"");
        let phrases = [Phrase::bare("event.pause"), Phrase::bare("event.resume")];
        let list = Phrase::list(phrases).map(said);
        assert_eq!(list.as_deref(), Some("paused the event, resumed the event"));
        let change = Phrase::change("a".to_owned(), Phrase::bare("event.name.auto"));
        assert_eq!(said(change), "a → at the end");
        let italian = Language::kept(Some("it")).expect("it is a language");
        assert_eq!(Phrase::new("team.ban", &arguments).in_language(italian), "ha escluso “{keys}”");
    }
}
