//! A team signs up. Nothing tells whether an address is known: its owner hears of it by mail.

use axum::extract::State;
use axum::http::StatusCode;
use flagship_game::TeamName;
use flagship_store::accounts::{self, NewAccount, Signup};
use flagship_store::lane::Op;
use flagship_store::mail::{self, Purpose};
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
    let name = TeamName::parse(&request.team_name)?;
    if is_reserved(&app, &name) {
        return Err(ApiError::NAME_RESERVED);
    }
    let email = Email::parse(&request.email).ok_or(ApiError::EMAIL)?;
    if !is_country(&request.country) {
        return Err(ApiError::COUNTRY);
    }
    passwords::check(rules, &request.password, name.as_str())?;
    let place = app.admit(&request.captcha_token).await?;
    let attempt = app.limits.sign_up(&client, app.clock.now_ms())?;
    let shared = app.attempt_signup(&client).await?;
    let password_hash = Some(app.passwords.hash(place, request.password).await?);
    let new = NewAccount {
        name,
        email: email.as_str().to_owned(),
        country: request.country,
        password_hash,
        student: request.student_team,
    };
    let signed_up = record(&app, &new, &email).await?;
    if let Signup::NameTaken = signed_up {
        // Whoever looks for a free name has not used the network's share.
        attempt.into_iter().for_each(super::limits::Attempt::give_back);
        shared.give_back().await;
        return Err(ApiError::NAME_TAKEN);
    }
    app.mailer.wake();
    if rules.confirm_email {
        return Ok((StatusCode::CREATED, axum::Json(CHECK_MAIL)));
    }
    if let Signup::Created(account) = signed_up {
        app.run(Op::Join { account }).await?;
    }
    Ok((StatusCode::CREATED, axum::Json(LOG_IN)))
}

/// Whether a name is kept for the organizers: `admin` and its like, those of the settings, and the
/// event's own.
fn is_reserved(app: &App, name: &TeamName) -> bool {
    let contest = app.contest();
    let event = contest.event().map(|event| event.name.as_str());
    let own = app.config().settings.registration.reserved_names.iter().map(String::as_str);
    name.is_reserved(own.chain(event))
}

/// Keeps the account and queues its mail, both or neither.
async fn record(app: &App, new: &NewAccount, email: &Email) -> Result<Signup, StoreError> {
    let settings = &app.config().settings;
    let needs_link = settings.registration.confirm_email;
    let house = House::of(app);
    let token = links::new_token();
    let mut tx = app.db.begin(Lock::Accounts).await?;
    let now_ms = app.clock.now_ms();
    let signed_up = accounts::sign_up(&mut tx, new, needs_link, now_ms).await?;
    let (account, draft) = match &signed_up {
        Signup::NameTaken => return Ok(signed_up),
        Signup::Created(id) => {
            (Some(*id), needs_link.then(|| house.welcome(email, new.name.as_str(), &token)))
        }
        Signup::EmailUsed(known) => {
            let unconfirmed = known.confirmed_at_ms.is_none();
            let token = unconfirmed.then_some(token.as_str());
            let draft = house.address_used(email, &known.name, token);
            (unconfirmed.then_some(known.id), Some(draft))
        }
    };
    if let Some(draft) = draft {
        let per_hour_max = settings.limits.mails_per_address_per_hour;
        // Strangers' signups must not use up what the owner's own wish for a link needs.
        let kept = u32::from(matches!(signed_up, Signup::EmailUsed(_)));
        let share = mail::Share { per_hour_max, kept };
        let queued = mail::queue(&mut tx, &draft, share, now_ms).await?;
        if let Some(account) = account.filter(|_| queued) {
            mail::keep_token(&mut tx, &token, account, Purpose::Confirm, now_ms).await?;
        }
    }
    tx.commit().await?;
    Ok(signed_up)
}
