//! `team.test`

use flagship_game::TeamId;
use flagship_game::TeamName;
use flagship_game::facts;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::actions::team_object;
use flagship_store::mail::{self, Purpose, Token};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::check_reserved;
use super::code::CODE_MS;
use crate::action::{Action, Done, Extras, Factor, Never, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_CONTEST};
use crate::mail::token::{new_code, token_of_code};
use crate::rejection::Rejection;

/// Makes a team for organizers to play with, hidden from its first moment.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Name of the new team.
    pub team: String,
    /// The token of the code that sets its password.
    #[serde(skip)]
    token: String,
}

impl Action for Test {
    const RULE: Rule = Rule { name: "team.test", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_CONTEST;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let name = TeamName::parse(&self.team)?;
        check_reserved(&name, desk)?;
        self.team = name.as_str().to_owned();
        let code = new_code();
        self.token = token_of_code(&code).expect("it is a code");
        Ok(Extras { code: Some(code), ..Extras::default() })
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<Never>> {
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
            language: None,
        };
        let id = accounts::insert(context.tx(), &new, &keys, now_ms, Some(now_ms)).await?;
        let token = Token {
            token: &self.token,
            account_id: id,
            purpose: Purpose::Reset,
            expires_at_ms: now_ms + CODE_MS,
        };
        mail::keep_tokens(context.tx(), &[token]).await?;
        context.append(facts::Team {
            team: TeamId(id),
            name: self.team.clone(),
            country: new.country,
            hidden: true,
        })?;
        Ok(Done::for_good(vec![team_object(id)]))
    }
}
