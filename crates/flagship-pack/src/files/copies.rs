//! Checks that teams can have copies of a file with their flags, and that no file contains a
//! placeholder that is never filled in.

use std::fs::File;
use std::io;

use crate::problem::{Report, Severity, reason};
use crate::team_copy::{self, CopyCheck, PLACEHOLDER};

/// Maximum size of a file without copies that is searched for the placeholder, in bytes.
const SEARCHED_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Reports problems of a file. `flag_bytes` is the length of the flag if teams have copies.
pub(super) fn check(
    open: impl Fn() -> io::Result<File>,
    bytes: u64,
    named: &str,
    line: usize,
    flag_bytes: Option<usize>,
    report: &mut Report,
) {
    let Some(flag_bytes) = flag_bytes else {
        let is_searched = bytes <= SEARCHED_BYTES_MAX;
        let search = || team_copy::has_placeholder(&mut open()?);
        // A file that cannot be read again is reported when it is copied.
        if is_searched && search().unwrap_or(false) {
            let message = format!(
                "{named} contains `{PLACEHOLDER}`, which is not filled in; for a copy with each \
                 team's flag, list it as `{{path: ..., per_team: true}}`"
            );
            report.warning(line, message);
        }
        return;
    };
    let check = || CopyCheck::of(&mut open()?, flag_bytes);
    match check() {
        Ok(check) => match check.problem(named) {
            Some((Severity::Error, message)) => report.error(line, message),
            Some((_, message)) => report.warning(line, message),
            None => {}
        },
        Err(error) => report.error(line, format!("{named} cannot be read: {}", reason(&error))),
    }
}
