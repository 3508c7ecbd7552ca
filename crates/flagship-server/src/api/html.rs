//! Text in HTML, and what the placeholders of rules and pages stand for.

use flagship_game::Event;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A text as HTML text or as the value of an attribute in double quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
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
