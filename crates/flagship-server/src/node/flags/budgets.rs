//! Budgets for incorrect submissions, per team and challenge, and per team.
//!
//! A team's budget check, the judgment and the count of an incorrect flag happen under one lock per
//! team, so that parallel requests cannot exceed the budget. Rate-limiting libraries cannot refund
//! the cost of a correct flag.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::wrong_flags::WrongFlag;
use parking_lot::Mutex;

use crate::node::limits::window::{Limit, Window, seconds_until};
use crate::node::settings::LiveSettings;

/// Window of the budget per challenge, in milliseconds.
const CHALLENGE_WINDOW_MS: i64 = 10_000;
/// Window of the budget per team, in milliseconds.
pub const TEAM_WINDOW_MS: i64 = 60_000;

pub struct Budgets {
    settings: LiveSettings,
    teams: Mutex<HashMap<TeamId, Arc<Mutex<TeamCounts>>>>,
}

/// Incorrect submissions of one team.
#[derive(Default)]
struct TeamCounts {
    all: Window,
    by_challenge: HashMap<ChallengeId, Window>,
}

/// Result of judging a flag. `T` describes the flag that accepted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgment<T> {
    /// The flag is correct. The budget is unchanged.
    Correct(T),
    /// The flag is incorrect and was counted.
    Incorrect,
    /// Not judged: the challenge's flags are not loaded yet. The budget is unchanged.
    Unknown,
    /// Not judged: the budget allows the next flag in this many seconds.
    RateLimited(u64),
}

impl Budgets {
    /// Creates empty budgets with the limits from the settings.
    pub fn new(settings: LiveSettings) -> Self {
        Self { settings, teams: Mutex::default() }
    }

    /// Maximum incorrect submissions per team and challenge in ten seconds, and per team in a
    /// minute. 0 means unlimited.
    fn limits(&self) -> (Limit, Limit) {
        let limits = &self.settings.load().limits;
        let per_challenge = limits.submissions_per_challenge_per_10_s;
        let per_team = limits.submissions_per_team_per_minute;
        (Limit::new(per_challenge, CHALLENGE_WINDOW_MS), Limit::new(per_team, TEAM_WINDOW_MS))
    }

    /// Judges a flag if the team's budget allows it. `accept` returns `None` if the flags are not
    /// loaded, and otherwise the match, if any.
    pub fn judge<T>(
        &self,
        team: TeamId,
        challenge: &ChallengeId,
        now_ms: i64,
        accept: impl FnOnce() -> Option<Option<T>>,
    ) -> Judgment<T> {
        let (per_challenge, per_team) = self.limits();
        let counts = self.team(team);
        let mut counts = counts.lock();
        counts.forget(now_ms);
        let own = counts.by_challenge.get(challenge);
        let own = own.and_then(|window| window.free_at_ms(per_challenge));
        if let Some(free_at_ms) = own.max(counts.all.free_at_ms(per_team)) {
            return Judgment::RateLimited(seconds_until(free_at_ms, now_ms));
        }
        match accept() {
            Some(Some(accepted)) => return Judgment::Correct(accepted),
            Some(None) => {}
            None => return Judgment::Unknown,
        }
        counts.all.add(now_ms);
        counts.by_challenge.entry(challenge.clone()).or_default().add(now_ms);
        Judgment::Incorrect
    }

    /// Replaces all counts with these incorrect submissions, which were counted elsewhere.
    pub fn fill(&self, wrong: &[WrongFlag]) {
        let mut teams = self.teams.lock();
        teams.clear();
        for WrongFlag { account_id, challenge_id, at_ms, .. } in wrong {
            let mut counts = teams.entry(TeamId(*account_id)).or_default().lock();
            counts.all.add(*at_ms);
            let challenge = ChallengeId::parse(challenge_id);
            let challenge = challenge.unwrap_or_else(|_| ChallengeId::from_name(""));
            counts.by_challenge.entry(challenge).or_default().add(*at_ms);
        }
    }

    pub fn are_limited(&self) -> bool {
        let (per_challenge, per_team) = self.limits();
        per_challenge.count_max > 0 || per_team.count_max > 0
    }

