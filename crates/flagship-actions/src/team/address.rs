//! `team.address`

use flagship_store::accounts::{self, Account};
use flagship_store::addresses;
use flagship_store::mail::{Draft, Purpose};

use super::mail::{MAILS_MAX, check_budget, send};
use super::touched;
use crate::mail::address::Email;
use crate::mail::language::Language;
use crate::mail::token::new_link_token;
use crate::prelude::*;

/// Maximum number of email changes per team and day.
const CHANGES_MAX: i64 = 10;

/// Changes the email address of a team.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Exact name of the team.
    pub team: String,
    /// New email address.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub email: String,
    /// Emails about the change.
    #[serde(skip)]
    mails: Option<Mails>,
}

/// Emails about a change, depending on whether the team is confirmed.
enum Mails {
    /// For a confirmed team: a warning to the current address with the token that cancels the
    /// change, and an email to the new one.
    Change {
        /// Current address.
        was: String,
        warning: Draft,
        token: String,
        notice: Draft,
        /// True if the new address takes effect immediately.
        at_once: bool,
    },
    /// For an unconfirmed team: an email to the new address with the token that confirms it.
    Correction { letter: Draft, token: String },
}

impl Action for Address {
    const RULE: Rule = Rule { name: "team.address", roles: HELPERS, factor: Factor::Again };
    const NEEDS_REASON: bool = true;
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let account = desk.account(&self.team).await?;
        if account.email.is_empty() {
            return Err(ArgumentError::NoAddress.into());
        }
        let email = Email::of_team(&self.email, desk.registration.local_addresses)?;
        if !desk.registration.allows_domain(email.domain()) {
            return Err(ArgumentError::EmailDomain.into());
        }
        self.email = email.as_str().to_owned();
        let (mails, token) = (desk.mails(), new_link_token());
        let letters = mails.in_language(Language::kept(account.language.as_deref()));
        self.mails = Some(match account.confirmed_at_ms {
            None => {
                let confirm = Purpose::Confirm;
                let letter = letters.organizers_link(&self.email, confirm, &self.team, &token);
                Mails::Correction { letter, token }
            }
            Some(_) => {
                let at_once = desk.confirms_addresses;
                let warning = letters.address_changes(&account.email, &self.team, &token, at_once);
                let notice = letters.new_address(&email, &self.team, at_once);
                Mails::Change { was: account.email, warning, token, notice, at_once }
            }
        });
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = touched(context, &self.team).await?;
        let mails = self.mails.as_ref().expect("they are written");
        let is_correction = matches!(mails, Mails::Correction { .. });
        if account.confirmed_at_ms.is_none() != is_correction {
            return Err(ActionError::Standing.into());
        }
        // Only organizers and owners can confirm addresses.
        if matches!(mails, Mails::Change { at_once: true, .. }) && !context.actor().runs_the_contest
        {
            return Err(ActionError::Ended.into());
        }
        check_budget(context, 1).await?;
        let (id, now_ms) = (account.id, context.now_ms());
        match mails {
            Mails::Correction { letter, token } => {
                self.check_new(context, &account, &account.email).await?;
                send(context, &account, letter, MAILS_MAX).await?;
                addresses::correct(context.tx(), &account, &self.email, token, now_ms).await?;
            }
            Mails::Change { was, warning, token, notice, at_once } => {
                self.check_new(context, &account, was).await?;
                let since_ms = now_ms - addresses::STOP_MS;
                if addresses::count_in(context.tx(), id, since_ms).await? >= CHANGES_MAX {
                    return Err(ActionError::Mails.into());
                }
                send(context, &account, notice, MAILS_MAX).await?;
                // The warning is exempt from the email rate limit.
                let warning = (send(context, &account, warning, 0).await?, token.as_str());
                let tx = context.tx();
                addresses::change_in(tx, &account, &self.email, warning, *at_once, now_ms).await?;
                if !at_once {
                    context.add_details(json!({"waits": true}));
                }
            }
        }
        Ok(None)
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments {
            it if it.get("stopped").is_some() => "team.address.stopped",
            it if it.get("waits").is_some() => "team.address.waits",
            _ => Self::RULE.name,
        }
    }
}

impl Address {
    /// Rejects an address that is unchanged or belongs to another team. Also rejects the action if
    /// the current address has changed since it was read.
    async fn check_new(
        &self,
        context: &mut Context<'_>,
        account: &Account,
        was: &str,
    ) -> ActionResult<()> {
        match account.email.as_str() {
            present if present != was => return Err(ActionError::Touched.into()),
            present if present == self.email => return Err(ActionError::Unchanged.into()),
            _ => {}
        }
        match accounts::team_of_email(context.tx(), &self.email).await? {
            Some(_) => Err(ActionError::AddressTaken.into()),
            None => Ok(()),
        }
    }
}
