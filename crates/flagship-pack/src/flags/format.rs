//! The flag format of a challenge, shown to a team whose submission does not match it: the
//! challenge's `flag_format`, or the common form of its flags. The part of a flag between the
//! braces is never included.

use super::flag::Flag;
use crate::fields::{Fields, Text};
use crate::problem::quote;

/// Maximum length of a `flag_format`, in characters.
const FORMAT_CHARS_MAX: usize = 100;

/// Maximum length of the word before the brace in a derived format, in characters.
const WORD_CHARS_MAX: usize = 24;

/// Minimum length of flags to look for in a format; shorter ones are ordinary words.
const FLAG_CHARS_MIN: usize = 5;

/// Prefix and suffix of flags, from a `flag_format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrapper {
    format: String,
    before: String,
    after: String,
}

impl Wrapper {
    /// Parses a format such as `flag{...}`; returns `None` for prose.
    pub(crate) fn of(format: &str) -> Option<Self> {
        let bare = format.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
        if bare.contains(char::is_whitespace) {
            return None;
        }
        let (before, after) = match bare.split_once('{').filter(|(_, rest)| rest.ends_with('}')) {
            Some((before, _)) => (format!("{before}{{"), "}".to_owned()),
            None => {
                let gap = ["...", "…"].into_iter().find_map(|gap| bare.split_once(gap))?;
                (gap.0.to_owned(), gap.1.to_owned())
            }
        };
        Some(Self { format: format.to_owned(), before, after })
    }

    /// Returns the original format.
    pub(crate) fn format(&self) -> &str {
        &self.format
    }

    /// True if a flag matches this format. Regex flags always match.
    fn is_of(&self, flag: &Flag) -> bool {
        match flag {
            Flag::Exact { text, case_insensitive } => self.holds(text.expose(), *case_insensitive),
            Flag::Team(flag) => self.holds(&flag.to_string(), false),
            Flag::Decoy(text) => self.holds(text.expose(), true),
            Flag::Regex { .. } => true,
        }
    }

    fn holds(&self, text: &str, case_insensitive: bool) -> bool {
        let fits = |text: &str, before: &str, after: &str| {
            text.strip_prefix(before).is_some_and(|rest| rest.ends_with(after))
        };
        match case_insensitive {
            true => {
                let lower = str::to_lowercase;
                fits(&lower(text), &lower(&self.before), &lower(&self.after))
            }
            false => fits(text, &self.before, &self.after),
        }
    }
}

/// Reads `flag_format`; without it, derives the format from the flags. The event's format applies
/// only if all flags match it. Each flag comes with its line.
pub(super) fn read(
    fields: &mut Fields<'_>,
    flags: &[(usize, Flag)],
    event: Option<&Wrapper>,
) -> Option<String> {
    if fields.entry("flag_format").is_some() {
        // An empty value disables the format.
        let own = own(fields, flags)?;
        if let Some(wrapper) = Wrapper::of(&own) {
            warn_of_unlike(fields, flags, &wrapper, "the `flag_format` of this challenge", None);
        }
        return Some(own);
    }
    let derived = derived(flags);
    let Some(event) = event else { return derived };
    let is_like =
        warn_of_unlike(fields, flags, event, "the event's `flag_format`", derived.as_deref());
    let is_known = |(_, flag): &(usize, Flag)| !matches!(flag, Flag::Regex { .. });
    let is_events = is_like && !flags.is_empty() && flags.iter().all(is_known);
    derived.or_else(|| is_events.then(|| event.format().to_owned()))
}

/// The challenge's own `flag_format`.
fn own(fields: &mut Fields<'_>, flags: &[(usize, Flag)]) -> Option<String> {
    let Text { text, line } = fields.text("flag_format")?;
    if text.chars().count() > FORMAT_CHARS_MAX || text.chars().any(char::is_control) {
        let message = format!(
            "`flag_format` must be one line of at most {FORMAT_CHARS_MAX} \
                               characters"
        );
        fields.report.error(line, message);
        return None;
    }
    let is_in = |(_, flag): &(usize, Flag)| match flag {
        Flag::Exact { text: flag, .. } => {
            let flag = flag.expose();
            flag.chars().count() >= FLAG_CHARS_MIN && text.contains(flag)
        }
        Flag::Regex { .. } | Flag::Team(_) | Flag::Decoy(_) => false,
    };
    if flags.iter().any(is_in) {
        let message = "`flag_format` contains a flag of this challenge, but it is shown to players";
        fields.report.error(line, message);
        return None;
    }
    Some(text)
}

