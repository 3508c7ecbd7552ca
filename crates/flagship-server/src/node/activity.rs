//! Activity log, at level `info`: one line for each journal entry of any process, and counts of
//! events that are not in the journal. Contains no flags, addresses or tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flagship_game::facts::Properties;
use flagship_game::{ChallengeId, Contest, Fact};
use flagship_store::journal::{self, StoredEntry};
use flagship_store::{Db, StoreError};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::board::feed::Feed;
use super::report::chain;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// Minimum of the random pause before new entries are logged. Logging takes time, also for hidden
/// entries. The pause prevents clients from inferring hidden entries from response times.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(3);
/// Time limit for reading new entries from the database.
const READ_MAX: Duration = Duration::from_secs(1);
/// The counts are logged in every fifth round.
const COUNTS_EVERY: u32 = 5;
/// Maximum entries of one of the kinds in `Counts` that get their own line per round. The others
/// are only counted.
const LINES_MAX: usize = 50;

/// Counts of events that are not in the journal.
#[derive(Default)]
pub struct Activity {
    failed_logins: AtomicU64,
    signups: AtomicU64,
    wrong_flags: AtomicU64,
}

impl Activity {
    /// Counts a login with an incorrect name or password.
    pub fn failed_login(&self) {
        self.failed_logins.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a signup whose address is not confirmed yet.
    pub fn signup(&self) {
        self.signups.fetch_add(1, Ordering::Relaxed);
    }

    pub fn wrong_flag(&self) {
        self.wrong_flags.fetch_add(1, Ordering::Relaxed);
    }

    /// Logs the counts since the previous call, if any.
    fn log(&self) {
        let take = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        let (failed_logins, signups, wrong_flags) =
            (take(&self.failed_logins), take(&self.signups), take(&self.wrong_flags));
        if failed_logins + signups + wrong_flags > 0 {
            tracing::info!(failed_logins, signups, wrong_flags, "activity since last report");
        }
    }
}

/// Logs entries and counts until shutdown.
pub async fn run(db: Db, feed: Arc<Feed>, activity: Arc<Activity>, mut shutdown: Shutdown) {
    let mut seq = feed.latest().seq();
    let mut turn = 0_u32;
    loop {
        let is_last = tokio::select! {
            () = sleep(rand::random_range(PAUSE_MIN..PAUSE_MAX)) => false,
            () = shutdown_requested(&mut shutdown) => true,
        };
        let latest = feed.latest();
        // The log already has errors of a database that does not respond.
        let logged = timeout(READ_MAX, entries(&db, &latest, &mut seq)).await;
        if let Ok(Err(error)) = logged {
            tracing::warn!(error = chain(&error), "failed to log new journal entries");
        }
        turn += 1;
        if is_last || turn.is_multiple_of(COUNTS_EVERY) {
            activity.log();
        }
        if is_last {
            return;
        }
    }
}

/// Logs the entries after `seq` that are in the fold.
async fn entries(db: &Db, contest: &Contest, seq: &mut i64) -> Result<(), StoreError> {
    let mut counts = Counts::default();
    while counts.log(contest, &journal::read_after(db, *seq).await?, seq).await {}
    counts.log_rest();
    Ok(())
}

/// Counts of the entries in one round whose number teams determine.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    solves: usize,
    teams: usize,
    /// Flags of challenges that need several.
    found_flags: usize,
    /// Attempts for challenges that limit them.
    attempts: usize,
    hints: usize,
    /// Correct flags after the end.
    practices: usize,
}

impl Counts {
    /// Logs rows that follow `seq`. Returns true if the fold has more entries. Otherwise there is
    /// no second read, so that a few new entries cost as many reads as none.
    async fn log(&mut self, contest: &Contest, rows: &[StoredEntry], seq: &mut i64) -> bool {
        for row in rows.iter().take_while(|row| row.seq <= contest.seq()) {
            *seq = row.seq;
            // Lets pending requests run between two lines.
            tokio::task::yield_now().await;
            // The fold has already parsed the same text.
            let Ok(fact) = serde_json::from_str(&row.body) else { continue };
            if self.count(&fact) <= LINES_MAX {
                log(contest, row.seq, &fact);
            }
        }
        !rows.is_empty() && *seq < contest.seq()
    }

    /// Counts an entry. Returns the number of such entries, or 0 if they are not limited.
    fn count(&mut self, fact: &Fact) -> usize {
        let count = match fact {
            Fact::Solve(_) => &mut self.solves,
            Fact::Team(_) => &mut self.teams,
            Fact::FlagFound(_) => &mut self.found_flags,
            Fact::AttemptUsed(_) => &mut self.attempts,
            Fact::HintTaken(_) => &mut self.hints,
            Fact::Practiced(_) => &mut self.practices,
            _ => return 0,
        };
        *count += 1;
        *count
    }

