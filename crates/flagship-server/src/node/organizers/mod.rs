//! Organizer sessions, and the state behind organizer requests.

pub mod budgets;
pub mod device;
pub mod factor;
pub mod live;
pub mod permissions;
pub mod renderer;
mod who;

use std::sync::Arc;

use flagship_actions::mail::language::Language;
use flagship_game::Contest;
use flagship_store::organizers::passes::Kind;
use flagship_store::organizers::{self, tokens};
use flagship_store::{Clock, Db, Key, Seal};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::background::Background;
use super::backup::Backups;
use super::board::feed::Feed;
use super::error::NodeError;
use super::limits::turns::Turns;
use super::limits::window::{Limit, Window};
use super::lists::{Lists, evidence, tries};
use super::tasks::Tasks;
use super::uploads::Uploads;
use crate::net::address::ClientNetwork;
use crate::net::permits::{NetworkPermits, Permits};
use budgets::ActionBudgets;
use live::{Live, Sources};
use renderer::Renderer;
pub use who::{Denied, FRESH_MS, SignedInOrganizer};

/// Maximum number of requests whose session or token is being looked up or waiting for it.
const LOOKUPS_MAX: usize = 256;
/// Maximum number of these requests that query the database at once. Otherwise a client with a
/// revoked token could use up all connections.
const READS_MAX: usize = 2;
/// Maximum number of concurrent authenticated requests ...
const REQUESTS_MAX: usize = 128;
/// ... per organizer, who may have many sessions ...
const REQUESTS_EACH_MAX: usize = 16;
/// ... and per session or token. Each request may be a transaction that logins wait for.
const REQUESTS_PER_PASS_MAX: usize = 8;

/// Maximum number of team files compared or imported at once.
const IMPORTS_MAX: usize = 2;
/// Maximum number of team files in memory, including those still being uploaded. Each organizer can
/// have one.
const IMPORT_FILES_MAX: usize = 8;

/// Maximum number of concurrent actions. Each organizer can have one.
const ACTIONS_MAX: usize = 16;

/// Maximum number of test emails per window.
const MAIL_TESTS_MAX: u32 = 10;
const MAIL_TESTS_MS: i64 = 10 * 60_000;

/// The organizers of an event.
pub struct Organizers {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    /// Seal for signing actions.
    pub(crate) seal: Seal,
    /// Secret key of the event.
    pub key: Key,
    lookups: NetworkPermits,
    reads: Semaphore,
    requests: Arc<Permits<String>>,
    requests_each: Arc<Permits<i64>>,
    /// Parses and renders organizer input.
    pub renderer: Renderer,
    /// Slots for performing actions: one per organizer, so that no one can fill the lane.
    pub actions: Arc<Turns>,
    /// Permits for idempotency keys, by organizer: one request per key at a time.
    pub running_keys: Arc<Permits<(i64, String)>>,
    /// Hourly limits for organizers who do not run the contest.
    pub action_budgets: ActionBudgets,
    /// Slots for previewing actions. A preview holds a lock; on SQLite it is the lane's.
    pub previews: Arc<Turns>,
    /// Compares the scoreboards before and after actions.
    pub boards: Arc<Background<()>>,
    /// Slots for building lists. Limited because players' responses come first and to leave
    /// database connections free.
    pub views: Arc<Turns>,
    /// Slots for exporting lists, which can take long and use much memory.
    pub exports: Arc<Turns>,
    /// Slots for comparing and importing uploaded team files.
    pub imports: Arc<Turns>,
    /// Memory slots for team files, from the first byte on.
    pub import_files: Arc<Turns>,
    /// Uploaded files.
    pub uploads: Uploads,
    /// Backups for owners to download.
    pub backups: Backups,
    /// Test emails of the last minutes.
    pub mail_tests: MailTests,
    /// Data sources of lists.
    pub lists: Arc<Lists>,
    /// Live channel.
    pub live: Arc<Live>,
}

/// Rate limit for test emails, each of which contacts a server that an owner entered.
#[derive(Default)]
pub struct MailTests(Mutex<Window>);

