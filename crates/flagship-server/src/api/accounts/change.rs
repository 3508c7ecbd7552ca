//! What a team changes with its present password: the password, and the address, which counts once
//! the link is used that was mailed there. A token alone changes neither.

use axum::extract::State;
use axum::http::HeaderMap;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::token::new_link_token;
use flagship_game::name;
use flagship_store::Lock;
use flagship_store::accounts::{self, Account, Shown, TeamOfEmail};
use flagship_store::mail::{self, Kind};
use flagship_store::ops::{self, OwnError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admit::account_of_address;
use super::links::{self, ConfirmRequest};
use super::login::{self, counted, verify};
use crate::api::error::{ApiError, Message};
use crate::api::extract::{Json, Part, Spoken};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::limits::accounts as limits;
use crate::node::passwords;
use crate::node::sessions::{Team, new_token};

const CHANGED: &str =
    "The new password is set. Everyone else who was logged in as your team is logged out.";
const ASKED: Message = Message {
    message: "A link is on its way, unless many went there within the hour. Mails go to the \
              present address.",
};
const CONFIRMED: Message =
    Message { message: "From now on, your team's mails go to this address." };

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordRequest {
    /// The present password.
    password: String,
    /// The new one, under the rules of the signup.
    new_password: String,
}

/// What a new password gives.
#[derive(Serialize, ToSchema)]
pub struct PasswordAnswer {
    /// What it did.
    message: &'static str,
    /// For the header `X-Api-Key`, in place of the token of before; good for 48 hours.
    token: String,
}

/// Another address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressRequest {
    /// The present password.
    password: String,
    /// The new address, of at most 254 characters.
    email: String,
}

/// Sets a new password. Every session of the team ends, also the one that asks, which goes on with
/// the token of the answer; and so do the links that were mailed to it.
#[utoipa::path(post, path = "/account/password", tag = "accounts", operation_id = "own_password",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = PasswordAnswer), (status = 403), (status = 429)))]
pub async fn password(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    headers: HeaderMap,
    team: Result<Team, ApiError>,
    Json(PasswordRequest { password, new_password }): Json<PasswordRequest>,
) -> Result<axum::Json<PasswordAnswer>, ApiError> {
    let team = team?;
    let account = own(&accounts, &team).await?;
    passwords::check(&accounts.settings.load_full().registration, &new_password, &account.name)?;
    let account = prove(&accounts, &client, account, password).await?;
    let permit = accounts.passwords.permit(&client)?;
    let hash = accounts.passwords.hash(permit, new_password).await?;
    let (token, marks) = (new_token(), login::marks(&accounts, &client, &headers));
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let (proof, now_ms) = (shown(&account, &team), accounts.clock.now_ms());
    if !proof.set_password(&mut tx, &hash, (&token, &marks), now_ms).await? {
        return Err(ApiError::UNAUTHORIZED);
    }
    tx.commit().await?;
    accounts.sessions.follow(&accounts.db).await?;
    Ok(axum::Json(PasswordAnswer { message: CHANGED, token }))
}

/// Mails a link to another address, with which the team's mails go there, and tells the present
/// one. An address that has a team gets the same answer and a mail that says so.
#[utoipa::path(post, path = "/account/email", tag = "accounts", operation_id = "own_email",
    params(("X-Api-Key" = String, Header, description = "A team's token"),
        ("Accept-Language" = Option<String>, Header, description = "The language of mails")),
    responses((status = 200, body = Message), (status = 403), (status = 409), (status = 429)))]
pub async fn email(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Spoken(language): Spoken,
    team: Result<Team, ApiError>,
    Json(AddressRequest { password, email }): Json<AddressRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let team = team?;
    let local_addresses = accounts.settings.load_full().registration.local_addresses;
    let email = Email::of_team(&email, local_addresses)?;
    let account = own(&accounts, &team).await?;
    let account = prove(&accounts, &client, account, password).await?;
    match account.email.as_str() {
        "" => return Err(ApiError::NO_ADDRESS),
        present if present == email.as_str() => return Err(ApiError::UNCHANGED),
        _ => {}
    }
    accounts.limits.ask_for_mail(&client, accounts.clock.now_ms())?;
    ask(&accounts, &client, &team, &account, &email, language).await?;
    Ok(axum::Json(ASKED))
}

