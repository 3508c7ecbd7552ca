//! A team's own account: its stored data, country, members and sessions. Changes that require the
//! password are in `change`.

use axum::extract::State;
use flagship_actions::is_country;
use flagship_game::name;
use flagship_store::desk::members as people;
use flagship_store::ops::{Actor, Op, Outcome, OwnError};
use flagship_store::sessions::{self, ActiveSession, SESSION_MS};
use flagship_store::{accounts, mail};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::login::Empty;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Part};
use crate::node::accounts::Accounts;
use crate::node::sessions::Team;

/// Digits of a session ID: a prefix of the digest of its token, which is not secret.
const ID_DIGITS: usize = 16;
/// Value of `Retry-After` for a team that has reached a limit on account changes, in seconds.
const TOO_OFTEN_RETRY_S: u64 = 3_600;

/// The team's own account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnAccount {
    /// Team name.
    team_name: String,
    /// Two-letter country code.
    country: String,
    /// Email address of the team.
    email: String,
    /// Requested email address, until its confirmation link is used.
    new_email: Option<String>,
    /// Names of the team members, visible only to organizers.
    members: Vec<String>,
    /// Maximum number of member names; 0 if the event does not ask for them.
    members_max: usize,
    /// IDs of the team's public divisions.
    divisions: Vec<String>,
    /// Active sessions, newest first.
    sessions: Vec<OwnSession>,
}

/// A session of the team. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnSession {
    /// Session ID.
    id: String,
    /// Start of the session.
    begun_at: i64,
    /// Time of the last request, which can lag by up to six minutes.
    seen_at: i64,
    /// Network from which the session started, if stored.
    network: Option<String>,
    /// Browser and operating system that started the session, if known.
    browser: Option<String>,
    /// True for the session of this request.
    is_current: bool,
}

/// A change of country.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CountryRequest {
    /// Two-letter country code.
    country: String,
}

/// A change of the team members.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MembersRequest {
    /// Names of the members, at most 60 characters each. They replace all previous names.
    members: Vec<String>,
}

/// A session to end.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// Session ID.
    id: String,
}

/// Returns the team's own account with its sessions.
#[utoipa::path(get, path = "/account", tag = "accounts", operation_id = "own_account",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = OwnAccount)))]
pub async fn account(
    State(accounts): Part<Accounts>,
    team: Team,
) -> Result<axum::Json<OwnAccount>, ApiError> {
    let _permit = accounts.own_views.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    let _reading = accounts.own_reads.acquire().await.expect("it is never closed");
    let (id, now_ms) = (team.id.0, accounts.clock.now_ms());
    let mut tx = accounts.db.snapshot().await?;
    let account = accounts::by_id_in(&mut tx, id).await?.ok_or(ApiError::UNAUTHORIZED)?;
    let living = sessions::active_in(&mut tx, id, now_ms).await?;
    let shown = |it: ActiveSession| {
        let begun_at = it.expires_at_ms - SESSION_MS;
        let noted = it.seen_at_ms.unwrap_or(begun_at);
        OwnSession {
            id: id_of(&it).to_owned(),
            is_current: it.token_hash == team.token_hash,
            seen_at: accounts.sessions.seen_at_ms(&it.token_hash).unwrap_or(noted).max(noted),
            network: it.network,
            browser: it.browser,
            begun_at,
        }
    };
    let contest = accounts.feed.latest();
    let divisions = contest.team(team.id).map(|team| contest.divisions_of(team));
    let divisions = divisions.unwrap_or_default().iter().map(ToString::to_string).collect();
    Ok(axum::Json(OwnAccount {
        team_name: account.name,
        country: account.country,
        email: account.email,
        new_email: mail::asked_address_in(&mut tx, id, now_ms).await?,
        members: people::of_account_in(&mut tx, id).await?,
        members_max: accounts.settings.load_full().registration.members_max,
        divisions,
        sessions: living.into_iter().map(shown).collect(),
    }))
}

fn id_of(session: &ActiveSession) -> &str {
    &session.token_hash[..ID_DIGITS]
}

/// Changes the team's country, at most three times a day.
#[utoipa::path(post, path = "/account/country", tag = "accounts", operation_id = "own_country",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Empty), (status = 429)))]
pub async fn country(
    State(accounts): Part<Accounts>,
    team: Result<Team, ApiError>,
    Json(CountryRequest { country }): Json<CountryRequest>,
) -> Result<axum::Json<Empty>, ApiError> {
    let team = team?;
    if !is_country(&country) {
        return Err(ApiError::COUNTRY);
    }
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    let account = accounts::by_id(&accounts.db, team.id.0).await?.ok_or(ApiError::UNAUTHORIZED)?;
    if account.country == country {
        return Ok(axum::Json(Empty {}));
    }
    accounts.count(&[accounts.limits.account_change(team.id)]).await?;
    let op = Op::Country { team: team.id, session: team.token_hash, country };
    match accounts.lane.run(op.by(Actor::Team(team.id))).await? {
        Outcome::Country(done) => done.map_err(ApiError::from)?,
        _ => return Err(ApiError::INTERNAL),
    }
    Ok(axum::Json(Empty {}))
}

/// Sets the names of the team members, at most ten times an hour.
#[utoipa::path(post, path = "/account/members", tag = "accounts", operation_id = "own_members",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Empty), (status = 429)))]
pub async fn members(
    State(accounts): Part<Accounts>,
    team: Result<Team, ApiError>,
    Json(MembersRequest { members }): Json<MembersRequest>,
) -> Result<axum::Json<Empty>, ApiError> {
    let team = team?;
    if members.len() > accounts.settings.load_full().registration.members_max {
        return Err(ApiError::MEMBERS);
    }
    let names: Option<Vec<String>> = members.iter().map(|text| name::person(text)).collect();
    let names = names.ok_or(ApiError::TEXT)?;
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    let (id, now_ms) = (team.id.0, accounts.clock.now_ms());
    if people::of_account_in(&mut accounts.db.snapshot().await?, id).await? == names {
        return Ok(axum::Json(Empty {}));
    }
    accounts.count(&[accounts.limits.account_change(team.id)]).await?;
    match people::set(&accounts.db, id, &team.token_hash, &names, now_ms).await? {
        true => Ok(axum::Json(Empty {})),
        false => Err(ApiError::UNAUTHORIZED),
    }
}

/// Ends one of the team's sessions permanently.
#[utoipa::path(post, path = "/account/sessions/end", tag = "accounts",
    operation_id = "own_session_end",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Empty), (status = 404)))]
pub async fn end_session(
    State(accounts): Part<Accounts>,
    team: Result<Team, ApiError>,
    Json(SessionRequest { id }): Json<SessionRequest>,
) -> Result<axum::Json<Empty>, ApiError> {
    let team = team?;
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    let now_ms = accounts.clock.now_ms();
    let living = {
        let mut tx = accounts.db.snapshot().await?;
        sessions::active_in(&mut tx, team.id.0, now_ms).await?
    };
    let session = living.into_iter().find(|it| id_of(it) == id).ok_or(ApiError::NOT_FOUND)?;
    sessions::revoke(&accounts.db, &session.token_hash, now_ms).await?;
    accounts.sessions.revoke(&session.token_hash);
    Ok(axum::Json(Empty {}))
}

impl From<OwnError> for ApiError {
    fn from(error: OwnError) -> Self {
        match error {
            OwnError::Ended => Self::UNAUTHORIZED,
            OwnError::TooOften => Self::TOO_MANY.retry_after(TOO_OFTEN_RETRY_S),
        }
    }
}
