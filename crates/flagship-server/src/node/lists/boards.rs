//! The boards that lists are made from.

use std::sync::Arc;

use flagship_game::{Board, Contest};

use super::teams::Boards;
use crate::node::board::feed::Feed;
use crate::node::board::published::Published;
use crate::node::error::NodeError;

/// The boards that a reader may see, and a fold that is not older.
pub struct Seen {
    /// The fold.
    pub contest: Arc<Contest>,
    published: Arc<Published>,
    truth: Option<Arc<Board>>,
}

impl Seen {
    /// The newest. The public board is the one that all readers share, the other the one that all
    /// organizers share while the freeze hides something.
    ///
    /// # Errors
    /// The other could not be computed.
    pub async fn new(feed: &Arc<Feed>, sees_truth: bool) -> Result<Self, NodeError> {
        let published = feed.board_of_now().await;
        let contest = feed.latest();
        let is_frozen = contest.hides_solves_of(contest.at_ms());
        if !sees_truth || !is_frozen {
            return Ok(Self { contest, published, truth: None });
        }
        let feed = feed.clone();
        let truth = tokio::task::spawn_blocking(move || feed.truth());
        let (contest, truth) = truth.await.map_err(|_| NodeError::Internal)?;
        Ok(Self { contest, published, truth: Some(truth) })
    }

    /// The boards for a reader who may see no more than they were made for.
    pub fn boards(&self, sees_truth: bool) -> Boards<'_> {
        let public = &self.published.board;
        // Nothing is hidden without a board of its own.
        let truth = sees_truth.then(|| self.truth.as_deref().unwrap_or(public));
        Boards { contest: &self.contest, public, truth }
    }
}
