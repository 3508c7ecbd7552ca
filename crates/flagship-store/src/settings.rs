//! Settings that the nodes of an event share, as texts that this crate does not interpret.

use crate::engine::on;
use crate::{Db, Lock, Result, Tx, meta};

/// The settings that running nodes take over.
const LIVE: &str = "settings";
/// The settings that were read when a server last started, and that wait for the next start.
const AT_START: &str = "settings_at_start";
/// The site's public address.
const PUBLIC_URL: &str = "public_url";

/// The public address of the server that was started last, for links that commands print.
pub async fn public_url(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, PUBLIC_URL).await
}

/// The settings that running nodes take over, if any were read.
pub async fn live(db: &Db) -> Result<Option<String>> {
    let sql = "select value from meta where key = $1";
    let mut conn = db.read().await?;
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).bind(LIVE).fetch_optional(conn).await?))
}

/// The settings that were read when a server last started.
pub async fn at_start(db: &Db) -> Result<Option<String>> {
    meta::get(&mut db.snapshot().await?, AT_START).await
}

/// What a starting server uses.
#[derive(Clone, Copy)]
pub struct AtStart<'a> {
    /// The settings.
    pub settings: &'a str,
    /// The site's public address.
    pub public_url: &'a str,
}

/// Writes the settings that running nodes take over, and what a starting server uses.
pub async fn put(db: &Db, live: &str, at_start: Option<AtStart<'_>>) -> Result<()> {
    let mut tx = db.begin(Lock::Journal).await?;
    let mut is_changed = false;
    let settings = at_start.map(|it| (AT_START, it.settings));
    let public_url = at_start.map(|it| (PUBLIC_URL, it.public_url));
    for (key, text) in [Some((LIVE, live)), settings, public_url].into_iter().flatten() {
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
