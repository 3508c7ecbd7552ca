//! What organizers did, in sentences.

use flagship_store::actions::{OWN_TEAM, Record};
use flagship_store::ops::COMMAND_LINE;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

/// A recorded action: `Ada banned "Otters".` It names no challenge but the one that the action is
/// about, as an author knows of no others.
pub fn of_record(record: &Record) -> String {
    sentence(record, &arguments(record))
}

/// The same for those who see every challenge.
pub fn in_full(record: &Record) -> String {
    sentence(record, &record.field("arguments"))
}

/// The arguments of a recorded action, without the ids of the challenges that it changed beside the
/// one that it is about.
pub fn arguments(record: &Record) -> Value {
    let mut arguments = record.field("arguments");
    if let Some(naming) = arguments.get_mut("naming") {
        *naming = Value::Null;
    }
    arguments
}

fn sentence(record: &Record, arguments: &Value) -> String {
    let who = match record.actor.as_str() {
        COMMAND_LINE => "Somebody at the command line",
        OWN_TEAM => "The team",
        who => who,
    };
    if arguments.get("stopped").is_some() {
        let team = arguments.get("team").and_then(Value::as_str).unwrap_or_default();
        return format!("The address before stopped the change of \"{team}\".");
    }
    let what = match record.body {
        Some(_) => of(&record.action, arguments),
        None => format!("{}; the details are erased", of_erased(record)),
    };
    match record.undoes {
        Some(id) => format!("{who} took back action {id}: {what}."),
        None => format!("{who} {what}."),
    }
}

/// What a team is told whose flag counts now, by the time at which it was sent, in epoch
/// milliseconds.
pub fn counts_now(at_ms: i64, timezone: &str) -> String {
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(zone);
    format!("Your flag of {} counts.", at.strftime("%H:%M"))
}

/// An action with its arguments, without who does it: `banned "Otters"`.
pub fn of(action: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let has = |name: &str| arguments.get(name).is_some_and(|it| !it.is_null());
    let team = format!("\"{}\"", text("team"));
    let number = |name: &str| arguments.get(name).and_then(Value::as_i64).unwrap_or_default();
    let points = number("points");
    match action {
        "team.ban" => format!("banned {team}"),
        "team.unban" => format!("took back the ban of {team}"),
        "team.hide" => format!("hid {team}"),
        "team.show" => format!("showed {team} again"),
        "team.award" if points < 0 => format!("took {} points from {team}", -points),
        "team.award" => format!("gave {team} {points} points"),
        "team.rename" => format!("renamed {team} to \"{}\"", text("name")),
        "team.country" => format!("changed the country of {team} to {}", text("country")),
        "team.test" => format!("made the hidden team {team}"),
        "team.note" => format!("noted something about {team}"),
        "team.message" => format!("wrote a message to {team}"),
        "team.confirm" => format!("confirmed {team}"),
        "team.resend" => format!("mailed {team} a new confirmation link"),
        "team.reset" => format!("mailed {team} a link for a new password"),
        "team.code" => format!("made a code for a new password of {team}"),
        "team.address" if has("waits") => {
            format!("asked for another address of {team}, which counts in a day")
        }
        "team.address" => format!("changed the address of {team}"),
        "team.end_sessions" => format!("logged {team} out"),
        "solve.withdraw" if !has("team") => format!("withdrew all solves of {}", text("challenge")),
        "solve.withdraw" => format!("withdrew the solve of {} by {team}", text("challenge")),
        "solve.count" => format!("counted a solve of {} by {team}", text("challenge")),
        "evidence.state" => evidence(&team, text("other"), text("state")),
        "notice.post" if has("at") => format!("set a notice for later: {}", text("title")),
        "notice.post" => format!("posted a notice: {}", text("title")),
        "notice.correct" => format!("corrected a notice: {}", text("title")),
        "notice.withdraw" => "withdrew a notice".to_owned(),
        "question.answer" => "answered a question".to_owned(),
        "question.close" => "closed a question".to_owned(),
        _ => of_challenge(action, arguments),
    }
}

