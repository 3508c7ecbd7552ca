//! The node as the place where the actions of an organizer are done.

use std::sync::Arc;
use std::time::Duration;

use flagship_actions::{Desk, Kind, Place, Prepared, Rule};
use flagship_store::ops::{self, Acted, Actor, By, Op, Order, Outcome};
use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::not_done::NotDone;
use crate::api::error::ApiError;
use crate::api::extract::TimeLimit;
use crate::api::organize::by::check;
use crate::api::organize::effect::SHOWN_MAX;
use crate::node::limits::turns::Turn;
use crate::node::organizers::Who;
use crate::node::report::report;
use crate::node::state::App;

/// Longest time of a previewed action.
const PREVIEW_MAX: Duration = Duration::from_secs(5);
/// Seconds after which somebody may look again if the disk has space.
const DISK_RETRY_S: u64 = 60;

/// A node, for the request of an organizer.
pub struct Node<'a> {
    app: &'a App,
    who: &'a Who,
    /// Size of the request.
    bytes: usize,
    limit: TimeLimit,
    /// The turn of a preview, held until its effect is computed, so that the answers of actions
    /// wait for one preview at most.
    turn: Mutex<Option<Turn>>,
}

impl<'a> Node<'a> {
    /// The node, for a request of `bytes` bytes.
    pub fn new(app: &'a App, who: &'a Who, bytes: usize, limit: TimeLimit) -> Self {
        Self { app, who, bytes, limit, turn: Mutex::default() }
    }

    /// Rejects what would fill the disk: the record of an action stays for good, with its undo
    /// data. Organizers who run the contest are never rejected: on a full disk they have to pause
    /// it.
    async fn check_room(&self) -> Result<(), ApiError> {
        let Self { app, who, .. } = self;
        if who.runs_the_contest() {
            return Ok(());
        }
        if !app.organizers.uploads.has_space().await {
            return Err(ApiError::DISK.retry_after(DISK_RETRY_S));
        }
        let budgets = &app.organizers.action_budgets;
        let taken = budgets.take(who.organizer.id, self.bytes, app.now_ms());
        taken.map_err(|seconds| ApiError::ACTIONS.retry_after(seconds))
    }
}

/// The parts of the node that the actions of somebody are prepared with.
pub fn desk(app: &App, who: &Who) -> Desk {
    Desk {
        db: app.db().clone(),
        contest: app.contest(),
        now_ms: app.now_ms(),
        public_url: app.config().public_url.clone(),
        registration: app.settings().registration.clone(),
        confirms_addresses: who.runs_the_contest(),
        actor: who.organizer.name.clone(),
        only_challenges: who.only_challenges(),
        key: app.config().key.clone(),
        seal: app.seal(),
        files: Arc::new(app.organizers.uploads.clone()),
        services: Some(app.serving.services.clone()),
    }
}

impl Place for Node<'_> {
    type Error = NotDone;

    fn is_confirmed(&self) -> bool {
        self.who.is_fresh()
    }

    fn by(&self, rule: &'static Rule) -> Result<By, NotDone> {
        check(self.who, rule)?;
        Ok(self.who.by(rule))
    }

    async fn prepare(
        &self,
        kind: &'static Kind,
        arguments: Map<String, Value>,
    ) -> Result<Prepared, NotDone> {
        let desk = desk(self.app, self.who);
        if !kind.renders {
            return Ok((kind.read)(arguments, &desk).await?);
        }
        let reading = async move { (kind.read)(arguments, &desk).await };
        let renderer = &self.app.organizers.renderer;
        Ok(renderer.run(self.who.organizer.id, reading).await??)
    }

    async fn perform(&self, order: Order, files: Vec<String>) -> Result<Acted, NotDone> {
        self.check_room().await?;
        let turn = self.app.organizers.actions.take(self.who.organizer.id).await;
        if !self.limit.lift() {
            return Err(ApiError::TOO_SLOW.into());
        }
        let op = Op::Action(Box::new(order)).by(Actor::Organizer);
        let Outcome::Action(acted) = self.app.run(op).await? else {
            return Err(ApiError::INTERNAL.into());
        };
        let acted = acted?;
        drop(turn);
        // The undo of a later action may need them.
        for digest in files {
            self.app.organizers.uploads.keep_for_good(&digest).await;
        }
        Ok(*acted)
    }

    async fn preview(&self, order: Order) -> Result<Acted, NotDone> {
        let app = self.app;
        // It has a lock for a moment, on SQLite that of the lane, so there is one at a time.
        let turn = app.organizers.previews.take(self.who.organizer.id).await;
        *self.turn.lock() = Some(turn);
        let seal = Arc::new(app.seal());
        let contest = app.contest();
        let previewed =
            ops::preview_action(app.db(), &app.organizers.clock, &seal, &contest, &order);
        let previewed = tokio::time::timeout(PREVIEW_MAX, previewed).await;
        Ok(previewed.map_err(|_| ApiError::overload())???)
    }

    /// Has the node follow an action before its answer, unless that takes long: it follows by
    /// itself soon.
    async fn follow(&self, reads_settings: bool) {
        let node = self.app.clone();
        node.accounts.mailer.wake();
        let following = tokio::spawn(async move {
            if let Err(error) = node.accounts.sessions.follow(&node.organizers.db).await {
                report(&error, "ended sessions could not be read");
            }
            if let Err(error) =
                node.board.answers.follow(&node.organizers.db, &node.board.feed.hub).await
            {
                report(&error, "new answers could not be read");
            }
            if reads_settings && let Err(error) = node.serving.follow_settings().await {
                report(&error, "what was set could not be read");
            }
        });
        drop(tokio::time::timeout(SHOWN_MAX, following).await);
    }
}
