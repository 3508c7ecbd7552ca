//! Dependencies shared by several parts of the node.

use std::sync::Arc;

use flagship_actions::mail::letters::MailContext;
use flagship_store::mail::{Cause, Kind};
use flagship_store::{Clock, Db, Seal, StoreError};

use super::activity::Activity;
use super::board::feed::Feed;
use super::config::Config;
use super::lane::Lane;
use super::metrics::counters::Counters;
use super::services::Services;
use super::settings::LiveSettings;

/// Dependencies shared by several parts of the node. Cheap to clone.
#[derive(Clone)]
pub struct Common {
    pub db: Db,
    pub clock: Clock,
    pub seal: Seal,
    pub config: Arc<Config>,
    pub settings: LiveSettings,
    pub services: Arc<Services>,
    pub feed: Arc<Feed>,
    pub lane: Arc<Lane>,
    pub activity: Arc<Activity>,
    pub counters: Arc<Counters>,
}

impl Common {
    /// Applies the current settings.
    pub async fn follow_settings(&self) -> Result<(), StoreError> {
        let seen = self.settings.follow(&self.db).await?;
        self.services.follow(&self.db, &self.seal, &seen).await
    }

    /// Returns the event's name and address, for emails.
    pub fn mail_context(&self) -> MailContext {
        MailContext::new(&self.feed.latest(), &self.config.public_url)
    }

    /// Returns the limit that an email counts toward.
    pub fn mail_cause<'a>(&self, kind: Kind, network: &'a str) -> Cause<'a> {
        let per_hour_max = self.settings.load().limits.mails_per_address_per_hour;
        Cause { kind, network, per_hour_max, account_id: None }
    }
}
