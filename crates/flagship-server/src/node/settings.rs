//! The settings that a running node takes over: `[registration]`, `[limits]`, `[privacy]` and
//! `[site]`.
//!
//! All nodes follow those in the database: what a starting server, `apply` and SIGHUP write of the
//! files, and below it what organizers set on the site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_actions::settings::sections::{
    KeptPage, KeptRules, SECTIONS, by_section, files_in, given, page_section, pages_in,
};
use flagship_pack::{
    AtStart, Given, Live, PAGES_MAX, Settings, is_of_files_only, page_text, settings_of,
};
use flagship_store::settings::{self, RULES, Seen};
use flagship_store::{Db, StoreError};
use serde_json::Value;
use tokio::sync::Mutex;

/// The current settings, shared by the parts that use them.
#[derive(Clone)]
pub struct LiveSettings(Arc<Inner>);

struct Inner {
    /// Those that a node starts with, where the database has none of files.
    start: Live,
    current: ArcSwap<Live>,
    /// What was last read of the database; held while it is read.
    seen: Mutex<Seen>,
}

impl LiveSettings {
    /// The settings that a node starts with.
    pub fn new(live: Live) -> Self {
        let current = ArcSwap::from_pointee(live.clone());
        Self(Arc::new(Inner { start: live, current, seen: Mutex::default() }))
    }

    /// Those in the database, or the ones that a node starts with.
    pub async fn open(live: Live, db: &Db) -> Result<Self, StoreError> {
        let settings = Self::new(live);
        settings.follow(db).await?;
        Ok(settings)
    }

    /// The settings now.
    pub fn load(&self) -> Guard<Arc<Live>> {
        self.0.current.load()
    }

    /// The settings now, to be held for longer.
    pub fn load_full(&self) -> Arc<Live> {
        self.0.current.load_full()
    }

    /// Writes settings to the database, from where all nodes take them over.
    pub async fn put(&self, db: &Db, live: &Live) -> Result<(), StoreError> {
        let text = serde_json::to_string(live).expect("settings are plain data");
        settings::put(db, &text, None).await?;
        self.follow(db).await.map(drop)
    }

    /// Takes over the settings in the database if they are others than before; returns what was
    /// seen of them.
    pub async fn follow(&self, db: &Db) -> Result<Seen, StoreError> {
        let mut last = self.0.seen.lock().await;
        let seen = settings::seen(db).await?;
        if *last == seen {
            return Ok(seen);
        }
        let kept = settings::kept(db).await?;
        let files = match &seen.live {
            Some(text) => serde_json::from_str::<Live>(text),
            None => Ok(self.0.start.clone()),
        };
        match files.map(|files| over(&files, &kept)) {
            Ok(live) if live == **self.load() => {}
            Ok(live) => {
                self.0.current.store(Arc::new(live));
                tracing::info!("took over [registration], [limits], [privacy] and [site]");
            }
            Err(error) => tracing::error!(%error, "the settings in the database cannot be read"),
        }
        last.clone_from(&seen);
        Ok(seen)
    }
}

/// The settings in the database, for a command.
///
/// # Errors
/// They cannot be read.
pub async fn settings_in(db: &Db) -> Result<Live, StoreError> {
    let files = files_in(db).await?.unwrap_or_default();
    Ok(over(&files, &settings::kept(db).await?))
}

/// The settings of the last start as servers use them now, with what organizers set on the site;
/// `None` before the first start.
///
/// # Errors
/// They cannot be read.
pub async fn at_start_in(db: &Db) -> Result<Option<AtStart>, StoreError> {
    let Some(text) = settings::at_start(db).await? else { return Ok(None) };
    let start: AtStart = serde_json::from_str(&text)
        .map_err(|_| StoreError::Corrupt("the settings of the last start".to_owned()))?;
    Ok(Some(over_site(db, &start).await?))
}

/// The settings of a start, with what organizers set on the site of keys that they do not name.
///
/// # Errors
/// What is set on the site cannot be read.
pub async fn over_site(db: &Db, start: &AtStart) -> Result<AtStart, StoreError> {
    let site = settings_of(&given(&settings::kept(db).await?));
    Ok(site.map_or_else(|_| start.clone(), |site| start.over(&site.at_start())))
}

/// The settings of the files, and what is kept of the site for keys and pages that the files do not
/// name. Pages of the files come first.
fn over(files: &Live, kept: &BTreeMap<String, String>) -> Live {
    let mut live = match settings_of(&given(kept)) {
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

/// What organizers set on the site.
pub struct OfSite {
    /// Keys by section.
    pub sections: Given,
    /// The rules, if they were written there.
    pub rules: Option<KeptRules>,
    /// The pages that were written there, in the order in which they are shown.
    pub pages: Vec<KeptPage>,
}

/// The pages of files of before as the site keeps them: their text is the HTML that they were made
/// into, which Markdown has as it is.
fn kept_pages(files: &Live) -> impl Iterator<Item = (String, String)> {
    (0..).zip(&files.site.pages).map(|(position, page)| {
        let text = page_text(page);
        let kept = KeptPage { text, position: Some(position), page: page.clone() };
        let kept = serde_json::to_string(&kept).expect("plain data");
        (page_section(&page.slug), kept)
    })
}

/// What organizers set on the site, with what the files of before say besides.
///
/// # Errors
/// The database cannot be read.
pub async fn settings_of_site(db: &Db) -> Result<OfSite, StoreError> {
    let mut kept = settings::kept(db).await?;
    let rules = kept.get(RULES).and_then(|text| serde_json::from_str(text).ok());
    kept.extend(left_by_files(db).await?.unwrap_or_default());
    Ok(OfSite { sections: given(&kept), rules, pages: pages_in(&kept) })
}

/// What the files of a server said that is started without them, for the site to keep: the values
/// that are not the defaults, where the site has none. `None` if there is none.
///
/// # Errors
/// What the database has cannot be read.
pub async fn left_by_files(db: &Db) -> Result<Option<BTreeMap<String, String>>, StoreError> {
    let Some(of_files) = files_in(db).await? else { return Ok(None) };
    let at_start = settings::at_start(db).await?;
    let at_start = at_start.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let defaults = Settings::default();
    let files = by_section(&of_files, &at_start);
    let defaults = by_section(&defaults.live(), &defaults.at_start());
    let present = settings::kept(db).await?;
    let mut kept = given(&present);
    for section in SECTIONS {
        let keys = files[section].as_object().into_iter().flatten();
        let keys = keys.filter(|(key, _)| !is_of_files_only(section, key));
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
