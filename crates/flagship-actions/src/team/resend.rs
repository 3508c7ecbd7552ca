//! `team.resend`

use flagship_store::mail::Purpose;

use super::mail::Link;
use crate::prelude::*;

/// Sends teams a new confirmation link each.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resend {
    /// Exact name of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub team: Option<String>,
    /// Exact names of several teams; at most 250.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<String>,
    #[serde(skip)]
    links: Vec<Link>,
}

impl Action for Resend {
    const RULE: Rule = Rule { name: "team.resend", roles: HELPERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        several::settle(&mut self.team, &mut self.teams)?;
        let names = several::names(self.team.as_ref(), &self.teams);
        self.links = Link::write_all(desk, names, Purpose::Confirm).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let names = several::names(self.team.as_ref(), &self.teams);
        Link::send_all(&self.links, context, names, Purpose::Confirm).await
    }

    fn phrase(arguments: &Value) -> Phrase {
        several::team_phrase(Self::RULE.name, "team.resend.several", arguments)
    }
}
