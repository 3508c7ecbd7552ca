//! Deletes imported teams and all data about them, and detects activity that rules this out.

use crate::engine::{Tx, on, push_list};
use crate::{Result, mail, sessions};

/// Maximum ids per statement.
const IDS_MAX: usize = 500;

/// Tables with rows about accounts, and the column with the account id.
const ABOUT: [(&str, &str); 12] = [
    ("outbox", "about_id"),
    ("mail_tokens", "account_id"),
    ("members", "account_id"),
    ("team_divisions", "account_id"),
    ("address_changes", "account_id"),
    ("address_stops", "account_id"),
    ("notes", "account_id"),
    ("questions", "account_id"),
    ("sightings", "team_id"),
    ("former_names", "account_id"),
    ("names", "account_id"),
    ("accounts", "id"),
];

/// Tables with a team's own activity, and the condition for such rows. A question without text is a
/// message from organizers, and only a session that the team started has a network or a browser.
const PLAYED: [(&str, &str); 5] = [
    ("wrong_flags", ""),
    ("questions", "text <> '' and "),
    ("sessions", "(network is not null or browser is not null) and "),
    ("mail_tokens", "purpose in ('reset', 'card') and used_at_ms is not null and "),
    ("members", ""),
];

/// True if any of these accounts made an incorrect submission, asked a question, logged in, set a
/// password through an emailed link or a join card, or entered members.
pub async fn has_played_in(tx: &mut Tx, ids: &[i64]) -> Result<bool> {
    for ids in ids.chunks(IDS_MAX) {
        for (table, only) in PLAYED {
            let found: Option<i64> = on!(&mut *tx, conn => {
                let sql = format!("select account_id from {table} where {only}account_id in ");
                let mut query = sqlx::QueryBuilder::new(sql);
                push_list(&mut query, ids);
                query.push(" limit 1").build_query_scalar().fetch_optional(conn).await?
            });
            if found.is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Deletes accounts with all data about them, and ends their sessions. Sent emails still count for
/// a day, without any data about the accounts.
pub async fn remove_in(tx: &mut Tx, ids: &[i64], now_ms: i64) -> Result<()> {
    for id in ids {
        sessions::revoke_all_in(tx, *id, now_ms).await?;
        mail::blank_sent_in(tx, *id, now_ms).await?;
    }
    for ids in ids.chunks(IDS_MAX) {
        for (table, column) in ABOUT {
            on!(&mut *tx, conn => {
                let sql = format!("delete from {table} where {column} in ");
                let mut query = sqlx::QueryBuilder::new(sql);
                push_list(&mut query, ids);
                query.build().execute(conn).await?;
            });
        }
    }
    Ok(())
}
