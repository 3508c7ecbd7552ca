//! Compares the names and addresses of a file with each other and with existing teams.

use std::collections::{BTreeMap, HashMap, HashSet};

use flagship_actions::mail::address::Email;
use flagship_game::division::share_group;
use flagship_game::{DivisionId, DivisionRules, name};
use flagship_store::accounts::{ReservedName, TEAMS_PER_ADDRESS_MAX};

use super::sheet::{Fault, Passed, Reason, Row, Sheet};

/// Data to compare a file with.
pub struct Compared {
    kept: Vec<ReservedName>,
    skip_existing: bool,
    local_addresses: bool,
    /// Emails of the last day to teams whose import was undone, by address.
    to_removed: HashMap<String, i64>,
    /// All divisions of the event.
    divisions: Vec<DivisionRules>,
}

impl Compared {
    /// Creates a comparison with reserved names. With `skip_existing`, a row with the name of an
    /// existing team is skipped instead of reported as a fault.
    pub fn new(kept: Vec<ReservedName>, skip_existing: bool, local_addresses: bool) -> Self {
        Self {
            kept,
            skip_existing,
            local_addresses,
            to_removed: HashMap::new(),
            divisions: Vec::new(),
        }
    }

    /// Adds the divisions of the event.
    #[must_use]
    pub fn with_divisions(self, divisions: Vec<DivisionRules>) -> Self {
        Self { divisions, ..self }
    }

    /// Adds the emails sent to teams whose import was undone, so that repeated imports and undos
    /// cannot flood an address.
    #[must_use]
    pub fn after(self, to_removed: Vec<(String, i64)>) -> Self {
        Self { to_removed: to_removed.into_iter().collect(), ..self }
    }

    /// Adds faults and skipped rows to a file. Faults are then sorted by line.
    pub fn apply(&self, sheet: &mut Sheet) {
        if !self.local_addresses {
            refuse_local_addresses(sheet);
        }
        self.settle_divisions(sheet);
        self.compare_names(sheet);
        sheet.faults.sort_by_key(|fault| fault.line);
        sheet.passed.sort_by_key(|passed| passed.line);
    }

    /// Notes, with line numbers, for rows whose email address has a pending signup. The row may be
    /// intentional: it is a way to add a team under another name if its email does not arrive.
    pub fn address_notes(&self, sheet: &Sheet) -> Vec<Fault> {
        let waiting = self.kept.iter().filter(|it| it.confirmed_at_ms.is_none());
        let by_email: HashMap<&str, &str> =
            waiting.map(|it| (it.email.as_str(), it.name.as_str())).collect();
        let note = |Row { line, account, .. }: &Row| {
            let (name, email) = (account.name.as_str(), account.email.as_str());
            let other = by_email.get(email).filter(|other| **other != name)?;
            let message = format!(
                "{other:?} has signed up with {email} but not confirmed it; it can no longer do so \
                 once {name:?} is imported with the same address"
            );
            Some(Fault { line: *line, message })
        };
        sheet.rows.iter().filter_map(note).collect()
    }

    /// Faults of rows whose email address has reached [`TEAMS_PER_ADDRESS_MAX`] teams. Counts
    /// confirmed teams, earlier rows, and removed teams that were sent an email.
    pub fn address_faults(&self, sheet: &Sheet) -> Vec<Fault> {
        let confirmed = self.kept.iter().filter(|it| it.confirmed_at_ms.is_some());
        // A team has several keys.
        let teams: HashSet<(&str, &str)> =
            confirmed.map(|it| (it.email.as_str(), it.name.as_str())).collect();
        let mut counts: HashMap<&str, i64> = HashMap::new();
        for (email, _) in teams {
            *counts.entry(email).or_default() += 1;
        }
        let mut faults = Vec::new();
        for Row { line, account, .. } in &sheet.rows {
            let email = account.email.as_str();
            let count = counts.entry(email).or_default();
            *count += 1;
            let removed = self.to_removed.get(email).copied().unwrap_or(0);
            let message = if *count > TEAMS_PER_ADDRESS_MAX {
                format!(
                    "{email} would have more than {TEAMS_PER_ADDRESS_MAX} teams: use another \
                     address, or import the file with `flagship team import`"
                )
            } else if *count + removed > TEAMS_PER_ADDRESS_MAX {
                format!(
                    "{email} received the emails of {removed} teams whose import was undone in the \
                     last 24 hours and would exceed {TEAMS_PER_ADDRESS_MAX}: wait a day, use \
                     another address, or import the file with `flagship team import`"
                )
            } else {
                continue;
            };
            faults.push(Fault { line: *line, message });
        }
        faults
    }

