//! Mails that clients request: links to confirm an address or to set a new password.

use flagship_store::accounts::{self, Account};
use flagship_store::mail::{self, Draft, Kind, LINK_MS, Purpose};
use flagship_store::{Lock, StoreError};

use super::address::Email;
use super::letters::TeamLinks;
use super::outbox::{Outbox, new_link_token};
use crate::net::address::Sharer;
use crate::net::permits::Permit;

/// Most teams of one address whose links go into one mail.
const TEAMS_PER_MAIL_MAX: usize = 100;

/// A requested mail. It is written after the response, whose time thus reveals nothing.
pub struct MailRequest {
    email: Email,
    purpose: Purpose,
    network: String,
    _permit: Permit<Sharer>,
}

impl MailRequest {
    /// A request that holds `permit` until it is queued.
    pub fn new(email: Email, purpose: Purpose, network: String, permit: Permit<Sharer>) -> Self {
        Self { email, purpose, network, _permit: permit }
    }

    /// Queues one mail with the links of all teams of the address that need one. Without such a
    /// team it queues a blank mail, so that the time of the transaction does not reveal it.
    pub async fn queue(&self, outbox: &Outbox) -> Result<(), StoreError> {
        let context = outbox.context();
        let mut tx = outbox.db.begin(Lock::Accounts).await?;
        let now_ms = outbox.clock.now_ms();
        accounts::forget_lapsed(&mut tx, now_ms).await?;
        let found = accounts::by_email_in(&mut tx, self.email.as_str(), &self.network).await?;
        let found: Vec<Account> =
            found.into_iter().filter(|it| self.concerns(it)).take(TEAMS_PER_MAIL_MAX).collect();
        let teams: Vec<TeamLinks> = found.iter().map(|account| self.links(account)).collect();
        let draft = match teams.is_empty() {
            true => Draft::blank(self.email.as_str()),
            false => context.links(&self.email, self.purpose, &teams),
        };
        let cause = outbox.cause(Kind::Asked(self.purpose), &self.network);
        if mail::queue(&mut tx, &draft, cause, now_ms).await? {
            for (account, links) in found.iter().zip(&teams) {
                let lapses_at_ms = account.created_at_ms + accounts::UNCONFIRMED_MS;
                for (token, purpose, expires_at_ms) in [
                    (&links.confirm, Purpose::Confirm, lapses_at_ms),
                    (&links.reset, Purpose::Reset, now_ms + LINK_MS),
                ] {
                    if let Some(token) = token {
                        mail::keep_token(&mut tx, token, account.id, purpose, expires_at_ms)
                            .await?;
                    }
                }
            }
        }
        tx.commit().await
    }

    fn concerns(&self, account: &Account) -> bool {
        self.purpose == Purpose::Reset || account.confirmed_at_ms.is_none()
    }

    fn links(&self, account: &Account) -> TeamLinks {
        TeamLinks {
            team: account.name.clone(),
            confirm: account.confirmed_at_ms.is_none().then(new_link_token),
            reset: (self.purpose == Purpose::Reset).then(new_link_token),
        }
    }
}
