//! The short forms of actions, which print what scripts know; other actions print as `flagship
//! action` does.

use anyhow::{Context, Result, bail};
use flagship_game::ChallengeId;
use flagship_game::entry::Phase;
use flagship_store::challenges;
use flagship_store::ops::{Action, ChallengeAction, EventAction, TeamAction, TeamChange, Times};
use serde_json::{Map, Value};

use crate::actions::{self, Lane};
use crate::cli::{self, Installation};
use crate::outcome::{Done, Words, of_challenge, of_dependents, of_reveal, of_team, of_withdrawal};
use crate::{difference, import, lists, names};

/// A minute, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// `flagship team ...`
pub async fn team(command: cli::Team) -> Result<()> {
    let (order, change) = match command {
        cli::Team::List(args) => return lists::teams(&args).await,
        cli::Team::Story { name, listing, last } => {
            return lists::story(&listing, &name, last).await;
        }
        cli::Team::Import(args) => return import::import(&args).await,
        cli::Team::Withdraw { order, challenge } => return withdraw(order, &challenge).await,
        cli::Team::Rename { order, new, offensive } => return rename(order, new, offensive).await,
        cli::Team::Ban(order) => (order, TeamChange::Ban),
        cli::Team::Unban(order) => (order, TeamChange::Unban),
        cli::Team::Hide(order) => (order, TeamChange::Hide),
        cli::Team::Show(order) => (order, TeamChange::Show),
        cli::Team::Award { team, points, reason } => {
            (cli::TeamOrder { team, why: cli::Why { reason } }, TeamChange::Award { points })
        }
    };
    let mut lane = Lane::open(&order.team.installation).await?;
    let team = lane.team(&order.team.name).await?;
    let action = Action::Team { team, action: TeamAction::Change(change.clone()) };
    let done = lane.action(action, &order.why.reason).await?;
    lane.close().await;
    say_number(&done);
    say(of_team(&order.team.name, &change, done))
}

async fn withdraw(order: cli::TeamOrder, challenge: &str) -> Result<()> {
    let challenge = names::challenge_id(challenge)?;
    let mut lane = Lane::open(&order.team.installation).await?;
    lane.known(&challenge).await?;
    let team = Some(lane.team(&order.team.name).await?);
    let action = Action::WithdrawSolve { team, challenge: challenge.clone() };
    let done = lane.action(action, &order.why.reason).await?;
    lane.close().await;
    say_number(&done);
    say(of_withdrawal(&order.team.name, &challenge, done))
}

async fn rename(order: cli::TeamOrder, new: String, is_offensive: bool) -> Result<()> {
    let lane = Lane::open(&order.team.installation).await?;
    let fields: Map<String, Value> = [
        ("team".to_owned(), order.team.name.into()),
        ("name".to_owned(), new.into()),
        ("offensive".to_owned(), is_offensive.into()),
    ]
    .into_iter()
    .collect();
    let read = lane.read("team.rename", fields, String::new(), false).await?;
    actions::finish(lane, read, &order.why.reason).await
}

/// `flagship challenge ...`
pub async fn challenge(command: cli::Challenge) -> Result<()> {
    let (challenge, shown) = match command {
        cli::Challenge::List(args) => return lists::challenges(&args).await,
        cli::Challenge::Release(challenge) => (challenge, true),
        cli::Challenge::Hide(challenge) => (challenge, false),
    };
    let id = names::challenge_id(&challenge.id)?;
    let mut lane = Lane::open(&challenge.installation).await?;
    lane.known(&id).await?;
    let action = Action::Challenge(match shown {
        true => ChallengeAction::Release { challenges: vec![id.clone()], at_ms: None },
        false => ChallengeAction::Hide { challenge: id.clone() },
    });
    let done = lane.action(action, &challenge.why.reason).await?;
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
    let action = Action::Event(EventAction::Reveal { is_confirmed: force });
    let done = lane.action(action, reason).await?;
    lane.close().await;
    say(of_reveal(done))
}

/// `flagship event ...`
pub async fn event(command: cli::Event) -> Result<()> {
    let (installation, why, action) = match command {
        cli::Event::Extend { minutes, why, installation } => {
            return extend(&installation, i64::from(minutes) * MINUTE_MS, &why.reason).await;
        }
        cli::Event::Pause { why, installation } => (installation, why, EventAction::Pause),
        cli::Event::Resume { moves, why, installation } => {
            (installation, why, EventAction::Resume { moves, is_confirmed: true })
        }
    };
    let lane = Lane::open(&installation).await?;
    actions::finish(lane, Action::Event(action).into(), &why.reason).await
}

async fn extend(installation: &Installation, by_ms: i64, reason: &str) -> Result<()> {
    let lane = Lane::open(installation).await?;
    let contest = lane.contest();
    let event = contest.event().context("there is no event")?;
    let end_ms =
        event.end_ms.context("the event has no end; `flagship action event.times` sets one")?;
    // Without a server, a freeze that has come may not be recorded yet.
    let is_to_come =
        |freeze_ms: &i64| !contest.reached(Phase::Freeze) && *freeze_ms > lane.now_ms();
    let freeze_ms = event.freeze_ms.filter(is_to_come);
    let times = Times {
        start_ms: None,
        freeze_ms: freeze_ms.map(|freeze_ms| freeze_ms + by_ms),
        end_ms: Some(end_ms + by_ms),
    };
    let zone = difference::zone(Some(event));
    let action = Action::Event(EventAction::Times { times, is_confirmed: false });
    actions::finish(lane, action.into(), reason).await?;
    for (what, time) in [("freeze", times.freeze_ms), ("end", times.end_ms)] {
        if let Some(ms) = time {
            say!("{what}: {}", difference::time(ms, &zone));
        }
    }
    Ok(())
}

/// `flagship notice ...`
pub async fn notice(command: cli::Notice) -> Result<()> {
    let cli::Notice::Post { title, text, challenge, urgent, why, installation } = command;
    let text = actions::read_text(&text)?;
    let lane = Lane::open(&installation).await?;
    let mut fields: Map<String, Value> = [
        ("title".to_owned(), title.into()),
        ("text".to_owned(), text.into()),
        ("urgent".to_owned(), urgent.into()),
    ]
    .into_iter()
    .collect();
    fields.extend(challenge.map(|id| ("challenge".to_owned(), id.into())));
    let read = lane.read("notice.post", fields, String::new(), false).await?;
    actions::finish(lane, read, &why.reason).await
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
