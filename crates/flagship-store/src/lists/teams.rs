//! Team accounts, and the delivery status of their emails.

use std::collections::HashSet;

use crate::desk::members;
use crate::desk::signup_answers::{self, Answer};
use crate::engine::names::names;
use crate::engine::{on, push_list, run};
use crate::{Db, Result};

/// Maximum accounts per query.
const IDS_MAX: usize = 500;

/// An account without a team in the journal: an unconfirmed one, or one on the waiting list.
/// Expired accounts are included until they are deleted.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Outside {
    /// The id.
    pub id: i64,
    /// The team's name.
    pub name: String,
    /// Two-letter country code.
    pub country: String,
}

/// Delivery status of the newest email to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailState {
    /// Not tried yet, or first attempt under way.
    Queued,
    /// Accepted by the mail server.
    Sent,
    /// Rejected by the mail server, or no answer.
    Refused,
}

names!(MailState; Queued = "queued", Sent = "sent", Refused = "refused");

impl MailState {
    /// Returns the status of an email from its sending time and the mail server's last reply.
    pub fn of(sent_at_ms: Option<i64>, said: Option<&str>) -> Self {
        match (sent_at_ms, said) {
            (Some(_), _) => Self::Sent,
            (None, Some(_)) => Self::Refused,
            (None, None) => Self::Queued,
        }
    }
}

/// The newest email to an address. No `Debug`, because the mail server's reply can contain the
/// address.
#[derive(Clone, PartialEq, Eq)]
pub struct LastMail {
    /// Delivery status.
    pub state: MailState,
    /// Time of queuing, in epoch milliseconds.
    pub queued_at_ms: i64,
    /// Time of sending, in epoch milliseconds.
    pub sent_at_ms: Option<i64>,
    /// Time of the next attempt; `None` if sent or given up.
    pub next_at_ms: Option<i64>,
    /// Number of attempts.
    pub tries: i64,
    /// Reply of the mail server to the last failed attempt.
    pub said: Option<String>,
}

/// An account with its addresses. No `Debug`.
#[derive(Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Contact {
    /// The account's id.
    pub id: i64,
    /// Current email address.
    pub email: String,
    /// Pending new email address.
    pub new_email: Option<String>,
    /// True if the team declared that all members are students.
    pub student: bool,
    /// Time of the signup, in epoch milliseconds.
    pub created_at_ms: i64,
    /// Time at which the address was confirmed, in epoch milliseconds.
    pub confirmed_at_ms: Option<i64>,
    /// Newest email to the address, if any.
    #[sqlx(skip)]
    pub mail: Option<LastMail>,
    /// Member names, as entered by the team.
    #[sqlx(skip)]
    pub members: Vec<String>,
    /// Answers in the signup form.
    #[sqlx(skip)]
    pub answers: Vec<Answer>,
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

/// The emails to an address, without blank ones, are in the index `outbox_address`.
const CONTACTS: &str = "select a.id, a.email, c.new_email, a.student, a.created_at_ms, \
    a.confirmed_at_ms, o.created_at_ms as queued_at_ms, o.sent_at_ms, o.next_at_ms, o.attempts, \
    o.last_error from accounts a \
    left join address_changes c on c.account_id = a.id and c.state = 'waiting' \
    left join outbox o on o.id = (select m.id from outbox m where m.address = a.email \
        and m.subject <> '' order by m.created_at_ms desc, m.id desc limit 1) where a.id in ";

/// Returns the unconfirmed accounts, oldest first.
pub async fn unconfirmed(db: &Db) -> Result<Vec<Outside>> {
    let sql = "select id, name, country from accounts where confirmed_at_ms is null \
               order by created_at_ms, id";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// Returns the confirmed accounts on the waiting list, in the order of their signups.
pub async fn waiting(db: &Db) -> Result<Vec<Outside>> {
    let sql = "select id, name, country from accounts where waiting_since_ms is not null \
               and confirmed_at_ms is not null \
               order by coalesce(signup_number, 0), created_at_ms, id";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// Returns the ids of accounts whose current or pending address contains `part`, which must be in
/// lower case.
pub async fn with_address(db: &Db, part: &str) -> Result<HashSet<i64>> {
    // No address contains NUL, and PostgreSQL rejects text with NUL.
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

/// Returns the sort key of every account: the time of its signup or import, in epoch milliseconds,
/// and its id. Sort keys never change.
pub async fn places(db: &Db) -> Result<Vec<(i64, i64)>> {
    let sql = "select created_at_ms, id from accounts";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// Returns the accounts whose newest email was not sent, with its status.
pub async fn undelivered(db: &Db) -> Result<Vec<(i64, MailState)>> {
    // One part per index on addresses.
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

/// Returns the accounts with these ids, in any order.
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
    let mut answers = signup_answers::of_accounts(db, ids).await?;
    for contact in &mut contacts {
        contact.answers = answers.remove(&contact.id).unwrap_or_default();
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
