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
use flagship_store::ops::{ActionResult, Context, destructions, ends_wait};

/// An end that is nearer than this takes something from players, in milliseconds.
const SOON_MS: i64 = 15 * 60_000;

/// The object of actions about the event. Rejects an action if the event was touched since.
async fn objects(context: &mut Context<'_>) -> ActionResult<Vec<String>> {
    let objects = vec!["event".to_owned()];
    context.check_head(&objects).await?;
    Ok(objects)
}

/// The event; `None` before it has a name.
fn present(contest: &Contest) -> Option<Event> {
    contest.event().map(|event| (**event).clone())
}

/// True if the event has ended and waits for its reveal, and another mode would reveal at once.
fn reveals(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    contest.reached(Phase::End) && ends_wait(contest, new, now_ms)
}

/// True if other times or another reveal take something from players, or soon do, show what the
/// freeze hides or let it be shown unasked, hide what everybody has seen, let an event run again
/// whose result was shown, or show its challenges earlier and soon.
fn needs_proof(contest: &Contest, old: &Event, new: &Event, now_ms: i64) -> bool {
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
    is_shown || ends_soon || hides || reopens || !destructions(contest, new, now_ms).is_empty()
}
