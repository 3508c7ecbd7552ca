//! Problems in event files, and the report that collects those of one file.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// Maximum number of problems listed per file. Further ones are only counted.
pub const PROBLEMS_PER_FILE_MAX: usize = 200;

/// Maximum length of quoted text in a message, in characters.
const QUOTE_CHARS_MAX: usize = 80;

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The item is not loaded; `check` and `apply` reject the folder.
    Error,
    /// The item is loaded, but probably not as intended.
    Warning,
    /// Information; nothing needs to change.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// A problem in an event file, displayed as `file:line: error: message`, and serialized without its
/// file. Problems never contain a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, relative to the event folder.
    #[serde(skip)]
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// The severity.
    pub severity: Severity,
    /// Message for the author.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, line, message, .. } = self;
        write!(f, "{}:{line}: {severity}: {message}", place(&self.file))
    }
}

/// Minimum number of challenges for which the same warning is merged into one line.
const GATHERED_MIN: usize = 3;

/// Maximum number of other challenges listed in such a line.
const NAMED_MAX: usize = 3;

/// Formats the problems of at least severity `least`. Identical notes on several files become one
/// line, at the position of the first; so do warnings, followed by some of the other folders.
pub(crate) fn lines(problems: &[Problem], least: Severity) -> Vec<String> {
    let mut files: HashMap<(Severity, &str), Vec<&Path>> = HashMap::new();
    for Problem { severity, file, message, .. } in problems {
        let files = files.entry((*severity, &**message)).or_default();
        if files.last() != Some(&&**file) {
            files.push(file);
        }
    }
    let mut said = HashSet::new();
    let mut lines = Vec::new();
    for problem in problems.iter().filter(|problem| problem.severity <= least) {
        let Problem { severity, file, line, message } = problem;
        let key = (*severity, &**message);
        let files = files.get(&key).map_or(&[][..], Vec::as_slice);
        let is_gathered = match severity {
            Severity::Error => false,
            Severity::Warning => files.len() >= GATHERED_MIN,
            Severity::Note => files.len() > 1,
        };
        if !is_gathered {
            lines.push(problem.to_string());
        } else if said.insert(key) {
            let also = if *severity == Severity::Warning { also(files) } else { String::new() };
            let (place, count) = (place(file), files.len());
            lines.push(format!("{place}:{line}: {severity}: {count} challenges{also}: {message}"));
        }
    }
    lines
}

/// Lists the folders of the files after the first.
fn also(files: &[&Path]) -> String {
    let folder = |file: &&Path| place(file.parent().unwrap_or(file));
    let mut named: Vec<String> = files.iter().skip(1).take(NAMED_MAX).map(folder).collect();
    let more = files.len().saturating_sub(1 + named.len());
    if more > 0 {
        named.push(format!("{more} more"));
    }
    format!(" (also {})", named.join(", "))
}

/// The problems of one file, in the order they were found.
#[derive(Debug)]
pub(crate) struct Report {
    file: PathBuf,
    problems: Vec<Problem>,
    errors: usize,
    unlisted: usize,
}

impl Report {
    pub(crate) fn new(file: &Path) -> Self {
        Self { file: file.to_owned(), problems: Vec::new(), errors: 0, unlisted: 0 }
    }

    pub(crate) fn error(&mut self, line: usize, message: impl Into<String>) {
        self.errors += 1;
        self.push(Severity::Error, line, message.into());
    }

    pub(crate) fn warning(&mut self, line: usize, message: impl Into<String>) {
        self.push(Severity::Warning, line, message.into());
    }

    pub(crate) fn note(&mut self, line: usize, message: impl Into<String>) {
        self.push(Severity::Note, line, message.into());
    }

