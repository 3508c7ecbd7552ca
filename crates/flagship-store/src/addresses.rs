//! Addresses that organizers change. For a day the old address can stop the change, and unless an
//! organizer confirms it, links go to the old address until then: who talks a helper into a change
//! does not get the team.

use crate::accounts::{self, Account};
use crate::engine::{Tx, on};
use crate::mail::{self, Purpose};
use crate::{Db, Result, sessions};

/// How long the old address can stop a change, in milliseconds.
pub const STOP_MS: i64 = 24 * 3_600_000;

/// A change that can be stopped.
#[derive(Clone, sqlx::FromRow)]
struct Open {
    id: i64,
    account_id: i64,
    old_email: String,
    state: String,
}

const OPEN: &str = "select id, account_id, old_email, state from address_changes \
                    where account_id = $1 and state in ('waiting', 'done')";

/// The addresses of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where its mails go.
    pub email: String,
    /// The one that can stop changes: the one from before them.
    pub guard: String,
    /// Whether it was confirmed.
    pub is_confirmed: bool,
}

pub(crate) async fn seen_in(tx: &mut Tx, account: &Account) -> Result<Seen> {
    let (open, email) = (open_in(tx, account.id).await?, account.email.clone());
    let guard = open.map_or_else(|| email.clone(), |open| open.old_email);
    Ok(Seen { email, guard, is_confirmed: account.confirmed_at_ms.is_some() })
}

/// The account with exactly this name, and its addresses.
pub async fn of_named(db: &Db, name: &str) -> Result<Option<(Account, Seen)>> {
    if name.contains('\0') {
        return Ok(None);
    }
    let mut tx = db.snapshot().await?;
    let Some(account) = accounts::named_in(&mut tx, name).await? else { return Ok(None) };
    let seen = seen_in(&mut tx, &account).await?;
    Ok(Some((account, seen)))
}

async fn open_in(tx: &mut Tx, account_id: i64) -> Result<Option<Open>> {
    Ok(on!(tx, conn => sqlx::query_as(OPEN).bind(account_id).fetch_optional(conn).await?))
}

/// Changes the address of a confirmed account, at once or after [`STOP_MS`]. It takes the place of
/// a change that can still be stopped.
pub(crate) async fn change_in(
    tx: &mut Tx,
    account: &Account,
    new_email: &str,
    at_once: bool,
    now_ms: i64,
) -> Result<()> {
    let open = open_in(tx, account.id).await?;
    let old_email = open.as_ref().map_or(&account.email, |open| &open.old_email);
    let state = if at_once { "done" } else { "waiting" };
    on!(tx, conn => {
        if let Some(open) = &open {
            sqlx::query("update address_changes set state = 'replaced' where id = $1")
                .bind(open.id).execute(&mut *conn).await?;
        }
        let sql = "insert into address_changes (id, account_id, old_email, new_email, at_ms, \
                   state) values ($1, $2, $3, $4, $5, $6)";
        sqlx::query(sql).bind(rand::random_range(1..i64::MAX)).bind(account.id).bind(old_email)
            .bind(new_email).bind(now_ms).bind(state).execute(conn).await?;
    });
    // Until a change is due, links go where they went before it.
    set_email_in(tx, account.id, if at_once { new_email } else { old_email }).await
}

/// Sets an address at once.
pub(crate) async fn set_email_in(tx: &mut Tx, account_id: i64, email: &str) -> Result<()> {
    on!(tx, conn => {
        sqlx::query("update accounts set email = $2 where id = $1").bind(account_id).bind(email)
            .execute(conn).await?;
    });
    Ok(())
}

/// Stops the change of an address by the token that the old address was mailed: it is the team's
/// address again, and sessions and unused links end. If mails went to the new address already, the
/// password is void as well. `false` if the token is not valid.
pub async fn stop(tx: &mut Tx, token: &str, now_ms: i64) -> Result<bool> {
    let Some(id) = mail::use_token(tx, token, Purpose::Stop, now_ms).await? else {
        return Ok(false);
    };
    let Some(open) = open_in(tx, id).await? else { return Ok(false) };
    on!(tx, conn => {
        sqlx::query("update address_changes set state = 'stopped' where id = $1")
            .bind(open.id).execute(conn).await?;
    });
    if open.state == "done" {
        set_email_in(tx, open.account_id, &open.old_email).await?;
        on!(tx, conn => {
            sqlx::query("update accounts set password_hash = null where id = $1")
                .bind(open.account_id).execute(conn).await?;
        });
    }
    mail::end_tokens_in(tx, open.account_id, now_ms).await?;
    sessions::revoke_all_in(tx, open.account_id, now_ms).await?;
    Ok(true)
}

/// Makes changes final whose day has passed.
pub async fn settle(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let due = "state in ('waiting', 'done') and at_ms <= $1";
    let waiting = format!(
        "update accounts set email = (select new_email from address_changes \
         where account_id = accounts.id and state = 'waiting') \
         where id in (select account_id from address_changes where state = 'waiting' \
         and at_ms <= $1)"
    );
    let settled = format!("update address_changes set state = 'settled' where {due}");
    for sql in [waiting, settled] {
        on!(tx, conn => {
            sqlx::query(sqlx::AssertSqlSafe(sql)).bind(now_ms - STOP_MS).execute(&mut *conn)
                .await?;
        });
    }
    Ok(())
}
