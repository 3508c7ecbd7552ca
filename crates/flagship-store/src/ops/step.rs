//! The transaction of one step: operations are decided on the fold of all entries up to then, at
//! the transaction's time, and the new rows are written together at the end.

use std::sync::Arc;
use std::time::Instant;

use flagship_game::facts::news::Change;
use flagship_game::facts::{self, Fact};
use flagship_game::{ChallengeId, Contest, Entry, TeamId};

use super::actor::Actor;
use crate::challenges::{self, Drafts};
use crate::desk::notices;
use crate::engine::{insert, on, push_list};
use crate::fold::Fold;
use crate::journal::{self, StoredEntry};
use crate::seal::Seal;

use crate::wrong_flags::{self, WrongFlag};
use crate::{Clock, Result, Tx};

/// A step under way. Dropped without `commit`, it leaves nothing behind.
pub(crate) struct StepTx {
    pub(crate) tx: Tx,
    pub(crate) seal: Arc<Seal>,
    /// Who asked for the entries being appended; only logged.
    pub(super) actor: Actor,
    /// The revision of drafts and flags, as this transaction sees it.
    pub(crate) revision: i64,
    /// The drafts as the writer last read them, perhaps before others changed them.
    pub(super) drafts: Option<SignedDrafts>,
    /// When the next challenge is to be released, in epoch milliseconds; `None` if none is
    /// scheduled.
    pub(crate) next_release_ms: Option<i64>,
    fold: Fold,
    /// Entries appended but not written yet. Those of wrong flags of the freeze have the number 0:
    /// they are left out.
    rows: Vec<StoredEntry>,
    /// Rows for the table `solves` that are not written yet.
    solve_rows: Vec<SolveRow>,
    /// Wrong flags that are not written yet.
    wrong_flags: Vec<WrongFlag>,
    /// Those that are on record already: they are written and deleted again.
    discarded_flags: Vec<WrongFlag>,
    /// Right flags of the freeze, which are left out of the record of wrong ones.
    right_flags: Vec<WrongFlag>,
    /// What the entries changed, those of other processes first.
    changes: Vec<Change>,
    clock_read_at: Instant,
    clock_ms: i64,
    clock: Clock,
}

/// A row for the table `solves`.
struct SolveRow {
    /// The number of the entry; 0 for wrong flags, as above.
    seq: i64,
    team: TeamId,
    challenge: ChallengeId,
    /// Of its flag.
    digest: Option<String>,
}

/// What the writer last read of the drafts.
pub(crate) struct Known {
    /// Their revision when `next_release_ms` was read, or an earlier one.
    pub(crate) revision: Option<i64>,
    pub(crate) next_release_ms: Option<i64>,
    pub(crate) drafts: Option<SignedDrafts>,
}

/// Drafts, and the signature that the database had of their definitions and flags.
pub(crate) struct SignedDrafts {
    pub(crate) drafts: Drafts,
    pub(crate) signature: String,
}

impl StepTx {
    /// Begins the step in a transaction that has the lane's lock, and folds what other processes
    /// wrote since the writer last read.
    pub(crate) async fn over(
        mut tx: Tx,
        clock: &Clock,
        seal: Arc<Seal>,
        fold: Fold,
        known: Known,
    ) -> Result<Self> {
        let (clock_ms, revision) = challenges::now_and_revision_in(&mut tx, clock).await?;
        let next_release_ms = match known.revision {
            Some(known_revision) if known_revision == revision => known.next_release_ms,
            _ => challenges::next_release_ms_in(&mut tx).await?,
        };
        let mut step = Self {
            tx,
            seal,
            actor: Actor::Clock,
            revision,
            drafts: known.drafts,
            next_release_ms,
            fold,
            rows: Vec::new(),
            solve_rows: Vec::new(),
            wrong_flags: Vec::new(),
            discarded_flags: Vec::new(),
            right_flags: Vec::new(),
            changes: Vec::new(),
            clock_read_at: Instant::now(),
            clock_ms,
            clock: clock.clone(),
        };
        // What other processes wrote.
        step.changes = step.fold.follow_all(&mut step.tx).await?;
        Ok(step)
    }

    /// The contest after the last entry, including those that this step has appended.
    pub(crate) fn contest(&self) -> &Contest {
        &self.fold.contest
    }

