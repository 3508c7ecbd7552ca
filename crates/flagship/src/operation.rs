//! The short forms of actions, which print what scripts know; other actions print as `flagship
//! action` does.

use anyhow::{Context, Result};
use flagship_actions::Request;
use flagship_game::ChallengeId;
use flagship_game::entry::Phase;
use flagship_store::challenges;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::actions::{self, Lane, short};
use crate::cli::{self, Installation, Order};
use crate::outcome::{
    Done, of_award, of_challenge, of_dependents, of_reveal, of_team, of_withdrawal,
};
use crate::{difference, import, lists, names};

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
    let (_, done) = about(&order.team, action, [], &order.why.reason).await?;
    say!("{}", of_team(&order.team.name, action, done)?);
    Ok(())
}

/// Does an action about a team; returns the name that is kept of it, and the outcome.
async fn about<const N: usize>(
    team: &cli::TeamName,
    action: &str,
    others: [(&str, Value); N],
    reason: &str,
) -> Result<(String, Done)> {
    let lane = Lane::open(&team.installation).await?;
    let name = lane.team(&team.name).await?;
    let mut request = short(action, others, reason)?;
    request.arguments.insert("team".to_owned(), json!(name));
    Ok((name, perform(lane, request).await?))
}

/// Does an action, and prints on standard error how it is taken back.
async fn perform(lane: Lane, request: Request) -> Result<Done> {
    let done = lane.action(request).await?;
    lane.close().await;
    if let Ok(acted) = &done
        && acted.is_undoable
    {
        say_error!("action {0}; `flagship actions undo {0}` takes it back", acted.record.id);
    }
    Ok(done)
}

async fn award(team: cli::TeamName, points: i64, reason: &str) -> Result<()> {
    let (name, done) = about(&team, "team.award", [("points", points.into())], reason).await?;
    say!("{}", of_award(&name, points, done)?);
    Ok(())
}

async fn withdraw(order: cli::TeamOrder, challenge: &str) -> Result<()> {
    let challenge = names::challenge_id(challenge)?;
    let others = [("challenge", challenge.as_str().into())];
    let (_, done) = about(&order.team, "solve.withdraw", others, &order.why.reason).await?;
    say!("{}", of_withdrawal(&order.team.name, &challenge, done)?);
    Ok(())
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
    let Order { why, installation } = challenge.order;
    let request = short(action, [("challenge", id.as_str().into())], &why.reason)?;
    let lane = Lane::open(&installation).await?;
    let (_, drafts) = challenges::all(lane.db()).await?;
    let done = perform(lane, request).await?;
    say!("{}", of_challenge(&id, shown, &done)?);
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
    let request = short("event.reveal", [("name", name.into())], reason)?;
    say!("{}", of_reveal(perform(lane, request).await?)?);
    Ok(())
}

/// `flagship event ...`
pub async fn event(command: cli::Event) -> Result<()> {
    match command {
        cli::Event::Extend { minutes, order } => extend(order, minutes).await,
        cli::Event::Pause(Order { why, installation }) => {
            let request = short("event.pause", [], &why.reason)?;
            actions::finish(Lane::open(&installation).await?, request).await
        }
        cli::Event::Resume { moves, order: Order { why, installation } } => {
            let request = short("event.resume", [("moves", moves.into())], &why.reason)?;
            let mut lane = Lane::open(&installation).await?;
            lane.is_confirmed = true;
            actions::finish(lane, request).await
        }
    }
}

async fn extend(Order { why, installation }: Order, minutes: u32) -> Result<()> {
    let by_ms = i64::from(minutes) * MINUTE_MS;
    let lane = Lane::open(&installation).await?;
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
    actions::finish(lane, short("event.times", arguments, &why.reason)?).await?;
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
    let cli::Notice::Post { title, text, challenge, urgent, order } = command;
    let text = actions::read_text(&text)?;
    let arguments = [
        ("title", title.into()),
        ("text", text.into()),
        ("urgent", urgent.into()),
        ("challenge", challenge.into()),
    ];
    let request = short("notice.post", arguments, &order.why.reason)?;
    actions::finish(Lane::open(&order.installation).await?, request).await
}
