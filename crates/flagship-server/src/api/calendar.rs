//! The event as a calendar file (RFC 5545) for players. It has one entry without alarms, so a
//! calendar crate would be larger than this code.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flagship_game::Event;
use jiff::Timestamp;

use super::error::ApiError;
use crate::node::state::App;

const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Maximum length of a line in octets, without the line break (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;

/// Returns the event's times as a calendar file.
#[utoipa::path(get, path = "/event.ics", tag = "event",
    responses((status = 200, content_type = CALENDAR, body = String),
        (status = 404, description = "The event has no start or end")))]
pub async fn calendar(State(app): State<App>) -> Result<Response, ApiError> {
    let contest = app.board.feed.contest();
    let event = contest.event().ok_or(ApiError::NOT_FOUND)?;
    let (generation, site) = (app.board.feed.generation(), &app.config().public_url);
    let file = render(event, app.now_ms(), generation, site);
    let file = file.ok_or(ApiError::NOT_FOUND)?;
    let headers = [(header::CONTENT_TYPE, CALENDAR), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, file).into_response())
}

/// Renders the file; `None` without a start and an end. `generation` identifies the event, so that
/// importing the file again moves the calendar entry instead of adding another.
fn render(event: &Event, now_ms: i64, generation: &str, site: &str) -> Option<String> {
    let (start, end) = (format_utc(event.start_ms?)?, format_utc(event.end_ms?)?);
    let lines = [
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//Flagship//Flagship//EN".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{generation}@flagship"),
        format!("DTSTAMP:{}", format_utc(now_ms)?),
        format!("DTSTART:{start}"),
        format!("DTEND:{end}"),
        format!("SUMMARY:{}", escaped(&event.name)),
        format!("URL:{site}/"),
        "END:VEVENT".to_owned(),
        "END:VCALENDAR".to_owned(),
    ];
    Some(lines.iter().map(|line| folded(line)).collect())
}

/// Formats a UTC time as iCalendar does.
fn format_utc(ms: i64) -> Option<String> {
    let time = Timestamp::from_millisecond(ms).ok()?;
    Some(time.strftime("%Y%m%dT%H%M%SZ").to_string())
}

/// Escapes the characters with a special meaning in iCalendar (section 3.3.11).
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => safe.extend(['\\', c]),
            '\n' => safe.push_str("\\n"),
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}

/// Ends a line, folding a long one into continuation lines that start with a space.
fn folded(line: &str) -> String {
    let mut lines = String::with_capacity(line.len() + 2);
    let mut bytes = 0;
    for c in line.chars() {
        if bytes + c.len_utf8() > LINE_BYTES_MAX {
            lines.push_str("\r\n ");
            bytes = 1;
        }
        lines.push(c);
        bytes += c.len_utf8();
    }
    lines + "\r\n"
}

#[cfg(test)]
mod tests {
    use flagship_game::Reveal;

    use super::*;

    fn event(name: &str) -> Event {
        Event {
            name: name.to_owned(),
            start_ms: Some(1_700_917_200_000),
            end_ms: Some(1_700_935_200_000),
            freeze_ms: None,
            reveal: Reveal::Auto,
            timezone: "Europe/Rome".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        }
    }

    #[test]
    fn the_event_is_a_calendar_entry_in_utc() {
        let made = render(&event("Pier Zero"), 1_700_000_000_000, "ab12", "https://ctf.example");
        let lines = [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Flagship//Flagship//EN",
            "BEGIN:VEVENT",
            "UID:ab12@flagship",
            "DTSTAMP:20231114T221320Z",
            "DTSTART:20231125T130000Z",
            "DTEND:20231125T180000Z",
            "SUMMARY:Pier Zero",
            "URL:https://ctf.example/",
            "END:VEVENT",
            "END:VCALENDAR",
        ];
        let expected: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        assert_eq!(made, Some(expected));
        let timeless = Event { end_ms: None, ..event("x") };
        assert_eq!(render(&timeless, 0, "", ""), None);
    }

    #[test]
    fn names_cannot_inject_calendar_lines() {
        let name = format!("a;b,c\\d\r\nBEGIN:VALARM\u{7}{}", "é".repeat(90));
        let made = render(&event(&name), 0, "g", "https://ctf.example").expect("it has times");
        assert!(made.contains("SUMMARY:a\\;b\\,c\\\\d\\nBEGIN:VALARMé"), "{made}");
        let lines: Vec<&str> = made.split("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= LINE_BYTES_MAX), "{made}");
        let unfolded = made.replace("\r\n ", "");
        assert_eq!(unfolded.lines().count(), 12);
        assert!(unfolded.contains(&"é".repeat(90)));
    }
}
