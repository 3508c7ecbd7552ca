//! The part that judges flags: the lane, the flags and their budgets, the nodes that count
//! together, and what is recorded of submissions.

pub mod judge;

use std::sync::Arc;

use flagship_store::StoreError;
use tokio::sync::{mpsc, watch};

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

/// What judges flags.
pub struct Judging {
    common: Common,
    /// The flags, and what comes near them.
    pub flags: Arc<Flags>,
    budgets: Arc<Budgets>,
    /// The nodes of the event.
    pub nodes: Arc<Nodes>,
    /// Failed logins and signups, which the nodes count together too.
    pub attempts: Arc<Attempts>,
    wrong_flags: Arc<WrongFlags>,
    /// The texts of wrong flags.
    pub texts: Arc<Texts>,
    /// Networks that teams were seen in.
    pub sightings: Arc<Sightings>,
}

impl std::ops::Deref for Judging {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Judging {
    /// Joins the other nodes, reads the flags, and spawns its tasks.
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
        // Wrong flags note networks until all of them are written.
        let (finished, is_finished) = watch::channel(false);
        tasks.spawn(|shutdown| async move {
            recorder.run(shutdown).await;
            finished.send_replace(true);
        });
        tasks.spawn(|_| self.sightings.clone().run(self.db.clone(), is_finished));
        tasks.spawn_loop(self.texts.clone().run(self.db.clone()));
        tasks.spawn_loop(self.flags.clone().keep_near());
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
