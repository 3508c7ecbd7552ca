//! The sections of the settings as the database keeps them: tables of `event.toml`, pages, rules
//! and ready answers.

use std::collections::BTreeMap;

use flagship_pack::{AtStart, Given, Live, SitePage};
use flagship_store::{Db, StoreError, settings};

use crate::prelude::*;

/// The tables of `event.toml` that organizers set on the site.
pub const SECTIONS: [&str; 6] = ["registration", "captcha", "mail", "limits", "privacy", "site"];
/// The section of the answers that organizers have ready.
pub const ANSWERS: &str = "answers";
/// Prefix of the sections of pages, before the name of the page.
const PAGE: &str = "page ";

/// Stored rules. If the event has other HTML, files replaced the rules.
#[derive(Serialize, Deserialize)]
pub struct KeptRules {
    /// The Markdown.
    pub text: String,
    /// The HTML that was rendered from it.
    pub html: String,
}

/// A stored page of the event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptPage {
    /// The Markdown, which begins with the title.
    pub text: String,
    /// Its position among the pages.
    pub position: Option<i64>,
    /// The page that was rendered from it.
    pub page: SitePage,
}

/// The section of a page.
pub fn page_section(slug: &str) -> String {
    format!("{PAGE}{slug}")
}

/// The pages among stored sections, in the order in which they are shown. Pages without a position
/// come last.
pub fn pages_in(kept: &BTreeMap<String, String>) -> Vec<KeptPage> {
    let pages = kept.iter().filter(|(section, _)| section.starts_with(PAGE));
    let mut pages: Vec<KeptPage> =
        pages.filter_map(|(_, value)| serde_json::from_str(value).ok()).collect();
    pages.sort_by_key(|kept| kept.position.unwrap_or(i64::MAX));
    pages
}

/// The tables of `event.toml` among stored sections.
pub fn given(kept: &BTreeMap<String, String>) -> Given {
    let sections = kept.iter().filter(|(section, _)| SECTIONS.contains(&section.as_str()));
    let read = |(section, value): (&String, &String)| {
        Some((section.clone(), serde_json::from_str(value).ok()?))
    };
    sections.filter_map(read).collect()
}

/// The settings of the files that were read last; `None` if no files were read.
///
/// # Errors
/// Fails if the database cannot be read, or has settings that cannot.
pub async fn files_in(db: &Db) -> Result<Option<Live>, StoreError> {
    let text = settings::seen(db).await?.live;
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
