//! The event itself: its times and settings, and its rules.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use flagship_game::event::Status;
use flagship_game::{Event, Reveal};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use super::brand::SiteInfo;
use super::error::ApiError;
use super::html::escape;
use super::{schema, scoreboard};
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
    /// The name of the team that the token belongs to, or `null`.
    logged_team: Option<String>,
    /// The server's time.
    server_time: i64,
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
    let contest = team.as_ref().map_or_else(|| app.feed.contest(), |it| app.feed.contest_of(it.id));
    let event = contest.event();
    let (settings, services) = (app.settings(), app.services.load_full());
    let captcha = &services.config.settings.captcha;
    let now_ms = app.clock.now_ms();
    let team = team.and_then(|team| contest.team(team.id).cloned());
    Ok(Json(CtfInfo {
        name: event.map(|event| event.name.clone()),
        start_time: event.and_then(|event| event.start_ms),
        end_time: event.and_then(|event| event.end_ms),
        freeze_time: event.and_then(|event| event.freeze_ms),
        reveal_at_end: event.is_some_and(|event| event.reveal == Reveal::Auto),
        logged_team: team.map(|team| team.name.to_string()),
        server_time: now_ms,
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

/// What organizers told everyone.
#[utoipa::path(get, path = "/notices", tag = "event",
    responses((status = 200, body = schema::Notices), (status = 304)))]
pub async fn notices(State(app): State<App>, headers: HeaderMap) -> Response {
    let view = app.feed.view(None).await;
    let body = view.published.notices().await;
    scoreboard::respond(body, &body.end, &headers).await
}

/// The rules page.
#[derive(Serialize, ToSchema)]
pub struct Rules {
    /// Sanitised HTML.
    html: String,
}

/// The rules, with times and points filled in.
#[utoipa::path(get, path = "/rules", tag = "event", responses((status = 200, body = Rules)))]
pub async fn rules(State(app): State<App>) -> Json<Rules> {
    let contest = app.feed.contest();
    let html = contest.event().map(|event| fill(&event.rules, event));
    Json(Rules { html: html.unwrap_or_default() })
}

/// Fills the placeholders of the rules, or of a page, with what the event says; those of the
/// scoring were filled when the files were read.
pub fn fill(html: &str, event: &Event) -> String {
    let zone = TimeZone::get(&event.timezone).unwrap_or(TimeZone::UTC);
    let when = |time: Option<i64>| time.and_then(|ms| written(ms, &zone)).unwrap_or_default();
    let length = event.start_ms.zip(event.end_ms).map(|(start, end)| hours(end - start));
    let table = [
        ("{start}", when(event.start_ms)),
        ("{end}", when(event.end_ms)),
        ("{freeze}", when(event.freeze_ms)),
        ("{length}", length.unwrap_or_default()),
        ("{flag_format}", escape(&event.flag_format)),
    ];
    table.iter().fold(html.to_owned(), |html, (mark, text)| html.replace(mark, text))
}

/// A time for people: `2pm CET on 25 November 2023`, with minutes where there are any.
fn written(ms: i64, zone: &TimeZone) -> Option<String> {
    let time = Timestamp::from_millisecond(ms).ok()?.to_zoned(zone.clone());
    let minutes = if time.minute() == 0 { "" } else { ":%M" };
    let format = format!("%-I{minutes}%P %Z on %-d %B %Y");
    Some(escape(&time.strftime(&format).to_string()))
}

/// A length for people: `5 hours`, `90 minutes`.
fn hours(ms: i64) -> String {
    let minutes = ms / 60_000;
    let (count, unit) =
        if minutes % 60 == 0 { (minutes / 60, "hour") } else { (minutes, "minute") };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_the_events_zone() {
        let rome = TimeZone::get("Europe/Rome").expect("a zone");
        let start = 1_700_917_200_000;
        assert_eq!(written(start, &rome).as_deref(), Some("2pm CET on 25 November 2023"));
        let later = start + 30 * 60_000;
        assert_eq!(written(later, &rome).as_deref(), Some("2:30pm CET on 25 November 2023"));
    }

    #[test]
    fn lengths_are_written_in_hours_where_they_are_whole() {
        let table = [(300, "5 hours"), (60, "1 hour"), (90, "90 minutes"), (1, "1 minute")];
        for (minutes, text) in table {
            assert_eq!(hours(minutes * 60_000), text);
        }
    }
}
