//! Judges submissions: the lane, the flags and their budgets, the nodes that share the budgets, and
//! the records of submissions.

mod hints;
pub mod judge;
mod rejected_hints;

use std::sync::Arc;

use flagship_store::StoreError;
use tokio::sync::{mpsc, watch};

use rejected_hints::RejectedHints;

use super::common::Common;
use super::flags::Flags;
use super::flags::budgets::Budgets;
use super::flags::texts::Texts;
use super::flags::wrong_flags::{WrongFlags, WrongFlagsTask};
use super::nodes::attempts::Attempts;
use super::nodes::task::{NodesTask, Parts};
use super::nodes::{Nodes, Submission};
use super::sightings::Sightings;
use super::tasks::Tasks;

/// The node's state for judging submissions.
pub struct Judging {
    common: Common,
    /// The flags and the near-miss index.
    pub flags: Arc<Flags>,
    budgets: Arc<Budgets>,
    /// The event's nodes.
    pub nodes: Arc<Nodes>,
    /// Failed logins and signups, counted across all nodes.
    pub attempts: Arc<Attempts>,
    wrong_flags: Arc<WrongFlags>,
    /// Texts of incorrect submissions.
    pub texts: Arc<Texts>,
    /// Networks used by teams.
    pub sightings: Arc<Sightings>,
    rejected_hints: RejectedHints,
}

impl std::ops::Deref for Judging {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Judging {
    /// Joins the other nodes, reads the flags and spawns the background tasks.
    pub async fn open(common: &Common, tasks: &Tasks) -> Result<Self, StoreError> {
        let Common { db, clock, seal, settings, feed, .. } = common;
        let budgets = Arc::new(Budgets::new(settings.clone()));
        let (nodes, submissions, asked) = Nodes::join(db.clone(), clock, budgets.clone()).await?;
        let nodes = Arc::new(nodes);
        let key = seal.key().clone();
        let attempts = Attempts::new(db.clone(), clock.clone(), key, nodes.clone());
        let (wrong_flags, recorder) = WrongFlags::open(db, seal, settings, clock, feed).await?;
        let judging = Self {
            common: common.clone(),
            flags: recorder.parts.texts.flags.clone(),
            wrong_flags: Arc::new(wrong_flags),
            texts: recorder.parts.texts.clone(),
            sightings: recorder.parts.sightings.clone(),
            budgets,
            nodes,
            attempts,
            rejected_hints: RejectedHints::default(),
        };
        tasks.spawn_loop(judging.nodes.clone().look(asked));
        judging.spawn(tasks, recorder, submissions);
        Ok(judging)
    }

    fn spawn(
        &self,
        tasks: &Tasks,
        recorder: WrongFlagsTask,
        submissions: mpsc::Receiver<Submission>,
    ) {
        // Pending incorrect submissions still record networks, so this task runs until all are
        // written.
        let (finished, is_finished) = watch::channel(false);
        tasks.spawn(|shutdown| async move {
            recorder.run(shutdown).await;
            finished.send_replace(true);
        });
        tasks.spawn(|_| self.sightings.clone().run(self.db.clone(), is_finished));
        tasks.spawn_loop(self.texts.clone().run(self.db.clone()));
        tasks.spawn_loop(self.flags.clone().run_near_updates());
        let parts = Parts {
            db: self.db.clone(),
            clock: self.clock.clone(),
            nodes: self.nodes.clone(),
            flags: self.flags.clone(),
            budgets: self.budgets.clone(),
            wrong_flags: self.wrong_flags.clone(),
            attempts: self.attempts.clone(),
        };
        tasks.spawn(|shutdown| NodesTask::new(parts, submissions).run(shutdown));
    }
}
