//! State of the node: its five parts, which hold no reference to it, and the tasks that several of
//! them share.

use std::net::IpAddr;
use std::sync::Arc;

use flagship_game::{Contest, TeamId};
use flagship_pack::Live;
use flagship_store::lane::Writer;
use flagship_store::ops::{self, Outcome, Plan, Preview, Request};
use flagship_store::{Db, Seal, StoreError};

use super::accounts::Accounts;
use super::board::Board;
use super::common::Common;
use super::config::Config;
use super::copies::Copies;
use super::error::{LaneError, NodeError};
use super::judging::Judging;
use super::judging::judge::SubmissionResult;
use super::lane::Lane;
use super::metrics::Metrics;
use super::metrics::counters::Counters;
use super::organizers::Organizers;
use super::services::Services;
use super::serving::Serving;
use super::settings::LiveSettings;
use super::storage::Storage;
use super::tasks::Tasks;
use super::uploads::Uploads;
use super::{follow, housekeeping};

/// State shared by all handlers.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// Parts of `App`, accessible only in this crate.
pub struct Parts {
    pub(crate) board: Arc<Board>,
    pub(crate) judging: Arc<Judging>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) organizers: Arc<Organizers>,
    pub(crate) serving: Arc<Serving>,
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// Starts the node's tasks on a journal that is open and folded. `templates` are the path
    /// templates of all routes, for the labels of metrics.
    pub(crate) async fn start(
        writer: Writer,
        config: Config,
        templates: Vec<String>,
    ) -> anyhow::Result<Self> {
        let db = writer.db().clone();
        let clock = writer.clock().clone();
        let seal = writer.seal().clone();
        let tasks = Tasks::new()?;
        let counters = Arc::new(Counters::new());
        let metrics =
            config.metrics.then(|| Arc::new(Metrics::new(db.engine(), templates, &counters)));
        let settings = LiveSettings::open(config.settings.live(), &db).await?;
        let board = Board::open(&writer, &config.key, settings.clone()).await?;
        let feed = board.feed.clone();
        let (lane, lane_task) = Lane::new(writer, feed.clone(), counters.clone());
        let services = Services::open(&config, &db, &clock, &seal, &tasks).await?;
        let common = Common {
            lane,
            activity: Arc::default(),
            config: Arc::new(config),
            db,
            clock,
            seal,
            settings,
            services,
            feed,
            counters,
        };
        let judging = Judging::open(&common, &tasks).await?;
        let accounts = Accounts::open(&common, &judging, &tasks).await?;
        let Config { attachments, data, .. } = &*common.config;
        let storage = Storage::open(attachments, &common.db, data).map_err(anyhow::Error::msg)?;
        let uploads = Uploads::new(storage.clone());
        let copies = Copies::new(&common.config.key, judging.flags.clone(), storage.clone());
        let copies = Arc::new(copies);
        let feed = common.feed.clone();
        tasks.spawn_loop({
            let copies = copies.clone();
            async move { copies.prepare(&feed).await }
        });
        let organizers = Organizers::new(&common.db, &common.clock, &common.seal, uploads);
        organizers.spawn(&tasks, &common.feed);
        tasks.spawn_lane(lane_task);
        let passwords = accounts.passwords.clone();
        let parts = Parts {
            board: Arc::new(board),
            judging: Arc::new(judging),
            accounts: Arc::new(accounts),
            organizers: Arc::new(organizers),
            serving: Arc::new(Serving::new(common, metrics, passwords, tasks, storage, copies)),
        };
        let Parts { board, judging, accounts, organizers, serving } = &parts;
        let (tasks, uploads) = (&serving.tasks, &organizers.uploads);
        tasks.spawn_loop(follow::run(board.clone(), judging.clone(), accounts.clone()));
        tasks.spawn_loop(housekeeping::run(accounts.clone(), uploads.clone()));
        Ok(Self(Arc::new(parts)))
    }

    /// Starts draining: closes sockets and makes the node not ready.
    pub fn drain(&self) {
        self.serving.drain();
    }

    /// Stops the tasks, waits until they have finished their current work, and closes the database.
    /// No request may be open.
    pub async fn stop(&self) {
        self.drain();
        self.serving.tasks.stop().await;
        self.serving.db.close().await;
    }

    /// Returns the seal of the journal and of the audit log.
    pub fn seal(&self) -> Seal {
        self.serving.seal.clone()
    }

    /// Returns the organizers, with the threads and turns for their requests.
    pub fn organizers(&self) -> &Organizers {
        &self.organizers
    }

    /// The database.
    pub(crate) fn db(&self) -> &Db {
        &self.serving.db
    }

    /// Returns the current time, in epoch milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        self.serving.clock.now_ms()
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.serving.config
    }

    /// Returns the storage of attachments and branding files.
    pub fn storage(&self) -> &Storage {
        &self.serving.storage
    }

    /// Returns the settings that can change while the node runs.
    pub fn settings(&self) -> Arc<Live> {
        self.serving.settings.load_full()
    }

    /// Makes all nodes adopt settings.
    pub async fn reload(&self, live: &Live) -> Result<(), StoreError> {
        self.serving.settings.put(&self.serving.db, live).await
    }

    /// Returns the newest fold.
    pub fn contest(&self) -> Arc<Contest> {
        self.board.feed.latest()
    }

    /// Returns the changes that a plan would make; `None` if the journal has a newer format, which
    /// this version cannot read.
    pub async fn preview(&self, plan: &Plan) -> Result<Option<Preview>, StoreError> {
        if self.judging.lane.is_read_only() {
            return Ok(None);
        }
        let Common { db, seal, .. } = &**self.serving;
        ops::preview(db, seal, self.now_ms(), &self.contest(), plan).await.map(Some)
    }

    /// Runs an operation in the lane.
    pub async fn run(&self, request: Request) -> Result<Outcome, LaneError> {
        self.judging.lane.run(request).await
    }

    /// Judges a submission, as `POST /api/solve` does.
    pub async fn play(
        &self,
        team: TeamId,
        id: &str,
        flag: &str,
        network: Option<IpAddr>,
    ) -> Result<SubmissionResult, NodeError> {
        Ok(self.judging.submit(team, id, flag, network).await?.result)
    }
}