impl MailTests {
    /// Counts a test email at a time in epoch milliseconds. Returns the seconds to wait if the
    /// limit is reached.
    pub fn take(&self, now_ms: i64) -> Option<u64> {
        let limit = Limit::new(MAIL_TESTS_MAX, MAIL_TESTS_MS);
        let mut window = self.0.lock();
        window.forget(MAIL_TESTS_MS, now_ms);
        let free_at_ms = window.free_at_ms(limit);
        if free_at_ms.is_none() {
            window.add(now_ms);
        }
        free_at_ms.map(|at_ms| u64::try_from((at_ms - now_ms) / 1000 + 1).unwrap_or(1))
    }
}

impl Organizers {
    /// Creates the state for a database.
    pub fn new(db: &Db, clock: &Clock, seal: &Seal, uploads: Uploads) -> Self {
        Self {
            db: db.clone(),
            clock: clock.clone(),
            seal: seal.clone(),
            key: seal.key().clone(),
            lookups: NetworkPermits::new(LOOKUPS_MAX),
            reads: Semaphore::new(READS_MAX),
            requests: Permits::new(REQUESTS_MAX, REQUESTS_PER_PASS_MAX),
            requests_each: Permits::new(REQUESTS_MAX, REQUESTS_EACH_MAX),
            renderer: Renderer::default(),
            actions: Turns::new(ACTIONS_MAX),
            running_keys: Permits::new(usize::MAX, 1),
            action_budgets: ActionBudgets::default(),
            previews: Turns::new(1),
            boards: Arc::new(Background::new("boards", 1)),
            views: Turns::new(1),
            exports: Turns::new(1),
            imports: Turns::new(IMPORTS_MAX),
            import_files: Turns::new(IMPORT_FILES_MAX),
            uploads,
            backups: Backups::default(),
            mail_tests: MailTests::default(),
            lists: Arc::default(),
            live: Arc::new(Live::new()),
        }
    }

    /// Spawns the background tasks.
    pub(crate) fn spawn(&self, tasks: &Tasks, feed: &Arc<Feed>) {
        let Self { db, clock, key, lists, .. } = self;
        let (tries, evidence) = (lists.tries.clone(), lists.evidence.clone());
        tasks.spawn_loop(tries::run(tries, db.clone(), clock.clone(), feed.clone()));
        tasks.spawn_loop(evidence::run(
            evidence,
            db.clone(),
            key.clone(),
            clock.clone(),
            feed.clone(),
        ));
        let sources = Sources {
            db: db.clone(),
            clock: clock.clone(),
            feed: feed.clone(),
            views: self.views.clone(),
        };
        tasks.spawn_loop(self.live.clone().run(sources));
    }

    /// Generates a token and its digest.
    pub fn new_token(&self, kind: Kind) -> (String, String) {
        tokens::create(&self.key, kind)
    }

    /// Authenticates a token, if it is valid.
    pub async fn who(
        &self,
        client: &ClientNetwork,
        kind: Kind,
        token: &str,
    ) -> Result<Option<SignedInOrganizer>, NodeError> {
        let Some(digest) = tokens::digest(&self.key, kind, token) else { return Ok(None) };
        let now_ms = self.clock.now_ms();
        let found = {
            let _waiting = self.lookups.acquire(client)?;
            let _reading = self.reads.acquire().await.expect("it is never closed");
            organizers::by_pass(&self.db, &digest, now_ms).await?
        };
        let found = found.filter(|(pass, _)| pass.kind == kind);
        let Some((pass, organizer)) = found else { return Ok(None) };
        let own = self.requests_each.acquire(Some(organizer.id))?;
        let _permit = Some((self.requests.acquire(Some(digest))?, own));
        let language = Language::default();
        Ok(Some(SignedInOrganizer { organizer, pass, language, now_ms, _permit }))
    }
}

/// Name of the event, which authenticators show as the issuer.
pub fn issuer(contest: &Contest) -> String {
    contest.event().map_or_else(|| "Flagship".to_owned(), |event| event.name.clone())
}

/// Invitation link. The token is in the fragment, which browsers do not send.
pub fn invitation_link(public_url: &str, token: &str) -> String {
    format!("{public_url}/organize/invite#{token}")
}

