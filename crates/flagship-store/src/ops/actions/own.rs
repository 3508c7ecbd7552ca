//! Changes that teams make to their own accounts and that organizers can make too. The audit log
//! records them as actions with an empty actor.

use flagship_game::division::{self, DivisionChoice, DivisionId, DivisionRefusal};
use flagship_game::{Phase, TeamId, facts};
use serde_json::json;

use super::super::divisions::change as change_divisions;
use super::super::step::StepTx;
use super::super::undo_data::{DivisionsUndo, NameUndo};
use crate::actions::{self, NewAction};
use crate::desk::divisions;
use crate::mail::{self, Cause, Draft, Kind, SHARER_DIGITS};
use crate::{Result, Seal, Tx, accounts, addresses, sessions};

/// Maximum country changes per team per day. Each change sends a new snapshot to every viewer.
const COUNTRIES_MAX: i64 = 3;
/// Maximum address changes per team per day.
const ADDRESSES_MAX: i64 = 10;
/// Maximum changes of divisions per team per day. Each change sends a new snapshot to every viewer.
const DIVISIONS_MAX: i64 = 10;
/// A day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// Reason for rejecting a team's change of its own account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnError {
    /// The session has ended, or the link is invalid.
    Ended,
    /// The daily limit is reached.
    TooOften,
}

/// Changes a team's country if the team's session is still valid.
pub(crate) async fn set_country(
    step: &mut StepTx,
    team: TeamId,
    session: &str,
    country: &str,
) -> Result<std::result::Result<(), OwnError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let account = match sessions::is_active_in(&mut step.tx, session, now_ms).await? {
        true => accounts::by_id_in(&mut step.tx, team.0).await?,
        false => None,
    };
    let Some(account) = account else { return Ok(Err(OwnError::Ended)) };
    if account.country == country {
        return Ok(Ok(()));
    }
    let objects = [actions::name_object(team.0)];
    let action = "team.country";
    let count = actions::own_since_in(&mut step.tx, &objects[0], action, now_ms - DAY_MS).await?;
    if count >= COUNTRIES_MAX {
        return Ok(Err(OwnError::TooOften));
    }
    accounts::rename_in(&mut step.tx, team.0, &account.name, country).await?;
    let before_seq = step.contest().seq();
    if step.contest().team(team).is_some() {
        let (name, country) = (account.name.clone(), country.to_owned());
        step.append(now_ms, facts::TeamNamed { team, name, country })?;
    }
    let seq = step.contest().seq();
    let restore = serde_json::to_string(&NameUndo::of(&account)).expect("plain data");
    let new = NewAction {
        actor: actions::OWN_TEAM,
        action,
        objects: &objects,
        restore: Some(restore),
        arguments: &json!({"team": account.name, "country": country}),
        reason: "",
        seqs: (seq > before_seq).then_some((before_seq + 1, seq)),
        undoes: None,
    };
    let last = actions::last_in(&mut step.tx).await?;
    actions::append(&mut step.tx, &step.seal.clone(), &new, &last, now_ms).await?;
    Ok(Ok(()))
}

/// Reason for rejecting a team's choice of divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnDivisionsError {
    /// The session has ended, or the daily limit is reached.
    Own(OwnError),
    /// The event has started.
    Fixed,
    /// The choice breaks the rules of the divisions.
    Refused(DivisionRefusal),
}

