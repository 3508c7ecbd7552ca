//! Record of incorrect submissions, written in batches in the background, and by the lane during
//! the freeze.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use flagship_game::{ChallengeId, Secret, TeamFlag, TeamId};

use crate::challenges::Flag;
use crate::engine::names::names;
use crate::engine::{Tx, insert, on, run};
use crate::{Db, Key, Lock, Result, Seal, journal};

/// Maximum digests per query.
const DIGESTS_MAX: usize = 500;
/// Purpose of the seal of texts.
const TEXT: &str = "text of a wrong flag";
/// Maximum texts erased per transaction, because other writers must wait.
const ERASED_MAX: i64 = 5_000;

/// Kind of near miss: how an incorrect submission resembles a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearMiss {
    /// A flag of the challenge in different case.
    Case,
    /// A flag without its wrapper, or in another one: `text` or `FLAG[text]` for `flag{text}`.
    Wrapper,
    /// A flag with different whitespace.
    Blanks,
    /// A flag with several of these differences.
    Form,
    /// A former flag of the challenge.
    Former,
    /// A flag of another challenge, or similar to one.
    Elsewhere,
    /// A decoy of the challenge.
    Decoy,
    /// A flag of another team, or similar to one.
    Team,
}

names!(NearMiss; Case = "case", Wrapper = "wrapper", Blanks = "blanks", Form = "form",
    Former = "former", Elsewhere = "elsewhere", Decoy = "decoy", Team = "team");

/// An incorrect submission. The text is only stored if the event is configured to keep it, and is
/// sealed.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct WrongFlag {
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// Time of the submission, in epoch milliseconds.
    pub at_ms: i64,
    /// Keyed digest of the text.
    pub digest: String,
    /// Keyed digest of the text in lower case, if different. Older versions did not store it.
    pub folded: Option<String>,
    /// Kind of near miss. Not read back.
    #[sqlx(skip)]
    pub near: Option<NearMiss>,
    /// Account of the team that owns the flag. Not read back.
    #[sqlx(skip)]
    pub of_team: Option<i64>,
    /// Client network, as counted by rate limits. Not read back.
    #[sqlx(skip)]
    pub network: Option<IpAddr>,
    /// Text, sealed by [`seal_text`]. Not read back.
    #[sqlx(skip)]
    pub sealed_text: Option<String>,
}

/// Seals a text for its row. Only the same team's row for the same challenge can open it.
pub fn seal_text(seal: &Seal, team: TeamId, challenge: &ChallengeId, text: &str) -> String {
    seal.seal_text(TEXT, &owner(team, challenge), text)
}

/// Opens a sealed text; `None` if it was not sealed for this team and challenge.
pub fn open_text(
    seal: &Seal,
    team: TeamId,
    challenge: &ChallengeId,
    sealed: &str,
) -> Option<Secret> {
    seal.open_text(TEXT, &owner(team, challenge), sealed).map(Secret::new)
}

fn owner(team: TeamId, challenge: &ChallengeId) -> String {
    format!("{} {challenge}", team.0)
}

/// Erases some of the stored texts. Returns true if there may be more.
pub async fn erase_texts(db: &Db) -> Result<bool> {
    let sql = "select id from wrong_flags where sealed_text is not null limit 1";
    let first: Option<i64> = run!(db.read() => query_scalar(sql).fetch_optional);
    if first.is_none() {
        return Ok(false);
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    let sql = "update wrong_flags set sealed_text = null where id in \
               (select id from wrong_flags where sealed_text is not null limit $1)";
    let erased = run!(&mut tx => query(sql, ERASED_MAX).execute);
    tx.commit().await?;
    Ok(erased > 0)
}

/// Erases the stored texts of a team for a challenge that have these digests.
pub async fn erase_texts_of_in(
    tx: &mut Tx,
    account_id: i64,
    challenge: &ChallengeId,
    digests: &[String],
) -> Result<()> {
    let sql = "update wrong_flags set sealed_text = null where account_id = $1 \
               and challenge_id = $2 and digest = $3 and sealed_text is not null";
    for digest in digests {
        run!(tx => query(sql, account_id, challenge.as_str(), digest).execute);
    }
    Ok(())
}

/// Records a batch of incorrect submissions.
pub async fn record(db: &Db, batch: &[WrongFlag]) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    record_in(&mut tx, batch).await?;
    tx.commit().await
}

