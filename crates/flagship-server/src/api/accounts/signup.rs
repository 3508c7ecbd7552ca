//! Signup. The response does not reveal whether an email address is known; its owner learns that by
//! email.

use axum::extract::State;
use axum::http::StatusCode;
use flagship_actions::is_country;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::token::new_link_token;
use flagship_game::{ReservedNames, TeamName};
use flagship_store::accounts::{self, NewAccount, Signup, TeamOfEmail};
use flagship_store::mail::{self, Kind, LINK_MS, Purpose, Token};
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::{Lock, StoreError};
use serde::Deserialize;
use utoipa::ToSchema;

use super::admission::admit;
use super::links;
use crate::api::error::{ApiError, Message};
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::passwords::{self, Permit};

const CHECK_MAIL: Message =
    Message { message: "Team created, check your email for a verification link!" };
const LOG_IN: Message = Message { message: "Team created, you can log in now!" };

/// A signup.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignupRequest {
    /// Team name of 3 to 25 characters after trimming, which must not look like another team's.
    team_name: String,
    /// Email address, at most 254 characters.
    email: String,
    /// Two-letter country code; `UN` for none.
    #[serde(default = "no_country")]
    country: String,
    /// Password, of the minimum length in `/ctf` and at most 128 characters.
    password: String,
    /// Token from the captcha widget.
    captcha_token: String,
    /// True if all members of the team are students.
    #[serde(default)]
    student_team: bool,
}

fn no_country() -> String {
    "UN".to_owned()
}

/// Registers a team. It can play once its email address is confirmed.
#[utoipa::path(post, path = "/signup", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 201, body = Message), (status = 403), (status = 409), (status = 429)))]
pub async fn signup(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    Json(request): Json<SignupRequest>,
) -> Result<(StatusCode, axum::Json<Message>), ApiError> {
    let settings = accounts.settings.load_full();
    let rules = &settings.registration;
    if !rules.open {
        return Err(ApiError::CLOSED);
    }
    accounts.refused_captchas.check(&client, accounts.clock.now_ms())?;
    let name = TeamName::parse(&request.team_name)?;
    let email = Email::of_team(&request.email, rules.local_addresses)?;
    if !is_country(&request.country) {
        return Err(ApiError::COUNTRY);
    }
    passwords::check(rules, &request.password, name.as_str())?;
    let permit = admit(&accounts, &client, &request.captcha_token).await?;
    let attempt = accounts.attempt(&accounts.limits.signup(&client)).await?;
    if is_reserved(&accounts, &name) {
        attempt.give_back().await;
        return Err(ApiError::NAME_RESERVED);
    }
    let new = NewAccount {
        name,
        email: email.as_str().to_owned(),
        country: request.country,
        password_hash: None,
        student: request.student_team,
        language: language.map(|it| it.code().to_owned()),
    };
    let must_confirm = rules.confirm_email.then_some(&email);
    let network = links::network_digest(&accounts, &client);
    let signed_up = create(&accounts, permit, request.password, new, must_confirm, network).await;
    if !matches!(signed_up, Ok(Signup::Created(_))) {
        // Neither a duplicate name nor an overloaded server counts toward the network's limit.
        attempt.give_back().await;
    }
    match signed_up? {
        Signup::Created(_) if rules.confirm_email => {
            accounts.mailer.wake();
            accounts.activity.signup();
            Ok((StatusCode::CREATED, axum::Json(CHECK_MAIL)))
        }
        Signup::Created(_) => Ok((StatusCode::CREATED, axum::Json(LOG_IN))),
        Signup::NameTaken => Err(ApiError::NAME_TAKEN),
        Signup::AddressFull => Err(ApiError::ADDRESS_FULL),
    }
}

/// True if a name is reserved for the organizers: `admin` and similar names, the names in the
/// settings, and the name of the event.
fn is_reserved(accounts: &Accounts, name: &TeamName) -> bool {
    let contest = accounts.feed.latest();
    let event = contest.event().map(|event| event.name.as_str());
    let settings = accounts.settings.load();
    let more = settings.registration.reserved_names.iter().map(String::as_str);
    ReservedNames::new(more.chain(event)).contains(name)
}

/// Hashes the password and creates the account. `must_confirm` is the email address if it requires
/// confirmation.
async fn create(
    accounts: &Accounts,
    permit: Permit,
    password: String,
    mut new: NewAccount,
    must_confirm: Option<&Email>,
    network: String,
) -> Result<Signup, ApiError> {
    new.password_hash = Some(accounts.passwords.hash(permit, password).await?);
    if let Some(email) = must_confirm {
        return Ok(record(accounts, &new, email, &network).await?);
    }
    let op = Op::SignUp { account: new, network };
    match accounts.lane.run(op.by(Actor::Visitor)).await? {
        Outcome::SignUp(signed_up) => Ok(signed_up),
        _ => Err(ApiError::INTERNAL),
    }
}

/// Creates the account and queues its email in one transaction. The work is the same whether or not
/// the address belongs to a team; only the text of the email differs.
async fn record(
    accounts: &Accounts,
    new: &NewAccount,
    email: &Email,
    network: &str,
) -> Result<Signup, StoreError> {
    let (context, token) = (accounts.mail_context(), new_link_token());
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    // Uses the same clock as confirmations, so a name that expires here cannot be confirmed.
    let now_ms = tx.now_ms(&accounts.clock).await?;
    let signed_up = accounts::sign_up(&mut tx, new, network, now_ms).await?;
    let Signup::Created(id) = signed_up else { return Ok(signed_up) };
    let language = Language::kept(new.language.as_deref());
    let draft = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // No email contains the token, so the new account expires.
        Some(TeamOfEmail { name, language: kept }) => {
            let language = Language::kept(kept.as_deref()).or(language);
            context.in_language(language).address_used(email, &name)
        }
        None => context.in_language(language).welcome(email, new.name.as_str(), &token),
    };
    let cause = accounts.mail_cause(Kind::Signup, network).about(id);
    if mail::queue(&mut tx, &draft, cause, now_ms).await?.is_some() {
        let purpose = Purpose::Confirm;
        let expires_at_ms = now_ms + LINK_MS;
        let token = Token { token: &token, account_id: id, purpose, expires_at_ms };
        mail::keep_tokens(&mut tx, &[token]).await?;
    }
    tx.commit().await?;
    Ok(signed_up)
}
