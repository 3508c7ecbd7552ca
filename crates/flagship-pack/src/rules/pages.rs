//! Reads `pages/*.md`, the custom pages of an event. A page can start with front matter: `title`,
//! `place` and `position` between `---` lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::event_toml::DefaultScoring;
use crate::fields::{Fields, Text};
use crate::problem::{Problem, Report, nearest, quote};
use crate::settings::{PagePlace, SitePage};
use crate::{files, html, rules, yaml};

const PAGES: &str = "pages";
/// Maximum number of pages.
pub const PAGES_MAX: usize = 16;
/// Maximum total size of the HTML of all pages, in bytes. Nodes load it with the settings.
pub const PAGES_BYTES_MAX: usize = 256 * 1024;
/// Maximum length of a page's slug and title, in characters.
const SLUG_CHARS_MAX: usize = 40;
const TITLE_CHARS_MAX: usize = 80;
/// Delimiter of front matter.
const FENCE: &str = "---";
const KEYS: [&str; 3] = ["title", "place", "position"];

/// First heading of a page that starts with one.
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)^<h1>(.*?)</h1>\s*").expect("a constant pattern"));
static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new("<[^>]*>").expect("a constant pattern"));

/// Reads the pages of the event folder `dir`, in display order.
pub(crate) fn read(
    dir: &Path,
    scoring: &DefaultScoring,
    problems: &mut Vec<Problem>,
) -> Vec<SitePage> {
    let mut report = Report::new(Path::new(PAGES));
    let names = names(dir, &mut report);
    let mut pages = Vec::new();
    for name in names {
        let path = Path::new(PAGES).join(&name);
        let mut report = Report::new(&path);
        match name.strip_suffix(".md") {
            Some(slug) => pages.extend(page(dir, &path, slug, scoring, &mut report)),
            None => report.warning(1, "not a page: page files end in `.md`"),
        }
        problems.extend(report.finish());
    }
    if pages.len() > PAGES_MAX {
        report.error(1, format!("more than {PAGES_MAX} pages"));
    }
    if pages.iter().map(|(_, page)| page.html.len()).sum::<usize>() > PAGES_BYTES_MAX {
        let most = files::size(PAGES_BYTES_MAX as u64);
        report.error(1, format!("the pages exceed {most} in total"));
    }
    let is_refused = report.errors() > 0;
    problems.extend(report.finish());
    if is_refused {
        return Vec::new();
    }
    pages.sort_by_key(|(position, _)| *position);
    pages.into_iter().map(|(_, page)| page).collect()
}

