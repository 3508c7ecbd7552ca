//! Parses times in the event's files, which always have an offset from UTC.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};

/// Parses `text` into epoch milliseconds. The error completes a sentence that begins with the key.
pub(crate) fn parse_ms(text: &str) -> Result<i64, &'static str> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(instant.as_millisecond());
    }
    if text.parse::<DateTime>().is_ok() || text.parse::<Date>().is_ok() {
        return Err("has no offset from UTC; write it like `2026-11-25T14:00:00+01:00`");
    }
    Err("is no time; write it like `2026-11-25T14:00:00+01:00`")
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_missing_offset_is_named() {
        for text in ["2023-11-25T14:00:00", "2023-11-25 14:00:00", "2023-11-25", "2023-11-25T14:00"]
        {
            assert!(parse_ms(text).unwrap_err().starts_with("has no offset"), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_time() {
        for text in ["", "soon", "14:00", "2023-13-25T14:00:00Z", "1700917200", "99999999999999999"]
        {
            assert!(parse_ms(text).unwrap_err().starts_with("is no time"), "{text}");
        }
    }
}
