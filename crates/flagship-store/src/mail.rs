//! Email: the durable outbox, and the tokens of emailed links.

use crate::engine::{Tx, insert, on, push_list, run};
use crate::key::token_hash;
use crate::{Db, Lock, Result};

/// Lifetime of an emailed link, in milliseconds.
pub const LINK_MS: i64 = 24 * 3_600_000;
/// Length of a sharer's digest. A sharer is a unit of the hourly email limit: one network, or all
/// trusted networks together.
pub const SHARER_DIGITS: usize = 32;
/// Maximum length of a stored error, in bytes.
const ERROR_BYTES_MAX: usize = 500;
/// Maximum tokens and blank emails deleted per transaction, because other writers wait for it.
const DELETED_MAX: i64 = 1_000;
/// Maximum accounts per statement.
const ACCOUNTS_MAX: usize = 500;
/// Purpose of links that confirm a new address of a team.
const ADDRESS: &str = "address";
/// Purpose of the tokens of join cards: the token of the link, and the MAC of the code.
pub(crate) const CARD: &str = "card";
/// The window of the mail budgets, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// Time for which emails to teams of an undone import still count toward the limits, in
/// milliseconds.
const REMOVED_MS: i64 = 24 * HOUR_MS;

/// Purpose of an emailed link. A link is only valid for its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms an email address.
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

/// An email to be sent. No `Debug`, because it contains an address and links.
#[derive(Clone, PartialEq, Eq)]
pub struct Draft {
    /// The recipient.
    pub address: String,
    /// The subject; empty in a blank email, which is not sent.
    pub subject: String,
    /// The plain text; empty in a blank email.
    pub body: String,
}

impl Draft {
    /// Creates a blank email. It is queued, counted and marked as sent like any other email, but
    /// never sent. With blank emails, requests for unknown addresses take as long as for known
    /// ones.
    pub fn blank(address: &str) -> Self {
        Self { address: address.to_owned(), subject: String::new(), body: String::new() }
    }
}

/// A due email of the outbox.
#[derive(Clone, sqlx::FromRow)]
pub struct DueMail {
    /// The id.
    pub id: i64,
    /// The recipient.
    pub address: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub body: String,
    /// Number of earlier attempts.
    pub attempts: i64,
    /// Sharer of the hourly limit, if a client caused the email.
    pub sharer: Option<String>,
    /// Number of emails in this hour for the sharer, including this one.
    pub turn: i64,
}

/// Cause of an email. Each kind has its own limit per address, since strangers can trigger any of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A signup with the address.
    Signup,
    /// A request for a link.
    Asked(Purpose),
    /// A team's request to change its address.
    Address,
    /// Warning to the current address about a requested change.
    Told,
    /// An organizer's action.
    Organizer,
    /// A free place for a waiting team.
    Place,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Asked(purpose) => purpose.as_str(),
            Self::Address => ADDRESS,
            Self::Told => "told",
            Self::Organizer => "organizer",
            Self::Place => "place",
        }
    }
}

/// Cause of an email, with the limits that apply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// Kind of email.
    pub kind: Kind,
    /// Digest of the client's sharer, [`SHARER_DIGITS`] long, followed by the digest of its
    /// network.
    pub network: &'a str,
    /// Maximum emails of this kind per address and hour from all networks; 0 for no limit.
    pub per_hour_max: u32,
    /// Account that the email is about; erasing the account erases the email. Without one, the
    /// email is found by its address.
    pub account_id: Option<i64>,
}

impl Cause<'_> {
    /// Sets the account that the email is about.
    pub fn about(self, account_id: i64) -> Self {
        Self { account_id: Some(account_id), ..self }
    }
}