/// Sorted names in the folder; empty if it does not exist.
fn names(dir: &Path, report: &mut Report) -> Vec<String> {
    let folder = dir.join(PAGES);
    match fs::symlink_metadata(&folder) {
        Err(_) => return Vec::new(),
        Ok(about) if about.is_dir() => {}
        Ok(_) => {
            report.error(1, "not a folder");
            return Vec::new();
        }
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Reads a page and its position. Pages without a position come last, by name.
fn page(
    dir: &Path,
    path: &Path,
    slug: &str,
    scoring: &DefaultScoring,
    report: &mut Report,
) -> Option<(i64, SitePage)> {
    check_slug(slug, report)?;
    let text = files::read_text(dir, path, report)?;
    let errors_before = report.errors();
    let (head, body) = parts(&text, report);
    let position = head.position.unwrap_or(i64::MAX);
    if report.errors() > errors_before {
        return None;
    }
    let page = rendered(slug, head, &body, (scoring.max, scoring.min), report)?;
    Some((position, page))
}

/// Checks the slug of a page; returns `None` after reporting an error.
fn check_slug(slug: &str, report: &mut Report) -> Option<()> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !slug.is_empty() && slug.len() <= SLUG_CHARS_MAX && slug.chars().all(fits) {
        return Some(());
    }
    let message = format!(
        "the file name is the page's URL slug: use at most {SLUG_CHARS_MAX} characters of \
            a-z, 0-9 and dashes"
    );
    report.error(1, message);
    None
}

/// Renders a page from Markdown, with the maximum and minimum points filled in.
fn rendered(
    slug: &str,
    head: Head,
    body: &str,
    (max, min): (i64, i64),
    report: &mut Report,
) -> Option<SitePage> {
    let errors_before = report.errors();
    let Head { title, place, .. } = head;
    rules::warn_of_unknown(body, report);
    let html = html::render(body)
        .map_err(|why| report.error(1, format!("the page cannot be displayed: {why}")))
        .ok()?;
    let heading = HEADING.captures(&html).filter(|_| title.is_none());
    let (title, html) = match heading {
        Some(heading) => {
            let title = html::unescape(&TAG.replace_all(&heading[1], ""));
            (Some(title.trim().to_owned()), &html[heading[0].len()..])
        }
        None => (title, &*html),
    };
    let title = title.filter(|title| !title.is_empty());
    if title.as_ref().is_some_and(|title| title.chars().count() > TITLE_CHARS_MAX) {
        report.error(1, format!("the title is longer than {TITLE_CHARS_MAX} characters"));
    }
    if title.is_none() && report.errors() == errors_before {
        report.error(1, "missing title: start the page with `# Title`");
    }
    let html = rules::with_points(html, max, min);
    let page = SitePage { slug: slug.to_owned(), title: title?, place, html };
    (report.errors() == errors_before).then_some(page)
}

/// Renders a page from a text that starts with its title, like `pages/SLUG.md` without front
/// matter. Also returns warnings.
///
/// # Errors
/// The problems found.
pub fn page_of(
    slug: &str,
    place: PagePlace,
    text: &str,
    defaults: (i64, i64),
) -> Result<(SitePage, Vec<Problem>), Vec<Problem>> {
    let mut report = Report::new(&path_of(slug));
    let head = Head { title: None, place, position: None };
    let page = check_slug(slug, &mut report)
        .and_then(|()| rendered(slug, head, text, defaults, &mut report));
    let problems = report.finish();
    match page {
        Some(page) => Ok((page, problems)),
        None => Err(problems),
    }
}

/// Markdown source for a page of which only the HTML is available.
pub fn text_of(page: &SitePage) -> String {
    format!("<h1>{}</h1>\n\n{}\n", html::escape(&page.title), page.html)
}

/// Path of a page in the event folder.
pub fn path_of(slug: &str) -> PathBuf {
    Path::new(PAGES).join(format!("{slug}.md"))
}

/// Content of a page file, for a text that starts with its title.
pub fn file_of(place: PagePlace, position: Option<i64>, text: &str) -> String {
    let place = format!("place: {}\n", place.as_str());
    let position = position.map(|position| format!("position: {position}\n")).unwrap_or_default();
    format!("{FENCE}\n{place}{position}{FENCE}\n{text}")
}

/// Front matter of a page.
#[derive(Default)]
struct Head {
    title: Option<String>,
    place: PagePlace,
    position: Option<i64>,
}

/// Splits a page into front matter and body. The body keeps its line numbers.
fn parts(text: &str, report: &mut Report) -> (Head, String) {
    let mut lines = text.lines();
    if lines.next().is_none_or(|line| line.trim_end() != FENCE) {
        return (Head::default(), text.to_owned());
    }
    let inside: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != FENCE).collect();
    let before = inside.len() + 2;
    if text.lines().nth(before - 1).is_none() {
        report.error(1, "the page settings are not closed: missing `---` line");
        return (Head::default(), String::new());
    }
    let rest: Vec<&str> = lines.collect();
    let body = "\n".repeat(before) + &rest.join("\n");
    (head(&format!("\n{}", inside.join("\n")), report), body)
}

fn head(text: &str, report: &mut Report) -> Head {
    let document = match yaml::parse(text) {
        Ok(document) => document,
        Err(broken) => {
            report.error(broken.line, broken.message);
            return Head::default();
        }
    };
    for entry in document.root.entries() {
        if let Some((near, _)) = nearest(KEYS, &entry.key).filter(|(near, _)| *near != entry.key) {
            let key = quote(&entry.key);
            let message = format!("unknown page key {key}; did you mean `{near}`?");
            report.error(entry.line, message);
        }
    }
    let mut fields = Fields::new(&document.root, report);
    let title = fields.text("title").map(|title| title.text);
    let position = fields.integer("position");
    let place = match fields.text("place") {
        None => PagePlace::Footer,
        Some(Text { text, line }) => match [PagePlace::Navigation, PagePlace::Footer]
            .into_iter()
            .find(|place| place.as_str() == text)
        {
            Some(place) => place,
            None => {
                let message =
                    format!("`place` must be `navigation` or `footer`, not {}", quote(&text));
                fields.report.error(line, message);
                PagePlace::Footer
            }
        },
    };
    Head { title, place, position }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_site_becomes_the_same_page_of_a_folder() {
        let text = "# About *us* & you\n\n---\n\nUp to {max} {points}.";
        let place = PagePlace::Navigation;
        let (page, problems) = page_of("about", place, text, (500, 50)).expect("it is a page");
        assert_eq!((page.title.as_str(), page.place), ("About us & you", place));
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!((problems[0].line, problems[0].severity), (5, crate::Severity::Warning));
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(PAGES)).expect("a folder");
        let path = folder.path().join(path_of("about"));
        let read = |content: String| {
            fs::write(&path, content).expect("it is written");
            super::read(folder.path(), &DefaultScoring::default(), &mut Vec::new())
        };
        assert_eq!(read(file_of(place, Some(2), text)), std::slice::from_ref(&page));
        assert_eq!(read(file_of(place, None, &text_of(&page))), [page]);
        for (slug, text) in [("About", "# A"), ("", "# A"), ("a", "A"), ("a", ""), ("../a", "# A")]
        {
            assert!(page_of(slug, place, text, (500, 50)).is_err(), "{slug} {text}");
        }
    }
}
