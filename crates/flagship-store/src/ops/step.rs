//! Transaction of one step. Operations are decided on the fold of all earlier entries, at the
//! transaction's time. New rows are written together at the end.

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

/// A step in progress. Dropping it without `commit` leaves no trace.
pub(crate) struct StepTx {
    pub(crate) tx: Tx,
    pub(crate) seal: Arc<Seal>,
    /// Actor of the entries being appended. Only logged.
    pub(super) actor: Actor,
    /// Revision of drafts and flags in this transaction.
    pub(crate) revision: i64,
    /// Drafts that the writer last read; possibly outdated.
    pub(super) drafts: Option<SignedDrafts>,
    /// Time of the next scheduled release, in epoch milliseconds; `None` if there is none.
    pub(crate) next_release_ms: Option<i64>,
    fold: Fold,
    /// Appended entries that are not written yet. Entries of incorrect submissions during the
    /// freeze have the number 0 and are not inserted.
    rows: Vec<StoredEntry>,
    /// Rows for the table `solves` that are not written yet.
    solve_rows: Vec<SolveRow>,
    /// Incorrect submissions that are not written yet.
    wrong_flags: Vec<WrongFlag>,
    /// Incorrect submissions that are already recorded. They are written and deleted again.
    discarded_flags: Vec<WrongFlag>,
    /// Correct submissions during the freeze, which are not stored with the incorrect ones.
    right_flags: Vec<WrongFlag>,
    /// True if a team took a hint, or was refused one, during the freeze.
    has_hidden_hints: bool,
    /// Changes by the entries. Changes by other processes come first.
    changes: Vec<Change>,
    clock_read_at: Instant,
    clock_ms: i64,
    clock: Clock,
}

/// A row for the table `solves`.
struct SolveRow {
    /// Number of the entry; 0 for incorrect submissions.
    seq: i64,
    team: TeamId,
    challenge: ChallengeId,
    /// Digest of the flag.
    digest: Option<String>,
}

/// Values about drafts that the writer last read.
pub(crate) struct WriterCache {
    /// Revision of the drafts when `next_release_ms` was read, or an older revision.
    pub(crate) revision: Option<i64>,
    pub(crate) next_release_ms: Option<i64>,
    pub(crate) drafts: Option<SignedDrafts>,
}

/// Drafts, and the signature of their definitions and flags in the database.
pub(crate) struct SignedDrafts {
    pub(crate) drafts: Drafts,
    pub(crate) signature: String,
}

