//! State for team accounts: signup, login, sessions, emailed links and a team's own account.

pub mod places;

use std::sync::Arc;
use std::time::Duration;

use flagship_game::TeamId;
use flagship_store::StoreError;
use flagship_store::key::token_hash;
use tokio::sync::{Mutex, Semaphore};

use self::places::Places;
use super::common::Common;
use super::error::NodeError;
use super::judging::Judging;
use super::limits::accounts::{Budget, Limits, LocalAttempt, begin};
use super::limits::refusals::Refusals;
use super::limits::turns::Shares;
use super::mail::mailer::Mailer;
use super::nodes::attempts::{Attempts, SharedAttempt};
use super::passwords::Passwords;
use super::sessions::{Sessions, Team, is_token};
use super::sightings::Sightings;
use super::tasks::Tasks;
use crate::net::address::ClientNetwork;
use crate::net::permits::{NetworkPermits, Permits};

/// Maximum queued and running changes of teams' own accounts, including logouts ...
const OWN_WRITES_MAX: usize = 32;
/// ... and maximum of one team. Each change is a transaction that logins wait for.
const OWN_WRITES_PER_TEAM_MAX: usize = 2;

/// Maximum concurrent account lookups for logins. Networks without a login limit could otherwise
/// use all connections to the database.
const ACCOUNT_READS_MAX: usize = 2;
/// Maximum queued lookups of emailed links and join cards. They run one at a time.
const LINKS_MAX: usize = 256;

/// Maximum delay between a session and the journal entry of its team.
const JOIN_MAX: Duration = Duration::from_secs(1);

/// Maximum concurrent reads and writes of teams' questions, and reads of their own accounts.
const OWN_READS_MAX: usize = 2;
/// Maximum queued and running requests for own accounts.
const OWN_VIEWS_MAX: usize = 256;
const OWN_VIEWS_PER_TEAM_MAX: usize = 2;

/// State and tasks of team accounts.
pub struct Accounts {
    common: Common,
    pub places: Arc<Places>,
    pub sightings: Arc<Sightings>,
    attempts: Arc<Attempts>,
    pub sessions: Arc<Sessions>,
    pub passwords: Arc<Passwords>,
    pub mailer: Arc<Mailer>,
    pub limits: Limits,
    pub refused_captchas: Refusals,
    pub refused_links: Refusals,
    /// Permits for looking up the account of a login in the database.
    pub account_reads: Semaphore,
    pub links_waiting: NetworkPermits,
    /// Held while a link is looked up, so that logins wait for at most one such lookup.
    pub link_read: Mutex<()>,
    /// Permits to join, one per account: of many requests with one card, only the first one has its
    /// password hashed.
    pub joins: Shares<i64>,
    pub own_writes: Arc<Permits<TeamId>>,
    /// Permits for logouts, which do not wait behind other changes.
    pub logouts: Arc<Permits<TeamId>>,
    /// Permits for waiting to read the own account. A team has few places in that queue.
    pub own_views: Arc<Permits<TeamId>>,
    /// Held while questions of teams are read or written, and while own accounts are read, so that
    /// they use few connections to the database.
    pub own_reads: Semaphore,
}

impl std::ops::Deref for Accounts {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

/// An attempt in progress. It counts on all nodes unless it is given back.
pub struct Attempt {
    local: LocalAttempt,
    shared: SharedAttempt,
}

impl Attempt {
    /// Ends the attempt without counting it.
    pub async fn give_back(self) {
        self.local.give_back();
        self.shared.give_back().await;
    }
}

impl Accounts {
    /// Reads the sessions and spawns the background tasks.
    pub async fn open(
        common: &Common,
        judging: &Judging,
        tasks: &Tasks,
    ) -> Result<Self, StoreError> {
        let Common { db, settings, .. } = common;
        let (mailer, requests) = Mailer::new(common.clone());
        let accounts = Self {
            common: common.clone(),
            places: Arc::new(Places::new(common.clone())),
            sightings: judging.sightings.clone(),
            attempts: judging.attempts.clone(),
            sessions: Arc::new(Sessions::open(db).await?),
            passwords: Arc::new(Passwords::new()),
            mailer: mailer.clone(),
            limits: Limits::new(settings),
            // Allows 100 at once, because the solutions of a whole class can expire while the
            // teacher speaks, and then two per second.
            refused_captchas: Refusals::new(100, 500),
            // Allows 30 at once, and then one per second, because each costs a read.
            refused_links: Refusals::new(30, 1_000),
            account_reads: Semaphore::new(ACCOUNT_READS_MAX),
            links_waiting: NetworkPermits::new(LINKS_MAX),
            link_read: Mutex::default(),
            joins: Shares::new(1),
            own_writes: Permits::new(OWN_WRITES_MAX, OWN_WRITES_PER_TEAM_MAX),
            logouts: Permits::new(OWN_WRITES_MAX, OWN_WRITES_PER_TEAM_MAX),
            own_views: Permits::new(OWN_VIEWS_MAX, OWN_VIEWS_PER_TEAM_MAX),
            own_reads: Semaphore::new(OWN_READS_MAX),
        };
        tasks.spawn_loop(accounts.places.clone().run(mailer.clone()));
        tasks.spawn(|shutdown| mailer.run(requests, shutdown));
        tasks.spawn(|shutdown| accounts.sessions.clone().note_seen(db.clone(), shutdown));
        Ok(accounts)
    }