    /// Logs the numbers of entries without their own line, if there are any.
    fn log_rest(&self) {
        let more = |count: usize| count.saturating_sub(LINES_MAX);
        let Self { solves, teams, found_flags, attempts, hints, practices } = Self {
            solves: more(self.solves),
            teams: more(self.teams),
            found_flags: more(self.found_flags),
            attempts: more(self.attempts),
            hints: more(self.hints),
            practices: more(self.practices),
        };
        if solves + teams + found_flags + attempts + hints + practices > 0 {
            let words = "further entries of teams not logged individually";
            tracing::info!(solves, teams, found_flags, attempts, hints, practices, "{words}");
        }
    }
}

/// Logs an entry, with the members of its fact that belong in the log.
fn log(contest: &Contest, entry: i64, fact: &Fact) {
    let members = serde_json::to_value(fact).unwrap_or_default();
    let number = |name: &str| members.get(name).and_then(Value::as_i64);
    let is_true = |name: &str| members.get(name).and_then(Value::as_bool);
    let Properties { words, team, team_name, challenge, .. } = fact.properties();
    let last_name = |team| contest.team(team).map_or("?", |team| &*team.name);
    tracing::info!(
        entry,
        version = number("version"),
        event = members["event"]["name"].as_str(),
        team = team_name.or_else(|| team.map(last_name)),
        banned = is_true("banned"),
        hidden = is_true("hidden"),
        challenge = challenge.map(ChallengeId::as_str),
        points = number("points"),
        notice = number("notice"),
        status = members["status"].as_str(),
        "{words}"
    );
}

#[cfg(test)]
mod tests {
    use flagship_control::control;
    use flagship_game::TeamId;
    use flagship_game::facts::{self, Entry};

    use super::*;

    /// A fold with the given number of teams, and its journal rows.
    fn journal(teams: i64) -> (Contest, Vec<StoredEntry>) {
        let mut contest = Contest::default();
        let mut rows = Vec::new();
        for seq in 1..=teams {
            let team = TeamId(seq);
            let name = format!("Team {seq}");
            let fact = Fact::from(facts::Team {
                team,
                name,
                country: "UN".to_owned(),
                hidden: false,
                divisions: vec![],
            });
            let body = serde_json::to_string(&fact).expect("plain data");
            let salt = String::new();
            let hash = String::new();
            rows.push(StoredEntry { seq, at_ms: 0, salt, body, hash });
            contest.fold(&Entry { seq, at_ms: 0, fact }).expect("it has the next number");
        }
        (contest, rows)
    }

    #[tokio::test]
    async fn new_entries_are_read_as_often_as_none() {
        let words = "the reads of a turn";
        let fewer = control("new_entries_are_read_as_often_as_none", words);
        let (contest, rows) = journal(5);
        let read_max = if fewer { 2 } else { rows.len() };
        for new in 0..=rows.len() {
            let mut counts = Counts::default();
            let mut seq = (rows.len() - new) as i64;
            let mut reads = 0;
            loop {
                let read = &rows[seq as usize..];
                reads += 1;
                if !counts.log(&contest, &read[..read.len().min(read_max)], &mut seq).await {
                    break;
                }
            }
            assert_eq!((counts.teams, seq), (new, contest.seq()));
            assert_eq!(reads, 1, "{words}");
        }
    }

    #[test]
    fn entries_of_each_kind_are_counted_apart() {
        let mut counts = Counts::default();
        let team = TeamId(1);
        let challenge = ChallengeId::from_name("a");
        let solve = facts::Solve { team, challenge: challenge.clone() };
        let flag = String::new();
        let found = facts::FlagFound { team, challenge: challenge.clone(), flag };
        let text = String::new();
        let used = facts::AttemptUsed { team, challenge: challenge.clone(), text };
        let hint = String::new();
        let taken = facts::HintTaken { team, challenge, hint, cost: 0 };
        let facts = [Fact::from(solve), found.into(), used.into(), taken.into()];
        for expected in 1..=2 * LINES_MAX {
            assert_eq!(facts.each_ref().map(|fact| counts.count(fact)), [expected; 4]);
        }
        assert_eq!(counts.count(&Fact::from(facts::Paused { on: true })), 0);
        assert_eq!(counts.teams, 0);
    }

    #[tokio::test]
    async fn entries_after_the_fold_and_after_a_full_read_come_later() {
        let ((contest, _), (_, rows)) = (journal(4), journal(6));
        let mut counts = Counts::default();
        let mut seq = 0;
        assert!(counts.log(&contest, &rows[..3], &mut seq).await, "the fold has more");
        assert!(!counts.log(&contest, &rows[3..], &mut seq).await);
        assert_eq!((counts.teams, seq), (4, 4), "without what the fold does not have");
    }
}
