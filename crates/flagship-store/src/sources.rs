//! Sources of challenges: the text of each `challenge.yml`, as applied and as edited since. The
//! texts contain flags, so they are sealed under the event's secret.

use flagship_game::{ChallengeId, Secret};
use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Db, Result, Seal, StoreError, meta, token_hash};

/// Purposes for which source texts are sealed.
const LIVE: &str = "source of a challenge";
const APPLIED: &str = "applied source of a challenge";
/// Meta key of the defaults for challenges from `event.toml`.
const DEFAULTS: &str = "challenge_defaults";
/// The meta key of the revision of the sources.
const REVISION: &str = "sources_revision";

/// The source of a challenge. `Debug` does not show the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path of its file, relative to the event's folder, with `/`.
    pub path: String,
    /// The content of the file.
    pub text: Secret,
    /// Files that the text can reference, as JSON.
    pub files: String,
}

impl Source {
    /// Returns a version that changes with the text and the files.
    pub fn version(&self) -> String {
        token_hash(&format!("{}\0{}", self.text.expose(), self.files))
    }

    /// Returns the files that the text can reference; empty if another program made them
    /// unreadable.
    pub fn named(&self) -> Vec<NamedFile> {
        serde_json::from_str(&self.files).unwrap_or_default()
    }
}

/// A file that a text can reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// Path relative to the challenge's folder.
    pub name: String,
    /// SHA-256 in hex.
    pub digest: String,
}

/// A stored challenge source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSource {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The live source.
    pub live: Source,
    /// Last applied text; `None` if the challenge was created live.
    pub applied: Option<Secret>,
    /// Author and time (in epoch milliseconds) of the last live edit since files were applied.
    pub changed: Option<(String, i64)>,
}

impl StoredSource {
    /// True if the source was edited live since files were applied: its text or a file.
    pub fn is_changed(&self) -> bool {
        self.changed.is_some() || self.applied.as_ref() != Some(&self.live.text)
    }

    /// Returns a version that changes with the live text and the live files.
    pub fn version(&self) -> String {
        self.live.version()
    }
}

/// The stored row of a source, for undo data.
#[derive(Clone, Serialize, Deserialize, sqlx::FromRow)]
pub struct Row {
    challenge_id: String,
    path: String,
    sealed: String,
    files: String,
    applied: Option<String>,
    changed_by: Option<String>,
    changed_at_ms: Option<i64>,
}

const COLUMNS: &str =
    "select challenge_id, path, sealed, files, applied, changed_by, changed_at_ms from sources";

/// Decrypts a stored row.
pub(crate) fn open(seal: &Seal, row: Row) -> Result<StoredSource> {
    let corrupt = || StoreError::Corrupt(format!("the source of {} is altered", row.challenge_id));
    let text = |purpose: &str, sealed: &str| {
        seal.open_text(purpose, &row.challenge_id, sealed).map(Secret::new).ok_or_else(corrupt)
    };
    Ok(StoredSource {
        challenge: ChallengeId::parse(&row.challenge_id).map_err(|_| corrupt())?,
        applied: row.applied.as_deref().map(|sealed| text(APPLIED, sealed)).transpose()?,
        live: Source {
            text: text(LIVE, &row.sealed)?,
            path: row.path.clone(),
            files: row.files.clone(),
        },
        changed: row.changed_by.clone().zip(row.changed_at_ms),
    })
}

/// Returns the sources of all challenges that have one.
pub async fn all(db: &Db, seal: &Seal) -> Result<Vec<StoredSource>> {
    all_in(&mut db.snapshot().await?, seal).await
}

pub(crate) async fn all_in(tx: &mut Tx, seal: &Seal) -> Result<Vec<StoredSource>> {
    let rows: Vec<Row> = run!(tx => query_as(COLUMNS + " order by challenge_id").fetch_all);
    rows.into_iter().map(|row| open(seal, row)).collect()
}

/// Returns a value that changes with every source; `None` before the first one is written.
pub async fn revision(db: &Db) -> Result<Option<String>> {
    Ok(run!(db.read() => query_scalar(meta::VALUE, REVISION).fetch_optional))
}

/// Returns the source of a challenge.
pub async fn of(db: &Db, seal: &Seal, id: &ChallengeId) -> Result<Option<StoredSource>> {
    of_in(&mut db.snapshot().await?, seal, id).await
}

/// Returns the source of a challenge, within a transaction.
pub async fn of_in(tx: &mut Tx, seal: &Seal, id: &ChallengeId) -> Result<Option<StoredSource>> {
    row_in(tx, id).await?.map(|row| open(seal, row)).transpose()
}

/// Returns the row of a challenge, for undo data.
pub async fn row_in(tx: &mut Tx, id: &ChallengeId) -> Result<Option<Row>> {
    Ok(run!(tx => query_as(COLUMNS + " where challenge_id = $1", id.as_str()).fetch_optional))
}

/// Writes the row of a challenge, or removes it.
pub async fn put_row(tx: &mut Tx, id: &ChallengeId, row: Option<&Row>) -> Result<()> {
    run!(tx => query("delete from sources where challenge_id = $1", id.as_str()).execute);
    if let Some(row) = row {
        let sql = "insert into sources (challenge_id, path, sealed, files, applied, changed_by, \
                   changed_at_ms) values ($1, $2, $3, $4, $5, $6, $7)";
        run!(tx => query(sql, &row.challenge_id, &row.path, &row.sealed, &row.files, &row.applied,
            &row.changed_by, row.changed_at_ms).execute);
    }
    meta::set(tx, REVISION, &format!("{:016x}", rand::random::<u64>())).await
}

/// Stores the source of an applied challenge.
pub(crate) async fn apply(
    tx: &mut Tx,
    seal: &Seal,
    id: &ChallengeId,
    source: &Source,
) -> Result<()> {
    let applied = seal.seal_text(APPLIED, id.as_str(), source.text.expose());
    put(tx, seal, id, source, Some(applied), None).await
}

/// Stores the source of a challenge after a live edit.
pub async fn change(
    tx: &mut Tx,
    seal: &Seal,
    id: &ChallengeId,
    source: &Source,
    by: (&str, i64),
) -> Result<()> {
    let applied = row_in(tx, id).await?.and_then(|row| row.applied);
    put(tx, seal, id, source, applied, Some(by)).await
}

async fn put(
    tx: &mut Tx,
    seal: &Seal,
    id: &ChallengeId,
    source: &Source,
    applied: Option<String>,
    by: Option<(&str, i64)>,
) -> Result<()> {
    let row = Row {
        challenge_id: id.as_str().to_owned(),
        path: source.path.clone(),
        sealed: seal.seal_text(LIVE, id.as_str(), source.text.expose()),
        files: source.files.clone(),
        applied,
        changed_by: by.map(|(name, _)| name.to_owned()),
        changed_at_ms: by.map(|(_, at_ms)| at_ms),
    };
    put_row(tx, id, Some(&row)).await
}

/// Returns the defaults for challenges from `event.toml`, as JSON; `None` before files were
/// applied.
pub async fn defaults(db: &Db) -> Result<Option<String>> {
    defaults_in(&mut db.snapshot().await?).await
}

/// Returns the defaults for challenges from `event.toml`, within a transaction.
pub async fn defaults_in(tx: &mut Tx) -> Result<Option<String>> {
    meta::get(tx, DEFAULTS).await
}

/// Stores the defaults for challenges from `event.toml`, as JSON.
pub async fn set_defaults(tx: &mut Tx, text: &str) -> Result<()> {
    meta::set(tx, DEFAULTS, text).await
}