    /// Number of errors so far, including unlisted ones.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// True if further problems are only counted, so callers can skip composing a message.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= PROBLEMS_PER_FILE_MAX
    }

    /// Returns the problems, with a final one that counts those not listed.
    pub(crate) fn finish(mut self) -> Vec<Problem> {
        if self.unlisted > 0 {
            let message = format!("{} more problems in this file not shown", self.unlisted);
            let severity = if self.errors > 0 { Severity::Error } else { Severity::Warning };
            let line = self.problems.last().map_or(1, |last| last.line);
            self.problems.push(Problem { severity, file: self.file, line, message });
        }
        self.problems
    }

    fn push(&mut self, severity: Severity, line: usize, message: String) {
        if self.is_full() {
            self.unlisted += 1;
            return;
        }
        self.problems.push(Problem { severity, file: self.file.clone(), line, message });
    }
}

/// Quotes `text` for a message: one line of bounded length without control characters.
pub(crate) fn quote(text: &str) -> String {
    let text = text.trim();
    let mut short: String = text.chars().take(QUOTE_CHARS_MAX).map(visible).collect();
    if short.len() < text.len() && text.chars().count() > QUOTE_CHARS_MAX {
        short.push('…');
    }
    format!("`{short}`")
}

/// Formats a path for a message: with `/`, on one line.
pub fn place(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/").chars().map(visible).collect()
}

/// Replaces characters that affect a terminal: control characters, line separators, and those that
/// change the text direction.
fn visible(c: char) -> char {
    let turns = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    if turns || c.is_control() { '?' } else { c }
}

/// Finds the element of `known` with the smallest edit distance to `word`, ignoring case. The
/// boolean is true if it is close enough to be a typo.
pub fn nearest<'k>(
    known: impl IntoIterator<Item = &'k str>,
    word: &str,
) -> Option<(&'k str, bool)> {
    let word: String = word.chars().take(QUOTE_CHARS_MAX).collect::<String>().to_lowercase();
    let far = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &word);
    let (distance, name) = known.into_iter().map(|name| (far(name), name)).min()?;
    Some((name, distance <= 1 + name.chars().count() / 4))
}

/// Describes a system error on a file or folder, with advice.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "not found; create it".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; change its owner or mode (`chown`, `chmod`)".to_owned()
        }
        kind => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_as_file_line_severity_message() {
        let problem = |severity| Problem {
            severity,
            file: PathBuf::from("challenges/a b/challenge.yml"),
            line: 7,
            message: "this is odd".into(),
        };
        let shown = |severity| problem(severity).to_string();
        assert_eq!(shown(Severity::Error), "challenges/a b/challenge.yml:7: error: this is odd");
        assert_eq!(
            shown(Severity::Warning),
            "challenges/a b/challenge.yml:7: warning: this is odd"
        );
        assert_eq!(shown(Severity::Note), "challenges/a b/challenge.yml:7: note: this is odd");
    }

    #[test]
    fn quotes_stay_on_one_line_and_short() {
        assert_eq!(quote(" a\nb "), "`a?b`");
        assert_eq!(quote("\u{1b}[31m"), "`?[31m`");
        assert_eq!(quote("a\u{202e}b\u{2066}c\u{200f}d\u{61c}e\u{2028}f"), "`a?b?c?d?e?f`");
        assert_eq!(place(Path::new("x\u{202e}lmy.e")), "x?lmy.e");
        assert_eq!(quote(&"é".repeat(500)).chars().count(), QUOTE_CHARS_MAX + 3);
    }

    #[test]
    fn the_nearest_key_is_found() {
        let known = ["name", "start", "freeze", "end"];
        assert_eq!(nearest(known, "frezee"), Some(("freeze", true)));
        assert_eq!(nearest(known, "NAME"), Some(("name", true)));
        assert_eq!(nearest(known, "something else").map(|(_, near)| near), Some(false));
        assert_eq!(nearest([], "x"), None);
    }

    #[test]
    fn a_long_list_of_problems_is_truncated_with_a_count() {
        let mut report = Report::new(Path::new("event.toml"));
        (0..1000).for_each(|line| report.error(line, "odd"));
        assert_eq!(report.errors(), 1000);
        let problems = report.finish();
        assert_eq!(problems.len(), PROBLEMS_PER_FILE_MAX + 1);
        assert!(problems.last().is_some_and(|last| last.message.starts_with("800 more")));
    }
}
