//! Admission checks before a password check or the use of a link. A request rejected here
//! costs neither a transaction nor a password hash.

use data_encoding::BASE64URL_NOPAD;
use flagship_store::accounts::{self, Account};
use flagship_store::mail::Purpose;
use flagship_store::{StoreError, addresses};

use crate::api::error::ApiError;
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::error::NodeError;
use crate::node::passwords::Permit;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::token::{LINK_TOKEN_BYTES, token_of_code};

/// Exchanges a captcha token for a permit to check a password.
pub async fn admit(
    accounts: &Accounts,
    client: &ClientNetwork,
    captcha_token: &str,
) -> Result<Permit, ApiError> {
    let now_ms = accounts.clock.now_ms();
    accounts.refused_captchas.begin(client, now_ms)?;
    let captcha = accounts.services.load().captcha.clone();
    let admitted = captcha.admit(&accounts.passwords, client, captcha_token, now_ms).await;
    if !matches!(admitted, Err(NodeError::Captcha)) {
        accounts.refused_captchas.give_back(client);
    }
    Ok(admitted?)
}

/// Returns the account of an emailed token that is valid for `purpose`.
pub async fn account_of_link(
    accounts: &Accounts,
    client: &ClientNetwork,
    token: &str,
    purpose: Purpose,
) -> Result<Account, ApiError> {
    if token_of_code(token).is_none_or(|it| it != token) {
        check_link(token)?;
    }
    let now_ms = accounts.clock.now_ms();
    look_up(accounts, client, accounts::by_token(&accounts.db, token, purpose, now_ms)).await
}

/// Returns the account of a join card, given the token in its link.
pub async fn account_of_card(
    accounts: &Accounts,
    client: &ClientNetwork,
    token: &str,
) -> Result<Account, ApiError> {
    check_link(token)?;
    let now_ms = accounts.clock.now_ms();
    look_up(accounts, client, accounts::by_card(&accounts.db, token, now_ms)).await
}

/// Fails unless an emailed token stops the change of an address.
pub async fn stops_a_change(
    accounts: &Accounts,
    client: &ClientNetwork,
    token: &str,
) -> Result<(), ApiError> {
    check_link(token)?;
    let now_ms = accounts.clock.now_ms();
    let found = async { Ok(addresses::is_stop(&accounts.db, token, now_ms).await?.then_some(())) };
    look_up(accounts, client, found).await
}

/// Returns the account whose address an emailed token changes.
pub async fn account_of_address(
    accounts: &Accounts,
    client: &ClientNetwork,
    token: &str,
) -> Result<Account, ApiError> {
    check_link(token)?;
    let now_ms = accounts.clock.now_ms();
    look_up(accounts, client, addresses::asking(&accounts.db, token, now_ms)).await
}

/// Fails unless a token has the format of link tokens.
fn check_link(token: &str) -> Result<(), ApiError> {
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).map_err(|_| ApiError::LINK)?;
    if bytes.len() == LINK_TOKEN_BYTES { Ok(()) } else { Err(ApiError::LINK) }
}

/// Looks up a token. A token that is not found counts as rejected because it costs a read.
async fn look_up<T>(
    accounts: &Accounts,
    client: &ClientNetwork,
    found: impl Future<Output = Result<Option<T>, StoreError>>,
) -> Result<T, ApiError> {
    let _permit = accounts.links_waiting.acquire(client).map_err(NodeError::from)?;
    accounts.refused_links.begin(client, accounts.clock.now_ms())?;
    let found = {
        let _reading = accounts.link_read.lock().await;
        found.await
    };
    if !matches!(found, Ok(None)) {
        accounts.refused_links.give_back(client);
    }
    found?.ok_or(ApiError::LINK)
}

/// Parses an email address that replaces another, under the same rules as at signup.
pub fn new_address(accounts: &Accounts, text: &str) -> Result<Email, ApiError> {
    let settings = accounts.settings.load_full();
    let email = Email::of_team(text, settings.registration.local_addresses)?;
    if settings.registration.allows_domain(email.domain()) {
        Ok(email)
    } else {
        Err(ApiError::EMAIL_DOMAIN)
    }
}