    /// Begins an attempt under all budgets. If one has no room, the attempt counts under none.
    pub async fn attempt(&self, budgets: &[Budget<'_>]) -> Result<Attempt, NodeError> {
        let local = begin(budgets, self.clock.now_ms())?;
        match self.attempts.begin(budgets).await {
            Ok(shared) => Ok(Attempt { local, shared }),
            Err(refused) => {
                local.give_back();
                Err(refused)
            }
        }
    }

    /// Counts an attempt under all budgets, or under none if one has no room.
    pub async fn count(&self, budgets: &[Budget<'_>]) -> Result<(), NodeError> {
        self.attempt(budgets).await.map(drop)
    }

    /// Begins a login. `typed` is the entered text, which is rejected while the budget of `who` is
    /// used up.
    pub async fn attempt_login(
        &self,
        who: &str,
        typed: &str,
        client: &ClientNetwork,
    ) -> Result<Attempt, NodeError> {
        let budget = [self.limits.login(who, client)];
        let begun = self.attempt(&budget).await;
        if begun.is_err() {
            self.limits.reject_repeats(&budget[0], typed, client, self.clock.now_ms());
        }
        begun
    }

    /// Waits until the fold contains the team of a session. Another process may have just created
    /// the team, and its session can be read before its journal entry.
    async fn know_team(&self, id: TeamId) {
        let is_known = || self.feed.latest().team(id).is_some();
        if is_known() {
            return;
        }
        let mut frames = self.feed.hub.watch();
        let known = async { while !is_known() && frames.changed().await.is_ok() {} };
        self.lane.hint.notify_one();
        if tokio::time::timeout(JOIN_MAX, known).await.is_err() {
            tracing::warn!("a session's team is not in the journal");
        }
    }

    /// Returns the team of a token; `None` if the token is empty, unknown or ended, or the team is
    /// banned.
    pub async fn team_of(&self, token: &str) -> Result<Option<Team>, NodeError> {
        if !is_token(token) {
            return Ok(None);
        }
        let (hash, now_ms) = (token_hash(token), self.clock.now_ms());
        let id = match self.known_team(&hash, now_ms) {
            Some(id) => Some(id),
            // Boxed, so that waiting for the database is not part of every request's future.
            None => Box::pin(self.look_for_team(&hash, now_ms)).await?,
        };
        Ok(id.map(|id| Team { id, token_hash: hash }))
    }

    async fn look_for_team(&self, hash: &str, now_ms: i64) -> Result<Option<TeamId>, NodeError> {
        let account = self.sessions.account(&self.db, hash, now_ms).await?.map(TeamId);
        if let Some(id) = account {
            self.know_team(id).await;
        }
        Ok(account.filter(|id| self.plays(*id)))
    }

    /// Returns the team of a token, if it is known without reading the database.
    pub fn known_team_of(&self, token: &str) -> Option<TeamId> {
        let known = || self.known_team(&token_hash(token), self.clock.now_ms());
        is_token(token).then(known).flatten()
    }

    fn known_team(&self, hash: &str, now_ms: i64) -> Option<TeamId> {
        let account = self.sessions.known_account(hash, now_ms);
        account.map(TeamId).filter(|id| self.plays(*id))
    }

    fn plays(&self, team: TeamId) -> bool {
        self.feed.team_contest(team).team(team).is_some_and(|team| !team.banned)
    }
}
