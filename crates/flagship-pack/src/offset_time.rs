//! Parses times in event files, which always have a UTC offset.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};

/// An instant, and the UTC offset it is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OffsetTime {
    /// Epoch milliseconds.
    pub(crate) at_ms: i64,
    /// `None` if the time ends with `Z`.
    offset: Option<Offset>,
}

impl OffsetTime {
    /// Parses `text`. The error is worded to follow the key.
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
            return Err("has no UTC offset; use a time like `2026-11-25T14:00:00+01:00`");
        }
        Err("is not a valid time; use one like `2026-11-25T14:00:00+01:00`")
    }

    /// Describes a mismatch with the offset of `zone` at this time, if any, worded to follow the
    /// key.
    pub(crate) fn offset_mismatch(&self, zone: &TimeZone) -> Option<String> {
        let (written, instant) = (self.offset?, Timestamp::from_millisecond(self.at_ms).ok()?);
        let there = zone.to_offset(instant);
        if written == there {
            return None;
        }
        let name = zone.iana_name().unwrap_or("the time zone");
        let clock = there.to_datetime(instant).strftime("%H:%M");
        let (written, there) = (hours(written), hours(there));
        Some(format!(
            "has the offset {written}, but {name} is at {there} on that day, so the local time is \
             {clock}"
        ))
    }
}

/// Words in key names that indicate a time.
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

/// Prefixes of such words, also for names like `releaseAt`.
const TIME_STARTS: [&str; 3] = ["release", "schedule", "visible"];

/// True if an unknown key looks like a time, judging by a word in its name or by its value.
/// Ignoring such a key could release something too early.
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

/// Formats a time for files, with the UTC offset of a time zone.
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
        OffsetTime::parse(text).map(|when| when.at_ms)
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
            assert!(parse_ms(text).unwrap_err().starts_with("has no UTC offset"), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_time() {
        for text in ["", "soon", "14:00", "2023-13-25T14:00:00Z", "1700917200", "99999999999999999"]
        {
            assert!(parse_ms(text).unwrap_err().starts_with("is not a valid time"), "{text}");
        }
    }

    #[test]
    fn an_offset_that_the_zone_does_not_have_is_reported_with_the_local_time() {
        let rome = TimeZone::get("Europe/Rome").expect("a zone");
        for text in ["2026-11-25T14:00:00+01:00", "2026-07-25T14:00:00+02:00"] {
            assert_eq!(OffsetTime::parse(text).expect(text).offset_mismatch(&rome), None, "{text}");
        }
        assert_eq!(
            OffsetTime::parse("2026-11-25T13:00Z").expect("a time").offset_mismatch(&rome),
            None
        );
        let winter =
            OffsetTime::parse("2026-11-25T14:00:00+02:00").expect("a time").offset_mismatch(&rome);
        let says = "has the offset +02:00, but Europe/Rome is at +01:00 on that day, so the local \
                    time is 13:00";
        assert_eq!(winter.as_deref(), Some(says));
    }
}
