//! Search for matches of a regex flag inside longer texts.

use regex::RegexSet;

use super::flag::{build, python};

/// Finds matches of a regex flag anywhere in a text, ignoring case.
pub struct FlagSearch {
    /// `None` if the pattern is too large without its anchors: any text is then assumed to match.
    pattern: Option<RegexSet>,
    /// The word before the brace, such as `flag`.
    word: Option<String>,
}

impl FlagSearch {
    /// Compiles a pattern without its anchors.
    pub fn new(pattern: &str) -> Self {
        let pattern = python(pattern).replace(r"\A", "^").replace(r"\z", "$");
        let (word, _) = pattern.split_once(r"\{").unwrap_or_default();
        let word = word.trim_start_matches('^');
        let is_word = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let word = (!word.is_empty() && word.chars().all(is_word)).then(|| word.to_owned());
        Self { pattern: build(&[format!("(?im)(?:{pattern})")]).ok(), word }
    }

    /// Returns true if one of these texts contains a flag, with or without its wrapper.
    pub fn is_in(&self, texts: &[&str]) -> bool {
        let Some(pattern) = &self.pattern else { return true };
        let mut lines = String::new();
        for text in texts {
            lines.push_str(text);
            lines.push('\n');
            if let Some(word) = &self.word {
                lines.push_str(&format!("{word}{{{text}}}\n"));
            }
        }
        pattern.is_match(&lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_found_anywhere_and_without_their_wrapper() {
        for pattern in ["flag{rx_[0-9]{4}}", r"^flag\{rx_\d{4}\}$", r"\Aflag{rx_\d{4}}\Z"] {
            let search = FlagSearch::new(pattern);
            for found in ["flag{rx_1234}", "FLAG{RX_1234}", "rx_1234"] {
                assert!(search.is_in(&["no", found]), "{pattern}: {found}");
            }
            for other in ["flag{rx_123}", "rx_", "flag{}", ""] {
                assert!(!search.is_in(&["no", other]), "{pattern}: {other}");
            }
        }
        let search = FlagSearch::new("flag{rx_[0-9]{4}}");
        assert!(search.is_in(&["it is flag{rx_1234}}, I think"]));
        assert!(FlagSearch::new("(").is_in(&["anything"]), "it cannot be searched for");
    }
}
