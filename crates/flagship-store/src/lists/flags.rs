//! The flags that teams sent wrongly, in the order of time.

use crate::engine::on;
use crate::wrong_flags::Near;
use crate::{Db, Result};

/// Texts of one look-up.
const TEXTS_MAX: usize = 200;
/// A look-up is for a multiple of so many texts.
const TEXTS_STEP: usize = 50;

/// A wrong flag.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Wrong {
    /// Its id, which says nothing.
    pub id: i64,
    /// When it was sent, in epoch milliseconds.
    pub at_ms: i64,
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// The keyed digest of its text.
    pub digest: String,
    /// How it came near a right one, by name.
    pub near: Option<String>,
    /// From which network it came, if that is kept.
    pub network: Option<String>,
    /// Its text, sealed, if that is kept.
    pub sealed_text: Option<String>,
}

/// Which wrong flags.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Only those of this account.
    pub account_id: Option<i64>,
    /// Only those for these challenges.
    pub challenges: Option<Vec<String>>,
    /// Only those that came near: in one of these ways.
    pub near: Option<Vec<Near>>,
    /// Only those from this network.
    pub network: Option<String>,
    /// Only those from this time on.
    pub from_ms: Option<i64>,
    /// Only those before this time.
    pub until_ms: Option<i64>,
    /// Only those behind one with this time and id.
    pub before: Option<(i64, i64)>,
}

/// The newest of them, at most `count_max`, the newest first.
pub async fn wrong(db: &Db, asked: &Asked, count_max: i64) -> Result<Vec<Wrong>> {
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
        if let Some(challenges) = &asked.challenges {
            // Not by the index of digests, which would sort all of a challenge. An empty list has
            // none.
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
        select.build_query_as().fetch_all(conn).await?
    }))
}

/// How often a text was sent for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Times {
    /// The challenge.
    pub challenge_id: String,
    /// The digest of the text.
    pub digest: String,
    /// How often.
    pub times: i64,
    /// By how many teams.
    pub teams: i64,
}

/// How often the texts with these digests were sent, each for its challenge, before a time.
pub async fn times(db: &Db, texts: &[(String, String)], until_ms: i64) -> Result<Vec<Times>> {
    let mut all = Vec::with_capacity(texts.len());
    for texts in texts.chunks(TEXTS_MAX) {
        let mut some: Vec<Times> = on!(db.read(), conn => {
            // A list of pairs is as many conditions for PostgreSQL, and each length of it is
            // another statement to prepare.
            let rows = texts.len().next_multiple_of(TEXTS_STEP);
            let none = (String::new(), String::new());
            let rows = texts.iter().chain(std::iter::repeat(&none)).take(rows);
            let mut select = sqlx::QueryBuilder::new("with asked (challenge_id, digest) as (");
            select.push_values(rows, |mut line, (challenge, digest)| {
                line.push_bind(challenge).push_bind(digest);
            });
            // By the beginning of the digest, which is indexed.
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
