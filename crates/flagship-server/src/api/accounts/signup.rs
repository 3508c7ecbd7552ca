//! Signup. The response does not reveal whether an email address is known; its owner learns that by
//! email.

use axum::extract::State;
use axum::http::StatusCode;
use flagship_actions::is_country;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::language::Language;
use flagship_actions::mail::token::{new_link_token, token_of_code};
use flagship_game::division::{self, DivisionChoice, DivisionId};
use flagship_game::{ReservedNames, TeamName};
use flagship_pack::{Registration, SignupAnswer, SignupCodes, SignupPhase, signup_answers};
use flagship_store::accounts::{self, NewAccount, TeamOfEmail, signup_codes};
use flagship_store::desk::divisions;
use flagship_store::desk::signup_answers::Answer;
use flagship_store::mail::{self, Kind, LINK_MS, Purpose, Token};
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::signups::{self, Signup, SignupDetails, waiting_list};
use flagship_store::{Lock, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::admission::admit;
use super::divisions::DivisionCode;
use super::links;
use crate::api::error::ApiError;
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::passwords::{self, Permit};

const CHECK_MAIL: &str = "Team created, check your email for a verification link!";
const LOG_IN: &str = "Team created, you can log in now!";
const CHECK_MAIL_WAITING: &str =
    "Your team is on the waiting list, check your email for a verification link!";
const WAIT: &str = "Your team is on the waiting list. We will send an email when it gets a place.";

/// Result of a signup.
#[derive(Serialize, ToSchema)]
pub struct SignedUp {
    /// Message for people, in one sentence.
    message: &'static str,
    /// True if the event is full and the team is on the waiting list; otherwise missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    waiting: Option<bool>,
}

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
    /// Signup code, in any case, with or without hyphens. Ignored if the event uses none.
    #[serde(default)]
    code: String,
    /// Answers to the questions in `registration.fields` of `/ctf`, by their IDs: texts, or `true`
    /// and `false` for a consent.
    #[serde(default)]
    #[schema(value_type = HashMap<String, Value>)]
    fields: Map<String, Value>,
    /// True if all members of the team are students. If a division has `student = true`, the team
    /// joins it.
    #[serde(default)]
    student_team: bool,
    /// IDs of divisions to join, at most one of each group.
    #[serde(default)]
    divisions: Vec<String>,
    /// Code for the divisions that need one, or an object with a code for each division ID.
    #[serde(default)]
    division_code: DivisionCode,
}

fn no_country() -> String {
    "UN".to_owned()
}

/// Registers a team. It can play once its email address is confirmed. While the event is full, the
/// team goes to the waiting list, if there is one.
#[utoipa::path(post, path = "/signup", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 201, body = SignedUp), (status = 403), (status = 409), (status = 429)))]
pub async fn signup(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    Json(request): Json<SignupRequest>,
) -> Result<(StatusCode, axum::Json<SignedUp>), ApiError> {
    let settings = accounts.settings.load_full();
    let rules = &settings.registration;
    let now_ms = accounts.clock.now_ms();
    match rules.phase(now_ms) {
        SignupPhase::Open => {}
        SignupPhase::NotOpen => return Err(ApiError::NOT_OPEN),
        SignupPhase::Closed => return Err(ApiError::CLOSED),
    }
    let permit = admit(&accounts, &client, &request.captcha_token).await?;
    let name = TeamName::parse(&request.team_name)?;
    let email = Email::of_team(&request.email, rules.local_addresses)?;
    if !is_country(&request.country) {
        return Err(ApiError::COUNTRY);
    }
    passwords::check(rules, &request.password, name.as_str())?;
    let attempt = accounts.attempt(&accounts.limits.signup(&client)).await?;
    let network = links::network_digest(&accounts, &client);
    let checked = details(&accounts, rules, &request, &email, network).await;
    let (details, divisions) = match checked {
        Ok(checked) => checked,
        Err(refused) => {
            // A wrong code of a division counts, so that codes cannot be guessed.
            if refused != ApiError::DIVISION_CODE {
                attempt.give_back().await;
            }
            return Err(refused);
        }
    };
    if is_reserved(&accounts, &name) {
        attempt.give_back().await;
        return Err(ApiError::NAME_RESERVED);
    }
    let new = NewAccount {
        name,
        email: email.as_str().to_owned(),
        country: request.country,
        password_hash: None,
        student: divisions.is_student,
        divisions: divisions.ids,
        language: language.map(|it| it.code().to_owned()),
    };
    let must_confirm = rules.confirm_email.then_some(&email);
    let signed_up = create(&accounts, permit, request.password, new, must_confirm, details).await;
    if !signed_up.as_ref().is_ok_and(|signed_up| signed_up.account_id().is_some()) {
        // Neither a duplicate name nor an overloaded server counts toward the network's limit.
        attempt.give_back().await;
    }
    let signed_up = answer(signed_up?, rules.confirm_email)?;
    accounts.places.changed().await;
    if rules.confirm_email {
        accounts.mailer.wake();
        accounts.activity.signup();
    }
    Ok((StatusCode::CREATED, axum::Json(signed_up)))
}

