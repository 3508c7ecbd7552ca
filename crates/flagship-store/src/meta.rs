//! What the database is: which journal it holds, and which secret it was written with.

use crate::engine::on;
use crate::{Db, Key, Lock, Result, StoreError, Tx};

const GENERATION: &str = "generation";
const SECRET_CHECK: &str = "secret_check";

/// Opens the books: names the journal on first use, and refuses a database that was written with
/// another secret. Gives the journal's generation.
pub async fn open(db: &Db, key: &Key) -> Result<String> {
    let check = key.mac("database", &[]);
    let generation = format!("{:032x}", rand::random::<u128>());
    let mut tx = db.begin(Lock::Journal).await?;
    for (key, value) in [(GENERATION, &generation), (SECRET_CHECK, &check)] {
        insert(&mut tx, key, value).await?;
    }
    tx.commit().await?;
    let stored = |key| read(db, key);
    if stored(SECRET_CHECK).await? != check {
        return Err(StoreError::OtherSecret);
    }
    stored(GENERATION).await
}

async fn read(db: &Db, key: &str) -> Result<String> {
    let mut conn = db.read().await?;
    let sql = "select value from meta where key = $1";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).bind(key).fetch_one(conn).await?))
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