/// Warns once about flags that do not match a format. Returns false if there are any.
fn warn_of_unlike(
    fields: &mut Fields<'_>,
    flags: &[(usize, Flag)],
    wrapper: &Wrapper,
    whose: &str,
    derived: Option<&str>,
) -> bool {
    let unlike: Vec<usize> =
        flags.iter().filter(|(_, flag)| !wrapper.is_of(flag)).map(|(line, _)| *line).collect();
    let Some(first) = unlike.first() else { return true };
    let format = quote(wrapper.format());
    let message = match (derived, unlike.len()) {
        (Some(derived), _) => format!(
            "flags match {0} instead of {whose}, {format}; if this is intended, add \
             `flag_format: {derived}` to this file",
            quote(derived)
        ),
        (None, 1) => format!("a flag does not match {whose}, {format}"),
        (None, count) => format!("{count} flags do not match {whose}, {format}"),
    };
    fields.report.warning(*first, message);
    false
}

/// Returns `word{...}` if all flags except decoys have the same word before a brace and end with a
/// brace.
fn derived(flags: &[(usize, Flag)]) -> Option<String> {
    let mut counting = flags.iter().map(|(_, flag)| flag).filter(|flag| flag.counts());
    let (first, _) = word(counting.next()?)?;
    let is_same = |flag: &Flag| {
        word(flag).is_some_and(|(other, case_insensitive)| match case_insensitive {
            true => other.eq_ignore_ascii_case(&first),
            false => other == first,
        })
    };
    counting.all(is_same).then(|| format!("{first}{{...}}"))
}

/// The word before the brace of a flag; the boolean is true if the flag ignores case. For a regex,
/// only its literal prefix is considered.
fn word(flag: &Flag) -> Option<(String, bool)> {
    let (word, case_insensitive) = match flag {
        Flag::Exact { text, case_insensitive } => (before_brace(text.expose()), *case_insensitive),
        Flag::Team(flag) => (before_brace(&flag.to_string()), false),
        Flag::Regex { pattern, case_insensitive } => {
            (literal_before_brace(pattern.expose()), *case_insensitive)
        }
        Flag::Decoy(_) => (None, false),
    };
    word.map(|word| (word, case_insensitive))
}

fn before_brace(text: &str) -> Option<String> {
    let (word, inside) = text.strip_suffix('}')?.split_once('{')?;
    (is_word(word) && !inside.is_empty()).then(|| word.to_owned())
}

fn literal_before_brace(pattern: &str) -> Option<String> {
    let pattern =
        ["^", r"\A"].iter().find_map(|start| pattern.strip_prefix(start)).unwrap_or(pattern);
    let ends = ["$", r"\Z", r"\z"];
    let pattern = ends.iter().find_map(|end| pattern.strip_suffix(end)).unwrap_or(pattern);
    let (word, inside) = pattern.strip_suffix('}')?.split_once('{')?;
    // A brace after a letter can be a repetition: `a{2}`.
    let is_count = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c == ',');
    let word = match word.strip_suffix('\\') {
        Some(word) => word,
        None if is_count(inside) => return None,
        None => word,
    };
    (is_word(word) && !has_alternatives(pattern)).then(|| word.to_owned())
}

/// True if a pattern has a `|` outside of groups.
fn has_alternatives(pattern: &str) -> bool {
    let mut depth = 0_i32;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth <= 0 => return true,
            _ => {}
        }
    }
    false
}

