//! Mails that actions about a team send.

use flagship_store::accounts::{self, Account};
use flagship_store::mail::{self, Cause, Draft, Kind, LINK_MS, Purpose, SHARER_DIGITS, Token};

use super::{HOUR_MS, count, touched};
use crate::mail::language::Language;
use crate::mail::token::new_link_token;
use crate::prelude::*;

/// Most mails to one address in an hour that organizers cause.
pub const MAILS_MAX: u32 = 10;
/// Most actions with mails of one organizer in an hour. Each queues one or two.
const ACTIONS_MAX: i64 = 100;
/// The actions that send mails.
const WITH_MAILS: [&str; 3] = ["team.address", "team.resend", "team.reset"];

/// Rejects an action with mails after so many of the same organizer in an hour.
pub async fn check_budget(context: &mut Context<'_>) -> ActionResult<()> {
    match count(context, &WITH_MAILS, HOUR_MS).await? {
        count if count < ACTIONS_MAX => Ok(()),
        _ => Err(ActionError::Mails.into()),
    }
}

/// Queues a mail and returns its id, unless its address has had so many in an hour. The mails about
/// each team take turns with those of networks, so that no warning waits behind mails about other
/// teams.
pub async fn send(
    context: &mut Context<'_>,
    account: &Account,
    letter: &Draft,
    per_hour_max: u32,
) -> ActionResult<i64> {
    let team = format!("{:0>width$x}", account.id, width = SHARER_DIGITS);
    let (network, now_ms) = (team.repeat(2), context.now_ms());
    let cause = Cause {
        kind: Kind::Organizer,
        network: &network,
        per_hour_max,
        account_id: Some(account.id),
    };
    let sent = mail::queue(context.tx(), letter, cause, now_ms).await?;
    sent.ok_or_else(|| ActionError::Mails.into())
}

/// A mail with a link.
#[derive(Default)]
pub struct Link {
    /// The address when the mail was written.
    address: String,
    letter: Option<Draft>,
    token: String,
}

impl Link {
    /// Writes the mail.
    pub async fn write(desk: &Desk, team: &str, purpose: Purpose) -> Result<Self, Rejection> {
        let Account { email: address, language, .. } = desk.account(team).await?;
        if address.is_empty() {
            return Err(ArgumentError::NoAddress.into());
        }
        let (mails, token) = (desk.mails(), new_link_token());
        let letters = mails.in_language(Language::kept(language.as_deref()));
        let letter = letters.organizers_link(&address, purpose, team, &token);
        Ok(Self { address, letter: Some(letter), token })
    }

    /// Sends the mail to a team: a confirmation to one that is not confirmed, a reset to one that
    /// is.
    pub async fn send(
        &self,
        context: &mut Context<'_>,
        team: &str,
        purpose: Purpose,
    ) -> ActionResult<Option<Never>> {
        let account = touched(context, team).await?;
        let is_for_confirmed = purpose != Purpose::Confirm;
        if account.confirmed_at_ms.is_some() != is_for_confirmed {
            return Err(ActionError::Standing.into());
        }
        check_budget(context).await?;
        if self.address != account.email {
            return Err(ActionError::Touched.into());
        }
        let letter = self.letter.as_ref().expect("it is written");
        send(context, &account, letter, MAILS_MAX).await?;
        let expires_at_ms = match account.confirmed_at_ms {
            Some(_) => context.now_ms() + LINK_MS,
            None => account.created_at_ms + accounts::UNCONFIRMED_MS,
        };
        let token = Token { token: &self.token, account_id: account.id, purpose, expires_at_ms };
        mail::keep_tokens(context.tx(), &[token]).await?;
        Ok(None)
    }
}
