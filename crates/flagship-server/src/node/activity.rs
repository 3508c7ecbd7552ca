//! What happens, in the log at `info`: each entry of the journal in words, whoever wrote it, and
//! how often what is not in the journal happened. Never a flag, an address or a token.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flagship_game::entry::{Fact, Phase};
use flagship_game::{Contest, TeamId};
use flagship_store::{Db, StoreError, journal};
use tokio::time::timeout;

use super::board::feed::Feed;
use super::report::chain;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// How often new entries are logged. It is the same whether or not there are any, so that no
/// response time reveals an entry that the freeze hides.
const ENTRIES_EVERY: Duration = Duration::from_secs(2);
/// How long the database may take to give them.
const READ_MAX: Duration = Duration::from_secs(1);
/// In how many of these turns counts are logged once.
const COUNTS_EVERY: u32 = 5;
/// Solves or new teams of one turn that are logged one by one; of the others the number is.
const LINES_MAX: usize = 50;

/// Counts what is not in the journal.
#[derive(Default)]
pub struct Activity {
    failed_logins: AtomicU64,
    signups: AtomicU64,
    wrong_flags: AtomicU64,
}

impl Activity {
    /// Counts a login with a wrong name or password.
    pub fn failed_login(&self) {
        self.failed_logins.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a signup that waits for its address to be confirmed.
    pub fn signup(&self) {
        self.signups.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a wrong flag.
    pub fn wrong_flag(&self) {
        self.wrong_flags.fetch_add(1, Ordering::Relaxed);
    }

    /// Logs the counts since the last time, if any.
    fn log(&self) {
        let take = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        let (failed_logins, signups, wrong_flags) =
            (take(&self.failed_logins), take(&self.signups), take(&self.wrong_flags));
        if failed_logins + signups + wrong_flags > 0 {
            tracing::info!(failed_logins, signups, wrong_flags, "since the last such line");
        }
    }
}

/// Logs what happens until shutdown.
pub async fn run(db: Db, feed: Arc<Feed>, activity: Arc<Activity>, mut shutdown: Shutdown) {
    let (mut seq, mut turn) = (feed.latest().seq(), 0_u32);
    let mut tick = tokio::time::interval(ENTRIES_EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let is_last = tokio::select! {
            _ = tick.tick() => false,
            () = shutdown_requested(&mut shutdown) => true,
        };
        let latest = feed.latest();
        // A database that does not answer has its lines in the log already.
        let logged = timeout(READ_MAX, entries(&db, &latest, &mut seq)).await;
        if let Ok(Err(error)) = logged {
            tracing::warn!(error = chain(&error), "new entries could not be logged");
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

/// Logs the entries after `seq` that the fold has.
async fn entries(db: &Db, contest: &Contest, seq: &mut i64) -> Result<(), StoreError> {
    let (mut solves, mut teams) = (0, 0);
    loop {
        let rows = journal::read_after(db, *seq).await?;
        let known = rows.iter().take_while(|row| row.seq <= contest.seq());
        let mut is_end = true;
        for row in known {
            (*seq, is_end) = (row.seq, false);
            // The fold has read the same text.
            let Ok(fact) = serde_json::from_str(&row.body) else { continue };
            let count = match fact {
                Fact::Solve { .. } => &mut solves,
                Fact::Team { .. } => &mut teams,
                _ => &mut 0,
            };
            *count += 1;
            if *count <= LINES_MAX {
                log(contest, row.seq, &fact);
            }
        }
        if is_end {
            break;
        }
    }
    let more = |count: usize| count.saturating_sub(LINES_MAX);
    if more(solves) + more(teams) > 0 {
        tracing::info!(solves = more(solves), teams = more(teams), "more in these seconds");
    }
    Ok(())
}

/// Logs an entry.
fn log(contest: &Contest, entry: i64, fact: &Fact) {
    let name = |team: TeamId| contest.team(team).map_or("?", |team| &*team.name);
    match fact {
        Fact::Format { version } => tracing::info!(entry, version, "the journal's format changed"),
        Fact::Event { event } => tracing::info!(entry, event = event.name, "the event changed"),
        Fact::Phase { phase: Phase::Start } => tracing::info!(entry, "the event has started"),
        Fact::Phase { phase: Phase::Freeze } => tracing::info!(entry, "the scoreboard is frozen"),
        Fact::Phase { phase: Phase::End } => tracing::info!(entry, "the event is over"),
        Fact::Phase { phase: Phase::Reveal } => tracing::info!(entry, "everything is revealed"),
        Fact::Team { name, .. } => tracing::info!(entry, team = name, "a team joined"),
        Fact::TeamState { team, banned, hidden } => {
            tracing::info!(entry, team = name(*team), banned, hidden, "a team's standing changed");
        }
        Fact::Challenge { challenge } => {
            let challenge = challenge.id.as_str();
            tracing::info!(entry, challenge, "a challenge was released or changed");
        }
        Fact::Withdrawn { challenge } => {
            tracing::info!(entry, challenge = challenge.as_str(), "a challenge was hidden");
        }
        Fact::Solve { team, challenge } => {
            tracing::info!(entry, team = name(*team), challenge = challenge.as_str(), "a solve");
        }
        Fact::SolveWithdrawn { team, challenge } => {
            let challenge = challenge.as_str();
            tracing::info!(entry, team = name(*team), challenge, "a solve was withdrawn");
        }
        Fact::Award { team, points, .. } => {
            tracing::info!(entry, team = name(*team), points, "points were awarded");
        }
    }
}
