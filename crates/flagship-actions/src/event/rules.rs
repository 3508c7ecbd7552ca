//! `event.rules`

use flagship_game::Event;

use super::said::{self, EventDetailsUndo, new_defaults};
use super::{OBJECT, present};
use crate::prelude::*;
use crate::settings::sections::StoredRules;

/// Maximum length of the rules, in bytes.
const RULES_BYTES_MAX: usize = 256 * 1024;

/// Edits the rules.
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
    /// New challenge defaults, as JSON; `None` if unchanged.
    #[serde(skip)]
    defaults: Option<String>,
}

impl Action for Rules {
    const RULE: Rule = Rule { name: "event.rules", roles: RUNNERS, factor: Factor::Once };
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = EventDetailsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.html = html(desk, &self.text).await?;
        let event = self.applied_to(present(&desk.contest)).ok_or(ActionError::NoEvent)?;
        self.defaults = new_defaults(desk, &event).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<EventDetailsUndo>> {
        context.touch([OBJECT]).await?;
        let event = self.applied_to(present(context.contest())).ok_or(ActionError::NoEvent)?;
        let kept = StoredRules { text: self.text.clone(), html: self.html.clone() };
        let kept = serde_json::to_string(&kept).expect("plain data");
        said::change(context, event, Some(kept), self.defaults.clone()).await
    }
}

impl Rules {
    /// The event with these rules; `None` if there is no event.
    fn applied_to(&self, event: Option<Event>) -> Option<Event> {
        event.map(|event| Event { rules: self.html.clone(), ..event })
    }
}

/// Sanitized HTML of the rules.
pub async fn html(desk: &Desk, text: &str) -> Result<String, Rejection> {
    if text.len() > RULES_BYTES_MAX || text.contains('\0') {
        return Err(ArgumentError::Text.into());
    }
    let html = flagship_pack::render_rules(text, &desk.defaults().await?);
    Ok(html.map_err(|_| ArgumentError::Text)?)
}
