//! The state that handlers share, and the routes over it.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use flagship_game::{Contest, Secret, TeamId};
use flagship_pack::Settings;
use flagship_store::key::token_hash;
use flagship_store::lane::{Op, Outcome, Writer};
use flagship_store::{Clock, Db, Key, Seal, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::attempts::Attempts;
use crate::budgets::Budgets;
use crate::captcha::{Captcha, Spent, SpentTask};
use crate::downloads::Downloads;
use crate::error::ApiError;
use crate::extract::Team;
use crate::flags::Flags;
use crate::health::Readiness;
use crate::lane::{Lane, LaneError, LaneTask, LaneThread};
use crate::links::Links;
use crate::live::Sockets;
use crate::mailer::Mailer;
use crate::metrics::Metrics;
use crate::nodes::{Nodes, NodesTask};
use crate::passwords::Passwords;
use crate::places::Places;
use crate::published::Feed;
use crate::refusals::Refusals;
use crate::sessions::{Sessions, is_token};
use crate::{
    accounts, captcha, error, event, files, headers, health, live, metrics, play, scoreboard,
    serve, site,
};

/// Pause after a failed look for changes.
const FOLLOW_PAUSE: Duration = Duration::from_millis(500);

/// How often a node looks for changes in the freeze.
const FROZEN_LOOK: Duration = Duration::from_millis(100);

/// A wall clock that jumped is warned of again when it is off by so many milliseconds more.
const JUMP_STEP_MS: i64 = 1_000;

/// Mailed links that are looked up at once: networks that are exempt from the budget of refused ones
/// would take all connections of the database.
const LINK_READS_MAX: usize = 2;

/// How long a team's entry may come after its session.
const JOIN_MAX: Duration = Duration::from_secs(1);

/// What the program was told.
#[derive(Clone)]
pub struct Config {
    /// Of the event's files, read at every start.
    pub settings: Settings,
    /// Where players reach the site, without a slash at the end.
    pub public_url: String,
    /// The folder for attachments and mail.
    pub data: PathBuf,
    /// The event's secret.
    pub key: Key,
    /// A remote captcha's secret.
    pub captcha_secret: Option<Secret>,
    /// The SMTP server's password.
    pub smtp_password: Option<Secret>,
    /// Whether mailed links are also printed, for a demonstration.
    pub print_links: bool,
    /// Whether numbers are recorded for `serve_metrics`.
    pub metrics: bool,
}

/// Everything that handlers share.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// What `App` shares; reachable only inside this crate.
pub struct Inner {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) config: Config,
    pub(crate) feed: Arc<Feed>,
    pub(crate) lane: Lane,
    pub(crate) sessions: Sessions,
    pub(crate) flags: Flags,
    pub(crate) links: Links,
    pub(crate) seal: Seal,
    pub(crate) budgets: Budgets,
    pub(crate) nodes: Nodes,
    pub(crate) attempts: Attempts,
    pub(crate) passwords: Passwords,
    pub(crate) captcha: Captcha,
    pub(crate) refused_captchas: Refusals,
    pub(crate) refused_links: Refusals,
    /// Permits to look a mailed link up in the database.
    pub(crate) link_reads: Semaphore,
    pub(crate) logouts: Arc<Places<TeamId>>,
    pub(crate) mailer: Mailer,
    pub(crate) limits: accounts::Limits,
    pub(crate) wrong_flags: play::WrongFlags,
    pub(crate) sockets: Sockets,
    pub(crate) front: Option<site::Asset>,
    pub(crate) downloads: Downloads,
    pub(crate) connections: Arc<Places<IpAddr>>,
    pub(crate) readiness: Readiness,
    pub(crate) metrics: Option<Arc<Metrics>>,
    leave: watch::Sender<bool>,
    stop: watch::Sender<bool>,
    tasks: parking_lot::Mutex<JoinSet<()>>,
    lane_thread: LaneThread,
}

impl std::ops::Deref for App {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Opens the books, folds the journal and starts the tasks behind the handlers.
    pub async fn open(db: Db, config: Config, clock: Clock) -> anyhow::Result<Self> {
        let writer = Writer::open_kept(db, &config.key, clock, &config.data).await?;
        Self::over(writer, config).await
    }

