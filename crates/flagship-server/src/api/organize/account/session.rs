//! Invitations, login and logout of organizers, and their own sessions.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse};
use flagship_game::name;
use flagship_store::ops::script_tokens;
use flagship_store::organizers::passes::{self, Kind};
use flagship_store::organizers::{self, NewFactor, Organizer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::factor::Codes;
use crate::api::accounts::admit;
use crate::api::accounts::login::count_failures;
use crate::api::error::ApiError;
use crate::api::extract::{EmptyBody, Json, TimeLimit};
use crate::api::organize::auth::{self, Authorized, KnownDevice, SameSite, SessionOrganizer};
use crate::net::address::ClientNetwork;
use crate::node::limits::accounts as limits;
use crate::node::organizers::device::Device;
use crate::node::organizers::factor::Secret;
use crate::node::organizers::permissions::{EndSession, OwnAccount, rules};
use crate::node::organizers::{SignedInOrganizer, issuer};
use crate::node::passwords;
use crate::node::state::App;

/// Minimum length of an organizer's password, in characters.
const PASSWORD_MIN: usize = 10;

/// An empty response.
#[derive(Serialize, ToSchema)]
pub struct Done {}

/// The token of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// Part of the link after `#`.
    token: String,
}

/// Details of an invitation and a new authenticator secret.
#[derive(Serialize, ToSchema)]
pub struct Invitation {
    /// Organizer name.
    name: String,
    /// Roles of the organizer.
    roles: Vec<&'static str>,
    /// Secret for the authenticator app, in base32.
    secret: String,
    /// Secret as an `otpauth:` URI, for a QR code.
    uri: String,
    /// Token to send with the first code.
    enrolment: String,
}

/// Returns the details of an invitation with a new secret each time. The invitation remains valid.
#[utoipa::path(post, path = "/invitation", operation_id = "organizer_invitation",
    responses((status = 200, body = Invitation), (status = 410), (status = 429)))]
pub async fn invitation(
    State(app): State<App>,
    client: ClientNetwork,
    _: SameSite,
    Json(InvitationRequest { token }): Json<InvitationRequest>,
) -> Result<axum::Json<Invitation>, ApiError> {
    let SignedInOrganizer { organizer, pass, .. } =
        invited_organizer(&app, &client, &token).await?;
    // Not derived from the link, so another person who has seen the link does not know the secret.
    let secret = Secret::random();
    tracing::info!(organizer = organizer.name, "invitation opened");
    Ok(axum::Json(Invitation {
        roles: role_names(&organizer),
        secret: secret.text(),
        uri: secret.uri(&issuer(&app.contest()), &organizer.name),
        enrolment: secret.enrolment(&app.organizers.key, &organizer, pass.expires_at_ms),
        name: organizer.name,
    }))
}

/// Returns the organizer invited by a token. Counts as rejected unless the invitation is accepted,
/// because it costs a read, a log line and possibly a password hash.
async fn invited_organizer(
    app: &App,
    client: &ClientNetwork,
    token: &str,
) -> Result<SignedInOrganizer, ApiError> {
    app.accounts.refused_links.begin(client, app.now_ms())?;
    app.organizers.who(client, Kind::Invitation, token).await?.ok_or(ApiError::LINK)
}

fn role_names(organizer: &Organizer) -> Vec<&'static str> {
    organizer.rights.roles.iter().map(|role| role.as_str()).collect()
}

/// Acceptance of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrolRequest {
    /// Part of the link after `#`.
    token: String,
    /// New password of at least 10 characters, or more if teams need longer passwords.
    password: String,
    /// Value of `enrolment` from the invitation.
    enrolment: String,
    /// Code from the authenticator app that has the secret.
    code: String,
}

/// Accepts an invitation: sets the password and the authenticator, and starts a session.
#[utoipa::path(post, path = "/enrol", operation_id = "organizer_enrol",
    responses((status = 200, body = Codes), (status = 410), (status = 429)))]
