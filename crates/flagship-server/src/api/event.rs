//! The event: its times, settings and rules.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use flagship_game::event::Status;
use flagship_game::view::{self, PublicNotice};
use flagship_game::{Contest, Division, Join, Reveal};
use flagship_pack::{
    KeepWrongTexts, Registration, SignupCodes, SignupField, SignupFieldType, SignupPhase,
};
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

/// Public information about the event. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CtfInfo {
    /// Name of the event; `null` before an event is loaded.
    name: Option<String>,
    /// First instant at which flags are accepted.
    start_time: Option<i64>,
    /// First instant at which flags are no longer accepted.
    end_time: Option<i64>,
    /// Start of the freeze: from this time until the reveal, solves of other teams are hidden.
    freeze_time: Option<i64>,
    /// True if the scoreboard is revealed automatically at the end, false if an organizer does it.
    reveal_at_end: bool,
    /// True once the scoreboard shows all solves: after the reveal, or after the end if there is
    /// nothing to reveal.
    revealed: bool,
    /// Name of the team that the token belongs to, or `null`.
    logged_team: Option<String>,
    /// Current time of the server.
    server_time: i64,
    /// Sequence number of the last public change, as in a snapshot.
    seq: u64,
    /// `unknown`, `not_started`, `running`, `frozen` or `ended`.
    #[schema(value_type = String)]
    status: Status,
    /// IANA name of the time zone in which times are displayed.
    timezone: Option<String>,
    /// Format of flags, such as `flag{...}`.
    flag_format: Option<String>,
    /// Label of the students' checkbox.
    student_label: Option<String>,
    /// True if teams can sign up now.
    registration_open: bool,
    /// Public divisions. Missing if the event has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divisions: Vec<DivisionInfo>,
    /// Rules for signing up.
    registration: RegistrationInfo,
    /// True if new teams must confirm their email address before they can log in.
    confirm_email: bool,
    /// True while the event is paused. No flags are accepted during a pause.
    paused: bool,
    /// True if teams can submit flags after the end and the reveal, which no score counts.
    practice: bool,
    /// Number of notices in `/notices`.
    notices: usize,
    /// Urgent notices that interrupt players now, newest first.
    urgent: Vec<UrgentNotice>,
    /// Minimum length of a password, in characters.
    password_min: usize,
    /// Captcha required for signup and login.
    captcha: CaptchaInfo,
    /// Branding and links of the event.
    site: SiteInfo,
}

/// A public division.
#[derive(Serialize, ToSchema)]
struct DivisionInfo {
    /// ID of the division.
    id: String,
    /// Displayed name.
    name: String,
    /// Group: a team is in at most one division of each group.
    group: String,
    /// `open`, `code`, `domain` or `organizers`: way in which teams join.
    #[schema(value_type = String)]
    join: Join,
    /// True if the student checkbox stands for this division; otherwise missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    student: bool,
}

impl From<&Division> for DivisionInfo {
    fn from(division: &Division) -> Self {
        let Division { id, name, group, join, student } = division.clone();
        Self { id: id.to_string(), name, group, join, student }
    }
}

/// Rules for signing up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegistrationInfo {
    /// False if registration is closed at all times.
    open: bool,
    /// First instant at which teams can sign up.
    opens: Option<i64>,
    /// First instant at which teams can no longer sign up.
    closes: Option<i64>,
    /// `none`, `optional` or `required`: use of signup codes.
    #[schema(value_type = String)]
    codes: SignupCodes,
    /// True if teams can sign up for a waiting list while the event is full.
    waiting_list: bool,
    /// True if all places are taken: a team that signs up now is refused or waits.
    full: bool,
    /// Questions of the signup form.
    fields: Vec<SignupQuestion>,
}

/// A question of the signup form.
#[derive(Serialize, ToSchema)]
struct SignupQuestion {
    /// ID of the answer in `fields` of `POST /signup`.
    id: String,
    /// The question, or the statement that a team consents to.
    label: String,
    /// `text`, `choice` or `consent`.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: SignupFieldType,
    /// Answers to choose from; empty for other types.
    choices: Vec<String>,
    /// True if a team must answer to sign up.
    required: bool,
}

