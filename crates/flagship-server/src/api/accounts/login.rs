//! Logging in and out. An unknown name and an incorrect password give the same response in the same
//! time.

use axum::extract::State;
use axum::http::HeaderMap;
use flagship_actions::mail::language::Language;
use flagship_game::{TeamId, name};
use flagship_store::Lock;
use flagship_store::accounts::{self, Account};
use flagship_store::sessions::{self, SessionOrigin};
use flagship_store::sightings::Kind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admission::admit;
use super::browser::browser;
use crate::api::error::ApiError;
use crate::api::extract::{ClientLanguage, EmptyBody, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::limits::accounts as limits;
use crate::node::passwords::Permit;
use crate::node::sessions::{Team, new_token};

/// Credentials of a team.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// Team name.
    team: String,
    /// Password.
    password: String,
    /// Token from the captcha widget.
    captcha_token: String,
}

/// Result of a login.
#[derive(Serialize, ToSchema)]
pub struct LoginAnswer {
    /// Token for the `X-Api-Key` header, valid for 48 hours.
    pub(super) token: String,
}

/// Logs a team in and returns a token. From then on, the team's emails use the client's language.
#[utoipa::path(post, path = "/login", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = LoginAnswer), (status = 401), (status = 403), (status = 429)))]
pub async fn login(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    headers: HeaderMap,
    Json(request): Json<LoginRequest>,
) -> Result<axum::Json<LoginAnswer>, ApiError> {
    let LoginRequest { team, password, captcha_token } = request;
    let account = account_by_name(&accounts, &client, &team, &captcha_token, password).await?;
    if account.confirmed_at_ms.is_none() {
        return Err(ApiError::UNCONFIRMED);
    }
    if account.waits() {
        return Err(ApiError::WAITING);
    }
    let (token, hash) = (new_token(), account.password_hash.as_deref().unwrap_or_default());
    let origin = origin(&accounts, &client, &headers);
    let now_ms = accounts.clock.now_ms();
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let session = sessions::log_in(&mut tx, &token, account.id, hash, &origin, now_ms).await?;
    let session = session.ok_or(ApiError::LOGIN)?;
    accounts::set_mail_language_in(&mut tx, &account, language.map(Language::code)).await?;
    tx.commit().await?;
    accounts.sessions.add(session);
    let network = accounts.sightings.network(&client);
    accounts.sightings.note(TeamId(account.id), Kind::Login, None, network);
    Ok(axum::Json(LoginAnswer { token }))
}

/// Returns the account with this name, confirmed or not, if the captcha and password are correct.
pub async fn account_by_name(
    accounts: &Accounts,
    client: &ClientNetwork,
    team: &str,
    captcha_token: &str,
    password: String,
) -> Result<Account, ApiError> {
    let typed = limits::login_name(team);
    accounts.limits.check_recent_rejection(typed, client, accounts.clock.now_ms())?;
    let permit = admit(accounts, client, captcha_token).await?;
    let keys = name::keys(typed);
    let account = {
        let _permit = accounts.account_reads.acquire().await.expect("it is never closed");
        accounts::by_name(&accounts.db, typed, &keys).await?
    };
    let account = account.filter(|account| !account.has_lapsed(accounts.clock.now_ms()));
    let who = limits::login_subject(account.as_ref().map(|account| account.id), &keys);
    let verifying = verify(accounts, permit, account, password);
    count_failures(accounts, &who, typed, client, verifying).await
}

/// Returns the origin of a session, as far as the event stores it.
pub fn origin(accounts: &Accounts, client: &ClientNetwork, headers: &HeaderMap) -> SessionOrigin {
    let network = accounts.sightings.network(client).map(|it| it.to_string());
    SessionOrigin { network, browser: browser(headers) }
}

/// Runs a check of a password or of a join card's code, and counts it if it fails. One limit
/// applies to logins, account changes and cards together. `who` comes from
/// [`limits::login_subject`]; `typed` is the input of the name field.
pub async fn count_failures<T>(
    accounts: &Accounts,
    who: &str,
    typed: &str,
    client: &ClientNetwork,
    verifying: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let attempt = accounts.attempt_login(who, typed, client).await?;
    let verified = verifying.await;
    if matches!(verified, Err(ApiError::LOGIN | ApiError::LINK)) {
        accounts.activity.failed_login();
    } else {
        attempt.give_back().await;
    }
    verified
}

/// Returns the account, confirmed or not, if the password is correct and the team is not banned.
pub async fn verify(
    accounts: &Accounts,
    permit: Permit,
    account: Option<Account>,
    password: String,
) -> Result<Account, ApiError> {
    let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
    let is_right = accounts.passwords.verify(permit, password, hash).await?;
    let account = account.filter(|_| is_right).ok_or(ApiError::LOGIN)?;
    let contest = accounts.feed.latest();
    match contest.team(TeamId(account.id)) {
        // Only a client with the correct password learns of the ban.
        Some(team) if team.banned => Err(ApiError::BANNED),
        _ => Ok(account),
    }
}

/// An empty response.
#[derive(Serialize, ToSchema)]
pub struct Empty {}

/// Ends the session of the token permanently.
#[utoipa::path(post, path = "/logout", tag = "accounts",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Empty)))]
pub async fn logout(
    State(accounts): Part<Accounts>,
    team: Team,
    _: EmptyBody,
) -> Result<axum::Json<Empty>, ApiError> {
    let _permit = accounts.logouts.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    sessions::revoke(&accounts.db, &team.token_hash, accounts.clock.now_ms()).await?;
    accounts.sessions.revoke(&team.token_hash);
    Ok(axum::Json(Empty {}))
}
