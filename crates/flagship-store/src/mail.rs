//! Mail: the durable outbox, and the tokens of mailed links.

use crate::engine::{Tx, on, run};
use crate::key::token_hash;
use crate::{Db, Lock, Result};

/// How long a mailed link is valid, in milliseconds.
pub const LINK_MS: i64 = 24 * 3_600_000;
/// Length of the digest of what shares the event's mails of an hour: a network, or all networks
/// that the organizers trust as one.
pub const SHARER_DIGITS: usize = 32;
/// Longest error that is stored, in bytes.
const ERROR_BYTES_MAX: usize = 500;
/// Tokens and blanks that one transaction deletes: others wait for the writer.
const DELETED_MAX: i64 = 1_000;
/// The purpose of a link that makes an address a team's.
const ADDRESS: &str = "address";
/// The window of the mail budgets, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// How long mails to teams count whose import was taken back, in milliseconds.
const REMOVED_MS: i64 = 24 * HOUR_MS;

/// What a mailed link is for; a link for one purpose is not valid for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms an e-mail address.
    Confirm,
    /// Sets a new password.
    Reset,
}

impl Purpose {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reset => "reset",
        }
    }
}

/// A mail to be sent. No `Debug`: it holds an address and links.
#[derive(Clone, PartialEq, Eq)]
pub struct Draft {
    /// The recipient.
    pub address: String,
    /// The subject; empty in a blank, which is not sent.
    pub subject: String,
    /// The plain text; empty in a blank.
    pub body: String,
}

impl Draft {
    /// A mail that is queued, counted and marked as sent like any other, but not sent: with it, an
    /// unknown address costs as much as a known one.
    pub fn blank(address: &str) -> Self {
        Self { address: address.to_owned(), subject: String::new(), body: String::new() }
    }
}

/// A mail in the outbox that is due.
#[derive(Clone, sqlx::FromRow)]
pub struct DueMail {
    /// Its id.
    pub id: i64,
    /// The recipient.
    pub address: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub body: String,
    /// How often sending was tried before.
    pub attempts: i64,
    /// What shares the event's mails of an hour, if a client caused it.
    pub sharer: Option<String>,
    /// How many mails of the hour its sharer has had with this one.
    pub turn: i64,
}

/// Why a mail is sent. Each kind has its own budget for an address, since strangers can cause any
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Someone signed up with the address.
    Signup,
    /// Someone asked for a link.
    Asked(Purpose),
    /// A team asked for another address.
    Address,
    /// The present address is told of that.
    Told,
    /// An organizer caused it.
    Organizer,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Asked(purpose) => purpose.as_str(),
            Self::Address => ADDRESS,
            Self::Told => "told",
            Self::Organizer => "organizer",
        }
    }
}

/// What a mail counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// Why it is sent.
    pub kind: Kind,
    /// Digests of what shares mails with the client, in [`SHARER_DIGITS`], and of its network.
    pub network: &'a str,
    /// Most mails of this kind to an address in an hour, from all networks; 0 is no limit.
    pub per_hour_max: u32,
    /// The account that it is about, with which it is erased; without one it is found by its
    /// address.
    pub account_id: Option<i64>,
}

impl Cause<'_> {
    /// The same of a mail that is about an account.
    pub fn about(self, account_id: i64) -> Self {
        Self { account_id: Some(account_id), ..self }
    }
}

/// Queues a mail within a transaction and returns its id; `None` if its budget is spent. The first
/// mail of a network in an hour is always queued: other networks cannot use it up.
pub async fn queue(
    tx: &mut Tx,
    draft: &Draft,
    cause: Cause<'_>,
    now_ms: i64,
) -> Result<Option<i64>> {
    let per_hour_max = i64::from(cause.per_hour_max);
    // Both are read in an index, and no further than the budget: many networks may ask.
    let sql = "select (select count(*) from (select 1 from outbox where address = $1 \
               and kind = $3 and created_at_ms > $2 limit $5) as recent), \
               (select count(*) from (select 1 from outbox where address = $1 and kind = $3 \
               and substr(network, 33) = substr($4, 33) and created_at_ms > $2 \
               limit 1) as own)";
    let (recent, own): (i64, i64) = run!(tx => query_as(sql, &draft.address, now_ms - HOUR_MS,
        cause.kind.as_str(), cause.network, per_hour_max).fetch_one);
    if per_hour_max > 0 && own > 0 && recent >= per_hour_max {
        return Ok(None);
    }
    let id = rand::random_range(1..i64::MAX);
    let sql = "insert into outbox (id, address, subject, body, created_at_ms, next_at_ms, \
               attempts, kind, network, about_id) \
               values ($1, $2, $3, $4, $5, $5, 0, $6, $7, $8)";
    run!(tx => query(sql, id, &draft.address, &draft.subject, &draft.body, now_ms,
        cause.kind.as_str(), cause.network, cause.account_id).execute);
    Ok(Some(id))
}

