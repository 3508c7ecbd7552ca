//! The results of a rehearsal: latencies, failures, acknowledged solves.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use flagship_load::Times;
use serde::{Deserialize, Serialize};

/// A kind of latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Timed {
    /// Loading the page and `GET /ctf`.
    Page,
    /// Opening the live channel and receiving the scoreboard.
    Board,
    /// Loading a team's challenge list.
    Challenges,
    /// Acknowledging a correct flag.
    Right,
    /// Refusing a wrong flag.
    Wrong,
    /// From the acknowledgement of a solve to its frame on a socket.
    Live,
    /// Reconnecting to the live channel after a lost connection.
    Return,
}

impl Timed {
    /// All kinds, in the order of the report.
    pub const ALL: [Self; 7] = [
        Self::Page,
        Self::Board,
        Self::Challenges,
        Self::Right,
        Self::Wrong,
        Self::Live,
        Self::Return,
    ];

    /// The kind for a correct or a wrong flag.
    pub fn of_flag(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }

    /// The label in the report.
    pub fn label(self) -> &'static str {
        match self {
            Self::Page => "page and event",
            Self::Board => "live channel to board",
            Self::Challenges => "challenge list",
            Self::Right => "right flag",
            Self::Wrong => "wrong flag",
            Self::Live => "solve to other screens",
            Self::Return => "back after a lost network",
        }
    }
}

/// The results of a crowd or of a part of it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    times: BTreeMap<Timed, Times>,
    /// Number of failures by description.
    pub failures: BTreeMap<String, u64>,
    /// Submissions refused with 429 by a budget of wrong flags.
    pub rate_limited: u64,
    /// Requests that a busy server refused with 503.
    pub busy: u64,
    /// Acknowledged solves: team and challenge.
    pub acknowledged: Vec<(String, String)>,
    /// Number of acknowledged solves missing on the scoreboard; `None` if a frozen one hides it.
    pub lost: Option<u64>,
}

impl Figures {
    /// Records a latency.
    pub fn record(&mut self, what: Timed, time: Duration) {
        self.times.entry(what).or_default().record(time);
    }

    /// Records a failure.
    pub fn record_failure(&mut self, what: String) {
        *self.failures.entry(what).or_default() += 1;
    }

    /// Adds the results of another part.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        for (what, times) in &other.times {
            self.times.entry(*what).or_default().add(times)?;
        }
        for (what, count) in &other.failures {
            *self.failures.entry(what.clone()).or_default() += count;
        }
        self.rate_limited += other.rate_limited;
        self.busy += other.busy;
        self.acknowledged.extend(other.acknowledged.iter().cloned());
        Ok(())
    }

    /// Number of recorded latencies of a kind.
    pub fn count(&self, what: Timed) -> u64 {
        self.times.get(&what).map_or(0, Times::count)
    }

    /// A quantile of the latencies of a kind, in milliseconds.
    pub fn quantile_ms(&self, what: Timed, share: f64) -> f64 {
        self.times.get(&what).map_or(0.0, |times| times.quantile_ms(share))
    }

    /// Total number of failures.
    pub fn failure_count(&self) -> u64 {
        self.failures.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialized_figures_add_up() {
        let mut part = Figures::default();
        for ms in 1..=100 {
            part.record(Timed::Right, Duration::from_millis(ms));
        }
        part.record_failure("503".to_owned());
        part.acknowledged.push(("Team".to_owned(), "one".to_owned()));
        let text = serde_json::to_string(&part).expect("JSON");
        let mut whole = Figures::default();
        for _ in 0..2 {
            whole.add(&serde_json::from_str(&text).expect("figures")).expect("they add up");
        }
        assert_eq!((whole.count(Timed::Right), whole.failure_count()), (200, 2));
        assert_eq!(whole.acknowledged.len(), 2);
        for (share, ms) in [(0.5, 50.0), (0.99, 99.0), (1.0, 100.0)] {
            let found = whole.quantile_ms(Timed::Right, share);
            assert!((found / ms - 1.0).abs() < 0.01, "{share}: {found}");
        }
    }
}
