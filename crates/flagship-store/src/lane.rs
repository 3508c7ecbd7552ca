//! The single lane in which everything public is written: many operations, one transaction.
//!
//! A step takes the lock, folds what other nodes wrote meanwhile, decides each operation on that
//! newest state at the transaction's own time, appends, commits, and only then adopts the result.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use flagship_game::contest::{Attempt, Change, Contest, Refusal};
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Entry, Event, TeamId};

use crate::accounts::{NewAccount, Signup};
use crate::challenges::Draft;
use crate::engine::on;
use crate::journal::{self, StoredEntry};
use crate::kept::{Fold, Keeper};
use crate::seal::{Recorder, Seal};
use crate::{Clock, Db, Key, Lock, Result, StoreError, Tx, challenges, meta, ops};

/// Something that changes public state.
#[derive(Clone)]
pub enum Op {
    /// A flag that is right by the flags of a revision. It is not taken by another.
    Flag {
        /// Whose.
        team: TeamId,
        /// For what.
        challenge: ChallengeId,
        /// `challenges::revision` of the flags that it was judged by.
        revision: i64,
    },
    /// A solve, whatever the flags are.
    Solve {
        /// Whose.
        team: TeamId,
        /// Of what.
        challenge: ChallengeId,
    },
    /// The token of a confirmation link.
    Confirm {
        /// As it was mailed.
        token: String,
    },
    /// A team that needs no confirmation.
    SignUp {
        /// Its account.
        account: NewAccount,
        /// A digest of the network that it signs up from.
        network: String,
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
    /// Of a signup.
    SignUp(Signup),
    /// Of a right flag that has to be judged anew: the flags have changed.
    Stale,
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
    seal: Arc<Seal>,
    recorder: Recorder,
    fold: Fold,
    /// The revision of the drafts that `next_release_ms` is of, or an older one.
    revision: Option<i64>,
    next_release_ms: Option<i64>,
    keeper: Option<Keeper>,
    /// The kept fold that it began with, until the journal was folded anew.
    unproven: Option<Fold>,
    /// The number of the last entry in what is kept.
    kept_seq: i64,
}

/// A step under way: what will be adopted when it is committed.
pub(crate) struct Draught {
    pub(crate) tx: Tx,
    pub(crate) contest: Contest,
    pub(crate) seal: Arc<Seal>,
    head: String,
    rows: Vec<StoredEntry>,
    /// Living solves that are still to be written, each with its entry's number.
    claims: Vec<(TeamId, ChallengeId, i64)>,
    changes: Vec<Change>,
    pub(crate) revision: i64,
    next_release_ms: Option<i64>,
    read_at: Instant,
    read_ms: i64,
    clock: Clock,
}

impl Writer {
    /// Opens the books and folds the journal from the start.
    pub async fn open(db: Db, key: &Key, clock: Clock) -> Result<Self> {
        let generation = meta::open(&db, key).await?;
        let seal = Seal::open(&db, key).await?;
        Self::over(db, clock, generation, seal, None, None).await
    }

    /// The same from the fold that is kept in a data folder, where the journal knows it. Until
    /// `settle` it is not proven.
    pub async fn open_kept(db: Db, key: &Key, clock: Clock, data: &Path) -> Result<Self> {
        let generation = meta::open(&db, key).await?;
        let keeper = Keeper::new(data, key, &generation);
        let mut unproven = keeper.read();
        if let Some(fold) = &unproven
            && journal::hash_at(&db, fold.contest.seq()).await?.as_ref() != Some(&fold.head)
        {
            unproven = None;
        }
        let seal = Seal::open(&db, key).await?;
        Self::over(db, clock, generation, seal, Some(keeper), unproven).await
    }

    async fn over(
        db: Db,
        clock: Clock,
        generation: String,
        seal: Seal,
        keeper: Option<Keeper>,
        unproven: Option<Fold>,
    ) -> Result<Self> {
        let kept_seq = unproven.as_ref().map_or(0, |fold| fold.contest.seq());
        let fold = unproven.clone().unwrap_or_else(|| Fold::empty(&generation));
        let (revision, next_release_ms) = (None, None);
        let recorder = Recorder::new(seal.recorded);
        let seal = Arc::new(seal);
        let mut writer = Self {
            db,
            clock,
            generation,
            seal,
            recorder,
            fold,
            revision,
            next_release_ms,
            keeper,
            unproven,
            kept_seq,
        };
        while !writer.tail().await?.is_empty() {}
        Ok(writer)
    }

