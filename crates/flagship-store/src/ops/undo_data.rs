//! Undo data that the store reads itself: what challenges and the event said before actions changed
//! them, and what operations leave that are not actions of `flagship-actions`.

use flagship_game::{ChallengeId, Event, TeamId};
use serde::{Deserialize, Serialize};

use crate::accounts::Account;
use crate::challenges::{Draft, Held};
use crate::sources;

/// Undo data of an import: the teams leave, unless one has played.
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
    /// Undo data of a change of an account as it is now.
    pub fn of(account: &Account) -> Self {
        let (name, country) = (account.name.clone(), account.country.clone());
        Self { team: TeamId(account.id), name, country }
    }
}

/// Undo data of a change of the event's times: put back if they are those that the action left.
#[derive(Serialize, Deserialize)]
pub struct TimesUndo {
    /// The times before.
    pub before: Moments,
    /// The times that the action left.
    pub left: Moments,
}

/// The times of an event, in epoch milliseconds; `None` if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// Start.
    pub start_ms: Option<i64>,
    /// Freeze.
    pub freeze_ms: Option<i64>,
    /// End.
    pub end_ms: Option<i64>,
}

impl Moments {
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
    /// The sources of other challenges that named it by its name.
    #[serde(default)]
    pub naming: Vec<Named>,
}

/// A challenge before an edit; all `None` if there was none.
#[derive(Serialize, Deserialize)]
pub struct Before {
    /// Its draft.
    pub draft: Option<Draft>,
    /// The live override of when it is shown.
    pub held: Option<Held>,
    /// Its source.
    pub source: Option<sources::Row>,
    /// The version of the source that the action left.
    pub left: String,
}

/// The source of a challenge that named another one by its name.
#[derive(Serialize, Deserialize)]
pub struct Named {
    /// The challenge.
    pub challenge: ChallengeId,
    /// Its source before.
    pub source: sources::Row,
    /// The version of the source that the action left.
    pub left: String,
}