fn is_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.chars().count() <= WORD_CHARS_MAX && text.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_toml::ChallengeDefaults;
    use crate::files::Files;
    use crate::problem::Report;

    /// Flag format and problems of a challenge with these lines, in an event with the format
    /// `event`.
    fn format(event: &str, lines: &str) -> (Option<String>, Vec<String>) {
        let text = format!("name: One\ncategory: c\ntype: standard\nvalue: 1\n{lines}\n");
        let common =
            ChallengeDefaults { wrapper: Wrapper::of(event), ..ChallengeDefaults::default() };
        let mut report = Report::new(std::path::Path::new("x"));
        let files = Files::Known(&[]);
        let read = crate::challenge_yml::read(&text, files, &common, &mut report);
        let problems = report.finish().iter().map(ToString::to_string).collect();
        (read.and_then(|it| it.challenge.flag_format), problems)
    }

    #[test]
    fn the_format_is_that_of_the_challenges_own_flags() {
        for (lines, expected) in [
            ("flags: ['Trojan{a}', 'Trojan{b}']", Some("Trojan{...}")),
            ("flags: ['GCC{a}']", Some("GCC{...}")),
            ("flags: ['GCC{a}', 'Trojan{b}']", None),
            ("flags: ['GCC{a}', 'paris']", None),
            ("flags: ['paris']", None),
            ("flags: ['the secret is{a}']", None),
            ("flags: ['a_very_long_answer_that_is_told{a}']", None),
            ("flags: ['paris{}']", None),
            (
                "flags: [{content: 'Trojan{A}', data: case_insensitive}, 'Trojan{b}']",
                Some("Trojan{...}"),
            ),
            (
                "flags: ['Trojan{a}', {content: 'trojan{A}', data: case_insensitive}]",
                Some("Trojan{...}"),
            ),
            ("flags: ['Trojan{a}', 'trojan{a}']", None),
            ("flags: [{type: regex, content: '^Trojan\\{[a-z]+\\}$'}]", Some("Trojan{...}")),
            ("flags: ['Trojan{a}', {type: regex, content: 'Trojan{(a|b)}'}]", Some("Trojan{...}")),
            ("flags: ['Trojan{a}', {type: regex, content: '.+'}]", None),
            ("flags: [{type: regex, content: 'Trojan\\{a\\}|b\\{c\\}'}]", None),
            ("flags: [{type: regex, content: 'ab{2}'}]", None),
            ("flags: [{type: team, content: 'Trojan{x_[TEAM]}'}]", Some("Trojan{...}")),
            ("flags: ['Trojan{a}', {type: decoy, content: 'fake'}]", Some("Trojan{...}")),
            ("flags: ['paris']\nflag_format: a city", Some("a city")),
            ("flags: ['Trojan{a}']\nflag_format: 'Trojan{city_year}'", Some("Trojan{city_year}")),
        ] {
            let (given, problems) = format("GCC{...}", lines);
            assert_eq!(given.as_deref(), expected, "{lines}: {problems:?}");
        }
    }

    #[test]
    fn the_events_format_counts_only_where_all_flags_have_it() {
        for (lines, expected) in [
            ("flags: ['KEY-1-2', 'KEY-3']", Some("KEY-...")),
            ("flags: ['KEY-1', '3']", None),
            ("flags: [{type: regex, content: '(?i)KEY-.*'}]", None),
            ("flags: []", None),
        ] {
            assert_eq!(format("KEY-...", lines).0.as_deref(), expected, "{lines}");
        }
        assert_eq!(format("a word", "flags: [a]").0, None);
    }

    #[test]
    fn a_format_of_its_own_is_checked() {
        for (lines, expected) in [
            ("flags: ['paris']\nflag_format: a city", None),
            ("flags: ['Trojan{a}']\nflag_format: 'Trojan{...}'", None),
            (
                "flags: ['Trojan{a}']\nflag_format: 'Trojna{...}'",
                Some("warning: a flag does not match"),
            ),
            (
                "flags: ['paris']\nflag_format: like paris",
                Some("error: `flag_format` contains a flag"),
            ),
            ("flags: ['paris']\nflag_format: [a]", Some("error: `flag_format` must be a string")),
            ("flags: ['paris', 'rome']", Some("`flag_format`, `GCC{...}`")),
            ("flags: ['Trojan{a}']", Some("flags match `Trojan{...}` instead of")),
        ] {
            let (_, problems) = format("GCC{...}", lines);
            assert_eq!(problems.len(), usize::from(expected.is_some()), "{lines}: {problems:?}");
            let is_said = problems.iter().all(|it| expected.is_some_and(|part| it.contains(part)));
            assert!(is_said, "{lines}: {problems:?}");
            assert!(!problems.concat().contains("paris"), "no problem has a flag");
        }
        let long = format!("flags: [paris]\nflag_format: {}", "x".repeat(101));
        assert!(format("", &long).1.concat().contains("at most 100 characters"));
    }
}
