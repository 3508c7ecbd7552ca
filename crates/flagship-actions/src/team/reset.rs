//! `team.reset`

use std::slice;

use flagship_store::mail::Purpose;

use super::mail::Link;
use crate::prelude::*;

/// Sends a team a reset link.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// Exact name of the team.
    pub team: String,
    #[serde(skip)]
    links: Vec<Link>,
}

impl Action for Reset {
    const RULE: Rule = Rule { name: "team.reset", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let names = slice::from_ref(&self.team);
        self.links = Link::write_all(desk, names, Purpose::Reset).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let names = slice::from_ref(&self.team);
        Link::send_all(&self.links, context, names, Purpose::Reset).await
    }
}
