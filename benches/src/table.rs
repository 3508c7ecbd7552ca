//! Tables of figures, and medians.

use std::fmt;

/// The requirement for a figure.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// None; the figure is for comparison.
    Any,
    /// A minimum.
    AtLeast(f64),
    /// A maximum.
    AtMost(f64),
}

struct Row {
    what: String,
    cells: Vec<String>,
    wanted: Wanted,
    is_met: bool,
}

/// Rows of figures with a header and remarks.
pub struct Table {
    head: Vec<&'static str>,
    rows: Vec<Row>,
    remarks: Vec<String>,
    failures: Vec<String>,
    /// The table that follows.
    next: Option<Box<Table>>,
}

impl Table {
    /// An empty table; `head` names the columns.
    pub fn new(head: &[&'static str]) -> Self {
        Self {
            head: head.to_vec(),
            rows: Vec::new(),
            remarks: Vec::new(),
            failures: Vec::new(),
            next: None,
        }
    }

    /// Adds a row without a requirement.
    pub fn row(&mut self, what: &str, cells: &[String]) {
        self.rows.push(Row {
            what: what.to_owned(),
            cells: cells.to_vec(),
            wanted: Wanted::Any,
            is_met: true,
        });
    }

    /// Adds a row in which the figure `judged` has a requirement.
    pub fn judged(&mut self, what: &str, cells: &[String], judged: f64, wanted: Wanted) {
        self.row(what, cells);
        let is_met = match wanted {
            Wanted::Any => true,
            Wanted::AtLeast(least) => judged >= least,
            Wanted::AtMost(most) => judged <= most,
        };
        if let Some(row) = self.rows.last_mut() {
            (row.wanted, row.is_met) = (wanted, is_met);
        }
    }

    /// Adds a line below the table.
    pub fn remark(&mut self, words: impl Into<String>) {
        self.remarks.push(words.into());
    }

    /// Records a reason why the benchmark has failed.
    pub fn fail(&mut self, why: String) {
        self.failures.push(why);
    }

    /// The reasons why the benchmark has failed.
    pub fn failures(self) -> Vec<String> {
        self.failures
    }

    /// Appends a table.
    pub fn follow(&mut self, table: Self) {
        match &mut self.next {
            Some(next) => next.follow(table),
            None => self.next = Some(Box::new(table)),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = |row: &Row| match row.wanted {
            Wanted::Any => String::new(),
            Wanted::AtLeast(least) => format!("at least {}", short(least)),
            Wanted::AtMost(most) => format!("at most {}", short(most)),
        };
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        write!(f, "{:<width$}", "")?;
        for name in &self.head {
            write!(f, "{name:>14}")?;
        }
        writeln!(f, "{:>16}", "wanted")?;
        for row in &self.rows {
            let mut line = format!("{:<width$}", row.what);
            for column in 0..self.head.len() {
                let cell = row.cells.get(column).map_or("", String::as_str);
                line += &format!("{cell:>14}");
            }
            let verdict = match (row.wanted, row.is_met) {
                (Wanted::Any, _) => "",
                (_, true) => "  ok",
                (_, false) => "  MISSED",
            };
            line += &format!("{:>16}{verdict}", wanted(row));
            writeln!(f, "{}", line.trim_end())?;
        }
        for remark in &self.remarks {
            writeln!(f, "{remark}")?;
        }
        if let Some(next) = &self.next {
            write!(f, "\n{next}")?;
        }
        Ok(())
    }
}

/// Formats a figure with its significant digits and thousands separators; empty if it is not
/// finite, such as the quotient of two times that were too short to measure.
pub fn short(figure: f64) -> String {
    if !figure.is_finite() {
        return String::new();
    }
    if figure.abs() >= 1000.0 {
        let digits = format!("{:.0}", figure.abs());
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        return if figure < 0.0 { format!("-{text}") } else { text };
    }
    let decimals = match figure.abs() {
        0.0 => 0,
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{figure:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The median; 0 without figures.
pub fn median(figures: &[f64]) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.len() {
        0 => 0.0,
        count if count % 2 == 1 => figures[middle],
        _ => f64::midpoint(figures[middle - 1], figures[middle]),
    }
}

/// The median of the quotients of pairs.
pub fn ratio(these: &[f64], those: &[f64]) -> f64 {
    let quotients: Vec<f64> = these.iter().zip(those).map(|(this, that)| this / that).collect();
    median(&quotients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_that_misses_what_is_wanted_says_so() {
        let mut table = Table::new(&["ours", "ratio"]);
        table.judged("fast", &[short(61_234.4), short(0.61)], 0.61, Wanted::AtLeast(0.6));
        table.judged("slow", &[short(3.25)], 3.25, Wanted::AtMost(2.0));
        table.row("plain", &[short(0.0123)]);
        table.remark("said so");
        let lines: Vec<String> = table.to_string().lines().map(str::to_owned).collect();
        let [_, fast, slow, plain, remark] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(fast.contains("61,234") && fast.ends_with("at least 0.6  ok"), "{fast}");
        assert!(slow.ends_with("at most 2  MISSED"), "{slow}");
        assert!(plain.ends_with("0.0123") && remark == "said so", "{plain}");
    }

    #[test]
    fn what_is_no_figure_is_not_told() {
        assert_eq!(short(ratio(&[0.0], &[0.0])), "");
        assert_eq!(short(ratio(&[1.0], &[0.0])), "");
        assert_eq!(short(ratio(&[1.0], &[2.0])), "0.5");
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(ratio(&[1.0, 9.0, 4.0], &[2.0, 3.0, 2.0]), 2.0);
    }
}
