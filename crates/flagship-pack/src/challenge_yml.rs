//! Reads one `challenge.yml` in the ctfcli format. Flagship adds the keys `id`, `categories`,
//! `difficulty`, `flag_format`, `position`, `release` and `scoring`, the type `speedrun`, and `key`
//! and `at` of a hint.

mod keys;
mod labels;
mod listed_files;
mod rules;

use std::borrow::Cow;
use std::collections::HashMap;

use flagship_game::challenge::PASS_PLACEHOLDER;
use flagship_game::{Attachment, Challenge, ChallengeId, Scoring};

use crate::event_toml::ChallengeDefaults;
use crate::fields::{Fields, LIST_MAX, Text, unseen_in};
use crate::files::{self, ATTACHMENT_BYTES_MAX, Files, PackFile};
use crate::flags::{self, Flag};
use crate::foreign;
use crate::hints;
use crate::html::{self, Rendered, Shown, TEXT_BYTES_MAX, warnings};
use crate::offset_time::OffsetTime;
use crate::problem::{Report, quote};
use crate::scoring;
use crate::search::Search;
use crate::yaml::{self, Document, Value};
pub use keys::is_read;

/// Maximum length of a challenge name, in characters.
pub const NAME_CHARS_MAX: usize = 128;

/// Maximum number of images per description.
const PICTURES_MAX: usize = 32;

/// Maximum total size of the texts of one challenge that players read, in bytes. Each edit renders
/// all of them, and each can be up to [`TEXT_BYTES_MAX`] long.
pub const SHOWN_BYTES_MAX: usize = 128 * 1024;

/// Maximum length of a category, in characters.
const CATEGORY_CHARS_MAX: usize = 48;

/// A parsed `challenge.yml`.
#[derive(Debug)]
pub(crate) struct Descriptor {
    pub(crate) challenge: Challenge,
    pub(crate) name_line: usize,
    pub(crate) flags: Vec<Flag>,
    pub(crate) hidden: bool,
    pub(crate) release_at_ms: Option<i64>,
    pub(crate) files: Vec<PackFile>,
    /// Entries of `requirements`: challenge names or IDs, not yet resolved.
    pub(crate) wanted: Vec<Text>,
    /// False when the file has an error.
    pub(crate) usable: bool,
}

/// Parses `text`, the content of a `challenge.yml`; `files` resolves its attachments. Returns
/// `None` if the text is not in the ctfcli format or has no name. A descriptor with errors is
/// returned as not usable, so that problems of dependent challenges can name it.
pub(crate) fn read(
    text: &str,
    files: Files<'_>,
    common: &ChallengeDefaults,
    report: &mut Report,
) -> Option<Descriptor> {
    let document = match yaml::parse(text) {
        Ok(document) => document,
        Err(broken) => {
            report.error(broken.line, broken.message);
            return None;
        }
    };
    if !is_ctfcli(&document, report) {
        return None;
    }
    for (key, first, line) in &document.duplicates {
        let key = quote(key);
        let message = format!("duplicate key {key}, first on line {first}; this one is used");
        report.warning(*line, message);
    }
    let errors_before = report.errors();
    keys::check(&document.root, report);
    let mut fields = Fields::new(&document.root, report);
    let descriptor = descriptor(&mut fields, files, common);
    let usable = report.errors() == errors_before;
    descriptor.map(|descriptor| Descriptor { usable, ..descriptor })
}

/// True if this is a single document in the ctfcli format; otherwise reports an error.
fn is_ctfcli(document: &Document, report: &mut Report) -> bool {
    let root = &document.root;
    let Value::Map(entries) = &root.value else {
        let message = "not ctfcli format: a challenge must be a YAML mapping";
        report.error(root.line, message);
        return false;
    };
    if let Some(format) = foreign::format(root) {
        let line = entries.first().map_or(root.line, |entry| entry.line);
        report.error(line, foreign::message(format));
        return false;
    }
    if let Some(line) = document.second {
        report.error(line, "this file contains several YAML documents; a challenge must be one");
        return false;
    }
    true
}

