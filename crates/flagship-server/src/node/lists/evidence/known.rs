//! Evidence input beside solves: shared incorrect submissions, submitted flags of other teams,
//! downloads and networks. Read in chronological order. A text that only one team submitted is
//! forgotten once another submission would be too late to match it.

use std::collections::{BTreeMap, HashMap, HashSet};

use flagship_store::lists::evidence::{FirstAndLastSeen, IncorrectSubmission};
use flagship_store::wrong_flags::NearMiss;

/// Maximum time between two matching submissions, in milliseconds.
pub const CLOSE_MS: i64 = 10 * 60_000;
/// Maximum number of teams for a text to be rare.
pub const FEW_TEAMS: usize = 3;
/// Delay after which a submission is guaranteed to be recorded, in milliseconds.
const LATE_MS: i64 = 30_000;

/// A challenge ID and the digest of a text submitted for it.
pub type Text = (String, String);

/// Submissions of another team's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Time of the first one, in epoch milliseconds.
    pub first_ms: i64,
    /// Number of submissions.
    pub count: usize,
}

/// Two teams that submitted the same text shortly after each other, each with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchingPair {
    /// First team and its time.
    pub first: (i64, i64),
    /// Second team and its time.
    pub second: (i64, i64),
}

/// Submissions of one text.
#[derive(Default)]
pub struct Sends {
    /// Teams that submitted it, each with its last time. Incomplete if the text is common.
    by: Vec<(i64, i64)>,
    /// Pairs that submitted it shortly after each other.
    pub met: Vec<MatchingPair>,
    /// True if the text is a decoy flag.
    pub is_decoy: bool,
    /// Total number of teams that submitted it; `None` until counted.
    pub teams: Option<usize>,
}

impl Sends {
    /// True if few enough teams submitted the text to be significant.
    pub fn is_rare(&self) -> bool {
        self.by.len() <= FEW_TEAMS && self.teams.is_none_or(|teams| teams <= FEW_TEAMS)
    }

    fn add(&mut self, account_id: i64, at_ms: i64) {
        if self.by.len() > FEW_TEAMS {
            return;
        }
        for (other, last_ms) in self.by.iter().filter(|(other, _)| *other != account_id) {
            let is_known = self.met.iter().any(|met| {
                let pair = [met.first.0, met.second.0];
                pair.contains(other) && pair.contains(&account_id)
            });
            if !is_known && (at_ms - last_ms).abs() <= CLOSE_MS {
                // Another node may have recorded an earlier submission later.
                let mut both = [(*other, *last_ms), (account_id, at_ms)];
                both.sort_by_key(|(_, at_ms)| *at_ms);
                let [first, second] = both;
                self.met.push(MatchingPair { first, second });
            }
        }
        match self.by.iter_mut().find(|(known, _)| *known == account_id) {
            Some((_, last_ms)) => *last_ms = at_ms.max(*last_ms),
            None => self.by.push((account_id, at_ms)),
        }
    }
}

/// Accumulated evidence input.
#[derive(Default)]
pub struct Known {
    /// End of the period whose incorrect submissions were read, in epoch milliseconds.
    read_to_ms: i64,
    /// Recent submissions by ID with their times. Rows with earlier times may still appear.
    last: HashMap<i64, i64>,
    /// Submissions by text.
    pub texts: HashMap<Text, Sends>,
    /// Texts that the current flags accept.
    pub right: HashSet<Text>,
    /// Submissions of other teams' flags, by sender, owner and challenge.
    pub team_flags: BTreeMap<(i64, i64, String), Times>,
    /// First download of each team, by challenge.
    pub downloads: FirstTimes,
    /// First use by each team, by network.
    pub networks: FirstTimes,
}

/// First time of each team, in epoch milliseconds, by key.
#[derive(Default)]
pub struct FirstTimes(pub HashMap<String, BTreeMap<i64, i64>>);

impl FirstTimes {
    /// Adds sightings.
    pub fn add(&mut self, all: Vec<FirstAndLastSeen>) {
        for FirstAndLastSeen { team_id, what, first_ms, .. } in all {
            let first = self.0.entry(what).or_default().entry(team_id).or_insert(first_ms);
            *first = first_ms.min(*first);
        }
    }
}

impl Known {
    /// Time after which incorrect submissions must be read next.
    pub fn read_after_ms(&self) -> i64 {
        (self.read_to_ms - LATE_MS).max(0)
    }

    /// Adds an incorrect submission, unless it is known. `is_guess` returns true for texts that
    /// anyone might try.
    pub fn wrong(&mut self, sent: IncorrectSubmission, is_guess: impl FnOnce(&Text) -> bool) {
        let IncorrectSubmission { id, at_ms, account_id, challenge_id, digest, near, of_team } =
            sent;
        self.read_to_ms = self.read_to_ms.max(at_ms);
        if self.last.insert(id, at_ms).is_some() {
            return;
        }
        if let Some(of_team) = of_team {
            let key = (account_id, of_team, challenge_id);
            let once = Times { first_ms: at_ms, count: 0 };
            let times = self.team_flags.entry(key).or_insert(once);
            times.first_ms = times.first_ms.min(at_ms);
            times.count += 1;
            return;
        }
        let is_decoy = near.as_deref() == Some(NearMiss::Decoy.as_str());
        // Other near misses come from teams that have the answer.
        let text = (challenge_id, digest);
        if (near.is_some() && !is_decoy) || is_guess(&text) {
            return;
        }
        let sends = self.texts.entry(text).or_default();
        sends.is_decoy = is_decoy;
        sends.add(account_id, at_ms);
    }

