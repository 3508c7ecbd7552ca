//! The state of the node: its parts, and the tasks that run over them. Parts do not hold the state.

use std::sync::Arc;
use std::time::Duration;

use flagship_game::{Contest, TeamId};
use flagship_pack::Live;
use flagship_store::key::token_hash;
use flagship_store::lane::Writer;
use flagship_store::ops::{self, Outcome, Plan, Preview, Request};
use flagship_store::{Clock, Db, Seal, StoreError};
use tokio::sync::{Mutex, Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use super::activity::Activity;
use super::board::answers::Answers;
use super::board::feed::Feed;
use super::brand::Brand;
use super::captcha::spent::SpentTask;
use super::config::Config;
use super::downloads::Downloads;
use super::error::NodeError;
use super::flags::Flags;
use super::flags::budgets::Budgets;
use super::flags::texts::Texts;
use super::flags::wrong_flags::{WrongFlags, WrongFlagsTask};
use super::follow::Follow;
use super::housekeeping::Kept;
use super::lane::{Lane, LaneError, LaneTask, LaneThread};
use super::limits::accounts::Limits;
use super::limits::attempts::Attempts;
use super::limits::refusals::{Refusals, captcha_refusals, link_refusals};
use super::links::Links;
use super::lists::{evidence, tries};
use super::mail::mailer::{Mailer, MailerTask};
use super::mail::outbox::Outbox;
use super::metrics::Metrics;
use super::metrics::pace::{self, Pace};
use super::nodes::task::{NodesTask, Parts};
use super::nodes::{Nodes, Submission};
use super::organizers::Organizers;
use super::organizers::live::Sources;
use super::passwords::Passwords;
use super::readiness::Readiness;
use super::reserved::Reserved;
use super::services::Services;
use super::sessions::{Sessions, Team, is_token};
use super::settings::LiveSettings;
use super::sightings::Sightings;
use super::sockets::Sockets;
use super::uploads::Uploads;
use super::{activity, heads};
use crate::net::permits::{NetworkPermits, Permits, SitePermits};
use crate::net::serve::{connection_permits, downloads_max};
use crate::net::shutdown::Shutdown;

/// Most changes of teams' own accounts, logouts among them, that are written or wait to be ...
const OWN_WRITES_MAX: usize = 32;
/// ... and of one team. Each is a transaction that logins wait for.
const OWN_WRITES_PER_TEAM_MAX: usize = 2;

/// Accounts that are looked up for logins at once. Networks without a limit on them could otherwise
/// take all connections of the database.
const ACCOUNT_READS_MAX: usize = 2;
/// Mailed links that are looked up or wait to be, one after the other.
const LINKS_MAX: usize = 256;

/// How long a session may be known before its team's entry arrives.
const JOIN_MAX: Duration = Duration::from_secs(1);

/// Questions of teams and their own accounts that are read or kept at once.
const OWN_READS_MAX: usize = 2;
/// Requests for own accounts that are read or wait to be.
const OWN_VIEWS_MAX: usize = 256;
/// The same of one team.
const OWN_VIEWS_PER_TEAM_MAX: usize = 2;

/// The state that all handlers share.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The parts of `App`, which only this crate can reach.
pub struct Inner {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) config: Config,
    pub(crate) settings: LiveSettings,
    pub(crate) feed: Arc<Feed>,
    pub(crate) lane: Arc<Lane>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) answers: Arc<Answers>,
    pub(crate) flags: Arc<Flags>,
    pub(crate) links: Links,
    pub(crate) seal: Seal,
    pub(crate) budgets: Arc<Budgets>,
    pub(crate) nodes: Arc<Nodes>,
    pub(crate) attempts: Arc<Attempts>,
    pub(crate) passwords: Passwords,
    pub(crate) services: Arc<Services>,
    pub(crate) refused_captchas: Refusals,
    pub(crate) refused_links: Refusals,
    /// Permits to look up the account of a login in the database.
    pub(crate) account_reads: Semaphore,
    pub(crate) links_waiting: NetworkPermits,
    /// Held while a link is looked up: so logins do not wait behind links.
    pub(crate) link_read: Mutex<()>,
    pub(crate) own_writes: Arc<Permits<TeamId>>,
    /// Of logouts, which wait behind no change.
    pub(crate) logouts: Arc<Permits<TeamId>>,
    /// To wait for a read of the own account: a team has few places in that queue.
    pub(crate) own_views: Arc<Permits<TeamId>>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) limits: Limits,
    pub(crate) organizers: Organizers,
    pub(crate) reserved_names: Reserved,
    /// Held while questions of teams are read or kept, and their own accounts are read: few of the
    /// database's connections.
    pub(crate) own_reads: Semaphore,
    pub(crate) wrong_flags: Arc<WrongFlags>,
    pub(crate) texts: Arc<Texts>,
    pub(crate) sightings: Arc<Sightings>,
    pub(crate) sockets: Sockets,
    pub(crate) downloads: Downloads,
    pub(crate) uploads: Uploads,
    pub(crate) brand: Brand,
    pub(crate) connections: Arc<SitePermits>,
    pub(crate) readiness: Arc<Readiness>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) pace: Arc<Pace>,
    pub(crate) metrics: Option<Arc<Metrics>>,
    draining: watch::Sender<bool>,
    tasks: Tasks,
}

