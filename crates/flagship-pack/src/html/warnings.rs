//! Warnings about texts that players would not see as intended: unfilled templates such as `{{ nc
//! }}` and `${HOST}`, which are shown verbatim, and links without a target.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::problem::{Report, quote};
use crate::team_copy;

/// A name in braces. Code such as `{{7*7}}` does not match.
static TEMPLATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{ *[A-Za-z_][A-Za-z0-9_./:| -]*\}\}|\$\{[A-Za-z_][A-Za-z0-9_.]*\}")
        .expect("a constant pattern")
});

/// Extent of unfilled templates in a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateExtent {
    None,
    Part,
    Whole,
}

/// Warns about each unfilled template in a text for players.
pub(crate) fn warn_about_templates(what: &str, text: &str, line: usize, report: &mut Report) {
    let found: BTreeSet<&str> = TEMPLATE.find_iter(text).map(|found| found.as_str()).collect();
    for template in found {
        if template == team_copy::PLACEHOLDER {
            let message = format!(
                "{what} contains `{template}`, which is filled in only in files with \
                 `per_team: true`"
            );
            report.warning(line, message);
            continue;
        }
        let template = quote(template);
        let message = format!("{what} contains {template}, an unfilled template");
        report.warning(line, message);
    }
}

/// Detects unfilled templates in a flag. Braces nested in the braces of a flag can be intended.
pub(crate) fn template_extent(flag: &str) -> TemplateExtent {
    match TEMPLATE.find(flag) {
        Some(found) if found.len() == flag.len() => TemplateExtent::Whole,
        Some(found) if found.as_str().starts_with('$') || found.as_str().starts_with("{{ ") => {
            TemplateExtent::Part
        }
        _ => TemplateExtent::None,
    }
}

/// Warns about links of which only the text is displayed.
pub(crate) fn warn_about_lost_links(
    what: &str,
    links: &[String],
    line: usize,
    report: &mut Report,
) {
    for link in links {
        let message = format!(
            "{what} has a broken link to {}: list attachments under `files`, and write other URLs \
             in full, like `https://...`",
            quote(link)
        );
        report.warning(line, message);
    }
}