/// Replaces a team's divisions by its own choice, before the start, if the team's session is still
/// valid.
pub(crate) async fn set_divisions(
    step: &mut StepTx,
    team: TeamId,
    session: &str,
    choice: &DivisionChoice,
) -> Result<std::result::Result<(), OwnDivisionsError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let account = match sessions::is_active_in(&mut step.tx, session, now_ms).await? {
        true => accounts::by_id_in(&mut step.tx, team.0).await?,
        false => None,
    };
    let Some(account) = account else {
        return Ok(Err(OwnDivisionsError::Own(OwnError::Ended)));
    };
    if step.contest().reached(Phase::Start) {
        return Ok(Err(OwnDivisionsError::Fixed));
    }
    let seal = step.seal.clone();
    let rules = divisions::rules_in(&mut step.tx, &seal).await?;
    let before = divisions::of_account_in(&mut step.tx, team.0).await?;
    let domain = account.email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let chosen = match division::choose(&rules, &before, choice, domain) {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok(Err(OwnDivisionsError::Refused(refusal))),
    };
    if is_same(&before, &chosen) {
        return Ok(Ok(()));
    }
    let objects = [actions::team_object(team.0)];
    let action = "team.divisions";
    let count = actions::own_since_in(&mut step.tx, &objects[0], action, now_ms - DAY_MS).await?;
    if count >= DIVISIONS_MAX {
        return Ok(Err(OwnDivisionsError::Own(OwnError::TooOften)));
    }
    let before_seq = step.contest().seq();
    change_divisions(step, team, &rules, &chosen).await?;
    let seq = step.contest().seq();
    let undo = DivisionsUndo { team, divisions: before };
    let new = NewAction {
        actor: actions::OWN_TEAM,
        action,
        objects: &objects,
        restore: Some(serde_json::to_string(&undo).expect("plain data")),
        arguments: &json!({"team": account.name, "divisions": chosen}),
        reason: "",
        seqs: (seq > before_seq).then_some((before_seq + 1, seq)),
        undoes: None,
    };
    let last = actions::last_in(&mut step.tx).await?;
    actions::append(&mut step.tx, &step.seal.clone(), &new, &last, now_ms).await?;
    Ok(Ok(()))
}

fn is_same(before: &[DivisionId], after: &[DivisionId]) -> bool {
    before.len() == after.len() && after.iter().all(|id| before.contains(id))
}

/// Sets a team's address to the one to which this token was sent. `warning` is sent to the old
/// address, `was`, with a token that stops the change.
pub async fn confirm_address(
    tx: &mut Tx,
    seal: &Seal,
    token: &str,
    was: &str,
    warning: (&Draft, &str),
    now_ms: i64,
) -> Result<std::result::Result<(), OwnError>> {
    let ended = Ok(Err(OwnError::Ended));
    addresses::settle(tx, now_ms).await?;
    let Some((id, email)) = mail::address_of_token_in(tx, token, now_ms).await? else {
        return ended;
    };
    let account = accounts::by_id_in(tx, id).await?.filter(|account| account.email == was);
    let Some(account) = account else { return ended };
    if accounts::team_of_email(tx, &email).await?.is_some() {
        return ended;
    }
    if addresses::count_in(tx, id, now_ms - DAY_MS).await? >= ADDRESSES_MAX {
        return Ok(Err(OwnError::TooOften));
    }
    // The warning takes turns with other emails about this team, and is never skipped.
    let network = format!("{id:0>width$x}", width = SHARER_DIGITS).repeat(2);
    let account_id = Some(id);
    let cause = Cause { kind: Kind::Address, network: &network, per_hour_max: 0, account_id };
    let warning_id = mail::queue(tx, warning.0, cause, now_ms).await?;
    let warning = (warning_id.expect("no budget leaves it out"), warning.1);
    addresses::change_in(tx, &account, &email, warning, true, now_ms).await?;
    record_address(tx, seal, id, &json!({"team": account.name}), now_ms).await?;
    Ok(Ok(()))
}

/// Stops the change of an address with the token from the warning, and records it; `false` if the
/// token is invalid.
pub async fn stop_address(tx: &mut Tx, seal: &Seal, token: &str, now_ms: i64) -> Result<bool> {
    let Some(account) = addresses::stop_in(tx, token, now_ms).await? else { return Ok(false) };
    let arguments = json!({"team": account.name, "stopped": true});
    record_address(tx, seal, account.id, &arguments, now_ms).await?;
    Ok(true)
}

async fn record_address(
    tx: &mut Tx,
    seal: &Seal,
    account_id: i64,
    arguments: &serde_json::Value,
    now_ms: i64,
) -> Result<()> {
    let new = NewAction {
        actor: actions::OWN_TEAM,
        action: "team.address",
        objects: &[actions::team_object(account_id)],
        restore: None,
        arguments,
        reason: "",
        seqs: None,
        undoes: None,
    };
    let last = actions::last_in(tx).await?;
    actions::append(tx, seal, &new, &last, now_ms).await?;
    Ok(())
}
