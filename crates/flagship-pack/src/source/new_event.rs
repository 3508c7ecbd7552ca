//! Creates an `event.toml` for an event that was set up without one.

use std::collections::BTreeMap;

use flagship_game::{DivisionRules, Event, Reveal};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::Defaults;
use crate::event_times::EventTimesError;
use crate::event_toml::{Given, without_nulls};
use crate::offset_time;

/// Secrets by table, and the environment variables that contain them. They are never written to
/// files.
const SECRETS: [(&str, &str, &str); 2] = [
    ("mail", "password", "FLAGSHIP_SMTP_PASSWORD"),
    ("captcha", "secret", "FLAGSHIP_CAPTCHA_SECRET"),
];

/// Settings that are times: the start and end of registration.
const TIMES: [&str; 2] = ["opens", "closes"];

/// Returns the text of an `event.toml` for an event, with settings by table and key. Times are
/// written in the event's time zone. Of secrets, the text only contains the codes of divisions.
///
/// # Errors
/// A time is outside the supported range.
pub fn new_event_toml(
    event: &Event,
    defaults: &Defaults,
    settings: &Given,
    divisions: &[DivisionRules],
) -> Result<String, EventTimesError> {
    let zone = TimeZone::get(&event.timezone).unwrap_or(TimeZone::UTC);
    let reveal = match event.reveal {
        Reveal::Auto => "auto",
        Reveal::Manual => "manual",
    };
    let mut text = format!("[event]\nname = {}\n", quoted(&event.name));
    let times = [("start", event.start_ms), ("freeze", event.freeze_ms), ("end", event.end_ms)];
    for (name, time) in times {
        let Some(ms) = time else { continue };
        let at = Timestamp::from_millisecond(ms).map_err(|_| EventTimesError::Range)?;
        let at = offset_time::written(at, &zone);
        text += &format!("{name} = {at}\n");
    }
    text += &format!("timezone = {}\n", quoted(&event.timezone));
    text += &format!("flag_format = {}\nreveal = \"{reveal}\"\n", quoted(&event.flag_format));
    let Defaults { max, min, decay, shows_authors, .. } = defaults;
    if *shows_authors {
        text += "show_authors = true\n";
    }
    if event.practice {
        text += "practice = true\n";
    }
    text += &format!("\n[scoring]\nmax = {max}\nmin = {min}\ndecay = {decay}\n");
    if event.hint_debt {
        text += "hint_debt = true\n";
    }
    for (table, keys) in settings.iter().filter(|(_, keys)| !keys.is_empty()) {
        let keys = with_times(keys, &zone)?;
        text += &format!("\n{}", lines(table, &keys));
        for (_, what, name) in SECRETS.iter().filter(|(of, ..)| of == table) {
            text += &format!("# The {what} is in {name}, or in the file that {name}_FILE names.\n");
        }
    }
    if !divisions.is_empty() {
        let set = toml::to_string(&BTreeMap::from([("divisions", divisions)]));
        text += &format!("\n{}", set.unwrap_or_default());
    }
    Ok(text)
}

/// Returns the settings of a table with times instead of epoch milliseconds.
fn with_times(
    keys: &Map<String, Value>,
    zone: &TimeZone,
) -> Result<Map<String, Value>, EventTimesError> {
    let mut keys = keys.clone();
    for key in TIMES {
        let Some(ms) = keys.get(key).and_then(Value::as_i64) else { continue };
        let at = Timestamp::from_millisecond(ms).map_err(|_| EventTimesError::Range)?;
        keys.insert(key.to_owned(), offset_time::written(at, zone).into());
    }
    Ok(keys)
}

/// Lines of a table and its nested tables.
fn lines(table: &str, keys: &Map<String, Value>) -> String {
    let set = without_nulls(json!({table: keys}));
    toml::to_string(&set).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use flagship_game::division;

    use super::*;
    use crate::problem::Report;

    #[test]
    fn a_new_file_says_what_the_event_says() {
        let divisions = json!([
            {"id": "school", "name": "School", "group": "Division", "join": "code",
                "code": "sea \"horse\"", "student": true},
            {"id": "uni", "name": "University", "group": "Division", "join": "domain",
                "domains": ["uni.example"]},
            {"id": "staff", "name": "Staff", "group": "Other", "join": "organizers",
                "private": true},
        ]);
        let divisions: Vec<DivisionRules> = serde_json::from_value(divisions).expect("they fit");
        let event = Event {
            name: "Cup \"of\" 2026".to_owned(),
            start_ms: Some(1_700_917_200_000),
            end_ms: Some(1_700_935_200_500),
            freeze_ms: None,
            reveal: Reveal::Manual,
            timezone: "Europe/Rome".to_owned(),
            flag_format: "flag{...}".to_owned(),
            rules: String::new(),
            hint_debt: true,
            practice: true,
            divisions: division::public(&divisions),
        };
        let settings = json!({
            "mail": {"transport": "smtp", "host": "mail.example", "from": "a@b.example"},
            "limits": {"trusted_networks": ["10.0.0.0/8"], "mails_per_hour": 7},
            "site": {"banner": "Hi", "links": [{"name": "Blog", "link": "https://blog.example"}],
                "sponsors": [{"name": "Harbour", "link": null}]},
            "privacy": {},
            "registration": {"opens": 1_700_910_000_000_i64, "closes": null},
        });
        let settings: Given = serde_json::from_value(settings).expect("tables of keys");
        let text = new_event_toml(&event, &Defaults::default(), &settings, &divisions)
            .expect("the times are in range");
        let mut report = Report::new(std::path::Path::new("event.toml"));
        let read = crate::event_toml::read(&text, std::path::Path::new(""), &mut report);
        let problems = report.finish();
        assert!(problems.is_empty(), "{text}\n{problems:?}");
        assert_eq!(read.event.as_ref(), Some(&event), "{text}");
        assert_eq!(read.divisions, divisions, "{text}");
        assert_eq!(read.event.as_ref().map(|it| it.divisions.len()), Some(2));
        assert_eq!(read.settings.mail.host, "mail.example");
        assert_eq!(read.settings.limits.mails_per_hour, 7);
        assert_eq!(read.settings.registration.opens, Some(1_700_910_000_000), "{text}");
        assert!(text.contains("FLAGSHIP_SMTP_PASSWORD") && !text.contains("[privacy]"), "{text}");
        assert_eq!(read.settings.site.links[0].name, "Blog", "{text}");
        assert_eq!(read.settings.site.sponsors[0].link, None, "{text}");
    }
}
