//! The single lane in which everything public is written: many operations, one transaction.
//!
//! A step takes the lock, folds what other nodes wrote meanwhile, decides each operation on that
//! newest state at the transaction's own time, appends, commits, and only then adopts the result.

use std::time::Instant;

use flagship_game::contest::{Attempt, Change, Contest, Refusal};
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Entry, Event, TeamId, chain};

use crate::accounts::NewAccount;
use crate::challenges::Draft;
use crate::engine::on;
use crate::journal::{self, StoredEntry};
use crate::{Clock, Db, Key, Lock, Result, StoreError, Tx, challenges, meta, ops};

/// Something that changes public state.
#[derive(Clone)]
pub enum Op {
    /// A right flag.
    Solve {
        /// Whose.
        team: TeamId,
        /// For what.
        challenge: ChallengeId,
    },
    /// The token of a confirmation link.
    Confirm {
        /// As it was mailed.
        token: String,
    },
    /// An account that needs no confirmation.
    Join {
        /// Its id.
        account: i64,
    },
    /// Teams from a file, all or none.
    Import(Vec<NewAccount>),
    /// A team's standing with the organizers.
    Team {
        /// Its exact name.
        name: String,
        /// What to do.
        change: TeamChange,
    },
    /// Shows or hides a challenge.
    Show {
        /// Which.
        challenge: ChallengeId,
        /// Whether players see it.
        shown: bool,
    },
    /// Takes a solve back.
    Withdraw {
        /// The team's exact name.
        name: String,
        /// Of what.
        challenge: ChallengeId,
    },
    /// Shows what the freeze hid.
    Reveal,
    /// The event and its challenges as the files say.
    Apply(Box<Plan>),
}

/// What organizers do to a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamChange {
    /// Counts nowhere and may not log in; its sessions end.
    Ban,
    /// May again.
    Unban,
    /// Counts nowhere, but plays.
    Hide,
    /// Counts again.
    Show,
    /// Points given or taken.
    Award {
        /// How many.
        points: i64,
        /// Why.
        reason: String,
    },
}

/// An event as its files say.
#[derive(Clone)]
pub struct Plan {
    /// Name, times, rules.
    pub event: Event,
    /// All challenges.
    pub challenges: Vec<Draft>,
}

/// What became of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of a right flag.
    Solve(std::result::Result<Attempt, Refusal>),
    /// Of an import: the accounts' ids, or the index of the bad one and why.
    Import(std::result::Result<Vec<i64>, (usize, String)>),
    /// Of anything else: what was done, or why not, for a person.
    Done(std::result::Result<String, String>),
}

/// What a step did.
#[derive(Debug, Default)]
pub struct Step {
    /// One for each operation, in order.
    pub outcomes: Vec<Outcome>,
    /// What changed, for those who watch, in order.
    pub changes: Vec<Change>,
}

/// The lane's hands: the fold, and the way to write to it.
pub struct Writer {
    db: Db,
    clock: Clock,
    generation: String,
    contest: Contest,
    head: String,
    next_release_ms: Option<i64>,
}

/// A step under way: what will be adopted when it is committed.
pub(crate) struct Draught {
    pub(crate) tx: Tx,
    pub(crate) contest: Contest,
    head: String,
    rows: Vec<StoredEntry>,
    changes: Vec<Change>,
    read_at: Instant,
    read_ms: i64,
    clock: Clock,
}

impl Writer {
    /// Opens the books and folds the journal from the start.
    pub async fn open(db: Db, key: &Key, clock: Clock) -> Result<Self> {
        let generation = meta::open(&db, key).await?;
        let head = chain::genesis(&generation);
        let (contest, next_release_ms) = (Contest::default(), None);
        let mut writer = Self { db, clock, generation, contest, head, next_release_ms };
        while !writer.tail().await?.is_empty() {}
        Ok(writer)
    }

    /// Which journal this is.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The fold so far.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// The hash of the last entry.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Folds the next entries that others wrote, without writing: some at a time, none once all are
    /// folded. Where it fails or is dropped, it has folded nothing, so that no change is lost.
    pub async fn tail(&mut self) -> Result<Vec<Change>> {
        let rows = journal::read_after(&self.db, self.contest.seq()).await?;
        if rows.is_empty() {
            self.next_release_ms = challenges::next_release_ms(&self.db).await?;
            return Ok(Vec::new());
        }
        let (mut contest, mut head) = (self.contest.clone(), self.head.clone());
        let changes = rows.iter().map(|row| follow(&mut contest, &mut head, row));
        let changes = changes.collect::<Result<_>>()?;
        (self.contest, self.head) = (contest, head);
        Ok(changes)
    }

    /// Whether a phase or a release is due that the journal does not have yet.
    pub fn is_due(&self) -> bool {
        let now_ms = self.clock.now_ms();
        let release = self.next_release_ms.is_some_and(|time| time <= now_ms);
        release && self.contest.event().is_some() || !self.contest.due(now_ms).is_empty()
    }