    /// The same over books that are open and folded.
    pub async fn over(writer: Writer, config: Config) -> anyhow::Result<Self> {
        let (db, clock) = (writer.db().clone(), writer.clock().clone());
        let feed = Arc::new(Feed::new(writer.generation(), writer.contest()));
        let metrics = config.metrics.then(|| Arc::new(Metrics::new(db.engine())));
        let seal = writer.seal().clone();
        let (lane, lane_task) = Lane::new(writer, feed.clone(), metrics.clone());
        let limits = &config.settings.limits;
        let budgets = Budgets::new(
            limits.submissions_per_challenge_per_10_s,
            limits.submissions_per_team_per_minute,
        );
        let (nodes, nodes_task) = Nodes::join(db.clone(), &clock, budgets.limits()).await?;
        let (wrong_flags, wrong_flags_task) = play::WrongFlags::new(db.clone());
        let (spent, spent_task) = Spent::new(db.clone(), clock.clone());
        let inner = Inner {
            budgets,
            nodes,
            attempts: Attempts::default(),
            sessions: Sessions::default(),
            links: Links::new(&config.key),
            seal,
            flags: Flags::open(db.clone()).await?,
            passwords: Passwords::new(),
            captcha: Captcha::new(&config, spent)?,
            refused_captchas: accounts::refused_captchas(),
            refused_links: accounts::refused_links(),
            link_reads: Semaphore::new(LINK_READS_MAX),
            logouts: accounts::logouts(),
            mailer: Mailer::new(&config)?,
            limits: accounts::Limits::new(limits),
            sockets: Sockets::new(),
            front: site::front(&config.settings.site),
            downloads: Downloads::new(serve::downloads_max()),
            connections: serve::places(),
            readiness: Readiness::default(),
            metrics,
            leave: watch::Sender::new(false),
            stop: watch::Sender::new(false),
            tasks: parking_lot::Mutex::new(JoinSet::new()),
            lane_thread: LaneThread::new()?,
            feed,
            lane,
            wrong_flags,
            db,
            clock,
            config,
        };
        inner.sessions.follow(&inner.db).await?;
        let app = Self(Arc::new(inner));
        app.start(lane_task, nodes_task, wrong_flags_task, spent_task);
        Ok(app)
    }

    fn start(
        &self,
        lane: LaneTask,
        nodes: NodesTask,
        wrong_flags: play::WrongFlagsTask,
        spent: SpentTask,
    ) {
        let mut tasks = self.tasks.lock();
        let stop = || self.stop.subscribe();
        self.lane_thread.spawn(&mut tasks, lane.run(stop()));
        tasks.spawn(wrong_flags.run(stop()));
        tasks.spawn(spent.run(stop()));
        tasks.spawn(follow(self.clone(), stop()));
        let app = self.clone();
        let stopped = stop();
        tasks.spawn(async move { app.nodes.look(stopped).await });
        tasks.spawn(nodes.run(self.clone(), stop()));
        tasks.spawn(crate::mailer::run(self.clone(), stop()));
        tasks.spawn(crate::heads::run(self.clone(), stop()));
    }

    /// Says that nobody new is served: sockets are told goodbye, and the node is not ready.
    pub fn leave(&self) {
        self.leave.send_replace(true);
    }

    /// Whether nobody new is served.
    pub(crate) fn is_leaving(&self) -> bool {
        *self.leave.borrow()
    }

    /// Resolves when nobody new is served.
    pub(crate) fn left(&self) -> watch::Receiver<bool> {
        self.leave.subscribe()
    }

    /// Tells the tasks to stop, and waits until they have finished what was begun. Before it,
    /// nobody may be left who asks for anything.
    pub async fn stop(&self) {
        self.leave();
        self.stop.send_replace(true);
        let mut tasks = std::mem::take(&mut *self.tasks.lock());
        while tasks.join_next().await.is_some() {}
        self.db.close().await;
    }

    /// What the program was told.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The newest fold.
    pub fn contest(&self) -> Arc<Contest> {
        self.feed.latest()
    }

    /// Does an operation in the lane.
    pub async fn run(&self, op: Op) -> Result<Outcome, LaneError> {
        self.lane.run(op).await
    }

    /// Waits until the fold has a team that has a session: another process may have let it join a
    /// moment ago, and its session is found in the table before its entry comes round.
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

    /// The team behind a token: `None` when it is empty, unknown, ended or banned.
    pub(crate) async fn team_of(&self, token: &str) -> Result<Option<Team>, ApiError> {
        if !is_token(token) {
            return Ok(None);
        }
        let (hash, now_ms) = (token_hash(token), self.clock.now_ms());
        let id = match self.known_team(&hash, now_ms) {
            Some(id) => Some(id),
            // Apart, so that what waits for a database is not part of every request's future.
            None => Box::pin(self.look_for_team(&hash, now_ms)).await?,
        };
        Ok(id.map(|id| Team { id, token_hash: hash }))
    }

    async fn look_for_team(&self, hash: &str, now_ms: i64) -> Result<Option<TeamId>, ApiError> {
        let account = self.sessions.account(&self.db, hash, now_ms).await?.map(TeamId);
        if let Some(id) = account {
            self.know_team(id).await;
        }
        Ok(account.filter(|id| self.plays(*id)))
    }

    /// `team_of` as far as it is known without a look at the database.
    pub(crate) fn team_already(&self, token: &str) -> Option<TeamId> {
        if !is_token(token) {
            return None;
        }
        self.known_team(&token_hash(token), self.clock.now_ms())
    }

    fn known_team(&self, hash: &str, now_ms: i64) -> Option<TeamId> {
        let account = self.sessions.account_already(hash, now_ms);
        account.map(TeamId).filter(|id| self.plays(*id))
    }

    fn plays(&self, team: TeamId) -> bool {
        self.feed.contest_of(team).team(team).is_some_and(|team| !team.banned)
    }
}

impl From<LaneError> for ApiError {
    fn from(_: LaneError) -> Self {
        Self::overload()
    }
}

