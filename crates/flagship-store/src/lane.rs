//! The lane: the single writer of everything public, many operations in one transaction.
//!
//! A step takes the lock, folds what other nodes wrote meanwhile, decides each operation on that
//! newest state at the transaction's own time, appends, commits, and only then adopts the result.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::Arc;

use flagship_game::Contest;
use flagship_game::facts::news::Change;

use crate::fold::Fold;
use crate::kept::Keeper;
use crate::ops::{self, Known, Outcome, Plan, Preview, Request, SignedDrafts, StepTx};
use crate::seal::{Recorder, Seal};
use crate::{Clock, Db, Key, Lock, NewerFormat, Result, StoreError, accounts, challenges, journal};

/// The result of a step.
#[derive(Debug, Default)]
pub struct Step {
    /// One for each request, in order.
    pub outcomes: Vec<Outcome>,
    /// What changed, for live viewers, in order; also what other nodes changed.
    pub changes: Vec<Change>,
}

/// Entries of other processes that were folded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// What they changed, in order.
    pub changes: Vec<Change>,
    /// Whether there may be more.
    pub has_more: bool,
}

/// The journal's writer, with the newest fold that it knows.
pub struct Writer {
    db: Db,
    clock: Clock,
    seal: Arc<Seal>,
    recorder: Recorder,
    fold: Fold,
    /// The revision of the drafts that `next_release_ms` was read from, or an older one.
    revision: Option<i64>,
    next_release_ms: Option<i64>,
    /// The drafts of the last preview, which spares the next step reading them.
    drafts: Option<SignedDrafts>,
    keeper: Option<Keeper>,
    /// The kept fold that it started from, until the journal has proven or replaced it.
    unproven: Option<Fold>,
    /// The sequence number of the last entry in the kept fold.
    kept_seq: i64,
    /// The format that the journal has after the last folded entry, if this program does not read
    /// it. The writer then neither reads on nor writes.
    newer: Option<NewerFormat>,
}

impl Writer {
    /// Opens the database and folds the journal from the start.
    ///
    /// # Errors
    /// [`StoreError::NewerFormat`] if this program does not read the whole journal.
    pub async fn open(db: Db, key: &Key, clock: Clock) -> Result<Self> {
        let seal = Seal::open(&db, key).await?;
        let writer = Self::over(db, clock, seal, None, None).await?;
        match writer.newer {
            Some(newer) => Err(newer.into()),
            None => Ok(writer),
        }
    }

    /// The same for a server: starting from the fold that is kept in a data folder if the journal
    /// contains its last entry, which is not proven before `settle`; and a journal of a newer
    /// format is folded as far as this program reads it, which `newer` says.
    pub async fn open_kept(db: Db, key: &Key, clock: Clock, data: &Path) -> Result<Self> {
        let seal = Seal::open(&db, key).await?;
        let keeper = Keeper::new(data, key, seal.generation());
        let mut unproven = keeper.read();
        if let Some(fold) = &unproven
            && journal::hash_at(&db, fold.seq()).await?.as_ref() != Some(&fold.head)
        {
            unproven = None;
        }
        Self::over(db, clock, seal, Some(keeper), unproven).await
    }

    async fn over(
        db: Db,
        clock: Clock,
        seal: Seal,
        keeper: Option<Keeper>,
        unproven: Option<Fold>,
    ) -> Result<Self> {
        accounts::complete_keys(&db).await?;
        let kept_seq = unproven.as_ref().map_or(0, Fold::seq);
        let fold = unproven.clone().unwrap_or_else(|| Fold::empty(seal.generation()));
        let recorded = seal.recorded;
        let mut writer = Self {
            db,
            clock,
            seal: Arc::new(seal),
            recorder: Recorder::default(),
            fold,
            revision: None,
            next_release_ms: None,
            drafts: None,
            keeper,
            unproven,
            kept_seq,
            newer: None,
        };
        while writer.tail().await?.has_more {}
        if writer.fold.seq() != recorded {
            // The record of what a killed process wrote is missing.
            writer.recorder.request();
        }
        Ok(writer)
    }

