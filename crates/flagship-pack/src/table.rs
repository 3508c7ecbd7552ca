//! Typed access to one table of `event.toml`. Values of the wrong type or out of range, and unknown
//! keys, are reported as problems with their line.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::offset_time::OffsetTime;
use crate::problem::{Report, nearest, quote};

/// Maximum length of a string, in characters.
const TEXT_CHARS_MAX: usize = 500;

/// Maximum number of items in a list.
const ITEMS_MAX: usize = 1000;

/// Positions of line breaks, to convert byte offsets into line numbers.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line, counted from 1, on which `bytes` starts.
    pub(crate) fn at(&self, bytes: &Range<usize>) -> usize {
        self.0.partition_point(|&end| end < bytes.start) + 1
    }
}

/// A table; in an absent table, every key is missing.
pub(crate) struct Table<'t, 'i> {
    name: &'static str,
    table: Option<&'t DeTable<'i>>,
    line: usize,
    lines: &'t Lines,
}

impl<'t, 'i> Table<'t, 'i> {
    /// Opens the table `[name]` of `root`.
    pub(crate) fn open(
        root: &'t DeTable<'i>,
        name: &'static str,
        lines: &'t Lines,
        report: &mut Report,
    ) -> Self {
        let found = root.get_key_value(name);
        let table = found.and_then(|(_, value)| value.get_ref().as_table());
        let line = found.map_or(1, |(key, _)| lines.at(&key.span()));
        if found.is_some() && table.is_none() {
            report.error(line, format!("`{name}` must be a table: `[{name}]`"));
        }
        Self { name, table, line, lines }
    }

    /// Returns the root table, for its arrays of tables.
    pub(crate) fn root(root: &'t DeTable<'i>, lines: &'t Lines) -> Self {
        Self { name: "event.toml", table: Some(root), line: 1, lines }
    }

    /// Reports every key that is not in `known`. `others` contains all tables and their keys.
    pub(crate) fn refuse_unknown(
        &self,
        known: &[&'static str],
        others: &[(&'static str, &[&'static str])],
        report: &mut Report,
    ) {
        let name = self.name;
        for (key, _) in self.table.into_iter().flat_map(|table| table.iter()) {
            let word = key.get_ref().as_ref();
            if known.contains(&word) {
                continue;
            }
            let home = others.iter().find(|(_, keys)| keys.contains(&word));
            let near = match report.is_full() {
                true => None,
                false => nearest(known.iter().copied(), word),
            };
            let advice = match (home, near) {
                (Some((home, _)), _) => format!("; it belongs in [{home}]"),
                (None, Some((near, _))) => format!("; did you mean `{near}`?"),
                (None, None) => String::new(),
            };
            let line = self.lines.at(&key.span());
            report.error(line, format!("unknown key {} in [{name}]{advice}", quote(word)));
        }
    }

    /// Returns the line of `key`, or of the table if the key is absent.
    pub(crate) fn line(&self, key: &str) -> usize {
        self.table
            .and_then(|table| table.get_key_value(key))
            .map_or(self.line, |(key, _)| self.lines.at(&key.span()))
    }

    /// True if `key` is present, with a value of any type.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Returns a trimmed string without control characters; `None` if it is empty.
    pub(crate) fn text(&self, key: &str, report: &mut Report) -> Option<String> {
        let value = self.value(key)?;
        let text = self.typed(key, "a quoted string", value.get_ref().as_str(), report)?.trim();
        self.clean(key, text, report)
    }

    /// Returns a string for which `holds` is true; otherwise reports a problem with the wording
    /// `says`.
    pub(crate) fn text_where(
        &self,
        key: &str,
        says: &str,
        holds: impl Fn(&str) -> bool,
        report: &mut Report,
    ) -> Option<String> {
        let text = self.text(key, report)?;
        if holds(&text) {
            return Some(text);
        }
        report.error(self.line(key), format!("`{key}` {says}, not {}", quote(&text)));
        None
    }

    /// Returns a boolean.
    pub(crate) fn boolean(&self, key: &str, report: &mut Report) -> Option<bool> {
        let value = self.value(key)?;
        self.typed(key, "`true` or `false`", value.get_ref().as_bool(), report)
    }