    /// Adds student teams to the division that replaces the student flag, and refuses unknown
    /// divisions and two of one group.
    fn settle_divisions(&self, sheet: &mut Sheet) {
        let division = |id: &DivisionId| self.divisions.iter().find(|it| it.id() == id);
        let student = self.divisions.iter().find(|it| it.division.student).map(DivisionRules::id);
        for Row { line, account, .. } in &mut sheet.rows {
            if let Some(unknown) = account.divisions.iter().find(|id| division(id).is_none()) {
                let message = format!("no division has the ID {:?}", unknown.as_str());
                sheet.faults.push(Fault { line: *line, message });
                continue;
            }
            if let Some(student) = student {
                if account.student && !account.divisions.contains(student) {
                    account.divisions.push(student.clone());
                }
                account.student = account.divisions.contains(student);
            }
            let joined = account.divisions.iter().filter_map(division).map(|it| &it.division);
            if share_group(joined) {
                let message = "two divisions of the team are in the same group".to_owned();
                sheet.faults.push(Fault { line: *line, message });
            }
        }
    }

    fn compare_names(&self, sheet: &mut Sheet) {
        let by_key: HashMap<&str, &ReservedName> =
            self.kept.iter().map(|it| (it.name_key.as_str(), it)).collect();
        let mut lines = HashMap::new();
        let mut skipped = BTreeMap::new();
        for (line, name) in &sheet.names {
            let (keys, shown) = (name.keys(), name.as_str());
            let mut found = keys.iter().filter_map(|key| by_key.get(key.as_str()).copied());
            let same = |it: &ReservedName| name::normalize(&it.name).as_deref() == Some(shown);
            if self.skip_existing
                && let Some(it) = found.clone().find(|it| same(it))
            {
                let reason = it.confirmed_at_ms.map_or(Reason::Waiting, |_| Reason::There);
                skipped.insert(*line, Passed { line: *line, name: shown.to_owned(), reason });
                continue;
            }
            let message = if let Some(taken) = found.next() {
                of_taken(taken, shown)
            } else if let Some(first) = keys.iter().find_map(|key| lines.get(key)) {
                format!("or a look-alike appears twice in this file, first on line {first}")
            } else {
                lines.extend(keys.into_iter().map(|key| (key, *line)));
                continue;
            };
            sheet.faults.push(Fault { line: *line, message: format!("{shown:?} {message}") });
        }
        // Faults of a skipped row do not matter.
        sheet.faults.retain(|fault| !skipped.contains_key(&fault.line));
        sheet.rows.retain(|row| !skipped.contains_key(&row.line));
        sheet.passed.extend(skipped.into_values());
    }
}

fn refuse_local_addresses(sheet: &mut Sheet) {
    let is_local = |email: &str| Email::parse(email).is_some_and(|email| !email.is_public());
    let rows = sheet.rows.iter().filter(|row| is_local(&row.account.email));
    let faults = rows.map(|Row { line, account, .. }| Fault {
        line: *line,
        message: format!(
            "{:?} is a local address: correct it, or set `local_addresses = true` in \
             [registration] of event.toml and run `flagship apply`",
            account.email
        ),
    });
    sheet.faults.extend(faults.collect::<Vec<_>>());
}

/// Message about a name that is the same as, or looks like, that of another team.
fn of_taken(taken: &ReservedName, shown: &str) -> String {
    let (other, is_same) = (&taken.name, taken.name == shown);
    let is_former = !name::keys(other).iter().any(|key| key.as_str() == taken.name_key);
    match (taken.confirmed_at_ms, is_same) {
        _ if is_former => format!("or a look-alike is reserved as a former name of {other:?}"),
        (Some(_), true) => {
            "already exists; use `--skip-existing` to skip existing teams".to_owned()
        }
        (Some(_), false) => format!("looks like {other:?}, which already exists"),
        (None, _) => {
            let signed_up = match is_same {
                true => "has signed up".to_owned(),
                false => format!("looks like {other:?}, which has signed up"),
            };
            let skip = if is_same { "; use `--skip-existing` to skip such teams" } else { "" };
            format!(
                "{signed_up} but has not confirmed its email: wait until it confirms or the \
                 signup expires (24 hours), or use another name{skip}"
            )
        }
    }
}