    /// The same writer over other connections to its database.
    pub fn over_connections(self, db: Db) -> Self {
        Self { db, ..self }
    }

    /// The database that is written to.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The clock that it runs by.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Folds the journal from its first entry up to the end of the kept fold that this writer
    /// started from; `None` if it started without one, or it is proven.
    pub fn proof(&self) -> Option<impl Future<Output = Result<Fold>> + Send + 'static> {
        let seq = self.unproven.as_ref()?.seq();
        let db = self.db.clone();
        let mut fold = Fold::empty(self.generation());
        Some(async move {
            while fold.seq() < seq {
                let rows = journal::read_after(&db, fold.seq()).await?;
                if rows.is_empty() {
                    return Err(StoreError::Corrupt("the journal has become shorter".to_owned()));
                }
                for row in rows.iter().take_while(|row| row.seq <= seq) {
                    fold.follow(row)?;
                }
                tokio::task::yield_now().await;
            }
            Ok(fold)
        })
    }

    /// Compares the kept fold with what `proof` folded. If they differ, the kept fold is removed
    /// and the writer goes on from the proof. Returns whether they were the same.
    pub async fn settle(&mut self, proof: Fold) -> Result<bool> {
        if self.unproven.take().is_none_or(|kept| kept == proof) {
            return Ok(true);
        }
        self.forget();
        (self.fold, self.newer) = (proof, None);
        while self.tail().await?.has_more {}
        Ok(false)
    }

    /// Removes the kept fold.
    pub fn forget(&mut self) {
        self.kept_seq = 0;
        if let Some(keeper) = &self.keeper {
            keeper.forget();
        }
    }

    /// How many entries came since the fold was kept; 0 until it is proven, and while solves are
    /// hidden: when the fold is kept must not tell how many of them there are. A start then folds
    /// the entries since the freeze, which takes milliseconds.
    pub fn unkept(&self) -> i64 {
        let hides_solves = self.contest().hides_new_solves(self.clock.now_ms());
        if self.unproven.is_some() || hides_solves { 0 } else { self.fold.seq() - self.kept_seq }
    }

    /// A function that writes the fold as it is now to its file, which takes a while. `None`
    /// without a data folder, or before the fold is proven.
    pub fn keep(&mut self) -> Option<impl FnOnce() -> io::Result<()> + Send + 'static> {
        let keeper = self.keeper.clone().filter(|_| self.unproven.is_none())?;
        self.kept_seq = self.fold.seq();
        let fold = self.fold.clone();
        Some(move || keeper.write(&fold))
    }

    /// The generation: the random name of this journal.
    pub fn generation(&self) -> &str {
        self.seal.generation()
    }

    /// The fold so far.
    pub fn contest(&self) -> &Contest {
        &self.fold.contest
    }

    /// The newer format that ends what this program reads of the journal. Nothing can be written.
    pub fn newer(&self) -> Option<NewerFormat> {
        self.newer
    }

    /// The hash of the last entry.
    pub fn head(&self) -> &str {
        &self.fold.head
    }

    /// What authenticates the journal.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Makes the next step record the head if the record lags behind; returns whether it does.
    pub fn record_next(&mut self) -> bool {
        self.recorder.hurry();
        self.newer.is_none() && self.recorder.is_due()
    }

    /// Folds the next entries that other processes wrote, some at a time. If it fails or is dropped
    /// it has folded nothing, so that no change is lost. The statements are the same whether or not
    /// entries came, which in the freeze would tell right flags of other nodes from wrong ones.
    pub async fn tail(&mut self) -> Result<Tail> {
        if self.newer.is_some() {
            return Ok(Tail::default());
        }
        let rows = journal::read_after(&self.db, self.fold.seq()).await?;
        let has_more = rows.len() == journal::READ_ROWS_MAX;
        if !has_more {
            self.next_release_ms = challenges::next_release_ms(&self.db).await?;
        }
        if rows.is_empty() {
            return Ok(Tail::default());
        }
        let mut fold = self.fold.clone();
        let mut newer = None;
        let mut changes = Vec::with_capacity(rows.len());
        for row in &rows {
            match fold.follow(row) {
                Ok(change) => changes.push(change),
                Err(StoreError::NewerFormat(found)) => {
                    newer = Some(found);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        (self.fold, self.newer) = (fold, newer);
        Ok(Tail { changes, has_more })
    }

    /// Whether a phase, a release or a record of the head is due.
    pub fn is_due(&self) -> bool {
        if self.newer.is_some() {
            return false;
        }
        let now_ms = self.clock.now_ms();
        let release = self.next_release_ms.is_some_and(|time| time <= now_ms);
        let contest = &self.fold.contest;
        release && contest.event().is_some()
            || !contest.due(now_ms).is_empty()
            || self.recorder.is_due()
    }

    /// Decides and records operations in one transaction.
    ///
    /// # Errors
    /// Nothing is known to be recorded, and no operation may be acknowledged. With
    /// [`StoreError::Operation`] it is known that nothing is; some of the operations may be
    /// recorded without the others. With [`StoreError::NewerFormat`] nothing ever will be.
    pub async fn step(&mut self, requests: &[Request]) -> Result<Step> {
        let mut step = self.begin().await?;
        step.append_due().await?;
        let mut outcomes = Vec::with_capacity(requests.len());
        for request in requests {
            outcomes.push(ops::decide(&mut step, request).await.map_err(of_operation)?);
        }
        step.write_rows().await.map_err(of_operation)?;
        let changes = self.adopt(step).await?;
        Ok(Step { outcomes, changes })
    }

    /// [`ops::preview`] of the newest entries.
    pub async fn preview(&mut self, plan: &Plan) -> Result<Preview> {
        while self.tail().await?.has_more {}
        if let Some(newer) = self.newer {
            return Err(newer.into());
        }
        let (mut tx, now_ms) = (self.db.snapshot_of_lane().await?, self.clock.now_ms());
        let (seal, fold) = (&self.seal, self.fold.clone());
        let (preview, drafts) = ops::preview_in(&mut tx, seal, now_ms, fold, plan).await?;
        self.drafts = drafts;
        Ok(preview)
    }

    async fn begin(&mut self) -> Result<StepTx> {
        if let Some(newer) = self.newer {
            return Err(newer.into());
        }
        let known = Known {
            revision: self.revision,
            next_release_ms: self.next_release_ms,
            drafts: self.drafts.take(),
        };
        let (seal, fold) = (self.seal.clone(), self.fold.clone());
        let tx = self.db.begin(Lock::Journal).await?;
        StepTx::over(tx, &self.clock, seal, fold, known).await
    }

    /// Commits a step, with a record of the head if one is due, and adopts its fold.
    async fn adopt(&mut self, mut step: StepTx) -> Result<Vec<Change>> {
        let seq = step.fold().seq();
        let (revision, next_release_ms) = (step.revision, step.next_release_ms);
        let mut recorded = None;
        if step.has_rows() {
            self.recorder.request();
        }
        if self.recorder.is_due() {
            let head = self.seal.head(seq, &step.fold().head);
            recorded = Some(self.seal.record(&mut step.tx, &head).await?);
        }
        let (fold, changes) = step.commit().await?;
        if let Some(is_extended) = recorded {
            self.recorder.note(is_extended);
        }
        (self.revision, self.next_release_ms) = (Some(revision), next_release_ms);
        if seq != self.fold.seq() {
            self.fold = fold;
        }
        Ok(changes)
    }
}

fn of_operation(error: StoreError) -> StoreError {
    StoreError::Operation(Box::new(error))
}
