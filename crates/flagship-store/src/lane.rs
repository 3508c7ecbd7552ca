//! The lane: the single writer of all public state. One transaction contains many operations.
//!
//! A step takes the lock, folds entries from other nodes, decides each operation on that newest
//! state at the transaction's time, appends entries, commits, and only then adopts the result.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::Arc;

use flagship_game::Contest;
use flagship_game::facts::news::Change;

use crate::fold::Fold;
use crate::ops::{self, Outcome, Plan, Preview, Request, SignedDrafts, StepTx, WriterCache};
use crate::seal::{Recorder, Seal};
use crate::snapshot::SnapshotFile;
use crate::{Clock, Db, Key, Lock, NewerFormat, Result, StoreError, accounts, challenges, journal};

/// The result of a step.
#[derive(Debug, Default)]
pub struct Step {
    /// Outcome of each request, in order.
    pub outcomes: Vec<Outcome>,
    /// Changes for live viewers, in order, including those of other nodes.
    pub changes: Vec<Change>,
}

/// Folded entries of other processes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// Changes by these entries, in order.
    pub changes: Vec<Change>,
    /// True if there may be more entries.
    pub has_more: bool,
}

/// The journal writer, with the newest known fold.
pub struct Writer {
    db: Db,
    clock: Clock,
    seal: Arc<Seal>,
    recorder: Recorder,
    fold: Fold,
    /// Revision of the drafts when `next_release_ms` was read, or an older revision.
    revision: Option<i64>,
    next_release_ms: Option<i64>,
    /// Drafts of the last preview, so that the next step need not read them.
    drafts: Option<SignedDrafts>,
    snapshot_file: Option<SnapshotFile>,
    /// Snapshot from which the writer started, until it is verified against the journal or
    /// replaced.
    unproven: Option<Fold>,
    /// Sequence number of the last entry in the snapshot.
    snapshot_seq: i64,
    /// Format of the journal after the last folded entry, if this program cannot read it. The
    /// writer then neither reads on nor writes.
    newer: Option<NewerFormat>,
}

impl Writer {
    /// Opens the database and folds the journal from the start.
    ///
    /// # Errors
    /// [`StoreError::NewerFormat`] if this program cannot read the whole journal.
    pub async fn open(db: Db, key: &Key, clock: Clock) -> Result<Self> {
        let seal = Seal::open(&db, key).await?;
        let writer = Self::over(db, clock, seal, None, None).await?;
        match writer.newer {
            Some(newer) => Err(newer.into()),
            None => Ok(writer),
        }
    }

    /// Opens the database for a server. Starts from the snapshot in the data folder if the journal
    /// contains its last entry; the snapshot is unverified until `settle`. If the journal has a
    /// newer format, it is folded as far as this program can read it; see `newer`.
    pub async fn open_with_snapshot(db: Db, key: &Key, clock: Clock, data: &Path) -> Result<Self> {
        let seal = Seal::open(&db, key).await?;
        let snapshot_file = SnapshotFile::new(data, key, seal.generation());
        let mut unproven = snapshot_file.read();
        if let Some(fold) = &unproven
            && journal::hash_at(&db, fold.seq()).await?.as_ref() != Some(&fold.head)
        {
            unproven = None;
        }
        Self::over(db, clock, seal, Some(snapshot_file), unproven).await
    }

