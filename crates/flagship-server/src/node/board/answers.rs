//! Notifies team sockets of answers and organizer messages, including those written by other nodes.

use std::collections::HashSet;

use flagship_game::TeamId;
use flagship_store::desk::questions::{self, Reply};
use flagship_store::{Db, StoreError};
use parking_lot::Mutex;

use super::hub::Hub;

/// Overlap between polls, in milliseconds: each poll also reads answers this much older than the
/// newest known one, because node clocks differ.
const LATE_MS: i64 = 60_000;

/// Answers that sockets were already notified of.
pub struct Answers(Mutex<Known>);

struct Known {
    /// Time of the newest answer, in epoch milliseconds.
    newest_ms: i64,
    /// Answers at most [`LATE_MS`] older than `newest_ms`.
    recent: HashSet<Reply>,
}

impl Answers {
    /// Starts tracking at `now_ms`. Existing answers do not trigger notifications.
    pub async fn open(db: &Db, now_ms: i64) -> Result<Self, StoreError> {
        let recent = questions::replies_after(db, now_ms - LATE_MS).await?.into_iter().collect();
        Ok(Self(Mutex::new(Known { newest_ms: now_ms, recent })))
    }

    /// Reads new answers and notifies their teams' sockets.
    pub async fn follow(&self, db: &Db, hub: &Hub) -> Result<(), StoreError> {
        let after_ms = self.0.lock().newest_ms - LATE_MS;
        let replies = questions::replies_after(db, after_ms).await?;
        let mut known = self.0.lock();
        let new: Vec<Reply> = replies.into_iter().filter(|it| known.recent.insert(*it)).collect();
        for it in &new {
            known.newest_ms = known.newest_ms.max(it.answered_at_ms);
        }
        if !new.is_empty() {
            let oldest_ms = known.newest_ms - LATE_MS;
            known.recent.retain(|it| it.answered_at_ms > oldest_ms);
        }
        drop(known);
        for it in new {
            hub.push_answer(TeamId(it.account_id));
        }
        Ok(())
    }
}
