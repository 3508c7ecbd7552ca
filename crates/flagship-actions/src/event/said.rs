//! What the event says beside its times: its labels and its rules.

use flagship_game::{Event, facts};
use flagship_store::ops::{ActionError, ActionResult, Context};
use flagship_store::settings::{self, RULES};
use flagship_store::sources;
use serde::{Deserialize, Serialize};

use super::{needs_proof, present, reveals};
use crate::action::UndoData;
use crate::desk::Desk;
use crate::rejection::Rejection;

/// A change of what the event says.
pub struct Change {
    /// The event before; `None` if the change begins it.
    pub before: Option<Event>,
    /// The event after.
    pub event: Event,
    /// The new text of the rules, as it is kept; `None` if it stays.
    pub rules: Option<String>,
    /// The new defaults of challenges, as JSON; `None` if they stay.
    pub defaults: Option<String>,
    /// True if the actor means what shows what the freeze hides.
    pub is_confirmed: bool,
}

impl Change {
    /// Performs the change. One that begins the event cannot be undone.
    pub async fn perform(self, context: &mut Context<'_>) -> ActionResult<Option<SaidUndo>> {
        let Self { before, event, rules, defaults, is_confirmed } = self;
        let (contest, now_ms) = (context.contest(), context.now_ms());
        if reveals(contest, &event, now_ms) {
            return Err(ActionError::RevealWaits.into());
        }
        if let Some(before) = &before
            && !is_confirmed
            && needs_proof(contest, before, &event, now_ms)
        {
            return Err(ActionError::Destructive.into());
        }
        let kept = settings::kept_in(context.tx(), RULES).await?;
        let rules = rules.or_else(|| kept.clone());
        let is_same = before.as_ref() == Some(&event);
        if is_same && kept == rules {
            return Err(ActionError::Unchanged.into());
        }
        let was = sources::defaults_in(context.tx()).await?;
        if !is_same {
            context.try_append(facts::Event { event: event.clone() }, ActionError::NoEvent)?;
        }
        put_texts(context, rules, defaults.or_else(|| was.clone())).await?;
        let left = Box::new(event);
        let undo = |before| SaidUndo { before, left, rules: kept, defaults: was };
        Ok(before.map(Box::new).map(undo))
    }
}

/// The defaults of challenges with what an event says, as JSON; `None` if they stay.
pub async fn new_defaults(desk: &Desk, event: &Event) -> Result<Option<String>, Rejection> {
    let defaults = desk.defaults().await?;
    let new = defaults.clone().with_event(event);
    Ok((new != defaults).then(|| serde_json::to_string(&new).expect("plain data")))
}

/// Keeps the text of the rules, and the defaults of challenges.
async fn put_texts(
    context: &mut Context<'_>,
    rules: Option<String>,
    defaults: Option<String>,
) -> ActionResult<()> {
    if settings::kept_in(context.tx(), RULES).await? != rules {
        settings::keep_in(context.tx(), RULES, rules.as_deref()).await?;
    }
    if let Some(defaults) = defaults {
        sources::set_defaults(context.tx(), &defaults).await?;
    }
    Ok(())
}

/// Undo data of a change of what the event says: put back if it is what the action left. The times
/// stay.
#[derive(Serialize, Deserialize)]
pub struct SaidUndo {
    /// The event before.
    pub before: Box<Event>,
    /// The event that the action left.
    pub left: Box<Event>,
    /// The text of the rules before, as it is kept.
    pub rules: Option<String>,
    /// The defaults of challenges before, as JSON.
    pub defaults: Option<String>,
}

impl UndoData for SaidUndo {
    async fn undo(self, context: &mut Context<'_>, is_confirmed: bool) -> ActionResult<()> {
        put_said(context, &self.before, &self.left, is_confirmed)?;
        put_texts(context, self.rules, self.defaults).await
    }
}

fn put_said(
    context: &mut Context<'_>,
    before: &Event,
    left: &Event,
    is_confirmed: bool,
) -> ActionResult<()> {
    let (contest, now_ms) = (context.contest(), context.now_ms());
    let present = present(contest).ok_or(ActionError::NoEvent)?;
    let with_times = |event: &Event| {
        let Event { start_ms, freeze_ms, end_ms, .. } = present;
        Event { start_ms, freeze_ms, end_ms, ..event.clone() }
    };
    if present != with_times(left) {
        return Err(ActionError::Touched.into());
    }
    let event = with_times(before);
    if event == present {
        return Ok(());
    }
    if reveals(contest, &event, now_ms) {
        return Err(ActionError::RevealWaits.into());
    }
    if !is_confirmed && needs_proof(contest, &present, &event, now_ms) {
        return Err(ActionError::Destructive.into());
    }
    context.try_append(facts::Event { event }, ActionError::NoEvent)
}
