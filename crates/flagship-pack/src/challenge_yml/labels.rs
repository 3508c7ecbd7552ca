//! Labels on the card: `tags`, `difficulty`, and ctfcli's `author` and `attribution`.

use flagship_game::Labels;

use crate::fields::{Fields, LIST_MAX, Text, unseen_in};
use crate::html::{self, Rendered, warnings};

/// Maximum length of a tag or a difficulty, in characters.
const LABEL_CHARS_MAX: usize = 48;

/// Maximum length of the author, in characters.
const AUTHOR_CHARS_MAX: usize = 128;

/// Maximum length of the attribution, in characters.
const ATTRIBUTION_CHARS_MAX: usize = 1_000;

/// Words for the difficulty that the site translates, from the easiest.
const DIFFICULTIES: [&str; 4] = ["beginner", "easy", "medium", "hard"];

/// Reads the labels. `shows_authors` is true if the event shows authors and attributions.
pub(super) fn read(fields: &mut Fields<'_>, shows_authors: bool) -> Labels {
    let mut tags = tags(fields);
    let difficulty = difficulty(fields).or_else(|| take_difficulty(&mut tags));
    let author = author(fields);
    let attribution = attribution(fields);
    if shows_authors {
        return Labels { difficulty, tags, author, attribution };
    }
    let keys = [("author", author.is_some()), ("attribution", attribution.is_some())];
    if let Some((key, _)) = keys.into_iter().find(|(_, has_text)| *has_text) {
        let message = "`author` and `attribution` are not shown to players; set `show_authors = \
                       true` in [event] to show them";
        fields.report.note(fields.line(key), message);
    }
    Labels { difficulty, tags, author: None, attribution: None }
}

/// Reads one line without invisible characters; reports an error for any other text.
fn label(
    fields: &mut Fields<'_>,
    called: &str,
    Text { text, line }: Text,
    chars_max: usize,
) -> Option<String> {
    let label = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = if label.chars().count() > chars_max || label.chars().any(char::is_control) {
        format!("{called} must be one line of at most {chars_max} characters")
    } else {
        match unseen_in(called, &label) {
            Some(message) => message,
            None => return Some(label).filter(|label| !label.is_empty()),
        }
    };
    fields.report.error(line, message);
    None
}

fn tags(fields: &mut Fields<'_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for text in fields.texts("tags", LIST_MAX) {
        let Some(tag) = label(fields, "a tag", text, LABEL_CHARS_MAX) else { continue };
        let is_known = |known: &String| known.to_lowercase() == tag.to_lowercase();
        if !tags.iter().any(is_known) {
            tags.push(tag);
        }
    }
    tags
}

/// Reads `difficulty`. The words of [`DIFFICULTIES`] are in lower case.
fn difficulty(fields: &mut Fields<'_>) -> Option<String> {
    let text = fields.text("difficulty")?;
    let label = label(fields, "`difficulty`", text, LABEL_CHARS_MAX)?;
    Some(known_difficulty(&label).map_or(label, str::to_owned))
}

fn known_difficulty(label: &str) -> Option<&'static str> {
    DIFFICULTIES.into_iter().find(|word| label.eq_ignore_ascii_case(word))
}

/// Takes the difficulty from the tags, where ctfcli's authors write it. Only one tag can be meant.
fn take_difficulty(tags: &mut Vec<String>) -> Option<String> {
    let known = |tag: &String| known_difficulty(tag).is_some();
    if tags.iter().filter(|tag| known(tag)).count() != 1 {
        return None;
    }
    let place = tags.iter().position(known)?;
    known_difficulty(&tags.remove(place)).map(str::to_owned)
}

fn author(fields: &mut Fields<'_>) -> Option<String> {
    let mut authors = Vec::new();
    for text in fields.texts("author", LIST_MAX) {
        authors.extend(label(fields, "`author`", text, AUTHOR_CHARS_MAX));
    }
    let author = authors.join(", ");
    (!author.is_empty()).then_some(author)
}

fn attribution(fields: &mut Fields<'_>) -> Option<String> {
    let Text { text, line } = fields.text("attribution")?;
    if text.chars().count() > ATTRIBUTION_CHARS_MAX {
        let message = format!("`attribution` is longer than {ATTRIBUTION_CHARS_MAX} characters");
        fields.report.error(line, message);
        return None;
    }
    match html::render_with(&text, |_| None) {
        Ok(Rendered { html, lost_links }) => {
            let what = "`attribution`";
            warnings::warn_about_lost_links(what, &lost_links, line, fields.report);
            Some(html)
        }
        Err(why) => {
            let message = format!("`attribution` cannot be displayed: {why}");
            fields.report.error(line, message);
            None
        }
    }
}
