//! The script for a worker, the worker's messages, and the figures in them.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use flagship_load::Times;
use serde::{Deserialize, Serialize};

use crate::demo::Answers;

/// Maximum time in which all clients connect, in seconds. Real events are busiest at the start.
const ARRIVAL_MAX_S: f64 = 10.0;
/// Time from the last arrival to the start, in seconds.
const SETTLE_S: f64 = 3.0;

pub fn play_s(minutes: f64) -> f64 {
    minutes * 60.0
}

/// Time in which all clients connect, in seconds.
pub fn arrival_s(minutes: f64) -> f64 {
    play_s(minutes).min(ARRIVAL_MAX_S)
}

/// Time from the first arrival to the start of the event, in seconds.
pub fn start_delay_s(minutes: f64) -> f64 {
    arrival_s(minutes) + SETTLE_S
}

/// A simulated team.
#[derive(Clone, Serialize, Deserialize)]
pub struct Player {
    pub name: String,
    pub token: String,
}

/// The clients to simulate and their behavior.
#[derive(Clone, Serialize, Deserialize)]
pub struct Script {
    /// The site's URL, without a slash at the end.
    pub url: String,
    pub players: Vec<Player>,
    /// The flags that solve each challenge, by challenge ID.
    pub answers: Answers,
    pub spectators: usize,
    pub minutes: f64,
}

/// A message from a worker.
#[derive(Serialize, Deserialize)]
pub enum Message {
    /// A progress line for display.
    Progress(String),
    /// The last message, with the results.
    Finished(Box<Figures>),
}

impl Script {
    pub fn clients(&self) -> usize {
        self.players.len() + self.spectators
    }

    /// Splits the crowd into parts of at most `clients_max` clients.
    pub fn parts(&self, clients_max: usize) -> Vec<Self> {
        let count = self.clients().div_ceil(clients_max).max(1);
        let part = |index: usize| {
            let players = self.players.iter().skip(index).step_by(count).cloned().collect();
            let spectators = (self.spectators + count - 1 - index) / count;
            Self { players, spectators, ..self.clone() }
        };
        (0..count).map(part).collect()
    }
}

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
    /// Rejecting an incorrect flag.
    Wrong,
    /// Taking a hint, or being refused one.
    Hint,
    /// From the acknowledgement of a solve to its frame on a socket.
    Live,
    /// Reconnecting to the live channel after a lost connection.
    Return,
}

impl Timed {
    /// Returns the kind for a correct or an incorrect flag.
    pub fn of_flag(is_right: bool) -> Self {
        if is_right { Self::Right } else { Self::Wrong }
    }
}

/// The results of a crowd or of a part of it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    times: BTreeMap<Timed, Times>,
    /// Number of failures by description.
    pub failures: BTreeMap<String, u64>,
    /// Submissions rejected with 429 by a limit on incorrect flags.
    pub rate_limited: u64,
    /// Requests rejected with 503 by a busy server.
    pub busy: u64,
    /// Acknowledged solves: team and challenge.
    pub acknowledged: Vec<(String, String)>,
    /// Number of acknowledged solves missing on the scoreboard; `None` if the freeze may hide them.
    pub lost: Option<u64>,
}

impl Figures {
    pub fn record(&mut self, what: Timed, time: Duration) {
        self.times.entry(what).or_default().record(time);
    }

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

    pub fn count(&self, what: Timed) -> u64 {
        self.times.get(&what).map_or(0, Times::count)
    }

    pub fn quantile_ms(&self, what: Timed, share: f64) -> f64 {
        self.times.get(&what).map_or(0.0, |times| times.quantile_ms(share))
    }

    pub fn failure_count(&self) -> u64 {
        self.failures.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_have_all_players_and_spectators() {
        let player = |index| Player { name: format!("Team {index}"), token: String::new() };
        let url = String::new();
        let answers = Answers::new();
        let players = (0..25).map(player).collect();
        let script = Script { url, players, answers, spectators: 77, minutes: 1.0 };
        let parts = script.parts(10);
        assert_eq!(parts.len(), 11);
        assert!(parts.iter().all(|part| part.clients() <= 11));
        assert_eq!(parts.iter().map(|part| part.players.len()).sum::<usize>(), 25);
        assert_eq!(parts.iter().map(|part| part.spectators).sum::<usize>(), 77);
    }

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
