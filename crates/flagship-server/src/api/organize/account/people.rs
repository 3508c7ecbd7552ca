//! Managing organizers, for owners.

use axum::extract::State;
use flagship_game::{ChallengeId, TeamName};
use flagship_store::challenges;
use flagship_store::organizers::passes::{self, INVITATION_MS, Kind};
use flagship_store::organizers::{self, Changer, OrganizerError, Rights, Role};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::session::Done;
use crate::api::error::{ApiError, errors_from};
use crate::api::extract::Json;
use crate::api::organize::auth::Authorized;
use crate::node::organizers::invitation_link;
use crate::node::organizers::permissions::{
    AddOrganizer, ListOrganizers, RemoveOrganizer, ResetOrganizer, SetRoles,
};
use crate::node::state::App;

/// The organizers.
#[derive(Serialize, ToSchema)]
pub struct People {
    /// Organizers, sorted by name.
    organizers: Vec<Person>,
}

/// An organizer. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Person {
    /// Organizer name.
    name: String,
    /// Roles of the organizer.
    roles: Vec<&'static str>,
    /// IDs of the author's challenges.
    challenges: Vec<String>,
    /// True if the invitation was accepted.
    is_enrolled: bool,
    /// Time when the organizer was added.
    created_at: i64,
    /// Number of current sessions.
    sessions: i64,
    /// Number of valid API tokens.
    tokens: i64,
    /// Time of the newest login among the current sessions; null if there is none. Sessions end
    /// after 12 hours.
    logged_in_at: Option<i64>,
}

/// Lists the organizers.
#[utoipa::path(get, path = "/organizers", operation_id = "organizers_list",
    responses((status = 200, body = People)))]
pub async fn list(
    State(app): State<App>,
    _by: Authorized<ListOrganizers>,
) -> Result<axum::Json<People>, ApiError> {
    let access = passes::access(app.db(), app.now_ms()).await?;
    let all = organizers::all(app.db()).await?.into_iter().map(|it| {
        let access = access.iter().find(|access| access.organizer_id == it.id);
        Person {
            is_enrolled: it.is_enrolled(),
            roles: it.rights.roles.iter().map(|role| role.as_str()).collect(),
            challenges: it.rights.challenges.iter().map(|id| id.as_str().to_owned()).collect(),
            created_at: it.created_at_ms,
            sessions: access.map_or(0, |access| access.sessions),
            tokens: access.map_or(0, |access| access.tokens),
            logged_in_at: access.and_then(|access| access.logged_in_at_ms),
            name: it.name,
        }
    });
    Ok(axum::Json(People { organizers: all.collect() }))
}

/// Roles for an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RolesRequest {
    /// Organizer name.
    name: String,
    /// At least one of `observer`, `author`, `support`, `organizer` and `owner`.
    roles: Vec<String>,
    /// IDs of the author's challenges.
    #[serde(default)]
    challenges: Vec<String>,
}

impl RolesRequest {
    /// Returns the access rights after checking that the challenges exist. An author needs
    /// challenges; other roles cannot have any.
    async fn rights(&self, app: &App) -> Result<Rights, ApiError> {
        let roles: Result<_, _> = self.roles.iter().map(|role| role.parse()).collect();
        let challenges: Result<_, _> =
            self.challenges.iter().map(|id| ChallengeId::parse(id)).collect();
        let rights = Rights {
            roles: roles.map_err(|_| ApiError::ROLE)?,
            challenges: challenges.map_err(|_| ApiError::NO_CHALLENGE)?,
        };
        if rights.roles.is_empty() {
            return Err(ApiError::ROLE);
        }
        if rights.roles.contains(&Role::Author) == rights.challenges.is_empty() {
            return Err(ApiError::CHALLENGES);
        }
        if !rights.challenges.is_empty() {
            let (_, drafts) = challenges::all(app.db()).await?;
            let is_known = |id: &ChallengeId| drafts.iter().any(|it| it.challenge.id == *id);
            if !rights.challenges.iter().all(is_known) {
                return Err(ApiError::NO_CHALLENGE);
            }
        }
        Ok(rights)
    }
}

/// Selection of an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameRequest {
    /// Organizer name.
    name: String,
}

