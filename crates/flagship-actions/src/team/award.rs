//! `team.award`

use flagship_game::contest::AWARD_MAX;

use super::confirmed;
use crate::prelude::*;

/// Awards points to a team or deducts them.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Award {
    /// Exact name of the team.
    pub team: String,
    /// Points to award. Negative points are deducted.
    pub points: i64,
}

impl Action for Award {
    const RULE: Rule = Rule { name: "team.award", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = FactsUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<FactsUndo>> {
        let account = confirmed(context, &self.team).await?;
        let team = context.contest().team(TeamId(account.id)).ok_or(ActionError::NoTeam)?;
        let is_award = |points: i64| points.unsigned_abs() <= AWARD_MAX.unsigned_abs();
        let total = team.award.checked_add(self.points).ok_or(ActionError::Points)?;
        if self.points == 0 || !is_award(self.points) || !is_award(total) {
            return Err(ActionError::Points.into());
        }
        // The journal is public, so the reason is only in the audit log.
        let award =
            |points| facts::Award { team: TeamId(account.id), points, reason: String::new() };
        context.append(award(self.points))?;
        Ok(Some(FactsUndo::one(award(-self.points))))
    }

    fn phrase(arguments: &Value) -> Phrase {
        let points = arguments["points"].as_i64().unwrap_or_default();
        let key = match points {
            -1 => "team.award.taken.one",
            1 => "team.award.one",
            points if points < 0 => "team.award.taken",
            _ => "team.award",
        };
        Phrase::new(key, arguments).with("points", points.saturating_abs())
    }
}
