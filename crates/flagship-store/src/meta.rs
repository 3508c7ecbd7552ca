//! Identity of the database: the journal that it contains, and the secret with which it was
//! written.
//!
//! The check value does not distinguish events with the same secret. The database of another such
//! event is accepted, and the 0.1.0 form of the check value is the same for all of them. Only a
//! head noted elsewhere identifies the journal (docs/decisions/018-the-journal-is-signed.md).

use crate::engine::run;
use crate::{Key, Result, StoreError, Tx};

const GENERATION: &str = "generation";
const SECRET_CHECK: &str = "secret_check";
/// Reads the value of a key.
pub(crate) const VALUE: &str = "select value from meta where key = $1";

/// Journal identity of a database.
pub(crate) struct Identity {
    /// Random name of the journal.
    pub generation: String,
    /// True if the journal was just created.
    pub is_new: bool,
    /// True if Flagship 0.1.0 created the database and its journal has not been signed since. To
    /// make another database look like this without the secret, a forger needs the check value of a
    /// 0.1.0 database with the same secret.
    pub is_first_form: bool,
}

/// Returns the identity of a database, if it has one.
///
/// # Errors
/// [`StoreError::OtherSecret`] if the database was written with another secret.
pub(crate) async fn known_in(tx: &mut Tx, key: &Key) -> Result<Option<Identity>> {
    let Some(generation) = get(tx, GENERATION).await? else { return Ok(None) };
    let Some(found) = get(tx, SECRET_CHECK).await? else { return Ok(None) };
    let is_first_form = found == key.mac("database", &[]);
    if found != check(key, &generation) && !is_first_form {
        return Err(StoreError::OtherSecret);
    }
    Ok(Some(Identity { generation, is_new: false, is_first_form }))
}

/// Creates the journal's name on first use, in a transaction that holds the journal's lock.
///
/// # Errors
/// See `known_in`.
pub(crate) async fn open_in(tx: &mut Tx, key: &Key) -> Result<Identity> {
    if let Some(known) = known_in(tx, key).await? {
        return Ok(known);
    }
    let known = get(tx, GENERATION).await?;
    let is_new = known.is_none();
    let generation = known.unwrap_or_else(|| format!("{:032x}", rand::random::<u128>()));
    set(tx, GENERATION, &generation).await?;
    set(tx, SECRET_CHECK, &check(key, &generation)).await?;
    Ok(Identity { generation, is_new, is_first_form: false })
}

/// Stores that the journal of a 0.1.0 database is signed from now on.
pub(crate) async fn leave_first_form(tx: &mut Tx, key: &Key, generation: &str) -> Result<()> {
    set(tx, SECRET_CHECK, &check(key, generation)).await
}

/// Returns the check value of a secret. Its form also shows that the journal has been signed.
fn check(key: &Key, generation: &str) -> String {
    key.mac("database", &[generation])
}

/// Returns a value, if set.
pub(crate) async fn get(tx: &mut Tx, key: &str) -> Result<Option<String>> {
    Ok(run!(tx => query_scalar(VALUE, key).fetch_optional))
}

/// Sets a value.
pub(crate) async fn set(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    let sql = "insert into meta (key, value) values ($1, $2) \
               on conflict (key) do update set value = excluded.value";
    run!(tx => query(sql, key, value).execute);
    Ok(())
}

/// Sets a value unless it is set.
pub(crate) async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    let sql = "insert into meta (key, value) values ($1, $2) on conflict do nothing";
    run!(tx => query(sql, key, value).execute);
    Ok(())
}