/// An action whose arguments were erased with what was private about its team, without who does it.
fn of_erased(record: &Record) -> String {
    let is_own = record.actor == OWN_TEAM;
    let what = match record.action.as_str() {
        "team.ban" => "banned a team",
        "team.unban" => "took back the ban of a team",
        "team.hide" => "hid a team",
        "team.show" => "showed a team again",
        "team.award" => "changed the points of a team",
        "team.rename" => "renamed a team",
        "team.country" if is_own => "changed its country",
        "team.country" => "changed the country of a team",
        "team.test" => "made a hidden team",
        "team.note" => "noted something about a team",
        "team.message" => "wrote a message to a team",
        "team.confirm" => "confirmed a team",
        "team.resend" => "mailed a team a new confirmation link",
        "team.reset" => "mailed a team a link for a new password",
        "team.code" => "made a code for a new password of a team",
        "team.address" if is_own => "changed its address, or stopped such a change",
        "team.address" => "changed the address of a team",
        "team.end_sessions" => "logged a team out",
        "team.import" => "imported teams",
        "solve.withdraw" => "withdrew solves",
        "solve.count" => "counted a solve",
        "challenge.rejudge" => "rejudged a challenge",
        "evidence.state" => "set the state of evidence",
        "question.answer" => "answered a question",
        "question.close" => "closed a question",
        other => return format!("did {other}"),
    };
    what.to_owned()
}

/// An action about challenges.
fn of_challenge(action: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let number = |name: &str| arguments.get(name).and_then(Value::as_i64).unwrap_or_default();
    let has = |name: &str| arguments.get(name).is_some_and(|it| !it.is_null());
    match action {
        "challenge.release" => {
            let ids = arguments.get("challenges").and_then(Value::as_array);
            let ids = ids.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
            let when = if has("at") { "set the release of" } else { "released" };
            format!("{when} {}", ids.join(", "))
        }
        "challenge.create" => format!("made the challenge {}", text("challenge")),
        "challenge.edit" => {
            let others = match (arguments.get("naming"), words(arguments, "naming")) {
                (None, _) => None,
                (Some(_), named) if named.is_empty() => Some("other challenges".to_owned()),
                (Some(_), named) => Some(named),
            };
            let takes =
                |others: String| format!("; its id takes the place of its name in {others}");
            let also = others.map(takes).unwrap_or_default();
            format!("edited {}: {}{also}", text("challenge"), words(arguments, "keys"))
        }
        "challenge.close" => format!("set the time at which {} closes", text("challenge")),
        "challenge.hide" => match words(arguments, "with") {
            with if with.is_empty() => format!("hid {}", text("challenge")),
            with => format!("hid {}, and what requires it: {with}", text("challenge")),
        },
        "challenge.rejudge" => {
            let (id, teams) = (text("challenge"), number("teams"));
            let not_found = match number("patterns") {
                0 => "",
                _ => " (texts are not kept, so what only a pattern takes is not found)",
            };
            let count = match teams {
                1 => "1 submission counts now".to_owned(),
                _ => format!("{teams} submissions count now"),
            };
            format!("rejudged {id}: {count}{not_found}")
        }
        "challenge.status" => {
            let status = text("status").replace('_', " ");
            format!("said that {} is {status}", text("challenge")).replace("is works", "works")
        }
        _ => of_event(action, arguments),
    }
}

/// An action about the event or its settings.
fn of_event(action: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    match action {
        "event.name" => changed_labels(arguments),
        "event.rules" => "wrote the rules".to_owned(),
        "event.times" => format!("moved the times of the event{}", moved_times(arguments)),
        "event.pause" => "paused the event".to_owned(),
        "event.resume" => "resumed the event".to_owned(),
        "event.reveal" => "revealed the final scoreboard".to_owned(),
        "settings.set" => {
            format!("set {} of [{}]", words(arguments, "keys"), text("section").unwrap_or_default())
        }
        "brand.set" => format!("set {} of the brand", words(arguments, "keys")),
        "page.set" => format!("wrote the page \"{}\"", text("page").unwrap_or_default()),
        "page.remove" => format!("removed the page \"{}\"", text("page").unwrap_or_default()),
        "answers.set" => "wrote the answers that organizers have ready".to_owned(),
        _ => of_command(action, arguments),
    }
}

