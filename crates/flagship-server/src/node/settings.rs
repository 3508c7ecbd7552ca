//! Settings that can change on a running node: `[registration]`, `[limits]`, `[privacy]` and
//! `[site]`.
//!
//! All nodes follow the database. It contains the settings from the event files, which are written
//! at a start, by `apply` and on SIGHUP. They override the settings that organizers edit on the
//! site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_actions::settings::sections::{
    SECTIONS, StoredPage, StoredRules, by_section, files_in, given, page_section, pages_in,
};
use flagship_pack::{
    AtStart, Given, Live, PAGES_MAX, Settings, is_file_only, page_text, parse_settings,
};
use flagship_store::settings::{self, RULES, SettingsRevisions};
use flagship_store::{Db, StoreError};
use serde_json::Value;
use tokio::sync::Mutex;

/// Current settings, shared by the parts of the node that use them.
#[derive(Clone)]
pub struct LiveSettings(Arc<Inner>);

struct Inner {
    /// Settings with which this node started, used if the database has none from files.
    start: Live,
    current: ArcSwap<Live>,
    /// Revisions last read from the database. Locked while settings are read.
    seen: Mutex<SettingsRevisions>,
}

impl LiveSettings {
    /// Creates the settings of a node that starts with `live`.
    pub fn new(live: Live) -> Self {
        let current = ArcSwap::from_pointee(live.clone());
        Self(Arc::new(Inner { start: live, current, seen: Mutex::default() }))
    }

    /// Reads the settings from the database. If it has none, uses those in `live`.
    pub async fn open(live: Live, db: &Db) -> Result<Self, StoreError> {
        let settings = Self::new(live);
        settings.follow(db).await?;
        Ok(settings)
    }

    /// Returns the current settings.
    pub fn load(&self) -> Guard<Arc<Live>> {
        self.0.current.load()
    }

    /// Returns the current settings, for callers that hold them longer.
    pub fn load_full(&self) -> Arc<Live> {
        self.0.current.load_full()
    }

    /// Writes settings to the database, from which all nodes adopt them.
    pub async fn put(&self, db: &Db, live: &Live) -> Result<(), StoreError> {
        let text = serde_json::to_string(live).expect("settings are plain data");
        settings::put(db, &text, None).await?;
        self.follow(db).await.map(drop)
    }

    /// Applies the settings in the database if they have changed, and returns their revisions.
    pub async fn follow(&self, db: &Db) -> Result<SettingsRevisions, StoreError> {
        let mut last = self.0.seen.lock().await;
        let seen = settings::revisions(db).await?;
        if *last == seen {
            return Ok(seen);
        }
        let kept = settings::site_sections(db).await?;
        let files = match &seen.live {
            Some(text) => serde_json::from_str::<Live>(text),
            None => Ok(self.0.start.clone()),
        };
        match files.map(|files| over(&files, &kept)) {
            Ok(live) if live == **self.load() => {}
            Ok(live) => {
                self.0.current.store(Arc::new(live));
                tracing::info!("reloaded [registration], [limits], [privacy] and [site]");
            }
            Err(error) => tracing::error!(%error, "failed to read the settings from the database"),
        }
        last.clone_from(&seen);
        Ok(seen)
    }
}

/// Returns the settings in the database, for a command.
///
/// # Errors
/// Fails if the settings cannot be read.
pub async fn settings_in(db: &Db) -> Result<Live, StoreError> {
    live_over_site(db, &files_in(db).await?.unwrap_or_default()).await
}

/// Returns settings from files as they take effect: keys that are missing there get their values
/// from the site settings.
///
/// # Errors
/// Fails if the site settings cannot be read.
pub async fn live_over_site(db: &Db, files: &Live) -> Result<Live, StoreError> {
    Ok(over(files, &settings::site_sections(db).await?))
}

/// Returns the settings of the last start, with the changes that organizers made on the site;
/// `None` before the first start.
///
/// # Errors
/// Fails if the settings cannot be read.
pub async fn at_start_in(db: &Db) -> Result<Option<AtStart>, StoreError> {
    let Some(text) = settings::at_start(db).await? else { return Ok(None) };
    let start: AtStart = serde_json::from_str(&text)
        .map_err(|_| StoreError::Corrupt("the settings of the last start".to_owned()))?;
    Ok(Some(over_site(db, &start).await?))
}

