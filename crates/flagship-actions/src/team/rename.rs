//! `team.rename`

use flagship_game::TeamName;
use flagship_store::accounts;
use flagship_store::actions::name_object;
use flagship_store::ops::undo_data::NameUndo;

use super::{account, check_helper, check_reserved};
use crate::prelude::*;

/// Maximum number of renames per helper and day, because former names stay reserved.
const RENAMES_MAX: i64 = 50;

/// Renames a team. The current name stays reserved.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// Exact name of the team.
    pub team: String,
    /// New name.
    pub name: String,
    /// True if the current name is offensive. Links with it then no longer lead to the team.
    #[serde(default)]
    pub offensive: bool,
}

impl Action for Rename {
    const RULE: Rule = Rule { name: "team.rename", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = NameUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let name = TeamName::parse(&self.name)?;
        check_reserved(&name, desk)?;
        self.name = name.as_str().to_owned();
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<NameUndo>> {
        let account = account(context, &self.team).await?;
        // The actor may not be allowed to know about other actions on the team.
        context.touch([name_object(account.id)]).await?;
        check_helper(context, Self::RULE.name, RENAMES_MAX).await?;
        if account.name == self.name {
            return Err(ActionError::Unchanged.into());
        }
        let name = TeamName::parse(&self.name).map_err(|_| ActionError::NameTaken)?;
        let now_ms = context.now_ms();
        if !accounts::take_keys_in(context.tx(), account.id, &name, now_ms).await? {
            return Err(ActionError::NameTaken.into());
        }
        accounts::rename_in(context.tx(), account.id, &self.name, &account.country).await?;
        accounts::record_former_name_in(context.tx(), &account, !self.offensive).await?;
        named(context, TeamId(account.id), self.name.clone(), account.country.clone())?;
        Ok(Some(NameUndo::of(&account)))
    }
}

/// Records the team's name in the journal, if the team is in it.
pub fn named(
    context: &mut Context<'_>,
    team: TeamId,
    name: String,
    country: String,
) -> ActionResult<()> {
    match context.contest().team(team) {
        Some(_) => context.append(facts::TeamNamed { team, name, country }),
        None => Ok(()),
    }
}

impl UndoData for NameUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let Self { team, name, country } = self;
        let present = accounts::by_id_in(context.tx(), team.0).await?.ok_or(ActionError::NoTeam)?;
        accounts::rename_in(context.tx(), team.0, &name, &country).await?;
        if present.name != name {
            accounts::record_former_name_in(context.tx(), &present, true).await?;
        }
        named(context, team, name, country)
    }
}
