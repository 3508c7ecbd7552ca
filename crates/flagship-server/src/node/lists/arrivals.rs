//! Incorrect submissions recorded since the last poll, for the live channel. Correct ones come from
//! the fold.

use std::collections::HashMap;

use flagship_game::{ChallengeId, Contest, TeamId};
use flagship_store::lists::flags::{self as store, SubmissionFilter};
use flagship_store::{Db, StoreError};

use super::ReadScope;
use super::tries::SETTLED_AFTER_MS;
use crate::node::board::feed::Feed;

/// Maximum number of rows per poll, including rows that earlier polls have read.
const ROWS_MAX: i64 = 2500;
/// Delay after which nearly all submissions are recorded, in milliseconds. Most polls reread only
/// this period.
const USUAL_MS: i64 = 2_000;
/// Every fourth poll rereads the whole period in which rows can still appear.
const WHOLE_EVERY: u64 = 4;

/// Known incorrect submissions. Rows are recorded some seconds after submission, in any order, so
/// polls reread those seconds.
pub struct SubmissionPoller {
    /// Time of the last poll, in epoch milliseconds.
    looked_at_ms: i64,
    /// Number of polls, and time of the last one that reread the whole period.
    looks: u64,
    whole_at_ms: i64,
    /// Time of each submission of the last seconds, by ID.
    known: HashMap<i64, i64>,
}

/// A newly recorded incorrect submission.
pub struct NewSubmission {
    at_ms: i64,
    team: TeamId,
    challenge: ChallengeId,
}

impl SubmissionPoller {
    /// Starts polling. Existing rows count as known.
    pub async fn begin(db: &Db, feed: &Feed, now_ms: i64) -> Result<Self, StoreError> {
        let known = HashMap::new();
        let mut begun = Self { looked_at_ms: now_ms, looks: 0, whole_at_ms: now_ms, known };
        begun.look(db, feed, now_ms).await?;
        Ok(begun)
    }

    /// Polls once. If there are more new rows than a poll reads, the newest come first and later
    /// polls return the others while they are recent enough.
    ///
    /// # Errors
    /// Fails if the database does not respond. The next poll returns the missed rows.
    pub async fn look(
        &mut self,
        db: &Db,
        feed: &Feed,
        now_ms: i64,
    ) -> Result<Vec<NewSubmission>, StoreError> {
        let reads_all = self.looks.is_multiple_of(WHOLE_EVERY);
        let from_ms = Some(match reads_all {
            true => self.whole_at_ms - SETTLED_AFTER_MS,
            false => self.looked_at_ms - USUAL_MS,
        });
        let rows = store::wrong(
            db,
            &SubmissionFilter { from_ms, ..SubmissionFilter::default() },
            ROWS_MAX,
        )
        .await?;
        // Read after the rows, so that it contains their teams.
        let contest = feed.latest();
        let mut flags = Vec::new();
        for row in rows {
            let team = TeamId(row.account_id);
            if contest.team(team).is_none() || self.known.insert(row.id, row.at_ms).is_some() {
                continue;
            }
            let challenge = ChallengeId::parse(&row.challenge_id).ok();
            let arrived = |challenge| NewSubmission { at_ms: row.at_ms, team, challenge };
            flags.extend(challenge.map(arrived));
        }
        self.looked_at_ms = now_ms;
        if reads_all {
            self.whole_at_ms = now_ms;
        }
        self.known.retain(|_, at_ms| *at_ms >= self.whole_at_ms - SETTLED_AFTER_MS);
        self.looks += 1;
        Ok(flags)
    }
}

impl NewSubmission {
    /// True if a reader with this scope can see it in the list of submissions.
    pub fn is_seen(&self, contest: &Contest, sight: &ReadScope) -> bool {
        let is_hidden = !sight.truth && contest.hides_solves_of(self.at_ms);
        let shows = || {
            let team = contest.team(self.team);
            team.is_some_and(|team| sight.shows(contest, team, &self.challenge))
        };
        sight.wrong && !is_hidden && shows()
    }
}
