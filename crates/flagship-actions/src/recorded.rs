//! Phrases of records other than actions: operations of commands and of organizers' own accounts.

use serde_json::{Value, json};

use crate::list::RECORDED;
use crate::messages::{Part, Phrase, known};

/// Roles, in the order of sentences.
const ROLES: [&str; 5] = ["owner", "organizer", "support", "observer", "author"];

/// Phrase of a recorded operation; `None` if the name is unknown.
pub(crate) fn phrase(name: &str, arguments: &Value) -> Option<Phrase> {
    let number = |name: &str| arguments[name].as_i64().unwrap_or_default();
    let has = |name: &str| !arguments[name].is_null();
    let key = match name {
        "event.apply" => match number("changes") {
            0 => "event.apply.none",
            1 => "event.apply.one",
            _ => "event.apply",
        },
        "team.cards" if has("team") => "team.cards.one",
        "team.import" if number("teams") == 1 => "team.import.one",
        "privacy.erase" if !has("team") => "privacy.erase.all",
        "organizer.add" | "organizer.role" => return Some(rights(known(name)?, arguments)),
        "organizer.token" if has("ended") => "organizer.token.ended",
        name if RECORDED.contains(&name) => known(name)?,
        _ => return None,
    };
    Some(Phrase::new(key, arguments))
}

/// Phrase with an organizer's roles and the previous ones.
fn rights(key: &'static str, arguments: &Value) -> Phrase {
    let phrase = Phrase::new(key, arguments).part("roles", roles(arguments));
    phrase.part("before", roles(&arguments["before"]))
}

/// Formats roles. The author role, with its challenges, comes last.
fn roles(rights: &Value) -> Part {
    let has = |role: &str| rights["roles"].as_array().is_some_and(|it| it.contains(&json!(role)));
    let given = ROLES.into_iter().filter(|role| has(role));
    let keys = given.filter_map(|role| known(&format!("role.{role}")));
    let list = Phrase::list(keys.map(|key| Phrase::new(key, rights)));
    list.map_or_else(|| Part::Text(String::new()), Part::Phrase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::language::Language;

    #[test]
    fn roles_of_an_organizer_are_listed_with_the_challenges_of_an_author_last() {
        let before = json!({"roles": ["support"], "challenges": []});
        let given = json!({"organizer": "Ada", "roles": ["author", "support", "owner"],
            "challenges": ["web", "pwn"], "before": before});
        let said = |name: &str, language: Option<&str>| {
            let language = language.and_then(|code| Language::kept(Some(code)));
            let phrase = phrase(name, &given).expect("it is recorded");
            phrase.in_language(language.unwrap_or_default())
        };
        let roles = "owner, support, author of web, pwn";
        assert_eq!(said("organizer.add", None), format!("invited \"Ada\" as {roles}"));
        let expected = format!("set the roles of \"Ada\" to {roles} (previously support)");
        assert_eq!(said("organizer.role", None), expected);
        let expected =
            "ha dato a “Ada” i ruoli titolare, supporto, autore di web, pwn; prima: supporto";
        assert_eq!(said("organizer.role", Some("it")), expected);
    }
}
