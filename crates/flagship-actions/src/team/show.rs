//! `team.show`

use super::standing;
use crate::prelude::*;

/// Unhides teams.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// Exact name of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub team: Option<String>,
    /// Exact names of several teams; at most 250.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<String>,
}

impl Show {
    /// Unhides one team.
    pub fn one(team: String) -> Self {
        Self { team: Some(team), teams: Vec::new() }
    }
}

impl Action for Show {
    const RULE: Rule = Rule { name: "team.show", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        several::settle(&mut self.team, &mut self.teams)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        let names = several::names(self.team.as_ref(), &self.teams);
        standing::set(context, names, |team| (team.banned, false)).await
    }

    fn phrase(arguments: &Value) -> Phrase {
        several::team_phrase(Self::RULE.name, "team.show.several", arguments)
    }
}
