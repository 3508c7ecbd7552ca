//! Organizers perform and undo every allowed action during the freeze: nothing reveals what the
//! freeze hides.

use std::collections::BTreeSet;

use flagship_actions::ACTIONS;
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_testkit::player::{exact, key};

use super::*;
use crate::actions::{action, post, session_of};

/// Paths of the activity of teams.
const STORIES: &str = "/api/organize/teams/";

/// A time in the format of action arguments.
fn iso(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).expect("a time").to_string()
}

/// Actions of organizers, in order. `NOTICE`, `FIRST` and `SECOND` stand for a notice and
/// questions.
fn actions() -> Vec<(&'static str, Value)> {
    let team = |name: &str, more: Value| {
        let mut fields = more;
        fields["team"] = json!(name);
        fields
    };
    let solve = |team: &str, id: &str| json!({"team": team, "challenge": id});
    let count =
        |team: &str, id: &str, at_ms| json!({"team": team, "challenge": id, "at": iso(at_ms)});
    let five = json!({"name": "Five", "category": "misc", "description": "What?",
        "type": "standard", "value": 30, "flags": ["flag{five}"],
        "hints": [{"key": "tool", "content": "Look.", "cost": 5}]});
    let edit = |fields| json!({"challenge": "five", "fields": fields});
    let of = |id: &str| json!({"challenge": id});
    let both = json!({"team": null, "teams": ["Late", "Latest"]});
    vec![
        ("team.hide", team("Late", json!({}))),
        ("team.show", team("Late", json!({}))),
        ("team.hide", both.clone()),
        ("team.show", both.clone()),
        ("team.ban", team("Latest", json!({}))),
        ("team.unban", team("Latest", json!({}))),
        ("team.award", team("Late", json!({"points": 5}))),
        ("team.rename", team("Late", json!({"name": "Later"}))),
        ("team.country", team("Later", json!({"country": "FR"}))),
        ("team.divisions", team("Later", json!({"divisions": ["staff"]}))),
        ("team.note", team("Later", json!({"text": "loud"}))),
        ("team.message", team("Later", json!({"text": "Hello"}))),
        ("team.message", json!({"team": null, "teams": ["Later", "Latest"], "text": "Hello"})),
        ("team.resend", team("Newcomer", json!({}))),
        ("team.confirm", team("Newcomer", json!({}))),
        ("team.admit", team("Patient", json!({}))),
        ("team.reset", team("Latest", json!({}))),
        ("team.code", team("Latest", json!({}))),
        ("team.end_sessions", team("Latest", json!({}))),
        ("team.address", team("Latest", json!({"email": "new@example.org"}))),
        // This solve exists in only one world.
        ("solve.withdraw", solve("Early", "two")),
        ("solve.withdraw", solve("Later", "three")),
        ("solve.count", count("Later", "three", NOW_MS + 6)),
        ("solve.count", count("Viewer", "three", NOW_MS + HOUR_MS + 1)),
        ("challenge.rejudge", of("three")),
        ("challenge.attempts", solve("Latest", "three")),
        ("challenge.hide", of("two")),
        ("challenge.release", of("two")),
        ("challenge.hide", json!({"challenges": ["two", "three"]})),
        ("challenge.release", json!({"challenges": ["two", "three"]})),
        ("challenge.status", json!({"challenge": "two", "status": "broken", "note": "down"})),
        ("challenge.create", edit(five)),
        ("challenge.release", of("five")),
        ("challenge.edit", edit(json!({"value": 40}))),
        ("challenge.close", of("five")),
        ("hint.free", json!({"challenge": "five", "hint": "tool"})),
        ("team.test", team("Testers", json!({}))),
        ("evidence.state", json!({"team": "Later", "other": "Viewer", "state": "cleared"})),
        ("event.times", json!({"end": iso(NOW_MS + 3 * HOUR_MS)})),
        ("event.name", json!({"name": "Other CTF", "flagFormat": "other{...}"})),
        ("event.name", json!({"name": event().name})),
        ("event.rules", json!({"text": "Be kind."})),
        ("code.make", json!({})),
        ("code.revoke", json!({"code": "CODE"})),
        ("settings.set", json!({"section": "site", "values": {"banner": "Hello"}})),
        ("brand.set", json!({"values": {"accent": "#0077cc"}})),
        ("page.set", json!({"page": "us", "text": "# Us"})),
        ("page.remove", json!({"page": "us"})),
        ("answers.set", json!({"answers": [{"title": "Yes", "text": "Yes."}]})),
        ("event.pause", json!({})),
        ("event.resume", json!({"moves": true})),
        ("notice.post", json!({"title": "Lunch", "text": "At noon", "challenge": "two"})),
        ("notice.correct", json!({"notice": "NOTICE", "title": "Dinner", "text": "At eight"})),
        ("notice.withdraw", json!({"notice": "NOTICE"})),
        ("question.answer", json!({"question": "FIRST", "text": "Yes", "toAll": true})),
        ("question.close", json!({"question": "SECOND"})),
        ("event.reveal", json!({"name": event().name})),
    ]
}

