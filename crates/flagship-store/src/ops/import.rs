//! Import of teams from a file: creates all of them or none, and queues the emails to them.

use std::collections::BTreeSet;

use flagship_game::{TeamId, facts};
use serde_json::json;

use super::actions::Caller;
use super::commands;
use super::step::StepTx;
use super::undo_data::ImportUndo;
use crate::Result;
use crate::accounts::{self, NewAccount};
use crate::desk::divisions;
use crate::mail::{self, Cause, Draft, Kind, Purpose, SHARER_DIGITS, Token};

/// Teams from a file.
#[derive(Clone)]
pub struct Import {
    /// The teams.
    pub teams: Vec<NewAccount>,
    /// Email to each team, in the same order; empty if none is sent.
    pub mails: Vec<Invitation>,
    /// The caller.
    pub by: Caller,
}

/// An email to an imported team, with a link to set its password. No `Debug`, because it contains
/// an address and a link.
#[derive(Clone)]
pub struct Invitation {
    /// The email.
    pub letter: Draft,
    /// Token of the link.
    pub token: String,
    /// Expiry time of the link, in epoch milliseconds.
    pub expires_at_ms: i64,
}

/// Teams that were imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Account ids, in order.
    pub ids: Vec<i64>,
    /// Id of the action, for an undo; `None` if there was no team.
    pub action: Option<i64>,
}

/// Reason for rejecting an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// A name is taken.
    #[error("the name of account {index} is taken")]
    NameTaken {
        /// Index of the first rejected account, from 0.
        index: usize,
        /// Location of the team with the same or a look-alike name.
        conflict: NameConflict,
    },
    /// The organizer's session has ended, or the role was removed.
    #[error("the session has ended")]
    Ended,
}

/// Location of a name conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameConflict {
    /// An earlier account in the same import.
    InImport,
    /// An account in the database.
    InDatabase,
}

pub(super) async fn import(
    step: &mut StepTx,
    Import { teams, mails, by }: &Import,
) -> Result<std::result::Result<Imported, ImportError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let Some(actor) = by.name(&mut step.tx, now_ms).await? else {
        return Ok(Err(ImportError::Ended));
    };
    let mut seen = BTreeSet::new();
    let mut keys_by_team = Vec::with_capacity(teams.len());
    for (index, team) in teams.iter().enumerate() {
        let keys = team.name.keys();
        if keys.iter().any(|key| seen.contains(key)) {
            return Ok(Err(ImportError::NameTaken { index, conflict: NameConflict::InImport }));
        }
        if accounts::is_taken(&mut step.tx, &keys, now_ms).await? {
            return Ok(Err(ImportError::NameTaken { index, conflict: NameConflict::InDatabase }));
        }
        seen.extend(keys.iter().cloned());
        keys_by_team.push(keys);
    }
    let seal = step.seal.clone();
    let rules = divisions::rules_in(&mut step.tx, &seal).await?;
    let mut ids = Vec::with_capacity(teams.len());
    let since_seq = step.contest().seq();
    for (team, keys) in teams.iter().zip(&keys_by_team) {
        let id = accounts::insert(&mut step.tx, team, keys, now_ms, Some(now_ms)).await?;
        let divisions = divisions::public_of(&rules, &team.divisions);
        let (name, country) = (team.name.as_str().to_owned(), team.country.clone());
        let team = TeamId(id);
        step.append(now_ms, facts::Team { team, name, country, hidden: false, divisions })?;
        ids.push(id);
    }
    if ids.is_empty() {
        return Ok(Ok(Imported { ids, action: None }));
    }
    for (invitation, id) in mails.iter().zip(&ids) {
        invite(step, invitation, *id).await?;
    }
    // Each import is a separate object, so that later imports do not block its undo.
    let objects = [format!("import {}", since_seq + 1)];
    let arguments = json!({"teams": ids.len()});
    let undo = ImportUndo { teams: ids.iter().copied().map(TeamId).collect() };
    let undo = serde_json::to_string(&undo).expect("plain data");
    let by = (actor.as_str(), commands::IMPORT);
    let action = commands::record(step, by, &objects, &arguments, since_seq, Some(undo)).await?;
    Ok(Ok(Imported { ids, action: Some(action) }))
}

/// Queues the email to a team. The emails of an import share their turns, so that they do not delay
/// emails requested by players.
async fn invite(step: &mut StepTx, invitation: &Invitation, account_id: i64) -> Result<()> {
    let Invitation { letter, token, expires_at_ms } = invitation;
    let (network, now_ms) = ("0".repeat(2 * SHARER_DIGITS), step.now_ms());
    let cause = Cause {
        kind: Kind::Organizer,
        network: &network,
        per_hour_max: 0,
        account_id: Some(account_id),
    };
    mail::queue(&mut step.tx, letter, cause, now_ms).await?;
    let purpose = Purpose::Reset;
    let expires_at_ms = *expires_at_ms;
    mail::keep_tokens(&mut step.tx, &[Token { token, account_id, purpose, expires_at_ms }]).await
}