/// The changed labels of the event, such as its name and its reveal: `changed the reveal: manual →
/// at the end`. Actions that were recorded without the values before, and one
/// that began the event, have only the new ones.
fn changed_labels(arguments: &Value) -> String {
    let text = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let before = arguments.get("before");
    let old = |name: &str| before.and_then(|before| text(before, name));
    let new =
        |name: &str| text(arguments, name).filter(|_| before.is_none() || old(name).is_some());
    let named = new("name").map(|name| format!("named the event \"{name}\""));
    if let (Some(named), None) = (&named, before) {
        return named.clone();
    }
    let labels = [("reveal", "reveal"), ("timezone", "time zone"), ("flag_format", "flag format")];
    let changed = labels.into_iter().filter_map(|(key, called)| {
        let new = label(key, &new(key)?);
        let old = old(key).map(|old| format!("{} → ", label(key, &old)));
        Some(format!("changed the {called}: {}{new}", old.unwrap_or_default()))
    });
    match named.into_iter().chain(changed).collect::<Vec<_>>() {
        changed if changed.is_empty() => "changed the description of the event".to_owned(),
        changed => changed.join(", "),
    }
}

/// The value of a label in words.
fn label(key: &str, value: &str) -> String {
    match (key, value) {
        ("reveal", "auto") => "at the end".to_owned(),
        ("reveal" | "timezone", value) => value.to_owned(),
        (_, value) => format!("\"{value}\""),
    }
}

/// The times that an action moved, old → new, in the event's zone: `: end 12:00 → 12:15`. Actions
/// that were recorded without the times before have none.
fn moved_times(arguments: &Value) -> String {
    let Some(before) = arguments.get("before") else { return String::new() };
    let timezone = arguments.get("timezone").and_then(Value::as_str).unwrap_or_default();
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let time = |of: &Value, name: &str| of.get(name).and_then(Value::as_i64);
    let moved = ["start", "freeze", "end"].into_iter().filter_map(|name| {
        let new = time(arguments, name)?;
        let old = time(before, &format!("{name}_ms"));
        (old != Some(new)).then(|| format!("{name} {}", old_and_new(old, new, &zone)))
    });
    match moved.collect::<Vec<_>>() {
        moved if moved.is_empty() => String::new(),
        moved => format!(": {}", moved.join(", ")),
    }
}

/// Two times: with their dates only if they are not less than a day apart.
fn old_and_new(old: Option<i64>, new: i64, zone: &TimeZone) -> String {
    const MINUTE_MS: i64 = 60_000;
    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
    let has_seconds = [old.unwrap_or_default(), new].iter().any(|ms| ms % MINUTE_MS != 0);
    let clock = if has_seconds { "%H:%M:%S" } else { "%H:%M" };
    let is_near = old.is_some_and(|old| (new - old).abs() < DAY_MS);
    let form = if is_near { clock.to_owned() } else { format!("%Y-%m-%d {clock}") };
    let text = |ms: i64| {
        let at = Timestamp::from_millisecond(ms).unwrap_or_default();
        at.to_zoned(zone.clone()).strftime(&form).to_string()
    };
    format!("{} → {}", old.map_or_else(|| "none".to_owned(), text), text(new))
}

