//! The organizers' record of wrong flags, written in batches in the background, and by
//! the lane in the freeze.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use flagship_game::{ChallengeId, Secret, TeamFlag, TeamId};

use crate::challenges::Flag;
use crate::engine::names::names;
use crate::engine::{Tx, insert, on, run};
use crate::{Db, Key, Lock, Result, Seal, journal};

/// Digests of one look-up.
const DIGESTS_MAX: usize = 500;
/// Purpose for which texts are sealed.
const TEXT: &str = "text of a wrong flag";
/// Texts that one transaction erases. Others wait for the writer meanwhile.
const ERASED_MAX: i64 = 5_000;

/// How a wrong flag came near a right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// A flag of the challenge in other case.
    Case,
    /// One without its wrapper, or in another: `text` or `FLAG[text]` for `flag{text}`.
    Wrapper,
    /// One with other blanks.
    Blanks,
    /// One with several of these differences.
    Form,
    /// One that the challenge had before.
    Former,
    /// One of another challenge, or nearly.
    Elsewhere,
    /// A decoy of the challenge.
    Decoy,
    /// One of another team, or nearly.
    Team,
}

names!(Near; Case = "case", Wrapper = "wrapper", Blanks = "blanks", Form = "form",
    Former = "former", Elsewhere = "elsewhere", Decoy = "decoy", Team = "team");

/// A wrong flag. Its text is there only if the event keeps it, and sealed.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct WrongFlag {
    /// The team's account.
    pub account_id: i64,
    /// The challenge.
    pub challenge_id: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The keyed digest of the text.
    pub digest: String,
    /// That of the text in lower case, if it differs. Older programs did not record it.
    pub folded: Option<String>,
    /// How it came near a right one. Not read back.
    #[sqlx(skip)]
    pub near: Option<Near>,
    /// The account of the team whose flag it is. Not read back.
    #[sqlx(skip)]
    pub of_team: Option<i64>,
    /// From where it came, as the limits count networks. Not read back.
    #[sqlx(skip)]
    pub network: Option<IpAddr>,
    /// Its text, as [`seal_text`] sealed it. Not read back.
    #[sqlx(skip)]
    pub sealed_text: Option<String>,
}

/// Seals a text for its row in the record: only the same team's row for the same challenge opens
/// it.
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

/// Erases some of the kept texts. Returns true if there may be more.
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

/// Erases the kept texts of a team for a challenge that have these digests.
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

/// Records a batch.
pub async fn record(db: &Db, batch: &[WrongFlag]) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    record_in(&mut tx, batch).await?;
    tx.commit().await
}

pub(crate) async fn record_in(tx: &mut Tx, batch: &[WrongFlag]) -> Result<()> {
    let rows: Vec<_> = batch.iter().map(|row| (random_id(), row)).collect();
    insert(tx, &rows, false).await
}

/// Records a batch of the freeze, and does the same for `discarded`, of which nothing remains; the
/// statements also name `left_out`, of which they insert nothing. Which of the three a flag is in
/// changes neither the statements nor the commit, so the time that the transaction takes does not
/// tell.
pub(crate) async fn record_alike_in(
    tx: &mut Tx,
    batch: &[WrongFlag],
    discarded: &[WrongFlag],
    left_out: &[WrongFlag],
) -> Result<()> {
    let kept = batch.iter().map(|row| (random_id(), row));
    let discarded = discarded.iter().map(|row| (-random_id(), row));
    let left_out = left_out.iter().map(|row| (0, row));
    let rows: Vec<_> = kept.chain(discarded).chain(left_out).collect();
    if rows.is_empty() {
        return Ok(());
    }
    insert(tx, &rows, true).await?;
    run!(tx => query("delete from wrong_flags where id < 0").execute);
    Ok(())
}

fn random_id() -> i64 {
    rand::random_range(1..i64::MAX)
}

/// Inserts rows. With `leaves_out`, those with the id 0 are only named in the statement.
async fn insert(tx: &mut Tx, rows: &[(i64, &WrongFlag)], leaves_out: bool) -> Result<()> {
    let (before, after) = journal::around(leaves_out);
    for rows in journal::runs(rows) {
        let sql = format!(
            "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest, folded, near, \
             of_team, network, sealed_text) {before}"
        );
        insert!(tx => &sql, rows, |(id, row)| (*id, row.account_id, &row.challenge_id, row.at_ms,
            &row.digest, &row.folded, row.near.map(Near::as_str), row.of_team,
            row.network.map(|it| it.to_string()), &row.sealed_text), after);
    }
    Ok(())
}

/// A team that sent a text which a flag accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The team's account.
    pub account_id: i64,
    /// When it first sent one, in epoch milliseconds.
    pub at_ms: i64,
}

/// The teams whose wrong flags are right by other flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By time. Teams that have solved the challenge since are among them.
    pub sent: Vec<Sent>,
    /// The digests of the texts that are right, by the accounts of the teams that sent them.
    pub digests: BTreeMap<i64, Vec<String>>,
    /// How many of the flags are patterns: what they accept cannot be found.
    pub patterns: usize,
}

/// Finds the teams that sent a text which one of the exact flags accepts, and was wrong then. Not
/// found are texts that were never judged, and those in mixed case that an older program recorded
/// and only a flag without regard to case accepts.
pub async fn sent_in(
    tx: &mut Tx,
    key: &Key,
    challenge: &ChallengeId,
    flags: &[Flag],
) -> Result<Found> {
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
            // A text in lower case has one digest, which is recorded as that of the text.
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
        by_account.map(|(account_id, at_ms)| Sent { account_id, at_ms }).collect();
    sent.sort_by_key(|it| (it.at_ms, it.account_id));
    Ok(Found { sent, digests: texts, patterns })
}

/// The digests of a flag that differs by team, for the teams that sent wrong flags for its
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

/// The accounts whose wrong flags have one of these digests, each with the time of the first.
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
        // The beginnings are indexed. If the whole column has to equal one value, SQLite looks at
        // no index.
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

/// The teams that sent a text wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OfText {
    /// How many.
    pub teams: i64,
    /// When the first of them first did, in epoch milliseconds.
    pub since_ms: Option<i64>,
}

/// How many teams sent the text with this digest for a challenge.
pub async fn of_text(db: &Db, challenge: &ChallengeId, digest: &str) -> Result<OfText> {
    let sql = "select count(distinct account_id) as teams, min(at_ms) as since_ms \
               from wrong_flags where challenge_id = $1 \
               and substr(digest, 1, 10) = substr($2, 1, 10) \
               and substr(digest, 11) = substr($2, 11)";
    Ok(run!(db.read() => query_as(sql, challenge.as_str(), digest).fetch_one))
}

/// The number of recorded wrong flags.
pub async fn count(db: &Db) -> Result<i64> {
    let sql = "select count(*) from wrong_flags";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}
