//! Settings that the nodes of an event share: the settings from the files that were read last, and
//! the settings and sealed secrets that organizers set on the site. This crate does not interpret
//! the texts.

use std::collections::BTreeMap;

use flagship_game::Secret;

use crate::engine::run;
use crate::{Db, Lock, Result, Seal, StoreError, Tx, meta};

/// Settings that running nodes adopt.
const LIVE: &str = "settings";
/// Settings that were read when a server last started. Changes take effect at the next start.
const AT_START: &str = "settings_at_start";
/// True if the server that started last had event files.
const HAS_FILES: &str = "files_at_start";
/// The site's public URL.
const PUBLIC_URL: &str = "public_url";
/// Section with the text of the rules.
pub const RULES: &str = "rules";
/// Revision of the settings that organizers set.
const REVISION: &str = "settings_revision";
/// Purpose of the seal of secrets.
const SECRET: &str = "secret of a setting";

/// Public URL of the server that was started last, for links that commands print.
pub async fn public_url(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, PUBLIC_URL).await
}

/// Settings that were read at the last start of a server.
pub async fn at_start(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, AT_START).await
}

/// True unless the server that started last had no event files.
pub async fn has_files_at_start(db: &Db) -> Result<bool> {
    let has_files = meta::get(&mut db.snapshot().await?, HAS_FILES).await?;
    Ok(has_files.is_none_or(|it| it == "true"))
}

/// Values used by a starting server.
#[derive(Clone, Copy)]
pub struct AtStart<'a> {
    /// The settings.
    pub settings: &'a str,
    /// True if the settings are from files.
    pub has_files: bool,
    /// The site's public URL.
    pub public_url: &'a str,
}

/// Writes the settings that running nodes adopt, and the values used by a starting server.
pub async fn put(db: &Db, live: &str, at_start: Option<AtStart<'_>>) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    let mut is_changed = false;
    let settings = at_start.map(|it| (AT_START, it.settings));
    let has_files = at_start.map(|it| (HAS_FILES, if it.has_files { "true" } else { "false" }));
    let public_url = at_start.map(|it| (PUBLIC_URL, it.public_url));
    for (key, text) in [Some((LIVE, live)), settings, has_files, public_url].into_iter().flatten() {
        if meta::get(&mut tx, key).await?.as_deref() != Some(text) {
            meta::set(&mut tx, key, text).await?;
            is_changed = true;
        }
    }
    if is_changed { tx.commit().await } else { Ok(()) }
}

pub(crate) async fn get(tx: &mut Tx) -> Result<Option<String>> {
    meta::get(tx, LIVE).await
}

pub(crate) async fn set(tx: &mut Tx, text: &str) -> Result<()> {
    meta::set(tx, LIVE, text).await
}

/// Revisions of the settings from files and from the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsRevisions {
    /// Settings from files that running nodes adopt, if any were read.
    pub live: Option<String>,
    revision: Option<String>,
}

/// Returns the current revisions. A single statement, because it runs for each hint.
pub async fn revisions(db: &Db) -> Result<SettingsRevisions> {
    let sql = "select key, value from meta where key in ($1, $2)";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql, LIVE, REVISION).fetch_all);
    let mut seen = SettingsRevisions::default();
    for (key, value) in rows {
        if key == LIVE { seen.live = Some(value) } else { seen.revision = Some(value) }
    }
    Ok(seen)
}

/// Settings from the site: JSON of the set keys, by section.
pub async fn site_sections(db: &Db) -> Result<BTreeMap<String, String>> {
    let sql = "select section, value from settings";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql).fetch_all);
    Ok(rows.into_iter().collect())
}

/// Stores sections as if organizers had set them, for a server that starts without its former
/// files.
pub async fn set_sections(db: &Db, sections: &BTreeMap<String, String>) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    for (section, value) in sections {
        set_section_in(&mut tx, section, Some(value)).await?;
    }
    tx.commit().await
}

/// Returns a section that organizers set.
pub async fn section_in(tx: &mut Tx, section: &str) -> Result<Option<String>> {
    let sql = "select value from settings where section = $1";
    Ok(run!(tx => query_scalar(sql, section).fetch_optional))
}

/// Sets or removes a section. All nodes reload it.
pub async fn set_section_in(tx: &mut Tx, section: &str, value: Option<&str>) -> Result<()> {
    run!(tx => query("delete from settings where section = $1", section).execute);
    if let Some(value) = value {
        let sql = "insert into settings (section, value) values ($1, $2)";
        run!(tx => query(sql, section, value).execute);
    }
    touch_in(tx).await
}

/// Stored secrets by name. Fails if one was written by another program.
pub async fn secrets(db: &Db, seal: &Seal) -> Result<BTreeMap<String, Secret>> {
    let sql = "select name, sealed from setting_secrets";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql).fetch_all);
    let open = |(name, sealed): (String, String)| {
        let text = seal.open_text(SECRET, &name, &sealed);
        let altered = || StoreError::Corrupt(format!("the secret {name} was modified"));
        text.map(Secret::new).ok_or_else(altered).map(|text| (name, text))
    };
    rows.into_iter().map(open).collect()
}

/// Seals a secret for storage.
pub fn sealed(seal: &Seal, name: &str, secret: &Secret) -> String {
    seal.seal_text(SECRET, name, secret.expose())
}

/// Returns a stored sealed secret.
pub async fn sealed_in(tx: &mut Tx, name: &str) -> Result<Option<String>> {
    let sql = "select sealed from setting_secrets where name = $1";
    Ok(run!(tx => query_scalar(sql, name).fetch_optional))
}

/// Sets or removes a sealed secret. All nodes reload it.
pub async fn set_sealed_in(tx: &mut Tx, name: &str, sealed: Option<&str>) -> Result<()> {
    run!(tx => query("delete from setting_secrets where name = $1", name).execute);
    if let Some(sealed) = sealed {
        let sql = "insert into setting_secrets (name, sealed) values ($1, $2)";
        run!(tx => query(sql, name, sealed).execute);
    }
    touch_in(tx).await
}

/// Sets a random revision, so that a node that missed changes never sees an equal one.
async fn touch_in(tx: &mut Tx) -> Result<()> {
    meta::set(tx, REVISION, &format!("{:032x}", rand::random::<u128>())).await
}
