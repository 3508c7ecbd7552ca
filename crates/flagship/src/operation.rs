//! The commands that perform one operation in the lane and print its outcome.

use anyhow::{Context, Result, bail};
use flagship_game::ChallengeId;
use flagship_store::lane::{Op, Outcome, TeamChange};

use crate::cli::{self, Installation};
use crate::import;

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (team, change) = match command {
        cli::Team::Import { file, installation, tokens } => {
            return import::import(&file, &installation, tokens.as_deref()).await;
        }
        cli::Team::Withdraw { team, challenge } => {
            let (name, challenge) = (team.name, id(&challenge)?);
            return perform(&team.installation, Op::Withdraw { name, challenge }).await;
        }
        cli::Team::Ban(team) => (team, TeamChange::Ban),
        cli::Team::Unban(team) => (team, TeamChange::Unban),
        cli::Team::Hide(team) => (team, TeamChange::Hide),
        cli::Team::Show(team) => (team, TeamChange::Show),
        cli::Team::Award { team, points, reason } => (team, TeamChange::Award { points, reason }),
    };
    perform(&team.installation, Op::Team { name: team.name, change }).await
}

/// `flagship challenge ...`
pub async fn challenge(command: cli::Challenge) -> Result<()> {
    let (challenge, shown) = match command {
        cli::Challenge::Release(challenge) => (challenge, true),
        cli::Challenge::Hide(challenge) => (challenge, false),
    };
    perform(&challenge.installation, Op::Show { challenge: id(&challenge.id)?, shown }).await
}

/// `flagship reveal`
pub async fn reveal(installation: &Installation) -> Result<()> {
    perform(installation, Op::Reveal).await
}

fn id(text: &str) -> Result<ChallengeId> {
    ChallengeId::parse(text).with_context(|| format!("{text:?} is not a challenge id"))
}

/// Performs one operation and prints its outcome.
async fn perform(installation: &Installation, op: Op) -> Result<()> {
    let (db, mut writer) = installation.writer().await?;
    let mut step = writer.step(&[op]).await?;
    db.close().await;
    match step.outcomes.pop() {
        Some(Outcome::Done(Ok(done))) => println!("{done}"),
        Some(Outcome::Done(Err(reason))) => bail!(reason),
        other => bail!("the lane answered {other:?}"),
    }
    Ok(())
}
