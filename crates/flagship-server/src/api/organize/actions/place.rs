//! The node as the environment in which an organizer's actions run.

use std::sync::Arc;
use std::time::Duration;

use flagship_actions::{Desk, Kind, Place, Prepared, Rule};
use flagship_store::ops::{self, ActionRequest, Actor, Caller, Op, Outcome, PerformedAction};
use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::failure::ActionFailure;
use crate::api::error::ApiError;
use crate::api::extract::TimeLimit;
use crate::api::organize::auth::check;
use crate::api::organize::effect::SHOWN_MAX;
use crate::node::limits::turns::Turn;
use crate::node::organizers::SignedInOrganizer;
use crate::node::report::report;
use crate::node::state::App;

/// Maximum time for previewing an action.
const PREVIEW_MAX: Duration = Duration::from_secs(5);
/// Value of `Retry-After` when the disk is almost full, in seconds.
const DISK_RETRY_S: u64 = 60;

/// The node, for one request of an organizer.
pub struct Node<'a> {
    app: &'a App,
    who: &'a SignedInOrganizer,
    /// Size of the request body, in bytes.
    bytes: usize,
    limit: TimeLimit,
    /// The turn for a preview, held until its effect is computed, so that actions wait for at most
    /// one preview.
    turn: Mutex<Option<Turn>>,
}

impl<'a> Node<'a> {
    /// Creates the environment for a request of `bytes` bytes.
    pub fn new(app: &'a App, who: &'a SignedInOrganizer, bytes: usize, limit: TimeLimit) -> Self {
        Self { app, who, bytes, limit, turn: Mutex::default() }
    }

    /// Rejects actions that would fill the disk: the record of an action is permanent and includes
    /// its undo data. Organizers who run the contest are never rejected, because they must be able
    /// to pause it on a full disk.
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

/// Returns the parts of the node needed to prepare an organizer's actions.
pub fn desk(app: &App, who: &SignedInOrganizer) -> Desk {
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
    type Error = ActionFailure;

    fn is_confirmed(&self) -> bool {
        self.who.is_fresh()
    }

    fn by(&self, rule: &'static Rule) -> Result<Caller, ActionFailure> {
        check(self.who, rule)?;
        Ok(self.who.by(rule))
    }

    async fn prepare(
        &self,
        kind: &'static Kind,
        arguments: Map<String, Value>,
    ) -> Result<Prepared, ActionFailure> {
        let desk = desk(self.app, self.who);
        if !kind.renders {
            return Ok((kind.read)(arguments, &desk).await?);
        }
        let reading = async move { (kind.read)(arguments, &desk).await };
        let renderer = &self.app.organizers.renderer;
        Ok(renderer.run(self.who.organizer.id, reading).await??)
    }

    async fn perform(
        &self,
        order: ActionRequest,
        files: Vec<String>,
    ) -> Result<PerformedAction, ActionFailure> {
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
        // The undo of a later action may need these files.
        for digest in files {
            self.app.organizers.uploads.keep_for_good(&digest).await;
        }
        Ok(*acted)
    }

    async fn preview(&self, order: ActionRequest) -> Result<PerformedAction, ActionFailure> {
        let app = self.app;
        // A preview takes a short lock (on SQLite the journal writer's), so only one runs at a
        // time.
        let turn = app.organizers.previews.take(self.who.organizer.id).await;
        *self.turn.lock() = Some(turn);
        let seal = Arc::new(app.seal());
        let contest = app.contest();
        let previewed =
            ops::preview_action(app.db(), &app.organizers.clock, &seal, &contest, &order);
        let previewed = tokio::time::timeout(PREVIEW_MAX, previewed).await;
        Ok(previewed.map_err(|_| ApiError::overload())???)
    }

    /// Updates the node's state before the response, unless that takes too long. In that case the
    /// node catches up shortly.
    async fn follow(&self, reads_settings: bool) {
        let node = self.app.clone();
        node.accounts.mailer.wake();
        let following = tokio::spawn(async move {
            node.accounts.places.changed().await;
            if let Err(error) = node.accounts.sessions.follow(&node.organizers.db).await {
                report(&error, "failed to read ended sessions");
            }
            if let Err(error) =
                node.board.answers.follow(&node.organizers.db, &node.board.feed.hub).await
            {
                report(&error, "failed to read new answers");
            }
            if reads_settings && let Err(error) = node.serving.follow_settings().await {
                report(&error, "failed to reload the settings");
            }
        });
        drop(tokio::time::timeout(SHOWN_MAX, following).await);
    }
}
