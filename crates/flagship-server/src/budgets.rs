//! Budgets of wrong flags: per team and challenge, and per team.
//!
//! A team's budget is checked, the flag judged and a wrong one counted under one lock of that
//! team, so that parallel requests cannot pass. A limiter from the shelf has no way to give back
//! what a right flag must not spend.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::wrong_flags::WrongFlag;
use parking_lot::Mutex;

/// The window of the budget per challenge, in milliseconds.
const CHALLENGE_WINDOW_MS: i64 = 10_000;
/// The window of the budget per team, in milliseconds.
pub const TEAM_WINDOW_MS: i64 = 60_000;

/// All teams' budgets.
pub struct Budgets {
    per_challenge: usize,
    per_team: usize,
    teams: Mutex<HashMap<TeamId, Arc<Mutex<Spent>>>>,
}

/// The times of a team's wrong flags, oldest first.
#[derive(Default)]
struct Spent {
    all: VecDeque<i64>,
    by_challenge: HashMap<ChallengeId, VecDeque<i64>>,
}

/// What became of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Right; nothing is spent.
    Right,
    /// Wrong, and counted.
    Wrong,
    /// Not judged: the flags are not there yet; nothing is spent.
    Unknown,
    /// Not judged: the budget is free again in this many whole seconds.
    TooFast(u64),
}

impl Budgets {
    /// Wrong flags of a team for one challenge in ten seconds, and in all in a minute; 0 is no
    /// limit.
    pub fn new(per_challenge: u32, per_team: u32) -> Self {
        let (per_challenge, per_team) = (per_challenge as usize, per_team as usize);
        Self { per_challenge, per_team, teams: Mutex::default() }
    }

    /// Judges a flag if the team's budget allows it; `is_right` says `None` where it cannot tell.
    pub fn judge(
        &self,
        team: TeamId,
        challenge: &ChallengeId,
        now_ms: i64,
        is_right: impl FnOnce() -> Option<bool>,
    ) -> Judged {
        let spent = self.teams.lock().entry(team).or_default().clone();
        let mut spent = spent.lock();
        spent.forget(now_ms);
        let own = spent.by_challenge.get(challenge);
        let free_at = [
            free_at(own, self.per_challenge, CHALLENGE_WINDOW_MS),
            free_at(Some(&spent.all), self.per_team, TEAM_WINDOW_MS),
        ];
        if let Some(free_at) = free_at.into_iter().flatten().max() {
            return Judged::TooFast((free_at - now_ms).max(1).unsigned_abs().div_ceil(1000));
        }
        match is_right() {
            Some(true) => return Judged::Right,
            Some(false) => {}
            None => return Judged::Unknown,
        }
        spent.all.push_back(now_ms);
        spent.by_challenge.entry(challenge.clone()).or_default().push_back(now_ms);
        Judged::Wrong
    }

    /// Takes note of wrong flags that were counted elsewhere, in place of all that it knows.
    pub fn fill(&self, wrong: &[WrongFlag]) {
        let mut teams = self.teams.lock();
        teams.clear();
        for WrongFlag { account_id, challenge_id, at_ms, .. } in wrong {
            let mut spent = teams.entry(TeamId(*account_id)).or_default().lock();
            spent.all.push_back(*at_ms);
            let challenge = ChallengeId::parse(challenge_id);
            let challenge = challenge.unwrap_or_else(|_| ChallengeId::from_name(""));
            spent.by_challenge.entry(challenge).or_default().push_back(*at_ms);
        }
    }

    /// Whether there is any limit.
    pub fn limits(&self) -> bool {
        self.per_challenge > 0 || self.per_team > 0
    }

    /// The same limits, with nothing spent.
    pub fn fresh(&self) -> Self {
        Self { per_challenge: self.per_challenge, per_team: self.per_team, teams: Mutex::default() }
    }

