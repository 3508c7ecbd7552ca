//! The identity of the database: which journal it holds, and which secret it was written with.
//!
//! The check value of the secret does not tell events under one secret apart: the whole database of
//! another one is accepted, and the form of 0.1.0 is the same in all of them. Only a head noted
//! elsewhere shows which journal it was (docs/decisions/018-the-journal-is-signed.md).

use crate::engine::run;
use crate::{Key, Result, StoreError, Tx};

const GENERATION: &str = "generation";
const SECRET_CHECK: &str = "secret_check";
/// Reads the value of a key.
pub(crate) const VALUE: &str = "select value from meta where key = $1";

/// The journal of a database.
pub(crate) struct Identity {
    /// Names the journal.
    pub generation: String,
    /// True if the journal was named just now.
    pub is_new: bool,
    /// True if 0.1.0 began the database, and its journal was not signed since. Without the secret
    /// nobody can make another database look like it, except with a copy of the check value from a
    /// database that 0.1.0 wrote with the same secret.
    pub is_first_form: bool,
}

/// The identity of a database that has one.
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

/// Names the journal on first use, within a transaction that holds its lock.
///
/// # Errors
/// As `known_in`.
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

/// Notes that the journal of a database that 0.1.0 began is signed from now on.
pub(crate) async fn leave_first_form(tx: &mut Tx, key: &Key, generation: &str) -> Result<()> {
    set(tx, SECRET_CHECK, &check(key, generation)).await
}

/// The check value of a secret; its form also shows that the journal was signed once.
fn check(key: &Key, generation: &str) -> String {
    key.mac("database", &[generation])
}

/// A value, if there is one.
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

/// Sets a value unless there is one.
pub(crate) async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    let sql = "insert into meta (key, value) values ($1, $2) on conflict do nothing";
    run!(tx => query(sql, key, value).execute);
    Ok(())
}
