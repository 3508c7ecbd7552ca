//! Places for teams: the maximum number of teams, and admission from the waiting list.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_actions::mail::language::Language;
use flagship_pack::Registration;
use flagship_store::accounts::Account;
use flagship_store::ops::{Actor, AdmissionMail, Op, Outcome};
use flagship_store::signups::waiting_list::{self, Capacity};
use tokio::sync::Mutex;

use crate::node::common::Common;
use crate::node::error::NodeError;
use crate::node::mail::mailer::Mailer;
use crate::node::report::{in_time, report};

/// Interval of the check for free places.
const INTERVAL: Duration = Duration::from_secs(1);
/// Maximum age of the answer whether the event is full.
const AGE_MAX: Duration = Duration::from_secs(1);
/// Time limit for counting teams.
const COUNT_MAX: Duration = Duration::from_secs(1);
/// Maximum number of teams per transaction.
const TEAMS_MAX: i64 = 100;

/// Places for teams.
pub struct Places {
    common: Common,
    /// Time of the last count, and true if the event was full then.
    last: Mutex<Option<(Instant, bool)>>,
}

impl Places {
    /// Creates the places of a node.
    pub fn new(common: Common) -> Self {
        Self { common, last: Mutex::default() }
    }

    /// Returns the rules about the number of teams.
    pub fn capacity(&self) -> Capacity {
        capacity(&self.common.settings.load().registration)
    }

    /// True if a new team gets no place now. Can be a second old, but includes all changes before
    /// the last call of [`Self::changed`].
    pub async fn is_full(&self) -> bool {
        let capacity = self.capacity();
        if capacity.teams_max.is_none() {
            return false;
        }
        let mut last = self.last.lock().await;
        if let Some((at, is_full)) = *last
            && at.elapsed() < AGE_MAX
        {
            return is_full;
        }
        let Common { db, clock, feed, .. } = &self.common;
        let (contest, now_ms) = (feed.latest(), clock.now_ms());
        let counting = waiting_list::is_full(db, capacity, &contest, now_ms);
        let counted = in_time(COUNT_MAX, counting, "failed to count the teams").await;
        // A database that does not respond leaves the last answer.
        let is_full = counted.unwrap_or(last.is_some_and(|(_, is_full)| is_full));
        *last = Some((Instant::now(), is_full));
        is_full
    }

    /// Makes [`Self::is_full`] count again.
    pub async fn changed(&self) {
        *self.last.lock().await = None;
    }

    /// Gives free places to waiting teams. Runs forever, on each node: the operation finds out
    /// which places are left.
    pub async fn run(self: Arc<Self>, mailer: Arc<Mailer>) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            match self.admit().await {
                Ok(0) => {}
                Ok(admitted) => {
                    tracing::info!(admitted, "admitted teams from the waiting list");
                    mailer.wake();
                    self.changed().await;
                }
                Err(error) => report(&error, "failed to admit waiting teams"),
            }
        }
    }

    /// Gives free places to the teams that are next, until the end of the event. Returns their
    /// number, at most [`TEAMS_MAX`].
    async fn admit(&self) -> Result<usize, NodeError> {
        let Common { db, clock, feed, lane, .. } = &self.common;
        let (capacity, contest, now_ms) = (self.capacity(), feed.latest(), clock.now_ms());
        let end_ms = contest.event().and_then(|event| event.end_ms);
        if lane.is_read_only() || end_ms.is_some_and(|end_ms| end_ms <= now_ms) {
            return Ok(0);
        }
        let next = waiting_list::next(db, capacity, &contest, TEAMS_MAX, now_ms).await?;
        if next.is_empty() {
            return Ok(0);
        }
        let mails = next.iter().map(|account| self.mail(account)).collect();
        match lane.run(Op::Admit { capacity, mails }.by(Actor::Clock)).await? {
            // None if another node was faster.
            Outcome::Admit(admitted) => Ok(admitted),
            _ => Err(NodeError::Internal),
        }
    }

    fn mail(&self, account: &Account) -> AdmissionMail {
        let context = self.common.mail_context();
        let letters = context.in_language(Language::kept(account.language.as_deref()));
        let draft = letters.place_free(&account.email, &account.name);
        AdmissionMail { account_id: account.id, draft }
    }
}

fn capacity(rules: &Registration) -> Capacity {
    let teams_max = i64::try_from(rules.max_teams).unwrap_or(i64::MAX);
    Capacity {
        teams_max: Some(teams_max).filter(|teams_max| *teams_max > 0),
        has_waiting_list: rules.waiting_list,
    }
}