    /// The database that is written to.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The clock that it runs by.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Folds the journal anew, as far as the kept fold that this began with went; none where it
    /// began with none.
    pub fn proof(&self) -> Option<impl Future<Output = Result<Fold>> + Send + 'static> {
        let seq = self.unproven.as_ref()?.contest.seq();
        let (db, mut fold) = (self.db.clone(), Fold::empty(&self.generation));
        Some(async move {
            while fold.contest.seq() < seq {
                let rows = journal::read_after(&db, fold.contest.seq()).await?;
                if rows.is_empty() {
                    return Err(StoreError::Corrupt("the journal has become shorter".to_owned()));
                }
                for row in rows.iter().take_while(|row| row.seq <= seq) {
                    follow(&mut fold.contest, &mut fold.head, row)?;
                }
                tokio::task::yield_now().await;
            }
            Ok(fold)
        })
    }

    /// Takes what the journal says. Gives whether the kept fold had said the same; else it is
    /// forgotten, and this goes on from the truth.
    pub async fn settle(&mut self, proof: Fold) -> Result<bool> {
        if self.unproven.take().is_none_or(|kept| kept == proof) {
            return Ok(true);
        }
        self.forget();
        self.fold = proof;
        while !self.tail().await?.is_empty() {}
        Ok(false)
    }

    /// Throws the kept fold away.
    pub fn forget(&mut self) {
        self.kept_seq = 0;
        if let Some(keeper) = &self.keeper {
            keeper.forget();
        }
    }

    /// How many entries came since the fold was kept; none count until it is proven.
    pub fn unkept(&self) -> i64 {
        if self.unproven.is_some() { 0 } else { self.fold.contest.seq() - self.kept_seq }
    }