/// Deletes the record of a submission that was not judged after all.
pub async fn forget(db: &Db, id: i64) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    run!(&mut tx => query("delete from wrong_flags where id = $1", id).execute);
    tx.commit().await
}

/// Records a batch, and returns the IDs of the records in the same order.
pub(crate) async fn record_in(tx: &mut Tx, batch: &[WrongFlag]) -> Result<Vec<i64>> {
    let rows: Vec<_> = batch.iter().map(|row| (random_id(), row)).collect();
    insert(tx, &rows, false).await?;
    Ok(rows.into_iter().map(|(id, _)| id).collect())
}

/// Records a batch during the freeze. Inserts `discarded` and deletes it again. The same statements
/// include `left_out`, but insert nothing for it. The statements and the commit are the same in all
/// three cases, so that the duration of the transaction reveals nothing. Returns the IDs of the
/// records of `batch`.
pub(crate) async fn record_alike_in(
    tx: &mut Tx,
    batch: &[WrongFlag],
    discarded: &[WrongFlag],
    left_out: &[WrongFlag],
) -> Result<Vec<i64>> {
    let kept: Vec<i64> = batch.iter().map(|_| random_id()).collect();
    let discarded = discarded.iter().map(|row| (-random_id(), row));
    let left_out = left_out.iter().map(|row| (0, row));
    let recorded = kept.iter().copied().zip(batch);
    let rows: Vec<_> = recorded.chain(discarded).chain(left_out).collect();
    if rows.is_empty() {
        return Ok(kept);
    }
    insert(tx, &rows, true).await?;
    run!(tx => query("delete from wrong_flags where id < 0").execute);
    Ok(kept)
}

fn random_id() -> i64 {
    rand::random_range(1..i64::MAX)
}

/// Inserts rows. With `leaves_out`, rows with the id 0 are part of the statement, but not inserted.
async fn insert(tx: &mut Tx, rows: &[(i64, &WrongFlag)], leaves_out: bool) -> Result<()> {
    let (before, after) = journal::around(leaves_out);
    for rows in journal::runs(rows) {
        let sql = format!(
            "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest, folded, near, \
             of_team, network, sealed_text) {before}"
        );
        insert!(tx => &sql, rows, |(id, row)| (*id, row.account_id, &row.challenge_id, row.at_ms,
            &row.digest, &row.folded, row.near.map(NearMiss::as_str), row.of_team,
            row.network.map(|it| it.to_string()), &row.sealed_text), after);
    }
    Ok(())
}

/// A team with an accepted submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedSubmission {
    /// The team's account.
    pub account_id: i64,
    /// Time of the first accepted submission, in epoch milliseconds.
    pub at_ms: i64,
}

/// Teams whose incorrect submissions match other flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RejudgeMatches {
    /// Matching teams by time, including teams that have solved the challenge since.
    pub sent: Vec<AcceptedSubmission>,
    /// Digests of the matching texts, by team account.
    pub digests: BTreeMap<i64, Vec<String>>,
    /// Number of flags that are patterns. Their matches cannot be found from digests.
    pub patterns: usize,
}

