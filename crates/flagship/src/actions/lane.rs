//! The lane of an event, through which a command does an action.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use flagship_game::{ChallengeId, Contest};
use flagship_server::{Desk, ReadAction, Unread, Uploads, action_text};
use flagship_store::lane::Writer;
use flagship_store::ops::{self, Acted, Action, ActionError, Actor, By, Op, Order, Outcome, What};
use flagship_store::{Db, Key};
use serde_json::{Map, Value};

use crate::cli::Installation;
use crate::installation::live_settings;
use crate::names;
use crate::outcome::{Done, unexpected};

/// The lane of an event.
pub struct Lane {
    db: Db,
    writer: Writer,
    key: Key,
    /// The data folder, with the files of challenges.
    data: PathBuf,
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
        let (key, data) = (installation.key(false)?, installation.data.clone());
        Ok(Self { db, writer, key, data })
    }

    /// Ends the connections to the database.
    pub async fn close(self) {
        self.db.close().await;
    }

    /// Its database.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The contest when it was opened, or after the last action.
    pub fn contest(&self) -> &Contest {
        self.writer.contest()
    }

    /// The time, in epoch milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.writer.clock().now_ms()
    }

    /// The name of a team of the event as it is kept.
    pub async fn team(&self, typed: &str) -> Result<String> {
        names::team(typed, self.contest(), &self.db).await
    }

    /// Fails unless there is such a challenge.
    pub async fn known(&self, id: &ChallengeId) -> Result<()> {
        names::known(id, self.contest(), &self.db).await
    }

    /// Reads an action from fields, with names as they are kept. `is_meant`: what takes something
    /// from players, or shows what the freeze hides, is meant.
    pub async fn read(
        &self,
        name: &str,
        mut fields: Map<String, Value>,
        public_url: String,
        is_meant: bool,
    ) -> Result<ReadAction> {
        let is_new = name == "team.test";
        if let Some(Value::String(team)) = fields.get_mut("team").filter(|_| !is_new) {
            *team = names::account(team, self.contest(), &self.db).await?;
        }
        let one = fields.get("challenge");
        let several = fields.get("challenges").and_then(Value::as_array).into_iter().flatten();
        let ids = one.into_iter().chain(several).filter_map(Value::as_str);
        for id in ids.filter(|_| name != "challenge.create") {
            self.known(&names::challenge_id(id)?).await?;
        }
        let desk = Desk {
            db: self.db.clone(),
            contest: Arc::new(self.contest().clone()),
            now_ms: self.now_ms(),
            public_url,
            registration: live_settings(&self.db).await?.registration,
            confirms_addresses: true,
            is_proven: is_meant,
            actor: String::new(),
            only_challenges: None,
            key: self.key.clone(),
            seal: self.writer.seal().clone(),
            uploads: Uploads::new(&self.data),
            services: None,
        };
        desk.read(name, fields).await.map_err(|error| match error {
            Unread::Shape(error) => anyhow!("{name}: {error}"),
            Unread::Error(error) => anyhow!("{name}: {}", error.message()),
            Unread::Edit(words) => anyhow!("{name}: {words}"),
            Unread::Problems(problems) | Unread::Settings(problems) => {
                let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
                anyhow!("{name}: {}", lines.join("; "))
            }
        })
    }

    /// Keeps uploaded files, by their digests, for as long as a challenge has them.
    pub async fn keep(&self, files: &[String]) {
        for digest in files {
            Uploads::new(&self.data).keep_for_good(digest).await;
        }
    }

    /// Does an action.
    pub async fn action(&mut self, action: Action, reason: &str) -> Result<Done> {
        self.run(What::Do(Box::new(action)), reason).await
    }

    /// Does an action, or takes one back.
    pub async fn run(&mut self, what: What, reason: &str) -> Result<Done> {
        let op = Op::Action(Box::new(order(what, reason)?)).by(Actor::CommandLine);
        let mut step = self.writer.step(&[op]).await?;
        match step.outcomes.pop().context("the lane answered nothing")? {
            Outcome::Action(done) => Ok(done),
            other => unexpected(&other),
        }
    }

    /// What an action would do.
    pub async fn preview(
        &self,
        what: What,
        reason: &str,
    ) -> Result<std::result::Result<Acted, ActionError>> {
        let seal = Arc::new(self.writer.seal().clone());
        let (clock, order) = (self.writer.clock(), order(what, reason)?);
        Ok(ops::preview_action(&self.db, clock, &seal, self.contest(), &order).await?)
    }
}

fn order(what: What, reason: &str) -> Result<Order> {
    let Ok(reason) = action_text(reason) else {
        bail!("a reason has at most 500 characters; shorten it");
    };
    Ok(Order { by: By::CommandLine, what, reason, head: None })
}
