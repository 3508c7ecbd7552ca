//! A flag of a challenge, and the compilation of regex flags.

use flagship_game::{Secret, TeamFlag, flag_text};
use regex::{RegexSet, RegexSetBuilder};

/// Maximum total size of the compiled patterns of one challenge, in bytes. Checking a submission
/// costs at most this size times its length.
pub const REGEX_BYTES_MAX: usize = 128 * 1024;

/// Maximum total length of the patterns of one challenge, in bytes of source text.
pub(super) const PATTERN_BYTES_MAX: usize = 4 * 1024;

/// Maximum nesting depth of a pattern.
const REGEX_NEST_MAX: u32 = 50;

/// A flag of a challenge. `Debug` does not show the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// Matches this text.
    Exact {
        /// The flag.
        text: Secret,
        /// True if case is ignored.
        case_insensitive: bool,
    },
    /// Matches if the pattern matches the entire text.
    Regex {
        /// The pattern; see [`compile`].
        pattern: Secret,
        /// True if case is ignored.
        case_insensitive: bool,
    },
    /// Matches the text with the team's code filled in, only for that team.
    Team(TeamFlag),
    /// Matches nothing: a planted text that is incorrect, in any case.
    Decoy(Secret),
}

impl Flag {
    /// True if a submission can be correct by this flag.
    pub fn counts(&self) -> bool {
        !matches!(self, Self::Decoy(_))
    }

    /// True if a decoy would be a correct flag, also if only its case differs.
    pub(super) fn is_right(&self, decoy: &str) -> bool {
        let folded = decoy.to_lowercase();
        match self {
            Self::Exact { text, .. } => text.expose().to_lowercase() == folded,
            Self::Regex { pattern, .. } => compile(pattern.expose(), true)
                .is_ok_and(|it| it.is_match(decoy) || it.is_match(&folded)),
            Self::Team(flag) => {
                flag.changed(str::to_lowercase).is_some_and(|flag| flag.code_in(&folded).is_some())
            }
            Self::Decoy(_) => false,
        }
    }
}

/// Compiles the pattern of a flag, anchored at both ends and with bounded size. Matching takes
/// linear time; look-around and backreferences are not supported.
///
/// Braces and `\Z` have their meaning in Python, which CTFd uses: a `{` that does not start a
/// repetition, as in `flag{.*}`, is a literal brace.
pub fn compile(pattern: &str, case_insensitive: bool) -> Result<RegexSet, regex::Error> {
    if pattern.len() > PATTERN_BYTES_MAX {
        return Err(regex::Error::CompiledTooBig(PATTERN_BYTES_MAX));
    }
    // First without the anchors: `a)|(b` is invalid on its own, but would be valid inside them.
    build(&[python(pattern)])?;
    build(&[anchored(pattern, case_insensitive)])
}

/// Compiles several patterns into a set, which avoids the cost of recording groups.
pub(super) fn build(patterns: &[String]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns)
        .size_limit(REGEX_BYTES_MAX)
        .dfa_size_limit(REGEX_BYTES_MAX)
        .nest_limit(REGEX_NEST_MAX)
        .build()
}

pub(super) fn anchored(pattern: &str, case_insensitive: bool) -> String {
    let case = if case_insensitive { "(?i)" } else { "" };
    format!(r"{case}\A(?:{})\z", python(pattern))
}

/// Translates a pattern from Python's `re` to the `regex` crate.
pub(super) fn python(pattern: &str) -> String {
    // Submitted flags are normalized in the same way.
    let pattern = flag_text::normalized(pattern);
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest: &str = &pattern;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' => {
                let length = escape(rest);
                out.push_str(if rest.starts_with(r"\Z") { r"\z" } else { &rest[..length] });
                length
            }
            // A bracket at the start of a class is a literal.
            '[' if !in_class => {
                in_class = true;
                let start = ["[^]", "[]", "[^"].into_iter().find(|it| rest.starts_with(it));
                let start = start.unwrap_or("[");
                out.push_str(start);
                start.len()
            }
            '{' if !in_class => brace(rest, &mut out),
            c => {
                in_class &= c != ']';
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// Length of the escape at the start of `text`. `\x{41}` and `\p{L}` exist only in the `regex`
/// crate.
fn escape(text: &str) -> usize {
    let of_first = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
    let has_braces = text[1..of_first].contains(['x', 'u', 'U', 'p', 'P']);
    match text[of_first..].starts_with('{').then(|| text.find('}')).flatten() {
        Some(end) if has_braces => end + 1,
        _ => of_first,
    }
}

/// Writes the `{` at the start of `text`: a repetition such as `{2,}`, or a literal brace. Returns
/// its length.
fn brace(text: &str, out: &mut String) -> usize {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let end = text.find('}').unwrap_or(0);
    let inside = text.get(1..end).unwrap_or_default();
    let count = match inside.split_once(',') {
        Some((least, most)) if digits(least) && digits(most) => {
            Some(format!("{{{},{most}}}", if least.is_empty() { "0" } else { least }))
        }
        None if !inside.is_empty() && digits(inside) => Some(format!("{{{inside}}}")),
        _ => None,
    };
    out.push_str(count.as_deref().unwrap_or(r"\{"));
    if count.is_some() { end + 1 } else { 1 }
}