fn descriptor(
    fields: &mut Fields<'_>,
    files: Files<'_>,
    common: &ChallengeDefaults,
) -> Option<Descriptor> {
    let Text { text: name, line: name_line } = name(fields)?;
    let id = id(fields, &name);
    let scoring = scoring::read(fields, common.scoring);
    let categories = categories(fields);
    let misspelled = keys::misspelled_flags(fields.node);
    let (flags, flag_format) = flags::read(fields, misspelled, common.wrapper.as_ref());
    let rules = rules::read(fields, &flags);
    let search = Search::new(&flags);
    let connection = connection(fields);
    let (description, pictures, hints) = match is_short(fields) {
        true => {
            let (html, pictures) = description(fields, files, connection.as_deref(), &search);
            (html, pictures, hints::read(fields, common.zone.as_ref(), &search))
        }
        false => Default::default(),
    };
    let listed = listed_files::read(fields, &flags);
    let (mut attachments, mut files) =
        files::attach(files, &listed, ATTACHMENT_BYTES_MAX, &search, fields.report);
    for (picture, file) in pictures {
        attachments.push(picture);
        files.extend(file);
    }
    let labels = Box::new(labels::read(fields, common.shows_authors));
    let wanted = requirements(fields);
    let hidden = is_hidden(fields);
    let release_at_ms = release(fields, common);
    let position = fields.integer("position");
    let challenge = Challenge {
        id: id.unwrap_or_else(|| ChallengeId::from_name(&name)),
        name,
        scoring: scoring.unwrap_or(Scoring::Static { max: 0 }),
        categories,
        description,
        attachments,
        requirements: Vec::new(),
        position,
        hints,
        connection,
        closes_ms: time(fields, "closes", common),
        flag_format,
        rules,
        labels,
    };
    let usable = false;
    Some(Descriptor { challenge, name_line, flags, hidden, release_at_ms, files, wanted, usable })
}

fn name(fields: &mut Fields<'_>) -> Option<Text> {
    let there = fields.entry("name").is_some();
    let errors_before = fields.report.errors();
    let Some(Text { text, line }) = fields.text("name") else {
        if !there || fields.report.errors() == errors_before {
            fields.report.error(fields.line("name"), "a challenge requires a `name`");
        }
        return None;
    };
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let template = name.contains("{{") && name.contains("}}");
    let message = if template {
        "this is an unfilled template: replace the placeholders `{{...}}`".to_owned()
    } else if name.chars().count() > NAME_CHARS_MAX {
        format!("`name` is longer than {NAME_CHARS_MAX} characters")
    } else if name.chars().any(char::is_control) {
        "`name` contains control characters".to_owned()
    } else if let Some(message) = unseen_in("`name`", &name) {
        message
    } else {
        return Some(Text { text: name, line });
    };
    fields.report.error(line, message);
    None
}

fn id(fields: &mut Fields<'_>, name: &str) -> Option<ChallengeId> {
    let errors_before = fields.report.errors();
    let Some(Text { text, line }) = fields.text("id") else {
        let wrong = fields.report.errors() > errors_before;
        return (!wrong).then(|| ChallengeId::from_name(name));
    };
    // Browsers remove these segments from URLs.
    if [".", ".."].contains(&text.as_str()) {
        fields
            .report
            .error(line, format!("invalid ID {}: it cannot be used in a URL", quote(&text)));
        return None;
    }
    ChallengeId::parse(&text)
        .inspect_err(|error| {
            fields.report.error(line, format!("invalid ID {}: {error}", quote(&text)))
        })
        .ok()
}

fn categories(fields: &mut Fields<'_>) -> Vec<String> {
    let errors_before = fields.report.errors();
    let mut listed = fields.texts("category", LIST_MAX);
    listed.extend(fields.texts("categories", LIST_MAX));
    let mut categories: Vec<String> = Vec::new();
    for Text { text, line } in listed {
        let category = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if category.chars().count() > CATEGORY_CHARS_MAX || category.chars().any(char::is_control) {
            let message =
                format!("a category must be one line of at most {CATEGORY_CHARS_MAX} characters");
            fields.report.error(line, message);
        } else if let Some(message) = unseen_in("a category", &category) {
            fields.report.error(line, message);
        } else if !categories.contains(&category) {
            categories.push(category);
        }
    }
    if categories.is_empty() {
        if fields.report.errors() == errors_before {
            fields.report.note(fields.line("category"), "no `category`: using `misc`");
        }
        categories.push("misc".into());
    }
    categories
}

fn connection(fields: &mut Fields<'_>) -> Option<String> {
    let Text { text, line } = fields.text("connection_info")?;
    if text.len() > TEXT_BYTES_MAX {
        fields.report.error(line, "`connection_info` is too long");
        return None;
    }
    let unfilled = text.replace(PASS_PLACEHOLDER, "");
    warnings::warn_about_templates("`connection_info`", &unfilled, line, fields.report);
    Some(text)
}

/// True if the texts that players read may be rendered; if not, reports an error.
fn is_short(fields: &mut Fields<'_>) -> bool {
    let texts = ["description", "connection_info"].map(|key| fields.entry(key));
    let texts = texts.into_iter().flatten().filter_map(|entry| entry.value.text());
    let hints = fields.items("hints").into_iter().filter_map(hints::content);
    if texts.chain(hints).map(str::len).sum::<usize>() <= SHOWN_BYTES_MAX {
        return true;
    }
    let most = SHOWN_BYTES_MAX / 1024;
    let message =
        format!("the description, the hints and `connection_info` exceed {most} KiB in total");
    fields.report.error(fields.line("description"), message);
    false
}

/// An image of a description, with its file if the challenge is read from a folder.
type DescriptionImage = (Attachment, Option<PackFile>);