/// A mailed token.
pub struct Token<'a> {
    /// The token.
    pub token: &'a str,
    /// Whose it is.
    pub account_id: i64,
    /// What it is for.
    pub purpose: Purpose,
    /// When it becomes invalid, in epoch milliseconds.
    pub expires_at_ms: i64,
}

/// Stores the hashes of the tokens of a mail within a transaction, in one statement also for none:
/// how long it takes hardly depends on how many there are.
pub async fn keep_tokens(tx: &mut Tx, tokens: &[Token<'_>]) -> Result<()> {
    on!(tx, conn => {
        let sql = "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms) ";
        let mut insert = sqlx::QueryBuilder::new(sql);
        if tokens.is_empty() {
            insert.push("select '', 0, '', 0 where 1 = 0");
        } else {
            insert.push_values(tokens, |mut line, it| {
                line.push_bind(token_hash(it.token)).push_bind(it.account_id);
                line.push_bind(it.purpose.as_str()).push_bind(it.expires_at_ms);
            });
        }
        insert.build().execute(conn).await?;
    });
    Ok(())
}

/// Marks a token as used and returns its account; `None` if it is not valid for `purpose`, was
/// used, or has expired.
pub async fn use_token(
    tx: &mut Tx,
    token: &str,
    purpose: Purpose,
    now_ms: i64,
) -> Result<Option<i64>> {
    let sql = "update mail_tokens set used_at_ms = $3 where token_hash = $1 and purpose = $2 \
               and used_at_ms is null and expires_at_ms > $3 returning account_id";
    Ok(run!(tx => query_scalar(sql, token_hash(token), purpose.as_str(), now_ms).fetch_optional))
}

/// Stores the hash of a token that makes an address a team's, in place of an unused one.
pub async fn keep_address_token(
    tx: &mut Tx,
    token: &str,
    account_id: i64,
    email: &str,
    now_ms: i64,
) -> Result<()> {
    let sql = "update mail_tokens set used_at_ms = $2 \
               where account_id = $1 and purpose = $3 and used_at_ms is null";
    run!(tx => query(sql, account_id, now_ms, ADDRESS).execute);
    let sql = "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms, email) \
               values ($1, $2, $3, $4, $5)";
    run!(tx => query(sql, token_hash(token), account_id, ADDRESS, now_ms + LINK_MS, email).execute);
    Ok(())
}

/// The account that a token gives another address, and that address. The token stays valid.
pub(crate) async fn address_of_token_in(
    tx: &mut Tx,
    token: &str,
    now_ms: i64,
) -> Result<Option<(i64, String)>> {
    let sql = "select account_id, coalesce(email, '') from mail_tokens where token_hash = $1 \
               and purpose = $2 and used_at_ms is null and expires_at_ms > $3";
    Ok(run!(tx => query_as(sql, token_hash(token), ADDRESS, now_ms).fetch_optional))
}

/// The address that a team asked for, and whose link was not used yet.
pub async fn asked_address_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<Option<String>> {
    let sql = "select email from mail_tokens where account_id = $1 and purpose = $2 \
               and used_at_ms is null and expires_at_ms > $3 and email is not null";
    Ok(run!(tx => query_scalar(sql, account_id, ADDRESS, now_ms).fetch_optional))
}

/// Ends the unused tokens of an account within a transaction.
pub async fn end_tokens_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<()> {
    let sql = "update mail_tokens set used_at_ms = $2 \
               where account_id = $1 and used_at_ms is null";
    run!(tx => query(sql, account_id, now_ms).execute);
    Ok(())
}

/// The mails that are due. Sharers take turns: the first mail of an hour of each comes before the
/// second of any, and those after `turn_max` are left out. The networks of a sharer take turns
/// likewise. Of a network, mails that were requested come before those of signups, then the oldest
/// first.
pub async fn due(db: &Db, now_ms: i64, turn_max: i64, count_max: i64) -> Result<Vec<DueMail>> {
    let sql = "with sent as (select network, count(*) as mails from outbox \
                   where sent_at_ms > $2 group by network), \
               shared as (select substr(network, 1, 32) as sharer, \
                   cast(sum(mails) as bigint) as mails from sent group by substr(network, 1, 32)), \
               waiting as (select id, next_at_ms, substr(outbox.network, 1, 32) as sharer, \
                   coalesce(sent.mails, 0) + row_number() over (partition by outbox.network \
                   order by case kind when 'signup' then 1 else 0 end, next_at_ms, id) as own \
                   from outbox left join sent on sent.network = outbox.network \
                   where next_at_ms <= $1), \
               due as (select id as due_id, waiting.sharer as sharer, \
                   coalesce(shared.mails, 0) + row_number() over (partition by \
                   waiting.sharer order by own, next_at_ms, id) as turn \
                   from waiting left join shared on shared.sharer = waiting.sharer) \
               select id, address, subject, body, attempts, sharer, turn from due \
               join outbox on outbox.id = due_id where turn <= $3 \
               order by turn, next_at_ms, id limit $4";
    Ok(run!(db.read() => query_as(sql, now_ms, now_ms - HOUR_MS, turn_max, count_max).fetch_all))
}

/// Claims a due mail for sending until `until_ms`, when it is due again unless it was sent. `false`
/// if another node was faster.
pub async fn claim(db: &Db, mail: &DueMail, now_ms: i64, until_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update outbox set next_at_ms = $3, attempts = attempts + 1 \
               where id = $1 and next_at_ms <= $2";
    let taken = run!(&mut tx => query(sql, mail.id, now_ms, until_ms).execute);
    tx.commit().await?;
    Ok(taken == 1)
}

/// Marks a mail as sent and deletes its text.
pub async fn sent(db: &Db, id: i64, now_ms: i64) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update outbox set sent_at_ms = $2, next_at_ms = null, body = '', \
               last_error = null where id = $1";
    run!(&mut tx => query(sql, id, now_ms).execute);
    tx.commit().await
}