/// Makes the address a team's to which the link was mailed. The one before can take that back for
/// a day.
#[utoipa::path(post, path = "/address", tag = "accounts",
    responses((status = 200, body = Message), (status = 410), (status = 429)))]
pub async fn address(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Json(ConfirmRequest { token }): Json<ConfirmRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let account = account_of_address(&accounts, &client, &token).await?;
    let (was, stop) = (account.email.as_str(), new_link_token());
    let context = accounts.mail_context();
    let letters = context.in_language(Language::kept(account.language.as_deref()));
    let warning = letters.address_confirmed(was, &account.name, &stop);
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let (now_ms, warning) = (accounts.clock.now_ms(), (&warning, stop.as_str()));
    let done = ops::confirm_address(&mut tx, &accounts.seal, &token, was, warning, now_ms).await?;
    done.map_err(|error| match error {
        OwnError::Ended => ApiError::LINK,
        OwnError::TooOften => error.into(),
    })?;
    tx.commit().await?;
    accounts.mailer.wake();
    Ok(axum::Json(CONFIRMED))
}

/// The team's account.
async fn own(accounts: &Accounts, team: &Team) -> Result<Account, ApiError> {
    // Not in the queue of all teams' reads: a stolen password is changed in a hurry.
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    accounts::by_id(&accounts.db, team.id.0).await?.ok_or(ApiError::UNAUTHORIZED)
}

fn shown<'a>(account: &'a Account, team: &'a Team) -> Shown<'a> {
    let password_hash = account.password_hash.as_deref().unwrap_or_default();
    Shown { account_id: account.id, password_hash, session: &team.token_hash }
}

/// The account, if the password is right. Wrong ones count as failed logins do.
async fn prove(
    accounts: &Accounts,
    client: &ClientNetwork,
    account: Account,
    password: String,
) -> Result<Account, ApiError> {
    let (name, id) = (account.name.clone(), account.id);
    let typed = limits::typed(&name);
    accounts.limits.refused_before(typed, client, accounts.clock.now_ms())?;
    let permit = accounts.passwords.permit(client)?;
    let who = limits::whose(Some(id), &name::keys(&name));
    let verifying = verify(accounts, permit, Some(account), password);
    counted(accounts, &who, typed, client, verifying).await.map_err(|error| match error {
        ApiError::LOGIN => ApiError::PASSWORD_WRONG,
        other => other,
    })
}

/// Queues both mails and keeps the token of the link in one transaction. The work is the same
/// whether or not the address has a team; only the text of the mail differs.
async fn ask(
    accounts: &Accounts,
    client: &ClientNetwork,
    team: &Team,
    account: &Account,
    email: &Email,
    spoken: Option<Language>,
) -> Result<(), ApiError> {
    let (context, token) = (accounts.mail_context(), new_link_token());
    let network = links::network_digest(accounts, client);
    let cause = |kind| accounts.mail_cause(kind, &network).about(account.id);
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let now_ms = tx.now_ms(&accounts.clock).await?;
    let known = shown(account, team).account_in(&mut tx, now_ms).await?;
    let known = known.filter(|it| it.email == account.email).ok_or(ApiError::UNAUTHORIZED)?;
    // Not the one that is spoken now: whoever knows the password must not choose in which language
    // the address before is warned.
    let language = Language::kept(known.language.as_deref()).or(spoken);
    let letters = context.in_language(language);
    let letter = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // No mail contains the token, so the link is never used.
        Some(TeamOfEmail { name, language: kept }) => {
            let language = Language::kept(kept.as_deref()).or(language);
            context.in_language(language).asked_address_used(email, &name)
        }
        None => letters.asked_address(email, &known.name, &token),
    };
    accounts::speak_in(&mut tx, &known, spoken.map(Language::code)).await?;
    let is_queued = mail::queue(&mut tx, &letter, cause(Kind::Address), now_ms).await?.is_some();
    let new = email.as_str();
    let waits = mail::asked_address_in(&mut tx, account.id, now_ms).await?;
    // Without another mail, the link that was mailed there before stays good. What the team is
    // shown to wait for does not say whether the address has had too many mails.
    if is_queued || waits.as_deref() != Some(new) {
        mail::keep_address_token(&mut tx, &token, known.id, new, now_ms).await?;
    }
    let told = letters.address_asked(&known.email, &known.name);
    mail::queue(&mut tx, &told, cause(Kind::Told), now_ms).await?;
    tx.commit().await?;
    accounts.mailer.wake();
    Ok(())
}
