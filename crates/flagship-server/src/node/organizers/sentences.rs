//! What organizers did, in sentences.

use flagship_store::acts::Record;
use serde_json::Value;

/// A recorded act: `Ada banned "Otters".`
pub fn of_record(record: &Record) -> String {
    let (arguments, who) = (record.field("arguments"), &record.actor);
    if arguments.get("stopped").is_some() {
        let team = arguments.get("team").and_then(Value::as_str).unwrap_or_default();
        return format!("The address before stopped the change of \"{team}\".");
    }
    let what = of(&record.act, &arguments);
    match record.undoes {
        Some(id) => format!("{who} took back act {id}: {what}."),
        None => format!("{who} {what}."),
    }
}

/// An act with its arguments, without who does it: `banned "Otters"`.
pub fn of(act: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let team = format!("\"{}\"", text("team"));
    let points = arguments.get("points").and_then(Value::as_i64).unwrap_or_default();
    match act {
        "team.ban" => format!("banned {team}"),
        "team.unban" => format!("took back the ban of {team}"),
        "team.hide" => format!("hid {team}"),
        "team.show" => format!("showed {team} again"),
        "team.award" if points < 0 => format!("took {} points from {team}", -points),
        "team.award" => format!("gave {team} {points} points"),
        "team.rename" => format!("renamed {team} to \"{}\"", text("name")),
        "team.country" => format!("changed the country of {team} to {}", text("country")),
        "team.note" => format!("noted something about {team}"),
        "solve.withdraw" => format!("withdrew the solve of {} by {team}", text("challenge")),
        "team.confirm" => format!("confirmed {team}"),
        "team.resend" => format!("mailed {team} a new confirmation link"),
        "team.reset" => format!("mailed {team} a link for a new password"),
        "team.code" => format!("made a code for a new password of {team}"),
        "team.address" if arguments.get("waits").is_some() => {
            format!("asked for another address of {team}, which counts in a day")
        }
        "team.address" => format!("changed the address of {team}"),
        "team.end_sessions" => format!("logged {team} out"),
        other => format!("did {other} to {team}"),
    }
}

/// Why an act cannot be taken back.
pub fn why_no_undo(record: &Record) -> &'static str {
    match record.act.as_str() {
        _ if record.undoes.is_some() => "It takes back another act; do that one again.",
        "team.confirm" => "The team is in the journal for good; hide it instead.",
        "team.resend" | "team.reset" => "The mail is sent.",
        "team.code" => "The code was shown; a new password ends it.",
        "team.address" => "The address before can stop it for 24 hours; or change it again.",
        "team.end_sessions" => "The team has to log in again.",
        _ => "Nothing is kept that puts it back.",
    }
}
