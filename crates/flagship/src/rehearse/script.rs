//! What the crowd is told, and what it says.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::figures::Figures;

/// The time in which everybody comes, in seconds: the minutes around the start are the worst.
const DOORS_MAX_S: f64 = 10.0;
/// From the last arrival to the start, in seconds.
const GATHER_S: f64 = 3.0;

/// How long they play, in seconds.
pub fn play_s(minutes: f64) -> f64 {
    minutes * 60.0
}

/// The time in which everybody comes, in seconds.
pub fn doors_s(minutes: f64) -> f64 {
    play_s(minutes).min(DOORS_MAX_S)
}

/// When the event starts, in seconds from the first arrival.
pub fn opens_s(minutes: f64) -> f64 {
    doors_s(minutes) + GATHER_S
}

/// A team of the crowd.
#[derive(Clone, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// Its token.
    pub token: String,
}

/// Who comes, and what they do.
#[derive(Clone, Serialize, Deserialize)]
pub struct Script {
    /// Where the event is, without a slash at the end.
    pub url: String,
    /// The teams.
    pub players: Vec<Player>,
    /// A right flag by challenge.
    pub answers: HashMap<String, String>,
    /// How many watch without an account.
    pub spectators: usize,
    /// How long they play.
    pub minutes: f64,
}

/// A line of a part of the crowd.
#[derive(Serialize, Deserialize)]
pub enum Word {
    /// How it goes, for a person.
    Now(String),
    /// The last word.
    Done(Box<Figures>),
}

impl Script {
    /// Everyone who comes.
    pub fn clients(&self) -> usize {
        self.players.len() + self.spectators
    }

    /// The same crowd in parts of at most `clients_max`.
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
    fn the_parts_are_the_whole() {
        let player = |index| Player { name: format!("Team {index}"), token: String::new() };
        let (url, answers) = (String::new(), HashMap::new());
        let players = (0..25).map(player).collect();
        let script = Script { url, players, answers, spectators: 77, minutes: 1.0 };
        let parts = script.parts(10);
        assert_eq!(parts.len(), 11);
        assert!(parts.iter().all(|part| part.clients() <= 11));
        assert_eq!(parts.iter().map(|part| part.players.len()).sum::<usize>(), 25);
        assert_eq!(parts.iter().map(|part| part.spectators).sum::<usize>(), 77);
    }
}
