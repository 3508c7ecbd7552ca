//! Reads `rules.md`: sanitizes it, fills in the points, and checks the placeholders.

pub(crate) mod pages;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::event_toml::DefaultScoring;
use crate::files;
use crate::html::{self, Rendered};
use crate::problem::{Problem, Report, nearest, quote};

/// Placeholders. The server fills in all but the points, because their values can change without
/// the files.
const PLACEHOLDERS: [&str; 7] = ["start", "end", "freeze", "length", "flag_format", "max", "min"];

const RULES: &str = "rules.md";

/// A word in braces without a prefix like that of `flag{...}`.
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\w{$])\{([A-Za-z][A-Za-z_ -]*)\}").expect("a constant pattern")
});

/// Reads the rules of the event folder `dir` as HTML.
pub(crate) fn read(dir: &Path, scoring: &DefaultScoring, problems: &mut Vec<Problem>) -> String {
    let mut report = Report::new(Path::new(RULES));
    let html = if fs::symlink_metadata(dir.join(RULES)).is_err() {
        let near = near(dir, RULES).map(|name| format!("; did you mean {}?", quote(&name)));
        let near = near.unwrap_or_default();
        let message = format!("no rules.md: the rules page will be empty{near}");
        report.warning(1, message);
        String::new()
    } else {
        let text = files::read_text(dir, Path::new(RULES), &mut report).unwrap_or_default();
        rendered(&text, &mut report)
    };
    problems.extend(report.finish());
    with_points(&html, scoring.max, scoring.min)
}

/// Renders the rules in `text`, the content of `rules.md`, with the placeholders for points.
pub(crate) fn read_text(text: &str, scoring: &DefaultScoring, report: &mut Report) -> String {
    with_points(&rendered(text, report), scoring.max, scoring.min)
}

fn rendered(text: &str, report: &mut Report) -> String {
    warn_of_unknown(text, report);
    match html::render_with(text, |_| None) {
        Ok(Rendered { html, lost_links }) => {
            for link in lost_links {
                let line = 1 + text.lines().position(|it| it.contains(&*link)).unwrap_or(0);
                let message = format!(
                    "broken link to {}: write the full URL, like `https://...`",
                    quote(&link)
                );
                report.warning(line, message);
            }
            html
        }
        Err(why) => {
            report.error(1, format!("the rules cannot be displayed: {why}"));
            String::new()
        }
    }
}

/// Fills in the placeholders for points.
pub(crate) fn with_points(html: &str, max: i64, min: i64) -> String {
    html.replace("{max}", &max.to_string()).replace("{min}", &min.to_string())
}

/// Warns about unknown placeholders, which are shown verbatim.
pub(crate) fn warn_of_unknown(text: &str, report: &mut Report) {
    for (line, text) in (1..).zip(text.lines()) {
        for found in WORD.captures_iter(text) {
            let word = &found[1];
            if PLACEHOLDERS.contains(&word) || report.is_full() {
                continue;
            }
            let shown = quote(&format!("{{{word}}}"));
            let advice = match nearest(PLACEHOLDERS, word) {
                Some((near, true)) => format!("did you mean `{{{near}}}`?"),
                _ => format!("available: {{{}}}", PLACEHOLDERS.join("} {")),
            };
            report.warning(line, format!("unknown placeholder {shown}; {advice}"));
        }
    }
}

/// Finds an entry of the folder `dir` with a name similar to `name`.
pub(crate) fn near(dir: &Path, name: &str) -> Option<String> {
    let entries = fs::read_dir(dir).ok()?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let near = |found: &String| nearest([name], found).is_some_and(|(_, is_close)| is_close);
    names.into_iter().find(near)
}