/// Records a failed attempt, and when to try again; `None` gives up.
pub async fn failed(db: &Db, id: i64, error: &str, next_at_ms: Option<i64>) -> Result<()> {
    let mut end = error.len().min(ERROR_BYTES_MAX);
    while !error.is_char_boundary(end) {
        end -= 1;
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update outbox set next_at_ms = $2, last_error = $3 where id = $1";
    run!(&mut tx => query(sql, id, next_at_ms, &error[..end]).execute);
    tx.commit().await
}

/// The numbers of mails that wait, were sent, and were given up.
pub async fn counts(db: &Db) -> Result<(i64, i64, i64)> {
    let sql = "select \
        coalesce(sum(case when next_at_ms is not null then 1 else 0 end), 0), \
        coalesce(sum(case when sent_at_ms is not null then 1 else 0 end), 0), \
        coalesce(sum(case when sent_at_ms is null and next_at_ms is null then 1 else 0 end), 0) \
        from outbox where subject <> ''";
    Ok(run!(db.read() => query_as(sql).fetch_one))
}

/// The number of mails sent in the last hour. Blanks count: otherwise the mails that an hour has
/// left would tell known addresses from unknown ones.
pub async fn sent_in_hour(db: &Db, now_ms: i64) -> Result<i64> {
    let sql = "select count(*) from outbox where sent_at_ms > $1";
    Ok(run!(db.read() => query_scalar(sql, now_ms - HOUR_MS).fetch_one))
}

/// Turns the mails about an account that were sent, or are under way, into blanks, which still
/// count and say nothing about it.
pub(crate) async fn blank_sent_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<()> {
    let sql = "update outbox set about_id = null, subject = '', body = '', last_error = null, \
               next_at_ms = null, sent_at_ms = coalesce(sent_at_ms, $2) \
               where about_id = $1 and (sent_at_ms is not null or attempts > 0)";
    run!(tx => query(sql, account_id, now_ms).execute);
    Ok(())
}

/// Addresses with the number of emails of the last day to teams whose import was undone.
pub async fn sent_to_removed(db: &Db, now_ms: i64) -> Result<Vec<(String, i64)>> {
    let sql = "select address, count(*) from outbox \
               where subject = '' and kind = $2 and sent_at_ms > $1 group by address";
    Ok(run!(db.read() => query_as(sql, now_ms - REMOVED_MS, Kind::Organizer.as_str()).fetch_all))
}

/// Deletes some of the blanks that no longer count, so that addresses typed by strangers are not
/// stored, and of the tokens that have expired; `true` if there may be more.
pub async fn forget(tx: &mut Tx, now_ms: i64) -> Result<bool> {
    let mut has_more = false;
    for (sql, before_ms) in [
        (
            "delete from outbox where id in (select id from outbox where subject = '' \
             and sent_at_ms <= $1 and coalesce(kind, '') <> 'organizer' limit $2)",
            now_ms - HOUR_MS,
        ),
        (
            "delete from outbox where id in (select id from outbox where subject = '' \
             and sent_at_ms <= $1 limit $2)",
            now_ms - REMOVED_MS,
        ),
        (
            "delete from mail_tokens where token_hash in (select token_hash from mail_tokens \
             where expires_at_ms <= $1 limit $2)",
            now_ms,
        ),
    ] {
        let deleted = run!(tx => query(sql, before_ms, DELETED_MAX).execute);
        has_more |= deleted as i64 == DELETED_MAX;
    }
    Ok(has_more)
}