pub async fn enrol(
    State(app): State<App>,
    client: ClientNetwork,
    limit: TimeLimit,
    _: SameSite,
    Json(EnrolRequest { token, password, enrolment, code }): Json<EnrolRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let who = invited_organizer(&app, &client, &token).await?;
    let (organizer, invitation) = (&who.organizer, &who.pass);
    let mut rules = app.settings().registration.clone();
    rules.password_min = rules.password_min.max(PASSWORD_MIN);
    passwords::check(&rules, &password, &organizer.name)?;
    let (key, now_ms) = (&app.organizers.key, app.now_ms());
    let secret = Secret::of_enrolment(key, organizer, &enrolment, now_ms);
    let secret = secret.ok_or(ApiError::LINK)?;
    let step = secret.step_of(&code, now_ms).ok_or(ApiError::CODE)?;
    let permit = app.accounts.passwords.permit(&client)?;
    let hash = app.accounts.passwords.hash(permit, password).await?;
    let (session, digest) = app.organizers.new_token(Kind::Session);
    let codes = Codes::new();
    let sealed = secret.seal(key, organizer.id);
    let it = NewFactor { sealed: &sealed, step, codes: &codes.digests(key, organizer) };
    let now_ms = app.now_ms();
    // The response contains the recovery codes, which are shown only once.
    limit.lift();
    if !organizers::enrol(app.db(), &invitation.digest, &digest, &hash, &it, now_ms).await? {
        return Err(ApiError::LINK);
    }
    app.accounts.refused_links.give_back(&client);
    tracing::info!(organizer = organizer.name, "invitation accepted");
    let device = Device::new(key, organizer.id, &hash, now_ms);
    let [session, device] = [auth::begin(&session), auth::remember(key, &device)];
    Ok((AppendHeaders([session, device].concat()), axum::Json(codes)))
}

/// Credentials of an organizer.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInRequest {
    /// Organizer name.
    name: String,
    /// Password.
    password: String,
    /// Token from the captcha widget.
    captcha_token: String,
}

/// Starts a session. It permits nothing until two-factor authentication is passed.
#[utoipa::path(post, path = "/session", operation_id = "organizer_sign_in",
    responses((status = 200, body = Done), (status = 429)))]
pub async fn sign_in(
    State(app): State<App>,
    client: ClientNetwork,
    KnownDevice(device): KnownDevice,
    _: SameSite,
    Json(request): Json<SignInRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let typed = limits::login_name(&request.name);
    // Counted separately from team logins, where the same text might be entered.
    let texts = device.as_ref().map_or_else(|| format!("organizer\n{typed}"), Device::budget);
    app.accounts.limits.check_recent_rejection(&texts, &client, app.now_ms())?;
    let permit = admit(&app.accounts, &client, &request.captcha_token).await?;
    // The rate limit depends only on the entered name, not on whether the name is known. If a
    // look-alike shared the limit of a known name, it would reveal that the name is known. A
    // look-alike cannot log in.
    let whose = |name: &str| limits::login_subject(None, &name::keys(name));
    let organizer = {
        let _permit = app.accounts.account_reads.acquire().await.expect("it is never closed");
        organizers::by_name(app.db(), typed).await?
    };
    let organizer = organizer.filter(|organizer| whose(&organizer.name) == whose(typed));
    let is_of = |device: &Device| {
        organizer.as_ref().is_some_and(|it| device.is_of(&app.organizers.key, it))
    };
    // A known browser has its own limit. Otherwise logins are limited by name and network, and
    // other clients of the same network can use up that limit.
    let (who, texts) = match device.filter(is_of) {
        Some(device) => (device.budget(), texts),
        None => (format!("organizer\n{}", whose(typed)), format!("organizer\n{typed}")),
    };
    let verifying = async {
        let hash = organizer.as_ref().and_then(|it| it.password_hash.as_deref());
        let is_right = app.accounts.passwords.verify(permit, request.password, hash).await?;
        organizer.filter(|_| is_right).ok_or(ApiError::LOGIN)
    };
    let verified = count_failures(&app.accounts, &who, &texts, &client, verifying).await;
    let organizer = verified.map_err(|error| match error {
        ApiError::LOGIN => ApiError::ORGANIZER_LOGIN,
        other => other,
    })?;
    let (session, digest) = app.organizers.new_token(Kind::Session);
    let now_ms = app.now_ms();
    if !organizers::sign_in(app.db(), &digest, &organizer, now_ms).await? {
        return Err(ApiError::ORGANIZER_LOGIN);
    }
    Ok((auth::begin(&session), axum::Json(Done {})))
}