    /// The fold after the last entry, including those that this step has appended.
    pub(crate) fn fold(&self) -> &Fold {
        &self.fold
    }

    /// The current time within the transaction in epoch milliseconds, never earlier than the time
    /// of the last entry.
    pub(crate) fn now_ms(&self) -> i64 {
        let now = match self.clock {
            Clock::System { .. } => self.clock_ms + self.clock_read_at.elapsed().as_millis() as i64,
            Clock::Manual(_) => self.clock.now_ms(),
        };
        now.max(self.contest().at_ms())
    }

    /// Appends an entry with the time `at_ms`. If it needs a newer format than the journal has, an
    /// entry that begins that format is appended first.
    pub(super) fn append(&mut self, at_ms: i64, fact: impl Into<Fact>) -> Result<()> {
        let fact = fact.into();
        if let Some(version) = self.contest().format_before(&fact) {
            self.append_as_is(at_ms, facts::Format { version }.into())?;
        }
        self.append_as_is(at_ms, fact)
    }

    fn append_as_is(&mut self, at_ms: i64, fact: Fact) -> Result<()> {
        let entry = Entry { seq: self.fold.seq() + 1, at_ms, fact };
        let row = self.seal.sign(&self.fold.head, &entry);
        let change = self.fold.fold(&entry, &row.hash)?;
        tracing::debug!(seq = entry.seq, actor = ?self.actor, "appending an entry");
        self.rows.push(row);
        self.changes.push(change);
        Ok(())
    }

    /// Does the work of appending a solve, and leaves the fold and the journal as they were.
    /// `write_rows` names its rows in the statements and leaves them out.
    pub(super) fn append_and_discard(
        &mut self,
        at_ms: i64,
        team: TeamId,
        id: &ChallengeId,
        digest: &str,
    ) {
        let fact = facts::Solve { team, challenge: id.clone() }.into();
        let entry = Entry { seq: self.fold.seq() + 1, at_ms, fact };
        let row = self.seal.sign(&self.fold.head, &entry);
        // An error would be discarded as well.
        drop(std::hint::black_box(self.fold.clone().fold(&entry, &row.hash)));
        self.rows.push(StoredEntry { seq: 0, ..row });
        let challenge = id.clone();
        let digest = Some(digest.to_owned());
        self.solve_rows.push(SolveRow { seq: 0, team, challenge, digest });
    }

    /// Queues a wrong flag for the organizers' record. `write_rows` writes it, and deletes it again
    /// if it is on record already.
    pub(super) fn queue_wrong_flag(&mut self, flag: WrongFlag, is_recorded: bool) {
        let queue = if is_recorded { &mut self.discarded_flags } else { &mut self.wrong_flags };
        queue.push(flag);
    }

    /// Queues a right flag of the freeze: `write_rows` runs the statements of a wrong one too.
    pub(super) fn queue_right_flag(&mut self, flag: WrongFlag) {
        self.right_flags.push(flag);
    }

    /// True if this step appended entries or took wrong flags of the freeze.
    pub(crate) fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Queues the row of the solve that was just appended. The primary key of `solves` allows a
    /// team one row per challenge, so a second solve fails. `write_rows` writes it.
    pub(super) fn queue_solve_row(&mut self, team: TeamId, id: &ChallengeId, digest: Option<&str>) {
        let (challenge, digest) = (id.clone(), digest.map(str::to_owned));
        self.solve_rows.push(SolveRow { seq: self.fold.seq(), team, challenge, digest });
    }

    /// Deletes the rows of withdrawn solves, so that the teams may solve the challenge again.
    pub(super) async fn delete_solve_rows(
        &mut self,
        teams: &[TeamId],
        id: &ChallengeId,
    ) -> Result<()> {
        // A row may be from this step and not written yet.
        self.write_solve_rows().await?;
        for teams in journal::runs(teams) {
            on!(&mut self.tx, conn => {
                let sql = "delete from solves where challenge_id = ";
                let mut delete = sqlx::QueryBuilder::new(sql);
                delete.push_bind(id.as_str()).push(" and team_id in ");
                push_list(&mut delete, teams.iter().map(|team| team.0));
                delete.build().execute(conn).await?;
            });
        }
        Ok(())
    }

