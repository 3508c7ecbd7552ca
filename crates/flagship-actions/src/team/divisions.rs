//! `team.divisions`

use flagship_game::division::{self, DivisionId, DivisionRules};
use flagship_store::accounts::Account;
use flagship_store::desk::divisions;
use flagship_store::ops::undo_data::DivisionsUndo;

use super::touched;
use crate::prelude::*;

/// Sets the divisions of a team, public and private ones.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Divisions {
    /// Exact name of the team.
    pub team: String,
    /// IDs of all divisions of the team, at most one of each group. They replace its former ones.
    pub divisions: Vec<String>,
}

impl Action for Divisions {
    const RULE: Rule = Rule { name: "team.divisions", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = DivisionsUndo;

    /// On the command line, an empty list is one empty text.
    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.divisions.retain(|id| !id.is_empty());
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DivisionsUndo>> {
        let Account { id, .. } = touched(context, &self.team).await?;
        let seal = context.seal();
        let rules = divisions::rules_in(context.tx(), &seal).await?;
        let before = divisions::of_account_in(context.tx(), id).await?;
        let chosen = chosen(&rules, &self.divisions)?;
        // Memberships in divisions that are no longer defined stay, in case they return.
        let is_undefined = |id: &DivisionId| rules.iter().all(|it| it.id() != id);
        let undefined = before.iter().filter(|id| is_undefined(id)).cloned();
        let after: Vec<DivisionId> = chosen.into_iter().chain(undefined).collect();
        if after.len() == before.len() && after.iter().all(|id| before.contains(id)) {
            return Err(ActionError::Unchanged.into());
        }
        let team = TeamId(id);
        context.change_divisions(team, &rules, &after).await?;
        Ok(Some(DivisionsUndo { team, divisions: before }))
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments["divisions"].as_array().is_some_and(|ids| !ids.is_empty()) {
            true => Self::RULE.name,
            false => "team.divisions.none",
        }
    }
}

/// The divisions with these IDs, in the order of their definitions.
fn chosen(rules: &[DivisionRules], ids: &[String]) -> Result<Vec<DivisionId>, ActionError> {
    let is_defined = |id: &String| rules.iter().any(|it| it.id().as_str() == id);
    if !ids.iter().all(is_defined) {
        return Err(ActionError::NoDivision);
    }
    let is_chosen = |it: &&DivisionRules| ids.iter().any(|id| id == it.id().as_str());
    let chosen: Vec<&DivisionRules> = rules.iter().filter(is_chosen).collect();
    match division::share_group(chosen.iter().map(|it| &it.division)) {
        true => Err(ActionError::DivisionGroup),
        false => Ok(chosen.iter().map(|it| it.id().clone()).collect()),
    }
}

impl UndoData for DivisionsUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let seal = context.seal();
        let rules = divisions::rules_in(context.tx(), &seal).await?;
        context.change_divisions(self.team, &rules, &self.divisions).await
    }
}