    /// Takes back that a flag sent at `at_ms` was wrong.
    pub fn give_back(&self, team: TeamId, challenge: &ChallengeId, at_ms: i64) {
        let spent = self.teams.lock().entry(team).or_default().clone();
        let mut spent = spent.lock();
        let give_back = |times: &mut VecDeque<i64>| {
            if let Some(place) = times.iter().rposition(|time| *time == at_ms) {
                times.remove(place);
            }
        };
        give_back(&mut spent.all);
        spent.by_challenge.get_mut(challenge).map(give_back);
    }
}

/// When a spent budget has room again.
fn free_at(times: Option<&VecDeque<i64>>, count: usize, window_ms: i64) -> Option<i64> {
    let times = times.filter(|times| count > 0 && times.len() >= count)?;
    Some(times[times.len() - count] + window_ms)
}

impl Spent {
    fn forget(&mut self, now_ms: i64) {
        let forget = |times: &mut VecDeque<i64>, window_ms| {
            while times.front().is_some_and(|time| time + window_ms <= now_ms) {
                times.pop_front();
            }
        };
        forget(&mut self.all, TEAM_WINDOW_MS);
        self.by_challenge.retain(|_, times| {
            forget(times, CHALLENGE_WINDOW_MS);
            !times.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn wrong_flags_are_counted_and_right_ones_spend_nothing() {
        let words = "a fourth flag after three wrong ones";
        let lax = control("wrong_flags_are_counted_and_right_ones_spend_nothing", words);
        let budgets = Budgets::new(if lax { 4 } else { 3 }, 10);
        let (team, id) = (TeamId(1), ChallengeId::from_name("a"));
        let send = |now_ms, right| budgets.judge(team, &id, now_ms, || Some(right));
        for now_ms in [0, 1, 2] {
            assert_eq!(send(now_ms, true), Judged::Right);
            assert_eq!(send(now_ms, false), Judged::Wrong);
        }
        assert_eq!(send(3, true), Judged::TooFast(10), "a fourth flag after three wrong ones");
        assert_eq!(send(9_999, false), Judged::TooFast(1));
        assert_eq!(send(10_000, false), Judged::Wrong);
        assert_eq!(send(10_000, false), Judged::TooFast(1));
    }

    #[test]
    fn a_team_has_one_budget_over_all_challenges() {
        let budgets = Budgets::new(3, 10);
        let send = |team, i: i32, now_ms| {
            let id = ChallengeId::from_name(&format!("c{i}"));
            budgets.judge(TeamId(team), &id, now_ms, || Some(false))
        };
        for i in 0..10 {
            assert_eq!(send(1, i, 0), Judged::Wrong);
        }
        assert_eq!(send(1, 11, 1_000), Judged::TooFast(59));
        assert_eq!(send(2, 11, 1_000), Judged::Wrong);
        assert_eq!(send(1, 11, 60_000), Judged::Wrong);
    }

    #[test]
    fn what_is_not_judged_or_given_back_is_not_spent() {
        let budgets = Budgets::new(1, 10);
        let (team, id) = (TeamId(1), ChallengeId::from_name("a"));
        for now_ms in 0..20 {
            assert_eq!(budgets.judge(team, &id, now_ms, || None), Judged::Unknown);
            assert_eq!(budgets.judge(team, &id, now_ms, || Some(false)), Judged::Wrong);
            budgets.give_back(team, &id, now_ms);
        }
        assert_eq!(budgets.judge(team, &id, 20, || Some(false)), Judged::Wrong);
        assert_eq!(budgets.judge(team, &id, 20, || Some(true)), Judged::TooFast(10));
    }

    #[test]
    fn parallel_guesses_do_not_pass() {
        let budgets = Budgets::new(3, 10);
        let id = ChallengeId::from_name("a");
        let wrong = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    if budgets.judge(TeamId(1), &id, 0, || Some(false)) == Judged::Wrong {
                        wrong.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(wrong.into_inner(), 3);
    }
}