/// Returns the settings of a start. Keys that are missing there get their values from the site
/// settings.
///
/// # Errors
/// Fails if the site settings cannot be read.
pub async fn over_site(db: &Db, start: &AtStart) -> Result<AtStart, StoreError> {
    let site = parse_settings(&given(&settings::site_sections(db).await?));
    Ok(site.map_or_else(|_| start.clone(), |site| start.over(&site.at_start())))
}

/// Returns the settings from the files. Keys and pages that are missing there come from the site
/// settings. Pages from files come first.
fn over(files: &Live, kept: &BTreeMap<String, String>) -> Live {
    let mut live = match parse_settings(&given(kept)) {
        Ok(site) => files.over(&site.live()),
        Err(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            tracing::error!("the settings of the site cannot be read: {}", lines.join("; "));
            files.clone()
        }
    };
    let of_files = files.site.pages.iter();
    let slugs: BTreeSet<&str> = of_files.map(|page| page.slug.as_str()).collect();
    let pages = pages_in(kept).into_iter().map(|kept| kept.page);
    live.site.pages.extend(pages.filter(|page| !slugs.contains(page.slug.as_str())));
    live.site.pages.truncate(PAGES_MAX);
    live
}

/// Settings that organizers edited on the site.
pub struct OfSite {
    /// Keys by section.
    pub sections: Given,
    /// Rules, if they were written on the site.
    pub rules: Option<StoredRules>,
    /// Pages that were written on the site, in display order.
    pub pages: Vec<StoredPage>,
}

/// Returns the pages of former event files as site pages. Their text is the rendered HTML, which is
/// also valid Markdown.
fn kept_pages(files: &Live) -> impl Iterator<Item = (String, String)> {
    (0..).zip(&files.site.pages).map(|(position, page)| {
        let text = page_text(page);
        let kept = StoredPage { text, position: Some(position), page: page.clone() };
        let kept = serde_json::to_string(&kept).expect("plain data");
        (page_section(&page.slug), kept)
    })
}

/// Returns the site settings. Missing keys get their values from former event files.
///
/// # Errors
/// Fails if the database cannot be read.
pub async fn settings_of_site(db: &Db) -> Result<OfSite, StoreError> {
    let mut kept = settings::site_sections(db).await?;
    let rules = kept.get(RULES).and_then(|text| serde_json::from_str(text).ok());
    kept.extend(left_by_files(db).await?.unwrap_or_default());
    Ok(OfSite { sections: given(&kept), rules, pages: pages_in(&kept) })
}

/// Returns the settings of former event files, for a server that starts without files: all values
/// that are neither defaults nor set on the site. `None` if there are none.
///
/// # Errors
/// Fails if the settings in the database cannot be read.
pub async fn left_by_files(db: &Db) -> Result<Option<BTreeMap<String, String>>, StoreError> {
    let Some(of_files) = files_in(db).await? else { return Ok(None) };
    let at_start = settings::at_start(db).await?;
    let at_start = at_start.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let defaults = Settings::default();
    let files = by_section(&of_files, &at_start);
    let defaults = by_section(&defaults.live(), &defaults.at_start());
    let present = settings::site_sections(db).await?;
    let mut kept = given(&present);
    for section in SECTIONS {
        let keys = files[section].as_object().into_iter().flatten();
        let keys = keys.filter(|(key, _)| !is_file_only(section, key));
        for (key, value) in keys.filter(|(key, value)| defaults[section][*key] != **value) {
            let place = kept.entry(section.to_owned()).or_default();
            place.entry(key).or_insert_with(|| value.clone());
        }
    }
    let text = |(section, keys)| (section, Value::Object(keys).to_string());
    let pages = kept_pages(&of_files).filter(|(section, _)| !present.contains_key(section));
    let left = kept.into_iter().map(text).chain(pages);
    let left = left.filter(|(section, value)| present.get(section) != Some(value));
    let left: BTreeMap<String, String> = left.collect();
    Ok((!left.is_empty()).then_some(left))
}
