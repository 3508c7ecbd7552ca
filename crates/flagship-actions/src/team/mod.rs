//! Actions about teams.

pub mod address;
pub mod admit;
pub mod award;
pub mod ban;
pub mod code;
pub mod confirm;
pub mod country;
pub mod divisions;
pub mod end_sessions;
pub mod hide;
pub mod import;
mod mail;
pub mod message;
pub mod note;
pub mod rename;
pub mod resend;
pub mod reset;
pub mod show;
mod standing;
pub mod test;
pub mod unban;

use flagship_game::{ReservedNames, TeamName};
use flagship_store::accounts::{self, Account};
use flagship_store::actions::team_object;

use crate::prelude::*;

/// An hour, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// A day, in milliseconds.
const DAY_MS: i64 = 24 * HOUR_MS;

/// Account of a team whose signup has not expired.
async fn account(context: &mut Context<'_>, team: &str) -> ActionResult<Account> {
    let now_ms = context.now_ms();
    let account = accounts::named_in(context.tx(), team).await?;
    let account = account.filter(|account| !account.has_lapsed(now_ms));
    account.ok_or_else(|| ActionError::NoTeam.into())
}

/// Account that the action is about, if its signup has not expired. Rejects an action on a team
/// that has changed since.
async fn touched(context: &mut Context<'_>, team: &str) -> ActionResult<Account> {
    let account = account(context, team).await?;
    context.touch([team_object(account.id)]).await?;
    Ok(account)
}

/// Account of a team of the journal that the action is about.
async fn confirmed(context: &mut Context<'_>, team: &str) -> ActionResult<Account> {
    let account = touched(context, team).await?;
    match account.has_team() {
        true => Ok(account),
        false => Err(ActionError::Standing.into()),
    }
}

/// Accounts of the teams that the action is about, all or none, as [`touched`] returns them.
async fn all_touched(context: &mut Context<'_>, names: &[String]) -> ActionResult<Vec<Account>> {
    let mut accounts = Vec::with_capacity(names.len());
    for name in names {
        let found = account(context, name).await;
        accounts.push(several::of_object(found, name, names)?);
    }
    context.touch(accounts.iter().map(|account| team_object(account.id))).await?;
    Ok(accounts)
}

/// Accounts of the teams that the action is about, all or none, as [`confirmed`] returns them.
async fn all_confirmed(context: &mut Context<'_>, names: &[String]) -> ActionResult<Vec<Account>> {
    let accounts = all_touched(context, names).await?;
    if let Some(account) = accounts.iter().find(|account| !account.has_team()) {
        several::of_object(Err(ActionError::Standing.into()), &account.name, names)?;
    }
    Ok(accounts)
}

/// Rejects an action of a helper who does not run the contest, after `count_max` of them in a day.
async fn check_helper(context: &mut Context<'_>, action: &str, count_max: i64) -> ActionResult<()> {
    if context.actor().runs_the_contest {
        return Ok(());
    }
    let count = count(context, &[action], DAY_MS).await?;
    if count < count_max { Ok(()) } else { Err(ActionError::Names.into()) }
}

/// Number of actions with these names by the actor in the last `in_ms` milliseconds.
async fn count(context: &mut Context<'_>, actions: &[&str], in_ms: i64) -> ActionResult<i64> {
    let since_ms = context.now_ms() - in_ms;
    let name = context.actor().name.clone();
    Ok(flagship_store::actions::count_in(context.tx(), &name, actions, since_ms).await?)
}

/// Rejects a name that is reserved for organizers.
fn check_reserved(name: &TeamName, desk: &Desk) -> Result<(), Rejection> {
    let more = desk.registration.reserved_names.iter().map(String::as_str);
    let event = desk.contest.event().map(|event| event.name.as_str());
    match ReservedNames::new(more.chain(event)).contains(name) {
        true => Err(ArgumentError::NameReserved.into()),
        false => Ok(()),
    }
}
