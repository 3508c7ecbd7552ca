//! Cells of CSV files that spreadsheets do not run as formulas, and back again.

/// What a formula can begin with, in full width too, and the mark itself.
const RISKY: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\''];

/// A cell that no spreadsheet runs: a text that could be a formula gets an apostrophe before it.
pub fn guard(text: &str) -> String {
    if text.starts_with(RISKY) { format!("'{text}") } else { text.to_owned() }
}

/// The text that `guard` was given.
pub fn unguard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(RISKY) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn formulas_are_guarded_and_come_back() {
        for text in
            ["=1+1", "+x", "-x", "@x", "'x", "''x", "'=x", "x=1", "", "\t=1", "\n=1", "＝1", "＠x"]
        {
            let bare = control("formulas_are_guarded_and_come_back", "=1+1 would be run");
            let cell = if bare { text.to_owned() } else { guard(text) };
            assert!(!cell.starts_with(&RISKY[..11]), "{text} would be run");
            assert_eq!(unguard(&cell), text);
        }
    }
}