#[cfg(test)]
mod tests {
    use flagship_game::TeamName;
    use flagship_store::organizers::{Changer, Rights, Role};
    use flagship_testkit::{TestDb, on_both_engines};
    use futures_util::FutureExt;

    use super::*;

    fn client(last: u8) -> ClientNetwork {
        ClientNetwork { network: [198, 51, 100, last].into(), trusted: None }
    }

    /// Organizers of a database with one organizer, and the token of an invitation.
    async fn with_one(test: &TestDb) -> (Organizers, String) {
        let seal = Seal::open(&test.db, &Key::new(b"secret")).await.expect("a seal");
        let storage = crate::storage::Storage::folder(std::path::Path::new("/unused"));
        let uploads = Uploads::new(storage);
        let organizers = Organizers::new(&test.db, &Clock::manual(0), &seal, uploads);
        let (token, digest) = organizers.new_token(Kind::Invitation);
        let name = TeamName::parse("Ada").expect("a name");
        let rights = Rights { roles: [Role::Owner].into(), ..Rights::default() };
        let by = Changer::CommandLine(&seal);
        let added = organizers::add(&test.db, by, &name, &rights, &digest, 0).await;
        added.expect("it is written").expect("the name is free");
        (organizers, token)
    }

    on_both_engines! {
        async fn one_session_has_a_few_requests_at_once(engine: Engine) {
            let test = TestDb::new(engine).await;
            let (organizers, token) = with_one(&test).await;
            let mut open = Vec::new();
            for _ in 0..REQUESTS_PER_PASS_MAX {
                open.push(organizers.who(&client(1), Kind::Invitation, &token).await);
            }
            assert!(open.iter().all(|who| matches!(who, Ok(Some(_)))));
            let next = organizers.who(&client(2), Kind::Invitation, &token).await;
            assert!(matches!(next, Err(NodeError::Busy)), "the ninth is refused");
            open.pop();
            let next = organizers.who(&client(2), Kind::Invitation, &token).await;
            assert!(matches!(next, Ok(Some(_))), "one has ended");
        }

        async fn an_organizer_with_many_sessions_leaves_requests_to_the_others(engine: Engine) {
            let test = TestDb::new(engine).await;
            let (organizers, _) = with_one(&test).await;
            let mut requests = Vec::new();
            for _ in 0..3 {
                let (token, digest) = organizers.new_token(Kind::Token);
                let made = organizers::create_token(&test.db, &digest, "Ada", 1, 0).await;
                made.expect("it is written").expect("Ada is there");
                for _ in 0..REQUESTS_PER_PASS_MAX {
                    requests.push(organizers.who(&client(1), Kind::Token, &token).await);
                }
            }
            let admitted = requests.iter().filter(|it| matches!(it, Ok(Some(_)))).count();
            assert_eq!(admitted, REQUESTS_EACH_MAX, "two sessions' worth of requests");
        }

        async fn ended_tokens_of_a_network_leave_lookups_to_the_others(engine: Engine) {
            let test = TestDb::new(engine).await;
            let (organizers, _) = with_one(&test).await;
            // Simulates a session that has ended.
            let (ended, _) = organizers.new_token(Kind::Session);
            let reads = organizers.reads.acquire_many(READS_MAX as u32).await.expect("free");
            let (here, elsewhere) = (client(1), client(2));
            let look = |client| Box::pin(organizers.who(client, Kind::Session, &ended));
            let mut waiting: Vec<_> = (0..LOOKUPS_MAX / 4).map(|_| look(&here)).collect();
            assert!(waiting.iter_mut().all(|look| look.now_or_never().is_none()));
            let words = "a network has a quarter of those that wait";
            let next = look(&here).now_or_never();
            assert!(matches!(next, Some(Err(NodeError::Busy))), "{words}");
            let mut waits = look(&elsewhere);
            assert!((&mut waits).now_or_never().is_none(), "another network waits its turn");
            // It was queued behind the requests of the first network.
            drop((reads, waiting));
            assert!(matches!(waits.await, Ok(None)));
        }
    }
}
