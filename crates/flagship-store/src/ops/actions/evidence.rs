//! Actions about what teams have in common: how organizers see it. They change nothing for anybody.

use flagship_game::TeamId;
use serde_json::{Value, json};

use super::super::restore::Restore;
use super::acting::{Acting, ActionError, Actions};

/// How organizers see what teams have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceState {
    /// Nobody has looked at it.
    New,
    /// Somebody has, and it stays open.
    LookedAt,
    /// There is a harmless explanation.
    Cleared,
}

impl EvidenceState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::New, Self::LookedAt, Self::Cleared];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::LookedAt => "looked_at",
            Self::Cleared => "cleared",
        }
    }
}

/// Says how organizers see what two teams have in common; the reason is their note.
#[derive(Clone)]
pub struct EvidenceAction {
    /// A team's exact name.
    pub team: String,
    /// The other one's; none for what is about one team.
    pub other: Option<String>,
    /// How they see it.
    pub state: EvidenceState,
}

impl EvidenceAction {
    /// What is recorded of it.
    pub(super) fn arguments(&self) -> Value {
        json!({"team": self.team, "other": self.other, "state": self.state.as_str()})
    }
}

/// What actions call two teams, or one.
pub fn evidence_of(team: TeamId, other: Option<TeamId>) -> String {
    match other {
        Some(other) => format!("evidence {} {}", team.min(other).0, team.max(other).0),
        None => format!("evidence {}", team.0),
    }
}

impl Actions<'_> {
    /// Says how organizers see what two teams have in common.
    pub(super) async fn evidence(
        &mut self,
        action: &EvidenceAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let contest = self.step.contest();
        let team = |name: &str| contest.team_named(name).map(|team| team.id);
        let id = team(&action.team).ok_or(ActionError::NoTeam)?;
        let other = match &action.other {
            Some(other) => Some(team(other).filter(|it| *it != id).ok_or(ActionError::NoTeam)?),
            None => None,
        };
        let objects = vec![evidence_of(id, other)];
        self.check_head(&objects).await?;
        Ok((objects, None))
    }
}
