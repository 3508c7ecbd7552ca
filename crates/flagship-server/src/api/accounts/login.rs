//! Logging in and out. A wrong name and a wrong password give the same response, in equal time.

use axum::extract::State;
use axum::http::HeaderMap;
use flagship_actions::mail::language::Language;
use flagship_game::{TeamId, name};
use flagship_store::Lock;
use flagship_store::accounts::{self, Account};
use flagship_store::sessions::{self, Marks};
use flagship_store::sightings::Kind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admit::admit;
use super::browser::browser;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Nothing, Part, Spoken};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::limits::accounts as limits;
use crate::node::passwords::Permit;
use crate::node::sessions::{Team, new_token};

/// A team that wants in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// The team's name.
    team: String,
    /// Its password.
    password: String,
    /// What the captcha's widget gave.
    captcha_token: String,
}

/// A team that is in.
#[derive(Serialize, ToSchema)]
pub struct LoginAnswer {
    /// For the header `X-Api-Key`; good for 48 hours.
    token: String,
}

/// Gives a token for a name and a password. The team's mails are in the client's language then.
#[utoipa::path(post, path = "/login", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "The language of mails")),
    responses((status = 200, body = LoginAnswer), (status = 401), (status = 403), (status = 429)))]
pub async fn login(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    Spoken(language): Spoken,
    headers: HeaderMap,
    Json(request): Json<LoginRequest>,
) -> Result<axum::Json<LoginAnswer>, ApiError> {
    let LoginRequest { team, password, captcha_token } = request;
    let account = by_name(&accounts, &client, &team, &captcha_token, password).await?;
    if account.confirmed_at_ms.is_none() {
        return Err(ApiError::UNCONFIRMED);
    }
    let (token, hash) = (new_token(), account.password_hash.as_deref().unwrap_or_default());
    let marks = marks(&accounts, &client, &headers);
    let now_ms = accounts.clock.now_ms();
    let mut tx = accounts.db.begin(Lock::Accounts).await?;
    let session = sessions::log_in(&mut tx, &token, account.id, hash, &marks, now_ms).await?;
    let session = session.ok_or(ApiError::LOGIN)?;
    accounts::speak_in(&mut tx, &account, language.map(Language::code)).await?;
    tx.commit().await?;
    accounts.sessions.add(session);
    let network = accounts.sightings.network(&client);
    accounts.sightings.note(TeamId(account.id), Kind::Login, None, network);
    Ok(axum::Json(LoginAnswer { token }))
}

/// The account of a name, confirmed or not, if captcha and password are right.
pub async fn by_name(
    accounts: &Accounts,
    client: &ClientNetwork,
    team: &str,
    captcha_token: &str,
    password: String,
) -> Result<Account, ApiError> {
    let typed = limits::typed(team);
    accounts.limits.refused_before(typed, client, accounts.clock.now_ms())?;
    let permit = admit(accounts, client, captcha_token).await?;
    let keys = name::keys(typed);
    let account = {
        let _permit = accounts.account_reads.acquire().await.expect("it is never closed");
        accounts::by_name(&accounts.db, typed, &keys).await?
    };
    let account = account.filter(|account| !account.has_lapsed(accounts.clock.now_ms()));
    let who = limits::whose(account.as_ref().map(|account| account.id), &keys);
    let verifying = verify(accounts, permit, account, password);
    counted(accounts, &who, typed, client, verifying).await
}

/// Where a session begins and with what, as far as the event keeps it.
pub fn marks(accounts: &Accounts, client: &ClientNetwork, headers: &HeaderMap) -> Marks {
    let network = accounts.sightings.network(client).map(|it| it.to_string());
    Marks { network, browser: browser(headers) }
}

/// Runs a check of a password, and counts it if the password is wrong. Wrong ones have one limit,
/// whether they come with a login or with a change of the account. `who` comes from
/// [`limits::whose`], and `typed` is what was typed as the name.
pub async fn counted<T>(
    accounts: &Accounts,
    who: &str,
    typed: &str,
    client: &ClientNetwork,
    verifying: impl Future<Output = Result<T, ApiError>>,
) -> Result<T, ApiError> {
    let attempt = accounts.attempt_login(who, typed, client).await?;
    let verified = verifying.await;
    if matches!(verified, Err(ApiError::LOGIN)) {
        accounts.activity.failed_login();
    } else {
        attempt.give_back().await;
    }
    verified
}

/// The account, confirmed or not, if the password is right and the team is not banned.
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
        // Only who has the password learns of the ban.
        Some(team) if team.banned => Err(ApiError::BANNED),
        _ => Ok(account),
    }
}

/// Nothing more to say.
#[derive(Serialize, ToSchema)]
pub struct Empty {}

/// Ends the session of the token, for good.
#[utoipa::path(post, path = "/logout", tag = "accounts",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = Empty)))]
pub async fn logout(
    State(accounts): Part<Accounts>,
    team: Team,
    _: Nothing,
) -> Result<axum::Json<Empty>, ApiError> {
    let _permit = accounts.logouts.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    sessions::revoke(&accounts.db, &team.token_hash, accounts.clock.now_ms()).await?;
    accounts.sessions.revoke(&team.token_hash);
    Ok(axum::Json(Empty {}))
}
