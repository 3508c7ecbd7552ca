//! Command-line access to the lane of an event.

use std::sync::Arc;

use anyhow::{Context, Result};
use flagship_actions::{Desk, Kind, Place, Prepared, Rejection, Request, Rule};
use flagship_game::Contest;
use flagship_server::Uploads;
use flagship_server::storage::Storage;
use flagship_store::lane::Writer;
use flagship_store::ops::{
    self, ActionError, ActionRequest, Actor, Caller, Op, Outcome, PerformedAction,
};
use flagship_store::{Db, Key};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::cli::Installation;
use crate::installation::live_settings;
use crate::messages::{ActionResult, action_error_message, rejection_message, unexpected};
use crate::names;

/// The lane of an event.
pub struct Lane {
    db: Db,
    writer: Mutex<Writer>,
    key: Key,
    /// The files of challenges.
    storage: Storage,
    /// Public URL of the site, for links in emails.
    pub public_url: String,
    /// True if the caller confirmed actions that take something from players or reveal frozen
    /// results.
    pub is_confirmed: bool,
    /// True if an action that needs a reason is rejected without one.
    pub asks_for_reasons: bool,
}

/// Error returned when an action was not performed.
#[derive(Debug)]
pub enum LaneError {
    /// The action could not be prepared.
    Rejected(Rejection),
    /// The action was rejected.
    Refused(ActionError),
    /// The command failed.
    Failed(anyhow::Error),
}

impl LaneError {
    /// Converts the error to a message for the action with this name.
    pub fn explained(self, action: &str) -> anyhow::Error {
        match self {
            Self::Rejected(rejection) => anyhow::Error::msg(rejection_message(action, &rejection)),
            Self::Refused(error) => anyhow::Error::msg(action_error_message(&error)),
            Self::Failed(error) => error,
        }
    }
}

impl From<Rejection> for LaneError {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Action(error) => Self::Refused(error),
            Rejection::Store(error) => Self::Failed(error.into()),
            rejection => Self::Rejected(rejection),
        }
    }
}

impl From<ActionError> for LaneError {
    fn from(error: ActionError) -> Self {
        Self::Refused(error)
    }
}

impl From<anyhow::Error> for LaneError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl Lane {
    /// Opens the event of an installation.
    pub async fn open(installation: &Installation) -> Result<Self> {
        Self::over(installation, installation.writer().await?)
    }

    /// Opens an event that may be empty, for the action that names it.
    pub async fn open_any(installation: &Installation) -> Result<Self> {
        Self::over(installation, installation.writer_of_any().await?)
    }

    fn over(installation: &Installation, (db, writer): (Db, Writer)) -> Result<Self> {
        let storage = installation.storage(&db)?;
        Ok(Self {
            db,
            writer: Mutex::new(writer),
            key: installation.key(false)?,
            storage,
            public_url: String::new(),
            is_confirmed: false,
            asks_for_reasons: false,
        })
    }

    /// Closes the database connections.
    pub async fn close(self) {
        self.db.close().await;
    }

    /// Returns the database.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Returns the contest as of the last action, or of the opening.
    pub async fn contest(&self) -> Contest {
        self.writer.lock().await.contest().clone()
    }

    /// Returns the current time, in epoch milliseconds.
    pub async fn now_ms(&self) -> i64 {
        self.writer.lock().await.clock().now_ms()
    }

    /// Returns the stored name of a confirmed team.
    pub async fn team(&self, typed: &str) -> Result<String> {
        names::team(typed, &self.contest().await, &self.db).await
    }

    /// Runs an action, for callers with their own messages for some errors.
    pub async fn action(&self, request: Request) -> Result<ActionResult> {
        let name = request.name.clone();
        match flagship_actions::run(self, request).await {
            Ok(outcome) => Ok(Ok(outcome.acted)),
            Err(LaneError::Refused(error)) => Ok(Err(error)),
            Err(error) => Err(error.explained(&name)),
        }
    }

    /// Replaces the team arguments of an action with the stored names, and checks that its
    /// challenges exist.
    async fn resolve(
        &self,
        action: &str,
        contest: &Contest,
        arguments: &mut Map<String, Value>,
    ) -> Result<()> {
        let is_new = action == "team.test";
        if let Some(Value::String(team)) = arguments.get_mut("team").filter(|_| !is_new) {
            *team = names::account(team, contest, &self.db).await?;
        }
        let teams = arguments.get_mut("teams").and_then(Value::as_array_mut).into_iter().flatten();
        for team in teams {
            if let Value::String(team) = team {
                *team = names::account(team, contest, &self.db).await?;
            }
        }
        let one = arguments.get("challenge");
        let several = arguments.get("challenges").and_then(Value::as_array).into_iter().flatten();
        let ids = one.into_iter().chain(several).filter_map(Value::as_str);
        for id in ids.filter(|_| action != "challenge.create") {
            names::ensure_challenge_exists(&names::challenge_id(id)?, contest, &self.db).await?;
        }
        Ok(())
    }
}

impl Place for Lane {
    type Error = LaneError;

    fn asks_for_reasons(&self) -> bool {
        self.asks_for_reasons
    }

    fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    fn by(&self, _: &'static Rule) -> Result<Caller, LaneError> {
        Ok(Caller::CommandLine)
    }

    async fn prepare(
        &self,
        kind: &'static Kind,
        mut arguments: Map<String, Value>,
    ) -> Result<Prepared, LaneError> {
        let writer = self.writer.lock().await;
        self.resolve(kind.rule.name, writer.contest(), &mut arguments).await?;
        let desk = Desk {
            db: self.db.clone(),
            contest: Arc::new(writer.contest().clone()),
            now_ms: writer.clock().now_ms(),
            public_url: self.public_url.clone(),
            registration: live_settings(&self.db).await?.registration,
            confirms_addresses: true,
            actor: String::new(),
            only_challenges: None,
            key: self.key.clone(),
            seal: writer.seal().clone(),
            files: Arc::new(Uploads::new(self.storage.clone())),
            services: None,
        };
        Ok((kind.read)(arguments, &desk).await?)
    }

    async fn perform(
        &self,
        request: ActionRequest,
        files: Vec<String>,
    ) -> Result<PerformedAction, LaneError> {
        let op = Op::Action(Box::new(request)).by(Actor::CommandLine);
        let step = self.writer.lock().await.step(&[op]).await;
        let mut step = step.map_err(anyhow::Error::from)?;
        let acted = match step.outcomes.pop().context("the lane answered nothing")? {
            Outcome::Action(done) => *done?,
            other => unexpected(&other)?,
        };
        let uploads = Uploads::new(self.storage.clone());
        for digest in files {
            uploads.keep_for_good(&digest).await;
        }
        Ok(acted)
    }

    async fn preview(&self, request: ActionRequest) -> Result<PerformedAction, LaneError> {
        let writer = self.writer.lock().await;
        let seal = Arc::new(writer.seal().clone());
        let clock = writer.clock();
        let done = ops::preview_action(&self.db, clock, &seal, writer.contest(), &request).await;
        Ok(done.map_err(anyhow::Error::from)??)
    }

    /// Does nothing: running servers read the changes from the database.
    async fn follow(&self, _reads_settings: bool) {}
}
