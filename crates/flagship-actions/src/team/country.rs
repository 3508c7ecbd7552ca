//! `team.country`

use flagship_store::accounts;
use flagship_store::actions::name_object;
use flagship_store::ops::undo_data::NameUndo;

use super::{account, rename};
use crate::countries::is_country;
use crate::prelude::*;

/// Changes the country of a team.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Country {
    /// Exact name of the team.
    pub team: String,
    /// Two-letter country code.
    pub country: String,
}

impl Action for Country {
    const RULE: Rule = Rule { name: "team.country", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = NameUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        match is_country(&self.country) {
            true => Ok(Extras::default()),
            false => Err(ArgumentError::Country.into()),
        }
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<NameUndo>> {
        let account = account(context, &self.team).await?;
        context.touch([name_object(account.id)]).await?;
        if self.country == account.country {
            return Err(ActionError::Unchanged.into());
        }
        let name = account.name.clone();
        accounts::rename_in(context.tx(), account.id, &name, &self.country).await?;
        rename::named(context, TeamId(account.id), name, self.country.clone())?;
        Ok(Some(NameUndo::of(&account)))
    }
}