/// Resolves when a task is told to stop.
pub(crate) async fn told(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody is left who could tell.
    drop(stop.wait_for(|stop| *stop).await);
}

/// Follows what other processes write: entries, sessions, flags.
async fn follow(app: App, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow_and_update() {
        let followed = tokio::select! {
            followed = follow_hints(&app) => followed,
            () = told(&mut stop) => return,
        };
        if let Err(error) = followed {
            error::report(&error, "changes of other processes could not be read");
            tokio::time::sleep(FOLLOW_PAUSE).await;
        }
    }
}

async fn follow_hints(app: &App) -> Result<(), StoreError> {
    let mut hints = app.db.hints().await?;
    let mut warned_of_ms = 0;
    loop {
        app.lane.hint.notify_one();
        app.sessions.follow(&app.db).await?;
        app.nodes.follow().await?;
        // Flags that cannot be read stop nothing else.
        let flags = app.flags.follow().await;
        if let Err(error) = &flags {
            error::report(error, "the flags could not be read");
        }
        let ahead_ms = app.clock.jump_ms().unwrap_or_default();
        if (ahead_ms - warned_of_ms).abs() > JUMP_STEP_MS {
            tracing::warn!(ahead_ms, "the wall clock has jumped; the event's has not");
            warned_of_ms = ahead_ms;
        }
        // In the freeze hints come with what it hides. Looking in even steps, whatever was written,
        // the node does the same work whether there was anything or not.
        if app.feed.latest().is_frozen_at(app.clock.now_ms()) {
            let pause = if flags.is_ok() { FROZEN_LOOK } else { FOLLOW_PAUSE };
            tokio::time::sleep(pause).await;
        } else {
            let wait_max = if flags.is_ok() { Duration::MAX } else { FOLLOW_PAUSE };
            tokio::time::timeout(wait_max, hints.wait()).await.unwrap_or(Ok(()))?;
        }
    }
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Flagship",
    description = "The API of a Flagship event. Errors are {\"message\": \"...\"}.",
    license(name = "AGPL-3.0-only", identifier = "AGPL-3.0-only")
))]
struct Description;

fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(event::ctf))
        .routes(routes!(event::rules))
        .routes(routes!(play::challenges))
        .routes(routes!(play::solve))
        .routes(routes!(scoreboard::snapshot))
        .routes(routes!(scoreboard::team))
        .routes(routes!(scoreboard::ctftime))
        .routes(routes!(files::attachment))
        .routes(routes!(live::live))
        .routes(routes!(captcha::challenge))
        .routes(routes!(accounts::signup))
        .routes(routes!(accounts::login))
        .routes(routes!(accounts::logout))
        .routes(routes!(accounts::confirm))
        .routes(routes!(accounts::resend))
        .routes(routes!(accounts::forgot))
        .routes(routes!(accounts::reset))
}

/// The calls beside the API: for those who watch over the program.
fn watchers() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
}

fn described() -> (Router<App>, utoipa::openapi::OpenApi) {
    watchers().nest("/api", routes()).split_for_parts()
}

/// The templates of all routes.
pub(crate) fn templates() -> Vec<String> {
    described().1.paths.paths.into_keys().collect()
}

/// The HTTP description, as JSON.
pub fn openapi() -> String {
    let (_, mut description) = described();
    for item in description.paths.paths.values_mut() {
        for (operation, takes_body) in [(&mut item.get, false), (&mut item.post, true)] {
            if let Some(operation) = operation {
                describe_failures(operation, takes_body);
            }
        }
    }
    description.to_pretty_json().expect("the description is plain data") + "\n"
}

/// Says what any call may answer with, whatever it does.
fn describe_failures(operation: &mut Operation, takes_body: bool) {
    for (status, words) in [
        ("408", "The request took too long"),
        ("413", "The body is too large"),
        ("500", "Our own fault"),
        ("503", "Too much to do; `Retry-After` says when to come back"),
    ] {
        if status == "413" && !takes_body {
            continue;
        }
        let error = Content::new(Some(Ref::from_schema_name("Error")));
        let response = ResponseBuilder::new().description(words);
        let response = response.content("application/json", error).build();
        operation.responses.responses.entry(status.to_owned()).or_insert(response.into());
    }
}

/// All routes: the API under `/api`, the description, the site.
pub fn app(app: App) -> Router {
    let (api, _) = routes().split_for_parts();
    let api = api.fallback(|| async { ApiError::NOT_FOUND });
    let api = api.method_not_allowed_fallback(|| async { ApiError::METHOD });
    let router = watchers()
        .split_for_parts()
        .0
        .nest("/api", api)
        .route("/api/", axum::routing::any(|| async { ApiError::NOT_FOUND }))
        .route("/openapi.json", axum::routing::get(site::openapi))
        .fallback(site::page)
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}

/// The routes of the listener for those who watch over the program.
pub fn watched(app: App) -> Router {
    let (router, _) = watchers().split_for_parts();
    let router = router
        .route("/metrics", axum::routing::get(metrics::metrics))
        .fallback(|| async { ApiError::NOT_FOUND })
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}
