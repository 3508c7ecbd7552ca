//! Invitations, signing in and out, and the own sessions.

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
use crate::api::accounts::login::counted;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Nothing, TimeLimit};
use crate::api::organize::by::{self, By, InSession, KnownDevice, OwnSite};
use crate::net::address::ClientNetwork;
use crate::node::limits::accounts as limits;
use crate::node::organizers::device::Device;
use crate::node::organizers::factor::Secret;
use crate::node::organizers::permissions::{EndSession, OwnAccount, rules};
use crate::node::organizers::{Who, issuer};
use crate::node::passwords;
use crate::node::state::App;

/// Least characters of an organizer's password.
const PASSWORD_MIN: usize = 10;

/// Nothing more to say.
#[derive(Serialize, ToSchema)]
pub struct Done {}

/// The token of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// What follows `#` in the link.
    token: String,
}

/// Who is invited, and the secret for their app.
#[derive(Serialize, ToSchema)]
pub struct Invitation {
    /// The organizer's name.
    name: String,
    /// Its roles.
    roles: Vec<&'static str>,
    /// The secret of the second factor, in base32.
    secret: String,
    /// The same as an `otpauth:` address, for a QR code.
    uri: String,
    /// To be sent back with the first code.
    enrolment: String,
}

/// Shows an invitation, with a new secret each time. It stays valid.
#[utoipa::path(post, path = "/invitation", operation_id = "organizer_invitation",
    responses((status = 200, body = Invitation), (status = 410), (status = 429)))]
pub async fn invitation(
    State(app): State<App>,
    client: ClientNetwork,
    _: OwnSite,
    Json(InvitationRequest { token }): Json<InvitationRequest>,
) -> Result<axum::Json<Invitation>, ApiError> {
    let Who { organizer, pass, .. } = invited(&app, &client, &token).await?;
    // Not derived from the link: who has seen it does not know the secret of whoever used it.
    let secret = Secret::random();
    tracing::info!(organizer = organizer.name, "an invitation was looked at");
    Ok(axum::Json(Invitation {
        roles: role_names(&organizer),
        secret: secret.text(),
        uri: secret.uri(&issuer(&app.contest()), &organizer.name),
        enrolment: secret.enrolment(&app.organizers.key, &organizer, pass.expires_at_ms),
        name: organizer.name,
    }))
}

/// Who is invited by a token. Counts as refused unless it enrols somebody: it costs a read, a line
/// of the log and perhaps a password hash.
async fn invited(app: &App, client: &ClientNetwork, token: &str) -> Result<Who, ApiError> {
    app.accounts.refused_links.begin(client, app.now_ms())?;
    app.organizers.who(client, Kind::Invitation, token).await?.ok_or(ApiError::LINK)
}

fn role_names(organizer: &Organizer) -> Vec<&'static str> {
    organizer.rights.roles.iter().map(|role| role.as_str()).collect()
}

/// What an invitation sets.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrolRequest {
    /// What follows `#` in the link.
    token: String,
    /// The new password: at least 10 characters, or more if teams need more.
    password: String,
    /// What the invitation gave with the secret.
    enrolment: String,
    /// A code of the app that has the secret.
    code: String,
}

/// Uses an invitation: sets the password and the second factor, and begins a session.
#[utoipa::path(post, path = "/enrol", operation_id = "organizer_enrol",
    responses((status = 200, body = Codes), (status = 410), (status = 429)))]
pub async fn enrol(
    State(app): State<App>,
    client: ClientNetwork,
    limit: TimeLimit,
    _: OwnSite,
    Json(EnrolRequest { token, password, enrolment, code }): Json<EnrolRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let who = invited(&app, &client, &token).await?;
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
    // Its answer has the recovery codes, which are shown once.
    limit.lift();
    if !organizers::enrol(app.db(), &invitation.digest, &digest, &hash, &it, now_ms).await? {
        return Err(ApiError::LINK);
    }
    app.accounts.refused_links.give_back(&client);
    tracing::info!(organizer = organizer.name, "an organizer has used an invitation");
    let device = Device::new(key, organizer.id, &hash, now_ms);
    let [session, device] = [by::begin(&session), by::remember(key, &device)];
    Ok((AppendHeaders([session, device].concat()), axum::Json(codes)))
}

/// An organizer who wants in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInRequest {
    /// The organizer's name.
    name: String,
    /// The password.
    password: String,
    /// What the captcha's widget gave.
    captcha_token: String,
}

/// Begins a session, which lets nobody do anything before the second factor is given.
#[utoipa::path(post, path = "/session", operation_id = "organizer_sign_in",
    responses((status = 200, body = Done), (status = 429)))]