    async fn over(
        db: Db,
        clock: Clock,
        seal: Seal,
        snapshot_file: Option<SnapshotFile>,
        unproven: Option<Fold>,
    ) -> Result<Self> {
        accounts::complete_keys(&db).await?;
        let snapshot_seq = unproven.as_ref().map_or(0, Fold::seq);
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
            snapshot_file,
            unproven,
            snapshot_seq,
            newer: None,
        };
        while writer.tail().await?.has_more {}
        if writer.fold.seq() != recorded {
            // A killed process appended entries without recording the new head.
            writer.recorder.request();
        }
        Ok(writer)
    }

    /// Replaces the connections to the database.
    pub fn over_connections(self, db: Db) -> Self {
        Self { db, ..self }
    }

    /// The database.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Folds the journal from its first entry up to the end of the snapshot; `None` if the writer
    /// started without one, or if it is already verified.
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

    /// Compares the snapshot with the result of `proof`. If they differ, removes the snapshot and
    /// continues from the proof. Returns true if they are equal.
    pub async fn settle(&mut self, proof: Fold) -> Result<bool> {
        if self.unproven.take().is_none_or(|kept| kept == proof) {
            return Ok(true);
        }
        self.remove_snapshot();
        (self.fold, self.newer) = (proof, None);
        while self.tail().await?.has_more {}
        Ok(false)
    }

    /// Removes the snapshot.
    pub fn remove_snapshot(&mut self) {
        self.snapshot_seq = 0;
        if let Some(snapshot_file) = &self.snapshot_file {
            snapshot_file.remove();
        }
    }

    /// Number of entries since the last snapshot. Returns 0 until the snapshot is verified. Also
    /// returns 0 while solves are hidden, because the times of snapshots would reveal their number.
    /// A start during the freeze then folds all entries since the freeze began, which takes
    /// milliseconds.
    pub fn entries_since_snapshot(&self) -> i64 {
        let hides_solves = self.contest().hides_new_solves(self.clock.now_ms());
        if self.unproven.is_some() || hides_solves {
            0
        } else {
            self.fold.seq() - self.snapshot_seq
        }
    }

    /// Returns a function that writes the current fold to the snapshot file, which takes a while.
    /// `None` without a data folder, or before the snapshot is verified.
    pub fn snapshot_task(&mut self) -> Option<impl FnOnce() -> io::Result<()> + Send + 'static> {
        let snapshot_file = self.snapshot_file.clone().filter(|_| self.unproven.is_none())?;
        self.snapshot_seq = self.fold.seq();
        let fold = self.fold.clone();
        Some(move || snapshot_file.write(&fold))
    }

    /// The random name of this journal.
    pub fn generation(&self) -> &str {
        self.seal.generation()
    }

    /// The current state of the contest.
    pub fn contest(&self) -> &Contest {
        &self.fold.contest
    }

    /// Newer format that this program cannot read. If set, nothing can be written.
    pub fn newer(&self) -> Option<NewerFormat> {
        self.newer
    }

    /// The hash of the last entry.
    pub fn head(&self) -> &str {
        &self.fold.head
    }

    /// The seal that authenticates the journal.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Makes the next step record the head, and returns true, if the recorded head is out of date.
    pub fn record_next(&mut self) -> bool {
        self.recorder.hurry();
        self.newer.is_none() && self.recorder.is_due()
    }

    /// Folds the next entries from other processes, up to a limit. A failed or dropped call folds
    /// nothing, so no change is lost. The statements are the same with and without new entries:
    /// otherwise, during the freeze, they would distinguish correct from incorrect submissions on
    /// other nodes.
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

    /// True if a phase, a release or a record of the head is due.
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
    /// The operations may or may not be recorded, so none may be acknowledged. After
    /// [`StoreError::Operation`] nothing is recorded, and some of the operations may succeed
    /// without the others. After [`StoreError::NewerFormat`] every later step fails too.
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

    /// Runs [`ops::preview`] on the newest entries.
    pub async fn preview(&mut self, plan: &Plan) -> Result<Preview> {
        while self.tail().await?.has_more {}
        if let Some(newer) = self.newer {
            return Err(newer.into());
        }
        let (mut tx, now_ms) = (self.db.journal_snapshot().await?, self.clock.now_ms());
        let (seal, fold) = (&self.seal, self.fold.clone());
        let (preview, drafts) = ops::preview_in(&mut tx, seal, now_ms, fold, plan).await?;
        self.drafts = drafts;
        Ok(preview)
    }

    async fn begin(&mut self) -> Result<StepTx> {
        if let Some(newer) = self.newer {
            return Err(newer.into());
        }
        let known = WriterCache {
            revision: self.revision,
            next_release_ms: self.next_release_ms,
            drafts: self.drafts.take(),
        };
        let (seal, fold) = (self.seal.clone(), self.fold.clone());
        let tx = self.db.begin(Lock::Journal).await?;
        StepTx::over(tx, &self.clock, seal, fold, known).await
    }

    /// Commits a step, with a record of the head if one is due, and adopts the step's fold.
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