impl From<&SignupField> for SignupQuestion {
    fn from(field: &SignupField) -> Self {
        let SignupField { id, label, kind, choices, required } = field.clone();
        Self { id, label, kind, choices, required }
    }
}

impl RegistrationInfo {
    fn of(rules: &Registration, full: bool) -> Self {
        let Registration { open, opens, closes, codes, max_teams, waiting_list, .. } = *rules;
        let waiting_list = waiting_list && max_teams > 0;
        let fields = rules.fields.iter().map(SignupQuestion::from).collect();
        Self { open, opens, closes, codes, waiting_list, full, fields }
    }
}

/// An urgent notice without its text, for which pages reserve space before they load `/notices`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UrgentNotice {
    id: i64,
    /// Time of the last change.
    changed_at: i64,
    /// Time after which the notice is no longer urgent.
    urgent_until: Option<i64>,
}

impl UrgentNotice {
    /// Maximum number of reported notices. Pages show one at a time.
    const MAX: usize = 20;

    /// Returns the urgent notices at a time.
    fn all(contest: &Contest, now_ms: i64) -> Vec<Self> {
        let is_active = |notice: &PublicNotice<'_>| {
            let is_over = notice.urgent_until_ms.is_some_and(|until_ms| until_ms <= now_ms);
            notice.urgent && notice.withdrawn_at_ms.is_none() && !is_over
        };
        let urgent = view::notices(contest).filter(is_active).map(|notice| Self {
            id: notice.id,
            changed_at: notice.corrected_at_ms.unwrap_or(notice.at_ms).max(notice.at_ms),
            urgent_until: notice.urgent_until_ms,
        });
        urgent.take(Self::MAX).collect()
    }
}

/// Captcha required for signup and login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CaptchaInfo {
    /// `altcha`, `recaptcha`, `hcaptcha`, `turnstile` or `off`.
    provider: &'static str,
    /// Public key for the widget of an external provider.
    site_key: Option<String>,
}

/// Returns the event's name, times and public settings.
#[utoipa::path(get, path = "/ctf", tag = "event",
    params(("X-Api-Key" = Option<String>, Header, description = "Team token; may be empty")),
    responses((status = 200, body = CtfInfo)))]
pub async fn ctf(State(app): State<App>, team: Option<Team>) -> Result<Json<CtfInfo>, ApiError> {
    let contest = team
        .as_ref()
        .map_or_else(|| app.board.feed.contest(), |it| app.board.feed.team_contest(it.id));
    let event = contest.event();
    let (settings, services) = (app.settings(), app.serving.services.load_full());
    let captcha = &services.config.settings.captcha;
    let now_ms = app.now_ms();
    let is_full = app.accounts.places.is_full().await;
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
        registration_open: settings.registration.phase(now_ms) == SignupPhase::Open,
        divisions: contest.divisions().iter().map(DivisionInfo::from).collect(),
        registration: RegistrationInfo::of(&settings.registration, is_full),
        confirm_email: settings.registration.confirm_email,
        paused: contest.is_paused(),
        practice: event.is_some_and(|event| event.practice),
        notices: contest.notices().count(),
        urgent: UrgentNotice::all(&contest, now_ms),
        password_min: settings.registration.password_min,
        captcha: CaptchaInfo {
            provider: captcha.provider.as_str(),
            site_key: captcha.site_key.clone(),
        },
        site: SiteInfo::of(&settings.site),
    }))
}

/// Returns the latest 200 notices.
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
    /// Sanitized HTML.
    html: String,
    /// True if organizers can read the text of incorrect flags until the event ends.
    keeps_wrong_texts: bool,
}

/// Returns the rules, with times and points filled in.
#[utoipa::path(get, path = "/rules", tag = "event", responses((status = 200, body = Rules)))]
pub async fn rules(State(board): Part<Board>) -> Json<Rules> {
    let contest = board.feed.contest();
    let html = contest.event().map(|event| fill(&event.rules, event));
    let keep = board.settings.load().privacy.keep_wrong_texts;
    let keeps_wrong_texts = keep == KeepWrongTexts::UntilEnd;
    Json(Rules { html: html.unwrap_or_default(), keeps_wrong_texts })
}
