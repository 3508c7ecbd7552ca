//! Tables for people. Their JSON and CSV formats are those of the server's exports.

use std::io::{Write, stdout};

use anyhow::Result;
use flagship_server::lists::table::Table;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::cli::Listing;

const GAP: &str = "  ";

/// Prints JSON or CSV if requested, else aligned columns: numbers right-aligned, `-` for null.
pub fn print(table: Table, args: &Listing) -> Result<()> {
    match (args.json, args.csv) {
        (true, _) => print_json(&table.into_json()),
        (_, true) => Ok(table.write_csv(stdout())?),
        _ => print_aligned(&table),
    }
}

pub fn print_aligned(table: &Table) -> Result<()> {
    let mut out = stdout().lock();
    let heads: Vec<String> =
        table.columns.iter().map(|name| name.to_uppercase().replace('_', " ")).collect();
    let cells: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let width = |column: usize| {
        let lengths = cells.iter().map(|row| row[column].chars().count());
        lengths.chain([heads[column].chars().count()]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    let to_right: Vec<bool> = (0..heads.len()).map(is_number).collect();
    for row in std::iter::once(&heads).chain(&cells) {
        let padded = row.iter().zip(&widths).zip(&to_right).map(|((cell, width), right)| {
            if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        writeln!(out, "{}", padded.collect::<Vec<_>>().join(GAP).trim_end())?;
    }
    Ok(())
}

/// Formats a value for people, on one line.
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

pub fn print_json(value: &impl Serialize) -> Result<()> {
    Ok(writeln!(stdout(), "{}", serde_json::to_string_pretty(value)?)?)
}

/// Formats a time to the second in the event's time zone, like `2026-11-23 10:00:00`; null for 0.
pub fn local(ms: i64, timezone: &str) -> Value {
    let time = Timestamp::from_millisecond(ms).ok().filter(|_| ms != 0);
    let zoned = time.and_then(|time| time.in_tz(timezone).ok());
    zoned.map_or(Value::Null, |it| Value::String(it.strftime("%Y-%m-%d %H:%M:%S").to_string()))
}

/// Formats a duration in words: `1 d 2 h`, `3 h 20 min`, `4 min` or `5 s`.
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
    fn a_cell_is_one_line() {
        assert_eq!(cell(&Value::String("a\nb\u{1b}[2J".to_owned())), "a b [2J");
        assert_eq!(cell(&Value::Null), "-");
    }
}
