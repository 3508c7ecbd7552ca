//! The durable outbox: what a mail is written from, and how it is queued.

use std::sync::{Arc, LazyLock};

use data_encoding::BASE64URL_NOPAD;
use flagship_store::mail::{Cause, Kind};
use flagship_store::{Clock, Db};

use super::letters::MailContext;
use super::texts::TEXTS;
use crate::node::board::feed::Feed;
use crate::node::config::Config;
use crate::node::settings::LiveSettings;

/// Bytes of a mailed link's token.
pub const LINK_TOKEN_BYTES: usize = 32;

/// Characters of a code that an organizer tells: 80 random bits in base32.
const CODE_CHARS: usize = 16;

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
        LazyLock::force(&TEXTS);
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

/// The token of a code that an organizer told, as people write it: case, blanks and hyphens do not
/// count. `None` if it is none.
pub fn token_of_code(code: &str) -> Option<String> {
    let code: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let code = code.to_ascii_lowercase();
    let is_code = code.len() == CODE_CHARS
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte));
    is_code.then_some(code)
}

/// A random token for a link.
pub fn new_link_token() -> String {
    BASE64URL_NOPAD.encode(&rand::random::<[u8; LINK_TOKEN_BYTES]>())
}
