//! Notes about uploads of the last day, for storage that all nodes share. While one node removes a
//! file, its note says so: uploads of the same file are rejected, and no challenge can claim it.

use crate::engine::run;
use crate::{Db, Lock, Result};

/// Uploader of the note that says when a file was uploaded.
pub const NOBODY: &str = "";

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct UploadNote {
    /// SHA-256 of the file, in hex.
    pub digest: String,
    /// Hash of the uploading organizer's name, or [`NOBODY`].
    pub uploader: String,
    /// Time of the upload, in epoch milliseconds.
    pub at_ms: i64,
}

/// Returns the time of a note.
pub async fn at_ms(db: &Db, digest: &str, uploader: &str) -> Result<Option<i64>> {
    let sql = "select at_ms from upload_notes where digest = $1 and uploader = $2";
    Ok(run!(db.read() => query_scalar(sql, digest, uploader).fetch_optional))
}

/// Writes a note; `false` while the file is being removed.
pub async fn set(db: &Db, digest: &str, uploader: &str, at_ms: i64) -> Result<bool> {
    let sql = "insert into upload_notes (digest, uploader, at_ms, is_removing) \
               values ($1, $2, $3, false) \
               on conflict (digest, uploader) do update set at_ms = excluded.at_ms \
               where not upload_notes.is_removing";
    let mut tx = db.begin(Lock::Attachments).await?;
    let written = run!(&mut tx => query(sql, digest, uploader, at_ms).execute);
    tx.commit().await?;
    Ok(written > 0)
}

/// Changes the time of a file's note, if it has one; `false` while the file is being removed.
pub async fn restart(db: &Db, digest: &str, at_ms: i64) -> Result<bool> {
    let sql = "update upload_notes set at_ms = $1 \
               where digest = $2 and uploader = '' and not is_removing";
    let removing = "select 1 from upload_notes \
                    where digest = $1 and uploader = '' and is_removing";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(sql, at_ms, digest).execute);
    let removing: Option<i32> = run!(&mut tx => query_scalar(removing, digest).fetch_optional);
    tx.commit().await?;
    Ok(removing.is_none())
}

/// Deletes the note of a file that is in use.
pub async fn delete(db: &Db, digest: &str) -> Result<()> {
    let sql = "delete from upload_notes where digest = $1 and uploader = '' and not is_removing";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(sql, digest).execute);
    tx.commit().await
}

/// Returns the digests whose upload is not later than a time, and those whose removal began before
/// another one: the node that removed the file was killed.
pub async fn due(db: &Db, until_ms: i64, removing_before_ms: i64) -> Result<Vec<String>> {
    let sql = "select digest from upload_notes where uploader = '' \
               and (not is_removing and at_ms <= $1 or is_removing and at_ms < $2) \
               order by digest";
    Ok(run!(db.read() => query_scalar(sql, until_ms, removing_before_ms).fetch_all))
}

/// Begins to remove a file that is still due; `false` if it is not.
pub async fn begin_removal(
    db: &Db,
    digest: &str,
    (until_ms, removing_before_ms): (i64, i64),
    now_ms: i64,
) -> Result<bool> {
    let sql = "update upload_notes set at_ms = $1, is_removing = true \
               where digest = $2 and uploader = '' \
               and (not is_removing and at_ms <= $3 or is_removing and at_ms < $4)";
    let mut tx = db.begin(Lock::Attachments).await?;
    let begun = run!(&mut tx => query(sql, now_ms, digest, until_ms, removing_before_ms).execute);
    tx.commit().await?;
    Ok(begun > 0)
}

/// Deletes the note of a file that was removed.
pub async fn end_removal(db: &Db, digest: &str) -> Result<()> {
    let sql = "delete from upload_notes where digest = $1 and uploader = '' and is_removing";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(sql, digest).execute);
    tx.commit().await
}

/// Deletes the notes about uploaders that are not later than a time.
pub async fn forget_uploaders(db: &Db, until_ms: i64) -> Result<()> {
    let sql = "delete from upload_notes where uploader <> '' and at_ms <= $1";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(sql, until_ms).execute);
    tx.commit().await
}

/// Returns all notes, except for files that are being removed.
pub async fn list(db: &Db) -> Result<Vec<UploadNote>> {
    let sql = "select digest, uploader, at_ms from upload_notes where not is_removing \
               order by digest, uploader";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// Deletes all notes, after they were moved.
pub async fn clear(db: &Db) -> Result<()> {
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query("delete from upload_notes").execute);
    tx.commit().await
}
