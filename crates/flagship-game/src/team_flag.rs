//! Flags that differ by team: a text with one placeholder, in whose place each team has a code.
//! The code itself is made elsewhere: it needs a key.

use std::fmt;

/// What stands for the code of a team.
pub const PLACEHOLDER: &str = "[TEAM]";

/// The characters of a code: lower-case hex digits.
pub const CODE_CHARS: usize = 32;

/// A character of no language, which has no case and is no blank.
const MARK: &str = "\u{e000}";

/// The text of a flag around the code of a team. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TeamFlag {
    before: String,
    after: String,
}

impl TeamFlag {
    /// Reads a text; `None` unless it has the placeholder once.
    pub fn parse(text: &str) -> Option<Self> {
        let (before, after) = text.split_once(PLACEHOLDER)?;
        let is_once = !after.contains(PLACEHOLDER);
        is_once.then(|| Self { before: before.to_owned(), after: after.to_owned() })
    }

    /// The flag of the team with a code.
    pub fn with(&self, code: &str) -> String {
        format!("{}{code}{}", self.before, self.after)
    }

    /// What stands in the place of the code, if that can be one.
    pub fn code_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let code = text.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        is_code(code).then_some(code)
    }

    /// The flag that is left when `change` is done to each team's.
    pub fn changed(&self, change: impl FnOnce(&str) -> String) -> Option<Self> {
        let text = change(&self.with(MARK));
        let (before, after) = text.split_once(MARK)?;
        Some(Self { before: before.to_owned(), after: after.to_owned() })
    }
}

/// The text as it was read.
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
