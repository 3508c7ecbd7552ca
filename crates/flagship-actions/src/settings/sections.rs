//! Stored sections of the settings: tables of `event.toml`, pages, rules and saved replies.

use std::collections::BTreeMap;

use flagship_pack::{AtStart, Given, Live, SitePage};
use flagship_store::{Db, StoreError, settings};

use crate::prelude::*;

/// Tables of `event.toml` that organizers can change on the site.
pub const SECTIONS: [&str; 6] = ["registration", "captcha", "mail", "limits", "privacy", "site"];
/// Section of the saved replies.
pub const ANSWERS: &str = "answers";
/// Prefix of page sections, before the slug.
const PAGE: &str = "page ";

/// Stored rules. If the event has different HTML, files have replaced them.
#[derive(Serialize, Deserialize)]
pub struct StoredRules {
    /// The Markdown.
    pub text: String,
    /// HTML rendered from the Markdown.
    pub html: String,
}

/// A stored page of the event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredPage {
    /// Markdown, starting with the title.
    pub text: String,
    /// Position among the pages.
    pub position: Option<i64>,
    /// Page rendered from the Markdown.
    pub page: SitePage,
}

/// Section name of a page.
pub fn page_section(slug: &str) -> String {
    format!("{PAGE}{slug}")
}

/// Pages among stored sections, in display order. Pages without a position come last.
pub fn pages_in(kept: &BTreeMap<String, String>) -> Vec<StoredPage> {
    let pages = kept.iter().filter(|(section, _)| section.starts_with(PAGE));
    let mut pages: Vec<StoredPage> =
        pages.filter_map(|(_, value)| serde_json::from_str(value).ok()).collect();
    pages.sort_by_key(|kept| kept.position.unwrap_or(i64::MAX));
    pages
}

/// Tables of `event.toml` among stored sections.
pub fn given(kept: &BTreeMap<String, String>) -> Given {
    let sections = kept.iter().filter(|(section, _)| SECTIONS.contains(&section.as_str()));
    let read = |(section, value): (&String, &String)| {
        Some((section.clone(), serde_json::from_str(value).ok()?))
    };
    sections.filter_map(read).collect()
}

/// Settings of the files that were applied last; `None` if none were applied.
///
/// # Errors
/// Fails if the database cannot be read, or if it contains invalid settings.
pub async fn files_in(db: &Db) -> Result<Option<Live>, StoreError> {
    let text = settings::revisions(db).await?.live;
    let read = text.map(|text| serde_json::from_str(&text)).transpose();
    read.map_err(|_| StoreError::Corrupt("the settings of the files".to_owned()))
}

/// All settings as JSON, by section.
pub fn by_section(live: &Live, at_start: &AtStart) -> Value {
    let mut all = serde_json::to_value(live).expect("settings are plain data");
    let at_start = serde_json::to_value(at_start).expect("settings are plain data");
    for table in ["captcha", "mail"] {
        all[table] = at_start[table].clone();
    }
    all
}
