//! Team member names, as entered by the team. Only organizers see them, for prizes.

use std::collections::HashMap;

use crate::engine::{Tx, on, push_list, run};
use crate::{Db, Lock, Result, sessions};

/// Maximum accounts per query.
const IDS_MAX: usize = 500;

/// Member names of an account, in the order in which the team entered them.
pub async fn of_account_in(tx: &mut Tx, account_id: i64) -> Result<Vec<String>> {
    let sql = "select name from members where account_id = $1 order by number";
    Ok(run!(tx => query_scalar(sql, account_id).fetch_all))
}

/// Member names by account. Accounts without names are omitted.
pub async fn of_accounts(db: &Db, ids: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let mut all = HashMap::<i64, Vec<String>>::new();
    for ids in ids.chunks(IDS_MAX) {
        let rows: Vec<(i64, String)> = on!(db.read(), conn => {
            let sql = "select account_id, name from members where account_id in ";
            let mut select = sqlx::QueryBuilder::new(sql);
            push_list(&mut select, ids);
            select.push(" order by account_id, number").build_query_as().fetch_all(conn).await?
        });
        for (id, name) in rows {
            all.entry(id).or_default().push(name);
        }
    }
    Ok(all)
}

/// Sets the member names of an account; `false` if the team's session has ended.
pub async fn set(
    db: &Db,
    account_id: i64,
    session: &str,
    names: &[String],
    now_ms: i64,
) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    if !sessions::is_active_in(&mut tx, session, now_ms).await? {
        return Ok(false);
    }
    run!(&mut tx => query("delete from members where account_id = $1", account_id).execute);
    for (number, name) in (1_i64..).zip(names) {
        let sql = "insert into members (account_id, number, name) values ($1, $2, $3)";
        run!(&mut tx => query(sql, account_id, number, name).execute);
    }
    tx.commit().await?;
    Ok(true)
}