/// Finds the teams whose recorded incorrect submissions match one of these exact flags. Misses
/// texts that were never judged. Also misses mixed-case texts recorded by an older version if only
/// a case-insensitive flag accepts them.
pub async fn find_accepted_in(
    tx: &mut Tx,
    key: &Key,
    challenge: &ChallengeId,
    flags: &[Flag],
) -> Result<RejudgeMatches> {
    let mut first = BTreeMap::new();
    let mut texts = BTreeMap::new();
    let mut patterns = 0;
    let mut digests = Vec::new();
    let mut folded = Vec::new();
    let mut by_team = HashMap::new();
    for flag in flags {
        match flag {
            Flag::Regex { .. } => patterns += 1,
            Flag::Decoy { .. } => {}
            Flag::Team(_) => {
                let Some(flag) = flag.of_teams() else { continue };
                by_team.extend(digests_by_team(tx, key, challenge, &flag).await?);
            }
            // A lower-case text has only one digest, which is stored in the column `digest`.
            Flag::Exact { digest, case_insensitive } => {
                digests.push(digest.as_str());
                folded.extend(case_insensitive.then_some(digest.as_str()));
            }
        }
    }
    let of_teams = by_team.keys().map(String::as_str).collect();
    for (column, digests, is_own) in
        [("digest", digests, false), ("folded", folded, false), ("digest", of_teams, true)]
    {
        for digests in digests.chunks(DIGESTS_MAX) {
            for (account_id, digest, at_ms) in first_by(tx, challenge, column, digests).await? {
                if is_own && by_team.get(&digest) != Some(&account_id) {
                    continue;
                }
                let first: &mut i64 = first.entry(account_id).or_insert(at_ms);
                *first = at_ms.min(*first);
                let texts: &mut Vec<String> = texts.entry(account_id).or_default();
                texts.push(digest);
            }
        }
    }
    let by_account = first.into_iter();
    let mut sent: Vec<_> =
        by_account.map(|(account_id, at_ms)| AcceptedSubmission { account_id, at_ms }).collect();
    sent.sort_by_key(|it| (it.at_ms, it.account_id));
    Ok(RejudgeMatches { sent, digests: texts, patterns })
}

/// Returns the digests of a per-team flag for the teams with incorrect submissions for its
/// challenge.
async fn digests_by_team(
    tx: &mut Tx,
    key: &Key,
    challenge: &ChallengeId,
    flag: &TeamFlag,
) -> Result<HashMap<String, i64>> {
    let sql = "select distinct account_id from wrong_flags where challenge_id = $1";
    let accounts: Vec<i64> = run!(tx => query_scalar(sql, challenge.as_str()).fetch_all);
    let id = challenge.as_str();
    let digest = |account_id| key.flag_digest(id, &flag.with(&key.team_code(id, account_id)));
    Ok(accounts.into_iter().map(|account_id| (digest(account_id), account_id)).collect())
}

/// Returns the accounts whose incorrect submissions have one of these digests, each with the time
/// of the first.
async fn first_by(
    tx: &mut Tx,
    challenge: &ChallengeId,
    column: &'static str,
    digests: &[&str],
) -> Result<Vec<(i64, String, i64)>> {
    Ok(on!(tx, conn => {
        let sql = "select account_id, digest, min(at_ms) from wrong_flags \
                   where challenge_id = ";
        let mut select = sqlx::QueryBuilder::new(sql);
        select.push_bind(challenge.as_str()).push(" and ").push(column).push(" is not null");
        // The prefixes are indexed. SQLite would not use the index for a comparison of the whole
        // column.
        for part in [", 1, 10)", ", 11)"] {
            select.push(" and substr(").push(column).push(part).push(" in (");
            let mut listed = select.separated(", ");
            for digest in digests {
                listed.push("substr(").push_bind_unseparated(*digest).push_unseparated(part);
            }
            select.push(")");
        }
        select.push(" group by account_id, digest").build_query_as().fetch_all(conn).await?
    }))
}

/// Number of teams that submitted an incorrect text, with the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TextUsage {
    /// Number of teams.
    pub teams: i64,
    /// Time of the first submission, in epoch milliseconds.
    pub since_ms: Option<i64>,
}

/// Returns the teams that submitted the text with this digest for a challenge.
pub async fn text_usage(db: &Db, challenge: &ChallengeId, digest: &str) -> Result<TextUsage> {
    let sql = "select count(distinct account_id) as teams, min(at_ms) as since_ms \
               from wrong_flags where challenge_id = $1 \
               and substr(digest, 1, 10) = substr($2, 1, 10) \
               and substr(digest, 11) = substr($2, 11)";
    Ok(run!(db.read() => query_as(sql, challenge.as_str(), digest).fetch_one))
}

/// Number of recorded incorrect submissions.
pub async fn count(db: &Db) -> Result<i64> {
    let sql = "select count(*) from wrong_flags";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}
