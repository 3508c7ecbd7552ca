//! The identity of the database: which journal it holds, and which secret it was written with.

use crate::engine::on;
use crate::{Db, Key, Lock, Result, StoreError, Tx};

const GENERATION: &str = "generation";
const SECRET_CHECK: &str = "secret_check";

/// Names the journal on first use, and returns its generation.
///
/// # Errors
/// [`StoreError::OtherSecret`] if the database was written with another secret.
pub async fn open(db: &Db, key: &Key) -> Result<String> {
    let mut tx = db.begin(Lock::Journal).await?;
    insert(&mut tx, GENERATION, &format!("{:032x}", rand::random::<u128>())).await?;
    let generation = get(&mut tx, GENERATION).await?.unwrap_or_default();
    let check = check(key, &generation);
    insert(&mut tx, SECRET_CHECK, &check).await?;
    let is_ours = get(&mut tx, SECRET_CHECK).await? == Some(check);
    if !is_ours && !is_first_form(&mut tx, key).await? {
        return Err(StoreError::OtherSecret);
    }
    tx.commit().await?;
    Ok(generation)
}

/// The check value of a secret; its form also shows that the journal is signed from entry 1 on.
fn check(key: &Key, generation: &str) -> String {
    key.mac("database", &[generation])
}

/// Whether 0.1.0 began the database, so that its journal may begin unsigned. Without the secret
/// nobody can make another database look like it.
pub(crate) async fn is_first_form(tx: &mut Tx, key: &Key) -> Result<bool> {
    Ok(get(tx, SECRET_CHECK).await? == Some(key.mac("database", &[])))
}

/// A value, if there is one.
pub(crate) async fn get(tx: &mut Tx, key: &str) -> Result<Option<String>> {
    let sql = "select value from meta where key = $1";
    Ok(on!(tx, conn => sqlx::query_scalar(sql).bind(key).fetch_optional(conn).await?))
}

/// Sets a value.
pub(crate) async fn set(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    on!(tx, conn => {
        let sql = "insert into meta (key, value) values ($1, $2) \
                   on conflict (key) do update set value = excluded.value";
        sqlx::query(sql).bind(key).bind(value).execute(conn).await?;
    });
    Ok(())
}

/// Sets a value unless there is one.
pub(crate) async fn insert(tx: &mut Tx, key: &str, value: &str) -> Result<()> {
    on!(tx, conn => {
        let sql = "insert into meta (key, value) values ($1, $2) on conflict do nothing";
        sqlx::query(sql).bind(key).bind(value).execute(conn).await?;
    });
    Ok(())
}
