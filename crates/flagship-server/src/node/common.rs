//! What several parts of the node have.

use std::sync::Arc;

use flagship_actions::mail::letters::MailContext;
use flagship_store::mail::{Cause, Kind};
use flagship_store::{Clock, Db, Seal, StoreError};

use super::activity::Activity;
use super::board::feed::Feed;
use super::config::Config;
use super::lane::Lane;
use super::metrics::pace::Pace;
use super::services::Services;
use super::settings::LiveSettings;

/// What several parts have, each a clone of it: all of it is shared, and cheap to clone.
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
    pub pace: Arc<Pace>,
}

impl Common {
    /// Takes over what is set now.
    pub async fn follow_settings(&self) -> Result<(), StoreError> {
        let seen = self.settings.follow(&self.db).await?;
        self.services.follow(&self.db, &self.seal, &seen).await
    }

    /// What mails refer to now.
    pub fn mail_context(&self) -> MailContext {
        MailContext::new(&self.feed.latest(), &self.config.public_url)
    }

    /// What a mail is counted under.
    pub fn mail_cause<'a>(&self, kind: Kind, network: &'a str) -> Cause<'a> {
        let per_hour_max = self.settings.load().limits.mails_per_address_per_hour;
        Cause { kind, network, per_hour_max, account_id: None }
    }
}
