//! Compares the names and addresses of a file with each other and with the teams that exist.

use std::collections::{BTreeMap, HashMap, HashSet};

use flagship_actions::mail::address::Email;
use flagship_game::name;
use flagship_store::accounts::{KeptName, TEAMS_PER_ADDRESS_MAX};

use super::sheet::{Fault, Passed, Reason, Row, Sheet};

/// What a file is compared with.
pub struct Compared {
    kept: Vec<KeptName>,
    skip_existing: bool,
    local_addresses: bool,
    /// Emails of the last day to teams whose import was undone, by address.
    to_removed: HashMap<String, i64>,
}

impl Compared {
    /// A comparison with names that are kept. With `skip_existing`, a row with the name of a team
    /// that exists is left out instead of a fault.
    pub fn new(kept: Vec<KeptName>, skip_existing: bool, local_addresses: bool) -> Self {
        Self { kept, skip_existing, local_addresses, to_removed: HashMap::new() }
    }

    /// The same, with the emails that went to teams whose import was undone, so that repeated
    /// imports and undos do not flood an address.
    #[must_use]
    pub fn after(self, to_removed: Vec<(String, i64)>) -> Self {
        Self { to_removed: to_removed.into_iter().collect(), ..self }
    }

    /// Adds to a file's faults and to the rows that it leaves out. Faults are in the order of their
    /// lines then.
    pub fn apply(&self, sheet: &mut Sheet) {
        if !self.local_addresses {
            refuse_local_addresses(sheet);
        }
        self.compare_names(sheet);
        sheet.faults.sort_by_key(|fault| fault.line);
        sheet.passed.sort_by_key(|passed| passed.line);
    }

    /// Notes for rows whose address a signup waits to confirm, with their lines. The row may be
    /// meant: it is how a team whose mail does not arrive is let in under another name.
    pub fn address_notes(&self, sheet: &Sheet) -> Vec<Fault> {
        let waiting = self.kept.iter().filter(|it| it.confirmed_at_ms.is_none());
        let by_email: HashMap<&str, &str> =
            waiting.map(|it| (it.email.as_str(), it.name.as_str())).collect();
        let note = |Row { line, account, .. }: &Row| {
            let (name, email) = (account.name.as_str(), account.email.as_str());
            let other = by_email.get(email).filter(|other| **other != name)?;
            let message = format!(
                "{other:?} has signed up with {email} and not confirmed it yet; it cannot any more \
                 once {name:?} is imported with the same address"
            );
            Some(Fault { line: *line, message })
        };
        sheet.rows.iter().filter_map(note).collect()
    }

    /// Faults of rows with an address that has [`TEAMS_PER_ADDRESS_MAX`] teams already: confirmed
    /// ones, those of rows before, and those that got a mail and are no more.
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
                    "{email} would have more than {TEAMS_PER_ADDRESS_MAX} teams: give another \
                     address, or import the file with `flagship team import`"
                )
            } else if *count + removed > TEAMS_PER_ADDRESS_MAX {
                format!(
                    "{email} got the mails of {removed} teams whose import was taken back in the \
                     last 24 hours, and would get more than {TEAMS_PER_ADDRESS_MAX}: wait a day, \
                     give another address, or import the file with `flagship team import`"
                )
            } else {
                continue;
            };
            faults.push(Fault { line: *line, message });
        }
        faults
    }

    fn compare_names(&self, sheet: &mut Sheet) {
        let by_key: HashMap<&str, &KeptName> =
            self.kept.iter().map(|it| (it.name_key.as_str(), it)).collect();
        let mut lines = HashMap::new();
        let mut skipped = BTreeMap::new();
        for (line, name) in &sheet.names {
            let (keys, shown) = (name.keys(), name.as_str());
            let mut found = keys.iter().filter_map(|key| by_key.get(key.as_str()).copied());
            let same = |it: &KeptName| name::normalize(&it.name).as_deref() == Some(shown);
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
                format!("or a look-alike is in this file twice, first in line {first}")
            } else {
                lines.extend(keys.into_iter().map(|key| (key, *line)));
                continue;
            };
            sheet.faults.push(Fault { line: *line, message: format!("{shown:?} {message}") });
        }
        // A row that is left out may have faults of its own.
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
            "{:?} is an address of this machine or its own network: correct it, or set \
             `local_addresses = true` in [registration] of event.toml, then `flagship apply`",
            account.email
        ),
    });
    sheet.faults.extend(faults.collect::<Vec<_>>());
}

/// What is to say about a name that a team has, or one that it looks like.
fn of_taken(taken: &KeptName, shown: &str) -> String {
    let (other, is_same) = (&taken.name, taken.name == shown);
    let is_former = !name::keys(other).iter().any(|key| key.as_str() == taken.name_key);
    match (taken.confirmed_at_ms, is_same) {
        _ if is_former => format!("or a look-alike was a name of {other:?}, which keeps it"),
        (Some(_), true) => "is already there; `--skip-existing` leaves such teams out".to_owned(),
        (Some(_), false) => format!("looks like {other:?}, which is already there"),
        (None, _) => {
            let signed_up = match is_same {
                true => "has signed up".to_owned(),
                false => format!("looks like {other:?}, which has signed up"),
            };
            let skip = if is_same { "; `--skip-existing` leaves such teams out" } else { "" };
            format!(
                "{signed_up} and not confirmed its e-mail yet: let it confirm, wait until the \
                 signup lapses after 24 hours, or give another name{skip}"
            )
        }
    }
}
