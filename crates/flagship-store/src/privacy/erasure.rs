//! What is kept about a team beside the journal, and how it is erased. What the journal needs
//! stays: entries, solves, and the name, which no other team gets.

use crate::engine::{Tx, run};
use crate::{Db, Result, sessions};

/// The mails of an account: those about it, and of those about several teams or none the ones to an
/// address of it. Another team's address, which it may have asked for, is not among these.
const MAILS: &str = "(about_id = $1 or about_id is null and address in \
    (select email from accounts where id = $1 union \
    select new_email from address_changes where account_id = $1 union \
    select email from address_stops where account_id = $1))";

/// The actions about a team, its solves, its questions, and what it has in common with others.
const ACTIONS: &str = "in (select action_id from action_objects where object in ('team ' || $1, \
    'name ' || $1, 'evidence ' || $1) or object like 'solve ' || $1 || ' %' \
    or object like 'evidence ' || $1 || ' %' or object like 'evidence % ' || $1 \
    or object in (select 'question ' || id from questions where account_id = cast($1 as bigint)))";
/// The same of all teams.
const ALL_ACTIONS: &str = "in (select action_id from action_objects where object like 'team %' \
    or object like 'name %' or object like 'solve %' or object like 'question %' \
    or object like 'evidence %')";

/// Something that is kept about a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The table.
    pub table: &'static str,
    /// What of it.
    pub what: &'static str,
    /// In how many rows.
    pub rows: i64,
    /// For how long.
    pub until: Until,
}

/// For how long something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until it is erased.
    Erased,
    /// Until sightings are erased, by the event's settings.
    Sightings,
    /// Until the event ends, unless it is erased before.
    EventEnd,
    /// For hours after it was made, unless it is erased before.
    Hours(i64),
    /// Until a time, in epoch milliseconds, unless it is erased before.
    Time(i64),
    /// For good: the journal and the names of teams need it.
    Never,
}

/// The table of mailed links, and that of mails.
const LINKS: &str = "mail_tokens";
const OUTBOX: &str = "outbox";

/// Table, what of it, its rows about the account `$1`, and for how long they are kept.
const TABLES: [(&str, &str, &str, Until); 17] = [
    (
        "accounts",
        "address, password hash, student, language of mails",
        "id = $1 and (email <> '' or password_hash is not null or student \
        or language is not null)",
        Until::Erased,
    ),
    ("accounts", "name and country, which are public", "id = $1", Until::Never),
    ("names", "what no other team may be called", "account_id = $1", Until::Never),
    ("former_names", "names that it had", "account_id = $1", Until::Never),
    (
        "sessions",
        "logins, by digest, with network and browser",
        "account_id = $1",
        Until::Hours(48),
    ),
    (LINKS, "mailed links, by digest", "account_id = $1", Until::Hours(24)),
    (OUTBOX, "mails about it, without text once sent", MAILS, Until::Erased),
    ("members", "names of its people", "account_id = $1", Until::Erased),
    ("address_changes", "addresses that replaced others", "account_id = $1", Until::Erased),
    ("address_stops", "addresses before", "account_id = $1", Until::Erased),
    ("questions", "questions and answers", "account_id = $1", Until::Erased),
    ("notes", "notes of organizers", "account_id = $1", Until::Erased),
    ("sightings", "when and from which networks it was seen", "team_id = $1", Until::Sightings),
    (
        "wrong_flags",
        "networks of wrong flags",
        "account_id = $1 and network is not null",
        Until::Sightings,
    ),
    (
        "wrong_flags",
        "texts of wrong flags, sealed",
        "account_id = $1 and sealed_text is not null",
        Until::EventEnd,
    ),
    ("wrong_flags", "wrong flags, by digest", "account_id = $1", Until::Erased),
    ("solves", "solves, which are public", "team_id = $1", Until::Never),
];

/// What is kept about an account.
pub async fn kept(db: &Db, account_id: i64) -> Result<Vec<Kept>> {
    let mut tx = db.snapshot().await?;
    let mut all = Vec::new();
    for (table, what, only, until) in TABLES {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where {only}"));
        let rows: i64 = run!(&mut tx => query_scalar(sql, account_id).fetch_one);
        let until = match table {
            LINKS => links_until(&mut tx, Some(account_id)).await?.map_or(until, Until::Time),
            _ => until,
        };
        all.push(Kept { table, what, rows, until });
    }
    let sql = format!("select count(*) from actions where body is not null and id {ACTIONS}");
    let sql = sqlx::AssertSqlSafe(sql);
    let about = account_id.to_string();
    let rows = run!(&mut tx => query_scalar(sql, about).fetch_one);
    let what = "what organizers did about it, and why";
    all.push(Kept { table: "actions", what, rows, until: Until::Erased });
    Ok(all)
}

