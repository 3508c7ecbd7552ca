//! An event as its files say.

use std::collections::{HashMap, HashSet};

use flagship_game::{ChallengeId, Event};

use crate::challenges::Draft;
use crate::sources::Source;

/// An event as its files say.
#[derive(Clone)]
pub struct Plan {
    /// Name, times, rules.
    pub event: Event,
    /// All challenges.
    pub challenges: Vec<Draft>,
    /// The settings that running nodes take over; `None` leaves them as they are.
    pub settings: Option<String>,
    /// How many destructive changes are expected; `None` allows any.
    pub confirmed: Option<usize>,
    /// The files of challenges.
    pub sources: HashMap<ChallengeId, Source>,
    /// What `event.toml` says about all challenges, as JSON.
    pub defaults: Option<String>,
    /// What becomes of live changes that the files do not have.
    pub live: Live,
}

impl Plan {
    /// An event without settings, whose destructive changes need no confirmation.
    pub fn new(event: Event, challenges: Vec<Draft>) -> Self {
        Self {
            event,
            challenges,
            settings: None,
            confirmed: None,
            sources: HashMap::new(),
            defaults: None,
            live: Live::default(),
        }
    }
}

/// What becomes of live changes that the files do not have. The files are refused while it says
/// nothing of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The challenges that the files replace, with the versions that were looked at.
    pub replaced: HashMap<ChallengeId, String>,
    /// The challenges that stay as they are.
    pub kept: HashSet<ChallengeId>,
    /// Whether the times of the event that were moved live stay (`true`), or the files move them
    /// back.
    pub keeps_times: Option<bool>,
}
