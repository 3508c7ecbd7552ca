//! What readers are served of the contest: the public board, teams' own parts, and live frames.

pub mod answers;
pub mod cards;
pub mod feed;
pub mod hub;
pub mod published;

use std::sync::Arc;

use flagship_store::lane::Writer;
use flagship_store::{Db, Key, StoreError};

use self::answers::Answers;
use self::feed::Feed;
use super::links::Links;
use super::settings::LiveSettings;

/// What serves readers.
pub struct Board {
    /// Where names of before are looked up.
    pub db: Db,
    pub settings: LiveSettings,
    /// The folds and boards, and the live frames.
    pub feed: Arc<Feed>,
    /// Answers and messages to teams.
    pub answers: Answers,
    pub links: Links,
}

impl Board {
    /// What a journal says so far.
    pub async fn open(
        writer: &Writer,
        key: &Key,
        settings: LiveSettings,
    ) -> Result<Self, StoreError> {
        let db = writer.db().clone();
        let answers = Answers::open(&db, writer.clock().now_ms()).await?;
        Ok(Self {
            feed: Arc::new(Feed::new(writer.generation(), writer.contest())),
            answers,
            links: Links::new(key),
            settings,
            db,
        })
    }
}