/// Returns the response to a signup.
fn answer(signed_up: Signup, confirm_email: bool) -> Result<SignedUp, ApiError> {
    let (message, waiting) = match (signed_up, confirm_email) {
        (Signup::Created(_), true) => (CHECK_MAIL, None),
        (Signup::Created(_), false) => (LOG_IN, None),
        (Signup::Waiting(_), true) => (CHECK_MAIL_WAITING, Some(true)),
        (Signup::Waiting(_), false) => (WAIT, Some(true)),
        (Signup::CodeInvalid, _) => return Err(ApiError::SIGNUP_CODE),
        (Signup::NameTaken, _) => return Err(ApiError::NAME_TAKEN),
        (Signup::AddressFull, _) => return Err(ApiError::ADDRESS_FULL),
        (Signup::Full, _) => return Err(ApiError::FULL),
    };
    Ok(SignedUp { message, waiting })
}

/// Checks the code, the domain of the email address, the answers and the divisions of a signup.
async fn details(
    accounts: &Accounts,
    rules: &Registration,
    request: &SignupRequest,
    email: &Email,
    network: String,
) -> Result<(SignupDetails, Divisions), ApiError> {
    let code = signup_code(accounts, rules.codes, &request.code).await?;
    if !rules.allows_domain(email.domain()) {
        return Err(ApiError::EMAIL_DOMAIN);
    }
    let answers = signup_answers(&rules.fields, &request.fields);
    let answers = answers.map_err(|_| ApiError::WRONG_SHAPE)?;
    let stored = |SignupAnswer { field, value, label }: SignupAnswer| {
        let value = value.to_string();
        Answer { field, value, label }
    };
    let answers = answers.into_iter().map(stored).collect();
    let divisions = divisions(accounts, request, email).await?;
    Ok((SignupDetails { network, code, answers }, divisions))
}

/// Divisions of a signup.
struct Divisions {
    ids: Vec<DivisionId>,
    /// True if all members of the team are students.
    is_student: bool,
}

async fn divisions(
    accounts: &Accounts,
    request: &SignupRequest,
    email: &Email,
) -> Result<Divisions, ApiError> {
    let is_student = request.student_team;
    if !is_student && request.divisions.is_empty() {
        return Ok(Divisions { ids: Vec::new(), is_student });
    }
    let rules = divisions::rules(&accounts.db, &accounts.seal).await?;
    let ids = request.divisions.clone();
    let codes = request.division_code.clone().into();
    let choice = DivisionChoice { ids, codes, is_student };
    let ids = division::choose(&rules, &[], &choice, email.domain())?;
    let student = rules.iter().find(|it| it.division.student);
    let is_student = student.map_or(is_student, |it| ids.contains(it.id()));
    Ok(Divisions { ids, is_student })
}

/// Returns the normalized code of a signup; `None` if the signup uses none. Unknown, used and
/// revoked codes get the same error.
async fn signup_code(
    accounts: &Accounts,
    codes: SignupCodes,
    typed: &str,
) -> Result<Option<String>, ApiError> {
    let is_missing = typed.trim().is_empty();
    match codes {
        SignupCodes::None => return Ok(None),
        SignupCodes::Optional if is_missing => return Ok(None),
        SignupCodes::Optional | SignupCodes::Required => {}
    }
    let code = token_of_code(typed).ok_or(ApiError::SIGNUP_CODE)?;
    let now_ms = accounts.clock.now_ms();
    match signup_codes::is_valid(&accounts.db, &code, now_ms).await? {
        true => Ok(Some(code)),
        false => Err(ApiError::SIGNUP_CODE),
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
    details: SignupDetails,
) -> Result<Signup, ApiError> {
    new.password_hash = Some(accounts.passwords.hash(permit, password).await?);
    if let Some(email) = must_confirm {
        return Ok(record(accounts, &new, email, &details).await?);
    }
    let op = Op::SignUp { account: new, details, capacity: accounts.places.capacity() };
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
    details: &SignupDetails,
) -> Result<Signup, StoreError> {
    let (context, token) = (accounts.mail_context(), new_link_token());
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    // Uses the same clock as confirmations, so a name that expires here cannot be confirmed.
    let now_ms = tx.now_ms(&accounts.clock).await?;
    // The newest fold of this node: only hidden and banned teams are read from it.
    let (capacity, contest) = (accounts.places.capacity(), accounts.feed.latest());
    let admission = waiting_list::admission_in(&mut tx, capacity, &contest, now_ms).await?;
    let signed_up = signups::sign_up(&mut tx, new, details, admission, now_ms).await?;
    let Some(id) = signed_up.account_id() else { return Ok(signed_up) };
    let language = Language::kept(new.language.as_deref());
    let draft = match accounts::team_of_email(&mut tx, email.as_str()).await? {
        // No email contains the token, so the new account expires.
        Some(TeamOfEmail { name, language: kept }) => {
            let language = Language::kept(kept.as_deref()).or(language);
            context.in_language(language).address_used(email, &name)
        }
        None => {
            let letters = context.in_language(language);
            let name = new.name.as_str();
            match signed_up {
                Signup::Waiting(_) => letters.welcome_waiting(email, name, &token),
                _ => letters.welcome(email, name, &token),
            }
        }
    };
    let cause = accounts.mail_cause(Kind::Signup, &details.network).about(id);
    if mail::queue(&mut tx, &draft, cause, now_ms).await?.is_some() {
        let purpose = Purpose::Confirm;
        let expires_at_ms = now_ms + LINK_MS;
        let token = Token { token: &token, account_id: id, purpose, expires_at_ms };
        mail::keep_tokens(&mut tx, &[token]).await?;
    }
    tx.commit().await?;
    Ok(signed_up)
}
