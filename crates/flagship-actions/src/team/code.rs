//! `team.code`

use flagship_store::mail::{self, Purpose, Token};

use super::{HOUR_MS, confirmed};
use crate::mail::token::{new_code, token_of_code};
use crate::prelude::*;

/// Creates a reset code that an organizer can read out. It sets a new password and expires in an
/// hour.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Exact name of the team.
    pub team: String,
    /// Token of the code.
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
        let (token, extras) = new_token();
        self.token = token;
        Ok(extras)
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = confirmed(context, &self.team).await?;
        keep_token(context, account.id, &self.token).await?;
        Ok(None)
    }
}

/// Generates a code. Returns its token, and the code for display.
pub(super) fn new_token() -> (String, Extras) {
    let code = new_code();
    let token = token_of_code(&code).expect("it is a code");
    (token, Extras { code: Some(code), ..Extras::default() })
}

/// Stores the token of a reset code, valid for an hour.
pub(super) async fn keep_token(
    context: &mut Context<'_>,
    account_id: i64,
    token: &str,
) -> ActionResult<()> {
    let expires_at_ms = context.now_ms() + HOUR_MS;
    let token = Token { token, account_id, purpose: Purpose::Reset, expires_at_ms };
    Ok(mail::keep_tokens(context.tx(), &[token]).await?)
}
