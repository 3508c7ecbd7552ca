//! `code.revoke`

use flagship_store::accounts::signup_codes;

use crate::mail::token::token_of_code;
use crate::prelude::*;

/// Revokes a signup code. Teams that have signed up with it stay.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// The code, in any case, with or without hyphens.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub code: String,
}

impl Action for Revoke {
    const RULE: Rule = Rule { name: "code.revoke", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = RevokeUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.code = token_of_code(&self.code).ok_or(ActionError::NoCode)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<RevokeUndo>> {
        let now_ms = context.now_ms();
        context.touch([super::object(&self.code)]).await?;
        let found = signup_codes::find_in(context.tx(), &self.code, now_ms).await?;
        if found.ok_or(ActionError::NoCode)?.revoked_at_ms.is_some() {
            return Err(ActionError::Unchanged.into());
        }
        signup_codes::set_revoked_in(context.tx(), &self.code, Some(now_ms)).await?;
        Ok(Some(RevokeUndo { code: self.code.clone() }))
    }
}

/// Undo data of `code.revoke`.
#[derive(Serialize, Deserialize)]
pub struct RevokeUndo {
    code: String,
}

impl UndoData for RevokeUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        Ok(signup_codes::set_revoked_in(context.tx(), &self.code, None).await?)
    }
}
