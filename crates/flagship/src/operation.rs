//! The commands that say one thing to the lane, and print what came of it.

use anyhow::{Context, Result, bail};
use flagship_game::ChallengeId;
use flagship_store::lane::{Op, Outcome, TeamChange};

use crate::cli::{self, Place};
use crate::import;

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (team, change) = match command {
        cli::Team::Import { file, place, tokens } => {
            return import::import(&file, &place, tokens.as_deref()).await;
        }
        cli::Team::Withdraw { team, challenge } => {
            let (name, challenge) = (team.name, id(&challenge)?);
            return say(&team.place, Op::Withdraw { name, challenge }).await;
        }
        cli::Team::Ban(team) => (team, TeamChange::Ban),
        cli::Team::Unban(team) => (team, TeamChange::Unban),
        cli::Team::Hide(team) => (team, TeamChange::Hide),
        cli::Team::Show(team) => (team, TeamChange::Show),
        cli::Team::Award { team, points, reason } => (team, TeamChange::Award { points, reason }),
    };
    say(&team.place, Op::Team { name: team.name, change }).await
}

/// `flagship challenge ...`
pub async fn challenge(command: cli::Challenge) -> Result<()> {
    let (challenge, shown) = match command {
        cli::Challenge::Release(challenge) => (challenge, true),
        cli::Challenge::Hide(challenge) => (challenge, false),
    };
    say(&challenge.place, Op::Show { challenge: id(&challenge.id)?, shown }).await
}

/// `flagship reveal`
pub async fn reveal(place: &Place) -> Result<()> {
    say(place, Op::Reveal).await
}

fn id(text: &str) -> Result<ChallengeId> {
    ChallengeId::parse(text).with_context(|| format!("{text:?} is no challenge id"))
}

/// Does one operation and prints what was done.
async fn say(place: &Place, op: Op) -> Result<()> {
    let (db, mut writer) = place.writer().await?;
    let mut step = writer.step(&[op]).await?;
    db.close().await;
    match step.outcomes.pop() {
        Some(Outcome::Done(Ok(done))) => println!("{done}"),
        Some(Outcome::Done(Err(reason))) => bail!(reason),
        other => bail!("the lane answered {other:?}"),
    }
    Ok(())
}