    /// What keeps the fold as it is now; none where there is no place for it, or it is not proven.
    /// It writes a file, which takes a while.
    pub fn keep(&mut self) -> Option<impl FnOnce() -> io::Result<()> + Send + 'static> {
        let keeper = self.keeper.clone().filter(|_| self.unproven.is_none())?;
        self.kept_seq = self.fold.contest.seq();
        let fold = self.fold.clone();
        Some(move || keeper.write(&fold))
    }

    /// Which journal this is.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The fold so far.
    pub fn contest(&self) -> &Contest {
        &self.fold.contest
    }

    /// The hash of the last entry.
    pub fn head(&self) -> &str {
        &self.fold.head
    }

    /// What authenticates the journal.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Makes the next step record the head, if the record lags. Returns whether it does.
    pub fn record_next(&mut self) -> bool {
        self.recorder.hurry();
        self.recorder.is_due(self.fold.contest.seq())
    }

    /// Folds the next entries that others wrote, without writing: some at a time, none once all are
    /// folded. Where it fails or is dropped, it has folded nothing, so that no change is lost.
    pub async fn tail(&mut self) -> Result<Vec<Change>> {
        let rows = journal::read_after(&self.db, self.fold.contest.seq()).await?;
        if rows.is_empty() {
            self.next_release_ms = challenges::next_release_ms(&self.db).await?;
            return Ok(Vec::new());
        }
        let mut fold = self.fold.clone();
        let changes = rows.iter().map(|row| follow(&mut fold.contest, &mut fold.head, row));
        let changes = changes.collect::<Result<_>>()?;
        self.fold = fold;
        Ok(changes)
    }

    /// Whether a phase or a release is due that the journal does not have yet, or the record of its
    /// head.
    pub fn is_due(&self) -> bool {
        let now_ms = self.clock.now_ms();
        let release = self.next_release_ms.is_some_and(|time| time <= now_ms);
        let contest = &self.fold.contest;
        release && contest.event().is_some()
            || !contest.due(now_ms).is_empty()
            || self.recorder.is_due(contest.seq())
    }

    /// Decides and records operations in one transaction. An error means that nothing is known to
    /// be recorded: no operation may be acknowledged. With `StoreError::Operation` it is known that
    /// nothing is, and some of the operations may be recorded without the others.
    pub async fn step(&mut self, ops: &[Op]) -> Result<Step> {
        let mut draught = self.begin().await?;
        draught.write_due().await?;
        let mut outcomes = Vec::with_capacity(ops.len());
        for op in ops {
            outcomes.push(ops::decide(&mut draught, op).await.map_err(of_operation)?);
        }
        draught.write_rows().await.map_err(of_operation)?;
        let changes = self.adopt(draught).await?;
        Ok(Step { outcomes, changes })
    }

    /// What `step` would do with a plan, in words, without doing it.
    pub async fn rehearse(&mut self, plan: &Plan) -> Result<Vec<String>> {
        let mut draught = self.begin().await?;
        let now_ms = draught.now_ms();
        let steps = ops::difference(&mut draught, plan, now_ms).await?;
        Ok(steps.into_iter().map(|(words, _)| words).collect())
    }

    async fn begin(&mut self) -> Result<Draught> {
        let mut tx = self.db.begin(Lock::Journal).await?;
        let read_ms = tx.now_ms(&self.clock).await?;
        let revision = challenges::revision_in(&mut tx).await?;
        let next_release_ms = match self.revision {
            Some(known) if known == revision => self.next_release_ms,
            _ => challenges::next_release_ms_in(&mut tx).await?,
        };
        let mut draught = Draught {
            tx,
            contest: self.fold.contest.clone(),
            seal: self.seal.clone(),
            head: self.fold.head.clone(),
            rows: Vec::new(),
            claims: Vec::new(),
            changes: Vec::new(),
            revision,
            next_release_ms,
            read_at: Instant::now(),
            read_ms,
            clock: self.clock.clone(),
        };
        draught.tail().await?;
        Ok(draught)
    }

    async fn adopt(&mut self, mut draught: Draught) -> Result<Vec<Change>> {
        let seq = draught.contest.seq();
        if self.recorder.is_due(seq) {
            let head = self.seal.head(seq, &draught.head);
            let is_extended = self.seal.record(&mut draught.tx, &head).await?;
            draught.tx.commit().await?;
            self.recorder.note(seq, is_extended);
        } else {
            draught.tx.commit().await?;
        }
        self.revision = Some(draught.revision);
        self.next_release_ms = draught.next_release_ms;
        if seq != self.fold.contest.seq() {
            self.fold = Fold { contest: draught.contest, head: draught.head };
        }
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
        let row = StoredEntry::new(&self.seal, &self.head, &entry);
        self.head.clone_from(&row.hash);
        self.rows.push(row);
        self.changes.push(change);
        Ok(())
    }

    /// Takes note of a living solve, which `write_claims` records where the database itself allows
    /// only one.
    pub(crate) fn claim_solve(&mut self, team: TeamId, id: &ChallengeId) {
        self.claims.push((team, id.clone(), self.contest.seq() + 1));
    }

    pub(crate) async fn release_solve(&mut self, team: TeamId, id: &ChallengeId) -> Result<()> {
        // The one that is released may be of this very step.
        self.write_claims().await?;
        on!(&mut self.tx, conn => {
            sqlx::query("delete from solves where team_id = $1 and challenge_id = $2")
                .bind(team.0).bind(id.as_str()).execute(conn).await?;
        });
        Ok(())
    }

    /// Takes note that drafts or flags were changed.
    pub(crate) async fn revised(&mut self, revision: i64) -> Result<()> {
        self.revision = revision;
        self.next_release_ms = challenges::next_release_ms_in(&mut self.tx).await?;
        Ok(())
    }

    async fn write_rows(&mut self) -> Result<()> {
        self.write_claims().await?;
        journal::append(&mut self.tx, &self.rows).await
    }

    async fn write_claims(&mut self) -> Result<()> {
        for claims in journal::runs(&std::mem::take(&mut self.claims)) {
            on!(&mut self.tx, conn => {
                let sql = "insert into solves (team_id, challenge_id, seq) ";
                let mut insert = sqlx::QueryBuilder::new(sql);
                insert.push_values(claims, |mut line, (team, id, seq)| {
                    line.push_bind(team.0).push_bind(id.as_str()).push_bind(*seq);
                });
                insert.build().execute(conn).await?;
            });
        }
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
        let is_due = self.next_release_ms.is_some_and(|time| time <= now_ms);
        if is_due && self.contest.event().is_some() {
            for challenge in challenges::take_due(&mut self.tx, now_ms).await? {
                self.append(now_ms, Fact::Challenge { challenge })?;
            }
            self.next_release_ms = challenges::next_release_ms_in(&mut self.tx).await?;
        }
        Ok(())
    }
}

fn of_operation(error: StoreError) -> StoreError {
    StoreError::Operation(Box::new(error))
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
