//! Finds what a command is about by the name that was typed, in any Unicode normal form, or says
//! which name is nearest.

use anyhow::{Result, bail, ensure};
use flagship_game::{ChallengeId, Contest, name};
use flagship_store::{Db, accounts, challenges};

/// The name of a team of the event as it is kept.
pub async fn team(typed: &str, contest: &Contest, db: &Db) -> Result<String> {
    let name = account(typed, contest, db).await?;
    ensure!(
        contest.team_named(&name).is_some(),
        "{name:?} has not confirmed its e-mail yet, and so is not in the event; `flagship team \
         list` shows it as not confirmed"
    );
    Ok(name)
}

/// The name of a team as it is kept, of one that has not confirmed its e-mail too.
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
    let waiting = accounts::unconfirmed(db).await?;
    if let Some(account) = waiting.into_iter().find(|account| is_typed(&account.name)) {
        return Ok(account.name);
    }
    bail!("no team is called {typed:?}{}", meant(names(), typed, "team"))
}

/// Fails unless there is such a challenge, shown or not.
pub async fn known(id: &ChallengeId, contest: &Contest, db: &Db) -> Result<()> {
    if contest.challenge(id).is_some() {
        return Ok(());
    }
    let (_, drafts) = challenges::all(db).await?;
    let ids = || drafts.iter().map(|draft| draft.challenge.id.as_str());
    let id = id.as_str();
    ensure!(
        ids().any(|known| known == id),
        "no challenge has the id {id:?}{}",
        meant(ids(), id, "challenge")
    );
    Ok(())
}

pub fn challenge_id(typed: &str) -> Result<ChallengeId> {
    ChallengeId::parse(typed).map_err(|error| {
        let near = ChallengeId::from_name(typed);
        anyhow::anyhow!(
            "{typed:?} is not a challenge id: {error}; is {:?} meant? `flagship challenge list` \
             shows all",
            near.as_str()
        )
    })
}

/// The nearest name, or the command that lists all of `kind`, as the end of a sentence.
fn meant<'n>(names: impl IntoIterator<Item = &'n str>, typed: &str, kind: &str) -> String {
    match flagship_pack::nearest(names, typed) {
        Some((near, true)) => format!("; did you mean {near:?}?"),
        _ => format!("; `flagship {kind} list` shows all"),
    }
}
