//! Incorrect submissions in order of time.

use crate::engine::on;
use crate::wrong_flags::NearMiss;
use crate::{Db, Result};

/// Maximum texts per query.
const TEXTS_MAX: usize = 200;
/// Number of texts in a query is a multiple of this.
const TEXTS_STEP: usize = 50;

/// An incorrect submission.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct IncorrectSubmission {
    /// Random id.
    pub id: i64,
    /// Time of the submission, in epoch milliseconds.
    pub at_ms: i64,
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// Keyed digest of the text.
    pub digest: String,
    /// Name of the kind of near miss.
    pub near: Option<String>,
    /// Network of the client, if stored.
    pub network: Option<String>,
    /// Sealed text, if stored.
    pub sealed_text: Option<String>,
}

/// Filter for incorrect submissions.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFilter {
    /// Only submissions by this account.
    pub account_id: Option<i64>,
    /// Only submissions by these accounts.
    pub accounts: Option<Vec<i64>>,
    /// Only submissions for these challenges.
    pub challenges: Option<Vec<String>>,
    /// Only near misses of these kinds.
    pub near: Option<Vec<NearMiss>>,
    /// Only submissions from this network.
    pub network: Option<String>,
    /// Only submissions since this time.
    pub from_ms: Option<i64>,
    /// Only submissions before this time.
    pub until_ms: Option<i64>,
    /// Only submissions after the one with this time and id in the order of the list.
    pub before: Option<(i64, i64)>,
}

/// Returns the newest matching submissions, at most `count_max`, newest first.
pub async fn wrong(
    db: &Db,
    asked: &SubmissionFilter,
    count_max: i64,
) -> Result<Vec<IncorrectSubmission>> {
    Ok(on!(db.read(), conn => {
        let sql = "select id, at_ms, account_id, challenge_id, digest, near, network, \
                   sealed_text \
                   from wrong_flags \
                   where at_ms >= ";
        let mut select = sqlx::QueryBuilder::new(sql);
        select.push_bind(asked.from_ms.unwrap_or(0));
        if let Some(until_ms) = asked.until_ms {
            select.push(" and at_ms < ").push_bind(until_ms);
        }
        if let Some((at_ms, id)) = asked.before {
            select.push(" and at_ms <= ").push_bind(at_ms);
            select.push(" and (at_ms < ").push_bind(at_ms).push(" or id < ").push_bind(id);
            select.push(")");
        }
        if let Some(account_id) = asked.account_id {
            select.push(" and account_id = ").push_bind(account_id);
        }
        if let Some(accounts) = &asked.accounts {
            // PostgreSQL rejects an empty list. No account has the ID 0.
            let ids = accounts.iter().chain([&0]).map(i64::to_string).collect::<Vec<_>>();
            select.push(" and account_id in (").push(ids.join(", ")).push(")");
        }
        if let Some(challenges) = &asked.challenges {
            // Avoids the index of digests, which would require sorting all rows of a challenge.
            // With an empty list, nothing matches.
            select.push(" and challenge_id || '' in (''");
            for id in challenges {
                select.push(", ").push_bind(id);
            }
            select.push(")");
        }
        if let Some(near) = &asked.near {
            select.push(" and near is not null and near in (''");
            for near in near {
                select.push(", ").push_bind(near.as_str());
            }
            select.push(")");
        }
        if let Some(network) = &asked.network {
            select.push(" and network = ").push_bind(network);
        }
        select.push(" order by at_ms desc, id desc limit ").push_bind(count_max);
        // Each list of accounts is another statement, which is not worth keeping.
        let is_kept = asked.accounts.is_none();
        select.build_query_as().persistent(is_kept).fetch_all(conn).await?
    }))
}

/// Number of submissions of a text for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TextCount {
    /// The challenge.
    pub challenge_id: String,
    /// Digest of the text.
    pub digest: String,
    /// Number of submissions.
    pub times: i64,
    /// Number of teams.
    pub teams: i64,
}

/// Counts the submissions of these texts before a time. Texts are given as challenge and digest.
pub async fn times(db: &Db, texts: &[(String, String)], until_ms: i64) -> Result<Vec<TextCount>> {
    let mut all = Vec::with_capacity(texts.len());
    for texts in texts.chunks(TEXTS_MAX) {
        let mut some: Vec<TextCount> = on!(db.read(), conn => {
            // PostgreSQL turns a list of pairs into one condition per pair, and each length
            // requires another prepared statement.
            let rows = texts.len().next_multiple_of(TEXTS_STEP);
            let none = (String::new(), String::new());
            let rows = texts.iter().chain(std::iter::repeat(&none)).take(rows);
            let mut select = sqlx::QueryBuilder::new("with asked (challenge_id, digest) as (");
            select.push_values(rows, |mut line, (challenge, digest)| {
                line.push_bind(challenge).push_bind(digest);
            });
            // Compare prefixes of digests, which are indexed.
            let sql = ") select w.challenge_id, w.digest, count(*) as times, \
                       count(distinct w.account_id) as teams from asked join wrong_flags w \
                       on substr(w.digest, 1, 10) = substr(asked.digest, 1, 10) \
                       and w.digest = asked.digest and w.challenge_id = asked.challenge_id \
                       where w.at_ms < ";
            select.push(sql).push_bind(until_ms);
            let sql = " group by w.challenge_id, w.digest";
            select.push(sql).build_query_as().fetch_all(conn).await?
        });
        all.append(&mut some);
    }
    Ok(all)
}
