//! Emails requested by clients: links that confirm an address or reset a password.

use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::letters::TeamLinks;
use flagship_actions::mail::token::new_link_token;
use flagship_store::accounts::{self, Account, AddressAccounts};
use flagship_store::mail::{self, Draft, Kind, LINK_MS, Purpose, Token};
use flagship_store::{Lock, StoreError};

use crate::net::address::ShareKey;
use crate::net::permits::Permit;
use crate::node::common::Common;

/// A requested email. Written after the response, so that the response time reveals nothing.
pub struct MailRequest {
    pub email: Email,
    pub purpose: Purpose,
    pub network: String,
    /// Language of the email. Defaults to the language of the first team.
    pub language: Option<Language>,
    /// Held until the email is queued.
    pub _permit: Permit<ShareKey>,
}

impl MailRequest {
    /// Queues one email with a link for each team of the address that needs one, or otherwise for
    /// each of its unconfirmed accounts. Without any accounts, queues a blank email, so that the
    /// duration of the transaction does not reveal this. Unconfirmed accounts always get tokens,
    /// even if no email contains them. Otherwise a stranger could create such accounts and
    /// recognize a known address by its faster request.
    pub async fn queue(&self, node: &Common) -> Result<(), StoreError> {
        let context = node.mail_context();
        let mut tx = node.db.begin(Lock::Accounts).await?;
        let now_ms = node.clock.now_ms();
        let (email, network) = (self.email.as_str(), &self.network);
        let AddressAccounts { teams, waiting } =
            accounts::for_address(&mut tx, email, network, now_ms).await?;
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

/// Returns the tokens of a team's links.
fn tokens<'a>(
    account: &Account,
    links: &'a TeamLinks,
    now_ms: i64,
) -> impl Iterator<Item = Token<'a>> + use<'a> {
    // Tokens of an unconfirmed account expire with the account.
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
