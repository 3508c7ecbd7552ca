//! Data about teams outside of the journal, and its erasure. Data that the journal needs stays:
//! entries, solves, and the name, which no other team can get.

use crate::engine::{Tx, run};
use crate::{Db, Result, sessions};

/// Emails of an account: emails about it, and emails about several teams or none that were sent to
/// one of its addresses. An address of another team that the account requested does not count.
const MAILS: &str = "(about_id = $1 or about_id is null and address in \
    (select email from accounts where id = $1 union \
    select new_email from address_changes where account_id = $1 union \
    select email from address_stops where account_id = $1))";

/// Actions about a team, its solves, its questions and evidence about it.
const ACTIONS: &str = "in (select action_id from action_objects where object in ('team ' || $1, \
    'name ' || $1, 'evidence ' || $1) or object like 'solve ' || $1 || ' %' \
    or object like 'evidence ' || $1 || ' %' or object like 'evidence % ' || $1 \
    or object in (select 'question ' || id from questions where account_id = cast($1 as bigint)))";
/// Actions about any team.
const ALL_ACTIONS: &str = "in (select action_id from action_objects where object like 'team %' \
    or object like 'name %' or object like 'solve %' or object like 'question %' \
    or object like 'evidence %')";

/// A kind of data stored about a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetainedData {
    /// The table.
    pub table: &'static str,
    /// Description of the data.
    pub what: &'static str,
    /// Number of rows.
    pub rows: i64,
    /// Retention time.
    pub until: Retention,
}

/// Retention time of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Until erased.
    Erased,
    /// Until sightings are erased, according to the event's settings.
    Sightings,
    /// Until the event ends, or erased earlier.
    EventEnd,
    /// For some hours after creation, or erased earlier.
    Hours(i64),
    /// Until a time, in epoch milliseconds, or erased earlier.
    Time(i64),
    /// Permanently: required by the journal and by team names.
    Never,
}

/// Tables of emailed links and of emails.
const LINKS: &str = "mail_tokens";
/// Emailed links, whose expiry times differ.
const EMAILED_LINKS: &str = "emailed links (digest only)";
const OUTBOX: &str = "outbox";

/// Table, description, condition for rows about the account `$1`, and retention time.
const TABLES: [(&str, &str, &str, Retention); 21] = [
    (
        "accounts",
        "email address, password hash, student status, email language",
        "id = $1 and (email <> '' or password_hash is not null or student \
        or language is not null)",
        Retention::Erased,
    ),
    ("accounts", "name and country (public)", "id = $1", Retention::Never),
    (
        "accounts",
        "signup code (its use counts)",
        "id = $1 and signup_code is not null",
        Retention::Never,
    ),
    ("names", "reserved names", "account_id = $1", Retention::Never),
    ("former_names", "former names", "account_id = $1", Retention::Never),
    (
        "sessions",
        "sessions (token digest, network, browser)",
        "account_id = $1",
        Retention::Hours(48),
    ),
    (LINKS, EMAILED_LINKS, "account_id = $1 and purpose <> 'card'", Retention::Hours(24)),
    (LINKS, "join cards (digests only)", "account_id = $1 and purpose = 'card'", Retention::Erased),
    (OUTBOX, "emails (text deleted once sent)", MAILS, Retention::Erased),
    ("members", "member names", "account_id = $1", Retention::Erased),
    ("signup_answers", "answers in the signup form", "account_id = $1", Retention::Erased),
    (
        "team_divisions",
        "private divisions; public ones stay in the journal",
        "account_id = $1",
        Retention::Erased,
    ),
    ("address_changes", "address changes", "account_id = $1", Retention::Erased),
    ("address_stops", "former addresses", "account_id = $1", Retention::Erased),
    ("questions", "questions and answers", "account_id = $1", Retention::Erased),
    ("notes", "organizers' notes", "account_id = $1", Retention::Erased),
    ("sightings", "networks and times of activity", "team_id = $1", Retention::Sightings),
    (
        "wrong_flags",
        "networks of incorrect submissions",
        "account_id = $1 and network is not null",
        Retention::Sightings,
    ),
    (
        "wrong_flags",
        "texts of incorrect submissions (sealed)",
        "account_id = $1 and sealed_text is not null",
        Retention::EventEnd,
    ),
    ("wrong_flags", "incorrect submissions (digest only)", "account_id = $1", Retention::Erased),
    ("solves", "solves (public)", "team_id = $1", Retention::Never),
];

