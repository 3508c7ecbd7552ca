//! `event.name`

use flagship_game::{Event, Reveal};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::said::{Change, SaidUndo, new_defaults};
use super::{objects, present};
use crate::action::{Action, Done, Extras, Factor, RUNNERS, Rule};
use crate::desk::Desk;
use crate::lists::{List, OF_EVENT};
use crate::messages::{Part, Phrase};
use crate::rejection::{ArgumentError, Rejection};
use crate::text::{line, title};

/// Names the event, and sets its other labels; begins it if there is none. What is missing stays.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// The new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// IANA name of the time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub timezone: Option<String>,
    /// What a flag looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename(deserialize = "flagFormat"), alias = "flag_format")]
    #[schema(nullable = false, rename = "flagFormat")]
    pub flag_format: Option<String>,
    /// The time of the reveal: `auto`, at the end, or `manual`, by `event.reveal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>)]
    pub reveal: Option<Reveal>,
    /// The new defaults of challenges, as JSON; `None` if they stay.
    #[serde(skip)]
    defaults: Option<String>,
    /// True if the actor means what shows what the freeze hides.
    #[serde(skip)]
    is_confirmed: bool,
}

impl Action for Name {
    const RULE: Rule = Rule { name: "event.name", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = SaidUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.name = self.name.as_deref().map(title).transpose()?;
        self.flag_format = self.flag_format.as_deref().map(line).transpose()?;
        let Self { name, timezone, flag_format, reveal, .. } = &*self;
        if let Some(zone) = timezone.as_ref().filter(|zone| !flagship_pack::is_time_zone(zone)) {
            return Err(Rejection::setting(format!("`timezone` names no time zone: {zone:?}")));
        }
        if name.is_none() && timezone.is_none() && flag_format.is_none() && reveal.is_none() {
            return Err(ArgumentError::Shape.into());
        }
        let event = self.applied_to(present(&desk.contest)).ok_or(ActionError::NoEvent)?;
        self.defaults = new_defaults(desk, &event).await?;
        self.is_confirmed = desk.is_confirmed;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Done<SaidUndo>> {
        let objects = objects(context).await?;
        let before = present(context.contest());
        let event = self.applied_to(before.clone()).ok_or(ActionError::NoEvent)?;
        let details = before.as_ref().map(|before| self.details(before)).unwrap_or_default();
        let change = Change {
            before,
            event,
            rules: None,
            defaults: self.defaults.clone(),
            is_confirmed: self.is_confirmed,
        };
        let undo = change.perform(context).await?;
        context.add_details(details);
        Ok(Done { objects, undo })
    }

    fn phrase(arguments: &Value) -> Phrase {
        phrase(arguments)
    }
}

impl Name {
    /// The event with these labels; `None` if it would have no name.
    fn applied_to(&self, event: Option<Event>) -> Option<Event> {
        let mut event = match event {
            Some(event) => event,
            None => Event {
                name: self.name.clone()?,
                start_ms: None,
                end_ms: None,
                freeze_ms: None,
                reveal: Reveal::Auto,
                timezone: "UTC".to_owned(),
                flag_format: String::new(),
                rules: String::new(),
            },
        };
        let put = |place: &mut String, text: &Option<String>| {
            if let Some(text) = text {
                place.clone_from(text);
            }
        };
        put(&mut event.name, &self.name);
        put(&mut event.timezone, &self.timezone);
        put(&mut event.flag_format, &self.flag_format);
        event.reveal = self.reveal.unwrap_or(event.reveal);
        Some(event)
    }

