//! Mailed links: requesting one, and using one. A link works once, does one thing, and logs nobody
//! in.

use axum::extract::State;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::token::token_of_code;
use flagship_game::TeamId;
use flagship_store::Lock;
use flagship_store::accounts;
use flagship_store::mail::{Purpose, SHARER_DIGITS};
use flagship_store::ops::{self, Actor, Op, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admit::{account_of_link, stops_a_change};
use crate::api::error::{ApiError, Message};
use crate::api::extract::{Json, Part, Spoken};
use crate::net::address::{ClientNetwork, Sharer, TrustedNetwork};
use crate::node::accounts::Accounts;
use crate::node::mail::requests::MailRequest;
use crate::node::passwords;

const CONFIRMED: Message = Message { message: "Your team is confirmed. You can log in now." };
const PASSWORD_SET: Message = Message { message: "The new password is set. You can log in now." };
const STOPPED: Message = Message {
    message: "The change is stopped: this is your team's address. All are logged out. Set a new \
              password now.",
};
const RESENT: Message =
    Message { message: "If a team of this address waits for it, a new link is on its way." };
const SENT: Message =
    Message { message: "If this address has a team, a link for a new password is on its way." };

/// The token of a confirmation link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// What follows `#` in the link.
    pub(super) token: String,
}

/// The token of a reset link, and what to set.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// What follows `#` in the link, or the code that an organizer told.
    token: String,
    /// The new password, under the rules of the signup.
    password: String,
}

/// Whom to mail.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmailRequest {
    /// The address of the signup.
    email: String,
}

/// A team that is confirmed.
#[derive(Serialize, ToSchema)]
pub struct Confirmed {
    /// What comes next.
    message: &'static str,
    /// The team's name, with which it logs in.
    team: String,
}

/// Confirms a team's address by the token of the mailed link.
#[utoipa::path(post, path = "/confirm", tag = "accounts",
    responses((status = 200, body = Confirmed), (status = 410), (status = 429)))]
pub async fn confirm(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Json(ConfirmRequest { token }): Json<ConfirmRequest>,
) -> Result<axum::Json<Confirmed>, ApiError> {
    // Only a token that seems valid goes to the lane, whose decision is final.
    let account = account_of_link(&accounts, &client, &token, Purpose::Confirm).await?;
    let actor = Actor::Team(TeamId(account.id));
    match accounts.lane.run(Op::Confirm { token }.by(actor)).await? {
        Outcome::Confirm(Ok(_)) => {
            Ok(axum::Json(Confirmed { message: CONFIRMED.message, team: account.name }))
        }
        _ => Err(ApiError::LINK),
    }
}

/// Sets a new password by the token of the mailed link, and ends the team's sessions.
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
    // Counts unless it sets a password: hanging up while it is hashed keeps the link.
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

/// Stops the change of an address by the token that the address before was mailed, and ends the
/// team's sessions and links. If the change was final already, the password is void as well.
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

/// Mails a new confirmation link, if a team of this address waits for one.
#[utoipa::path(post, path = "/resend", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "The language of mails")),
    responses((status = 200, body = Message), (status = 429)))]
pub async fn resend(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    spoken: Spoken,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&accounts, &client, spoken, &request.email, Purpose::Confirm)?;
    Ok(axum::Json(RESENT))
}

/// Mails a link that sets a new password, if this address has a team.
#[utoipa::path(post, path = "/forgot", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "The language of mails")),
    responses((status = 200, body = Message), (status = 429)))]
pub async fn forgot(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    spoken: Spoken,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&accounts, &client, spoken, &request.email, Purpose::Reset)?;
    Ok(axum::Json(SENT))
}

/// The language is that of this mail alone: anyone can ask.
fn ask(
    accounts: &Accounts,
    client: &ClientNetwork,
    Spoken(language): Spoken,
    email: &str,
    purpose: Purpose,
) -> Result<(), ApiError> {
    let email = Email::parse(email).ok_or(ApiError::EMAIL)?;
    let _permit = accounts.mailer.permit(client)?;
    accounts.limits.ask_for_mail(client, accounts.clock.now_ms())?;
    let network = network_digest(accounts, client);
    accounts.mailer.request(MailRequest { email, purpose, network, language, _permit })?;
    Ok(())
}

/// The digests that stand in the database for a network and for what shares its mails of an hour:
/// an IPv6 /48, or a trusted network as a whole.
pub fn network_digest(accounts: &Accounts, client: &ClientNetwork) -> String {
    let digest = |network: &str| {
        let mut mac = accounts.config.key.mac("network", &[network]);
        mac.truncate(SHARER_DIGITS);
        mac
    };
    let sharer = match client.sharer() {
        Sharer::Site(site) => site.to_string(),
        Sharer::Trusted(TrustedNetwork(first, bits)) => format!("{first}/{bits}"),
    };
    digest(&sharer) + &digest(&client.network.to_string())
}
