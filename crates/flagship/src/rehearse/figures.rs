//! What was measured: how long things took, what failed, what was acknowledged.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use flagship_load::Times;
use serde::{Deserialize, Serialize};

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

impl Figures {
    /// Takes a time.
    pub fn took(&mut self, what: Timed, time: Duration) {
        self.times.entry(what).or_default().took(time);
    }

    /// Takes a failure.
    pub fn failed(&mut self, what: String) {
        *self.failures.entry(what).or_default() += 1;
    }

    /// Takes another part's figures.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        for (what, times) in &other.times {
            self.times.entry(*what).or_default().add(times)?;
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
        self.times.get(&what).map_or(0, Times::count)
    }

    /// The time that this share of a kind did not exceed, in milliseconds.
    pub fn quantile_ms(&self, what: Timed, share: f64) -> f64 {
        self.times.get(&what).map_or(0.0, |times| times.quantile_ms(share))
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
