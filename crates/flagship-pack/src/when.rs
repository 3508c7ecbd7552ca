//! Parses times in the event's files, which always have an offset from UTC.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};

/// A moment, and the offset that it is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct When {
    /// Epoch milliseconds.
    pub(crate) at_ms: i64,
    /// `None` for a time that ends with `Z`.
    offset: Option<Offset>,
}

impl When {
    /// Parses `text`. The error completes a sentence that begins with the key.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if let Ok(instant) = text.parse::<Timestamp>() {
            let pieces = Pieces::parse(text).ok();
            let offset = match pieces.and_then(|pieces| pieces.offset()) {
                Some(PiecesOffset::Numeric(numeric)) => Some(numeric.offset()),
                _ => None,
            };
            return Ok(Self { at_ms: instant.as_millisecond(), offset });
        }
        if text.parse::<DateTime>().is_ok() || text.parse::<Date>().is_ok() {
            return Err("has no offset from UTC; write it like `2026-11-25T14:00:00+01:00`");
        }
        Err("is no time; write it like `2026-11-25T14:00:00+01:00`")
    }

    /// If `zone` has another offset at this moment: what is wrong, as the end of a sentence that
    /// begins with the key.
    pub(crate) fn unlike(&self, zone: &TimeZone) -> Option<String> {
        let (written, instant) = (self.offset?, Timestamp::from_millisecond(self.at_ms).ok()?);
        let there = zone.to_offset(instant);
        if written == there {
            return None;
        }
        let name = zone.iana_name().unwrap_or("the time zone");
        let clock = there.to_datetime(instant).strftime("%H:%M");
        let (written, there) = (hours(written), hours(there));
        Some(format!(
            "has the offset {written}, but {name} is at {there} on that day, where it is {clock}"
        ))
    }
}

/// Words in the names of keys that hold times.
const TIME_WORDS: [&str; 20] = [
    "after",
    "at",
    "available",
    "close",
    "closes",
    "date",
    "datetime",
    "delay",
    "from",
    "open",
    "opens",
    "publish",
    "published",
    "show",
    "start",
    "starts",
    "time",
    "unlock",
    "until",
    "when",
];

/// Beginnings of such words, also in names such as `releaseAt`.
const TIME_STARTS: [&str; 3] = ["release", "schedule", "visible"];

/// True if an unknown key looks like one that holds a time, by a word of its name or by its value.
/// Ignoring it would show something too early.
pub(crate) fn is_like_time(key: &str, value: Option<&str>) -> bool {
    let key = key.to_ascii_lowercase();
    let mut words = key.split(|c: char| !c.is_ascii_alphanumeric());
    let is_time = |text: &str| {
        let text = text.trim();
        text.parse::<Timestamp>().is_ok()
            || text.parse::<DateTime>().is_ok()
            || text.parse::<Date>().is_ok()
    };
    let is_named = |word: &str| {
        TIME_WORDS.contains(&word) || TIME_STARTS.iter().any(|start| word.starts_with(start))
    };
    words.any(is_named) || value.is_some_and(is_time)
}

/// A time as it is written into files: with the offset of a time zone.
pub(crate) fn written(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%.f%:z").to_string()
}

fn hours(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_ms(text: &str) -> Result<i64, &'static str> {
        When::parse(text).map(|when| when.at_ms)
    }

    #[test]
    fn times_with_an_offset_are_instants() {
        for text in [
            "2023-11-25T14:00:00+01:00",
            "2023-11-25 14:00:00+01:00",
            "2023-11-25T13:00:00Z",
            "2023-11-25T13:00Z",
            " 2023-11-25T13:00:00.000Z ",
        ] {
            assert_eq!(parse_ms(text), Ok(1_700_917_200_000), "{text}");
        }
        assert_eq!(parse_ms("1970-01-01T00:00:00.0015Z"), Ok(1));
    }

    #[test]
    fn a_missing_offset_is_reported() {
        for text in ["2023-11-25T14:00:00", "2023-11-25 14:00:00", "2023-11-25", "2023-11-25T14:00"]
        {
            assert!(parse_ms(text).unwrap_err().starts_with("has no offset"), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_time() {
        for text in ["", "soon", "14:00", "2023-13-25T14:00:00Z", "1700917200", "99999999999999999"]
        {
            assert!(parse_ms(text).unwrap_err().starts_with("is no time"), "{text}");
        }
    }

    #[test]
    fn an_offset_that_the_zone_does_not_have_is_reported_with_the_local_time() {
        let rome = TimeZone::get("Europe/Rome").expect("a zone");
        for text in ["2026-11-25T14:00:00+01:00", "2026-07-25T14:00:00+02:00"] {
            assert_eq!(When::parse(text).expect(text).unlike(&rome), None, "{text}");
        }
        assert_eq!(When::parse("2026-11-25T13:00Z").expect("a time").unlike(&rome), None);
        let winter = When::parse("2026-11-25T14:00:00+02:00").expect("a time").unlike(&rome);
        let says = "has the offset +02:00, but Europe/Rome is at +01:00 on that day, \
                    where it is 13:00";
        assert_eq!(winter.as_deref(), Some(says));
    }
}
