//! Scoreboards that lists are computed from.

use std::sync::Arc;

use flagship_game::{Board, Contest};

use super::teams::Boards;
use crate::node::board::feed::Feed;
use crate::node::board::published::Published;
use crate::node::error::NodeError;

/// The scoreboards that a reader may see, and a fold at least as new.
pub struct Seen {
    /// The fold.
    pub contest: Arc<Contest>,
    published: Arc<Published>,
    truth: Option<Arc<Board>>,
}

impl Seen {
    /// Computes the newest scoreboards. All readers share the public one; all organizers share the
    /// unfrozen one while the freeze hides something.
    ///
    /// # Errors
    /// Fails if the unfrozen scoreboard could not be computed.
    pub async fn new(feed: &Arc<Feed>, sees_truth: bool) -> Result<Self, NodeError> {
        let published = feed.current_board().await;
        let contest = feed.latest();
        let is_frozen = contest.hides_solves_of(contest.at_ms());
        if !sees_truth || !is_frozen {
            return Ok(Self { contest, published, truth: None });
        }
        let feed = feed.clone();
        let truth = tokio::task::spawn_blocking(move || feed.organizer_board());
        let (contest, truth) = truth.await.map_err(|_| NodeError::Internal)?;
        Ok(Self { contest, published, truth: Some(truth) })
    }

    /// Scoreboards for a reader with at most the permissions they were computed for.
    pub fn boards(&self, sees_truth: bool) -> Boards<'_> {
        let public = &self.published.board;
        // Without a freeze, both views share the public scoreboard.
        let truth = sees_truth.then(|| self.truth.as_deref().unwrap_or(public));
        Boards { contest: &self.contest, public, truth }
    }
}
