//! A team signs up. Nothing tells whether an address is known: its owner hears of it by mail.

use axum::extract::State;
use axum::http::StatusCode;
use flagship_game::TeamName;
use flagship_store::accounts::{self, NewAccount, Signup};
use flagship_store::lane::{Op, Outcome};
use flagship_store::mail::{self, Kind, LINK_MS, Purpose};
use flagship_store::{Lock, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;

use super::letters::House;
use super::{Email, is_country, links};
use crate::app::App;
use crate::error::{ApiError, Message};
use crate::extract::{ClientNetwork, Json};
use crate::{passwords, schema};

const CHECK_MAIL: Message =
    Message { message: "Team created, check your email for a verification link!" };
const LOG_IN: Message = Message { message: "Team created, you can log in now!" };

/// A team that wants to play.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignupRequest {
    /// 3 to 25 characters after trimming; unlike any other team's.
    team_name: String,
    /// At most 254 characters.
    email: String,
    /// A code of the shared list; `UN` without one.
    #[serde(default = "no_country")]
    country: String,
    /// At least as long as `/ctf` says, at most 128 characters.
    password: String,
    /// What the captcha's widget gave.
    captcha_token: String,
    /// Whether the team consists of students alone.
    #[serde(default)]
    student_team: bool,
}

fn no_country() -> String {
    "UN".to_owned()
}

/// Signs a team up; it plays once its address is confirmed.
#[utoipa::path(post, path = "/signup", tag = "accounts", request_body = SignupRequest,
    responses((status = 201, body = schema::Error), (status = 400, body = schema::Error),
        (status = 403, body = schema::Error), (status = 409, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn signup(
    State(app): State<App>,
    client: ClientNetwork,
    Json(request): Json<SignupRequest>,
) -> Result<(StatusCode, axum::Json<Message>), ApiError> {
    let rules = &app.config().settings.registration;
    if !rules.open {
        return Err(ApiError::CLOSED);
    }
    app.refused_captchas.check(&client, app.clock.now_ms())?;
    let name = TeamName::parse(&request.team_name)?;
    let email = Email::parse(&request.email)
        .filter(|email| rules.local_addresses || email.is_public())
        .ok_or(ApiError::EMAIL)?;
    if !is_country(&request.country) {
        return Err(ApiError::COUNTRY);
    }
    passwords::check(rules, &request.password, name.as_str())?;
    let place = app.admit(&client, &request.captcha_token).await?;
    let attempts = app.limits.sign_up(&client, app.clock.now_ms())?;
    if is_reserved(&app, &name) {
        attempts.into_iter().for_each(super::limits::Attempt::give_back);
        return Err(ApiError::NAME_RESERVED);
    }
    let shared = app.attempt_signup(&client).await?;
    let password_hash = Some(app.passwords.hash(place, request.password).await?);
    let new = NewAccount {
        name,
        email: email.as_str().to_owned(),
        country: request.country,
        password_hash,
        student: request.student_team,
    };
    let network = links::network_digest(&app, &client);
    let signed_up = match rules.confirm_email {
        true => record(&app, &new, &email, &network).await?,
        false => match app.run(Op::SignUp { account: new, network }).await? {
            Outcome::SignUp(signed_up) => signed_up,
            _ => return Err(ApiError::INTERNAL),
        },
    };
    let refused = match signed_up {
        Signup::Created(_) if rules.confirm_email => {
            app.mailer.wake();
            return Ok((StatusCode::CREATED, axum::Json(CHECK_MAIL)));
        }
        Signup::Created(_) => return Ok((StatusCode::CREATED, axum::Json(LOG_IN))),
        Signup::NameTaken => ApiError::NAME_TAKEN,
        Signup::AddressFull => ApiError::ADDRESS_FULL,
    };
    // Whoever looks for a free name has not used the network's share.
    attempts.into_iter().for_each(super::limits::Attempt::give_back);
    shared.give_back().await;
    Err(refused)
}

/// Whether a name is kept for the organizers: `admin` and its like, those of the settings, and the
/// event's own.
fn is_reserved(app: &App, name: &TeamName) -> bool {
    let contest = app.contest();
    let event = contest.event().map(|event| event.name.as_str());
    let own = app.config().settings.registration.reserved_names.iter().map(String::as_str);
    name.is_reserved(own.chain(event))
}

/// Keeps the account and queues its mail, both or neither. What is done is the same whether the
/// address has a team or not; only the text of the mail differs, and its reader.
async fn record(
    app: &App,
    new: &NewAccount,
    email: &Email,
    network: &str,
) -> Result<Signup, StoreError> {
    let (house, token) = (House::of(app), links::new_token());
    let mut tx = app.db.begin(Lock::Accounts).await?;
    let now_ms = app.clock.now_ms();
    let signed_up = accounts::sign_up(&mut tx, new, network, now_ms).await?;
    let Signup::Created(id) = signed_up else { return Ok(signed_up) };
    let draft = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // Its token is in no mail: the account lapses.
        Some(team) => house.address_used(email, &team),
        None => house.welcome(email, new.name.as_str(), &token),
    };
    if mail::queue(&mut tx, &draft, links::cause(app, Kind::Signup, network), now_ms).await? {
        mail::keep_token(&mut tx, &token, id, Purpose::Confirm, now_ms + LINK_MS).await?;
    }
    tx.commit().await?;
    Ok(signed_up)
}
