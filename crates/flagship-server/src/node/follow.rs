//! Follows what other processes write to the database: entries, sessions, nodes, settings, flags.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::{Clock, Db, Seal, StoreError};

use super::board::answers::Answers;
use super::board::feed::Feed;
use super::flags::Flags;
use super::lane::Lane;
use super::nodes::Nodes;
use super::report::report;
use super::services::Services;
use super::sessions::Sessions;
use super::settings::LiveSettings;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// Pause after a failure.
const FAILURE_PAUSE: Duration = Duration::from_millis(500);
/// How often a node checks for changes during the freeze.
const FROZEN_INTERVAL: Duration = Duration::from_millis(100);
/// A jump of the wall clock is logged again when it has changed by this much, in milliseconds.
const JUMP_STEP_MS: i64 = 1_000;

/// The parts of the node that follow the database.
pub struct Follow {
    pub db: Db,
    pub clock: Clock,
    pub feed: Arc<Feed>,
    pub lane: Arc<Lane>,
    pub sessions: Arc<Sessions>,
    pub answers: Arc<Answers>,
    pub nodes: Arc<Nodes>,
    pub flags: Arc<Flags>,
    pub settings: LiveSettings,
    pub services: Arc<Services>,
    pub seal: Seal,
}

impl Follow {
    /// Runs until shutdown.
    pub async fn run(self, mut shutdown: Shutdown) {
        while !*shutdown.borrow_and_update() {
            let followed = tokio::select! {
                followed = self.follow_hints() => followed,
                () = shutdown_requested(&mut shutdown) => return,
            };
            if let Err(error) = followed {
                report(&error, "changes of other processes could not be read");
                tokio::time::sleep(FAILURE_PAUSE).await;
            }
        }
    }

    async fn follow_hints(&self) -> Result<(), StoreError> {
        let mut hints = self.db.hints().await?;
        let mut logged_ms = 0;
        loop {
            self.lane.hint.notify_one();
            self.sessions.follow(&self.db).await?;
            self.answers.follow(&self.db, &self.feed.hub).await?;
            self.nodes.follow().await?;
            let seen = self.settings.follow(&self.db).await?;
            self.services.follow(&self.db, &self.seal, &seen).await?;
            // Unreadable flags do not stop the rest.
            let flags = self.flags.follow().await;
            if let Err(error) = &flags {
                report(error, "the flags could not be read");
            }
            let ahead_ms = self.clock.jump_ms().unwrap_or_default();
            if (ahead_ms - logged_ms).abs() > JUMP_STEP_MS {
                tracing::warn!(ahead_ms, "the wall clock has jumped; the event's has not");
                logged_ms = ahead_ms;
            }
            // During the freeze, hidden changes send hints too. With a fixed interval the node does
            // the same work whether or not there are any.
            if self.feed.latest().hides_new_solves(self.clock.now_ms()) {
                let pause = if flags.is_ok() { FROZEN_INTERVAL } else { FAILURE_PAUSE };
                tokio::time::sleep(pause).await;
                // Takes the hints that arrived meanwhile, which would otherwise pile up.
                tokio::time::timeout(Duration::ZERO, hints.wait()).await.unwrap_or(Ok(()))?;
            } else {
                let wait_max = if flags.is_ok() { Duration::MAX } else { FAILURE_PAUSE };
                tokio::time::timeout(wait_max, hints.wait()).await.unwrap_or(Ok(()))?;
            }
        }
    }
}
