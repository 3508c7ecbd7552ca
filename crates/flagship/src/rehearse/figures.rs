//! What was measured: how long things took, what failed, what was acknowledged.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// The longest time that is told apart, in microseconds.
const LONGEST_US: u64 = 120_000_000;
/// Significant digits of a time.
const DIGITS: u8 = 3;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Timed {
    /// Opening the page and the event's description.
    Page,
    /// Opening the live channel, up to the board.
    Board,
    /// A team's challenges.
    Challenges,
    /// A right flag, acknowledged.
    Right,
    /// A wrong flag, refused.
    Wrong,
    /// From an acknowledged solve to its frame on a socket.
    Live,
    /// Coming back to the live channel after the network was lost.
    Return,
}

impl Timed {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 7] = [
        Self::Page,
        Self::Board,
        Self::Challenges,
        Self::Right,
        Self::Wrong,
        Self::Live,
        Self::Return,
    ];

    /// A right or a wrong flag.
    pub fn of_flag(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }

    /// In words.
    pub fn words(self) -> &'static str {
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

/// Times, failures and acknowledged solves of a crowd or a part of it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    times: BTreeMap<Timed, Times>,
    /// How often what failed, in words.
    pub failures: BTreeMap<String, u64>,
    /// Submissions that a budget of wrong flags held back.
    pub held_back: u64,
    /// Requests that a busy server asked to repeat.
    pub shed: u64,
    /// Solves that were acknowledged: team and challenge.
    pub acknowledged: Vec<(String, String)>,
    /// Acknowledged solves that the board does not have, where it tells.
    pub lost: Option<u64>,
}

/// Times of one kind, in microseconds; on the wire as pairs of a value and its count.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "Vec<(u64, u64)>", try_from = "Vec<(u64, u64)>")]
struct Times(Histogram<u64>);

impl Default for Times {
    fn default() -> Self {
        let times = Histogram::new_with_bounds(1, LONGEST_US, DIGITS);
        Self(times.expect("the bounds are valid"))
    }
}

impl From<Times> for Vec<(u64, u64)> {
    fn from(times: Times) -> Self {
        let recorded = times.0.iter_recorded();
        recorded.map(|it| (it.value_iterated_to(), it.count_since_last_iteration())).collect()
    }
}

impl TryFrom<Vec<(u64, u64)>> for Times {
    type Error = hdrhistogram::RecordError;

    fn try_from(pairs: Vec<(u64, u64)>) -> Result<Self, Self::Error> {
        let mut times = Self::default();
        for (value, count) in pairs {
            times.0.record_n(value.min(LONGEST_US), count)?;
        }
        Ok(times)
    }
}

impl Figures {
    /// Takes a time.
    pub fn took(&mut self, what: Timed, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.times.entry(what).or_default().0.saturating_record(micros);
    }

    /// Takes a failure.
    pub fn failed(&mut self, what: String) {
        *self.failures.entry(what).or_default() += 1;
    }

    /// Takes another part's figures.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        for (what, times) in &other.times {
            self.times.entry(*what).or_default().0.add(&times.0)?;
        }
        for (what, count) in &other.failures {
            *self.failures.entry(what.clone()).or_default() += count;
        }
        self.held_back += other.held_back;
        self.shed += other.shed;
        self.acknowledged.extend(other.acknowledged.iter().cloned());
        Ok(())
    }

    /// How many of a kind.
    pub fn count(&self, what: Timed) -> u64 {
        self.times.get(&what).map_or(0, |times| times.0.len())
    }

    /// The time that this share of a kind did not exceed, in milliseconds.
    pub fn quantile_ms(&self, what: Timed, share: f64) -> f64 {
        self.times.get(&what).map_or(0.0, |times| times.0.value_at_quantile(share) as f64 / 1000.0)
    }

    /// Everything that failed.
    pub fn failure_count(&self) -> u64 {
        self.failures.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_over_the_wire() {
        let mut part = Figures::default();
        for ms in 1..=100 {
            part.took(Timed::Right, Duration::from_millis(ms));
        }
        part.failed("503".to_owned());
        part.acknowledged.push(("Team".to_owned(), "one".to_owned()));
        let text = serde_json::to_string(&part).expect("JSON");
        let mut whole = Figures::default();
        for _ in 0..2 {
            whole.add(&serde_json::from_str(&text).expect("figures")).expect("they add up");
        }
        assert_eq!((whole.count(Timed::Right), whole.failure_count()), (200, 2));
        assert_eq!(whole.acknowledged.len(), 2);
        for (share, ms) in [(0.5, 50.0), (0.99, 99.0), (1.0, 100.0)] {
            let told = whole.quantile_ms(Timed::Right, share);
            assert!((told / ms - 1.0).abs() < 0.01, "{share}: {told}");
        }
    }
}
