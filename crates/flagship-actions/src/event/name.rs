//! `event.name`

use flagship_game::{Event, Reveal};

use super::said::{self, EventDetailsUndo, new_defaults};
use super::{OBJECT, present};
use crate::messages::{Part, known};
use crate::prelude::*;
use crate::text::{line, title};

/// Names the event and sets its other labels. Creates the event if there is none. Missing labels
/// stay unchanged.
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
    /// Flag format shown to players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename(deserialize = "flagFormat"), alias = "flag_format")]
    #[schema(nullable = false, rename = "flagFormat")]
    pub flag_format: Option<String>,
    /// Reveal mode: `auto`, at the end, or `manual`, by `event.reveal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>)]
    pub reveal: Option<Reveal>,
    /// True to let teams practice after the end and the reveal: flags are judged, and no score
    /// counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub practice: Option<bool>,
    /// New challenge defaults, as JSON; `None` if unchanged.
    #[serde(skip)]
    defaults: Option<String>,
}

impl Action for Name {
    const RULE: Rule = Rule { name: "event.name", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = EventDetailsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.name = self.name.as_deref().map(title).transpose()?;
        self.flag_format = self.flag_format.as_deref().map(line).transpose()?;
        let Self { name, timezone, flag_format, reveal, practice, .. } = &*self;
        if let Some(zone) = timezone.as_ref().filter(|zone| !flagship_pack::is_time_zone(zone)) {
            return Err(Rejection::setting(format!(
                "`timezone` is not a known time zone: {zone:?}"
            )));
        }
        let has_labels = name.is_some() || timezone.is_some() || flag_format.is_some();
        if !has_labels && reveal.is_none() && practice.is_none() {
            return Err(ArgumentError::Shape.into());
        }
        let event = self.applied_to(present(&desk.contest)).ok_or(ActionError::NoEvent)?;
        self.defaults = new_defaults(desk, &event).await?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<EventDetailsUndo>> {
        context.touch([OBJECT]).await?;
        let before = present(context.contest());
        let event = self.applied_to(before.clone()).ok_or(ActionError::NoEvent)?;
        let details = before.as_ref().map(|before| self.details(before)).unwrap_or_default();
        let undo = said::change(context, event, None, self.defaults.clone()).await?;
        context.add_details(details);
        Ok(undo)
    }

    /// Changed labels: `changed the reveal: manual → at the end`. Records without the previous
    /// values, such as the one that created the event, show only the new ones.
    fn phrase(arguments: &Value) -> Phrase {
        let before = arguments.get("before");
        let old = |name: &str| before.and_then(|before| text(before, name));
        let new =
            |name: &str| text(arguments, name).filter(|_| before.is_none() || old(name).is_some());
        let named = new("name").map(|_| Phrase::new("event.name", arguments));
        if let (Some(named), None) = (&named, before) {
            return named.clone();
        }
        let changed =
            ["reveal", "practice", "timezone", "flag_format"].into_iter().filter_map(|name| {
                let key = known(&format!("event.name.{name}"))?;
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
}

impl Name {
    /// The event with these labels; `None` if it would have no name.
    fn applied_to(&self, event: Option<Event>) -> Option<Event> {
        let event = match event {
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
                hint_debt: false,
                practice: false,
                divisions: Vec::new(),
            },
        };
        Some(Event {
            name: self.name.clone().unwrap_or(event.name),
            timezone: self.timezone.clone().unwrap_or(event.timezone),
            flag_format: self.flag_format.clone().unwrap_or(event.flag_format),
            reveal: self.reveal.unwrap_or(event.reveal),
            practice: self.practice.unwrap_or(event.practice),
            ..event
        })
    }

    /// Current values of the changed labels, for the record. Null if there are none.
    fn details(&self, before: &Event) -> Value {
        let new = json!(self);
        let old = json!(before);
        // The JSON of an event omits `practice` if it is off.
        let old = |key: &str| match key {
            "practice" => json!(before.practice),
            _ => old[key].clone(),
        };
        let changed = new.as_object().into_iter().flatten().filter(|(key, new)| old(key) != **new);
        match changed.map(|(key, _)| (key.clone(), old(key))).collect::<Map<_, _>>() {
            changed if changed.is_empty() => Value::Null,
            changed => json!({"before": changed}),
        }
    }
}

fn text(of: &Value, name: &str) -> Option<String> {
    match &of[name] {
        Value::Bool(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        value => value.as_str().map(str::to_owned),
    }
}

/// The value of a label.
fn label(name: &str, value: &str) -> Part {
    match (name, value) {
        ("reveal", "auto") => Phrase::bare("event.name.auto").into(),
        ("reveal", "manual") => Phrase::bare("event.name.manual").into(),
        ("practice", "on") => Phrase::bare("event.name.on").into(),
        ("practice", "off") => Phrase::bare("event.name.off").into(),
        ("reveal" | "timezone", value) => value.to_owned().into(),
        (_, value) => format!("\"{value}\"").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::language::Language;

    fn said(arguments: &Value, language: &str) -> String {
        Name::phrase(arguments).in_language(Language::kept(Some(language)).expect("a language"))
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
        // The last two records: one creates the event, the other is from an older version.
        let begins = json!({"name": "A", "timezone": "UTC", "reveal": "auto"});
        let older = json!({"reveal": "manual"});
        let practice = json!({"practice": true, "before": {"practice": false}});
        for (arguments, expected) in [
            (&mode, "changed the reveal: manual → at the end"),
            (&practice, "changed practice after the end: off → on"),
            (&same_name, "changed the time zone: UTC → Europe/Rome"),
            (&begins, "named the event \"A\""),
            (&older, "changed the reveal: manual"),
            (&json!({}), "changed the event details"),
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