    /// Forgets submissions that are too old to match new ones.
    pub fn forget(&mut self) {
        let (late_ms, close_ms) = (self.read_after_ms(), self.read_after_ms() - CLOSE_MS);
        self.last.retain(|_, at_ms| *at_ms >= late_ms);
        let is_met = |sends: &Sends| !sends.met.is_empty() || sends.by.len() > FEW_TEAMS;
        let is_late = |sends: &Sends| sends.by.iter().any(|(_, at_ms)| *at_ms >= close_ms);
        self.texts.retain(|_, sends| is_met(sends) || is_late(sends));
    }

    /// Rare texts that the current flags reject.
    pub fn rare(&self) -> impl Iterator<Item = (&Text, &Sends)> {
        let is_wrong = |text: &Text| !self.right.contains(text);
        self.texts.iter().filter(move |(text, sends)| sends.is_rare() && is_wrong(text))
    }

    /// Shared texts whose total number of teams is not counted yet.
    pub fn uncounted(&self) -> Vec<Text> {
        let is_new = |sends: &Sends| !sends.met.is_empty() && sends.teams.is_none();
        let texts = self.texts.iter().filter(|(_, sends)| is_new(sends) && sends.is_rare());
        texts.map(|(text, _)| text.clone()).collect()
    }

    /// Senders of each team's flags, for flags that more than one team sent.
    pub fn senders(&self) -> HashMap<(i64, &str), HashSet<i64>> {
        let mut senders = HashMap::<_, HashSet<i64>>::new();
        for (by, of, challenge) in self.team_flags.keys() {
            senders.entry((*of, challenge.as_str())).or_default().insert(*by);
        }
        senders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: i64 = 60_000;

    fn sent(id: i64, minute: i64, account_id: i64, digest: &str) -> IncorrectSubmission {
        IncorrectSubmission {
            id,
            at_ms: minute * MINUTE_MS,
            account_id,
            challenge_id: "one".to_owned(),
            digest: digest.to_owned(),
            near: None,
            of_team: None,
        }
    }

    fn near(sent: IncorrectSubmission, near: &str, of_team: Option<i64>) -> IncorrectSubmission {
        IncorrectSubmission { near: Some(near.to_owned()), of_team, ..sent }
    }

    /// Adds submissions. The submissions of the last seconds are added twice.
    fn known(flags: &[IncorrectSubmission]) -> Known {
        let mut known = Known::default();
        for flag in flags {
            known.wrong(flag.clone(), |(_, digest)| digest == "guess");
            let after_ms = known.read_after_ms();
            for again in flags.iter().filter(|it| (after_ms..=flag.at_ms).contains(&it.at_ms)) {
                if again.id <= flag.id {
                    known.wrong(again.clone(), |(_, digest)| digest == "guess");
                }
            }
            known.forget();
        }
        known
    }

    fn met(known: &Known, digest: &str) -> Vec<(i64, i64)> {
        let text = ("one".to_owned(), digest.to_owned());
        let sends = known.texts.get(&text).filter(|sends| sends.is_rare());
        let met = sends.into_iter().flat_map(|sends| &sends.met);
        met.map(|met| (met.first.0, met.second.0)).collect()
    }

    #[test]
    fn few_teams_that_send_a_text_within_minutes_have_it_in_common() {
        let known = known(&[
            sent(1, 0, 1, "a"),
            sent(2, 0, 7, "late"),
            sent(3, 1, 1, "a"),
            sent(4, 9, 2, "a"),
            sent(5, 9, 2, "a"),
            sent(6, 11, 8, "late"),
            sent(7, 15, 3, "a"),
        ]);
        // Team 1 sent it 14 minutes before team 3.
        assert_eq!(met(&known, "a"), [(1, 2), (2, 3)]);
        assert_eq!(met(&known, "late"), []);
        assert_eq!(known.uncounted(), [("one".to_owned(), "a".to_owned())]);
    }

    #[test]
    fn what_many_send_or_anybody_tries_or_comes_near_is_left_out() {
        let mut flags: Vec<IncorrectSubmission> =
            (1..=4).map(|team| sent(team, 0, team, "a")).collect();
        flags.extend([sent(5, 1, 1, "guess"), sent(6, 1, 2, "guess")]);
        flags.extend([7, 8].map(|id| near(sent(id, 2, id, "b"), "case", None)));
        flags.extend([9, 10].map(|id| near(sent(id, 3, id, "c"), "decoy", None)));
        let mut known = known(&flags);
        for digest in ["a", "guess", "b"] {
            assert_eq!(met(&known, digest), [], "{digest}");
        }
        assert_eq!(met(&known, "c"), [(9, 10)], "a decoy is in common");
        // Other teams had submitted it long before.
        let text = ("one".to_owned(), "c".to_owned());
        known.texts.get_mut(&text).expect("it is known").teams = Some(FEW_TEAMS + 1);
        assert_eq!(met(&known, "c"), []);
    }

    #[test]
    fn the_flags_of_other_teams_are_counted_once() {
        let flags = [
            near(sent(1, 0, 1, "a"), "team", Some(5)),
            near(sent(2, 0, 1, "a"), "team", Some(5)),
            near(sent(3, 0, 2, "a"), "team", Some(5)),
        ];
        let known = known(&flags);
        let counts: Vec<_> = known.team_flags.values().map(|times| times.count).collect();
        assert_eq!(counts, [2, 1]);
        assert_eq!(known.senders().values().map(HashSet::len).collect::<Vec<_>>(), [2]);
        assert_eq!(known.texts.len(), 0);
    }
}
