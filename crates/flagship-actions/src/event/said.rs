//! What the event says beside its times: its labels and its rules.

use flagship_game::Event;
use flagship_store::settings::{self, RULES};
use flagship_store::sources;

use super::{check_proof, check_reveal, present};
use crate::prelude::*;

/// Changes what the event says; the rules, as they are kept, and the defaults of challenges, as
/// JSON, stay if they are `None`. A change that begins the event cannot be undone.
pub async fn change(
    context: &mut Context<'_>,
    event: Event,
    rules: Option<String>,
    defaults: Option<String>,
) -> ActionResult<Option<SaidUndo>> {
    let before = present(context.contest());
    check_reveal(context, &event)?;
    if let Some(before) = &before {
        check_proof(context, before, &event)?;
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
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let present = present(context.contest()).ok_or(ActionError::NoEvent)?;
        let with_times = |event: &Event| {
            let Event { start_ms, freeze_ms, end_ms, .. } = present;
            Event { start_ms, freeze_ms, end_ms, ..event.clone() }
        };
        if present != with_times(&self.left) {
            return Err(ActionError::Touched.into());
        }
        let event = with_times(&self.before);
        if event != present {
            check_reveal(context, &event)?;
            check_proof(context, &present, &event)?;
            context.try_append(facts::Event { event }, ActionError::NoEvent)?;
        }
        put_texts(context, self.rules, self.defaults).await
    }
}
