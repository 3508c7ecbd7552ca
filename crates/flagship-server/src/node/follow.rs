//! Follows changes that other processes write to the database: entries, sessions, nodes, settings
//! and flags.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::StoreError;

use super::accounts::Accounts;
use super::board::Board;
use super::common::Common;
use super::judging::Judging;
use super::report::report;

const FAILURE_PAUSE: Duration = Duration::from_millis(500);
/// Interval of the checks for changes during the freeze.
const FROZEN_INTERVAL: Duration = Duration::from_millis(100);
/// Change of the wall clock's jump after which the jump is logged again, in milliseconds.
const JUMP_STEP_MS: i64 = 1_000;

/// Follows the changes. Runs forever.
pub async fn run(board: Arc<Board>, judging: Arc<Judging>, accounts: Arc<Accounts>) {
    loop {
        if let Err(error) = follow_hints(&board, &judging, &accounts).await {
            report(&error, "failed to read changes from other processes");
            tokio::time::sleep(FAILURE_PAUSE).await;
        }
    }
}

async fn follow_hints(
    board: &Board,
    judging: &Judging,
    accounts: &Accounts,
) -> Result<(), StoreError> {
    let Common { db, clock, feed, lane, .. } = &**accounts;
    let mut hints = db.hints().await?;
    let mut logged_ms = 0;
    loop {
        lane.hint.notify_one();
        accounts.sessions.follow(db).await?;
        board.answers.follow(db, &feed.hub).await?;
        judging.nodes.follow().await?;
        accounts.follow_settings().await?;
        // Unreadable flags do not prevent the other updates.
        let flags = judging.flags.follow().await;
        if let Err(error) = &flags {
            report(error, "failed to read the flags");
        }
        let ahead_ms = clock.jump_ms().unwrap_or_default();
        if (ahead_ms - logged_ms).abs() > JUMP_STEP_MS {
            tracing::warn!(ahead_ms, "the system clock jumped; the event clock is unaffected");
            logged_ms = ahead_ms;
        }
        // During the freeze, hidden changes send hints too. A fixed interval makes the node do the
        // same work with and without them.
        if feed.latest().hides_new_solves(clock.now_ms()) {
            let pause = if flags.is_ok() { FROZEN_INTERVAL } else { FAILURE_PAUSE };
            tokio::time::sleep(pause).await;
            // Drains the hints that arrived in the meantime. Otherwise they would pile up.
            tokio::time::timeout(Duration::ZERO, hints.wait()).await.unwrap_or(Ok(()))?;
        } else {
            let wait_max = if flags.is_ok() { Duration::MAX } else { FAILURE_PAUSE };
            tokio::time::timeout(wait_max, hints.wait()).await.unwrap_or(Ok(()))?;
        }
    }
}
