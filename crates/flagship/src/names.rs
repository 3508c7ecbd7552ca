//! Lookup of teams and challenges by a typed name, in any Unicode normal form. Errors suggest the
//! nearest name.

use anyhow::{Result, bail, ensure};
use flagship_game::{ChallengeId, Contest, name};
use flagship_store::{Db, accounts, challenges};

/// Returns the stored name of a confirmed team.
pub async fn team(typed: &str, contest: &Contest, db: &Db) -> Result<String> {
    let name = account(typed, contest, db).await?;
    let waits = accounts::waiting(db).await?.iter().any(|account| account.name == name);
    ensure!(!waits, "{name:?} is on the waiting list, so it is not in the event yet");
    ensure!(
        contest.team_named(&name).is_some(),
        "{name:?} has not confirmed its email yet, so it is not in the event"
    );
    Ok(name)
}

/// Returns the stored name of a team, which may be unconfirmed or on the waiting list.
pub async fn account(typed: &str, contest: &Contest, db: &Db) -> Result<String> {
    if let Some(team) = contest.team_named(typed) {
        return Ok(team.name.to_string());
    }
    let normal = name::normalize(typed);
    let is_typed = |name: &str| {
        let is_same =
            |normal: &str| name == normal || name::normalize(name).as_deref() == Some(normal);
        normal.as_deref().is_some_and(is_same)
    };
    let names = || contest.teams().map(|team| &*team.name);
    if let Some(name) = names().find(|name| is_typed(name)) {
        return Ok(name.to_owned());
    }
    let mut outside = accounts::unconfirmed(db).await?;
    outside.extend(accounts::waiting(db).await?);
    if let Some(account) = outside.into_iter().find(|account| is_typed(&account.name)) {
        return Ok(account.name);
    }
    bail!("no team named {typed:?}{}", suggestion(names(), typed, "team"))
}

/// Fails if the challenge does not exist. Hidden challenges are accepted.
pub async fn ensure_challenge_exists(id: &ChallengeId, contest: &Contest, db: &Db) -> Result<()> {
    if contest.challenge(id).is_some() {
        return Ok(());
    }
    let (_, drafts) = challenges::all(db).await?;
    let ids = || drafts.iter().map(|draft| draft.challenge.id.as_str());
    let id = id.as_str();
    ensure!(
        ids().any(|known| known == id),
        "no challenge with the ID {id:?}{}",
        suggestion(ids(), id, "challenge")
    );
    Ok(())
}

pub fn challenge_id(typed: &str) -> Result<ChallengeId> {
    ChallengeId::parse(typed).map_err(|error| {
        let near = ChallengeId::from_name(typed);
        anyhow::anyhow!(
            "{typed:?} is not a challenge ID: {error}; did you mean {:?}? List all with `flagship \
            challenge list`",
            near.as_str()
        )
    })
}

/// Returns the end of an error message: the nearest name, or the command that lists all of `kind`.
fn suggestion<'n>(names: impl IntoIterator<Item = &'n str>, typed: &str, kind: &str) -> String {
    match flagship_pack::nearest(names, typed) {
        Some((near, true)) => format!("; did you mean {near:?}?"),
        _ => format!("; list all with `flagship {kind} list`"),
    }
}