    /// Decides and records operations in one transaction. An error means that nothing is known to
    /// be recorded: no operation may be acknowledged.
    pub async fn step(&mut self, ops: &[Op]) -> Result<Step> {
        let mut draught = self.begin().await?;
        draught.write_due().await?;
        let mut outcomes = Vec::with_capacity(ops.len());
        for op in ops {
            outcomes.push(ops::decide(&mut draught, op).await?);
        }
        let changes = self.adopt(draught).await?;
        self.next_release_ms = self.next_release_ms.filter(|time| *time > self.contest.at_ms());
        Ok(Step { outcomes, changes })
    }

    /// What `step` would do with a plan, in words, without doing it.
    pub async fn rehearse(&mut self, plan: &Plan) -> Result<Vec<String>> {
        let mut draught = self.begin().await?;
        Ok(ops::difference(&mut draught, plan).await?.into_iter().map(|(words, _)| words).collect())
    }

    async fn begin(&mut self) -> Result<Draught> {
        let mut tx = self.db.begin(Lock::Journal).await?;
        let read_ms = tx.now_ms(&self.clock).await?;
        let mut draught = Draught {
            tx,
            contest: self.contest.clone(),
            head: self.head.clone(),
            rows: Vec::new(),
            changes: Vec::new(),
            read_at: Instant::now(),
            read_ms,
            clock: self.clock.clone(),
        };
        draught.tail().await?;
        Ok(draught)
    }

    async fn adopt(&mut self, mut draught: Draught) -> Result<Vec<Change>> {
        if draught.rows.is_empty() && draught.contest.seq() == self.contest.seq() {
            draught.tx.commit().await?;
            return Ok(draught.changes);
        }
        journal::append(&mut draught.tx, &draught.rows).await?;
        draught.tx.commit().await?;
        self.contest = draught.contest;
        self.head = draught.head;
        Ok(draught.changes)
    }
}

impl Draught {
    /// The time of this moment inside the transaction, never before the last entry.
    pub(crate) fn now_ms(&self) -> i64 {
        let now = match self.clock {
            Clock::System { .. } => self.read_ms + self.read_at.elapsed().as_millis() as i64,
            Clock::Manual(_) => self.clock.now_ms(),
        };
        now.max(self.contest.at_ms())
    }

    /// Takes the next number for a fact at `at_ms`.
    pub(crate) fn append(&mut self, at_ms: i64, fact: Fact) -> Result<()> {
        let entry = Entry { seq: self.contest.seq() + 1, at_ms, fact };
        let change = fold(&mut self.contest, &entry)?;
        let row = StoredEntry::new(&self.head, &entry);
        self.head.clone_from(&row.hash);
        self.rows.push(row);
        self.changes.push(change);
        Ok(())
    }

    /// Records a living solve where the database itself allows only one.
    pub(crate) async fn claim_solve(&mut self, team: TeamId, id: &ChallengeId) -> Result<()> {
        let seq = self.contest.seq() + 1;
        on!(&mut self.tx, conn => {
            sqlx::query("insert into solves (team_id, challenge_id, seq) values ($1, $2, $3)")
                .bind(team.0).bind(id.as_str()).bind(seq).execute(conn).await?;
        });
        Ok(())
    }

    pub(crate) async fn release_solve(&mut self, team: TeamId, id: &ChallengeId) -> Result<()> {
        on!(&mut self.tx, conn => {
            sqlx::query("delete from solves where team_id = $1 and challenge_id = $2")
                .bind(team.0).bind(id.as_str()).execute(conn).await?;
        });
        Ok(())
    }

    async fn tail(&mut self) -> Result<()> {
        loop {
            let rows = journal::read_after_in(&mut self.tx, self.contest.seq()).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.changes.push(follow(&mut self.contest, &mut self.head, &row)?);
            }
        }
    }

    /// Writes the phases and releases whose time has come, before anything is decided.
    async fn write_due(&mut self) -> Result<()> {
        let now_ms = self.now_ms();
        for phase in self.contest.due(now_ms) {
            self.append(now_ms, Fact::Phase { phase })?;
        }
        if self.contest.event().is_some() {
            for challenge in challenges::take_due(&mut self.tx, now_ms).await? {
                self.append(now_ms, Fact::Challenge { challenge })?;
            }
        }
        Ok(())
    }
}

fn follow(contest: &mut Contest, head: &mut String, row: &StoredEntry) -> Result<Change> {
    let entry = row.check(head)?;
    let change = fold(contest, &entry)?;
    head.clone_from(&row.hash);
    Ok(change)
}

fn fold(contest: &mut Contest, entry: &Entry) -> Result<Change> {
    contest.fold(entry).map_err(|e| StoreError::Corrupt(e.to_string()))
}
