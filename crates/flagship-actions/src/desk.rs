//! Context in which a node or a command prepares actions.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use flagship_game::{ChallengeId, Contest, Secret};
use flagship_pack::picture::Picture;
use flagship_pack::team_copy::CopyCheck;
use flagship_pack::{Defaults, Given, Named, Registration};
use flagship_store::accounts::Account;
use flagship_store::ops::ActionError;
use flagship_store::{Db, Key, Seal, StoreError, addresses, sources};
use futures_util::future::BoxFuture;

use crate::mail::letters::MailContext;
use crate::rejection::Rejection;

/// Context in which a node or a command prepares actions.
pub struct Desk {
    /// The database.
    pub db: Db,
    /// State of the contest.
    pub contest: Arc<Contest>,
    /// Current time, in epoch milliseconds.
    pub now_ms: i64,
    /// Base URL of the site, for links in emails.
    pub public_url: String,
    /// Rules for email addresses and names.
    pub registration: Registration,
    /// True if an address that the actor changes takes effect immediately.
    pub confirms_addresses: bool,
    /// Name of the actor.
    pub actor: String,
    /// Challenges that the actor can edit; `None` for all.
    pub only_challenges: Option<BTreeSet<ChallengeId>>,
    /// Secret key of the event.
    pub key: Key,
    /// Seal of the event.
    pub seal: Seal,
    /// The uploaded files.
    pub files: Arc<dyn Files>,
    /// Services of the node that depend on settings; `None` for a command.
    pub services: Option<Arc<dyn Services>>,
}

/// An uploaded file that an action uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimedFile {
    /// Size in bytes.
    pub bytes: u64,
    /// Image type and dimensions, if the file is an image.
    pub picture: Option<Picture>,
}

/// The uploaded files. Methods fail if the storage cannot be read.
pub trait Files: Send + Sync {
    /// Extends the lifetime of a file by an hour. Returns `None` if no file has this digest.
    fn claim<'a>(
        &'a self,
        digest: &'a str,
        now_ms: i64,
    ) -> BoxFuture<'a, io::Result<Option<ClaimedFile>>>;
    /// Checks that teams can have copies of a file with their flags. Returns `None` if no file has
    /// this digest.
    fn copy_check<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, io::Result<Option<CopyCheck>>>;
    /// Contents of a file; `None` if no file has this digest.
    fn bytes<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, io::Result<Option<Vec<u8>>>>;
    /// True if the organizer uploaded the file in the last day.
    fn is_by<'a>(
        &'a self,
        digest: &'a str,
        organizer: &'a str,
        now_ms: i64,
    ) -> BoxFuture<'a, io::Result<bool>>;
}

/// Services of a node that depend on settings: email and captcha.
pub trait Services: Send + Sync {
    /// Checks that the services accept these site settings and these secrets, given by name.
    ///
    /// # Errors
    /// Fails with the error message.
    fn check(&self, settings: &Given, secrets: &BTreeMap<String, Secret>) -> Result<(), String>;
    /// Keys that the files of this node set, by section. They cannot be set elsewhere.
    fn named(&self) -> &Named;
}

impl Desk {
    /// Context of every email.
    pub fn mails(&self) -> MailContext {
        MailContext::new(&self.contest, &self.public_url)
    }

    /// Event values that the parsers of challenges, rules and pages need.
    pub async fn defaults(&self) -> Result<Defaults, StoreError> {
        let text = sources::defaults(&self.db).await?;
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(read.unwrap_or_default())
    }

    /// Account of a team whose signup has not expired.
    pub async fn account(&self, team: &str) -> Result<Account, Rejection> {
        let account = addresses::named(&self.db, team).await?;
        let account = account.filter(|it| !it.has_lapsed(self.now_ms));
        account.ok_or_else(|| ActionError::NoTeam.into())
    }
}
