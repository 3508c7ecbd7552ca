//! The organizers, for owners.

use axum::extract::State;
use flagship_game::{ChallengeId, TeamName};
use flagship_store::challenges;
use flagship_store::organizers::passes::{INVITATION_MS, Kind};
use flagship_store::organizers::{self, Changer, OrganizerError, Rights, Role};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::session::Done;
use crate::api::error::{ApiError, errors_from};
use crate::api::extract::Json;
use crate::api::organize::by::By;
use crate::node::organizers::invitation_link;
use crate::node::organizers::permissions::{
    AddOrganizer, ListOrganizers, RemoveOrganizer, ResetOrganizer, SetRoles,
};
use crate::node::state::App;

/// The organizers.
#[derive(Serialize, ToSchema)]
pub struct People {
    /// By name.
    organizers: Vec<Person>,
}

/// An organizer. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Person {
    /// The name.
    name: String,
    /// The roles.
    roles: Vec<&'static str>,
    /// The ids of the challenges that an author writes.
    challenges: Vec<String>,
    /// Whether the invitation was used.
    is_enrolled: bool,
    /// When the organizer was added.
    created_at: i64,
}

/// Lists the organizers.
#[utoipa::path(get, path = "/organizers", operation_id = "organizers_list",
    responses((status = 200, body = People)))]
pub async fn list(
    State(app): State<App>,
    _by: By<ListOrganizers>,
) -> Result<axum::Json<People>, ApiError> {
    let all = organizers::all(app.db()).await?.into_iter().map(|it| Person {
        is_enrolled: it.is_enrolled(),
        roles: it.rights.roles.iter().map(|role| role.as_str()).collect(),
        challenges: it.rights.challenges.iter().map(|id| id.as_str().to_owned()).collect(),
        created_at: it.created_at_ms,
        name: it.name,
    });
    Ok(axum::Json(People { organizers: all.collect() }))
}

/// An organizer and their roles.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RolesRequest {
    /// The name.
    name: String,
    /// At least one of `observer`, `author`, `support`, `organizer` and `owner`.
    roles: Vec<String>,
    /// The ids of the challenges that an author writes.
    #[serde(default)]
    challenges: Vec<String>,
}

impl RolesRequest {
    /// The rights, of which the challenges exist. An author has some, and nobody else.
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

/// Which organizer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameRequest {
    /// The name.
    name: String,
}

/// A link that lets an organizer in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationLink {
    /// To be given to the organizer; it works once.
    link: String,
    /// When it becomes invalid, in epoch milliseconds.
    expires_at: i64,
}

/// A link that is handed out after its digest is stored, and that digest.
fn invite(app: &App, now_ms: i64) -> (axum::Json<InvitationLink>, String) {
    let (token, digest) = app.organizers.new_token(Kind::Invitation);
    let link = invitation_link(&app.config().public_url, &token);
    (axum::Json(InvitationLink { link, expires_at: now_ms + INVITATION_MS }), digest)
}

/// Adds an organizer, and makes a link that lets them in.
#[utoipa::path(post, path = "/organizers/add", operation_id = "organizers_add",
    responses((status = 200, body = InvitationLink), (status = 409)))]
pub async fn add(
    State(app): State<App>,
    by: By<AddOrganizer>,
    Json(request): Json<RolesRequest>,
) -> Result<axum::Json<InvitationLink>, ApiError> {
    let name = TeamName::parse(&request.name).map_err(|_| ApiError::ORGANIZER_NAME)?;
    let rights = request.rights(&app).await?;
    let now_ms = app.now_ms();
    let (link, digest) = invite(&app, now_ms);
    let changer = Changer::Organizer(&app.organizers.seal, by.standing());
    organizers::add(app.db(), changer, &name, &rights, &digest, now_ms).await??;
    note(&by.who.organizer.name, "added", name.as_str());
    Ok(link)
}

/// Gives an organizer other roles. Their tokens end if they lose one.
#[utoipa::path(post, path = "/organizers/role", operation_id = "organizers_role",
    responses((status = 200, body = Done), (status = 409)))]
pub async fn role(
    State(app): State<App>,
    by: By<SetRoles>,
    Json(request): Json<RolesRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let (rights, now_ms) = (request.rights(&app).await?, app.now_ms());
    let changer = Changer::Organizer(&app.organizers.seal, by.standing());
    let done = organizers::set_rights(app.db(), changer, &request.name, &rights, now_ms).await?;
    note(&by.who.organizer.name, "given other roles", &done?);
    Ok(axum::Json(Done {}))
}

/// Takes an organizer's password and second factor away, ends their sessions and tokens, and makes
/// a link that lets them in again.
#[utoipa::path(post, path = "/organizers/reset", operation_id = "organizers_reset",
    responses((status = 200, body = InvitationLink), (status = 409)))]
pub async fn reset(
    State(app): State<App>,
    by: By<ResetOrganizer>,
    Json(NameRequest { name }): Json<NameRequest>,
) -> Result<axum::Json<InvitationLink>, ApiError> {
    let now_ms = app.now_ms();
    let (link, digest) = invite(&app, now_ms);
    let changer = Changer::Organizer(&app.organizers.seal, by.standing());
    let done = organizers::reset(app.db(), changer, &name, &digest, now_ms).await?;
    note(&by.who.organizer.name, "reset", &done?);
    Ok(link)
}

/// Removes an organizer, unless it is the last owner.
#[utoipa::path(post, path = "/organizers/remove", operation_id = "organizers_remove",
    responses((status = 200, body = Done), (status = 409)))]
pub async fn remove(
    State(app): State<App>,
    by: By<RemoveOrganizer>,
    Json(NameRequest { name }): Json<NameRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let changer = Changer::Organizer(&app.organizers.seal, by.standing());
    let done = organizers::remove(app.db(), changer, &name, app.now_ms()).await?;
    note(&by.who.organizer.name, "removed", &done?);
    Ok(axum::Json(Done {}))
}

/// Logs what an owner did to another organizer.
fn note(owner: &str, what: &str, organizer: &str) {
    tracing::warn!(owner, organizer, "an organizer was {what}");
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
