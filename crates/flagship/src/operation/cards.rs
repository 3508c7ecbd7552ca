//! `flagship team cards`: writes a sheet of join cards to print. Prints no secrets.

use std::io::Write;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_actions::Common;
use flagship_game::Contest;
use flagship_server::join_cards::{new_secrets, sheet};
use flagship_store::ops::join_cards::{self, CardError, CardTeams};
use flagship_store::organizers::Changer;
use flagship_store::{Db, Seal};

use crate::cli::TeamCards;
use crate::installation::{folder_of, refuse_existing};
use crate::names;
use crate::organizers::public_url;
use crate::output::counted;

/// Makes the cards and writes the sheet, readable only by its owner.
pub async fn cards(args: &TeamCards) -> Result<()> {
    let out = &*args.out;
    refuse_existing(out).context("no cards were made")?;
    let reason = args.reason.reason.trim();
    let common = Common { reason: reason.to_owned(), is_preview: false, head: None };
    ensure!(common.has_valid_reason(), "a reason has at most 500 characters; shorten it");
    let (db, writer) = args.installation.writer().await?;
    let (key, contest) = (args.installation.key(false)?, writer.contest());
    let public_url = public_url(&db, &args.site).await?;
    let teams = teams(args.team.as_deref(), contest, &db).await?;
    // A file that cannot be written must fail before earlier cards become void.
    let partial = tempfile::Builder::new().prefix(".cards-").tempfile_in(folder_of(out));
    let mut partial =
        partial.with_context(|| format!("no cards were made: write `{}`", out.display()))?;
    let seal = Seal::open(&db, &key).await?;
    let secrets = |account_id| new_secrets(&key, account_id);
    let now_ms = writer.clock().now_ms();
    let by = Changer::CommandLine(&seal);
    let made = join_cards::make(&db, by, &teams, reason, secrets, now_ms).await?;
    let cards = made.map_err(|error| card_error(error, args.team.as_deref()))?;
    db.close().await;
    if cards.is_empty() {
        bail!("there is no confirmed team; import teams with `flagship team import FILE.csv`");
    }
    let event = contest.event().map_or("", |event| event.name.as_str());
    let html = sheet(event, &public_url, &cards);
    let html = html.context("the site's public URL is too long for a QR code")?;
    let retry = "the cards could not be written; make them again in another folder";
    partial.write_all(html.as_bytes()).context(retry)?;
    partial.as_file().sync_all().context(retry)?;
    partial.persist_noclobber(out).context(retry)?;
    outln!(
        "{} in `{}`; earlier cards of {} are void",
        counted(cards.len(), "card", "cards"),
        out.display(),
        if cards.len() == 1 { "this team" } else { "these teams" }
    );
    Ok(())
}

/// Teams that get a card: the one with this name, or all that are not banned.
async fn teams(typed: Option<&str>, contest: &Contest, db: &Db) -> Result<CardTeams> {
    let Some(typed) = typed else {
        let banned = contest.teams().filter(|team| team.banned);
        return Ok(CardTeams::AllExcept(banned.map(|team| team.id.0).collect()));
    };
    let name = names::team(typed, contest, db).await?;
    Ok(CardTeams::Named([name].into()))
}

fn card_error(error: CardError, team: Option<&str>) -> anyhow::Error {
    let team = team.unwrap_or_default();
    match error {
        CardError::NoTeam => anyhow!("no team named {team:?}; list all with `flagship team list`"),
        CardError::Unconfirmed => anyhow!("{team:?} has not confirmed its email yet"),
        CardError::Waits => anyhow!("{team:?} is on the waiting list"),
        CardError::Ended => anyhow!("internal error: a command was refused for its session"),
    }
}
