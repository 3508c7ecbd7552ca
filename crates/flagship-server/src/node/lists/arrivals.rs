//! The wrong flags that came on record since the last look, for those who watch them come in. Right
//! ones are in the fold.

use std::collections::HashMap;

use flagship_game::{ChallengeId, Contest, TeamId};
use flagship_store::lists::flags::{self as store, Asked};
use flagship_store::{Db, StoreError};

use super::Sight;
use super::tries::SETTLED_AFTER_MS;
use crate::node::board::feed::Feed;

/// Wrong flags that one look reads; those that the looks before found are among them.
const ROWS_MAX: i64 = 2500;
/// Nearly all wrong flags are on record so long after they were sent, in milliseconds: most looks
/// read no older ones again.
const USUAL_MS: i64 = 2_000;
/// One look of so many reads all that may still come.
const WHOLE_EVERY: u64 = 4;

/// Wrong flags that are known. They are on record some seconds after they were sent, in any order,
/// so looks read those seconds again.
pub struct Arrivals {
    /// Time of the last look, in epoch milliseconds.
    looked_at_ms: i64,
    /// Number of looks, and time of the last one that read all that may still come.
    looks: u64,
    whole_at_ms: i64,
    /// Flags of the last seconds by id, each with its time.
    known: HashMap<i64, i64>,
}

/// A wrong flag that came on record.
pub struct Arrived {
    at_ms: i64,
    team: TeamId,
    challenge: ChallengeId,
}

impl Arrivals {
    /// Begins to look: what there is already is known.
    pub async fn begin(db: &Db, feed: &Feed, now_ms: i64) -> Result<Self, StoreError> {
        let known = HashMap::new();
        let mut begun = Self { looked_at_ms: now_ms, looks: 0, whole_at_ms: now_ms, known };
        begun.look(db, feed, now_ms).await?;
        Ok(begun)
    }

    /// Looks. Of more than a look reads, the newest come first and the others by a later look, if
    /// it is in time.
    ///
    /// # Errors
    /// The database does not answer. The next look finds what this one did not.
    pub async fn look(
        &mut self,
        db: &Db,
        feed: &Feed,
        now_ms: i64,
    ) -> Result<Vec<Arrived>, StoreError> {
        let reads_all = self.looks.is_multiple_of(WHOLE_EVERY);
        let from_ms = Some(match reads_all {
            true => self.whole_at_ms - SETTLED_AFTER_MS,
            false => self.looked_at_ms - USUAL_MS,
        });
        let rows = store::wrong(db, &Asked { from_ms, ..Asked::default() }, ROWS_MAX).await?;
        // Read after them, so that it has their teams.
        let contest = feed.latest();
        let mut flags = Vec::new();
        for row in rows {
            let team = TeamId(row.account_id);
            if contest.team(team).is_none() || self.known.insert(row.id, row.at_ms).is_some() {
                continue;
            }
            let challenge = ChallengeId::parse(&row.challenge_id).ok();
            let arrived = |challenge| Arrived { at_ms: row.at_ms, team, challenge };
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

impl Arrived {
    /// Returns true if somebody sees it in the list of flags.
    pub fn is_seen(&self, contest: &Contest, sight: &Sight) -> bool {
        let is_hidden = !sight.truth && contest.hides_solves_of(self.at_ms);
        let shows = || {
            let team = contest.team(self.team);
            team.is_some_and(|team| sight.shows(contest, team, &self.challenge))
        };
        sight.wrong && !is_hidden && shows()
    }
}
