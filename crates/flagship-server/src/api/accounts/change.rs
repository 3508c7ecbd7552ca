//! Account changes that require the team's current password: the password itself, and the email
//! address, which changes once the team uses the link sent to it. A token is not enough for either.

use axum::extract::State;
use axum::http::HeaderMap;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::token::new_link_token;
use flagship_game::name;
use flagship_store::Lock;
use flagship_store::accounts::{self, Account, TeamOfEmail, VerifiedPassword};
use flagship_store::mail::{self, Kind};
use flagship_store::ops::{self, OwnError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admission::{account_of_address, new_address};
use super::links::{self, ConfirmRequest};
use super::login::{self, count_failures, verify};
use crate::api::error::{ApiError, Message};
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::limits::accounts as limits;
use crate::node::passwords;
use crate::node::sessions::{Team, new_token};

const CHANGED: &str = "Password changed. All other sessions of your team were logged out.";
const ASKED: Message = Message {
    message: "We sent a confirmation link, unless that address received too many in the last \
        hour. Until it is confirmed, emails go to your current address.",
};
const CONFIRMED: Message = Message { message: "Your team's emails now go to this address." };

/// A password change.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordRequest {
    /// Current password.
    password: String,
    /// New password, under the same rules as for signup.
    new_password: String,
}

/// Result of a password change.
#[derive(Serialize, ToSchema)]
pub struct PasswordAnswer {
    /// Message for people, in one sentence.
    message: &'static str,
    /// New token for the `X-Api-Key` header, valid for 48 hours. It replaces the token of the
    /// request.
    token: String,
}

/// A change of the email address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddressRequest {
    /// Current password.
    password: String,
    /// New email address, at most 254 characters.
    email: String,
}

/// Changes the team's password. All sessions of the team end and all links emailed to it become
/// invalid. The calling client continues with the token in the response.
#[utoipa::path(post, path = "/account/password", tag = "accounts", operation_id = "own_password",
    params(("X-Api-Key" = String, Header, description = "Team token")),
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
    let (token, origin) = (new_token(), login::origin(&accounts, &client, &headers));
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let (proof, now_ms) = (verified_password(&account, &team), accounts.clock.now_ms());
    if !proof.set_password(&mut tx, &hash, (&token, &origin), now_ms).await? {
        return Err(ApiError::UNAUTHORIZED);
    }
    tx.commit().await?;
    accounts.sessions.follow(&accounts.db).await?;
    Ok(axum::Json(PasswordAnswer { message: CHANGED, token }))
}

/// Emails a confirmation link to the new address and a warning to the current one. Once the link is
/// used, the team's emails go to the new address. If the address already belongs to a team, the
/// response is the same and the email says so.
#[utoipa::path(post, path = "/account/email", tag = "accounts", operation_id = "own_email",
    params(("X-Api-Key" = String, Header, description = "Team token"),
        ("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = Message), (status = 403), (status = 409), (status = 429)))]
pub async fn email(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    team: Result<Team, ApiError>,
    Json(AddressRequest { password, email }): Json<AddressRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let team = team?;
    let email = new_address(&accounts, &email)?;
    let account = own(&accounts, &team).await?;
    let account = prove(&accounts, &client, account, password).await?;
    match account.email.as_str() {
        "" => return Err(ApiError::NO_ADDRESS),
        present if present == email.as_str() => return Err(ApiError::UNCHANGED),
        _ => {}
    }
    accounts.count(&accounts.limits.requested_mail(&client)).await?;
    ask(&accounts, &client, &team, &account, &email, language).await?;
    Ok(axum::Json(ASKED))
}

/// Confirms a new email address with the token of the emailed link. The previous address can cancel
/// the change for one day.
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

/// Returns the team's account.
async fn own(accounts: &Accounts, team: &Team) -> Result<Account, ApiError> {
    // This bypasses the queue shared by all teams' reads, because a stolen password must be changed
    // quickly.
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    accounts::by_id(&accounts.db, team.id.0).await?.ok_or(ApiError::UNAUTHORIZED)
}

fn verified_password<'a>(account: &'a Account, team: &'a Team) -> VerifiedPassword<'a> {
    let password_hash = account.password_hash.as_deref().unwrap_or_default();
    VerifiedPassword { account_id: account.id, password_hash, session: &team.token_hash }
}

/// Returns the account if the password is correct. Incorrect passwords count as failed logins.
async fn prove(
    accounts: &Accounts,
    client: &ClientNetwork,
    account: Account,
    password: String,
) -> Result<Account, ApiError> {
    let (name, id) = (account.name.clone(), account.id);
    let typed = limits::login_name(&name);
    accounts.limits.check_recent_rejection(typed, client, accounts.clock.now_ms())?;
    let permit = accounts.passwords.permit(client)?;
    let who = limits::login_subject(Some(id), &name::keys(&name));
    let verifying = verify(accounts, permit, Some(account), password);
    count_failures(accounts, &who, typed, client, verifying).await.map_err(|error| match error {
        ApiError::LOGIN => ApiError::PASSWORD_WRONG,
        other => other,
    })
}

/// Queues both emails and stores the token of the link in one transaction. The work is the same
/// whether or not the address belongs to a team; only the text of the email differs.
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
    let known = verified_password(account, team).account_in(&mut tx, now_ms).await?;
    let known = known.filter(|it| it.email == account.email).ok_or(ApiError::UNAUTHORIZED)?;
    // The stored language comes first: an attacker with the password must not choose the language
    // of the warning to the previous address.
    let language = Language::kept(known.language.as_deref()).or(spoken);
    let letters = context.in_language(language);
    let letter = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // No email contains the token, so the link is never used.
        Some(TeamOfEmail { name, language: kept }) => {
            let language = Language::kept(kept.as_deref()).or(language);
            context.in_language(language).asked_address_used(email, &name)
        }
        None => letters.asked_address(email, &known.name, &token),
    };
    accounts::set_mail_language_in(&mut tx, &known, spoken.map(Language::code)).await?;
    let is_queued = mail::queue(&mut tx, &letter, cause(Kind::Address), now_ms).await?.is_some();
    let new = email.as_str();
    let waits = mail::asked_address_in(&mut tx, account.id, now_ms).await?;
    // If no other email is queued, a link previously sent to this address remains valid. The
    // pending address shown to the team does not reveal whether the address has received too many
    // emails.
    if is_queued || waits.as_deref() != Some(new) {
        mail::keep_address_token(&mut tx, &token, known.id, new, now_ms).await?;
    }
    let told = letters.address_asked(&known.email, &known.name);
    mail::queue(&mut tx, &told, cause(Kind::Told), now_ms).await?;
    tx.commit().await?;
    accounts.mailer.wake();
    Ok(())
}
