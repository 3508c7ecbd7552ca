//! The durable outbox: what a mail is written from, and how it is queued.

use std::sync::Arc;

use flagship_actions::mail;
use flagship_actions::mail::letters::MailContext;
use flagship_store::mail::{Cause, Kind};
use flagship_store::{Clock, Db};

use crate::node::board::feed::Feed;
use crate::node::config::Config;
use crate::node::settings::LiveSettings;

/// The parts of the node that mails are written from.
pub struct Outbox {
    pub(super) db: Db,
    pub(super) clock: Clock,
    feed: Arc<Feed>,
    public_url: String,
    pub(super) settings: LiveSettings,
}

impl Outbox {
    /// An outbox in `db`.
    pub fn new(
        config: &Config,
        settings: LiveSettings,
        db: Db,
        clock: Clock,
        feed: Arc<Feed>,
    ) -> Self {
        // No request waits until the texts are read.
        mail::load();
        Self { db, clock, feed, public_url: config.public_url.clone(), settings }
    }

    /// What mails refer to now.
    pub fn context(&self) -> MailContext {
        MailContext::new(&self.feed.latest(), &self.public_url)
    }

    /// What a mail is counted under.
    pub fn cause<'a>(&self, kind: Kind, network: &'a str) -> Cause<'a> {
        let per_hour_max = self.settings.load().limits.mails_per_address_per_hour;
        Cause { kind, network, per_hour_max, account_id: None }
    }
}
