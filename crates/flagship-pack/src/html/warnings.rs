//! Warnings of what players would read otherwise than it is meant: templates that nobody filled
//! in, such as `{{ nc }}` and `${HOST}`, which are shown as they are, and links that lead nowhere.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::problem::{Report, quote};

/// A name in braces; what is code, as `{{7*7}}`, is none.
static TEMPLATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{ *[A-Za-z_][A-Za-z0-9_./:| -]*\}\}|\$\{[A-Za-z_][A-Za-z0-9_.]*\}")
        .expect("a constant pattern")
});

/// How much of a flag is a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InFlag {
    None,
    Part,
    Whole,
}

/// Warns of each template in a text for players.
pub(crate) fn of_templates(what: &str, text: &str, line: usize, report: &mut Report) {
    let found: BTreeSet<&str> = TEMPLATE.find_iter(text).map(|found| found.as_str()).collect();
    for template in found {
        let template = quote(template);
        let message = format!("{what} has {template}, a template that is not filled in");
        report.warning(line, message);
    }
}

/// How much of a flag is a template. Braces inside the braces of a flag may be meant.
pub(crate) fn in_flag(flag: &str) -> InFlag {
    match TEMPLATE.find(flag) {
        Some(found) if found.len() == flag.len() => InFlag::Whole,
        Some(found) if found.as_str().starts_with('$') || found.as_str().starts_with("{{ ") => {
            InFlag::Part
        }
        _ => InFlag::None,
    }
}

/// Warns of links of which only the words are shown.
pub(crate) fn of_lost_links(what: &str, links: &[String], line: usize, report: &mut Report) {
    for link in links {
        let message = format!(
            "{what} has a link to {}, which leads nowhere: players get files by the list `files`, \
             and other addresses are written whole, as `https://...`",
            quote(link)
        );
        report.warning(line, message);
    }
}
