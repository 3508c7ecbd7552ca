//! Budgets of wrong flags: per team and challenge, and per team.
//!
//! Checking a team's budget, judging the flag and counting a wrong one happen under one lock of
//! that team, so that parallel requests cannot exceed the budget. Limiters in libraries cannot give
//! back what a right flag must not spend.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::wrong_flags::WrongFlag;
use parking_lot::Mutex;

use crate::node::limits::window::{Limit, Window, seconds_until};
use crate::node::settings::LiveSettings;

/// The window of the budget per challenge, in milliseconds.
const CHALLENGE_WINDOW_MS: i64 = 10_000;
/// The window of the budget per team, in milliseconds.
pub const TEAM_WINDOW_MS: i64 = 60_000;

pub struct Budgets {
    settings: LiveSettings,
    teams: Mutex<HashMap<TeamId, Arc<Mutex<Counted>>>>,
}

/// The wrong flags of a team.
#[derive(Default)]
struct Counted {
    all: Window,
    by_challenge: HashMap<ChallengeId, Window>,
}

/// The result of judging a flag. `T` is what accepts a right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged<T> {
    /// The flag is right; the budget is unchanged.
    Right(T),
    /// The flag is wrong, and counted.
    Wrong,
    /// Not judged: the challenge's flags are not loaded yet. The budget is unchanged.
    Unknown,
    /// Not judged: the budget allows the next flag in this many seconds.
    TooFast(u64),
}

impl Budgets {
    /// Budgets as the settings limit them, with nothing counted.
    pub fn new(settings: LiveSettings) -> Self {
        Self { settings, teams: Mutex::default() }
    }

    /// The most wrong flags of a team for one challenge in ten seconds, and for all in a minute; 0
    /// is no limit.
    fn limits(&self) -> (Limit, Limit) {
        let limits = &self.settings.load().limits;
        let per_challenge = limits.submissions_per_challenge_per_10_s;
        let per_team = limits.submissions_per_team_per_minute;
        (Limit::new(per_challenge, CHALLENGE_WINDOW_MS), Limit::new(per_team, TEAM_WINDOW_MS))
    }

    /// Judges a flag if the team's budget allows it. `accept` gives `None` if it cannot tell, and
    /// what accepts the flag, if anything does.
    pub fn judge<T>(
        &self,
        team: TeamId,
        challenge: &ChallengeId,
        now_ms: i64,
        accept: impl FnOnce() -> Option<Option<T>>,
    ) -> Judged<T> {
        let (per_challenge, per_team) = self.limits();
        let counted = self.team(team);
        let mut counted = counted.lock();
        counted.forget(now_ms);
        let own = counted.by_challenge.get(challenge);
        let own = own.and_then(|window| window.free_at_ms(per_challenge));
        if let Some(free_at_ms) = own.max(counted.all.free_at_ms(per_team)) {
            return Judged::TooFast(seconds_until(free_at_ms, now_ms));
        }
        match accept() {
            Some(Some(accepted)) => return Judged::Right(accepted),
            Some(None) => {}
            None => return Judged::Unknown,
        }
        counted.all.add(now_ms);
        counted.by_challenge.entry(challenge.clone()).or_default().add(now_ms);
        Judged::Wrong
    }

    /// Replaces all counts by these wrong flags, which were counted elsewhere.
    pub fn fill(&self, wrong: &[WrongFlag]) {
        let mut teams = self.teams.lock();
        teams.clear();
        for WrongFlag { account_id, challenge_id, at_ms, .. } in wrong {
            let mut counted = teams.entry(TeamId(*account_id)).or_default().lock();
            counted.all.add(*at_ms);
            let challenge = ChallengeId::parse(challenge_id);
            let challenge = challenge.unwrap_or_else(|_| ChallengeId::from_name(""));
            counted.by_challenge.entry(challenge).or_default().add(*at_ms);
        }
    }

    pub fn are_limited(&self) -> bool {
        let (per_challenge, per_team) = self.limits();
        per_challenge.count_max > 0 || per_team.count_max > 0
    }

    /// Budgets with the same limits and nothing counted.
    pub fn fresh(&self) -> Self {
        Self::new(self.settings.clone())
    }

    /// Removes a wrong flag that was counted at `at_ms`.
    pub fn give_back(&self, team: TeamId, challenge: &ChallengeId, at_ms: i64) {
        let counted = self.team(team);
        let mut counted = counted.lock();
        counted.all.remove(at_ms);
        if let Some(window) = counted.by_challenge.get_mut(challenge) {
            window.remove(at_ms);
        }
    }

    fn team(&self, team: TeamId) -> Arc<Mutex<Counted>> {
        self.teams.lock().entry(team).or_default().clone()
    }
}

impl Counted {
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
    fn wrong_flags_are_counted_and_right_ones_spend_nothing() {
        let budgets = budgets(3, 10);
        let team = TeamId(1);
        let id = ChallengeId::from_name("a");
        let send =
            |now_ms, right: bool| budgets.judge(team, &id, now_ms, || Some(right.then_some(())));
        for now_ms in [0, 1, 2] {
            assert_eq!(send(now_ms, true), Judged::Right(()));
            assert_eq!(send(now_ms, false), Judged::Wrong);
        }
        assert_eq!(send(3, true), Judged::TooFast(10), "a fourth flag after three wrong ones");
        assert_eq!(send(9_999, false), Judged::TooFast(1));
        assert_eq!(send(10_000, false), Judged::Wrong);
        assert_eq!(send(10_000, false), Judged::TooFast(1));
    }

    #[test]
    fn a_team_has_one_budget_over_all_challenges() {
        let budgets = budgets(3, 10);
        let send = |team, i: i32, now_ms| {
            let id = ChallengeId::from_name(&format!("c{i}"));
            budgets.judge(TeamId(team), &id, now_ms, || Some(None::<()>))
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
        let budgets = budgets(1, 10);
        let team = TeamId(1);
        let id = ChallengeId::from_name("a");
        for now_ms in 0..20 {
            assert_eq!(budgets.judge(team, &id, now_ms, || None::<Option<()>>), Judged::Unknown);
            assert_eq!(budgets.judge(team, &id, now_ms, || Some(None::<()>)), Judged::Wrong);
            budgets.give_back(team, &id, now_ms);
        }
        assert_eq!(budgets.judge(team, &id, 20, || Some(None::<()>)), Judged::Wrong);
        assert_eq!(budgets.judge(team, &id, 20, || Some(Some(()))), Judged::TooFast(10));
    }

    #[test]
    fn parallel_guesses_do_not_pass() {
        let budgets = budgets(3, 10);
        let id = ChallengeId::from_name("a");
        let wrong = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    if budgets.judge(TeamId(1), &id, 0, || Some(None::<()>)) == Judged::Wrong {
                        wrong.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(wrong.into_inner(), 3);
    }
}
