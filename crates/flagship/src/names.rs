//! Finds what a command is about by the name that was typed, in any Unicode normal form, or says
//! which name is nearest.

use anyhow::{Result, bail};
use flagship_game::{ChallengeId, Contest, name};
use flagship_store::{Db, accounts, challenges};

/// The team of a typed name.
pub fn find<'c>(typed: &str, contest: &'c Contest) -> Option<&'c str> {
    if let Some(team) = contest.team_named(typed) {
        return Some(&team.name);
    }
    let typed = name::normalize(typed)?;
    contest.teams().map(|team| &*team.name).find(|team| is_same(team, &typed))
}

/// Whether a name is the same as a normalized one.
fn is_same(name: &str, normal: &str) -> bool {
    name == normal || name::normalize(name).as_deref() == Some(normal)
}

/// The name of a team of the event as it is kept.
pub async fn team(typed: &str, contest: &Contest, db: &Db) -> Result<String> {
    let name = account(typed, contest, db).await?;
    if contest.team_named(&name).is_none() {
        bail!("{}", not_confirmed(&name));
    }
    Ok(name)
}

/// The name of a team as it is kept, of one that has not confirmed its e-mail too.
pub async fn account(typed: &str, contest: &Contest, db: &Db) -> Result<String> {
    if let Some(name) = find(typed, contest) {
        return Ok(name.to_owned());
    }
    let waiting = accounts::unconfirmed(db).await?;
    let normal = name::normalize(typed);
    let is_typed = |name: &str| normal.as_deref().is_some_and(|normal| is_same(name, normal));
    if let Some(account) = waiting.into_iter().find(|account| is_typed(&account.name)) {
        return Ok(account.name);
    }
    let names = contest.teams().map(|team| &*team.name);
    bail!("no team is called {typed:?}{}", meant(names, typed, "team"))
}

/// What is to say about a team that is not in the event yet.
pub fn not_confirmed(name: &str) -> String {
    format!(
        "{name:?} has not confirmed its e-mail yet, and so is not in the event; `flagship team \
         list` shows it as not confirmed"
    )
}

/// Fails unless there is such a challenge, shown or not.
pub async fn known(id: &ChallengeId, contest: &Contest, db: &Db) -> Result<()> {
    if contest.challenge(id).is_some() {
        return Ok(());
    }
    let (_, drafts) = challenges::all(db).await?;
    let ids = || drafts.iter().map(|draft| draft.challenge.id.as_str());
    if ids().any(|known| known == id.as_str()) {
        return Ok(());
    }
    bail!("no challenge has the id {:?}{}", id.as_str(), meant(ids(), id.as_str(), "challenge"))
}

/// The id of a challenge.
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

/// The nearest name, as the end of a sentence; if none is near, the command that lists all of
/// `kind`.
fn meant<'n>(names: impl IntoIterator<Item = &'n str>, typed: &str, kind: &str) -> String {
    match flagship_pack::nearest(names, typed) {
        Some((near, true)) => format!("; did you mean {near:?}?"),
        _ => format!("; `flagship {kind} list` shows all"),
    }
}
