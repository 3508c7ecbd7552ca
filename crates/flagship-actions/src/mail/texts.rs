//! Texts of emails to teams, in one file per language. `{team}` and `{event}` are placeholders.
//! Links are not part of the texts, since each has its own line.

use std::sync::LazyLock;

use serde::Deserialize;

/// Language codes, which are those of the site, with their texts. The first one is the default.
pub(crate) const FILES: [(&str, &str); 10] = [
    ("en", include_str!("texts/en.json")),
    ("it", include_str!("texts/it.json")),
    ("de", include_str!("texts/de.json")),
    ("fr", include_str!("texts/fr.json")),
    ("es", include_str!("texts/es.json")),
    ("pt", include_str!("texts/pt.json")),
    ("pl", include_str!("texts/pl.json")),
    ("ja", include_str!("texts/ja.json")),
    ("zh", include_str!("texts/zh.json")),
    ("ar", include_str!("texts/ar.json")),
];

/// Texts of each language, in the order of [`FILES`].
pub(crate) static TEXTS: LazyLock<[Texts; FILES.len()]> = LazyLock::new(|| {
    FILES.map(|(_, file)| serde_json::from_str(file).expect("a test reads each file"))
});

/// Parses the texts in advance, so that no request has to.
pub fn load() {
    LazyLock::force(&TEXTS);
}

macro_rules! texts {
    ($($name:ident($($argument:ident),*);)*) => {
        /// Texts of one language.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Texts {
            $(pub $name: Box<str>,)*
        }

        #[cfg(test)]
        impl Texts {
            /// Each text with its name and its placeholders.
            fn all(&self) -> Vec<(&'static str, &str, Vec<&'static str>)> {
                vec![$((stringify!($name), &*self.$name, vec![$(stringify!($argument)),*]),)*]
            }
        }
    };
}

texts! {
    // Replacement for the event's name until it has one.
    unnamed();
    hello();

    // After a signup.
    confirm_subject();
    welcome(team, event);
    welcome_waiting(team, event);
    taken_subject();
    taken(team, event);
    taken_login(team);

    // A place for a waiting team.
    place_subject();
    place(team, event);

    // Requested links.
    reset_subject();
    asked(event);
    of_team(team);
    confirm_here();
    reset_here();

    // Links sent by organizers.
    sent_confirm(team, event);
    sent_reset(team, event);

    // Email change by organizers.
    changed_subject();
    changes_now(team, event);
    changes_later(team, event);
    stop_here();
    fine_if_asked();
    new_subject();
    new_now(team, event);
    new_later(team, event);
    tell_organizers();

    // Email change by the team.
    wanted_subject();
    wanted(team, event);
    other_subject();
    other(team, event);
    told_subject();
    told(team, event);
    told_reset();
    confirmed(team, event);
    take_back();
    fine_if_you();

    // Lifetime of links, and advice for unintended recipients.
    once();
    once_for_days(days);
    once_from_signup();
    each_once();
    each_once_from_signup();
    not_you();
    unknown_team();
}

/// Fills in values for the placeholders. A value that looks like a placeholder stays unchanged.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("a test reads each text");
        let value = values.iter().find(|(known, _)| *known == name);
        let (_, value) = value.expect("a test compares the arguments of each text");
        filled.push_str(before);
        filled.push_str(value);
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Placeholder names in a text.
    fn arguments(text: &str) -> BTreeSet<&str> {
        let after = text.split('{').skip(1);
        after.map(|rest| rest.split_once('}').expect("the brace is closed").0).collect()
    }

    #[test]
    fn every_language_has_every_text_with_its_arguments() {
        for ((code, _), texts) in FILES.iter().zip(TEXTS.iter()) {
            for (name, text, expected) in texts.all() {
                assert!(!text.trim().is_empty(), "{code}: {name}");
                assert_eq!(text.trim(), text, "{code}: {name}");
                assert_eq!(arguments(text), expected.into_iter().collect(), "{code}: {name}");
                // A header has only one line, and links are added separately.
                let is_subject = name.ends_with("_subject");
                assert!(!(is_subject && text.contains('\n')), "{code}: {name}");
                assert!(!text.contains("http"), "{code}: {name}");
            }
        }
    }

    #[test]
    fn no_language_says_it_in_english() {
        let english: BTreeSet<&str> = TEXTS[0].all().into_iter().map(|(_, text, _)| text).collect();
        assert!(english.len() > 30);
        for ((code, _), texts) in FILES.iter().zip(TEXTS.iter()).skip(1) {
            let same = texts.all().into_iter().find(|(_, text, _)| english.contains(text));
            assert!(same.is_none(), "{code}: {same:?}");
        }
    }

    #[test]
    fn the_languages_are_those_of_the_site() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/messages/icu");
        let files = std::fs::read_dir(folder).expect("the site has message files");
        let names = files.map(|file| file.expect("it is listed").file_name());
        let codes = names.map(|name| name.to_string_lossy().trim_end_matches(".json").to_owned());
        let expected: BTreeSet<String> = codes.chain(["en".to_owned(), "it".to_owned()]).collect();
        let codes: BTreeSet<String> = FILES.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(codes, expected);
    }

    #[test]
    fn names_are_filled_in_once() {
        let values = [("team", "{event}"), ("event", "{team} {")];
        assert_eq!(fill("{team} of {event}, {team}.", &values), "{event} of {team} {, {event}.");
        assert_eq!(fill("none", &values), "none");
    }
}
