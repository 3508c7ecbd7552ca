//! Settings that the nodes of an event share, as texts that this crate does not interpret: those of
//! the files that were read last, and those that organizers set on the site, whose secrets are
//! sealed.

use std::collections::BTreeMap;

use flagship_game::Secret;

use crate::engine::run;
use crate::{Db, Lock, Result, Seal, StoreError, Tx, meta};

/// The settings that running nodes take over.
const LIVE: &str = "settings";
/// The settings that were read when a server last started, and that wait for the next start.
const AT_START: &str = "settings_at_start";
/// Whether that server was started with files.
const HAS_FILES: &str = "files_at_start";
/// The site's public address.
const PUBLIC_URL: &str = "public_url";
/// The section that keeps the text of the rules.
pub const RULES: &str = "rules";
/// Changes whenever what organizers set does.
const REVISION: &str = "settings_revision";
/// What secrets are sealed for.
const SECRET: &str = "secret of a setting";

/// The public address of the server that was started last, for links that commands print.
pub async fn public_url(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, PUBLIC_URL).await
}

/// The settings that were read when a server last started.
pub async fn at_start(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, AT_START).await
}

/// True unless the server that was started last was started without files.
pub async fn has_files_at_start(db: &Db) -> Result<bool> {
    let has_files = meta::get(&mut db.snapshot().await?, HAS_FILES).await?;
    Ok(has_files.is_none_or(|it| it == "true"))
}

/// What a starting server uses.
#[derive(Clone, Copy)]
pub struct AtStart<'a> {
    /// The settings.
    pub settings: &'a str,
    /// Whether they are of files.
    pub has_files: bool,
    /// The site's public address.
    pub public_url: &'a str,
}

/// Writes the settings that running nodes take over, and what a starting server uses.
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

/// Changes whenever the settings of the files or those of the site do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The settings of the files that running nodes take over, if any were read.
    pub live: Option<String>,
    revision: Option<String>,
}

/// What the settings are now, in one statement: each hint asks.
pub async fn seen(db: &Db) -> Result<Seen> {
    let sql = "select key, value from meta where key in ($1, $2)";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql, LIVE, REVISION).fetch_all);
    let mut seen = Seen::default();
    for (key, value) in rows {
        if key == LIVE { seen.live = Some(value) } else { seen.revision = Some(value) }
    }
    Ok(seen)
}

/// What organizers set on the site: by section, JSON of the keys that they set.
pub async fn kept(db: &Db) -> Result<BTreeMap<String, String>> {
    let sql = "select section, value from settings";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql).fetch_all);
    Ok(rows.into_iter().collect())
}

/// Keeps sections as if organizers had set them; for a start without the files of before.
pub async fn keep_all(db: &Db, sections: &BTreeMap<String, String>) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    for (section, value) in sections {
        keep_in(&mut tx, section, Some(value)).await?;
    }
    tx.commit().await
}

/// A section that organizers set.
pub async fn kept_in(tx: &mut Tx, section: &str) -> Result<Option<String>> {
    let sql = "select value from settings where section = $1";
    Ok(run!(tx => query_scalar(sql, section).fetch_optional))
}

/// Keeps a section, or forgets it; all nodes read it again.
pub async fn keep_in(tx: &mut Tx, section: &str, value: Option<&str>) -> Result<()> {
    run!(tx => query("delete from settings where section = $1", section).execute);
    if let Some(value) = value {
        let sql = "insert into settings (section, value) values ($1, $2)";
        run!(tx => query(sql, section, value).execute);
    }
    touch_in(tx).await
}

/// The secrets that are kept, by name. Those that another program wrote are errors.
pub async fn secrets(db: &Db, seal: &Seal) -> Result<BTreeMap<String, Secret>> {
    let sql = "select name, sealed from setting_secrets";
    let rows: Vec<(String, String)> = run!(db.read() => query_as(sql).fetch_all);
    let open = |(name, sealed): (String, String)| {
        let text = seal.open_text(SECRET, &name, &sealed);
        let altered = || StoreError::Corrupt(format!("the secret {name} is not as it was kept"));
        text.map(Secret::new).ok_or_else(altered).map(|text| (name, text))
    };
    rows.into_iter().map(open).collect()
}

/// A secret as it is to be kept.
pub fn sealed(seal: &Seal, name: &str, secret: &Secret) -> String {
    seal.seal_text(SECRET, name, secret.expose())
}

/// A secret as it is kept.
pub async fn sealed_in(tx: &mut Tx, name: &str) -> Result<Option<String>> {
    let sql = "select sealed from setting_secrets where name = $1";
    Ok(run!(tx => query_scalar(sql, name).fetch_optional))
}

/// Keeps a sealed secret, or forgets it; all nodes read it again.
pub async fn keep_sealed_in(tx: &mut Tx, name: &str, sealed: Option<&str>) -> Result<()> {
    run!(tx => query("delete from setting_secrets where name = $1", name).execute);
    if let Some(sealed) = sealed {
        let sql = "insert into setting_secrets (name, sealed) values ($1, $2)";
        run!(tx => query(sql, name, sealed).execute);
    }
    touch_in(tx).await
}

/// A random value: a node that missed changes between two equal ones reads again too.
async fn touch_in(tx: &mut Tx) -> Result<()> {
    meta::set(tx, REVISION, &format!("{:032x}", rand::random::<u128>())).await
}