pub async fn sign_in(
    State(app): State<App>,
    client: ClientNetwork,
    KnownDevice(device): KnownDevice,
    _: OwnSite,
    Json(request): Json<SignInRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let typed = limits::typed(&request.name);
    // Apart from teams' logins, which the same text may be typed for.
    let texts = device.as_ref().map_or_else(|| format!("organizer\n{typed}"), Device::budget);
    app.accounts.limits.refused_before(&texts, &client, app.now_ms())?;
    let permit = admit(&app.accounts, &client, &request.captcha_token).await?;
    // By the name alone, whether or not it is known: a look-alike of a known name would have the
    // budget of that name, and so tell that it is known. One with another budget signs nobody in.
    let whose = |name: &str| limits::whose(None, &name::keys(name));
    let organizer = {
        let _permit = app.accounts.account_reads.acquire().await.expect("it is never closed");
        organizers::by_name(app.db(), typed).await?
    };
    let organizer = organizer.filter(|organizer| whose(&organizer.name) == whose(typed));
    let is_of = |device: &Device| {
        organizer.as_ref().is_some_and(|it| device.is_of(&app.organizers.key, it))
    };
    // Whoever shares the network uses up the budget of the name there, not that of this browser.
    let (who, texts) = match device.filter(is_of) {
        Some(device) => (device.budget(), texts),
        None => (format!("organizer\n{}", whose(typed)), format!("organizer\n{typed}")),
    };
    let verifying = async {
        let hash = organizer.as_ref().and_then(|it| it.password_hash.as_deref());
        let is_right = app.accounts.passwords.verify(permit, request.password, hash).await?;
        organizer.filter(|_| is_right).ok_or(ApiError::LOGIN)
    };
    let verified = counted(&app.accounts, &who, &texts, &client, verifying).await;
    let organizer = verified.map_err(|error| match error {
        ApiError::LOGIN => ApiError::ORGANIZER_LOGIN,
        other => other,
    })?;
    let (session, digest) = app.organizers.new_token(Kind::Session);
    let now_ms = app.now_ms();
    if !organizers::sign_in(app.db(), &digest, &organizer, now_ms).await? {
        return Err(ApiError::ORGANIZER_LOGIN);
    }
    Ok((by::begin(&session), axum::Json(Done {})))
}

/// Ends the session of the cookie.
#[utoipa::path(post, path = "/sign-out", operation_id = "organizer_sign_out",
    responses((status = 200, body = Done)))]
pub async fn sign_out(
    State(app): State<App>,
    InSession(who): InSession,
    _: Nothing,
) -> Result<impl IntoResponse, ApiError> {
    passes::end(app.db(), who.organizer.id, &who.pass.digest).await?;
    Ok((by::end(), axum::Json(Done {})))
}

/// Who is signed in. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The organizer's name.
    name: String,
    /// Its roles.
    roles: Vec<&'static str>,
    /// The ids of the challenges that an author writes.
    challenges: Vec<String>,
    /// What the roles let them do.
    actions: Vec<&'static str>,
    /// Recovery codes that were not used.
    codes_left: i64,
    /// Until when the second factor is not asked for again; `null` for a token.
    factor_until: Option<i64>,
}

/// Who is signed in, and what they may do.
#[utoipa::path(get, path = "/me", operation_id = "organizer_me",
    responses((status = 200, body = Me)))]
pub async fn me(State(app): State<App>, by: By<OwnAccount>) -> Result<axum::Json<Me>, ApiError> {
    let organizer = &by.who.organizer;
    let actions = rules().filter(|rule| rule.roles.iter().any(|role| organizer.is(*role)));
    let challenges = organizer.rights.challenges.iter();
    Ok(axum::Json(Me {
        name: organizer.name.clone(),
        roles: role_names(organizer),
        challenges: challenges.map(|id| id.as_str().to_owned()).collect(),
        actions: actions.map(|rule| rule.name).collect(),
        codes_left: organizers::codes_left(app.db(), organizer.id).await?,
        factor_until: by.who.fresh_until_ms(),
    }))
}

/// The own sessions and tokens.
#[derive(Serialize, ToSchema)]
pub struct Sessions {
    /// The newest first.
    sessions: Vec<Session>,
}

/// A session or a token. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Session {
    /// Names it, and lets nobody in.
    id: String,
    /// `session` or `token`.
    kind: &'static str,
    /// When it began.
    created_at: i64,
    /// When it ends.
    expires_at: i64,
    /// Whether it is the one of this request.
    is_current: bool,
    /// Whether its second factor was given; a token needs none.
    is_proven: bool,
}

/// Lists the own sessions and tokens.
#[utoipa::path(get, path = "/sessions", operation_id = "organizer_sessions",
    responses((status = 200, body = Sessions)))]
pub async fn sessions(
    State(app): State<App>,
    by: By<OwnAccount>,
) -> Result<axum::Json<Sessions>, ApiError> {
    let found = passes::of(app.db(), by.who.organizer.id, app.now_ms()).await?;
    let of_pass = |pass: passes::Pass| Session {
        is_current: pass.digest == by.who.pass.digest,
        is_proven: pass.kind == Kind::Token || pass.factor_at_ms.is_some(),
        id: pass.digest,
        kind: pass.kind.as_str(),
        created_at: pass.created_at_ms,
        expires_at: pass.expires_at_ms,
    };
    Ok(axum::Json(Sessions { sessions: found.into_iter().map(of_pass).collect() }))
}

/// Which session or token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndRequest {
    /// Its id in the list.
    id: String,
}

/// Ends one of the own sessions or tokens.
#[utoipa::path(post, path = "/sessions/end", operation_id = "organizer_end_session",
    responses((status = 200, body = Done)))]
pub async fn end_session(
    State(app): State<App>,
    by: By<EndSession>,
    Json(EndRequest { id }): Json<EndRequest>,
) -> Result<axum::Json<Done>, ApiError> {
    let now_ms = app.now_ms();
    let is_ended =
        script_tokens::end_own(app.db(), &app.organizers.seal, by.standing(), &id, now_ms)
            .await??;
    if is_ended { Ok(axum::Json(Done {})) } else { Err(ApiError::NOT_FOUND) }
}
