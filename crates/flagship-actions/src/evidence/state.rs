//! `evidence.state`

use flagship_store::actions::evidence_object;

use crate::messages::known;
use crate::prelude::*;

/// Sets the status of the evidence about one or two teams. Players see no change. The reason is
/// stored as the organizers' note.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Exact name of a team.
    pub team: String,
    /// Exact name of the other team; omitted for evidence about one team.
    #[schema(nullable = false)]
    pub other: Option<String>,
    /// New status of the evidence.
    pub state: EvidenceState,
}

/// Review status of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceState {
    /// Not reviewed.
    New,
    /// Reviewed and still open.
    LookedAt,
    /// Dismissed: there is an innocent explanation.
    Cleared,
}

impl Action for State {
    const RULE: Rule = Rule { name: "evidence.state", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = &[List::Evidence];
    type Undo = Never;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let contest = context.contest();
        let team = |name: &str| contest.team_named(name).map(|team| team.id);
        let id = team(&self.team).ok_or(ActionError::NoTeam)?;
        let other = match &self.other {
            Some(other) => Some(team(other).filter(|it| *it != id).ok_or(ActionError::NoTeam)?),
            None => None,
        };
        context.touch([evidence_object(id, other)]).await?;
        Ok(None)
    }

    fn phrase(arguments: &Value) -> Phrase {
        let text = |name: &str| arguments[name].as_str().unwrap_or_default();
        let phrase = match text("other") {
            "" => Phrase::new("evidence.state", arguments),
            _ => Phrase::new("evidence.state.pair", arguments),
        };
        match known(&format!("evidence.state.{}", text("state"))) {
            Some(state) => phrase.part("state", Phrase::bare(state)),
            None => phrase,
        }
    }
}
