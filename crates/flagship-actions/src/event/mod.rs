//! Actions about the event.

pub mod name;
pub mod pause;
pub mod resume;
pub mod reveal;
pub mod rules;
pub mod said;
pub mod times;

use flagship_game::entry::Phase;
use flagship_game::{Contest, Event, Reveal, Status};
use flagship_store::ops::{destructions, ends_wait};

use crate::prelude::*;

/// Time before the end, in milliseconds, from which changing it affects players.
const SOON_MS: i64 = 15 * 60_000;

/// Audit log object of actions about the event.
const OBJECT: &str = "event";

/// The event; `None` until it has a name.
fn present(contest: &Contest) -> Option<Event> {
    contest.event().map(|event| (**event).clone())
}

/// Rejects a change of the reveal mode that would reveal the scoreboard at once, because the event
/// has ended and the reveal is pending.
fn check_reveal(context: &Context<'_>, new: &Event) -> ActionResult<()> {
    let contest = context.contest();
    match contest.reached(Phase::End) && ends_wait(contest, new, context.now_ms()) {
        true => Err(ActionError::RevealWaits.into()),
        false => Ok(()),
    }
}

/// Rejects unconfirmed changes of times or of the reveal that need confirmation.
fn check_proof(context: &Context<'_>, new: &Event) -> ActionResult<()> {
    let needs_proof = needs_proof(context.contest(), new, context.now_ms());
    match needs_proof && !context.is_confirmed() {
        true => Err(ActionError::Destructive.into()),
        false => Ok(()),
    }
}

/// True if a change of times or of the reveal needs confirmation. Such changes take something away
/// from players now or soon, reveal frozen results or schedule their reveal, hide results that were
/// public, reopen an event whose results were shown, or release its challenges earlier and soon.
pub fn needs_proof(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    let Some(old) = contest.event() else { return false };
    let ends_soon =
        new.end_ms < old.end_ms && new.end_ms.is_some_and(|end_ms| end_ms < now_ms + SOON_MS);
    let is_frozen = |event: &Event| event.freeze_ms.is_some_and(|freeze_ms| freeze_ms <= now_ms);
    let hides = is_frozen(new) && !is_frozen(old);
    let reopens = contest.reached(Phase::End)
        && contest.is_revealed(now_ms)
        && new.end_ms.is_none_or(|end_ms| end_ms > now_ms);
    let starts_soon = contest.status(now_ms) == Status::NotStarted
        && new.start_ms.is_some_and(|start_ms| start_ms < now_ms + SOON_MS)
        && new.start_ms < old.start_ms;
    let reveals_itself = (old.reveal, new.reveal) == (Reveal::Manual, Reveal::Auto)
        && is_frozen(old)
        && !contest.reached(Phase::Reveal);
    let is_shown = starts_soon || reveals_itself;
    let destroys = || !destructions(contest, new, now_ms).is_empty();
    is_shown || ends_soon || hides || reopens || destroys()
}
