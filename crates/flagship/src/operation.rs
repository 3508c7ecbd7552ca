//! The commands that perform one operation in the lane and print its outcome.

use anyhow::{Context, Result, bail};
use flagship_game::ChallengeId;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, TeamChange};
use flagship_store::{Db, challenges};

use crate::cli::{self, Installation};
use crate::outcome::{
    Words, of_challenge, of_dependents, of_reveal, of_team, of_withdrawal, unexpected,
};
use crate::{import, lists, names};

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (team, change) = match command {
        cli::Team::List(args) => return lists::teams(&args).await,
        cli::Team::Import { file, installation, tokens, skip_existing } => {
            let tokens = tokens.as_deref();
            return import::import(&file, &installation, tokens, skip_existing).await;
        }
        cli::Team::Withdraw { team, challenge } => {
            let (name, challenge) = (team.name, names::challenge_id(&challenge)?);
            let op = Op::Withdraw { name: name.clone(), challenge: challenge.clone() };
            return match run(&team.installation, op).await? {
                Outcome::Withdraw(done) => say(of_withdrawal(&name, &challenge, done)),
                other => unexpected(&other),
            };
        }
        cli::Team::Ban(team) => (team, TeamChange::Ban),
        cli::Team::Unban(team) => (team, TeamChange::Unban),
        cli::Team::Hide(team) => (team, TeamChange::Hide),
        cli::Team::Show(team) => (team, TeamChange::Show),
        cli::Team::Award { team, points, reason } => (team, TeamChange::Award { points, reason }),
    };
    let op = Op::Team { name: team.name.clone(), change: change.clone() };
    match run(&team.installation, op).await? {
        Outcome::Team(done) => say(of_team(&team.name, &change, done)),
        other => unexpected(&other),
    }
}

/// `flagship challenge ...`
pub async fn challenge(command: cli::Challenge) -> Result<()> {
    let (challenge, shown) = match command {
        cli::Challenge::List(args) => return lists::challenges(&args).await,
        cli::Challenge::Release(challenge) => (challenge, true),
        cli::Challenge::Hide(challenge) => (challenge, false),
    };
    let id = names::challenge_id(&challenge.id)?;
    let (db, mut writer) = challenge.installation.writer().await?;
    let before = shown_challenges(&writer).await?;
    let outcome = step(&db, &mut writer, Op::Show { challenge: id.clone(), shown }).await?;
    let after = shown_challenges(&writer).await?;
    db.close().await;
    match outcome {
        Outcome::Show(done) => say(of_challenge(&id, shown, done))?,
        other => return unexpected(&other),
    }
    let gone = before.into_iter().filter(|it| *it != id && !after.contains(it));
    if let Some(line) = of_dependents(&gone.collect::<Vec<_>>()) {
        say!("{line}");
    }
    Ok(())
}

/// The challenges that players see, or will see from the start.
async fn shown_challenges(writer: &Writer) -> Result<Vec<ChallengeId>> {
    let (_, drafts) = challenges::all(writer.db()).await?;
    let ids = drafts.into_iter().map(|draft| draft.challenge.id);
    Ok(ids.filter(|id| writer.contest().is_shown(id)).collect())
}

/// `flagship reveal`
pub async fn reveal(installation: &Installation, force: bool) -> Result<()> {
    match run(installation, Op::Reveal { force }).await? {
        Outcome::Reveal(done) => say(of_reveal(done)),
        other => unexpected(&other),
    }
}

/// Performs one operation of the command line.
async fn run(installation: &Installation, op: Op) -> Result<Outcome> {
    let (db, mut writer) = installation.writer().await?;
    let outcome = step(&db, &mut writer, op).await?;
    db.close().await;
    Ok(outcome)
}

async fn step(db: &Db, writer: &mut Writer, op: Op) -> Result<Outcome> {
    let op = names::resolve(op, writer.contest(), db).await?;
    let mut step = writer.step(&[op.by(Actor::CommandLine)]).await?;
    step.outcomes.pop().context("the lane answered nothing")
}

fn say(words: Words) -> Result<()> {
    match words {
        Ok(done) => say!("{done}"),
        Err(reason) => bail!(reason),
    }
    Ok(())
}
