//! What puts back what an action changed, as it is kept sealed beside the record of the action.

use flagship_game::facts::Fact;
use flagship_game::{ChallengeId, Event, TeamId};
use serde::{Deserialize, Serialize};

use crate::challenges::{Draft, Held};
use crate::desk::notices::Due;
use crate::desk::questions;
use crate::sources;

/// What puts back what an action changed. It is kept sealed, beside the record of the action.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Restore {
    /// These facts do.
    Facts { facts: Vec<Fact> },
    /// Teams that were imported: they leave, unless one has played.
    Import { teams: Vec<TeamId> },
    /// The name and the country of a team.
    Name { team: TeamId, name: String, country: String },
    /// What the event says, if it is what the action left, with the text of its rules and what
    /// challenges are read with. Its times stay.
    Said { before: Box<Event>, left: Box<Event>, rules: Option<String>, defaults: Option<String> },
    /// A section of the settings, if it is what the action left, with sealed secrets.
    Settings {
        section: String,
        before: Option<String>,
        left: Option<String>,
        secrets: Vec<(String, Option<String>)>,
    },
    /// The times of the event, if they are those that the action left.
    Times { before: Moments, left: Moments },
    /// An event that was resumed: it is paused, and what moved moves back.
    Resumed { before: Moments, left: Moments, states: Vec<State> },
    /// Solves that were counted, some of them in place of later ones.
    Rejudged { challenge: ChallengeId, teams: Vec<TeamId>, solves: Vec<Withdrawn> },
    /// Solves that were withdrawn.
    Solves { challenge: ChallengeId, solves: Vec<Withdrawn> },
    /// Whether and when challenges are shown.
    States { states: Vec<State> },
    /// A challenge as it was, with the sources of those that named it by its name.
    Draft {
        challenge: ChallengeId,
        before: Box<Before>,
        #[serde(default)]
        naming: Vec<Named>,
    },
    /// A notice that waits for its time; `None` if it did not.
    DueNotice { notice: i64, before: Option<Due> },
    /// A question as it was, if it is as the action left it.
    Question { before: questions::Row, left: questions::Row },
}

/// A solve that was withdrawn.
#[derive(Serialize, Deserialize)]
pub(super) struct Withdrawn {
    pub(super) team: TeamId,
    pub(super) at_ms: i64,
    pub(super) after: i64,
}

impl Restore {
    pub(super) fn fact(fact: impl Into<Fact>) -> Self {
        Self::Facts { facts: vec![fact.into()] }
    }
}

/// Whether and when a challenge is shown.
#[derive(Serialize, Deserialize)]
pub(super) struct State {
    pub(super) challenge: ChallengeId,
    pub(super) hidden: bool,
    pub(super) released: bool,
    pub(super) release_at_ms: Option<i64>,
    pub(super) held: Option<Held>,
    /// What the action left it as.
    pub(super) left: Held,
}

/// A challenge as it was; nothing if there was none.
#[derive(Serialize, Deserialize)]
pub(super) struct Before {
    pub(super) draft: Option<Draft>,
    pub(super) held: Option<Held>,
    pub(super) source: Option<sources::Row>,
    /// The version of the source that the action left.
    pub(super) left: String,
}

/// The source of a challenge that named another one by its name.
#[derive(Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) challenge: ChallengeId,
    pub(super) source: sources::Row,
    /// The version of the source that the action left.
    pub(super) left: String,
}

/// The times of an event; a missing one is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Moments {
    pub(super) start_ms: Option<i64>,
    pub(super) freeze_ms: Option<i64>,
    pub(super) end_ms: Option<i64>,
}
