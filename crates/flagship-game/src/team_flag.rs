//! Per-team flags: a text with a placeholder that is replaced by a team code. Codes are generated
//! elsewhere, because they require a key.

use std::fmt;

/// Placeholder for the team code.
pub const PLACEHOLDER: &str = "[TEAM]";

/// Length of a code, in lower-case hex digits.
pub const CODE_CHARS: usize = 32;

/// Private-use character, which has no case and is not whitespace.
const MARK: &str = "\u{e000}";

/// The text of a flag around the code of a team. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TeamFlag {
    before: String,
    after: String,
}

impl TeamFlag {
    /// Parses a text; `None` unless it contains the placeholder exactly once.
    pub fn parse(text: &str) -> Option<Self> {
        let (before, after) = text.split_once(PLACEHOLDER)?;
        let is_once = !after.contains(PLACEHOLDER);
        is_once.then(|| Self { before: before.to_owned(), after: after.to_owned() })
    }

    /// Returns the flag of the team with this code.
    pub fn with(&self, code: &str) -> String {
        format!("{}{code}{}", self.before, self.after)
    }

    /// Extracts the code from a text, if it is well-formed.
    pub fn code_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let code = text.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        is_code(code).then_some(code)
    }

    /// Applies `change` to the flag; `None` if the code does not survive.
    pub fn changed(&self, change: impl FnOnce(&str) -> String) -> Option<Self> {
        let text = change(&self.with(MARK));
        let (before, after) = text.split_once(MARK)?;
        Some(Self { before: before.to_owned(), after: after.to_owned() })
    }
}

/// Displays the original text with the placeholder.
impl fmt::Display for TeamFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(PLACEHOLDER))
    }
}

impl fmt::Debug for TeamFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[team flag]")
    }
}

fn is_code(text: &str) -> bool {
    text.len() == CODE_CHARS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_has_its_code_in_one_place() {
        let code = "0123456789abcdef0123456789abcdef";
        let flag = TeamFlag::parse("flag{pier_[TEAM]}").expect("it has one placeholder");
        assert_eq!(flag.to_string(), "flag{pier_[TEAM]}");
        let text = flag.with(code);
        assert_eq!(text, format!("flag{{pier_{code}}}"));
        assert_eq!(flag.code_in(&text), Some(code));
        for other in [
            text.to_uppercase(),
            text.replace("pier", "pear"),
            text.replace('}', ""),
            text.replace("0123", "012"),
            text.replace("0123", "012g"),
            flag.to_string(),
            code.to_owned(),
            String::new(),
        ] {
            assert_eq!(flag.code_in(&other), None, "{other}");
        }
        let inner = flag.changed(|text| text.replace("flag{", "").replace('}', ""));
        assert_eq!(inner.map(|it| it.with(code)), Some(format!("pier_{code}")));
        assert_eq!(TeamFlag::parse("[TEAM]").map(|it| it.with(code)).as_deref(), Some(code));
        for other in ["flag{x}", "flag{[team]}", "flag{[TEAM][TEAM]}", ""] {
            assert_eq!(TeamFlag::parse(other), None, "{other}");
        }
    }
}
