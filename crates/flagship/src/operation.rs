//! The short forms of actions, which print what scripts know; other actions print as `flagship
//! action` does.

use anyhow::{Context, Result, bail};
use flagship_game::ChallengeId;
use flagship_game::entry::Phase;
use flagship_store::challenges;
use jiff::Timestamp;
use serde_json::json;

use crate::actions::{self, Lane, short};
use crate::cli::{self, Installation};
use crate::outcome::{
    Done, Words, of_award, of_challenge, of_dependents, of_reveal, of_team, of_withdrawal,
};
use crate::{difference, import, lists, names};

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (order, action) = match command {
        cli::Team::List(args) => return lists::teams(&args).await,
        cli::Team::Story { name, listing, last } => {
            return lists::story(&listing, &name, last).await;
        }
        cli::Team::Import(args) => return import::import(&args).await,
        cli::Team::Withdraw { order, challenge } => return withdraw(order, &challenge).await,
        cli::Team::Rename { order, new, offensive } => return rename(order, new, offensive).await,
        cli::Team::Award { team, points, reason } => return award(team, points, &reason).await,
        cli::Team::Ban(order) => (order, "team.ban"),
        cli::Team::Unban(order) => (order, "team.unban"),
        cli::Team::Hide(order) => (order, "team.hide"),
        cli::Team::Show(order) => (order, "team.show"),
    };
    let lane = Lane::open(&order.team.installation).await?;
    let team = lane.team(&order.team.name).await?;
    let request = short(action, [("team", team.into())], &order.why.reason)?;
    let done = lane.action(request).await?;
    lane.close().await;
    say_number(&done);
    say(of_team(&order.team.name, action, done))
}

async fn award(team: cli::TeamName, points: i64, reason: &str) -> Result<()> {
    let lane = Lane::open(&team.installation).await?;
    let name = lane.team(&team.name).await?;
    let arguments = [("team", json!(name)), ("points", points.into())];
    let done = lane.action(short("team.award", arguments, reason)?).await?;
    lane.close().await;
    say_number(&done);
    say(of_award(&name, points, done))
}

async fn withdraw(order: cli::TeamOrder, challenge: &str) -> Result<()> {
    let challenge = names::challenge_id(challenge)?;
    let lane = Lane::open(&order.team.installation).await?;
    let team = lane.team(&order.team.name).await?;
    let arguments = [("team", team.into()), ("challenge", challenge.as_str().into())];
    let done = lane.action(short("solve.withdraw", arguments, &order.why.reason)?).await?;
    lane.close().await;
    say_number(&done);
    say(of_withdrawal(&order.team.name, &challenge, done))
}

async fn rename(order: cli::TeamOrder, new: String, is_offensive: bool) -> Result<()> {
    let arguments = [
        ("team", order.team.name.into()),
        ("name", new.into()),
        ("offensive", is_offensive.into()),
    ];
    let request = short("team.rename", arguments, &order.why.reason)?;
    actions::finish(Lane::open(&order.team.installation).await?, request).await
}

/// `flagship challenge ...`
pub async fn challenge(command: cli::Challenge) -> Result<()> {
    let (challenge, shown) = match command {
        cli::Challenge::List(args) => return lists::challenges(&args).await,
        cli::Challenge::Release(challenge) => (challenge, true),
        cli::Challenge::Hide(challenge) => (challenge, false),
    };
    let id = names::challenge_id(&challenge.id)?;
    let action = if shown { "challenge.release" } else { "challenge.hide" };
    let request = short(action, [("challenge", id.as_str().into())], &challenge.why.reason)?;
    let lane = Lane::open(&challenge.installation).await?;
    let done = lane.action(request).await?;
    let (_, drafts) = challenges::all(lane.db()).await?;
    lane.close().await;
    say_number(&done);
    say(of_challenge(&id, shown, &done))?;
    let Ok(acted) = done else { return Ok(()) };
    // What players saw, or would have seen from the start.
    let is_gone =
        |it: &ChallengeId| *it != id && acted.before.is_shown(it) && !acted.after.is_shown(it);
    let gone = drafts.into_iter().map(|draft| draft.challenge.id).filter(is_gone);
    if let Some(line) = of_dependents(&gone.collect::<Vec<_>>()) {
        say!("{line}");
    }
    Ok(())
}

