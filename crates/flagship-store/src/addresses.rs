//! Changes of email addresses. A link sent to the old address can stop a change for one day. A
//! change requested by the team takes effect when the new address is confirmed. A change by a
//! support organizer takes effect after that day, so that deceiving the organizer is not enough to
//! take over a team.

use crate::accounts::{self, Account};
use crate::engine::{Tx, run};
use crate::key::token_hash;
use crate::{Db, Result, mail, sessions};

/// Period in which the old address can stop a change, in milliseconds. It starts when the warning
/// email is sent.
pub const STOP_MS: i64 = 24 * 3_600_000;

/// The account with exactly this name, confirmed or not.
pub async fn named(db: &Db, name: &str) -> Result<Option<Account>> {
    if name.contains('\0') {
        return Ok(None);
    }
    accounts::named_in(&mut db.snapshot().await?, name).await
}

/// Corrects the address of an unconfirmed account and stores a token that confirms it; `false` if
/// the account is confirmed or expired. Invalidates the links sent to the old address, which was
/// never confirmed.
pub async fn correct(
    tx: &mut Tx,
    account: &Account,
    email: &str,
    token: &str,
    now_ms: i64,
) -> Result<bool> {
    let present = accounts::by_id_in(tx, account.id).await?;
    let waits = |it: &Account| it.confirmed_at_ms.is_none() && !it.has_lapsed(now_ms);
    if !present.is_some_and(|it| waits(&it) && it.password_hash == account.password_hash) {
        return Ok(false);
    }
    set_email_in(tx, account.id, &email.to_lowercase()).await?;
    mail::end_tokens_in(tx, account.id, now_ms).await?;
    let expires_at_ms = account.created_at_ms + accounts::UNCONFIRMED_MS;
    let account_id = account.id;
    let purpose = mail::Purpose::Confirm;
    mail::keep_tokens(tx, &[mail::Token { token, account_id, purpose, expires_at_ms }]).await?;
    Ok(true)
}

/// Returns the account whose address a token changes.
pub async fn asking(db: &Db, token: &str, now_ms: i64) -> Result<Option<Account>> {
    let mut tx = db.snapshot().await?;
    match mail::address_of_token_in(&mut tx, token, now_ms).await? {
        Some((id, _)) => accounts::by_id_in(&mut tx, id).await,
        None => Ok(None),
    }
}

/// Changes the address of a confirmed account: immediately, or a day after the warning to the
/// current address was sent. `stop` is the token in the warning. Replaces a pending change.
pub async fn change_in(
    tx: &mut Tx,
    account: &Account,
    new_email: &str,
    warning: (i64, &str),
    at_once: bool,
    now_ms: i64,
) -> Result<()> {
    let (warning_id, stop) = warning;
    end_waiting_in(tx, account.id, "replaced").await?;
    let number = count_in(tx, account.id, i64::MIN).await? + 1;
    let state = if at_once { "done" } else { "waiting" };
    let sql = "insert into address_changes (id, account_id, number, new_email, at_ms, \
               warning_id, state) values ($1, $2, $3, $4, $5, $6, $7)";
    run!(tx => query(sql, rand::random_range(1..i64::MAX), account.id, number, new_email, now_ms,
        warning_id, state).execute);
    let sql = "insert into address_stops (token_hash, account_id, number, email, warning_id) \
               values ($1, $2, $3, $4, $5)";
    run!(tx => query(sql, token_hash(stop), account.id, number, &account.email, warning_id)
        .execute);
    if at_once {
        set_email_in(tx, account.id, new_email).await?;
        // Invalidates the links that were sent to the old address.
        mail::end_tokens_in(tx, account.id, now_ms).await?;
    }
    Ok(())
}

/// Number of address changes of an account since a time.
pub async fn count_in(tx: &mut Tx, account_id: i64, since_ms: i64) -> Result<i64> {
    let sql = "select count(*) from address_changes where account_id = $1 and at_ms > $2";
    Ok(run!(tx => query_scalar(sql, account_id, since_ms).fetch_one))
}

async fn end_waiting_in(tx: &mut Tx, account_id: i64, state: &str) -> Result<()> {
    let sql = "update address_changes set state = $2 \
               where account_id = $1 and state = 'waiting'";
    run!(tx => query(sql, account_id, state).execute);
    Ok(())
}

/// Sets an address immediately.
pub(crate) async fn set_email_in(tx: &mut Tx, account_id: i64, email: &str) -> Result<()> {
    run!(tx => query("update accounts set email = $2 where id = $1", account_id, email).execute);
    Ok(())
}

/// Query for a valid stop token: an unused one whose email is pending or was sent less than a day
/// ago.
const STOP: &str = "select account_id, number, email from address_stops join outbox \
                    on outbox.id = warning_id where token_hash = $1 and (sent_at_ms > $2 \
                    or sent_at_ms is null and next_at_ms is not null)";

/// Stop token of an address change, with the address that it restores.
#[derive(sqlx::FromRow)]
struct Stop {
    account_id: i64,
    number: i64,
    email: String,
}

/// True if a token can stop a change.
pub async fn is_stop(db: &Db, token: &str, now_ms: i64) -> Result<bool> {
    Ok(find_in(&mut db.snapshot().await?, token, now_ms).await?.is_some())
}

async fn find_in(tx: &mut Tx, token: &str, now_ms: i64) -> Result<Option<Stop>> {
    Ok(run!(tx => query_as(STOP, token_hash(token), now_ms - STOP_MS).fetch_optional))
}

/// Restores the address to which this token was sent and returns the account; `None` if the token
/// is invalid. Revokes sessions, unused links and the stop tokens of later changes. Stop tokens of
/// earlier changes stay valid: the owner of the restored address may have taken the account from an
/// earlier owner. If the change had already taken effect, the password is removed too.
pub(crate) async fn stop_in(tx: &mut Tx, token: &str, now_ms: i64) -> Result<Option<Account>> {
    let Some(Stop { account_id: id, number, email }) = find_in(tx, token, now_ms).await? else {
        return Ok(None);
    };
    let Some(account) = accounts::by_id_in(tx, id).await? else { return Ok(None) };
    end_waiting_in(tx, id, "stopped").await?;
    let sql = "delete from address_stops where account_id = $1 and number >= $2";
    run!(tx => query(sql, id, number).execute);
    let sql = "select count(*) from address_changes \
               where account_id = $1 and number >= $2 and state = 'done'";
    let counted: i64 = run!(tx => query_scalar(sql, id, number).fetch_one);
    if counted > 0 {
        set_email_in(tx, id, &email).await?;
        run!(tx => query("update accounts set password_hash = null where id = $1", id).execute);
    }
    mail::end_tokens_in(tx, id, now_ms).await?;
    sessions::revoke_all_in(tx, id, now_ms).await?;
    Ok(Some(account))
}

/// Completes the changes that are [`STOP_MS`] old. A change whose warning was not sent waits for an
/// organizer.
pub async fn settle(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let sql = "select account_id, new_email from address_changes join outbox \
               on outbox.id = warning_id where state = 'waiting' and sent_at_ms <= $1";
    let due: Vec<(i64, String)> = run!(tx => query_as(sql, now_ms - STOP_MS).fetch_all);
    for (id, email) in due {
        end_waiting_in(tx, id, "done").await?;
        set_email_in(tx, id, &email).await?;
        // Invalidates the links that were sent to the old address.
        mail::end_tokens_in(tx, id, now_ms).await?;
    }
    Ok(())
}
