//! Mails that clients request: links to confirm an address or to set a new password.

use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::letters::TeamLinks;
use flagship_actions::mail::token::new_link_token;
use flagship_store::accounts::{self, Account, OfAddress};
use flagship_store::mail::{self, Draft, Kind, LINK_MS, Purpose, Token};
use flagship_store::{Lock, StoreError};

use crate::net::address::Sharer;
use crate::net::permits::Permit;
use crate::node::common::Common;

/// A requested mail. It is written after the response, whose time thus reveals nothing.
pub struct MailRequest {
    pub email: Email,
    pub purpose: Purpose,
    pub network: String,
    /// Without one the mail is in that of the first team.
    pub language: Option<Language>,
    /// Held until the mail is queued.
    pub _permit: Permit<Sharer>,
}

impl MailRequest {
    /// Queues one mail with the links of all teams of the address that need one, or else of its
    /// unconfirmed accounts. Without any it queues a blank mail, so that the time of the
    /// transaction does not reveal it. Strangers can make unconfirmed accounts, so these get tokens
    /// also where no mail has them: otherwise they would make a known address the quicker one.
    pub async fn queue(&self, node: &Common) -> Result<(), StoreError> {
        let context = node.mail_context();
        let mut tx = node.db.begin(Lock::Accounts).await?;
        let now_ms = node.clock.now_ms();
        let (email, network) = (self.email.as_str(), &self.network);
        let OfAddress { teams, waiting } =
            accounts::of_address(&mut tx, email, network, now_ms).await?;
        let (of_teams, of_waiting) = (self.links(&teams), self.links(&waiting));
        let linked = if teams.is_empty() { &of_waiting } else { &of_teams };
        let linked_accounts = if teams.is_empty() { &waiting } else { &teams };
        let kept = linked_accounts.first().and_then(|it| Language::kept(it.language.as_deref()));
        let letters = context.in_language(self.language.or(kept));
        let draft = match linked.iter().all(TeamLinks::is_empty) {
            true => Draft::blank(self.email.as_str()),
            false => letters.links(&self.email, self.purpose, linked),
        };
        let asked = node.mail_cause(Kind::Asked(self.purpose), &self.network);
        let cause = match &linked_accounts[..] {
            [account] => asked.about(account.id),
            _ => asked,
        };
        if mail::queue(&mut tx, &draft, cause, now_ms).await?.is_some() {
            let accounts = teams.iter().zip(&of_teams).chain(waiting.iter().zip(&of_waiting));
            let of_account = |(account, links)| tokens(account, links, now_ms);
            let tokens: Vec<Token<'_>> = accounts.flat_map(of_account).collect();
            mail::keep_tokens(&mut tx, &tokens).await?;
        }
        tx.commit().await
    }

    fn links(&self, accounts: &[Account]) -> Vec<TeamLinks> {
        let of_account = |account: &Account| TeamLinks {
            team: account.name.clone(),
            confirm: account.confirmed_at_ms.is_none().then(new_link_token),
            reset: (self.purpose == Purpose::Reset).then(new_link_token),
        };
        accounts.iter().map(of_account).collect()
    }
}

/// The tokens of a team's links.
fn tokens<'a>(
    account: &Account,
    links: &'a TeamLinks,
    now_ms: i64,
) -> impl Iterator<Item = Token<'a>> + use<'a> {
    // Those of an unconfirmed account end with it.
    let lapses_at_ms = account.created_at_ms + accounts::UNCONFIRMED_MS;
    let expires_at_ms =
        if account.confirmed_at_ms.is_some() { now_ms + LINK_MS } else { lapses_at_ms };
    let account_id = account.id;
    let links = [(&links.confirm, Purpose::Confirm), (&links.reset, Purpose::Reset)];
    links.into_iter().filter_map(move |(token, purpose)| {
        let token = token.as_deref()?;
        Some(Token { token, account_id, purpose, expires_at_ms })
    })
}
