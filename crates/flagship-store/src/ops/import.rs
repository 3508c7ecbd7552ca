//! Teams from a file: all are made, or none.

use std::collections::BTreeSet;

use flagship_game::TeamId;
use flagship_game::entry::Fact;
use serde_json::json;

use super::commands;
use super::restore::Restore;
use super::step::StepTx;
use crate::Result;
use crate::accounts::{self, NewAccount};

/// Why nothing was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of account {index} is taken")]
pub struct ImportError {
    /// The index of the first bad account, from 0.
    pub index: usize,
    /// Where the team is whose name is the same or a look-alike.
    pub taken: Taken,
}

/// Where a name is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// By an account before it in the same import.
    InImport,
    /// By an account of the database.
    InDatabase,
}

pub(super) async fn import(
    step: &mut StepTx,
    teams: &[NewAccount],
) -> Result<std::result::Result<Vec<i64>, ImportError>> {
    step.tx.also_lock_accounts().await?;
    let (mut seen, mut keys_by_team) = (BTreeSet::new(), Vec::with_capacity(teams.len()));
    let now_ms = step.now_ms();
    for (index, team) in teams.iter().enumerate() {
        let keys = team.name.keys();
        if keys.iter().any(|key| seen.contains(key)) {
            return Ok(Err(ImportError { index, taken: Taken::InImport }));
        }
        if accounts::is_taken(&mut step.tx, &keys, now_ms).await? {
            return Ok(Err(ImportError { index, taken: Taken::InDatabase }));
        }
        seen.extend(keys.iter().cloned());
        keys_by_team.push(keys);
    }
    let (mut ids, since_seq) = (Vec::with_capacity(teams.len()), step.contest().seq());
    for (team, keys) in teams.iter().zip(&keys_by_team) {
        let id = accounts::insert(&mut step.tx, team, keys, now_ms, Some(now_ms)).await?;
        let (name, country) = (team.name.as_str().to_owned(), team.country.clone());
        step.append(now_ms, Fact::Team { team: TeamId(id), name, country, hidden: false })?;
        ids.push(id);
    }
    if !ids.is_empty() {
        // Each import is an object of its own, so that no later one stands in the way of an undo.
        let objects = [format!("import {}", since_seq + 1)];
        let arguments = json!({"teams": ids.len()});
        let restore = Restore::Import { teams: ids.iter().copied().map(TeamId).collect() };
        let name = (commands::COMMAND_LINE, commands::IMPORT);
        commands::record_with(step, name, &objects, &arguments, since_seq, Some(restore)).await?;
    }
    Ok(Ok(ids))
}