    /// Adopts the new revision after drafts or flags were changed, and reads the next release
    /// again.
    pub(super) async fn set_revision(&mut self, revision: i64) -> Result<()> {
        self.revision = revision;
        self.next_release_ms = challenges::next_release_ms_in(&mut self.tx).await?;
        Ok(())
    }

    /// Appends the phases and releases whose time has come. The lane calls this before it decides
    /// operations.
    pub(crate) async fn append_due(&mut self) -> Result<()> {
        self.actor = Actor::Clock;
        let now_ms = self.now_ms();
        for phase in self.contest().due(now_ms) {
            self.append(now_ms, facts::Phase { phase })?;
        }
        let is_due = self.next_release_ms.is_some_and(|time| time <= now_ms);
        if is_due && self.contest().event().is_some() {
            self.seal.watch_flags(&mut self.tx).await?;
            for challenge in challenges::due_in(&mut self.tx, now_ms).await? {
                let id = challenge.id.clone();
                let challenge = challenge.at(now_ms);
                if let Err(error) = self.append(now_ms, facts::Challenge { challenge }) {
                    tracing::error!(%error, %id, "a challenge whose time has come is not released");
                }
            }
            challenges::mark_released(&mut self.tx, now_ms).await?;
            for challenge in challenges::hints_due_in(&mut self.tx, now_ms).await? {
                let challenge = challenge.at(now_ms);
                let is_news =
                    self.contest().challenge(&challenge.id).is_some_and(|it| **it != challenge);
                let id = challenge.id.clone();
                if is_news && let Err(error) = self.append(now_ms, facts::Challenge { challenge }) {
                    tracing::error!(%error, %id, "a hint whose time has come is not shown");
                }
            }
            for due in notices::due_in(&mut self.tx, now_ms).await? {
                notices::put_in(&mut self.tx, due.id, None).await?;
                self.append_notice(now_ms, due)?;
            }
            self.next_release_ms = challenges::next_release_ms_in(&mut self.tx).await?;
        }
        Ok(())
    }

    /// Publishes a notice that waited, unless the fold does not take it.
    fn append_notice(&mut self, at_ms: i64, due: notices::Due) -> Result<()> {
        let notices::Due { id: notice, title, html, challenge_id, urgent, .. } = due;
        let urgent_until_ms = due.urgent_until_ms;
        let challenge = challenge_id.and_then(|id| ChallengeId::parse(&id).ok());
        let fact = facts::Notice { notice, title, html, challenge, urgent, urgent_until_ms };
        if let Err(error) = self.append(at_ms, fact) {
            tracing::error!(%error, notice, "a notice whose time has come is not published");
        }
        Ok(())
    }

    /// Writes the appended entries and their rows in `solves` to the database, and wrong flags of
    /// the freeze. The statements depend on how many flags of the freeze there are, not on how many
    /// of them are right: who has a flag in the same step could measure that.
    pub(crate) async fn write_rows(&mut self) -> Result<()> {
        self.write_solve_rows().await?;
        let (kept, discarded) = (&self.wrong_flags, &self.discarded_flags);
        let left_out = &self.right_flags;
        wrong_flags::record_alike_in(&mut self.tx, kept, discarded, left_out).await?;
        let has_hidden_flags = self.has_hidden_flags();
        journal::append(&mut self.tx, &self.rows, has_hidden_flags).await
    }

    /// Commits; returns the new fold and the changes, those of other processes first.
    pub(crate) async fn commit(self) -> Result<(Fold, Vec<Change>)> {
        self.tx.commit().await?;
        Ok((self.fold, self.changes))
    }

    /// Whether this step has flags of the freeze, right or wrong.
    fn has_hidden_flags(&self) -> bool {
        let flags = [&self.wrong_flags, &self.discarded_flags, &self.right_flags];
        flags.iter().any(|flags| !flags.is_empty())
    }

    async fn write_solve_rows(&mut self) -> Result<()> {
        let (before, after) = journal::around(self.has_hidden_flags());
        for rows in journal::runs(&std::mem::take(&mut self.solve_rows)) {
            let sql = format!("insert into solves (seq, team_id, challenge_id, digest) {before}");
            insert!(&mut self.tx => &sql, rows,
                |row| (row.seq, row.team.0, row.challenge.as_str(), &row.digest), after);
        }
        Ok(())
    }
}
