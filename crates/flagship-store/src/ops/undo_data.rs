//! Undo data that the store itself reads: former challenges and event times, and undo data of
//! operations that are not actions of `flagship-actions`.

use flagship_game::{ChallengeId, DivisionId, Event, TeamId};
use serde::{Deserialize, Serialize};

use crate::accounts::Account;
use crate::challenges::{Draft, LiveOverride};
use crate::sources;

/// Undo data of an import. An undo removes the teams unless one was active.
#[derive(Serialize, Deserialize)]
pub struct ImportUndo {
    /// The imported teams.
    pub teams: Vec<TeamId>,
}

/// Undo data of a change of a team's name or country.
#[derive(Serialize, Deserialize)]
pub struct NameUndo {
    /// The team.
    pub team: TeamId,
    /// The name before.
    pub name: String,
    /// The country before.
    pub country: String,
}

impl NameUndo {
    /// Returns the undo data for a change of this account.
    pub fn of(account: &Account) -> Self {
        let (name, country) = (account.name.clone(), account.country.clone());
        Self { team: TeamId(account.id), name, country }
    }
}

/// Undo data of a change of a team's divisions.
#[derive(Serialize, Deserialize)]
pub struct DivisionsUndo {
    /// The team.
    pub team: TeamId,
    /// The divisions before.
    pub divisions: Vec<DivisionId>,
}

/// Undo data of a change of the event's times. An undo restores the former times only if the
/// current times are those that the action set.
#[derive(Serialize, Deserialize)]
pub struct TimesUndo {
    /// The times before.
    pub before: EventTimes,
    /// The times set by the action.
    pub left: EventTimes,
}

/// The times of an event, in epoch milliseconds; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventTimes {
    /// Start.
    pub start_ms: Option<i64>,
    /// Freeze.
    pub freeze_ms: Option<i64>,
    /// End.
    pub end_ms: Option<i64>,
}

impl EventTimes {
    /// The times of an event.
    pub fn of(event: &Event) -> Self {
        let Event { start_ms, freeze_ms, end_ms, .. } = event;
        Self { start_ms: *start_ms, freeze_ms: *freeze_ms, end_ms: *end_ms }
    }

    /// An event with these times.
    pub fn applied_to(self, event: Event) -> Event {
        let Self { start_ms, freeze_ms, end_ms } = self;
        Event { start_ms, freeze_ms, end_ms, ..event }
    }
}

/// Undo data of an edit of a challenge.
#[derive(Serialize, Deserialize)]
pub struct DraftUndo {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The challenge before.
    pub before: Box<Before>,
    /// Sources of other challenges that required this one by name.
    #[serde(default)]
    pub naming: Vec<RequiringSource>,
}

/// A challenge before an edit; all `None` if there was none.
#[derive(Serialize, Deserialize)]
pub struct Before {
    /// The draft.
    pub draft: Option<Draft>,
    /// The live override of the visibility.
    pub held: Option<LiveOverride>,
    /// The source.
    pub source: Option<sources::Row>,
    /// Version of the source after the action.
    pub left: String,
}

/// Source of a challenge that required another one by name.
#[derive(Serialize, Deserialize)]
pub struct RequiringSource {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The former source.
    pub source: sources::Row,
    /// Version of the source after the action.
    pub left: String,
}