/// The node's tasks.
struct Tasks {
    shutdown: watch::Sender<bool>,
    running: parking_lot::Mutex<JoinSet<()>>,
    lane_thread: LaneThread,
}

impl Tasks {
    /// None so far.
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            shutdown: watch::Sender::new(false),
            running: parking_lot::Mutex::new(JoinSet::new()),
            lane_thread: LaneThread::new()?,
        })
    }

    fn spawn<F>(&self, task: impl FnOnce(Shutdown) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.running.lock().spawn(task(self.shutdown.subscribe()));
    }

    /// Runs the lane on its thread.
    fn spawn_lane(&self, lane: LaneTask) {
        self.lane_thread.spawn(&mut self.running.lock(), lane.run(self.shutdown.subscribe()));
    }

    /// Stops the tasks, and waits until they have finished what they began.
    async fn stop(&self) {
        self.shutdown.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.running.lock());
        while tasks.join_next().await.is_some() {}
    }
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Starts the node's tasks over a journal that is open and folded. `templates` are the path
    /// templates of all routes, which metrics are labelled with.
    pub(crate) async fn start(
        writer: Writer,
        config: Config,
        templates: Vec<String>,
    ) -> anyhow::Result<Self> {
        let (db, clock) = (writer.db().clone(), writer.clock().clone());
        let seal = writer.seal().clone();
        let pace = Arc::new(Pace::new());
        let feed = Arc::new(Feed::new(writer.generation(), writer.contest()));
        let metrics = config.metrics.then(|| Arc::new(Metrics::new(db.engine(), templates, &pace)));
        let (lane, lane_task) = Lane::new(writer, feed.clone(), metrics.clone(), pace.clone());
        let settings = LiveSettings::open(config.settings.live(), &db).await?;
        let lane = Arc::new(lane);
        let budgets = Arc::new(Budgets::new(settings.clone()));
        let (nodes, submissions) = Nodes::join(db.clone(), &clock, budgets.clone()).await?;
        let nodes = Arc::new(nodes);
        let key = config.key.clone();
        let followed = settings.clone();
        let attempts = Attempts::new(db.clone(), clock.clone(), key, followed, nodes.clone());
        let (wrong_flags, recorder) =
            WrongFlags::open(&db, &seal, &settings, &clock, &feed).await?;
        let from = Outbox::new(&config, settings.clone(), db.clone(), clock.clone(), feed.clone());
        let (services, spent_task) = Services::open(&config, &db, &clock, &seal).await?;
        let (mailer, mailer_task) = Mailer::new(&config, from, services.clone());
        let (draining, subscribed) = watch::channel(false);
        let inner = Inner {
            attempts,
            readiness: Arc::new(Readiness::new(db.clone(), lane.clone(), feed.clone(), subscribed)),
            sessions: Arc::new(Sessions::open(&db).await?),
            answers: Arc::new(Answers::open(&db, clock.now_ms()).await?),
            activity: Arc::default(),
            links: Links::new(&config.key),
            flags: recorder.parts.flags.clone(),
            passwords: Passwords::new(),
            refused_captchas: captcha_refusals(),
            refused_links: link_refusals(),
            account_reads: Semaphore::new(ACCOUNT_READS_MAX),
            links_waiting: NetworkPermits::new(LINKS_MAX),
            link_read: Mutex::default(),
            own_writes: Permits::new(OWN_WRITES_MAX, OWN_WRITES_PER_TEAM_MAX),
            logouts: Permits::new(OWN_WRITES_MAX, OWN_WRITES_PER_TEAM_MAX),
            own_views: Permits::new(OWN_VIEWS_MAX, OWN_VIEWS_PER_TEAM_MAX),
            limits: Limits::new(&settings),
            organizers: Organizers::new(&db, &clock, &config.key),
            reserved_names: Reserved::default(),
            own_reads: Semaphore::new(OWN_READS_MAX),
            wrong_flags: Arc::new(wrong_flags),
            sightings: recorder.parts.sightings.clone(),
            texts: recorder.parts.texts.clone(),
            sockets: Sockets::new(),
            downloads: Downloads::new(downloads_max()),
            uploads: Uploads::new(&config.data),
            brand: Brand::new(&config.data, settings.clone()),
            connections: connection_permits(),
            tasks: Tasks::new()?,
            budgets,
            nodes,
            seal,
            mailer,
            services,
            pace,
            metrics,
            draining,
            feed,
            lane,
            db,
            clock,
            config,
            settings,
        };
        inner.spawn_writers(lane_task, recorder, mailer_task, spent_task);
        Ok(Self::of(inner, submissions))
    }

    /// The app over its parts. Spawns the tasks that share parts with the handlers.
    fn of(inner: Inner, submissions: mpsc::Receiver<Submission>) -> Self {
        inner.spawn_tasks(submissions);
        Self(Arc::new(inner))
    }

    /// Begins to drain: sockets are closed, and the node is not ready any more.
    pub fn drain(&self) {
        self.draining.send_replace(true);
    }

    /// Becomes true when the node drains.
    pub(crate) fn draining(&self) -> Shutdown {
        self.draining.subscribe()
    }

    /// Stops the tasks, waits until they have finished what they began, and closes the database. No
    /// request may be open.
    pub async fn stop(&self) {
        self.drain();
        self.tasks.stop().await;
        self.db.close().await;
    }

    /// What signs the journal and the actions of organizers.
    pub fn seal(&self) -> Seal {
        self.seal.clone()
    }

    /// The organizers, with the threads and turns of what they ask for.
    pub fn organizers(&self) -> &Organizers {
        &self.organizers
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The settings that may change while the node runs.
    pub fn settings(&self) -> Arc<Live> {
        self.settings.load_full()
    }

    /// Takes over what was just set.
    pub(crate) async fn follow_settings(&self) -> Result<(), StoreError> {
        let seen = self.settings.follow(&self.db).await?;
        self.services.follow(&self.db, &self.seal, &seen).await
    }

    /// Makes all nodes take over settings.
    pub async fn reload(&self, live: &Live) -> Result<(), StoreError> {
        self.settings.put(&self.db, live).await
    }

    /// The newest fold.
    pub fn contest(&self) -> Arc<Contest> {
        self.feed.latest()
    }

    /// What applying a plan would change; `None` if the journal has a newer format than this
    /// program reads.
    pub async fn preview(&self, plan: &Plan) -> Result<Option<Preview>, StoreError> {
        if self.lane.is_read_only() {
            return Ok(None);
        }
        let now_ms = self.clock.now_ms();
        ops::preview(&self.db, &self.seal, now_ms, &self.feed.latest(), plan).await.map(Some)
    }

    /// Runs an operation in the lane.
    pub async fn run(&self, request: Request) -> Result<Outcome, LaneError> {
        self.lane.run(request).await
    }

    /// Waits until the fold has the team of a session: another process may have just created the
    /// team, and its session can be read before its entry.
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

    /// The team of a token; `None` if the token is empty, unknown or ended, or the team is banned.
    pub(crate) async fn team_of(&self, token: &str) -> Result<Option<Team>, NodeError> {
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

    /// The team of a token, if it is known without reading the database.
    pub(crate) fn known_team_of(&self, token: &str) -> Option<TeamId> {
        if !is_token(token) {
            return None;
        }
        self.known_team(&token_hash(token), self.clock.now_ms())
    }

    fn known_team(&self, hash: &str, now_ms: i64) -> Option<TeamId> {
        let account = self.sessions.known_account(hash, now_ms);
        account.map(TeamId).filter(|id| self.plays(*id))
    }

    fn plays(&self, team: TeamId) -> bool {
        self.feed.contest_of(team).team(team).is_some_and(|team| !team.banned)
    }
}

impl Inner {
    fn spawn<F>(&self, task: impl FnOnce(Shutdown) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(task);
    }

    /// Spawns the tasks that write what others give them.
    fn spawn_writers(
        &self,
        lane: LaneTask,
        wrong_flags: WrongFlagsTask,
        mailer: MailerTask,
        spent: SpentTask,
    ) {
        self.tasks.spawn_lane(lane);
        // Wrong flags note networks until all of them are written.
        let (finished, is_finished) = watch::channel(false);
        self.spawn(|shutdown| async move {
            wrong_flags.run(shutdown).await;
            finished.send_replace(true);
        });
        let (seen, recorded) = (self.sightings.clone(), self.db.clone());
        self.spawn(|_| async move { seen.run(recorded, is_finished).await });
        self.spawn(|shutdown| mailer.run(shutdown));
        self.spawn(|shutdown| spent.run(shutdown));
    }

    /// Spawns the tasks that share parts with the handlers.
    fn spawn_tasks(&self, submissions: mpsc::Receiver<Submission>) {
        let (db, clock) = (self.db.clone(), self.clock.clone());
        let (nodes, flags, sessions) =
            (self.nodes.clone(), self.flags.clone(), self.sessions.clone());
        let follow = Follow {
            db: db.clone(),
            clock: clock.clone(),
            feed: self.feed.clone(),
            lane: self.lane.clone(),
            sessions: sessions.clone(),
            answers: self.answers.clone(),
            nodes: nodes.clone(),
            flags: flags.clone(),
            settings: self.settings.clone(),
            services: self.services.clone(),
            seal: self.seal.clone(),
        };
        self.spawn(|shutdown| follow.run(shutdown));
        let (counter, feed) = (self.organizers.lists.tries.clone(), self.feed.clone());
        let (counted, counted_clock) = (db.clone(), clock.clone());
        self.spawn(|shutdown| tries::run(counter, counted, counted_clock, feed, shutdown));
        let live = self.organizers.live.clone();
        let sources = Sources {
            db: db.clone(),
            clock: clock.clone(),
            feed: self.feed.clone(),
            views: self.organizers.views.clone(),
        };
        self.spawn(|shutdown| live.run(sources, shutdown));
        let (evidence, feed) = (self.organizers.lists.evidence.clone(), self.feed.clone());
        let (looked, key, looked_clock) = (db.clone(), self.config.key.clone(), clock.clone());
        self.spawn(|shutdown| evidence::run(evidence, looked, key, looked_clock, feed, shutdown));
        let (texts, texts_in) = (self.texts.clone(), db.clone());
        self.spawn(|shutdown| async move { texts.run(texts_in, shutdown).await });
        let near = self.flags.clone();
        self.spawn(|shutdown| async move { near.follow_near(shutdown).await });
        self.spawn(|shutdown| heads::run(db.clone(), self.seal.clone(), shutdown));
        self.spawn(|shutdown| pace::run(self.pace.clone(), shutdown));
        let (noted, noted_in) = (sessions.clone(), db.clone());
        self.spawn(|shutdown| async move { noted.note_seen(noted_in, shutdown).await });
        let kept = Kept {
            db: db.clone(),
            clock: clock.clone(),
            feed: self.feed.clone(),
            settings: self.settings.clone(),
            uploads: self.uploads.clone(),
            sessions,
        };
        self.spawn(|shutdown| kept.run(shutdown));
        let (feed, happened) = (self.feed.clone(), self.activity.clone());
        self.spawn(|shutdown| activity::run(db.clone(), feed, happened, shutdown));
        let looking = nodes.clone();
        self.spawn(|shutdown| async move { looking.look(shutdown).await });
        let parts = Parts {
            db,
            clock,
            key: self.config.key.clone(),
            nodes,
            flags,
            budgets: self.budgets.clone(),
            wrong_flags: self.wrong_flags.clone(),
            attempts: self.attempts.clone(),
        };
        self.spawn(|shutdown| NodesTask::new(parts, submissions).run(shutdown));
    }
}
