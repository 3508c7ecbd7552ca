//! Limit of rejected calls for hints.

use flagship_game::TeamId;
use parking_lot::Mutex;

use crate::node::error::NodeError;
use crate::node::limits::swept::SweptMap;
use crate::node::limits::window::{Limit, Window, seconds_until};

/// Maximum rejected calls per team and minute.
const REJECTED_MAX: Limit = Limit { count_max: 30, window_ms: 60_000 };

/// Times of rejected calls on this node, by team. Accepted calls do not count and are never
/// limited; neither do calls for a challenge that the team could not solve now.
#[derive(Default)]
pub struct RejectedHints(Mutex<SweptMap<TeamId, Window>>);

impl RejectedHints {
    /// Counts a rejected call. Fails if the team has reached the limit.
    pub fn count(&self, team: TeamId, now_ms: i64) -> Result<(), NodeError> {
        let mut windows = self.0.lock();
        windows.sweep_or_clear(|window| {
            window.forget(REJECTED_MAX.window_ms, now_ms);
            !window.is_empty()
        });
        let window = windows.entries().entry(team).or_default();
        window.forget(REJECTED_MAX.window_ms, now_ms);
        if let Some(free_at_ms) = window.free_at_ms(REJECTED_MAX) {
            return Err(NodeError::Throttled { retry_after_s: seconds_until(free_at_ms, now_ms) });
        }
        window.add(now_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_calls_of_one_team_are_limited() {
        let rejected = RejectedHints::default();
        for _ in 0..REJECTED_MAX.count_max {
            assert_eq!(rejected.count(TeamId(1), 5), Ok(()));
        }
        let limited = Err(NodeError::Throttled { retry_after_s: 60 });
        assert_eq!(rejected.count(TeamId(1), 5), limited);
        assert_eq!(rejected.count(TeamId(2), 5), Ok(()));
        assert_eq!(rejected.count(TeamId(1), 5 + REJECTED_MAX.window_ms), Ok(()));
    }
}
