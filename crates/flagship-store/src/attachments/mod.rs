//! Attachments and branding files in the database, in pieces. A file that is not stored completely
//! is invisible: its pieces are written again by the next attempt, or removed after a day.

pub mod upload_notes;

use crate::engine::run;
use crate::{Db, Lock, Result};

/// Size of each piece except for the last one, in bytes. A download holds one piece in memory.
pub const PIECE_BYTES: u64 = 64 * 1024;
/// Maximum pieces per transaction. On SQLite, the journal waits for the transaction.
pub const PIECES_MAX: usize = 16;
/// Maximum pieces that one transaction deletes.
const DELETED_MAX: i64 = 64;

/// Returns the size of a file, in bytes.
pub async fn bytes(db: &Db, digest: &str) -> Result<Option<u64>> {
    let sql = "select bytes from attachments where digest = $1 and is_complete";
    let bytes: Option<i64> = run!(db.read() => query_scalar(sql, digest).fetch_optional);
    Ok(bytes.map(i64::unsigned_abs))
}

/// Returns the digests and sizes of all files, sorted by digest.
pub async fn list(db: &Db) -> Result<Vec<(String, u64)>> {
    let sql = "select digest, bytes from attachments where is_complete order by digest";
    let files: Vec<(String, i64)> = run!(db.read() => query_as(sql).fetch_all);
    Ok(files.into_iter().map(|(digest, bytes)| (digest, bytes.unsigned_abs())).collect())
}

/// Returns a piece of a file.
pub async fn piece(db: &Db, digest: &str, number: i64) -> Result<Option<Vec<u8>>> {
    let sql = "select bytes from attachment_pieces where digest = $1 and number = $2";
    Ok(run!(db.read() => query_scalar(sql, digest, number).fetch_optional))
}

/// Begins to store a file; `false` if it is already complete.
pub async fn begin(db: &Db, digest: &str, bytes: u64, now_ms: i64) -> Result<bool> {
    let sql = "insert into attachments (digest, bytes, begun_at_ms, is_complete) \
               values ($1, $2, $3, false) \
               on conflict (digest) do update set begun_at_ms = excluded.begun_at_ms \
               where not attachments.is_complete";
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let mut tx = db.begin(Lock::Attachments).await?;
    let begun = run!(&mut tx => query(sql, digest, bytes, now_ms).execute);
    tx.commit().await?;
    Ok(begun > 0)
}

/// Stores pieces of a file that was begun, in one transaction; `false` if the file is complete or
/// was removed, and then stores nothing. `first` is the number of the first piece.
pub async fn put(db: &Db, digest: &str, first: i64, pieces: &[&[u8]]) -> Result<bool> {
    let is_begun = "select 1 from attachments where digest = $1 and not is_complete";
    let sql = "insert into attachment_pieces (digest, number, bytes) values ($1, $2, $3) \
               on conflict (digest, number) do update set bytes = excluded.bytes";
    let mut tx = db.begin(Lock::Attachments).await?;
    let is_begun: Option<i32> = run!(&mut tx => query_scalar(is_begun, digest).fetch_optional);
    if is_begun.is_none() {
        return Ok(false);
    }
    for (number, piece) in (first..).zip(pieces) {
        run!(&mut tx => query(sql, digest, number, *piece).execute);
    }
    tx.commit().await?;
    Ok(true)
}

/// Makes a file visible; `false` unless all its pieces are stored.
pub async fn complete(db: &Db, digest: &str, pieces: i64) -> Result<bool> {
    let sql = "update attachments set is_complete = true where digest = $1 and $2 = \
               (select count(*) from attachment_pieces where attachment_pieces.digest = $1)";
    let mut tx = db.begin(Lock::Attachments).await?;
    let completed = run!(&mut tx => query(sql, digest, pieces).execute);
    tx.commit().await?;
    Ok(completed > 0)
}

/// Removes a file in short transactions. Does nothing if there is none.
pub async fn remove(db: &Db, digest: &str) -> Result<()> {
    // A node that stores the file again sets a later time, which ends the removal.
    let hide = "update attachments set is_complete = false, begun_at_ms = -1 where digest = $1";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(hide, digest).execute);
    tx.commit().await?;
    remove_abandoned(db, digest, 0).await
}

/// Removes an incomplete file whose last attempt began before a time, in short transactions. Stops
/// if the file is stored again in the meantime.
pub async fn remove_abandoned(db: &Db, digest: &str, before_ms: i64) -> Result<()> {
    let last = "select max(number) from attachment_pieces where digest = $1 \
                and exists (select 1 from attachments \
                    where digest = $1 and not is_complete and begun_at_ms < $2)";
    let pieces = "delete from attachment_pieces \
                  where digest = $1 and number >= $3 and number < $4 \
                  and exists (select 1 from attachments \
                      where digest = $1 and not is_complete and begun_at_ms < $2)";
    let file = "delete from attachments \
                where digest = $1 and not is_complete and begun_at_ms < $2";
    let last: Option<i64> = run!(db.read() => query_scalar(last, digest, before_ms).fetch_one);
    let mut from = 0;
    while last.is_some_and(|last| from <= last) {
        let until = from + DELETED_MAX;
        let mut tx = db.begin(Lock::Attachments).await?;
        run!(&mut tx => query(pieces, digest, before_ms, from, until).execute);
        tx.commit().await?;
        from = until;
    }
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(file, digest, before_ms).execute);
    tx.commit().await
}

/// Returns the digests of incomplete files whose last attempt began before a time.
pub async fn abandoned(db: &Db, before_ms: i64) -> Result<Vec<String>> {
    let sql = "select digest from attachments where not is_complete and begun_at_ms < $1";
    Ok(run!(db.read() => query_scalar(sql, before_ms).fetch_all))
}

/// Writes a row and rolls the transaction back.
///
/// # Errors
/// Fails if the database does not accept files.
pub async fn check(db: &Db) -> Result<()> {
    let sql = "insert into attachments (digest, bytes, begun_at_ms, is_complete) \
               values ('check', 0, 0, false) on conflict (digest) do nothing";
    let mut tx = db.begin(Lock::Attachments).await?;
    run!(&mut tx => query(sql).execute);
    Ok(())
}
