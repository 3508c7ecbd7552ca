//! Preview of a team import: the file compared with existing teams. A seal over both ensures that
//! the import equals the preview that an organizer has seen.

use std::collections::HashSet;

use flagship_game::ReservedNames;
use flagship_store::Key;
use sha2::{Digest, Sha256};

use super::compare::Compared;
use super::sheet::{Fault, Passed, Row, Sheet, parse};
use super::text::{Encoding, Unread};

/// Maximum number of teams per import in the console. They are written in one transaction, and
/// flags wait for it.
pub const TEAMS_MAX: usize = 2_000;

/// Purpose of the seal.
const SEAL: &str = "team import";

/// A team file compared with existing teams.
pub struct Checked {
    /// Parsed file.
    pub sheet: Sheet,
    /// Notes about rows whose email address has a pending signup.
    pub notes: Vec<Fault>,
    /// Seal over the file and the outcome of each of its rows.
    pub seal: String,
}

impl Checked {
    /// Parses a file and compares it.
    ///
    /// # Errors
    /// Fails if the file has no readable text.
    pub fn new(
        bytes: &[u8],
        encoding: Option<Encoding>,
        compared: &Compared,
        reserved: &ReservedNames,
        key: &Key,
    ) -> Result<Self, Unread> {
        let mut sheet = parse(bytes, encoding)?;
        let notes = compared.address_notes(&sheet);
        compared.apply(&mut sheet);
        let faults = compared.address_faults(&sheet);
        sheet.faults.extend(faults);
        refuse_reserved_names(&mut sheet, reserved);
        if let Some(row) = sheet.rows.get(TEAMS_MAX) {
            let message = format!(
                "more than {TEAMS_MAX} new teams: split the file, or import it with \
                 `flagship team import`"
            );
            sheet.faults.push(Fault { line: row.line, message });
        }
        sheet.faults.sort_by_key(|fault| fault.line);
        let seal = seal(bytes, &sheet, &notes, key);
        Ok(Self { sheet, notes, seal })
    }

    /// True if the rows can be imported: none has a fault, and at least one is new.
    pub fn is_ready(&self) -> bool {
        self.sheet.faults.is_empty() && !self.sheet.rows.is_empty()
    }
}

/// Adds a fault for each name that is reserved for organizers, unless its team already exists.
fn refuse_reserved_names(sheet: &mut Sheet, reserved: &ReservedNames) {
    let left_out: HashSet<u64> = sheet.passed.iter().map(|passed| passed.line).collect();
    for (line, name) in &sheet.names {
        if !left_out.contains(line) && reserved.contains(name) {
            let message = format!(
                "{:?} is reserved for the organizers: use another name, or import the file with \
                 `flagship team import`",
                name.as_str()
            );
            sheet.faults.push(Fault { line: *line, message });
        }
    }
}

fn seal(bytes: &[u8], sheet: &Sheet, notes: &[Fault], key: &Key) -> String {
    let new = sheet.rows.iter().map(|Row { line, .. }| format!("{line} new\n"));
    let passed = sheet.passed.iter();
    let passed = passed.map(|Passed { line, reason, .. }| format!("{line} {reason}\n"));
    let said = sheet.faults.iter().chain(notes);
    let said = said.map(|Fault { line, message }| format!("{line} {message}\n"));
    let outcome: String = new.chain(passed).chain(said).collect();
    let bytes = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes));
    key.mac(SEAL, &[&bytes, sheet.encoding, &outcome])
}