/// Puts 0 in place of random ids.
fn plain(mut value: Value) -> Value {
    match &mut value {
        Value::Array(all) => all.iter_mut().for_each(|it| *it = plain(it.take())),
        Value::Object(all) => {
            for (name, it) in all.iter_mut() {
                let is_id = ["id", "notice", "question", "undoes", "undoneBy"].contains(&&**name);
                *it = if is_id && it.is_number() { json!(0) } else { plain(it.take()) };
            }
        }
        Value::String(text) if text.contains(" undid action ") => {
            text.retain(|it| !it.is_ascii_digit());
        }
        _ => {}
    }
    value
}

/// An organizer, and the sockets of others.
struct Organizing<'a> {
    it: &'a Frozen,
    session: String,
    sockets: [Socket; 2],
    /// Messages that others received.
    received: Vec<String>,
}

impl Organizing<'_> {
    /// Performs an action and records the messages that the sockets receive after it.
    async fn with_frames(&mut self, what: &str, doing: impl Future<Output = ()>) {
        let before = self.it.app.app.contest().public_seq();
        doing.await;
        self.it.app.settled().await;
        let after = self.it.app.app.contest().public_seq();
        self.received.push(format!("{what}: {before} to {after}"));
        for (socket, is_viewers) in self.sockets.iter_mut().zip([false, true]) {
            let mut seq = before;
            while seq < after {
                let frame = socket.next().await;
                // Responses and own solves during the freeze reach their team at a random time. The
                // team's own board after a credited solve comes at any time, or together with the
                // next one.
                let is_old = frame["seq"].as_u64().is_none_or(|seq| seq <= before);
                if frame["event"] == "answer" || (is_viewers && is_old) {
                    continue;
                }
                // A team's own solve during the freeze has no sequence number.
                seq = frame["seq"].as_u64().unwrap_or_default().max(seq);
                self.received.push(format!("{what}: {}", plain(frame)));
            }
        }
    }

    /// Responses to readers without the unfrozen view.
    async fn read(&mut self, readers: &Readers, players: &[(&str, &Player)]) {
        let it = self.it;
        for (name, who) in players {
            let answers = it.answers(who).await;
            let has_ids =
                |it: &&str| it.contains(" /api/notices ") || it.contains(" /api/questions ");
            let lines = answers.lines().filter(|line| !has_ids(line));
            self.received.extend(lines.map(|line| format!("{name}: {line}")));
            let notices = who.get("/notices").await.json;
            self.received.push(format!("{name}: {}", plain(notices)));
        }
        let own = it.viewer.player.get("/questions").await.json;
        self.received.push(plain(own).to_string());
        let gets = of_organizers().into_iter().filter(|(method, ..)| *method == "GET");
        let mut paths: Vec<String> = gets.map(|(_, path, _)| path).collect();
        let stories = ["Viewer", "Early", "Latest", "Newcomer"];
        paths.extend(stories.map(|name| format!("{STORIES}{name}")));
        for (role, session) in &readers.sessions {
            for path in &paths {
                let is_record = *role == Role::Organizer && RECORDS.contains(&&**path);
                if is_record || path == "/api/organize/sessions" {
                    continue;
                }
                let has_views = VIEWS.contains(&&**path) || path.starts_with(STORIES);
                let is_truth = *role == Role::Organizer && has_views;
                let view = if is_truth { "?view=public" } else { "" };
                let at = path.clone() + view;
                let reply = Call::new("GET", &at).session(session).send(&it.app).await;
                let text = match serde_json::from_slice(&reply.body) {
                    Ok(json) => steady(plain(json)).to_string(),
                    Err(_) => reply.text(),
                };
                self.received.push(format!("{role}: {path} {} {text}", reply.status));
            }
        }
    }
}

/// Rejected flags of the challenge "three" that are now correct: one from before the freeze and, in
/// only one world, one from after it.
async fn correct_a_flag(it: &Frozen, world: World) {
    let early = WrongFlag {
        account_id: it.early.id.0,
        challenge_id: "three".to_owned(),
        at_ms: NOW_MS + 5,
        digest: key().flag_digest("three", "flag{other}"),
        folded: None,
        near: None,
        of_team: None,
        network: None,
        sealed_text: None,
    };
    wrong_flags::record(&it.app.test.db, &[early]).await.expect("it is written");
    let other = if world == World::Solved { "flag{other}" } else { "flag[other]" };
    assert_eq!(it.latest.send("three", other).await.json["correct"], false);
    let mut drafts = drafts();
    drafts[2].flags.push(exact("three", "flag{other}"));
    it.app.run(plan(Reveal::Manual, divisions(), drafts)).await;
}

