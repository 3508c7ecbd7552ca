//! Emailed links: requesting and using them. A link works once, for one purpose, and does not log
//! anyone in.

use axum::extract::State;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::token::token_of_code;
use flagship_game::TeamId;
use flagship_store::Lock;
use flagship_store::accounts;
use flagship_store::mail::{Purpose, SHARER_DIGITS};
use flagship_store::ops::{self, Actor, Confirmation, Op, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admission::{account_of_link, stops_a_change};
use crate::api::error::{ApiError, Message};
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::{ClientNetwork, ShareKey, TrustedNetwork};
use crate::node::accounts::Accounts;
use crate::node::mail::requests::MailRequest;
use crate::node::passwords;

const CONFIRMED: &str = "Your team is confirmed. You can now log in.";
const CONFIRMED_WAITING: &str =
    "Email confirmed. Your team is on the waiting list and gets an email when it has a place.";
const PASSWORD_SET: Message = Message { message: "Password changed. You can now log in." };
const STOPPED: Message = Message {
    message: "The change was canceled, and this is still your team's email address. All sessions \
        were logged out. Set a new password now.",
};
const RESENT: Message =
    Message { message: "If an unconfirmed team uses this address, we sent it a new link." };
const SENT: Message = Message { message: "If a team uses this address, we sent it a reset link." };

/// Token of a confirmation link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// Part of the link after `#`.
    pub(super) token: String,
}

/// Token of a reset link, with the new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// Part of the link after `#`, or a reset code from an organizer.
    token: String,
    /// New password, under the same rules as for signup.
    password: String,
}

/// Recipient of the email.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailRequest {
    /// Email address of the team.
    email: String,
}

/// A confirmed team.
#[derive(Serialize, ToSchema)]
pub struct Confirmed {
    /// Message for people, in one sentence.
    message: &'static str,
    /// Team name to log in with.
    team: String,
    /// True if the team is on the waiting list and cannot log in yet; otherwise missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    waiting: Option<bool>,
}

/// Confirms a team's email address with the token of the emailed link. A team on the waiting list
/// can log in when it gets a place.
#[utoipa::path(post, path = "/confirm", tag = "accounts",
    responses((status = 200, body = Confirmed), (status = 410), (status = 429)))]
pub async fn confirm(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Json(ConfirmRequest { token }): Json<ConfirmRequest>,
) -> Result<axum::Json<Confirmed>, ApiError> {
    // Only a token that looks valid reaches the journal writer, which decides.
    let account = account_of_link(&accounts, &client, &token, Purpose::Confirm).await?;
    // The domains may have been set after the signup.
    let domain = account.email.rsplit('@').next().unwrap_or_default();
    if !accounts.settings.load().registration.allows_domain(domain) {
        return Err(ApiError::EMAIL_DOMAIN);
    }
    let actor = Actor::Team(TeamId(account.id));
    let capacity = accounts.places.capacity();
    match accounts.lane.run(Op::Confirm { token, capacity }.by(actor)).await? {
        Outcome::Confirm(Ok(Confirmation { waits, .. })) => {
            accounts.places.changed().await;
            let message = if waits { CONFIRMED_WAITING } else { CONFIRMED };
            let waiting = waits.then_some(true);
            Ok(axum::Json(Confirmed { message, team: account.name, waiting }))
        }
        _ => Err(ApiError::LINK),
    }
}

/// Sets a new password with the token of the emailed link and ends the team's sessions.
#[utoipa::path(post, path = "/reset", tag = "accounts",
    responses((status = 200, body = Message), (status = 410), (status = 429)))]
pub async fn reset(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Json(ResetRequest { token, password }): Json<ResetRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let token = token_of_code(&token).unwrap_or(token);
    let account = account_of_link(&accounts, &client, &token, Purpose::Reset).await?;
    let permit = accounts.passwords.permit(&client)?;
    // Counts as rejected unless it sets a password. If the client disconnects while the password is
    // hashed, the link stays valid.
    accounts.refused_links.begin(&client, accounts.clock.now_ms())?;
    passwords::check(&accounts.settings.load_full().registration, &password, &account.name)?;
    let hash = accounts.passwords.hash(permit, password).await?;
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    if !accounts::reset_password(&mut tx, &token, &hash, accounts.clock.now_ms()).await? {
        return Err(ApiError::LINK);
    }
    tx.commit().await?;
    accounts.refused_links.give_back(&client);
    accounts.sessions.follow(&accounts.db).await?;
    Ok(axum::Json(PASSWORD_SET))
}

/// Cancels a change of the email address with the token emailed to the previous address, and ends
/// the team's sessions and links. If the change was already final, the password becomes invalid as
/// well.
#[utoipa::path(post, path = "/stop", tag = "accounts",
    responses((status = 200, body = Message), (status = 410), (status = 429)))]
pub async fn stop(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Json(ConfirmRequest { token }): Json<ConfirmRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    stops_a_change(&accounts, &client, &token).await?;
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    if !ops::stop_address(&mut tx, &accounts.seal, &token, accounts.clock.now_ms()).await? {
        return Err(ApiError::LINK);
    }
    tx.commit().await?;
    accounts.sessions.follow(&accounts.db).await?;
    Ok(axum::Json(STOPPED))
}

/// Emails a new confirmation link if an unconfirmed team uses this address.
#[utoipa::path(post, path = "/resend", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = Message), (status = 429)))]
pub async fn resend(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    spoken: ClientLanguage,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&accounts, &client, spoken, &request.email, Purpose::Confirm).await?;
    Ok(axum::Json(RESENT))
}

/// Emails a reset link if a team uses this address.
#[utoipa::path(post, path = "/forgot", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = Message), (status = 429)))]
pub async fn forgot(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    spoken: ClientLanguage,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&accounts, &client, spoken, &request.email, Purpose::Reset).await?;
    Ok(axum::Json(SENT))
}

/// The language applies only to this email, since anyone can request it.
async fn ask(
    accounts: &Accounts,
    client: &ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    email: &str,
    purpose: Purpose,
) -> Result<(), ApiError> {
    let email = Email::parse(email).ok_or(ApiError::EMAIL)?;
    let _permit = accounts.mailer.permit(client)?;
    accounts.count(&accounts.limits.requested_mail(client)).await?;
    let network = network_digest(accounts, client);
    accounts.mailer.request(MailRequest { email, purpose, network, language, _permit })?;
    Ok(())
}

/// Returns the digests stored for a network and for the unit that shares its hourly email limit: an
/// IPv6 /48, or an entire trusted network.
pub fn network_digest(accounts: &Accounts, client: &ClientNetwork) -> String {
    let digest = |network: &str| {
        let mut mac = accounts.config.key.mac("network", &[network]);
        mac.truncate(SHARER_DIGITS);
        mac
    };
    let sharer = match client.share_key() {
        ShareKey::Site(site) => site.to_string(),
        ShareKey::Trusted(TrustedNetwork(first, bits)) => format!("{first}/{bits}"),
    };
    digest(&sharer) + &digest(&client.network.to_string())
}
