//! Periodic removal of expired accounts, blank emails, unused uploads, sightings, idempotency keys,
//! sessions and tokens.

use std::sync::Arc;
use std::time::Duration;

use flagship_game::Contest;
use flagship_store::actions::idempotency;
use flagship_store::{Db, Lock, StoreError, accounts, addresses, mail, sightings};

use super::accounts::Accounts;
use super::report::chain;
use super::uploads::Uploads;

/// Interval of the task.
const INTERVAL: Duration = Duration::from_secs(600);

/// Pause between two transactions.
const PAUSE: Duration = Duration::from_millis(50);

const DAY_MS: i64 = 24 * 3_600_000;

/// Cleans up at each interval. Runs forever.
pub async fn run(accounts: Arc<Accounts>, uploads: Uploads) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let now_ms = accounts.clock.now_ms();
        accounts.sessions.sweep(now_ms);
        if let Err(error) = uploads.sweep(&accounts.db, now_ms).await {
            tracing::warn!(error = chain(&error), "failed to scan for unused uploads");
        }
        if let Err(error) = forget(&accounts, now_ms).await {
            tracing::warn!(error = chain(&error), "failed to delete expired data");
        }
    }
}

async fn forget(accounts: &Accounts, now_ms: i64) -> Result<(), StoreError> {
    forget_lapsed(&accounts.db, now_ms).await?;
    let days = accounts.settings.load().privacy.sightings_days;
    match sightings_until_ms(&accounts.feed.latest(), days, now_ms) {
        Some(until_ms) => forget_sightings(&accounts.db, until_ms).await,
        None => Ok(()),
    }
}

/// Returns the time before which sightings are erased; `None` until `days` days after the end of
/// the event.
fn sightings_until_ms(contest: &Contest, days: u32, now_ms: i64) -> Option<i64> {
    let until_ms = now_ms - i64::from(days) * DAY_MS;
    let end_ms = contest.event().and_then(|event| event.end_ms).unwrap_or(i64::MIN);
    (days == 0 || end_ms <= until_ms).then_some(until_ms)
}

/// Erases sightings from before a time, and the networks of incorrect submissions.
async fn forget_sightings(db: &Db, until_ms: i64) -> Result<(), StoreError> {
    while sightings::forget(db, until_ms).await? {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Deletes in small batches, so that other writers do not wait long.
async fn forget_lapsed(db: &Db, now_ms: i64) -> Result<(), StoreError> {
    let mut has_more = true;
    while has_more {
        let mut tx = db.begin(Lock::Accounts).await?;
        // Tokens first, because accounts are deleted once they have no tokens.
        has_more = mail::forget(&mut tx, now_ms).await?;
        has_more |= accounts::forget_lapsed(&mut tx, now_ms).await?;
        addresses::settle(&mut tx, now_ms).await?;
        idempotency::forget(&mut tx, now_ms).await?;
        tx.commit().await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flagship_game::facts::{self, Entry, Fact};
    use flagship_testkit::short_event;

    use super::*;

    #[test]
    fn sightings_are_kept_for_days_after_the_end() {
        let event = short_event(0);
        let mut contest = Contest::default();
        let end_ms = event.end_ms.expect("it has an end");
        let fact = Fact::from(facts::Event { event });
        contest.fold(&Entry { seq: 1, at_ms: 0, fact }).expect("it is the first");
        let erased = |days, at_ms| sightings_until_ms(&contest, days, at_ms);
        let last = end_ms + 30 * DAY_MS - 1;
        assert_eq!(erased(30, last), None, "not a moment longer, and not before");
        assert_eq!(erased(30, end_ms + 31 * DAY_MS), Some(end_ms + DAY_MS));
        assert_eq!(erased(0, 5), Some(5), "with 0 days none is kept");
        let unknown = Contest::default();
        assert_eq!(sightings_until_ms(&unknown, 1, 2 * DAY_MS), Some(DAY_MS));
    }
}
