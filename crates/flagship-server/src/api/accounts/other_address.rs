//! Changing the address of an unconfirmed signup, so that after a typo the team's name is not
//! blocked for a day.

use axum::extract::State;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::token::new_link_token;
use flagship_store::accounts::{self, Account, TeamOfEmail};
use flagship_store::mail::{self, Kind};
use flagship_store::{Lock, addresses};
use serde::Deserialize;
use utoipa::ToSchema;

use super::admission::new_address;
use super::{links, login};
use crate::api::error::{ApiError, Message};
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;

const SENT: Message = Message { message: "We sent a new link to this address." };

/// A new email address for an unconfirmed signup.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OtherAddressRequest {
    /// Team name.
    team_name: String,
    /// Password from the signup.
    password: String,
    /// New email address, at most 254 characters.
    email: String,
    /// Token from the captcha widget.
    captcha_token: String,
}

/// Sends the confirmation link of an unconfirmed signup to another address. The link sent to the
/// previous address becomes invalid. If the new address already belongs to a team, the response is
/// the same and the email says so.
#[utoipa::path(post, path = "/signup/address", tag = "accounts", operation_id = "other_address",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = Message), (status = 401), (status = 403), (status = 409),
        (status = 429)))]
pub async fn other_address(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    Json(request): Json<OtherAddressRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let email = new_address(&accounts, &request.email)?;
    let OtherAddressRequest { team_name, password, captcha_token, .. } = request;
    let account =
        login::account_by_name(&accounts, &client, &team_name, &captcha_token, password).await?;
    if account.confirmed_at_ms.is_some() {
        return Err(ApiError::CONFIRMED);
    }
    accounts.count(&accounts.limits.requested_mail(&client)).await?;
    send(&accounts, &client, &account, &email, language).await?;
    Ok(axum::Json(SENT))
}

/// Queues the email and updates the signup in one transaction. The work is the same whether or not
/// the address belongs to a team.
async fn send(
    accounts: &Accounts,
    client: &ClientNetwork,
    account: &Account,
    email: &Email,
    spoken: Option<Language>,
) -> Result<(), ApiError> {
    let (context, token) = (accounts.mail_context(), new_link_token());
    let network = links::network_digest(accounts, client);
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let now_ms = tx.now_ms(&accounts.clock).await?;
    let language = spoken.or(Language::kept(account.language.as_deref()));
    let draft = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // No email contains the token, so the account expires.
        Some(TeamOfEmail { name, language: kept }) => {
            let language = Language::kept(kept.as_deref()).or(language);
            context.in_language(language).address_used(email, &name)
        }
        None => {
            let letters = context.in_language(language);
            match account.waits() {
                true => letters.welcome_waiting(email, &account.name, &token),
                false => letters.welcome(email, &account.name, &token),
            }
        }
    };
    accounts::set_mail_language_in(&mut tx, account, spoken.map(Language::code)).await?;
    let cause = accounts.mail_cause(Kind::Signup, &network).about(account.id);
    if mail::queue(&mut tx, &draft, cause, now_ms).await?.is_some() {
        let moved = addresses::correct(&mut tx, account, email.as_str(), &token, now_ms).await?;
        if !moved {
            return Err(ApiError::CONFIRMED);
        }
    }
    tx.commit().await?;
    accounts.mailer.wake();
    Ok(())
}