/// Returns the data stored about an account.
pub async fn retained(db: &Db, account_id: i64) -> Result<Vec<RetainedData>> {
    let mut tx = db.snapshot().await?;
    let mut all = Vec::new();
    for (table, what, only, until) in TABLES {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where {only}"));
        let rows: i64 = run!(&mut tx => query_scalar(sql, account_id).fetch_one);
        let until = match what {
            EMAILED_LINKS => {
                links_until(&mut tx, Some(account_id)).await?.map_or(until, Retention::Time)
            }
            _ => until,
        };
        all.push(RetainedData { table, what, rows, until });
    }
    let sql = format!("select count(*) from actions where body is not null and id {ACTIONS}");
    let sql = sqlx::AssertSqlSafe(sql);
    let about = account_id.to_string();
    let rows = run!(&mut tx => query_scalar(sql, about).fetch_one);
    let what = "audit log entries and reasons";
    all.push(RetainedData { table: "actions", what, rows, until: Retention::Erased });
    Ok(all)
}

/// Returns the number of accounts, and the data stored about all of them.
pub async fn retained_for_all(db: &Db) -> Result<(i64, Vec<RetainedData>)> {
    let mut tx = db.snapshot().await?;
    let mut all = Vec::new();
    for (table, what, only, until) in TABLES {
        // An erasure deletes all emails.
        let only = match table {
            OUTBOX => "true".to_owned(),
            _ => only.replace("id = $1", "id is not null"),
        };
        let rows = count(&mut tx, table, &only).await?;
        let until = match what {
            EMAILED_LINKS => links_until(&mut tx, None).await?.map_or(until, Retention::Time),
            _ => until,
        };
        all.push(RetainedData { table, what, rows, until });
    }
    let only = format!("body is not null and action <> 'privacy.erase' and id {ALL_ACTIONS}");
    let rows = count(&mut tx, "actions", &only).await?;
    let what = "audit log entries about teams";
    all.push(RetainedData { table: "actions", what, rows, until: Retention::Erased });
    Ok((count(&mut tx, "accounts", "true").await?, all))
}

/// Number of rows of a table that match a condition without parameters.
async fn count(tx: &mut Tx, table: &str, only: &str) -> Result<i64> {
    let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where {only}"));
    Ok(run!(tx => query_scalar(sql).fetch_one))
}

/// Expiry time of the last emailed link of an account or of all accounts. Links of imported teams
/// are valid for days.
async fn links_until(tx: &mut Tx, account_id: Option<i64>) -> Result<Option<i64>> {
    let sql = "select max(expires_at_ms) from mail_tokens \
               where purpose <> 'card' and (cast($1 as bigint) is null or account_id = $1)";
    Ok(run!(tx => query_scalar(sql, account_id).fetch_one))
}

/// Erases the private data of one account or of all, and ends its sessions. Accounts without a team
/// are deleted; the others no longer hold a place. Returns the number of rows.
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
            let sql = "update accounts set erased_at_ms = $2 where id = $1";
            run!(tx => query(sql, id, now_ms).execute);
        }
        None => {
            sessions::revoke_every_in(tx, now_ms).await?;
            let all = statements("true", |_| "true".to_owned());
            for sql in of_actions(ALL_ACTIONS).into_iter().chain(all) {
                rows += run!(tx => query(sqlx::AssertSqlSafe(sql)).execute);
            }
            run!(tx => query("update accounts set erased_at_ms = $1", now_ms).execute);
        }
    }
    Ok(rows)
}

/// Statements that erase the arguments and reasons of actions, and their undo data. The hashes
/// stay.
fn of_actions(which: &str) -> [String; 3] {
    [
        // The key stays, so that a retry does not repeat the action.
        format!(
            "update idempotency_keys set answer = null where answer is not null \
             and action_id {which}"
        ),
        format!("delete from action_restores where action_id {which}"),
        // Records of erasures stay: they contain only the team's name, which is also in the
        // journal.
        format!(
            "update actions set body = null where body is not null and action <> 'privacy.erase' \
             and id {which}"
        ),
    ]
}

/// Statements that erase the remaining data. `only` returns the condition for rows with the account
/// in a column.
fn statements(mails: &str, only: impl Fn(&str) -> String) -> Vec<String> {
    let (of_account, of_team, own) = (only("account_id"), only("team_id"), only("id"));
    // Emails first: some are found by their addresses.
    let mut all = vec![format!("delete from outbox where {mails}")];
    for table in [
        "mail_tokens",
        "members",
        "signup_answers",
        "team_divisions",
        "address_changes",
        "address_stops",
        "questions",
        "notes",
        "wrong_flags",
    ] {
        all.push(format!("delete from {table} where {of_account}"));
    }
    // Accounts without a team, which is permanent.
    let is_teamless = "(confirmed_at_ms is null or waiting_since_ms is not null)";
    let teamless = format!("(select id from accounts where {is_teamless})");
    all.extend([
        format!("delete from sightings where {of_team}"),
        format!("delete from names where account_id in {teamless} and {of_account}"),
        format!("delete from accounts where {is_teamless} and {own}"),
        format!(
            "update accounts set email = '', password_hash = null, network = null, \
             student = false, language = null where (email <> '' or password_hash is not null \
             or network is not null or student or language is not null) and {own}"
        ),
    ]);
    all
}
