//! The flags that were judged since the last look, for those who watch them come in.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use flagship_game::{ChallengeId, Contest, TeamId};
use flagship_store::lists::flags::{self as store, Asked, Wrong};
use flagship_store::{Db, StoreError};

use super::flags::{Place, Sent, Sight, Verdict};
use super::tries::SETTLED_AFTER_MS;
use crate::node::board::feed::Feed;

/// Wrong flags that one look reads; those that the looks before found are among them.
const ROWS_MAX: usize = 2500;
/// Nearly all wrong flags are on record so long after they were sent, in milliseconds: most looks
/// read no older ones again.
const USUAL_MS: i64 = 2_000;
/// One look of so many reads all that may still come.
const WHOLE_EVERY: u64 = 4;

/// How often a text was sent, and by how many teams.
type Same = Option<(i64, i64)>;

/// What is known of the flags that were judged. Wrong ones are on record some seconds after they
/// were sent, in any order, so looks read those seconds again.
pub struct Arrivals {
    /// The last entry of the journal whose solve is known.
    after_seq: i64,
    /// When the last look was, in epoch milliseconds.
    looked_at_ms: i64,
    /// How many looks there were, and when the last one was that read all that may still come.
    looks: u64,
    whole_at_ms: i64,
    /// The wrong ones of the last seconds by id, each with its time.
    known: HashMap<i64, i64>,
}

/// A flag that was judged since.
pub struct Arrived {
    sent: Sent,
    team: TeamId,
    challenge: ChallengeId,
    /// As `Sent::times` and `Sent::teams`, of the flags that the freeze does not hide.
    same_public: Same,
}

/// What one look found.
pub struct Look {
    /// The flags, in any order.
    pub flags: Vec<Arrived>,
    /// Whether these are all.
    pub is_whole: bool,
    /// From which time on the freeze hides flags, in epoch milliseconds.
    pub hidden_ms: Option<i64>,
}

impl Arrivals {
    /// Begins to look: what there is already is known.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn begin(db: &Db, feed: &Feed, now_ms: i64) -> Result<Self, StoreError> {
        let after_seq = feed.latest().seq();
        let (looked_at_ms, whole_at_ms, known) = (now_ms, now_ms, HashMap::new());
        let mut begun = Self { after_seq, looked_at_ms, looks: 0, whole_at_ms, known };
        begun.look(db, feed, now_ms).await?;
        Ok(begun)
    }

    /// Looks.
    ///
    /// # Errors
    /// The database does not answer. The next look finds what this one did not.
    pub async fn look(&mut self, db: &Db, feed: &Feed, now_ms: i64) -> Result<Look, StoreError> {
        let reads_all = self.looks.is_multiple_of(WHOLE_EVERY);
        let from_ms = Some(match reads_all {
            true => self.whole_at_ms - SETTLED_AFTER_MS,
            false => self.looked_at_ms - USUAL_MS,
        });
        let rows =
            store::wrong(db, &Asked { from_ms, ..Asked::default() }, ROWS_MAX as i64).await?;
        let is_whole = rows.len() < ROWS_MAX;
        // Read after them, so that it has their teams.
        let contest = feed.latest();
        let is_new = |it: &Wrong| {
            !self.known.contains_key(&it.id) && contest.team(TeamId(it.account_id)).is_some()
        };
        let new: Vec<Wrong> = rows.into_iter().filter(is_new).collect();
        let hidden_ms = contest.hidden_from_ms();
        let same = same(db, &new, i64::MAX).await?;
        let same_public = match hidden_ms {
            Some(ms) if ms <= now_ms => {
                let public: Vec<Wrong> = new.iter().filter(|it| it.at_ms < ms).cloned().collect();
                self::same(db, &public, ms).await?
            }
            _ => same.clone(),
        };
        let mut flags = right(contest.clone(), self.after_seq).await;
        flags.extend(new.iter().filter_map(|it| {
            let team = contest.team(TeamId(it.account_id))?;
            let challenge = ChallengeId::parse(&it.challenge_id).ok()?;
            let of = |same: &AllSame| same.get(&text(it)).copied();
            let sent = Sent::wrong(team, it, of(&same));
            Some(Arrived { sent, team: team.id, challenge, same_public: of(&same_public) })
        }));
        self.known.extend(new.iter().map(|it| (it.id, it.at_ms)));
        (self.looked_at_ms, self.after_seq) = (now_ms, contest.seq());
        if reads_all {
            self.whole_at_ms = now_ms;
        }
        self.known.retain(|_, at_ms| *at_ms >= self.whole_at_ms - SETTLED_AFTER_MS);
        self.looks += 1;
        Ok(Look { flags, is_whole, hidden_ms })
    }
}

/// A challenge, and the digest of a text.
type Text = (String, String);
type AllSame = HashMap<Text, (i64, i64)>;

fn text(it: &Wrong) -> Text {
    (it.challenge_id.clone(), it.digest.clone())
}

/// How often the texts of these were sent before a time.
async fn same(db: &Db, wrong: &[Wrong], until_ms: i64) -> Result<AllSame, StoreError> {
    let texts: BTreeSet<Text> = wrong.iter().map(text).collect();
    let times = store::times(db, &texts.into_iter().collect::<Vec<_>>(), until_ms).await?;
    Ok(times.into_iter().map(|it| ((it.challenge_id, it.digest), (it.times, it.teams))).collect())
}

/// The right ones whose entry comes after one. All solves are looked at, on a thread for that: it
/// takes as long whether or not there is a new one.
async fn right(contest: Arc<Contest>, after_seq: i64) -> Vec<Arrived> {
    let looking = tokio::task::spawn_blocking(move || {
        let arrived = contest.solves_after(after_seq).map(|(challenge, team, solve)| Arrived {
            sent: Sent::right(team, challenge, Place::of_right(solve)),
            team: team.id,
            challenge: challenge.clone(),
            same_public: None,
        });
        arrived.collect()
    });
    looking.await.expect("looking does not panic")
}

impl Arrived {
    /// The flag as somebody sees it, if they do.
    pub fn seen_by(&self, contest: &Contest, sight: &Sight) -> Option<Sent> {
        let hidden_ms = contest.hidden_from_ms().filter(|_| !sight.truth);
        let is_hidden = hidden_ms.is_some_and(|ms| self.sent.place.at_ms >= ms);
        let is_unseen = self.sent.verdict == Verdict::Wrong && !sight.wrong;
        let team = contest.team(self.team).filter(|_| !is_hidden && !is_unseen)?;
        let (times, teams) = match sight.truth {
            true => (self.sent.times, self.sent.teams),
            false => self.same_public.unzip(),
        };
        let sent = || Sent { times, teams, ..self.sent.clone() }.for_sight(sight);
        sight.shows(contest, team, &self.challenge).then(sent)
    }
}
