//! The parts of a node, or of a command, that actions are prepared with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flagship_game::{ChallengeId, Contest, Secret};
use flagship_pack::picture::Picture;
use flagship_pack::{Defaults, Given, Named, Registration};
use flagship_store::accounts::Account;
use flagship_store::ops::ActionError;
use flagship_store::{Db, Key, Seal, StoreError, addresses, sources};
use futures_util::future::BoxFuture;

use crate::mail::letters::MailContext;
use crate::rejection::Rejection;

/// The parts of a node, or of a command, that actions are prepared with.
pub struct Desk {
    /// The database.
    pub db: Db,
    /// A fold of the journal.
    pub contest: Arc<Contest>,
    /// The time, in epoch milliseconds.
    pub now_ms: i64,
    /// The address of the site, for links in mails.
    pub public_url: String,
    /// The rules of addresses and names.
    pub registration: Registration,
    /// True if an address that the actor changes counts at once.
    pub confirms_addresses: bool,
    /// Name of the actor.
    pub actor: String,
    /// The challenges that the actor may edit; any if `None`.
    pub only_challenges: Option<BTreeSet<ChallengeId>>,
    /// The event's secret.
    pub key: Key,
    /// The seal of the event.
    pub seal: Seal,
    /// The uploaded files.
    pub files: Arc<dyn Files>,
    /// The services of the node that settings configure; `None` for a command.
    pub services: Option<Arc<dyn Services>>,
}

/// An uploaded file that an action uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimedFile {
    /// Size in bytes.
    pub bytes: u64,
    /// Its kind and size, if it is a picture.
    pub picture: Option<Picture>,
}

/// The uploaded files.
pub trait Files: Send + Sync {
    /// Keeps a file for an hour more; `None` if there is none with this digest.
    fn claim<'a>(&'a self, digest: &'a str, now_ms: i64) -> BoxFuture<'a, Option<ClaimedFile>>;
    /// The bytes of a file.
    fn bytes<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, Option<Vec<u8>>>;
    /// True if an organizer uploaded a file in the last day.
    fn is_by<'a>(&'a self, digest: &'a str, organizer: &'a str, now_ms: i64)
    -> BoxFuture<'a, bool>;
}

/// The services of a node that settings configure: mail and captcha.
pub trait Services: Send + Sync {
    /// Checks that the services can be configured with these settings of the site and these
    /// secrets, which are given by name.
    ///
    /// # Errors
    /// Fails with the error in words.
    fn check(&self, settings: &Given, secrets: &BTreeMap<String, Secret>) -> Result<(), String>;
    /// The keys that the files of this node name, by section: they are set there only.
    fn named(&self) -> &Named;
}

impl Desk {
    /// Context of every email.
    pub fn mails(&self) -> MailContext {
        MailContext::new(&self.contest, &self.public_url)
    }

    /// The values of the event that challenges, rules and pages are read with.
    pub async fn defaults(&self) -> Result<Defaults, StoreError> {
        let text = sources::defaults(&self.db).await?;
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(read.unwrap_or_default())
    }

    /// The account of a team that has not lapsed.
    pub async fn account(&self, team: &str) -> Result<Account, Rejection> {
        let account = addresses::named(&self.db, team).await?;
        let account = account.filter(|it| !it.has_lapsed(self.now_ms));
        account.ok_or_else(|| ActionError::NoTeam.into())
    }
}