    /// Creates empty budgets with the same limits.
    pub fn empty_copy(&self) -> Self {
        Self::new(self.settings.clone())
    }

    /// Removes an incorrect submission that was counted at `at_ms`.
    pub fn give_back(&self, team: TeamId, challenge: &ChallengeId, at_ms: i64) {
        let counts = self.team(team);
        let mut counts = counts.lock();
        counts.all.remove(at_ms);
        if let Some(window) = counts.by_challenge.get_mut(challenge) {
            window.remove(at_ms);
        }
    }

    fn team(&self, team: TeamId) -> Arc<Mutex<TeamCounts>> {
        self.teams.lock().entry(team).or_default().clone()
    }
}

impl TeamCounts {
    fn forget(&mut self, now_ms: i64) {
        self.all.forget(TEAM_WINDOW_MS, now_ms);
        self.by_challenge.retain(|_, window| {
            window.forget(CHALLENGE_WINDOW_MS, now_ms);
            !window.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use flagship_pack::{Limits, Live};

    use super::*;

    fn budgets(per_challenge: u32, per_team: u32) -> Budgets {
        let limits = Limits {
            submissions_per_challenge_per_10_s: per_challenge,
            submissions_per_team_per_minute: per_team,
            ..Limits::default()
        };
        Budgets::new(LiveSettings::new(Live { limits, ..Live::default() }))
    }

    #[test]
    fn only_incorrect_flags_count() {
        let budgets = budgets(3, 10);
        let team = TeamId(1);
        let id = ChallengeId::from_name("a");
        let send =
            |now_ms, right: bool| budgets.judge(team, &id, now_ms, || Some(right.then_some(())));
        for now_ms in [0, 1, 2] {
            assert_eq!(send(now_ms, true), Judgment::Correct(()));
            assert_eq!(send(now_ms, false), Judgment::Incorrect);
        }
        assert_eq!(
            send(3, true),
            Judgment::RateLimited(10),
            "a fourth flag after three wrong ones"
        );
        assert_eq!(send(9_999, false), Judgment::RateLimited(1));
        assert_eq!(send(10_000, false), Judgment::Incorrect);
        assert_eq!(send(10_000, false), Judgment::RateLimited(1));
    }

    #[test]
    fn a_team_has_one_budget_over_all_challenges() {
        let budgets = budgets(3, 10);
        let send = |team, i: i32, now_ms| {
            let id = ChallengeId::from_name(&format!("c{i}"));
            budgets.judge(TeamId(team), &id, now_ms, || Some(None::<()>))
        };
        for i in 0..10 {
            assert_eq!(send(1, i, 0), Judgment::Incorrect);
        }
        assert_eq!(send(1, 11, 1_000), Judgment::RateLimited(59));
        assert_eq!(send(2, 11, 1_000), Judgment::Incorrect);
        assert_eq!(send(1, 11, 60_000), Judgment::Incorrect);
    }

    #[test]
    fn unjudged_and_refunded_flags_do_not_count() {
        let budgets = budgets(1, 10);
        let team = TeamId(1);
        let id = ChallengeId::from_name("a");
        for now_ms in 0..20 {
            assert_eq!(budgets.judge(team, &id, now_ms, || None::<Option<()>>), Judgment::Unknown);
            assert_eq!(budgets.judge(team, &id, now_ms, || Some(None::<()>)), Judgment::Incorrect);
            budgets.give_back(team, &id, now_ms);
        }
        assert_eq!(budgets.judge(team, &id, 20, || Some(None::<()>)), Judgment::Incorrect);
        assert_eq!(budgets.judge(team, &id, 20, || Some(Some(()))), Judgment::RateLimited(10));
    }

    #[test]
    fn parallel_guesses_do_not_pass() {
        let budgets = budgets(3, 10);
        let id = ChallengeId::from_name("a");
        let wrong = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    if budgets.judge(TeamId(1), &id, 0, || Some(None::<()>)) == Judgment::Incorrect
                    {
                        wrong.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(wrong.into_inner(), 3);
    }
}
