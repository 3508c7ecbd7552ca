//! What teams do with their own account that organizers can do too. It is recorded as their actions
//! are, with nobody's name.

use flagship_game::{TeamId, facts};
use serde_json::json;

use super::super::step::StepTx;
use super::super::undo_data::NameUndo;
use crate::actions::{self, NewAction};
use crate::mail::{self, Cause, Draft, Kind, SHARER_DIGITS};
use crate::{Result, Seal, Tx, accounts, addresses, sessions};

/// Most changes of its country by a team in a day. Each is a new snapshot for every viewer.
const COUNTRIES_MAX: i64 = 3;
/// Most changes of a team's address in a day.
const ADDRESSES_MAX: i64 = 10;
/// A day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// Why a team may not do something with its own account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnError {
    /// The session has ended, or the link is not valid.
    Ended,
    /// It did so as often as a team may in a day.
    TooOften,
}

/// Gives a team another country, while the session lives in which it asks.
pub(crate) async fn set_country(
    step: &mut StepTx,
    team: TeamId,
    session: &str,
    country: &str,
) -> Result<std::result::Result<(), OwnError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let account = match sessions::is_living_in(&mut step.tx, session, now_ms).await? {
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

/// Makes the address a team's that this token was mailed to. `was` is the address before, to which
/// the `warning` goes with a token that stops the change.
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
    // The warning takes turns with other mails about this team, and is never left out.
    let network = format!("{id:0>width$x}", width = SHARER_DIGITS).repeat(2);
    let account_id = Some(id);
    let cause = Cause { kind: Kind::Address, network: &network, per_hour_max: 0, account_id };
    let warning_id = mail::queue(tx, warning.0, cause, now_ms).await?;
    let warning = (warning_id.expect("no budget leaves it out"), warning.1);
    addresses::change_in(tx, &account, &email, warning, true, now_ms).await?;
    record_address(tx, seal, id, &json!({"team": account.name}), now_ms).await?;
    Ok(Ok(()))
}

/// Stops the change of an address by the token that the address before was mailed, and records it;
/// `false` if the token is not valid.
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