/// Queues an email within a transaction and returns its id; `None` if its limit is reached. The
/// first email of a network in an hour is always queued, so that other networks cannot use up the
/// limit.
pub async fn queue(
    tx: &mut Tx,
    draft: &Draft,
    cause: Cause<'_>,
    now_ms: i64,
) -> Result<Option<i64>> {
    if room(tx, &draft.address, cause, now_ms).await? <= 0 {
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

/// Number of emails to an address that [`queue`] accepts before the limit. Never less than one if
/// the network has caused none in the last hour.
pub async fn room(tx: &mut Tx, address: &str, cause: Cause<'_>, now_ms: i64) -> Result<i64> {
    let per_hour_max = i64::from(cause.per_hour_max);
    // Both counts are read from an index and stop at the limit, since many networks can send
    // requests.
    let sql = "select (select count(*) from (select 1 from outbox where address = $1 \
               and kind = $3 and created_at_ms > $2 limit $5) as recent), \
               (select count(*) from (select 1 from outbox where address = $1 and kind = $3 \
               and substr(network, 33) = substr($4, 33) and created_at_ms > $2 \
               limit 1) as own)";
    let (recent, own): (i64, i64) = run!(tx => query_as(sql, address, now_ms - HOUR_MS,
        cause.kind.as_str(), cause.network, per_hour_max).fetch_one);
    Ok(if per_hour_max == 0 || own == 0 { i64::MAX } else { per_hour_max - recent })
}

/// An emailed token.
pub struct Token<'a> {
    /// The token.
    pub token: &'a str,
    /// The account.
    pub account_id: i64,
    /// Purpose of the token.
    pub purpose: Purpose,
    /// Expiry time, in epoch milliseconds.
    pub expires_at_ms: i64,
}

/// Stores the hashes of an email's tokens within a transaction. Runs one statement even without
/// tokens, so that the duration hardly depends on their number.
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

/// Marks a token as used and returns its account; `None` if it has another purpose, was used or has
/// expired.
pub async fn use_token(
    tx: &mut Tx,
    token: &str,
    purpose: Purpose,
    now_ms: i64,
) -> Result<Option<i64>> {
    use_token_of(tx, token, purpose.as_str(), now_ms).await
}

/// Like [`use_token`], for any purpose.
pub(crate) async fn use_token_of(
    tx: &mut Tx,
    token: &str,
    purpose: &str,
    now_ms: i64,
) -> Result<Option<i64>> {
    let sql = "update mail_tokens set used_at_ms = $3 where token_hash = $1 and purpose = $2 \
               and used_at_ms is null and expires_at_ms > $3 returning account_id";
    Ok(run!(tx => query_scalar(sql, token_hash(token), purpose, now_ms).fetch_optional))
}

/// Stores the hashes of tokens of join cards, with their accounts, within a transaction.
pub(crate) async fn keep_cards_in(
    tx: &mut Tx,
    tokens: &[(&str, i64)],
    expires_at_ms: i64,
) -> Result<()> {
    for tokens in tokens.chunks(ACCOUNTS_MAX) {
        let sql = "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms) ";
        insert!(tx => sql, tokens, |(token, id)| (token_hash(token), *id, CARD, expires_at_ms), "");
    }
    Ok(())
}

/// Stores the hash of a token that confirms a new address. Replaces the account's unused token.
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

/// Returns the account and the new address of a token. Does not use up the token.
pub(crate) async fn address_of_token_in(
    tx: &mut Tx,
    token: &str,
    now_ms: i64,
) -> Result<Option<(i64, String)>> {
    let sql = "select account_id, coalesce(email, '') from mail_tokens where token_hash = $1 \
               and purpose = $2 and used_at_ms is null and expires_at_ms > $3";
    Ok(run!(tx => query_as(sql, token_hash(token), ADDRESS, now_ms).fetch_optional))
}

/// Returns the new address that a team requested and has not confirmed yet.
pub async fn asked_address_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<Option<String>> {
    let sql = "select email from mail_tokens where account_id = $1 and purpose = $2 \
               and used_at_ms is null and expires_at_ms > $3 and email is not null";
    Ok(run!(tx => query_scalar(sql, account_id, ADDRESS, now_ms).fetch_optional))
}

/// Deletes the unused join cards of accounts within a transaction. A used one stays, as proof that
/// its team has played.
pub async fn end_cards_in(tx: &mut Tx, account_ids: &[i64]) -> Result<()> {
    for ids in account_ids.chunks(ACCOUNTS_MAX) {
        on!(&mut *tx, conn => {
            let sql = "delete from mail_tokens where purpose = 'card' and used_at_ms is null \
                       and account_id in ";
            let mut query = sqlx::QueryBuilder::new(sql);
            push_list(&mut query, ids);
            query.build().execute(conn).await?;
        });
    }
    Ok(())
}

/// Invalidates the unused tokens of an account within a transaction, and its join card.
pub async fn end_tokens_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<()> {
    end_cards_in(tx, &[account_id]).await?;
    let sql = "update mail_tokens set used_at_ms = $2 \
               where account_id = $1 and used_at_ms is null";
    run!(tx => query(sql, account_id, now_ms).execute);
    Ok(())
}

/// Returns the due emails. Sharers take turns: each sharer's first email of the hour precedes any
/// sharer's second, and emails after a sharer's first `turn_max` are skipped. The networks of a
/// sharer take turns in the same way. Within a network, requested emails precede signup emails,
/// then older emails precede newer ones.
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

/// Claims a due email for sending until `until_ms`. After that it is due again unless it was sent.
/// Returns `false` if another node claimed it first.
pub async fn claim(db: &Db, mail: &DueMail, now_ms: i64, until_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update outbox set next_at_ms = $3, attempts = attempts + 1 \
               where id = $1 and next_at_ms <= $2";
    let taken = run!(&mut tx => query(sql, mail.id, now_ms, until_ms).execute);
    tx.commit().await?;
    Ok(taken == 1)
}

/// Marks an email as sent and deletes its text.
pub async fn sent(db: &Db, id: i64, now_ms: i64) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update outbox set sent_at_ms = $2, next_at_ms = null, body = '', \
               last_error = null where id = $1";
    run!(&mut tx => query(sql, id, now_ms).execute);
    tx.commit().await
}

