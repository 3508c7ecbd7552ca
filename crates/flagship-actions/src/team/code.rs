//! `team.code`

use flagship_store::mail::{self, Purpose, Token};
use flagship_store::ops::{ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{HOUR_MS, confirmed};
use crate::action::{Action, Done, Extras, Factor, Never, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_ACCOUNT};
use crate::mail::token::{new_code, token_of_code};
use crate::rejection::Rejection;

/// Time for which a code is valid, in milliseconds.
pub const CODE_MS: i64 = HOUR_MS;

/// Makes a code that sets a new password of a team within an hour, for an organizer to tell.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Exact name of the team.
    pub team: String,
    /// The token of the code.
    #[serde(skip)]
    token: String,
}

impl Action for Code {
    const RULE: Rule = Rule { name: "team.code", roles: RUNNERS, factor: Factor::Again };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        let code = new_code();
        self.token = token_of_code(&code).expect("it is a code");
        Ok(Extras { code: Some(code), ..Extras::default() })
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<Never>> {
        let (account, objects) = confirmed(context, &self.team).await?;
        let token = Token {
            token: &self.token,
            account_id: account.id,
            purpose: Purpose::Reset,
            expires_at_ms: context.now_ms() + CODE_MS,
        };
        mail::keep_tokens(context.tx(), &[token]).await?;
        Ok(Done::for_good(objects))
    }
}
