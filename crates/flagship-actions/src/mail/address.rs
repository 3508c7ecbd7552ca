//! Email addresses.

use std::str::FromStr;

use lettre::Address;

/// Maximum length of an address in bytes (RFC 5321, without the brackets).
const EMAIL_BYTES_MAX: usize = 254;

/// Top-level domains of local networks, and the reserved `invalid`, which identifies the simulated
/// teams of `serve --demo`.
const LOCAL_DOMAINS: [&str; 10] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    // For `home.arpa`. No public email address ends in `arpa`.
    "arpa",
    "invalid",
];

/// A valid email address in canonical form: lower case, with the domain in ASCII (IDNA). Has no
/// `Debug` implementation, because it is private.
#[derive(Clone, PartialEq, Eq)]
pub struct Email(String);

/// Error returned for an email address that a team cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// The text is not an email address, or the address is not public.
    #[error("is not an email address")]
    Invalid,
    /// The part before the `@` contains non-ASCII characters. Only mail servers with SMTPUTF8 (RFC
    /// 6531) accept it.
    #[error(
        "has characters before the @ that many mail servers reject; use an address with plain \
         letters"
    )]
    NotAscii,
}

/// ASCII equivalent of a full-width character, as typed on Japanese and Chinese keyboards.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

impl Email {
    /// Trims and parses an address with one `@` and no characters that need quotes.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.trim().chars().map(half_width).collect();
        let odd = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '"' | '<' | '>');
        if text.len() > EMAIL_BYTES_MAX || text.matches('@').count() != 1 || text.contains(odd) {
            return None;
        }
        let (local, domain) = text.split_once('@')?;
        // A network address in brackets, which the mail library does not support.
        if domain.starts_with('[') {
            return None;
        }
        let email = format!("{}@{}", local.to_lowercase(), idna::domain_to_ascii(domain).ok()?);
        let is_one = email.len() <= EMAIL_BYTES_MAX && Address::from_str(&email).is_ok();
        is_one.then_some(Self(email))
    }

    /// Parses the new address of a team. Must be public unless the event allows local addresses,
    /// and acceptable to every mail server.
    ///
    /// # Errors
    /// Returns the problem with the address.
    pub fn of_team(text: &str, local_addresses: bool) -> Result<Self, EmailError> {
        let email = Self::parse(text).ok_or(EmailError::Invalid)?;
        if !email.0.is_ascii() {
            return Err(EmailError::NotAscii);
        }
        if local_addresses || email.is_public() { Ok(email) } else { Err(EmailError::Invalid) }
    }

    /// False if email to the address would go to this machine, its local network or a network
    /// address.
    pub fn is_public(&self) -> bool {
        // Network addresses end in a digit; top-level domains begin with a letter.
        self.domain().rsplit_once('.').is_some_and(|(_, top)| {
            top.starts_with(|c: char| c.is_ascii_alphabetic()) && !LOCAL_DOMAINS.contains(&top)
        })
    }

    /// The domain, lowercase and in ASCII.
    pub fn domain(&self) -> &str {
        self.0.rsplit('@').next().unwrap_or_default()
    }

    /// The address as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_trimmed_and_normalized() {
        let email = Email::parse(" Ada.Lovelace+ctf@Example.ORG\n").expect("an address");
        assert_eq!(email.as_str(), "ada.lovelace+ctf@example.org");
    }

    #[test]
    fn all_forms_of_a_domain_are_equal() {
        for text in ["ada@Bücher.example", "ada@bu\u{308}cher.example", "ada@XN--bcher-kva.example"]
        {
            let email = Email::parse(text).expect("an address");
            assert_eq!(email.as_str(), "ada@xn--bcher-kva.example");
        }
    }

    #[test]
    fn full_width_letters_are_the_plain_ones() {
        for text in ["ＡＤＡ@example.org", "ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ"] {
            assert_eq!(Email::parse(text).expect("an address").as_str(), "ada@example.org");
        }
        assert!(Email::parse("ａ＠ｂ＠example.org").is_none());
        assert!(Email::parse("ａ＜ｂ@example.org").is_none());
    }

    #[test]
    fn new_addresses_of_teams_are_ones_that_every_server_takes() {
        let error = |text: &str| Email::of_team(text, false).err();
        for text in ["użytkownik@example.org", "δοκιμή@bücher.example", "ǉ@example.org"] {
            assert_eq!(error(text), Some(EmailError::NotAscii), "{text}");
        }
        assert_eq!(error("ada@bücher.example"), None);
        assert_eq!(error("ada@localhost"), Some(EmailError::Invalid));
        assert_eq!(error("ada"), Some(EmailError::Invalid));
    }

    #[test]
    fn local_addresses_are_not_public() {
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
    fn invalid_addresses_are_refused() {
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
