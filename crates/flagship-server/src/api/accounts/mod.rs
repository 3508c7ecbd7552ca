//! Accounts: signing up, logging in and out, and mailed links.

mod admit;
pub mod captcha;
pub mod links;
pub mod login;
pub mod signup;

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct Country {
    code: String,
}

static COUNTRIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let list = include_str!("../../../../../vectors/countries.json");
    let list: Vec<Country> = serde_json::from_str(list).expect("a test reads the list");
    list.into_iter().map(|country| country.code).collect()
});

/// True if a code is in the list of countries that teams choose from.
pub fn is_country(code: &str) -> bool {
    COUNTRIES.contains(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_those_of_the_shared_list() {
        for code in ["IT", "EU", "UN", "XK"] {
            assert!(is_country(code), "{code}");
        }
        for code in ["", "it", "ZZ", "ITA"] {
            assert!(!is_country(code), "{code}");
        }
    }
}
