//! The accounts of teams, and what became of the mail to their addresses.

use std::collections::HashSet;

use crate::desk::members;
use crate::engine::names::names;
use crate::engine::{on, push_list, run};
use crate::{Db, Result};

/// Accounts of one look-up.
const IDS_MAX: usize = 500;

/// An account that was not confirmed yet. A lapsed one is among them until it is deleted.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Unconfirmed {
    /// Its id.
    pub id: i64,
    /// The team's name.
    pub name: String,
    /// Two-letter country code.
    pub country: String,
}

/// What became of the newest mail to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailState {
    /// It was not tried yet, or is being tried for the first time.
    Queued,
    /// The mail server took it.
    Sent,
    /// The mail server refused it, or did not answer.
    Refused,
}

names!(MailState; Queued = "queued", Sent = "sent", Refused = "refused");

impl MailState {
    /// What became of a mail, by when it was sent and what the mail server said last.
    pub fn of(sent_at_ms: Option<i64>, said: Option<&str>) -> Self {
        match (sent_at_ms, said) {
            (Some(_), _) => Self::Sent,
            (None, Some(_)) => Self::Refused,
            (None, None) => Self::Queued,
        }
    }
}

/// The newest mail to an address. No `Debug`: the server's words may have the address.
#[derive(Clone, PartialEq, Eq)]
pub struct LastMail {
    /// What became of it.
    pub state: MailState,
    /// When it was queued, in epoch milliseconds.
    pub queued_at_ms: i64,
    /// When it was sent.
    pub sent_at_ms: Option<i64>,
    /// When it is tried next; `None` if it was sent or given up.
    pub next_at_ms: Option<i64>,
    /// How often it was tried.
    pub tries: i64,
    /// What the mail server said when it refused it.
    pub said: Option<String>,
}

/// An account with its addresses. No `Debug`.
#[derive(Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Contact {
    /// The account's id.
    pub id: i64,
    /// Where its mails go.
    pub email: String,
    /// Where they will go, unless that is stopped.
    pub new_email: Option<String>,
    /// Whether the team says that it consists of students alone.
    pub student: bool,
    /// When it signed up, in epoch milliseconds.
    pub created_at_ms: i64,
    /// When it confirmed its address.
    pub confirmed_at_ms: Option<i64>,
    /// The newest mail to its address, if there was one.
    #[sqlx(skip)]
    pub mail: Option<LastMail>,
    /// The names of its people, as it says them.
    #[sqlx(skip)]
    pub members: Vec<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(flatten)]
    contact: Contact,
    queued_at_ms: Option<i64>,
    sent_at_ms: Option<i64>,
    next_at_ms: Option<i64>,
    attempts: Option<i64>,
    last_error: Option<String>,
}

/// The mails of an address, of which blanks are none, are in `outbox_address`.
const CONTACTS: &str = "select a.id, a.email, c.new_email, a.student, a.created_at_ms, \
    a.confirmed_at_ms, o.created_at_ms as queued_at_ms, o.sent_at_ms, o.next_at_ms, o.attempts, \
    o.last_error from accounts a \
    left join address_changes c on c.account_id = a.id and c.state = 'waiting' \
    left join outbox o on o.id = (select m.id from outbox m where m.address = a.email \
        and m.subject <> '' order by m.created_at_ms desc, m.id desc limit 1) where a.id in ";

/// The accounts that are not confirmed, the oldest first.
pub async fn unconfirmed(db: &Db) -> Result<Vec<Unconfirmed>> {
    let sql = "select id, name, country from accounts where confirmed_at_ms is null \
               order by created_at_ms, id";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// The ids of the accounts whose address, or the one that waits, has `part` in it, in lower case.
pub async fn with_address(db: &Db, part: &str) -> Result<HashSet<i64>> {
    // No address has one, and PostgreSQL takes no text with one.
    if part.contains('\0') {
        return Ok(HashSet::new());
    }
    let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let like = format!("%{escaped}%");
    let sql = "select id from accounts where email like $1 escape '\\' \
               union select account_id from address_changes \
               where state = 'waiting' and new_email like $1 escape '\\'";
    let ids: Vec<i64> = run!(db.read() => query_scalar(sql, like).fetch_all);
    Ok(ids.into_iter().collect())
}

/// The places of all accounts in the order in which they signed up or were imported: the time, in
/// epoch milliseconds, and the id. They never change.
pub async fn places(db: &Db) -> Result<Vec<(i64, i64)>> {
    let sql = "select created_at_ms, id from accounts";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// The accounts whose newest mail was not sent, each with what became of it.
pub async fn undelivered(db: &Db) -> Result<Vec<(i64, MailState)>> {
    // One part for each index on addresses.
    let sql = "with unsent as (select o.address, o.last_error is not null as is_refused \
                   from outbox o where o.sent_at_ms is null and o.subject <> '' and not exists \
                   (select 1 from outbox m where m.address = o.address and m.subject <> '' \
                   and (m.created_at_ms > o.created_at_ms \
                   or m.created_at_ms = o.created_at_ms and m.id > o.id))) \
               select a.id, is_refused from unsent join accounts a \
                   on a.email = unsent.address and a.confirmed_at_ms is null \
               union all select a.id, is_refused from unsent join accounts a \
                   on a.email = unsent.address and a.confirmed_at_ms is not null";
    let rows: Vec<(i64, bool)> = run!(db.read() => query_as(sql).fetch_all);
    let state = |is_refused| if is_refused { MailState::Refused } else { MailState::Queued };
    Ok(rows.into_iter().map(|(id, is_refused)| (id, state(is_refused))).collect())
}

/// The accounts with these ids, in any order.
pub async fn contacts(db: &Db, ids: &[i64]) -> Result<Vec<Contact>> {
    let mut contacts = Vec::with_capacity(ids.len());
    for ids in ids.chunks(IDS_MAX) {
        let rows: Vec<Row> = on!(db.read(), conn => {
            let mut select = sqlx::QueryBuilder::new(CONTACTS);
            push_list(&mut select, ids);
            select.build_query_as().fetch_all(conn).await?
        });
        contacts.extend(rows.into_iter().map(Contact::from));
    }
    let mut members = members::of_accounts(db, ids).await?;
    for contact in &mut contacts {
        contact.members = members.remove(&contact.id).unwrap_or_default();
    }
    Ok(contacts)
}

impl From<Row> for Contact {
    fn from(row: Row) -> Self {
        let mail = row.queued_at_ms.zip(row.attempts).map(|(queued_at_ms, tries)| LastMail {
            state: MailState::of(row.sent_at_ms, row.last_error.as_deref()),
            queued_at_ms,
            sent_at_ms: row.sent_at_ms,
            next_at_ms: row.next_at_ms,
            tries,
            said: row.last_error,
        });
        Self { mail, ..row.contact }
    }
}
