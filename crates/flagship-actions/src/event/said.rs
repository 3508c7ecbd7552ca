//! Event details other than times: labels and rules.

use flagship_game::Event;
use flagship_store::settings::{self, RULES};
use flagship_store::sources;

use super::{check_proof, check_reveal, present};
use crate::prelude::*;

/// Changes the event details. The stored rules, and the challenge defaults as JSON, stay unchanged
/// if they are `None`. A change that creates the event cannot be undone.
pub async fn change(
    context: &mut Context<'_>,
    event: Event,
    rules: Option<String>,
    defaults: Option<String>,
) -> ActionResult<Option<EventDetailsUndo>> {
    let before = present(context.contest());
    check_reveal(context, &event)?;
    check_proof(context, &event)?;
    let kept = settings::section_in(context.tx(), RULES).await?;
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
    let undo = |before| EventDetailsUndo { before, left, rules: kept, defaults: was };
    Ok(before.map(Box::new).map(undo))
}

/// Challenge defaults with the details of an event, as JSON; `None` if unchanged.
pub async fn new_defaults(desk: &Desk, event: &Event) -> Result<Option<String>, Rejection> {
    let defaults = desk.defaults().await?;
    let new = defaults.clone().with_event(event);
    Ok((new != defaults).then(|| serde_json::to_string(&new).expect("plain data")))
}

/// Stores the rules and the challenge defaults.
async fn put_texts(
    context: &mut Context<'_>,
    rules: Option<String>,
    defaults: Option<String>,
) -> ActionResult<()> {
    if settings::section_in(context.tx(), RULES).await? != rules {
        settings::set_section_in(context.tx(), RULES, rules.as_deref()).await?;
    }
    if let Some(defaults) = defaults {
        sources::set_defaults(context.tx(), &defaults).await?;
    }
    Ok(())
}

/// Undo data of a change of the event details. They are restored only if they have not changed
/// since. The times stay.
#[derive(Serialize, Deserialize)]
pub struct EventDetailsUndo {
    /// Event before the action.
    pub before: Box<Event>,
    /// Event after the action.
    pub left: Box<Event>,
    /// Stored rules before the action.
    pub rules: Option<String>,
    /// Challenge defaults before the action, as JSON.
    pub defaults: Option<String>,
}

impl UndoData for EventDetailsUndo {
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
            check_proof(context, &event)?;
            context.try_append(facts::Event { event }, ActionError::NoEvent)?;
        }
        put_texts(context, self.rules, self.defaults).await
    }
}
