//! Short commands for actions. Their output is stable for scripts; other actions print like
//! `flagship action`.

mod cards;

use anyhow::{Context, Result};
use flagship_actions::Request;
use flagship_game::ChallengeId;
use flagship_game::entry::Phase;
use flagship_server::apply::difference;
use flagship_store::challenges;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::actions::{self, Lane, short};
use crate::cli::{self, ActionArgs, Installation};
use crate::messages::{
    ActionResult, award_message, challenge_message, dependents_message, reveal_message,
    team_message, withdrawal_message,
};
use crate::{import, lists, names};

const MINUTE_MS: i64 = 60_000;

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (args, action) = match command {
        cli::Team::List(args) => return lists::teams(&args).await,
        cli::Team::Story { name, listing, last } => {
            return lists::story(&listing, &name, last).await;
        }
        cli::Team::Import(args) => return import::import(&args).await,
        cli::Team::Cards(args) => return cards::cards(&args).await,
        cli::Team::Withdraw { args, challenge } => return withdraw(args, &challenge).await,
        cli::Team::Rename { args, new, offensive } => return rename(args, new, offensive).await,
        cli::Team::Award { team, points, reason } => return award(team, points, &reason).await,
        cli::Team::Ban(args) => (args, "team.ban"),
        cli::Team::Unban(args) => (args, "team.unban"),
        cli::Team::Hide(args) => (args, "team.hide"),
        cli::Team::Show(args) => (args, "team.show"),
    };
    let (_, done) = about(&args.team, action, [], &args.reason.reason).await?;
    outln!("{}", team_message(&args.team.name, action, done)?);
    Ok(())
}

/// Runs an action on a team; returns the stored team name and the outcome.
async fn about<const N: usize>(
    team: &cli::TeamName,
    action: &str,
    others: [(&str, Value); N],
    reason: &str,
) -> Result<(String, ActionResult)> {
    let lane = Lane::open(&team.installation).await?;
    let name = lane.team(&team.name).await?;
    let mut request = short(action, others, reason)?;
    request.arguments.insert("team".to_owned(), json!(name));
    Ok((name, perform(lane, request).await?))
}

/// Runs an action and prints the undo command to standard error.
async fn perform(lane: Lane, request: Request) -> Result<ActionResult> {
    let done = lane.action(request).await?;
    lane.close().await;
    if let Ok(acted) = &done
        && acted.is_undoable
    {
        errln!("action {0}; undo with `flagship actions undo {0}`", acted.record.id);
    }
    Ok(done)
}

async fn award(team: cli::TeamName, points: i64, reason: &str) -> Result<()> {
    let (name, done) = about(&team, "team.award", [("points", points.into())], reason).await?;
    outln!("{}", award_message(&name, points, done)?);
    Ok(())
}

async fn withdraw(args: cli::TeamActionArgs, challenge: &str) -> Result<()> {
    let challenge = names::challenge_id(challenge)?;
    let others = [("challenge", challenge.as_str().into())];
    let (_, done) = about(&args.team, "solve.withdraw", others, &args.reason.reason).await?;
    outln!("{}", withdrawal_message(&args.team.name, &challenge, done)?);
    Ok(())
}

async fn rename(args: cli::TeamActionArgs, new: String, is_offensive: bool) -> Result<()> {
    let arguments =
        [("team", args.team.name.into()), ("name", new.into()), ("offensive", is_offensive.into())];
    let request = short("team.rename", arguments, &args.reason.reason)?;
    actions::finish(Lane::open(&args.team.installation).await?, request).await
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
    let ActionArgs { reason, installation } = challenge.args;
    let request = short(action, [("challenge", id.as_str().into())], &reason.reason)?;
    let lane = Lane::open(&installation).await?;
    let (_, drafts) = challenges::all(lane.db()).await?;
    let done = perform(lane, request).await?;
    outln!("{}", challenge_message(&id, shown, &done)?);
    let Ok(acted) = done else { return Ok(()) };
    // Challenges that were visible now, or would have become visible at the start.
    let is_gone =
        |it: &ChallengeId| *it != id && acted.before.is_shown(it) && !acted.after.is_shown(it);
    let gone = drafts.into_iter().map(|draft| draft.challenge.id).filter(is_gone);
    if let Some(line) = dependents_message(&gone.collect::<Vec<_>>()) {
        outln!("{line}");
    }
    Ok(())
}

/// `flagship reveal`
pub async fn reveal(installation: &Installation, force: bool, reason: &str) -> Result<()> {
    let mut lane = Lane::open(installation).await?;
    lane.is_confirmed = force;
    let contest = lane.contest().await;
    let name = contest.event().context("no event found")?.name.as_str();
    let request = short("event.reveal", [("name", name.into())], reason)?;
    outln!("{}", reveal_message(perform(lane, request).await?)?);
    Ok(())
}

/// `flagship event ...`
pub async fn event(command: cli::Event) -> Result<()> {
    match command {
        cli::Event::Extend { minutes, args } => extend(args, minutes).await,
        cli::Event::Pause(ActionArgs { reason, installation }) => {
            let request = short("event.pause", [], &reason.reason)?;
            actions::finish(Lane::open(&installation).await?, request).await
        }
        cli::Event::Resume { moves, args: ActionArgs { reason, installation } } => {
            let request = short("event.resume", [("moves", moves.into())], &reason.reason)?;
            let mut lane = Lane::open(&installation).await?;
            lane.is_confirmed = true;
            actions::finish(lane, request).await
        }
    }
}

async fn extend(ActionArgs { reason, installation }: ActionArgs, minutes: u32) -> Result<()> {
    let by_ms = i64::from(minutes) * MINUTE_MS;
    let lane = Lane::open(&installation).await?;
    let contest = lane.contest().await;
    let event = contest.event().context("no event found")?;
    let end_ms = event
        .end_ms
        .context("the event has no end time; set one with `flagship action event.times`")?;
    let now_ms = lane.now_ms().await;
    // Without a running server, a freeze that is due may not be recorded yet.
    let is_to_come = |freeze_ms: &i64| !contest.reached(Phase::Freeze) && *freeze_ms > now_ms;
    let freeze_ms = event.freeze_ms.filter(is_to_come).map(|freeze_ms| freeze_ms + by_ms);
    let end_ms = end_ms + by_ms;
    let freeze = freeze_ms.map(text_of).transpose()?;
    let arguments = [("freeze", json!(freeze)), ("end", text_of(end_ms)?.into())];
    actions::finish(lane, short("event.times", arguments, &reason.reason)?).await?;
    let zone = difference::zone(Some(event));
    for (what, time) in [("freeze", freeze_ms), ("end", Some(end_ms))] {
        if let Some(ms) = time {
            outln!("{what}: {}", difference::time(ms, &zone));
        }
    }
    Ok(())
}

/// Formats a time as an action argument.
fn text_of(ms: i64) -> Result<String> {
    Ok(Timestamp::from_millisecond(ms).context("the time is out of range")?.to_string())
}

/// `flagship notice ...`
pub async fn notice(command: cli::Notice) -> Result<()> {
    let cli::Notice::Post { title, text, challenge, urgent, args } = command;
    let text = actions::read_text(&text)?;
    let arguments = [
        ("title", title.into()),
        ("text", text.into()),
        ("urgent", urgent.into()),
        ("challenge", challenge.into()),
    ];
    let request = short("notice.post", arguments, &args.reason.reason)?;
    actions::finish(Lane::open(&args.installation).await?, request).await
}