/// Ends the session of the cookie.
#[utoipa::path(post, path = "/sign-out", operation_id = "organizer_sign_out",
    responses((status = 200, body = Done)))]
pub async fn sign_out(
    State(app): State<App>,
    SessionOrganizer(who): SessionOrganizer,
    _: EmptyBody,
) -> Result<impl IntoResponse, ApiError> {
    passes::end(app.db(), who.organizer.id, &who.pass.digest).await?;
    Ok((auth::end(), axum::Json(Done {})))
}

/// The current organizer. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Organizer name.
    name: String,
    /// Roles of the organizer.
    roles: Vec<&'static str>,
    /// IDs of the author's challenges.
    challenges: Vec<String>,
    /// Actions that the roles permit.
    actions: Vec<&'static str>,
    /// Number of unused recovery codes.
    codes_left: i64,
    /// Time until which two-factor authentication is not required again; `null` for an API token.
    factor_until: Option<i64>,
}

/// Returns the current organizer with their permissions.
#[utoipa::path(get, path = "/me", operation_id = "organizer_me",
    responses((status = 200, body = Me)))]
pub async fn me(
    State(app): State<App>,
    caller: Authorized<OwnAccount>,
) -> Result<axum::Json<Me>, ApiError> {
    let organizer = &caller.who.organizer;
    let actions = rules().filter(|rule| rule.roles.iter().any(|role| organizer.is(*role)));
    let challenges = organizer.rights.challenges.iter();
    Ok(axum::Json(Me {
        name: organizer.name.clone(),
        roles: role_names(organizer),
        challenges: challenges.map(|id| id.as_str().to_owned()).collect(),
        actions: actions.map(|rule| rule.name).collect(),
        codes_left: organizers::codes_left(app.db(), organizer.id).await?,
        factor_until: caller.who.fresh_until_ms(),
    }))
}

/// Sessions and API tokens of the current organizer.
#[derive(Serialize, ToSchema)]
pub struct Sessions {
    /// Sessions and API tokens, newest first.
    sessions: Vec<Session>,
}

/// A session or an API token. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Session {
    /// ID of the session or token. It cannot be used to authenticate.
    id: String,
    /// `session` or `token`.
    kind: &'static str,
    /// Time of creation.
    created_at: i64,
    /// Expiry time.
    expires_at: i64,
    /// True for the session or token of this request.
    is_current: bool,
    /// True if the session has passed two-factor authentication. Tokens do not need it.
    is_proven: bool,
}

/// Lists the caller's own sessions and API tokens.
#[utoipa::path(get, path = "/sessions", operation_id = "organizer_sessions",
    responses((status = 200, body = Sessions)))]
pub async fn sessions(
    State(app): State<App>,
    caller: Authorized<OwnAccount>,
) -> Result<axum::Json<Sessions>, ApiError> {
    let found = passes::of(app.db(), caller.who.organizer.id, app.now_ms()).await?;
    let of_pass = |pass: passes::Pass| Session {
        is_current: pass.digest == caller.who.pass.digest,
        is_proven: pass.kind == Kind::Token || pass.factor_at_ms.is_some(),
        id: pass.digest,
        kind: pass.kind.as_str(),
        created_at: pass.created_at_ms,
        expires_at: pass.expires_at_ms,
    };
    Ok(axum::Json(Sessions { sessions: found.into_iter().map(of_pass).collect() }))
}

/// Selection of a session or an API token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndRequest {
    /// ID from the list.
    id: String,
}

/// Ends one of the caller's own sessions, or revokes an API token.
#[utoipa::path(post, path = "/sessions/end", operation_id = "organizer_end_session",
    responses((status = 200, body = Done)))]
pub async fn end_session(
    State(app): State<App>,
    caller: Authorized<EndSession>,
    Json(EndRequest { id }): Json<EndRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let now_ms = app.now_ms();
    let is_ended =
        script_tokens::end_own(app.db(), &app.organizers.seal, caller.standing(), &id, now_ms)
            .await??;
    if is_ended { Ok(axum::Json(Done {})) } else { Err(ApiError::NOT_FOUND) }
}
