//! Mailed links: asking for one, and what it does when it is followed by a click. A link does
//! one thing, once, and logs nobody in.

use std::net::IpAddr;

use axum::extract::State;
use data_encoding::BASE64URL_NOPAD;
use flagship_store::accounts::{self, Account};
use flagship_store::lane::{Op, Outcome};
use flagship_store::mail::{self, Cause, Draft, Kind, LINK_MS, Purpose};
use flagship_store::{Lock, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Email;
use super::letters::{House, TeamLinks};
use crate::app::App;
use crate::error::{ApiError, Message};
use crate::extract::{ClientNetwork, Json};
use crate::places::Place;
use crate::{passwords, schema};

/// Teams of one address whose links go into a mail.
const TEAMS_PER_MAIL_MAX: usize = 100;

const CONFIRMED: Message = Message { message: "Your team is confirmed. You can log in now." };
const PASSWORD_SET: Message = Message { message: "The new password is set. You can log in now." };
const RESENT: Message =
    Message { message: "If a team of this address waits for it, a new link is on its way." };
const SENT: Message =
    Message { message: "If this address has a team, a link for a new password is on its way." };

/// The token of a confirmation link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// What follows `#` in the link.
    token: String,
}

/// The token of a reset link, and what to set.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// What follows `#` in the link.
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

/// A mail that was asked for. It is written after the answer, which so tells nothing.
pub struct Ask {
    email: Email,
    purpose: Purpose,
    network: String,
    _place: Place<IpAddr>,
}

/// A token for a link: 256 bits of chance.
pub fn new_token() -> String {
    BASE64URL_NOPAD.encode(&rand::random::<[u8; 32]>())
}

/// Confirms a team's address by the token of the mailed link.
#[utoipa::path(post, path = "/confirm", tag = "accounts", request_body = ConfirmRequest,
    responses((status = 200, body = Message), (status = 400, body = schema::Error),
        (status = 410, body = schema::Error), (status = 415, body = schema::Error),
        (status = 422, body = schema::Error), (status = 429, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn confirm(
    State(app): State<App>,
    client: ClientNetwork,
    Json(ConfirmRequest { token }): Json<ConfirmRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    // Only a token that seems good is worth a place in the lane, which has the last word.
    app.account_of_link(&client, &token, Purpose::Confirm).await?;
    match app.run(Op::Confirm { token }).await? {
        Outcome::Done(Ok(_)) => Ok(axum::Json(CONFIRMED)),
        _ => Err(ApiError::LINK),
    }
}

/// Sets a new password by the token of the mailed link, and ends the team's sessions.
#[utoipa::path(post, path = "/reset", tag = "accounts", request_body = ResetRequest,
    responses((status = 200, body = Message), (status = 400, body = schema::Error),
        (status = 410, body = schema::Error), (status = 415, body = schema::Error),
        (status = 422, body = schema::Error), (status = 429, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn reset(
    State(app): State<App>,
    client: ClientNetwork,
    Json(ResetRequest { token, password }): Json<ResetRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    let account = app.account_of_link(&client, &token, Purpose::Reset).await?;
    let rules = &app.config().settings.registration;
    passwords::check(rules, &password, &account.name)
        .inspect_err(|_| app.refused_links.note(&client, app.clock.now_ms()))?;
    let hash = app.passwords.hash(app.passwords.place(&client)?, password).await?;
    let mut tx = app.db.begin(Lock::Accounts).await?;
    if !accounts::reset_password(&mut tx, &token, &hash, app.clock.now_ms()).await? {
        return Err(ApiError::LINK);
    }
    tx.commit().await?;
    app.sessions.follow(&app.db).await?;
    Ok(axum::Json(PASSWORD_SET))
}

/// Mails a new confirmation link, if a team of this address waits for one.
#[utoipa::path(post, path = "/resend", tag = "accounts", request_body = EmailRequest,
    responses((status = 200, body = Message), (status = 400, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn resend(
    State(app): State<App>,
    client: ClientNetwork,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&app, &client, &request.email, Purpose::Confirm)?;
    Ok(axum::Json(RESENT))
}

/// Mails a link that sets a new password, if this address has a team.
#[utoipa::path(post, path = "/forgot", tag = "accounts", request_body = EmailRequest,
    responses((status = 200, body = Message), (status = 400, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn forgot(
    State(app): State<App>,
    client: ClientNetwork,
    Json(request): Json<EmailRequest>,
) -> Result<axum::Json<Message>, ApiError> {
    ask(&app, &client, &request.email, Purpose::Reset)?;
    Ok(axum::Json(SENT))
}

fn ask(app: &App, client: &ClientNetwork, email: &str, purpose: Purpose) -> Result<(), ApiError> {
    let email = Email::parse(email).ok_or(ApiError::EMAIL)?;
    let place = app.mailer.place(client)?;
    app.limits.ask_for_mail(client, app.clock.now_ms())?;
    let network = network_digest(app, client);
    app.mailer.ask(Ask { email, purpose, network, _place: place })
}

impl Ask {
    /// Queues one mail with the links of all teams of the address that have a use for one. Without
    /// such a team the mail is blank: whoever waits for the writer must not learn of it.
    pub async fn answer(&self, app: &App) -> Result<(), StoreError> {
        let house = House::of(app);
        let mut tx = app.db.begin(Lock::Accounts).await?;
        let now_ms = app.clock.now_ms();
        accounts::forget_lapsed(&mut tx, now_ms).await?;
        let found = accounts::by_email_in(&mut tx, self.email.as_str(), &self.network).await?;
        let found: Vec<Account> =
            found.into_iter().filter(|it| self.concerns(it)).take(TEAMS_PER_MAIL_MAX).collect();
        let teams: Vec<TeamLinks> = found.iter().map(|account| self.links(account)).collect();
        let draft = match teams.is_empty() {
            true => Draft::blank(self.email.as_str()),
            false => house.links(&self.email, self.purpose, &teams),
        };
        let cause = cause(app, Kind::Asked(self.purpose), &self.network);
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
            confirm: account.confirmed_at_ms.is_none().then(new_token),
            reset: (self.purpose == Purpose::Reset).then(new_token),
        }
    }
}

/// What a network is called where budgets and accounts keep it.
pub fn network_digest(app: &App, client: &ClientNetwork) -> String {
    app.config().key.mac("network", &[&client.network.to_string()])
}

/// What a mail is counted under.
pub fn cause<'a>(app: &App, kind: Kind, network: &'a str) -> Cause<'a> {
    Cause { kind, network, per_hour_max: app.config().settings.limits.mails_per_address_per_hour }
}
