//! Answers and messages to teams: their sockets are told of each, also of those that other
//! processes wrote.

use std::collections::HashSet;

use flagship_game::TeamId;
use flagship_store::desk::questions::{self, Told};
use flagship_store::{Db, StoreError};
use parking_lot::Mutex;

use super::hub::Hub;

/// Age at which an answer is found although a newer one was read before, in milliseconds: the
/// clocks of nodes differ.
const LATE_MS: i64 = 60_000;

/// The answers of which the sockets were told.
pub struct Answers(Mutex<Known>);

struct Known {
    /// Time of the newest answer, in epoch milliseconds.
    newest_ms: i64,
    /// Those that are not older than it by more than [`LATE_MS`].
    recent: HashSet<Told>,
}

impl Answers {
    /// The answers so far, of which no socket is told.
    pub async fn open(db: &Db, now_ms: i64) -> Result<Self, StoreError> {
        let recent = questions::told_after(db, now_ms - LATE_MS).await?.into_iter().collect();
        Ok(Self(Mutex::new(Known { newest_ms: now_ms, recent })))
    }

    /// Reads the new answers, and tells the sockets of their teams.
    pub async fn follow(&self, db: &Db, hub: &Hub) -> Result<(), StoreError> {
        let after_ms = self.0.lock().newest_ms - LATE_MS;
        let told = questions::told_after(db, after_ms).await?;
        let mut known = self.0.lock();
        let new: Vec<Told> = told.into_iter().filter(|it| known.recent.insert(*it)).collect();
        for it in &new {
            known.newest_ms = known.newest_ms.max(it.answered_at_ms);
        }
        if !new.is_empty() {
            let oldest_ms = known.newest_ms - LATE_MS;
            known.recent.retain(|it| it.answered_at_ms > oldest_ms);
        }
        drop(known);
        for it in new {
            hub.tell(TeamId(it.account_id));
        }
        Ok(())
    }
}
