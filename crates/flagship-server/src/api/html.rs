//! HTML escaping, and the placeholders of the rules and custom pages.

use flagship_game::Event;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Escapes a string for HTML text or a double-quoted attribute value.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Fills in the event placeholders of the rules or a custom page. The scoring placeholders were
/// filled in when the files were read.
pub fn fill(html: &str, event: &Event) -> String {
    let zone = TimeZone::get(&event.timezone).unwrap_or(TimeZone::UTC);
    let when = |time: Option<i64>| time.and_then(|ms| format_time(ms, &zone)).unwrap_or_default();
    let length = event.start_ms.zip(event.end_ms).map(|(start, end)| format_duration(end - start));
    let table = [
        ("{start}", when(event.start_ms)),
        ("{end}", when(event.end_ms)),
        ("{freeze}", when(event.freeze_ms)),
        ("{length}", length.unwrap_or_default()),
        ("{flag_format}", escape(&event.flag_format)),
    ];
    table.iter().fold(html.to_owned(), |html, (mark, text)| html.replace(mark, text))
}

/// Formats a time for people: `2pm CET on 25 November 2023`, with minutes if they are not zero.
fn format_time(ms: i64, zone: &TimeZone) -> Option<String> {
    let time = Timestamp::from_millisecond(ms).ok()?.to_zoned(zone.clone());
    let minutes = if time.minute() == 0 { "" } else { ":%M" };
    let format = format!("%-I{minutes}%P %Z on %-d %B %Y");
    Some(escape(&time.strftime(&format).to_string()))
}

/// Formats a duration for people: `5 hours`, `90 minutes`.
fn format_duration(ms: i64) -> String {
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
        assert_eq!(format_time(start, &rome).as_deref(), Some("2pm CET on 25 November 2023"));
        let later = start + 30 * 60_000;
        assert_eq!(format_time(later, &rome).as_deref(), Some("2:30pm CET on 25 November 2023"));
    }

    #[test]
    fn whole_hours_are_formatted_as_hours() {
        let table = [(300, "5 hours"), (60, "1 hour"), (90, "90 minutes"), (1, "1 minute")];
        for (minutes, text) in table {
            assert_eq!(format_duration(minutes * 60_000), text);
        }
    }
}
