//! `flagship pass`: verifies team passes, and prints the secrets of challenges.

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use flagship_game::{Contest, TeamId};
use flagship_server::lists::table::Table;
use flagship_store::challenges;
use flagship_store::key::team_pass::PassKey;
use serde_json::json;

use crate::cli::{Listing, Pass};
use crate::lists;
use crate::names;

/// `flagship pass ...`.
pub async fn pass(command: Pass) -> Result<()> {
    match command {
        Pass::Verify { pass, listing } => verify(&pass, &listing).await,
        Pass::Secret { id, installation } => {
            let (db, writer) = lists::open(&installation).await?;
            names::ensure_challenge_exists(&id, writer.contest(), &db).await?;
            db.close().await;
            let secret = writer.seal().key().challenge_secret(id.as_str());
            outln!("{}", HEXLOWER.encode(&secret));
            Ok(())
        }
    }
}

/// `flagship pass verify`: finds the challenge whose key signed the pass.
async fn verify(pass: &str, args: &Listing) -> Result<()> {
    let (db, writer) = lists::open(&args.installation).await?;
    let (_, drafts) = challenges::all(&db).await?;
    db.close().await;
    let key = writer.seal().key();
    let found = drafts.iter().find_map(|draft| {
        let id = draft.challenge.id.as_str();
        Some((id, PassKey::new(key, id).team_of(pass.trim())?))
    });
    let (challenge, team) = found.context(
        "this is not a valid pass: it was changed, or belongs to another event or to a challenge \
         that was removed",
    )?;
    let team = TeamId(team);
    let contest = writer.contest();
    let name = contest.team(team).map(|team| team.name.to_string());
    let row = vec![json!(name), json!(challenge), json!(state(contest, team))];
    lists::table::print(Table::new(&["team", "challenge", "state"], [row]), args)
}

/// State of a team. A pass stays valid when its team is banned, because services verify it offline.
fn state(contest: &Contest, team: TeamId) -> &'static str {
    match contest.team(team) {
        None => "unknown",
        Some(team) if team.banned => "banned",
        Some(team) if team.hidden => "hidden",
        Some(_) => "plays",
    }
}
