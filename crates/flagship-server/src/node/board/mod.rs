//! Serves the public scoreboard, teams' own data and live frames to readers.

pub mod answers;
pub mod cards;
pub mod feed;
pub mod hub;
pub mod passes;
pub mod published;

use std::sync::Arc;

use flagship_store::lane::Writer;
use flagship_store::{Db, Key, StoreError};

use self::answers::Answers;
use self::feed::Feed;
use self::passes::Passes;
use super::links::Links;
use super::settings::LiveSettings;

/// The node's state for serving readers.
pub struct Board {
    /// For lookups of former names.
    pub db: Db,
    pub settings: LiveSettings,
    /// Folds, boards and live frames.
    pub feed: Arc<Feed>,
    /// Notifications of answers and messages to teams.
    pub answers: Answers,
    pub links: Links,
    pub passes: Passes,
}

impl Board {
    /// Builds the state from the journal.
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
            passes: Passes::new(key),
            settings,
            db,
        })
    }
}