/// Renders the description as HTML and collects its images. Appends the connection info unless the
/// text already contains it.
fn description(
    fields: &mut Fields<'_>,
    files: Files<'_>,
    connection: Option<&str>,
    search: &Search,
) -> (String, Vec<DescriptionImage>) {
    let Text { text, line } = fields
        .text("description")
        .unwrap_or(Text { text: String::new(), line: fields.line("description") });
    let mut pictures = Vec::new();
    let mut known = HashMap::new();
    let mut is_any_elsewhere = false;
    let report = &mut *fields.report;
    let find = |address: &str| {
        let Some(path) = path_of_address(address) else {
            is_any_elsewhere = true;
            return None;
        };
        if known.len() == PICTURES_MAX && !known.contains_key(&path) {
            let most = format!("a description can display at most {PICTURES_MAX} images");
            report.warning(line, format!("{most}; the rest are replaced by their alt text"));
            return None;
        }
        let find = |path: &String| {
            let text = Text { text: path.clone(), line };
            let (picture, shown, file) = files::picture(files, &text, search, report)?;
            let digest = picture.digest.clone();
            pictures.push((picture, file));
            Some(Shown { digest, width: shown.width, height: shown.height })
        };
        known.entry(path).or_insert_with_key(find).clone()
    };
    let Rendered { mut html, lost_links } = match html::render_with(&text, find) {
        Ok(rendered) => rendered,
        Err(why) => {
            fields.report.error(line, format!("the description cannot be displayed: {why}"));
            return (String::new(), Vec::new());
        }
    };
    if is_any_elsewhere {
        let message = "images from other sites are replaced by their alt text; put them in the \
                       challenge folder";
        fields.report.warning(line, message);
    }
    warnings::warn_about_lost_links("the description", &lost_links, line, fields.report);
    let unfilled = text.replace(PASS_PLACEHOLDER, "");
    warnings::warn_about_templates("the description", &unfilled, line, fields.report);
    if search.is_in(text.as_bytes()) {
        fields.report.warning(line, "the description contains a flag of this challenge");
    }
    if let Some(connection) = connection.filter(|connection| !text.contains(*connection)) {
        html.push_str(&html::connection(connection));
    }
    (html, pictures)
}

/// Path of an image in the challenge folder, from its URL; `None` if the URL points elsewhere.
fn path_of_address(address: &str) -> Option<String> {
    let path = address.trim().split(['?', '#']).next().unwrap_or_default();
    let is_below = !path.is_empty() && !path.contains(':') && !path.starts_with('/');
    let path = percent_encoding::percent_decode_str(path).decode_utf8().ok();
    path.filter(|_| is_below).map(Cow::into_owned)
}

fn requirements(fields: &mut Fields<'_>) -> Vec<Text> {
    let map = fields.entry("requirements").map(|entry| &entry.value);
    let map = map.filter(|node| matches!(node.value, Value::Map(_)));
    let Some(map) = map else {
        return fields.texts("requirements", LIST_MAX);
    };
    let known = ["prerequisites", "anonymize", "<<"];
    for entry in map.entries().iter().filter(|entry| !known.contains(&entry.key.as_str())) {
        let message = format!(
            "unknown key {} in `requirements`; did you mean `prerequisites`?",
            quote(&entry.key)
        );
        fields.report.error(entry.line, message);
    }
    let hides = map.get("anonymize").filter(|entry| entry.value.text() == Some("true"));
    if let Some(entry) = hides {
        let message = "`anonymize` is ignored: players can see the names of locked challenges";
        fields.report.warning(entry.line, message);
    }
    Fields::new(map, fields.report).texts("prerequisites", LIST_MAX)
}

fn is_hidden(fields: &mut Fields<'_>) -> bool {
    let Some(Text { text, line }) = fields.text("state") else {
        return false;
    };
    match text.to_lowercase().as_str() {
        "hidden" => true,
        "visible" => false,
        _ => {
            let message = format!("`state` must be `visible` or `hidden`, not {}", quote(&text));
            fields.report.error(line, message);
            true
        }
    }
}

/// Release time: `release`, or ctfcli's `scheduled_at`.
fn release(fields: &mut Fields<'_>, common: &ChallengeDefaults) -> Option<i64> {
    let [release, scheduled] = ["release", "scheduled_at"].map(|key| time(fields, key, common));
    if let (Some(release), Some(scheduled)) = (release, scheduled)
        && release != scheduled
    {
        let message = "`scheduled_at` and `release` are different times: remove one of them";
        fields.report.error(fields.line("scheduled_at"), message);
    }
    release.or(scheduled)
}

/// Time under a key, in epoch milliseconds.
fn time(fields: &mut Fields<'_>, key: &str, common: &ChallengeDefaults) -> Option<i64> {
    let Text { text, line } = fields.text(key)?;
    let time = OffsetTime::parse(&text)
        .inspect_err(|says| fields.report.error(line, format!("`{key}` {says}")))
        .ok()?;
    if let Some(says) = common.zone.as_ref().and_then(|zone| time.offset_mismatch(zone)) {
        fields.report.warning(line, format!("`{key}` {says}"));
    }
    Some(time.at_ms)
}
