//! Countries that teams can choose, by code and by name.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Country {
    code: String,
    name: String,
}

/// Alternative country names in lower case, with their codes.
const OTHER_NAMES: [(&str, &str); 26] = [
    ("usa", "US"),
    ("united states of america", "US"),
    ("america", "US"),
    ("uk", "GB"),
    ("great britain", "GB"),
    ("england", "GB"),
    ("scotland", "GB"),
    ("wales", "GB"),
    ("korea", "KR"),
    ("republic of korea", "KR"),
    ("south-korea", "KR"),
    ("czech republic", "CZ"),
    ("the netherlands", "NL"),
    ("holland", "NL"),
    ("turkey", "TR"),
    ("türkiye", "TR"),
    ("russian federation", "RU"),
    ("viet nam", "VN"),
    ("macedonia", "MK"),
    ("deutschland", "DE"),
    ("österreich", "AT"),
    ("schweiz", "CH"),
    ("italia", "IT"),
    ("españa", "ES"),
    ("suisse", "CH"),
    ("svizzera", "CH"),
];

/// Country codes by code and by lower-case name.
static CODES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let list = include_str!("../../../vectors/countries.json");
    let list: Vec<Country> = serde_json::from_str(list).expect("a test reads the list");
    let names = |Country { code, name }: Country| {
        [(code.to_lowercase(), code.clone()), (name.to_lowercase(), code)]
    };
    let others = OTHER_NAMES.map(|(name, code)| (name.to_owned(), code.to_owned()));
    others.into_iter().chain(list.into_iter().flat_map(names)).collect()
});

/// True if teams can choose the country with this code.
pub fn is_country(code: &str) -> bool {
    country_code(code) == Some(code)
}

/// Country code for a code or name, ignoring case.
pub fn country_code(text: &str) -> Option<&'static str> {
    CODES.get(&text.trim().to_lowercase()).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_those_of_the_shared_list() {
        for code in ["IT", "EU", "UN", "XK"] {
            assert!(is_country(code), "{code}");
        }
        for (text, code) in
            [("it", "IT"), (" Italy ", "IT"), ("SOUTH KOREA", "KR"), ("usa", "US"), ("UN", "UN")]
        {
            assert_eq!(country_code(text), Some(code), "{text}");
        }
        assert!(OTHER_NAMES.iter().all(|(name, code)| country_code(name) == Some(code)));
        assert_eq!(country_code("Atlantis"), None);
        for code in ["", "it", "ZZ", "ITA"] {
            assert!(!is_country(code), "{code}");
        }
    }
}
