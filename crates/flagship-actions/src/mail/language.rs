//! Languages of emails, and content negotiation. The `Accept-Language` header is parsed here
//! because the available Rust library can panic on invalid weights and does not match tags by
//! prefix.

use super::texts::{FILES, TEXTS, Texts};

/// Right-to-left languages.
const RIGHT_TO_LEFT: [&str; 1] = ["ar"];
/// Simplified Chinese. Chinese in the traditional script counts as another language.
const CHINESE: &str = "zh";
const TRADITIONAL: [&str; 4] = ["hant", "tw", "hk", "mo"];

/// A language of emails. Defaults to English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Language(usize);

impl Language {
    /// Looks up the language code stored with an account.
    pub fn kept(code: Option<&str>) -> Option<Self> {
        FILES.iter().position(|(known, _)| Some(*known) == code).map(Self)
    }

    /// Selects the language that an `Accept-Language` header (RFC 9110) prefers, the first one in
    /// case of a tie. `None` if the header contains none of them.
    pub fn of_header(header: &str) -> Option<Self> {
        let weighted = header.split(',').filter_map(|part| {
            let (tag, weight) = part.split_once(';').unwrap_or((part, "q=1"));
            let weight = weight.trim().strip_prefix(['q', 'Q'])?.strip_prefix('=')?;
            let weight: f32 = weight.parse().ok()?;
            (weight > 0.0 && weight <= 1.0).then_some((weight, Self::of_tag(tag)?))
        });
        // For equal weights, `max_by` returns the last one.
        let preferred = weighted.rev().max_by(|(one, _), (other, _)| one.total_cmp(other));
        preferred.map(|(_, language)| language)
    }

    /// Language of a tag like `de-AT`.
    fn of_tag(tag: &str) -> Option<Self> {
        let tag = tag.trim().to_ascii_lowercase();
        let mut parts = tag.split('-');
        let language = Self::kept(parts.next())?;
        let is_traditional = parts.next().is_some_and(|part| TRADITIONAL.contains(&part));
        (language.code() != CHINESE || !is_traditional).then_some(language)
    }

    /// Language code.
    pub fn code(self) -> &'static str {
        FILES[self.0].0
    }

    /// True if the language is written from right to left.
    pub fn is_right_to_left(self) -> bool {
        RIGHT_TO_LEFT.contains(&self.code())
    }

    /// Texts of the language.
    pub(crate) fn texts(self) -> &'static Texts {
        &TEXTS[self.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_of_a_header_is_found() {
        let table = [
            ("de", Some("de")),
            ("de-AT", Some("de")),
            ("DE-at", Some("de")),
            ("fr;q=0.3, it-CH;q=0.9, en;q=0.5", Some("it")),
            ("nl, sv;q=0.9, pl;q=0.1", Some("pl")),
            ("ja, de", Some("ja")),
            ("en;q=0, es ; Q=0.2", Some("es")),
            ("zh-Hans-CN", Some("zh")),
            ("zh-CN,zh;q=0.9", Some("zh")),
            ("zh-TW, pt-BR;q=0.8", Some("pt")),
            ("zh-hant", None),
            // Unsupported languages, and invalid tags.
            ("nl", None),
            ("deu, germany", None),
            ("*", None),
            ("", None),
            (";;;,,q=", None),
            ("de;q=nan, fr;q=inf, it;q=-1, es;q=2, pl;q=", None),
            ("de;level=1", None),
            ("\u{202e}de", None),
        ];
        for (header, code) in table {
            assert_eq!(Language::of_header(header).map(Language::code), code, "{header:?}");
        }
        let many = "de;q=nan,".repeat(1_000) + "ar;q=0.001";
        let arabic = Language::of_header(&many).expect("it is one");
        assert!(arabic.is_right_to_left() && !Language::default().is_right_to_left());
    }

    #[test]
    fn a_kept_code_of_another_program_is_no_language() {
        assert_eq!(Language::kept(Some("it")).map(Language::code), Some("it"));
        for code in [None, Some(""), Some("IT"), Some("it-IT"), Some("tlh")] {
            assert_eq!(Language::kept(code), None, "{code:?}");
        }
        assert_eq!(Language::default().code(), "en");
    }
}