impl StepTx {
    /// Begins the step in a transaction that holds the lane's lock, and folds new entries of other
    /// processes.
    pub(crate) async fn over(
        mut tx: Tx,
        clock: &Clock,
        seal: Arc<Seal>,
        fold: Fold,
        known: WriterCache,
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
            has_hidden_hints: false,
            changes: Vec::new(),
            clock_read_at: Instant::now(),
            clock_ms,
            clock: clock.clone(),
        };
        // Entries of other processes.
        step.changes = step.fold.follow_all(&mut step.tx).await?;
        Ok(step)
    }

    /// The contest after the last entry, including entries of this step.
    pub(crate) fn contest(&self) -> &Contest {
        &self.fold.contest
    }

    /// The fold after the last entry, including entries of this step.
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

    /// Does the work of appending a solve without changing the fold and the journal. `write_rows`
    /// includes its rows in the statements, but does not insert them.
    pub(super) fn append_and_discard(
        &mut self,
        at_ms: i64,
        team: TeamId,
        id: &ChallengeId,
        digest: &str,
    ) {
        self.discard(at_ms, facts::Solve { team, challenge: id.clone() }.into());
        self.queue_discarded_solve_row(team, id, digest);
    }

    /// Queues the row of a solve that `write_rows` includes in the statement, but does not insert.
    pub(super) fn queue_discarded_solve_row(
        &mut self,
        team: TeamId,
        id: &ChallengeId,
        digest: &str,
    ) {
        let challenge = id.clone();
        let digest = Some(digest.to_owned());
        self.solve_rows.push(SolveRow { seq: 0, team, challenge, digest });
    }

    fn discard(&mut self, at_ms: i64, fact: Fact) {
        let entry = Entry { seq: self.fold.seq() + 1, at_ms, fact };
        let row = self.seal.sign(&self.fold.head, &entry);
        // An error would be discarded as well.
        drop(std::hint::black_box(self.fold.clone().fold(&entry, &row.hash)));
        self.rows.push(StoredEntry { seq: 0, ..row });
    }

    /// Appends the entry of a hint that a team takes.
    pub(super) fn append_hint(&mut self, at_ms: i64, fact: facts::HintTaken) -> Result<()> {
        self.has_hidden_hints |= self.contest().hides_new_solves(at_ms);
        self.append(at_ms, fact)
    }

    /// During the freeze, does the work of a hint that a team takes without changing the fold and
    /// the journal, because the hint was refused.
    pub(super) fn refuse_hint(&mut self, at_ms: i64, fact: facts::HintTaken) {
        if self.contest().hides_new_solves(at_ms) {
            self.has_hidden_hints = true;
            self.discard(at_ms, fact.into());
        }
    }

    /// Queues an incorrect submission. `write_rows` writes it, and deletes it again if it was
    /// already recorded.
    pub(super) fn queue_wrong_flag(&mut self, flag: WrongFlag, is_recorded: bool) {
        let queue = if is_recorded { &mut self.discarded_flags } else { &mut self.wrong_flags };
        queue.push(flag);
    }

    /// Queues a correct submission during the freeze. `write_rows` runs the same statements as for
    /// an incorrect one.
    pub(super) fn queue_right_flag(&mut self, flag: WrongFlag) {
        self.right_flags.push(flag);
    }

    /// True if this step appended entries or incorrect submissions during the freeze.
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
        // The row of a solve in this step can still be unwritten.
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

    /// Appends the phases and releases that are due. The lane calls this before it decides
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

    /// Publishes a scheduled notice, unless the fold rejects it.
    fn append_notice(&mut self, at_ms: i64, due: notices::ScheduledNotice) -> Result<()> {
        let notices::ScheduledNotice { id: notice, title, html, challenge_id, urgent, .. } = due;
        let urgent_until_ms = due.urgent_until_ms;
        let challenge = challenge_id.and_then(|id| ChallengeId::parse(&id).ok());
        let fact = facts::Notice { notice, title, html, challenge, urgent, urgent_until_ms };
        if let Err(error) = self.append(at_ms, fact) {
            tracing::error!(%error, notice, "a notice whose time has come is not published");
        }
        Ok(())
    }

    /// Writes the appended entries, their rows in `solves` and incorrect submissions during the
    /// freeze. During the freeze, the statements depend on the number of submissions but not on how
    /// many of them are correct, which a client with a submission in the same step could otherwise
    /// measure.
    pub(crate) async fn write_rows(&mut self) -> Result<()> {
        self.write_solve_rows().await?;
        let (kept, discarded) = (&self.wrong_flags, &self.discarded_flags);
        let left_out = &self.right_flags;
        wrong_flags::record_alike_in(&mut self.tx, kept, discarded, left_out).await?;
        let has_hidden_flags = self.has_hidden_flags();
        journal::append(&mut self.tx, &self.rows, has_hidden_flags).await
    }

    /// Commits and returns the new fold with the changes. Changes by other processes come first.
    pub(crate) async fn commit(self) -> Result<(Fold, Vec<Change>)> {
        self.tx.commit().await?;
        Ok((self.fold, self.changes))
    }

    /// True if this step has submissions during the freeze, correct or incorrect, or calls for
    /// hints.
    fn has_hidden_flags(&self) -> bool {
        let flags = [&self.wrong_flags, &self.discarded_flags, &self.right_flags];
        self.has_hidden_hints || flags.iter().any(|flags| !flags.is_empty())
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
