//! `team.resend`

use flagship_store::mail::Purpose;

use super::mail::Link;
use crate::prelude::*;

/// Mails a team a new confirmation link.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resend {
    /// Exact name of the team.
    pub team: String,
    #[serde(skip)]
    link: Link,
}

impl Action for Resend {
    const RULE: Rule = Rule { name: "team.resend", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.link = Link::write(desk, &self.team, Purpose::Confirm).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        self.link.send(context, &self.team, Purpose::Confirm).await
    }
}
