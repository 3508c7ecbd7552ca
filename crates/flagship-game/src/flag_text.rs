//! Normalization of flags for comparison.

use std::borrow::Cow;

use icu_properties::props::{BinaryProperty, DefaultIgnorableCodePoint};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Normalizes a flag for comparison: trims whitespace and invisible characters, and applies NFC.
/// Chat programs add zero-width characters to copied text, and macOS decomposes accents in file
/// names; both are visually identical to the flag.
///
/// Invisible characters inside the flag are kept, because a challenge can use them on purpose.
#[must_use]
pub fn compared(text: &str) -> Cow<'_, str> {
    normalized(text.trim_matches(is_invisible))
}

/// Applies NFC.
#[must_use]
pub fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// True for whitespace, control characters, and code points without a visible glyph, such as
/// zero-width spaces, joiners and variation selectors.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    let is_ignorable = !c.is_ascii() && DefaultIgnorableCodePoint::for_char(c);
    c.is_whitespace() || c.is_control() || is_ignorable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_at_the_ends_and_the_form_of_accents_do_not_count() {
        let flag = "flag{café}";
        for sent in [
            "flag{café}",
            " flag{café}\r\n",
            "flag{café}\u{200b}",
            "\u{feff}flag{café}",
            "\u{200e}flag{café}\u{200f}",
            "\u{2068}flag{café}\u{2069}",
            "\u{a0}\u{2060}flag{café}\u{ad}\u{fe0f}\0",
            "flag{cafe\u{301}}",
            "\u{202a}flag{cafe\u{301}}\u{202c} ",
        ] {
            assert_eq!(compared(sent), flag, "{sent:?}");
        }
    }

    #[test]
    fn visible_differences_and_characters_inside_count() {
        for (sent, expected) in [
            ("flag{cafe}", "flag{cafe}"),
            ("flag{ca\u{200b}fe}", "flag{ca\u{200b}fe}"),
            ("flag{a b}", "flag{a b}"),
            ("“flag{cafe}”", "“flag{cafe}”"),
            // Compatibility forms look different, so they are kept.
            ("ｆlag{①}", "ｆlag{①}"),
            ("\u{200b}\u{feff} ", ""),
        ] {
            assert_eq!(compared(sent), expected, "{sent:?}");
        }
    }
}
