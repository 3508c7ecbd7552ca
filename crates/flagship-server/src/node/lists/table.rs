//! Tables of named values, as JSON and as CSV.

use std::io::Write;

use jiff::Timestamp;
use serde_json::Value;

use super::cells::guard;

/// A table of named values.
pub struct Table {
    /// Column names.
    pub columns: Vec<&'static str>,
    /// Rows, each with a value for every column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Creates a table with these columns.
    pub fn new(columns: &[&'static str], rows: impl IntoIterator<Item = Vec<Value>>) -> Self {
        Self { columns: columns.to_vec(), rows: rows.into_iter().collect() }
    }

    /// Adds a column, or replaces the one with the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        let known = self.columns.iter().position(|it| *it == name);
        let place = known.unwrap_or(self.columns.len());
        if known.is_none() {
            self.columns.push(name);
        }
        for (row, value) in self.rows.iter_mut().zip(values) {
            match row.get_mut(place) {
                Some(cell) => *cell = value,
                None => row.push(value),
            }
        }
        self
    }

    /// Keeps only these columns, in this order.
    ///
    /// # Panics
    /// Panics if one of them does not exist.
    #[must_use]
    pub fn only(self, names: &[&'static str]) -> Self {
        let place = |name: &&str| self.columns.iter().position(|it| it == name);
        let places: Vec<usize> =
            names.iter().map(|name| place(name).expect("it has this column")).collect();
        let pick = |row: &Vec<Value>| places.iter().map(|place| row[*place].clone()).collect();
        Self { columns: names.to_vec(), rows: self.rows.iter().map(pick).collect() }
    }

    /// Returns the rows as a list of objects.
    pub fn into_json(self) -> Value {
        let columns = self.columns;
        let row = |row: Vec<Value>| -> Value {
            columns.iter().map(|name| (*name).to_owned()).zip(row).collect()
        };
        self.rows.into_iter().map(row).collect()
    }

    /// Writes CSV with a header line. No cell can be run as a formula.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn write_csv(&self, out: impl Write) -> std::io::Result<()> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(&self.columns).map_err(of_output)?;
        for row in &self.rows {
            out.write_record(row.iter().map(text)).map_err(of_output)?;
        }
        out.flush()
    }
}

/// The underlying I/O error, which distinguishes a closed pipe from a full disk.
fn of_output(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}

/// Builds a table with one line per column: its name, the condition for showing it (unless everyone
/// sees it), and its value.
macro_rules! columns {
    ($row:pat_param in $rows:expr; $($name:literal $(if $is_seen:expr)? => $value:expr,)+) => {{
        let mut columns = Vec::new();
        $(if true $(&& $is_seen)? { columns.push($name); })+
        let rows = $rows.map(|$row| {
            let mut row = Vec::new();
            $(if true $(&& $is_seen)? { row.push(serde_json::json!($value)); })+
            row
        });
        $crate::node::lists::table::Table::new(&columns, rows)
    }};
}
pub(super) use columns;

/// Text of a cell. Several values become one text.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => guard(text),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// UTC time in RFC 3339 format with milliseconds; null for 0.
pub fn utc(ms: i64) -> Value {
    let time = Timestamp::from_millisecond(ms).ok().filter(|_| ms != 0);
    let text = |time: Timestamp| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    time.map_or(Value::Null, |time| Value::String(text(time)))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use serde_json::json;

    use super::*;

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
    fn columns_are_picked_replaced_and_added() {
        let table = Table::new(&["a", "b"], [vec![json!(1), json!(2)]]);
        let table = table.with("b", [json!(3)]).with("c", [json!(4)]).only(&["c", "b"]);
        assert_eq!(table.into_json(), json!([{"c": 4, "b": 3}]));
    }

    #[test]
    fn a_column_is_shown_to_those_who_see_it() {
        let table = |is_seen: bool| {
            columns! { it in [1, 2].iter();
                "all" => it,
                "some" if is_seen => Some(it * 10),
                "last" => "x",
            }
        };
        assert_eq!(table(false).columns, ["all", "last"]);
        assert_eq!(table(false).rows[1], [json!(2), json!("x")]);
        let expected = json!([{"all": 1, "some": 10, "last": "x"},
            {"all": 2, "some": 20, "last": "x"}]);
        assert_eq!(table(true).into_json(), expected);
    }

    #[test]
    fn csv_whose_reader_is_gone_says_so() {
        /// A writer that always fails.
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        // Larger than the write buffer.
        let table = Table::new(&["a"], vec![vec![json!("a cell")]; 10_000]);
        let error = table.write_csv(Closed).expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn csv_has_guarded_cells_and_whole_rows() {
        let row = vec![json!("=1+1"), json!(-5), Value::Null, json!("a,\"b\"\nc")];
        let table = Table::new(&["a", "b", "c", "d"], [row]);
        let mut csv = Vec::new();
        table.write_csv(&mut csv).expect("memory takes all");
        let expected = "a,b,c,d\n'=1+1,-5,,\"a,\"\"b\"\"\nc\"\n";
        assert_eq!(String::from_utf8(csv).expect("text"), expected);
    }
}
