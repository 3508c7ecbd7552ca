//! Memberships of accounts in divisions, as stored: also those in divisions that are no longer
//! defined.

use std::collections::{BTreeMap, HashMap};

use flagship_game::division::DivisionId;

use crate::engine::{Tx, on, push_list, run};
use crate::{Db, Result};

/// Maximum accounts per query.
const IDS_MAX: usize = 500;
const INSERT: &str =
    "insert into team_divisions (account_id, division) values ($1, $2) on conflict do nothing";

/// A stored membership.
#[derive(sqlx::FromRow)]
struct Membership {
    account_id: i64,
    division: String,
}

/// Returns the divisions of an account as stored, including those that are no longer defined.
pub async fn of_account_in(tx: &mut Tx, account_id: i64) -> Result<Vec<DivisionId>> {
    let sql = "select division from team_divisions where account_id = $1 order by division";
    let stored: Vec<String> = run!(tx => query_scalar(sql, account_id).fetch_all);
    Ok(stored.iter().filter_map(|id| DivisionId::parse(id)).collect())
}

/// Divisions of accounts as stored. Accounts without divisions are omitted.
pub async fn of_accounts(db: &Db, ids: &[i64]) -> Result<HashMap<i64, Vec<DivisionId>>> {
    let mut all = HashMap::<i64, Vec<DivisionId>>::new();
    for ids in ids.chunks(IDS_MAX) {
        let rows: Vec<Membership> = on!(db.read(), conn => {
            let sql = "select account_id, division from team_divisions where account_id in ";
            let mut select = sqlx::QueryBuilder::new(sql);
            push_list(&mut select, ids);
            select.push(" order by account_id, division").build_query_as().fetch_all(conn).await?
        });
        for Membership { account_id, division } in rows {
            all.entry(account_id).or_default().extend(DivisionId::parse(&division));
        }
    }
    Ok(all)
}

/// All memberships of teams and signups, by account.
pub(crate) async fn all_in(tx: &mut Tx) -> Result<BTreeMap<i64, Vec<DivisionId>>> {
    let sql = "select account_id, division from team_divisions order by account_id, division";
    let rows: Vec<Membership> = run!(tx => query_as(sql).fetch_all);
    let mut all = BTreeMap::<i64, Vec<DivisionId>>::new();
    for Membership { account_id, division } in rows {
        all.entry(account_id).or_default().extend(DivisionId::parse(&division));
    }
    Ok(all)
}

/// Number of teams in each division.
pub(crate) async fn counts_in(tx: &mut Tx) -> Result<HashMap<DivisionId, i64>> {
    let sql = "select division, count(*) from team_divisions join accounts on id = account_id \
               where confirmed_at_ms is not null group by division";
    let rows: Vec<(String, i64)> = run!(tx => query_as(sql).fetch_all);
    let counts = rows.iter().filter_map(|(id, count)| Some((DivisionId::parse(id)?, *count)));
    Ok(counts.collect())
}

/// Adds a new account to divisions.
pub(crate) async fn add_in(tx: &mut Tx, account_id: i64, ids: &[DivisionId]) -> Result<()> {
    for id in ids {
        run!(tx => query(INSERT, account_id, id.as_str()).execute);
    }
    Ok(())
}

/// Replaces the divisions of an account.
pub async fn set_in(tx: &mut Tx, account_id: i64, ids: &[DivisionId]) -> Result<()> {
    run!(tx => query("delete from team_divisions where account_id = $1", account_id).execute);
    add_in(tx, account_id, ids).await
}
