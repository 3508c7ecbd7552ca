//! An event as defined by the event files.

use std::collections::{HashMap, HashSet};

use flagship_game::{ChallengeId, Contest, DivisionRules, Event};

use super::actions::Caller;
use crate::challenges::Draft;
use crate::sources::Source;

/// An event as defined by the event files.
#[derive(Clone)]
pub struct Plan {
    /// Name, times, rules and public divisions.
    pub event: Event,
    /// All divisions.
    pub divisions: Vec<DivisionRules>,
    /// All challenges.
    pub challenges: Vec<Draft>,
    /// Settings that running nodes adopt; `None` leaves them unchanged.
    pub settings: Option<String>,
    /// Number of expected destructive changes; `None` allows any.
    pub confirmed: Option<usize>,
    /// Sources of challenges.
    pub sources: HashMap<ChallengeId, Source>,
    /// Defaults for challenges from `event.toml`, as JSON.
    pub defaults: Option<String>,
    /// Choices for live edits that the files do not contain.
    pub live: LiveEditChoices,
    /// The caller, who is the actor in the audit log.
    pub by: Caller,
    /// Returns true for a change of the event that needs two-factor authentication; `None` if the
    /// caller needs none.
    pub needs_factor: Option<NeedsFactor>,
}

/// Returns true if an organizer needs recent two-factor authentication to change the event of a
/// contest to the new one, at a time in epoch milliseconds.
pub type NeedsFactor = fn(contest: &Contest, new: &Event, now_ms: i64) -> bool;

impl Plan {
    /// An event without divisions and settings, whose destructive changes need no confirmation.
    pub fn new(event: Event, challenges: Vec<Draft>) -> Self {
        Self {
            event,
            divisions: Vec::new(),
            challenges,
            settings: None,
            confirmed: None,
            sources: HashMap::new(),
            defaults: None,
            live: LiveEditChoices::default(),
            by: Caller::CommandLine,
            needs_factor: None,
        }
    }
}

/// Choices for live edits that the files do not contain. Applying is rejected if a choice is
/// missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveEditChoices {
    /// Challenges that the files replace, with the reviewed version of each.
    pub replaced: HashMap<ChallengeId, String>,
    /// Challenges that stay unchanged.
    pub kept: HashSet<ChallengeId>,
    /// True to keep event times that were moved live, false to use the times of the files.
    pub keeps_times: Option<bool>,
}
