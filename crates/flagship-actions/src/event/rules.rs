//! `event.rules`

use flagship_game::Event;
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::said::{Change, SaidUndo, new_defaults};
use super::{objects, present};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::List;
use crate::rejection::{ArgumentError, Rejection};
use crate::settings::sections::KeptRules;
use crate::text::is_unrecorded;

/// Longest text of the rules, in bytes.
const RULES_BYTES_MAX: usize = 256 * 1024;

/// Writes the rules.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The rules, in Markdown.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub text: String,
    /// The rules as sanitized HTML.
    #[serde(skip)]
    html: String,
    /// The new defaults of challenges, as JSON; `None` if they stay.
    #[serde(skip)]
    defaults: Option<String>,
    /// True if the actor means what shows what the freeze hides.
    #[serde(skip)]
    is_confirmed: bool,
}

impl Action for Rules {
    const RULE: Rule = Rule { name: "event.rules", roles: RUNNERS, factor: Factor::Once };
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = SaidUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.html = html(desk, &self.text).await?;
        let event = self.applied_to(present(&desk.contest)).ok_or(ActionError::NoEvent)?;
        self.defaults = new_defaults(desk, &event).await?;
        self.is_confirmed = desk.is_confirmed;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<SaidUndo>> {
        let objects = objects(context).await?;
        let before = present(context.contest());
        let event = self.applied_to(before.clone()).ok_or(ActionError::NoEvent)?;
        let kept = KeptRules { text: self.text.clone(), html: self.html.clone() };
        let change = Change {
            before,
            event,
            rules: Some(serde_json::to_string(&kept).expect("plain data")),
            defaults: self.defaults.clone(),
            is_confirmed: self.is_confirmed,
        };
        let undo = change.perform(context).await?;
        Ok(Done { objects, undo })
    }
}

impl Rules {
    /// The event with these rules; `None` if there is none.
    fn applied_to(&self, event: Option<Event>) -> Option<Event> {
        event.map(|event| Event { rules: self.html.clone(), ..event })
    }
}

/// The sanitized HTML of a text of the rules.
pub async fn html(desk: &Desk, text: &str) -> Result<String, Rejection> {
    if text.len() > RULES_BYTES_MAX || text.contains('\0') {
        return Err(ArgumentError::Text.into());
    }
    let html = flagship_pack::rules_of(text, &desk.defaults().await?);
    Ok(html.map_err(|_| ArgumentError::Text)?)
}