/// Records a failed attempt and the time of the next one; `None` gives up.
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

/// Numbers of queued, sent and failed emails.
pub async fn counts(db: &Db) -> Result<(i64, i64, i64)> {
    let sql = "select \
        coalesce(sum(case when next_at_ms is not null then 1 else 0 end), 0), \
        coalesce(sum(case when sent_at_ms is not null then 1 else 0 end), 0), \
        coalesce(sum(case when sent_at_ms is null and next_at_ms is null then 1 else 0 end), 0) \
        from outbox where subject <> ''";
    Ok(run!(db.read() => query_as(sql).fetch_one))
}

/// Number of emails sent in the last hour. Blanks count: otherwise the remaining number would
/// distinguish known from unknown addresses.
pub async fn sent_in_hour(db: &Db, now_ms: i64) -> Result<i64> {
    let sql = "select count(*) from outbox where sent_at_ms > $1";
    Ok(run!(db.read() => query_scalar(sql, now_ms - HOUR_MS).fetch_one))
}

/// Turns sent and in-flight emails about an account into blanks, which still count but contain
/// nothing about it.
pub(crate) async fn blank_sent_in(tx: &mut Tx, account_id: i64, now_ms: i64) -> Result<()> {
    let sql = "update outbox set about_id = null, subject = '', body = '', last_error = null, \
               next_at_ms = null, sent_at_ms = coalesce(sent_at_ms, $2) \
               where about_id = $1 and (sent_at_ms is not null or attempts > 0)";
    run!(tx => query(sql, account_id, now_ms).execute);
    Ok(())
}

/// Returns the addresses of teams whose import was undone, each with the number of emails sent to
/// these teams in the last day.
pub async fn sent_to_removed(db: &Db, now_ms: i64) -> Result<Vec<(String, i64)>> {
    let sql = "select address, count(*) from outbox \
               where subject = '' and kind = $2 and sent_at_ms > $1 group by address";
    Ok(run!(db.read() => query_as(sql, now_ms - REMOVED_MS, Kind::Organizer.as_str()).fetch_all))
}

/// Deletes some expired tokens, and some blank emails that no longer count, so that addresses
/// entered by strangers are not kept. Returns `true` if there may be more.
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