/// Messages that others receive while organizers perform and undo all actions.
async fn received(engine: Engine, world: World) -> Vec<String> {
    let it = frozen(engine, Reveal::Manual).await;
    let (early, late, latest) = (&it.early, &it.late, &it.latest);
    it.others(world, &[(early, "two"), (latest, "one"), (late, "two")]).await;
    correct_a_flag(&it, world).await;
    let mut asked = Vec::new();
    for text in ["Is it?", "Or not?"] {
        it.app.advance(1);
        let body = json!({"text": text, "challengeId": null});
        asked.push(it.viewer.player.post("/question", &body).await.json["id"].clone());
    }
    let readers = Readers::new(&it.app).await;
    let session = session_of(&it.app, Role::Owner).await;
    let sockets = [Socket::watching(&it.app).await.0, it.viewer.watching(&it.app).await.0];
    let mut doing = Organizing { it: &it, session, sockets, received: Vec::new() };
    let mut notice = Value::Null;
    let mut code = Value::Null;
    let mut done = Vec::new();
    let mut names = BTreeSet::new();
    let words = "two worlds differ in what others receive";
    let is_shown = control("what_organizers_do_in_the_freeze_tells_nothing_of_it", words)
        && world == World::Solved;
    for (name, mut fields) in actions() {
        let [first, second] = [&asked[0], &asked[1]];
        for (field, id) in
            [("NOTICE", &notice), ("CODE", &code), ("FIRST", first), ("SECOND", second)]
        {
            for value in fields.as_object_mut().expect("an object").values_mut() {
                if value == field {
                    *value = id.clone();
                }
            }
        }
        it.app.advance(7);
        let session = doing.session.clone();
        let mut preview = fields.clone();
        preview["preview"] = json!(true);
        doing
            .with_frames(name, async {
                action(&it.app, &session, name, preview).await;
            })
            .await;
        names.insert(name);
        // Only the preview: the reveal itself shows what the freeze hides.
        if name == "event.reveal" && !is_shown {
            continue;
        }
        doing
            .with_frames(name, async {
                let reply = action(&it.app, &session, name, fields).await;
                let is_only_truth = name == "solve.withdraw" && world == World::Guessed;
                assert!(reply.status == 200 || is_only_truth, "{name}: {}", reply.text());
                let reply = reply.json();
                if name == "notice.post" {
                    let contest = it.app.app.contest();
                    notice = json!(contest.notices().next_back().expect("a notice").id);
                }
                if name == "code.make" {
                    code = reply["codes"][0].clone();
                }
                done.extend(
                    reply["undo"]["possible"]
                        .as_bool()
                        .filter(|it| *it)
                        .map(|_| reply["id"].clone()),
                );
            })
            .await;
    }
    let all: BTreeSet<&str> = ACTIONS.iter().map(|action| action.rule.name).collect();
    assert_eq!(names, all, "each action is done in the freeze");
    let (anonymous, viewer) = (it.app.player(), &it.viewer.player);
    doing.read(&readers, &[("anonymous", &anonymous), ("viewer", viewer)]).await;
    for id in done.iter().rev() {
        let path = format!("/actions/{id}/undo");
        let session = doing.session.clone();
        doing
            .with_frames("undo", async {
                let reply = post(&it.app, &session, &path, &json!({"reason": "a mistake"})).await;
                assert_eq!(reply.status, 200, "{}", reply.text());
            })
            .await;
    }
    doing.read(&readers, &[("anonymous", &anonymous)]).await;
    doing.received
}

on_both_engines! {
    async fn what_organizers_do_in_the_freeze_tells_nothing_of_it(engine: Engine) {
        let (solved, guessed) =
            tokio::join!(received(engine, World::Solved), received(engine, World::Guessed));
        // An action that is undone in only one world produces no frame.
        let quiet = |lines: Vec<String>| -> Vec<String> {
            let is_quiet = |line: &String| {
                let seqs = line.strip_prefix("undo: ").and_then(|it| it.split_once(" to "));
                seqs.is_some_and(|(before, after)| before == after)
            };
            lines.into_iter().filter(|line| !is_quiet(line)).collect()
        };
        let (solved, guessed) = (quiet(solved), quiet(guessed));
        for (solved, guessed) in solved.iter().zip(&guessed) {
            assert_eq!(solved, guessed, "two worlds differ in what others receive");
        }
        assert_eq!(solved.len(), guessed.len());
        assert!(solved.iter().any(|line| line.contains("Dinner")), "the comparison has the notice");
    }
}
