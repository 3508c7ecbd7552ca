//! Rules about submissions: ctfcli's `logic` and `attempts`.

use flagship_game::SubmissionRules;

use crate::fields::{Fields, Text};
use crate::flags::Flag;
use crate::problem::quote;

/// Maximum value of `attempts`. Each attempt of a team is an entry of the journal.
const ATTEMPTS_MAX: u32 = 100;

/// Reads the rules. The needed flags are numbered from 1; the caller replaces the numbers by IDs
/// that stay the same when flags are added or removed.
pub(super) fn read(fields: &mut Fields<'_>, flags: &[Flag]) -> SubmissionRules {
    let counting = flags.iter().filter(|flag| flag.counts()).count();
    let needed_flags = match needs_all(fields) {
        true => (1..=counting).map(|number| number.to_string()).collect(),
        false => Vec::new(),
    };
    SubmissionRules { needed_flags, attempts_max: attempts_max(fields) }
}

/// True if a team must find every flag. Rejects CTFd's mode that requires a flag from every member,
/// because a single flag would solve the challenge.
fn needs_all(fields: &mut Fields<'_>) -> bool {
    let Some(Text { text, line }) = fields.text("logic") else { return false };
    let message = match text.to_lowercase().as_str() {
        "any" => return false,
        "all" => return true,
        "team" => "`logic: team` requires a flag from every team member, but a team has one \
                   account, so a single flag would solve this challenge; use `logic: any` or \
                   `logic: all`"
            .to_owned(),
        _ => format!("`logic` must be `any` or `all`, not {}", quote(&text)),
    };
    fields.report.error(line, message);
    false
}

/// Maximum number of incorrect submissions per team; 0 means no limit, as in CTFd.
fn attempts_max(fields: &mut Fields<'_>) -> Option<u32> {
    let number = fields.integer("attempts")?;
    match u32::try_from(number) {
        Ok(number) if number <= ATTEMPTS_MAX => Some(number).filter(|number| *number > 0),
        _ => {
            let message = format!("`attempts` must be at most {ATTEMPTS_MAX}, or 0 for no limit");
            fields.report.error(fields.line("attempts"), message);
            None
        }
    }
}
