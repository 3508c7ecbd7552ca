//! `team.reset`

use flagship_store::mail::Purpose;

use super::mail::Link;
use crate::prelude::*;

/// Mails a team a link that sets a new password.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// Exact name of the team.
    pub team: String,
    #[serde(skip)]
    link: Link,
}

impl Action for Reset {
    const RULE: Rule = Rule { name: "team.reset", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.link = Link::write(desk, &self.team, Purpose::Reset).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        self.link.send(context, &self.team, Purpose::Reset).await
    }
}
