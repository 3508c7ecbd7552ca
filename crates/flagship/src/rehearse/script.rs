//! The script that a worker receives, and the messages that it sends.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::figures::Figures;

/// Longest time in which all clients connect, in seconds; short, because real events are busiest
/// around the start.
const ARRIVAL_MAX_S: f64 = 10.0;
/// Time from the last arrival to the start, in seconds.
const SETTLE_S: f64 = 3.0;

/// Duration of play, in seconds.
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
    /// The team's name.
    pub name: String,
    /// The team's token.
    pub token: String,
}

/// The clients to simulate, and how they play.
#[derive(Clone, Serialize, Deserialize)]
pub struct Script {
    /// The site's URL, without a slash at the end.
    pub url: String,
    /// The teams.
    pub players: Vec<Player>,
    /// A correct flag by challenge id.
    pub answers: HashMap<String, String>,
    /// Number of spectators without an account.
    pub spectators: usize,
    /// Duration of play.
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
    /// Number of clients.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_have_all_players_and_spectators() {
        let player = |index| Player { name: format!("Team {index}"), token: String::new() };
        let url = String::new();
        let answers = HashMap::new();
        let players = (0..25).map(player).collect();
        let script = Script { url, players, answers, spectators: 77, minutes: 1.0 };
        let parts = script.parts(10);
        assert_eq!(parts.len(), 11);
        assert!(parts.iter().all(|part| part.clients() <= 11));
        assert_eq!(parts.iter().map(|part| part.players.len()).sum::<usize>(), 25);
        assert_eq!(parts.iter().map(|part| part.spectators).sum::<usize>(), 77);
    }
}