    /// The present values of the labels that change, for the record; null without any.
    fn details(&self, before: &Event) -> Value {
        let text = |new: &Option<String>, old: &String| {
            new.as_ref().filter(|new| *new != old).map(|_| json!(old))
        };
        let reveal = self.reveal.filter(|new| *new != before.reveal);
        let changed = [
            ("name", text(&self.name, &before.name)),
            ("timezone", text(&self.timezone, &before.timezone)),
            ("flag_format", text(&self.flag_format, &before.flag_format)),
            ("reveal", reveal.map(|_| json!(before.reveal))),
        ];
        let changed = changed.into_iter().filter_map(|(key, it)| Some((key.to_owned(), it?)));
        match changed.collect::<Map<String, Value>>() {
            changed if changed.is_empty() => Value::Null,
            changed => json!({"before": changed}),
        }
    }
}

/// The changed labels: `changed the reveal: manual → at the end`. Records without the values
/// before, such as the one that began the event, have only the new ones.
fn phrase(arguments: &Value) -> Phrase {
    let before = arguments.get("before");
    let old = |name: &str| before.and_then(|before| text(before, name));
    let new =
        |name: &str| text(arguments, name).filter(|_| before.is_none() || old(name).is_some());
    let named = new("name").map(|_| Phrase::new("event.name", arguments));
    if let (Some(named), None) = (&named, before) {
        return named.clone();
    }
    let labels = [
        ("reveal", "event.name.reveal"),
        ("timezone", "event.name.timezone"),
        ("flag_format", "event.name.flag_format"),
    ];
    let changed = labels.into_iter().filter_map(|(name, key)| {
        let change = label(name, &new(name)?);
        let change = match old(name) {
            Some(old) => Phrase::change(label(name, &old), change).into(),
            None => change,
        };
        Some(Phrase::bare(key).part("change", change))
    });
    let list = Phrase::list(named.into_iter().chain(changed));
    list.unwrap_or_else(|| Phrase::bare("event.name.none"))
}

fn text(of: &Value, name: &str) -> Option<String> {
    of.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// The value of a label.
fn label(name: &str, value: &str) -> Part {
    match (name, value) {
        ("reveal", "auto") => Phrase::bare("event.name.auto").into(),
        ("reveal", "manual") => Phrase::bare("event.name.manual").into(),
        ("reveal" | "timezone", value) => value.to_owned().into(),
        (_, value) => format!("\"{value}\"").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::language::Language;

    fn said(arguments: &Value, language: &str) -> String {
        phrase(arguments).in_language(Language::kept(Some(language)).expect("a language"))
    }

    #[test]
    fn an_action_about_the_event_says_what_it_changed() {
        let several = json!({
            "name": "B", "timezone": "UTC", "flag_format": "b{}", "reveal": "manual",
            "before": {"name": "A", "flag_format": "a{}", "reveal": "auto"},
        });
        let expected = "named the event \"B\", changed the reveal: at the end → manual, \
                        changed the flag format: \"a{}\" → \"b{}\"";
        assert_eq!(said(&several, "en"), expected);
        let mode = json!({"reveal": "auto", "before": {"reveal": "manual"}});
        let same_name =
            json!({"name": "A", "timezone": "Europe/Rome", "before": {"timezone": "UTC"}});
        // The last two: one begins the event, the other is of an older version.
        let begins = json!({"name": "A", "timezone": "UTC", "reveal": "auto"});
        let older = json!({"reveal": "manual"});
        for (arguments, expected) in [
            (&mode, "changed the reveal: manual → at the end"),
            (&same_name, "changed the time zone: UTC → Europe/Rome"),
            (&begins, "named the event \"A\""),
            (&older, "changed the reveal: manual"),
            (&json!({}), "changed the description of the event"),
        ] {
            assert_eq!(said(arguments, "en"), expected);
        }
        assert_eq!(said(&mode, "it"), "ha cambiato la rivelazione: manuale → alla fine");
        assert_eq!(said(&mode, "de"), said(&mode, "en"));
    }

    #[test]
    fn the_record_has_what_was_given() {
        let given = json!({"flagFormat": "ctf{...}", "reveal": "manual"});
        let name: Name = serde_json::from_value(given).expect("it is one");
        let record = serde_json::to_value(&name).expect("plain data");
        assert_eq!(record, json!({"flag_format": "ctf{...}", "reveal": "manual"}));
        let again: Name = serde_json::from_value(record).expect("it is one too");
        assert_eq!(again.flag_format.as_deref(), Some("ctf{...}"));
    }
}