/// The number of all accounts, and what is kept about them together.
pub async fn kept_of_all(db: &Db) -> Result<(i64, Vec<Kept>)> {
    let mut tx = db.snapshot().await?;
    let mut all = Vec::new();
    for (table, what, only, until) in TABLES {
        // An erasure leaves no mail, whomever it is about.
        let only = match table {
            OUTBOX => "true".to_owned(),
            _ => only.replace("id = $1", "id is not null"),
        };
        let rows = count(&mut tx, table, &only).await?;
        let until = match table {
            LINKS => links_until(&mut tx, None).await?.map_or(until, Until::Time),
            _ => until,
        };
        all.push(Kept { table, what, rows, until });
    }
    let only = format!("body is not null and action <> 'privacy.erase' and id {ALL_ACTIONS}");
    let rows = count(&mut tx, "actions", &only).await?;
    let what = "what organizers did about teams";
    all.push(Kept { table: "actions", what, rows, until: Until::Erased });
    Ok((count(&mut tx, "accounts", "true").await?, all))
}

/// The number of rows of a table for which a condition without parameters is true.
async fn count(tx: &mut Tx, table: &str, only: &str) -> Result<i64> {
    let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where {only}"));
    Ok(run!(tx => query_scalar(sql).fetch_one))
}

/// When the last of the mailed links of an account, or of all, ends: those of imported teams live
/// for days.
async fn links_until(tx: &mut Tx, account_id: Option<i64>) -> Result<Option<i64>> {
    let sql = "select max(expires_at_ms) from mail_tokens \
               where cast($1 as bigint) is null or account_id = $1";
    Ok(run!(tx => query_scalar(sql, account_id).fetch_one))
}

/// Erases what is private about an account, or about all, and ends its sessions. Returns the number
/// of rows.
pub(crate) async fn erase_in(tx: &mut Tx, account_id: Option<i64>, now_ms: i64) -> Result<u64> {
    let mut rows = 0;
    match account_id {
        Some(id) => {
            sessions::revoke_all_in(tx, id, now_ms).await?;
            for sql in of_actions(ACTIONS) {
                rows += run!(tx => query(sqlx::AssertSqlSafe(sql), id.to_string()).execute);
            }
            for sql in statements(MAILS, |column| format!("{column} = $1")) {
                rows += run!(tx => query(sqlx::AssertSqlSafe(sql), id).execute);
            }
        }
        None => {
            sessions::revoke_every_in(tx, now_ms).await?;
            let all = statements("true", |_| "true".to_owned());
            for sql in of_actions(ALL_ACTIONS).into_iter().chain(all) {
                rows += run!(tx => query(sqlx::AssertSqlSafe(sql)).execute);
            }
        }
    }
    Ok(rows)
}

/// What erases the words of actions, and what would put them back. Their hashes stay.
fn of_actions(which: &str) -> [String; 3] {
    [
        // The key stays: a retry must not do the action again.
        format!(
            "update idempotency_keys set answer = null where answer is not null \
             and action_id {which}"
        ),
        format!("delete from action_restores where action_id {which}"),
        // That something was erased names the team alone, which the journal does too.
        format!(
            "update actions set body = null where body is not null and action <> 'privacy.erase' \
             and id {which}"
        ),
    ]
}

/// What erases the rest. `only` is which rows have an account in a column.
fn statements(mails: &str, only: impl Fn(&str) -> String) -> Vec<String> {
    let (of_account, of_team, own) = (only("account_id"), only("team_id"), only("id"));
    // The mails first: some are found by the addresses.
    let mut all = vec![format!("delete from outbox where {mails}")];
    for table in [
        "mail_tokens",
        "members",
        "address_changes",
        "address_stops",
        "questions",
        "notes",
        "wrong_flags",
    ] {
        all.push(format!("delete from {table} where {of_account}"));
    }
    let waiting = "(select id from accounts where confirmed_at_ms is null)";
    all.extend([
        format!("delete from sightings where {of_team}"),
        format!("delete from names where account_id in {waiting} and {of_account}"),
        format!("delete from accounts where confirmed_at_ms is null and {own}"),
        format!(
            "update accounts set email = '', password_hash = null, network = null, \
             student = false, language = null where (email <> '' or password_hash is not null \
             or network is not null or student or language is not null) and {own}"
        ),
    ]);
    all
}
