//! Accounts: signing up, logging in and out, and what mailed links do.

mod admit;
mod letters;
mod limits;
mod links;
mod login;
mod reserved;
mod signup;

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::LazyLock;

use lettre::Address;
use serde::Deserialize;

#[cfg(any(test, feature = "fuzz"))]
pub(crate) use self::{
    links::{ConfirmRequest, EmailRequest, ResetRequest},
    login::LoginRequest,
    signup::SignupRequest,
};
pub use admit::{refused_captchas, refused_links};
pub use limits::{Limits, MINUTE_MS, typed_key};
pub use links::{__path_confirm, __path_forgot, __path_resend, __path_reset};
pub use links::{Ask, confirm, forgot, resend, reset};
pub use login::{__path_login, __path_logout, login, logout, logouts};
pub use reserved::Reserved;
pub use signup::{__path_signup, signup};

/// Longest address, in bytes (RFC 5321, with the brackets taken off).
const EMAIL_BYTES_MAX: usize = 254;

/// Top-level domains that lead to the machine itself or its own network.
const LOCAL_DOMAINS: [&str; 9] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    // `home.arpa`, and no address of mail ends in `arpa`.
    "arpa",
];

/// An e-mail address that mail can be sent to, in lower case, its domain in ASCII (IDNA): it is
/// one however it is typed. No `Debug`: it is private.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Takes a trimmed text as an address if it is one: one `@`, nothing that needs quotes.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let odd = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '"' | '<' | '>');
        if text.len() > EMAIL_BYTES_MAX || text.matches('@').count() != 1 || text.contains(odd) {
            return None;
        }
        let (local, domain) = text.split_once('@')?;
        // An address of a network in brackets: no mail can be written to it.
        if domain.starts_with('[') {
            return None;
        }
        let email = format!("{}@{}", local.to_lowercase(), idna::domain_to_ascii(domain).ok()?);
        let is_one = email.len() <= EMAIL_BYTES_MAX && Address::from_str(&email).is_ok();
        is_one.then_some(Self(email))
    }

    /// True unless the address's mail would go to this machine or its own network, or to a number
    /// in place of a domain.
    pub fn is_public(&self) -> bool {
        let domain = self.0.rsplit('@').next().unwrap_or_default();
        // No top-level domain begins with a digit, and each number does.
        domain.rsplit_once('.').is_some_and(|(_, top)| {
            top.starts_with(|c: char| c.is_ascii_alphabetic()) && !LOCAL_DOMAINS.contains(&top)
        })
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Deserialize)]
struct Country {
    code: String,
}

static COUNTRIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let list = include_str!("../../../../vectors/countries.json");
    let list: Vec<Country> = serde_json::from_str(list).expect("a test reads the list");
    list.into_iter().map(|country| country.code).collect()
});

/// Whether a code is in the list that teams choose from.
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

    #[test]
    fn addresses_are_trimmed_and_one_however_they_are_typed() {
        let email = Email::parse(" Ada.Lovelace+ctf@Example.ORG\n").expect("an address");
        assert_eq!(email.as_str(), "ada.lovelace+ctf@example.org");
    }

    #[test]
    fn the_domain_is_one_in_all_its_forms() {
        for text in ["ada@Bücher.example", "ada@bu\u{308}cher.example", "ada@XN--bcher-kva.example"]
        {
            let email = Email::parse(text).expect("an address");
            assert_eq!(email.as_str(), "ada@xn--bcher-kva.example");
        }
    }

    #[test]
    fn addresses_of_the_own_network_are_told_apart() {
        for (text, is_public) in [
            ("w@example.org", true),
            ("w@bücher.рф", true),
            ("w@localhost", false),
            ("w@mail.localhost", false),
            ("w@[127.0.0.1]", false),
            ("w@[::1]", false),
            ("w@127.0.0.1", false),
            ("w@１２７.0.0.1", false),
            ("w@printer.local", false),
        ] {
            let email = Email::parse(text);
            assert_eq!(email.is_some_and(|email| email.is_public()), is_public, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@{}.example.org", "x".repeat(60), "y".repeat(200));
        for text in [
            "",
            "@",
            "ada",
            "ada@",
            "@example.org",
            "a@b@example.org",
            "\"a@b\"@example.org",
            "a b@example.org",
            "ada@exam ple.org",
            "ada@example.org\r\nBcc: eve@example.org",
            "ada\u{0}@example.org",
            "Ada <ada@example.org>",
            "ada@-example.org",
            "ada@example..org",
            long.as_str(),
        ] {
            assert!(Email::parse(text).is_none(), "{text:?}");
        }
    }
}