/// The keys that an action changed.
fn words(arguments: &Value, name: &str) -> String {
    let words = arguments.get(name).and_then(Value::as_array).into_iter().flatten();
    words.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn evidence(team: &str, other: &str, state: &str) -> String {
    let state = state.replace('_', " ");
    match other {
        "" => format!("set the evidence about {team} to {state}"),
        other => format!("set the evidence about {team} and \"{other}\" to {state}"),
    }
}

/// What is recorded beside actions, or what this program does not know.
fn of_command(action: &str, arguments: &Value) -> String {
    let number = |name: &str| arguments.get(name).and_then(Value::as_i64).unwrap_or_default();
    match action {
        "event.apply" => match number("changes") {
            0 => "applied files that change nothing for players".to_owned(),
            1 => "applied 1 change of the files".to_owned(),
            changes => format!("applied {changes} changes of the files"),
        },
        "team.import" => match number("teams") {
            1 => "imported 1 team".to_owned(),
            teams => format!("imported {teams} teams"),
        },
        "privacy.erase" => match arguments.get("team").and_then(Value::as_str) {
            Some(team) => format!("erased what was private about \"{team}\""),
            None => "erased what was private about all teams".to_owned(),
        },
        "event.backup" => "downloaded a backup, with the event's secret".to_owned(),
        "account.token" => "made a token for scripts".to_owned(),
        "account.end" => "ended an own token".to_owned(),
        "organizer.token" => {
            let name = arguments.get("organizer").and_then(Value::as_str).unwrap_or_default();
            let did = if arguments.get("ended").is_some() { "ended" } else { "made" };
            format!("{did} a token for scripts of \"{name}\"")
        }
        other => format!("did {other}"),
    }
}

/// Why an action cannot be taken back.
pub fn why_no_undo(record: &Record) -> &'static str {
    match record.action.as_str() {
        _ if record.undoes.is_some() => "It takes back another action; do that one again.",
        "team.confirm" => "The team is in the journal for good; hide it instead.",
        "team.resend" | "team.reset" => "The mail is sent.",
        "team.test" => "The team is in the journal for good; it stays hidden.",
        "team.code" => "The code was shown; a new password ends it.",
        "team.address" => "The address before can stop it for 24 hours; or change it again.",
        "event.reveal" => "The ranking has been seen.",
        "event.name" | "event.rules" => "The event is in the journal for good; change it again.",
        "question.answer" => "The team may have read it; answer again.",
        "team.message" => "The team may have read it; write another one.",
        "team.note" => "A note is kept for the record.",
        "evidence.state" => "Set another state.",
        "team.end_sessions" => "The team has to log in again.",
        "team.import" => "An older version imported the teams; ban or hide them.",
        "event.apply" => "Apply the files of before.",
        "privacy.erase" => "What was erased is gone.",
        "event.backup" => "The file was sent.",
        "account.token" | "organizer.token" => "End the token, or make another one.",
        "account.end" => "Make another token.",
        _ => "Nothing is kept that puts it back.",
    }
}

#[cfg(test)]
mod tests {
    use flagship_store::ops::Action;
    use serde_json::json;

    use super::*;

    fn erased(action: &str, actor: &str, undoes: Option<i64>) -> String {
        let record = Record {
            id: 9,
            at_ms: 0,
            actor: actor.to_owned(),
            action: action.to_owned(),
            object: "team 7".to_owned(),
            body: None,
            commitment: String::new(),
            first_seq: None,
            last_seq: None,
            undoes,
            hash: String::new(),
        };
        assert_eq!(in_full(&record), of_record(&record));
        in_full(&record)
    }

    #[test]
    fn an_action_about_the_event_says_what_it_changed() {
        let said = |arguments: Value| of("event.name", &arguments);
        let mode = json!({"reveal": "auto", "before": {"reveal": "manual"}});
        assert_eq!(said(mode), "changed the reveal: manual → at the end");
        let several = json!({
            "name": "B", "timezone": "UTC", "flag_format": "b{}", "reveal": "manual",
            "before": {"name": "A", "flag_format": "a{}", "reveal": "auto"},
        });
        let expected = "named the event \"B\", changed the reveal: at the end → manual, \
                        changed the flag format: \"a{}\" → \"b{}\"";
        assert_eq!(said(several), expected);
        let same_name =
            json!({"name": "A", "timezone": "Europe/Rome", "before": {"timezone": "UTC"}});
        assert_eq!(said(same_name), "changed the time zone: UTC → Europe/Rome");
        // Begins the event, and actions of an older version.
        let begun = json!({"name": "A", "timezone": "UTC", "reveal": "auto"});
        assert_eq!(said(begun), "named the event \"A\"");
        assert_eq!(said(json!({"reveal": "manual"})), "changed the reveal: manual");
    }

    #[test]
    fn no_erased_action_has_an_empty_place_or_a_number() {
        for action in Action::recorded() {
            let said = erased(action, "Ada", None);
            assert!(said.starts_with("Ada "), "{said}");
            assert!(said.ends_with("; the details are erased."), "{said}");
            assert!(!said.contains(['"', '0']) && !said.contains("  "), "{said}");
        }
        for action in ["team.award", "solve.count", "evidence.state", "question.answer"] {
            assert!(!erased(action, "Ada", None).contains(action), "{action} has words");
        }
        let said = erased("team.award", "Ada", Some(4));
        let expected =
            "Ada took back action 4: changed the points of a team; the details are erased.";
        assert_eq!(said, expected);
        let said = erased("team.country", OWN_TEAM, None);
        assert_eq!(said, "The team changed its country; the details are erased.");
    }
}
