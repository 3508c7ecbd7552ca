//! A file of teams as organizers look at it before it is imported: compared with the teams that
//! exist, with a seal over all of it, so that what is imported is what somebody has seen.

use std::collections::HashSet;

use flagship_game::ReservedNames;
use flagship_store::Key;
use sha2::{Digest, Sha256};

use super::compare::Compared;
use super::sheet::{Fault, Passed, Row, Sheet, parse};
use super::text::{Encoding, Unread};

/// The most teams that the console imports at once: they are written in one transaction, and
/// flags wait for it.
pub const TEAMS_MAX: usize = 2_000;

/// The purpose of the seal.
const SEAL: &str = "team import";

/// A file that was compared with the teams that exist.
pub struct Checked {
    /// The file.
    pub sheet: Sheet,
    /// Notes about rows whose address a signup waits to confirm.
    pub notes: Vec<Fault>,
    /// A seal over the file and what would become of each of its rows.
    pub seal: String,
}

impl Checked {
    /// Reads a file and compares it.
    ///
    /// # Errors
    /// Why there is no text to read.
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
                "there are more than {TEAMS_MAX} new teams: split the file, or import it with \
                 `flagship team import`"
            );
            sheet.faults.push(Fault { line: row.line, message });
        }
        sheet.faults.sort_by_key(|fault| fault.line);
        let seal = seal(bytes, &sheet, &notes, key);
        Ok(Self { sheet, notes, seal })
    }

    /// True if the rows can be imported: none is wrong, and at least one is new.
    pub fn is_ready(&self) -> bool {
        self.sheet.faults.is_empty() && !self.sheet.rows.is_empty()
    }
}

/// Adds a fault for each name that is kept for the organizers, unless its team is in the event.
fn refuse_reserved_names(sheet: &mut Sheet, reserved: &ReservedNames) {
    let left_out: HashSet<u64> = sheet.passed.iter().map(|passed| passed.line).collect();
    for (line, name) in &sheet.names {
        if !left_out.contains(line) && reserved.contains(name) {
            let message = format!(
                "{:?} is reserved for the organizers: give another name, or import the file with \
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