/// An invitation link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationLink {
    /// Link for the organizer. It works once.
    link: String,
    /// Expiry time, in epoch milliseconds.
    expires_at: i64,
}

/// Creates an invitation link and its digest, which must be stored before the link is returned.
fn invite(app: &App, now_ms: i64) -> (axum::Json<InvitationLink>, String) {
    let (token, digest) = app.organizers.new_token(Kind::Invitation);
    let link = invitation_link(&app.config().public_url, &token);
    (axum::Json(InvitationLink { link, expires_at: now_ms + INVITATION_MS }), digest)
}

/// Adds an organizer and returns an invitation link.
#[utoipa::path(post, path = "/organizers/add", operation_id = "organizers_add",
    responses((status = 200, body = InvitationLink), (status = 409)))]
pub async fn add(
    State(app): State<App>,
    caller: Authorized<AddOrganizer>,
    Json(request): Json<RolesRequest>,
) -> Result<axum::Json<InvitationLink>, ApiError> {
    let name = TeamName::parse(&request.name).map_err(|_| ApiError::ORGANIZER_NAME)?;
    let rights = request.rights(&app).await?;
    let now_ms = app.now_ms();
    let (link, digest) = invite(&app, now_ms);
    let changer = Changer::Organizer(&app.organizers.seal, caller.standing());
    organizers::add(app.db(), changer, &name, &rights, &digest, now_ms).await??;
    log_change(&caller.who.organizer.name, "added", name.as_str());
    Ok(link)
}

/// Changes an organizer's roles. If they lose a role, their API tokens are revoked.
#[utoipa::path(post, path = "/organizers/role", operation_id = "organizers_role",
    responses((status = 200, body = Done), (status = 409)))]
pub async fn role(
    State(app): State<App>,
    caller: Authorized<SetRoles>,
    Json(request): Json<RolesRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let (rights, now_ms) = (request.rights(&app).await?, app.now_ms());
    let changer = Changer::Organizer(&app.organizers.seal, caller.standing());
    let done = organizers::set_rights(app.db(), changer, &request.name, &rights, now_ms).await?;
    log_change(&caller.who.organizer.name, "roles changed", &done?);
    Ok(axum::Json(Done {}))
}

/// Resets an organizer's password and two-factor authentication, ends their sessions, revokes their
/// API tokens, and returns a new invitation link.
#[utoipa::path(post, path = "/organizers/reset", operation_id = "organizers_reset",
    responses((status = 200, body = InvitationLink), (status = 409)))]
pub async fn reset(
    State(app): State<App>,
    caller: Authorized<ResetOrganizer>,
    Json(NameRequest { name }): Json<NameRequest>,
) -> Result<axum::Json<InvitationLink>, ApiError> {
    let now_ms = app.now_ms();
    let (link, digest) = invite(&app, now_ms);
    let changer = Changer::Organizer(&app.organizers.seal, caller.standing());
    let done = organizers::reset(app.db(), changer, &name, &digest, now_ms).await?;
    log_change(&caller.who.organizer.name, "reset", &done?);
    Ok(link)
}

/// Removes an organizer, except for the last owner.
#[utoipa::path(post, path = "/organizers/remove", operation_id = "organizers_remove",
    responses((status = 200, body = Done), (status = 409)))]
pub async fn remove(
    State(app): State<App>,
    caller: Authorized<RemoveOrganizer>,
    Json(NameRequest { name }): Json<NameRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let changer = Changer::Organizer(&app.organizers.seal, caller.standing());
    let done = organizers::remove(app.db(), changer, &name, app.now_ms()).await?;
    log_change(&caller.who.organizer.name, "removed", &done?);
    Ok(axum::Json(Done {}))
}

/// Logs what an owner did to another organizer.
fn log_change(owner: &str, change: &str, organizer: &str) {
    tracing::warn!(owner, organizer, "organizer {change}");
}

errors_from! {
    OrganizerError {
        NameTaken => ORGANIZER_NAME_TAKEN,
        Unknown => NO_ORGANIZER,
        LastOwner => LAST_OWNER,
        Own => OWN_RESET,
        Ended => UNAUTHORIZED,
        TooManyTokens => TOKENS,
    }
}
