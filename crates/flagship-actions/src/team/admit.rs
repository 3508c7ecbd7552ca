//! `team.admit`

use flagship_store::mail::Draft;

use super::mail::send;
use super::touched;
use crate::mail::language::Language;
use crate::prelude::*;

/// Gives a team on the waiting list a place, even if the event is full or other teams signed up
/// earlier. The team gets an email.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Admit {
    /// Exact name of the team.
    pub team: String,
    /// Email to the team.
    #[serde(skip)]
    letter: Option<Draft>,
}

impl Action for Admit {
    const RULE: Rule = Rule { name: "team.admit", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let account = desk.account(&self.team).await?;
        let mails = desk.mails();
        let letters = mails.in_language(Language::kept(account.language.as_deref()));
        self.letter = Some(letters.place_free(&account.email, &self.team));
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = touched(context, &self.team).await?;
        if account.confirmed_at_ms.is_none() || !account.waits() {
            return Err(ActionError::Standing.into());
        }
        let letter = self.letter.as_ref().expect("it is written");
        if letter.address != account.email {
            return Err(ActionError::Touched.into());
        }
        // A team gets this email once, so it needs no limit.
        send(context, &account, letter, 0).await?;
        context.admit(account).await?;
        Ok(None)
    }
}
