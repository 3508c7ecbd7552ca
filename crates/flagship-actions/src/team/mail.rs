//! Emails sent by actions about a team.

use std::collections::BTreeMap;

use flagship_store::accounts::{self, Account};
use flagship_store::mail::{self, Cause, Draft, Kind, LINK_MS, Purpose, SHARER_DIGITS, Token};

use super::{HOUR_MS, all_touched};
use crate::mail::language::Language;
use crate::mail::token::new_link_token;
use crate::prelude::*;

/// Maximum number of emails per address and hour caused by organizers.
pub const MAILS_MAX: u32 = 10;
/// Maximum number of teams that actions with emails of one organizer are about, per hour. Each
/// queues one or two emails.
const ACTIONS_MAX: usize = 100;
/// Actions that send emails.
const WITH_MAILS: [&str; 3] = ["team.address", "team.resend", "team.reset"];

/// Rejects an action with emails to `teams` if the organizer would exceed the hourly limit.
pub async fn check_budget(context: &mut Context<'_>, teams: usize) -> ActionResult<()> {
    let since_ms = context.now_ms() - HOUR_MS;
    let name = context.actor().name.clone();
    let tx = context.tx();
    let count = flagship_store::actions::count_objects_in(tx, &name, &WITH_MAILS, since_ms).await?;
    match usize::try_from(count).unwrap_or(ACTIONS_MAX) + teams {
        0..=ACTIONS_MAX => Ok(()),
        _ => Err(ActionError::Mails.into()),
    }
}

fn network(account: &Account) -> String {
    format!("{:0>width$x}", account.id, width = SHARER_DIGITS).repeat(2)
}

fn cause<'a>(account: &Account, network: &'a str, per_hour_max: u32) -> Cause<'a> {
    Cause { kind: Kind::Organizer, network, per_hour_max, account_id: Some(account.id) }
}

/// Number of emails that can be queued for the account's address before its hourly limit.
async fn room(context: &mut Context<'_>, account: &Account) -> ActionResult<i64> {
    let (network, now_ms) = (network(account), context.now_ms());
    let cause = cause(account, &network, MAILS_MAX);
    Ok(mail::room(context.tx(), &account.email, cause, now_ms).await?)
}

/// Queues an email and returns its ID, unless its address has reached the hourly limit. Emails are
/// scheduled fairly between teams and networks, so that no warning waits behind emails about other
/// teams.
pub async fn send(
    context: &mut Context<'_>,
    account: &Account,
    letter: &Draft,
    per_hour_max: u32,
) -> ActionResult<i64> {
    let (network, now_ms) = (network(account), context.now_ms());
    let cause = cause(account, &network, per_hour_max);
    let sent = mail::queue(context.tx(), letter, cause, now_ms).await?;
    sent.ok_or_else(|| ActionError::Mails.into())
}

/// An email with a link.
#[derive(Default)]
pub struct Link {
    /// Address when the email was composed.
    address: String,
    letter: Option<Draft>,
    token: String,
}

impl Link {
    /// Composes the emails to these teams.
    pub async fn write_all(
        desk: &Desk,
        names: &[String],
        purpose: Purpose,
    ) -> Result<Vec<Self>, Rejection> {
        let mut links = Vec::with_capacity(names.len());
        for name in names {
            let link = Self::write(desk, name, purpose).await;
            links.push(several::prepared_of(link, name, names)?);
        }
        Ok(links)
    }

    async fn write(desk: &Desk, team: &str, purpose: Purpose) -> Result<Self, Rejection> {
        let Account { email: address, language, .. } = desk.account(team).await?;
        if address.is_empty() {
            return Err(ArgumentError::NoAddress.into());
        }
        let (mails, token) = (desk.mails(), new_link_token());
        let letters = mails.in_language(Language::kept(language.as_deref()));
        let letter = letters.organizers_link(&address, purpose, team, &token);
        Ok(Self { address, letter: Some(letter), token })
    }

    /// Sends the emails to their teams, all or none: confirmation links to unconfirmed teams, reset
    /// links to confirmed ones.
    pub async fn send_all(
        links: &[Self],
        context: &mut Context<'_>,
        names: &[String],
        purpose: Purpose,
    ) -> ActionResult<Option<Never>> {
        let accounts = all_touched(context, names).await?;
        let is_for_confirmed = purpose != Purpose::Confirm;
        for account in &accounts {
            if account.confirmed_at_ms.is_some() != is_for_confirmed {
                several::of_object(Err(ActionError::Standing.into()), &account.name, names)?;
            }
        }
        check_budget(context, names.len()).await?;
        let mut addresses: BTreeMap<&str, i64> = BTreeMap::new();
        for (account, link) in accounts.iter().zip(links) {
            if link.address != account.email {
                several::of_object(Err(ActionError::Touched.into()), &account.name, names)?;
            }
            let queued = addresses.entry(&account.email).or_default();
            if *queued >= room(context, account).await? {
                several::of_object(Err(ActionError::Mails.into()), &account.name, names)?;
            }
            *queued += 1;
        }
        for (account, link) in accounts.iter().zip(links) {
            link.send(context, account, purpose).await?;
        }
        Ok(None)
    }

    async fn send(
        &self,
        context: &mut Context<'_>,
        account: &Account,
        purpose: Purpose,
    ) -> ActionResult<()> {
        let letter = self.letter.as_ref().expect("it is written");
        send(context, account, letter, MAILS_MAX).await?;
        let expires_at_ms = match account.confirmed_at_ms {
            Some(_) => context.now_ms() + LINK_MS,
            None => account.created_at_ms + accounts::UNCONFIRMED_MS,
        };
        let token = Token { token: &self.token, account_id: account.id, purpose, expires_at_ms };
        mail::keep_tokens(context.tx(), &[token]).await?;
        Ok(())
    }
}