    /// Returns a whole number in `range`.
    pub(crate) fn number<N: TryFrom<i64>>(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        report: &mut Report,
    ) -> Option<N> {
        let value = self.value(key)?;
        let number = value.get_ref().as_integer();
        let number = self.typed(key, "a whole number", number, report)?;
        let digits = number.as_str().replace('_', "");
        let number = i64::from_str_radix(&digits, number.radix()).ok();
        let number = number.filter(|number| range.contains(number));
        if let Some(number) = number.and_then(|number| N::try_from(number).ok()) {
            return Some(number);
        }
        let (least, most) = (range.start(), range.end());
        report.error(self.line(key), format!("`{key}` must be between {least} and {most}"));
        None
    }

    /// Returns the value of one of the words in `choices`.
    pub(crate) fn choice<T: Copy>(
        &self,
        key: &str,
        choices: &[(&str, T)],
        report: &mut Report,
    ) -> Option<T> {
        let text = self.text(key, report)?;
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return Some(*choice);
        }
        let words: Vec<_> = choices.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let words = words.join(", ");
        report
            .error(self.line(key), format!("`{key}` must be one of {words}, not {}", quote(&text)));
        None
    }

    /// Returns a time: a TOML date-time or a string, with a UTC offset.
    pub(crate) fn time(&self, key: &str, report: &mut Report) -> Option<OffsetTime> {
        let text = match self.value(key)?.get_ref() {
            DeValue::Datetime(time) => Some(time.to_string()),
            DeValue::String(text) => Some(text.to_string()),
            _ => None,
        };
        let text = self.typed(key, "a time with a UTC offset", text, report)?;
        OffsetTime::parse(&text)
            .inspect_err(|says| report.error(self.line(key), format!("`{key}` {says}")))
            .ok()
    }

    /// Returns a list of strings converted by `read`; reports rejected items with the wording
    /// `says`.
    pub(crate) fn list<T>(
        &self,
        key: &str,
        says: &str,
        read: impl Fn(&str) -> Option<T>,
        report: &mut Report,
    ) -> Option<Vec<T>> {
        let value = self.value(key)?;
        let items = self.typed(key, "a list of strings", value.get_ref().as_array(), report)?;
        if items.len() > ITEMS_MAX {
            report.error(self.line(key), format!("`{key}` has more than {ITEMS_MAX} items"));
            return None;
        }
        let mut list = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str().map(|text| (text, read(text.trim()))) {
                Some((_, Some(value))) => list.push(value),
                Some((text, None)) => {
                    let message = format!("`{key}` {says}, not {}", quote(text));
                    report.error(self.lines.at(&item.span()), message);
                }
                None => report.error(self.lines.at(&item.span()), format!("`{key}` {says}")),
            }
        }
        Some(list)
    }

    /// Returns the tables of the list `key`; messages call each table `name`.
    pub(crate) fn tables(
        &self,
        key: &str,
        name: &'static str,
        most: usize,
        report: &mut Report,
    ) -> Vec<Self> {
        let items = self.value(key).and_then(|value| {
            let what = format!("an array of tables: `[[{name}]]`");
            self.typed(key, &what, value.get_ref().as_array(), report)
        });
        let Some(items) = items else { return Vec::new() };
        if items.len() > most {
            report.error(self.line(key), format!("more than {most} `[[{name}]]`"));
            return Vec::new();
        }
        let mut tables = Vec::new();
        for item in items.iter() {
            let (line, table) = (self.lines.at(&item.span()), item.get_ref().as_table());
            if table.is_none() {
                report.error(line, format!("`{key}` must be an array of tables: `[[{name}]]`"));
                continue;
            }
            tables.push(Self { name, table, line, lines: self.lines });
        }
        tables
    }

    fn value(&self, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
        self.table?.get(key)
    }

    fn typed<T>(&self, key: &str, what: &str, value: Option<T>, report: &mut Report) -> Option<T> {
        if value.is_none() {
            report.error(self.line(key), format!("`{key}` must be {what}"));
        }
        value
    }

    fn clean(&self, key: &str, text: &str, report: &mut Report) -> Option<String> {
        if text.chars().any(char::is_control) {
            report.error(self.line(key), format!("`{key}` must be one line of plain text"));
            return None;
        }
        if text.chars().count() > TEXT_CHARS_MAX {
            let message = format!("`{key}` is longer than {TEXT_CHARS_MAX} characters");
            report.error(self.line(key), message);
            return None;
        }
        (!text.is_empty()).then(|| text.to_owned())
    }
}
