//! The event itself: its times and settings, and its rules.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use flagship_game::Reveal;
use flagship_game::event::Status;
use flagship_pack::KeepWrongTexts;
use serde::Serialize;
use utoipa::ToSchema;

use super::brand::SiteInfo;
use super::error::ApiError;
use super::extract::Part;
use super::html::fill;
use super::{schema, scoreboard};
use crate::node::board::Board;
use crate::node::sessions::Team;
use crate::node::state::App;

/// The event, as everyone may know it. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CtfInfo {
    /// Its name; `null` before one is loaded.
    name: Option<String>,
    /// The first instant at which a flag counts.
    start_time: Option<i64>,
    /// The first instant at which none does any more.
    end_time: Option<i64>,
    /// From here on the solves of others are hidden until the reveal.
    freeze_time: Option<i64>,
    /// Whether they are shown at the end by themselves, and not by an organizer.
    reveal_at_end: bool,
    /// True once the scoreboard shows all solves: from the reveal on, or from the end on if there
    /// is nothing for an organizer to reveal.
    revealed: bool,
    /// The name of the team that the token belongs to, or `null`.
    logged_team: Option<String>,
    /// The server's time.
    server_time: i64,
    /// Number of the last public change in it, as in a snapshot.
    seq: u64,
    /// `unknown`, `not_started`, `running`, `frozen` or `ended`.
    #[schema(value_type = String)]
    status: Status,
    /// IANA name of the zone in which times are written for people.
    timezone: Option<String>,
    /// What a flag looks like.
    flag_format: Option<String>,
    /// The text beside the students' checkbox.
    student_label: Option<String>,
    /// Whether new teams may sign up.
    registration_open: bool,
    /// Whether a new team has to confirm its address before it can log in.
    confirm_email: bool,
    /// Whether organizers paused the event: no flag counts.
    paused: bool,
    /// How many notices `/notices` has.
    notices: usize,
    /// The least number of characters in a password.
    password_min: usize,
    /// Which captcha guards signup and login.
    captcha: CaptchaInfo,
    /// What the site shows of the event's house.
    site: SiteInfo,
}

/// Which captcha guards signup and login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CaptchaInfo {
    /// `altcha`, `recaptcha`, `hcaptcha`, `turnstile` or `off`.
    provider: &'static str,
    /// The public key of a remote provider's widget.
    site_key: Option<String>,
}

/// The event's name, times and public settings.
#[utoipa::path(get, path = "/ctf", tag = "event",
    params(("X-Api-Key" = Option<String>, Header, description = "A team's token; may be empty")),
    responses((status = 200, body = CtfInfo)))]
pub async fn ctf(State(app): State<App>, team: Option<Team>) -> Result<Json<CtfInfo>, ApiError> {
    let contest = team
        .as_ref()
        .map_or_else(|| app.board.feed.contest(), |it| app.board.feed.contest_of(it.id));
    let event = contest.event();
    let (settings, services) = (app.settings(), app.serving.services.load_full());
    let captcha = &services.config.settings.captcha;
    let now_ms = app.now_ms();
    let team = team.and_then(|team| contest.team(team.id).cloned());
    Ok(Json(CtfInfo {
        name: event.map(|event| event.name.clone()),
        start_time: event.and_then(|event| event.start_ms),
        end_time: event.and_then(|event| event.end_ms),
        freeze_time: event.and_then(|event| event.freeze_ms),
        reveal_at_end: event.is_some_and(|event| event.reveal == Reveal::Auto),
        revealed: contest.is_revealed(now_ms),
        logged_team: team.map(|team| team.name.to_string()),
        server_time: now_ms,
        seq: contest.public_seq(),
        status: contest.status(now_ms),
        timezone: event.map(|event| event.timezone.clone()),
        flag_format: event.map(|event| event.flag_format.clone()),
        student_label: settings.registration.student_label.clone(),
        registration_open: settings.registration.open,
        confirm_email: settings.registration.confirm_email,
        paused: contest.is_paused(),
        notices: contest.notices().count(),
        password_min: settings.registration.password_min,
        captcha: CaptchaInfo {
            provider: captcha.provider.as_str(),
            site_key: captcha.site_key.clone(),
        },
        site: SiteInfo::of(&settings.site),
    }))
}

/// The newest 200 notices of the organizers.
#[utoipa::path(get, path = "/notices", tag = "event",
    responses((status = 200, body = schema::Notices), (status = 304)))]
pub async fn notices(State(board): Part<Board>, headers: HeaderMap) -> Response {
    let published = board.feed.board_with_notices().await;
    let body = published.notices().await;
    scoreboard::respond(body, &headers).await
}

/// The rules page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rules {
    /// Sanitised HTML.
    html: String,
    /// True if organizers can read the texts of wrong flags until the event ends.
    keeps_wrong_texts: bool,
}

/// The rules, with times and points filled in.
#[utoipa::path(get, path = "/rules", tag = "event", responses((status = 200, body = Rules)))]
pub async fn rules(State(board): Part<Board>) -> Json<Rules> {
    let contest = board.feed.contest();
    let html = contest.event().map(|event| fill(&event.rules, event));
    let keep = board.settings.load().privacy.keep_wrong_texts;
    let keeps_wrong_texts = keep == KeepWrongTexts::UntilEnd;
    Json(Rules { html: html.unwrap_or_default(), keeps_wrong_texts })
}
