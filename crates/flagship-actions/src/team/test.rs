//! `team.test`

use flagship_game::TeamName;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::actions::team_object;

use super::check_reserved;
use super::code::{keep_token, new_token};
use crate::prelude::*;

/// Creates a test team for organizers, hidden from the start.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Name of the new team.
    pub team: String,
    /// Token of the code that sets its password.
    #[serde(skip)]
    token: String,
}

impl Action for Test {
    const RULE: Rule = Rule { name: "team.test", roles: RUNNERS, factor: Factor::Once };
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let name = TeamName::parse(&self.team)?;
        check_reserved(&name, desk)?;
        self.team = name.as_str().to_owned();
        let (token, extras) = new_token();
        self.token = token;
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let name = TeamName::parse(&self.team).map_err(|_| ActionError::NameTaken)?;
        let (now_ms, keys) = (context.now_ms(), name.keys());
        if accounts::is_taken(context.tx(), &keys, now_ms).await? {
            return Err(ActionError::NameTaken.into());
        }
        let new = NewAccount {
            name,
            email: String::new(),
            country: "UN".to_owned(),
            password_hash: None,
            student: false,
            divisions: Vec::new(),
            language: None,
        };
        let id = accounts::insert(context.tx(), &new, &keys, now_ms, Some(now_ms)).await?;
        keep_token(context, id, &self.token).await?;
        context.append(facts::Team {
            team: TeamId(id),
            name: self.team.clone(),
            country: new.country,
            hidden: true,
            divisions: Vec::new(),
        })?;
        context.touch_new(team_object(id));
        Ok(None)
    }
}
