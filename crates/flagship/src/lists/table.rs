//! Rows of named values: as JSON, as CSV, and as a table for people.

use std::io::{Write, stdout};

use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::csv_cells::guard;

/// Blanks between two columns.
const GAP: &str = "  ";

/// Rows of named values.
pub struct Table {
    /// The names of the columns.
    pub columns: &'static [&'static str],
    /// The rows, each with a value for every column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// A list of objects.
    pub fn into_json(self) -> Value {
        let columns = self.columns;
        let row = |row: Vec<Value>| -> Value {
            columns.iter().map(|name| (*name).to_owned()).zip(row).collect()
        };
        self.rows.into_iter().map(row).collect()
    }

    /// Prints CSV with a line of headers.
    pub fn print_csv(self) -> Result<()> {
        let mut out = csv::Writer::from_writer(stdout());
        out.write_record(self.columns)?;
        for row in self.rows {
            out.write_record(row.iter().map(|value| match value {
                Value::String(text) => guard(text),
                Value::Null => String::new(),
                other => other.to_string(),
            }))?;
        }
        Ok(out.flush()?)
    }

    /// Prints JSON, or aligned columns with headers: numbers to the right, `-` for nothing.
    pub fn print(self, json: bool) -> Result<()> {
        if json {
            return print_json(&self.into_json());
        }
        let mut out = stdout().lock();
        let heads: Vec<String> =
            self.columns.iter().map(|name| name.to_uppercase().replace('_', " ")).collect();
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let width = |column: usize| {
            let lengths = cells.iter().map(|row| row[column].chars().count());
            lengths.chain([heads[column].chars().count()]).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let is_number = |column: usize| self.rows.iter().any(|row| row[column].is_number());
        let to_right: Vec<bool> = (0..heads.len()).map(is_number).collect();
        for row in std::iter::once(&heads).chain(&cells) {
            let padded = row.iter().zip(&widths).zip(&to_right).map(|((cell, width), right)| {
                if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            writeln!(out, "{}", padded.collect::<Vec<_>>().join(GAP).trim_end())?;
        }
        Ok(())
    }
}

/// A value for people, in one line.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Prints a value as JSON.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    Ok(writeln!(stdout(), "{}", serde_json::to_string_pretty(value)?)?)
}

/// A time in UTC as in RFC 3339, always with milliseconds; null for 0.
pub fn utc(ms: i64) -> Value {
    let time = Timestamp::from_millisecond(ms).ok().filter(|_| ms != 0);
    let text = |time: Timestamp| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    time.map_or(Value::Null, |time| Value::String(text(time)))
}

/// A time to the second in the event's time zone, as `2026-11-23 10:00:00`; null for 0.
pub fn local(ms: i64, timezone: &str) -> Value {
    let time = Timestamp::from_millisecond(ms).ok().filter(|_| ms != 0);
    let zoned = time.and_then(|time| time.in_tz(timezone).ok());
    zoned.map_or(Value::Null, |it| Value::String(it.strftime("%Y-%m-%d %H:%M:%S").to_string()))
}

/// A duration in words, as `1 d 2 h`, `3 h 20 min`, `4 min` or `5 s`.
pub fn duration(ms: i64) -> String {
    let seconds = ms.unsigned_abs() / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_at_most_two_units() {
        for (ms, words) in [
            (0, "0 s"),
            (59_999, "59 s"),
            (-61_000, "1 min"),
            (3_600_000, "1 h 0 min"),
            (86_400_000 + 7_200_000, "1 d 2 h"),
        ] {
            assert_eq!(duration(ms), words);
        }
    }

    #[test]
    fn times_in_utc_have_equal_width() {
        for (ms, text) in [
            (1_800_000_000_000, "2027-01-15T08:00:00.000Z"),
            (1_800_000_000_120, "2027-01-15T08:00:00.120Z"),
            (1_800_000_000_123, "2027-01-15T08:00:00.123Z"),
        ] {
            assert_eq!(utc(ms), Value::String(text.to_owned()));
        }
        assert_eq!(utc(0), Value::Null);
    }

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(cell(&Value::String("a\nb\u{1b}[2J".to_owned())), "a b [2J");
        assert_eq!(cell(&Value::Null), "-");
    }
}