/// `flagship reveal`
pub async fn reveal(installation: &Installation, force: bool, reason: &str) -> Result<()> {
    let mut lane = Lane::open(installation).await?;
    lane.is_confirmed = force;
    let contest = lane.contest().await;
    let name = contest.event().context("there is no event")?.name.as_str();
    let done = lane.action(short("event.reveal", [("name", name.into())], reason)?).await?;
    lane.close().await;
    say(of_reveal(done))
}

/// `flagship event ...`
pub async fn event(command: cli::Event) -> Result<()> {
    match command {
        cli::Event::Extend { minutes, why, installation } => {
            extend(&installation, i64::from(minutes) * MINUTE_MS, &why.reason).await
        }
        cli::Event::Pause { why, installation } => {
            let request = short("event.pause", [], &why.reason)?;
            actions::finish(Lane::open(&installation).await?, request).await
        }
        cli::Event::Resume { moves, why, installation } => {
            let request = short("event.resume", [("moves", moves.into())], &why.reason)?;
            let mut lane = Lane::open(&installation).await?;
            lane.is_confirmed = true;
            actions::finish(lane, request).await
        }
    }
}

async fn extend(installation: &Installation, by_ms: i64, reason: &str) -> Result<()> {
    let lane = Lane::open(installation).await?;
    let contest = lane.contest().await;
    let event = contest.event().context("there is no event")?;
    let end_ms =
        event.end_ms.context("the event has no end; `flagship action event.times` sets one")?;
    let now_ms = lane.now_ms().await;
    // Without a server, a freeze that has come may not be recorded yet.
    let is_to_come = |freeze_ms: &i64| !contest.reached(Phase::Freeze) && *freeze_ms > now_ms;
    let freeze_ms = event.freeze_ms.filter(is_to_come).map(|freeze_ms| freeze_ms + by_ms);
    let end_ms = end_ms + by_ms;
    let freeze = freeze_ms.map(text_of).transpose()?;
    let arguments = [("freeze", json!(freeze)), ("end", text_of(end_ms)?.into())];
    actions::finish(lane, short("event.times", arguments, reason)?).await?;
    let zone = difference::zone(Some(event));
    for (what, time) in [("freeze", freeze_ms), ("end", Some(end_ms))] {
        if let Some(ms) = time {
            say!("{what}: {}", difference::time(ms, &zone));
        }
    }
    Ok(())
}

/// A time as actions take it.
fn text_of(ms: i64) -> Result<String> {
    Ok(Timestamp::from_millisecond(ms).context("the time is out of range")?.to_string())
}

/// `flagship notice ...`
pub async fn notice(command: cli::Notice) -> Result<()> {
    let cli::Notice::Post { title, text, challenge, urgent, why, installation } = command;
    let text = actions::read_text(&text)?;
    let arguments = [
        ("title", title.into()),
        ("text", text.into()),
        ("urgent", urgent.into()),
        ("challenge", challenge.into()),
    ];
    let request = short("notice.post", arguments, &why.reason)?;
    actions::finish(Lane::open(&installation).await?, request).await
}

/// Prints how an action is taken back: on standard error, as scripts read the other lines.
fn say_number(done: &Done) {
    if let Ok(acted) = done
        && acted.is_undoable
    {
        say_error!("action {0}; `flagship actions undo {0}` takes it back", acted.record.id);
    }
}

fn say(words: Words) -> Result<()> {
    match words {
        Ok(done) => say!("{done}"),
        Err(reason) => bail!(reason),
    }
    Ok(())
}
