//! Protects cells of CSV files from being run as formulas by spreadsheets, and reverses that.

/// Characters that start a formula, also in full width, and the apostrophe that guards a cell.
const RISKY: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\''];

/// Prepends an apostrophe to a text that a spreadsheet could run as a formula.
pub fn guard(text: &str) -> String {
    if text.starts_with(RISKY) { format!("'{text}") } else { text.to_owned() }
}

/// Reverses [`guard`].
pub fn unguard(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(RISKY) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_and_read_back() {
        for text in
            ["=1+1", "+x", "-x", "@x", "'x", "''x", "'=x", "x=1", "", "\t=1", "\n=1", "＝1", "＠x"]
        {
            let cell = guard(text);
            assert!(!cell.starts_with(&RISKY[..11]), "{text} would be run");
            assert_eq!(unguard(&cell), text);
        }
    }
}
