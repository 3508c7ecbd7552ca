//! Edits of challenges by organizers and authors, and conflicts of files with live edits.

use std::collections::HashMap;

use flagship_actions::challenge::flags::flags_of;
use flagship_game::Secret;
use flagship_pack::Defaults;
use flagship_pack::source::{self, OtherChallenge, ParseContext};
use flagship_store::challenges::Draft;
use flagship_store::ops::{Actor, ApplyError, LiveEditChoices, Op, Outcome, Plan};
use flagship_store::organizers::{self, Changer, Rights, Role};
use flagship_store::{challenges, sources};
use flagship_testkit::player::{challenge_id, event, row};
use flagship_testkit::{Call, Socket, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::{action, get, is, post, session_of};

const ONE: &str = "# Ours\nname: One\nid: one\ncategory: web\ntype: standard\nvalue: 100\n\
                   description: |\n  Read *this*.\n# The flags\nflags:\n  - flag{one} # exact\n\
                   unknown: kept\n";
const TWO: &str = "name: Two\nid: two\ntype: standard\nvalue: 200\nflags:\n  - flag{two}\n";

/// A plan of challenges from challenge files.
fn plan(texts: &[&str], live: LiveEditChoices) -> Plan {
    let key = flagship_testkit::player::key();
    let mut sources = HashMap::new();
    let mut others = Vec::new();
    let drafts: Vec<Draft> = texts
        .iter()
        .map(|text| {
            let path = "challenges/web/challenge.yml".to_owned();
            let source = source::Source { path: path.clone(), text: Secret::new(*text) };
            let defaults = Defaults::default();
            let around =
                ParseContext { defaults: &defaults, end_ms: None, files: &[], others: &others };
            let read = source::read(&source, around).expect("it is a challenge");
            others.push(OtherChallenge {
                id: read.challenge.id.clone(),
                name: read.challenge.name.clone(),
                path: path.clone(),
                hidden: read.hidden,
                requirements: Vec::new(),
            });
            let id = read.challenge.id.clone();
            let text = Secret::new(*text);
            sources.insert(id.clone(), sources::Source { path, text, files: "[]".to_owned() });
            let (hidden, release_at_ms) = (read.hidden, read.release_at_ms);
            let flags = flags_of(&id, &read.flags, &key);
            Draft { challenge: read.challenge, flags, hidden, release_at_ms }
        })
        .collect();
    Plan { sources, live, ..Plan::new(event(), drafts) }
}

async fn apply(app: &TestApp, texts: &[&str], live: LiveEditChoices) -> Result<usize, ApplyError> {
    let op = Op::Apply(Box::new(plan(texts, live))).by(Actor::CommandLine);
    match app.app.run(op).await.expect("it is decided") {
        Outcome::Apply(done) => done.map(|done| done.changes),
        other => panic!("{other:?}"),
    }
}

/// A running event with two challenges from files.
pub async fn playing(engine: flagship_testkit::Engine) -> TestApp {
    let app = TestApp::playing(engine, event(), Vec::new()).await;
    apply(&app, &[ONE, TWO], LiveEditChoices::default()).await.expect("the files are applied");
    app
}

fn edit(challenge: &str, fields: Value) -> Value {
    json!({"challenge": challenge, "fields": fields})
}

async fn edited(app: &TestApp, session: &str, challenge: &str, fields: Value) -> Value {
    let reply = action(app, session, "challenge.edit", edit(challenge, fields)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

async fn undo(app: &TestApp, session: &str, action: &Value) {
    let path = format!("/actions/{}/undo", action["id"]);
    let reply = post(app, session, &path, &json!({"reason": "a mistake"})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

async fn text_of(app: &TestApp, session: &str, id: &str) -> String {
    let shown = get(app, session, &format!("/challenges/{id}")).await;
    shown["text"].as_str().expect("a text").to_owned()
}

on_both_engines! {
    async fn a_hint_made_free_returns_the_points_and_an_undo_charges_them_again(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hints = json!([{"key": "tool", "content": "Use **jq**.", "cost": 30},
            {"content": "Then sort.", "cost": "20", "requirements": ["tool"]}]);
        edited(&app, &organizer, "one", json!({"hints": hints})).await;
        let teams = app.teams(&["Otters", "Crabs"]).await;
        teams[0].solves("two").await;
        for hint in ["tool", "2"] {
            let body = json!({"challengeId": "one", "hintId": hint});
            assert_eq!(teams[0].player.post("/hint", &body).await.status, 200);
        }
        let award = async || {
            let board = app.fresh_board().await;
            row(&board, "Otters").expect("a row").get(4).map_or(0, |it| it.as_i64().expect("i64"))
        };
        assert_eq!(award().await, -50);
        let source = get(&app, &organizer, "/challenges/one").await;
        let taken = |hint: &str, paid: i64, cost: i64| {
            json!({"hint": hint, "teamName": "Otters", "at": app.now_ms(), "paid": paid,
                "cost": cost})
        };
        assert_eq!(source["takenHints"], json!([taken("tool", 30, 30), taken("2", 20, 20)]));
        let public = async || {
            let read = get(&app, &organizer, "/challenges/one?view=public").await;
            read["takenHints"].as_array().expect("a list").len()
        };
        assert_eq!(public().await, 2);
        let hide = json!({"team": "Otters", "reason": "a test"});
        let hidden = action(&app, &organizer, "team.hide", hide).await.json();
        assert_eq!(public().await, 0, "a hidden team is only for readers of the truth");
        undo(&app, &organizer, &hidden).await;
        let free = |hint: &str| json!({"challenge": "one", "hint": hint, "reason": "it was wrong"});
        let mut preview = free("tool");
        preview["preview"] = json!(true);
        let moves = action(&app, &organizer, "hint.free", preview).await.json();
        let expected = json!({"teamName": "Otters", "from": {"rank": 1, "points": 150},
            "to": {"rank": 1, "points": 180}});
        assert_eq!(moves["effect"]["public"], json!([expected]), "{moves}");
        assert_eq!(award().await, -50, "a preview changes nothing");
        let done = action(&app, &organizer, "hint.free", free("tool")).await.json();
        assert_eq!(done["undo"]["possible"], json!(true), "{done}");
        assert_eq!(award().await, -20);
        let source = get(&app, &organizer, "/challenges/one").await;
        assert_eq!(source["takenHints"][0], taken("tool", 30, 0));
        let text = source["text"].as_str().expect("a text");
        assert!(!text.contains("30") && text.contains("# The flags"), "{text}");
        let card = teams[1].card("one").await.expect("it is shown");
        assert!(card["hints"][0]["html"].to_string().contains("jq"), "free for everyone");
        is(&action(&app, &organizer, "hint.free", free("tool")).await, 409, "nothing_to_change");
        is(&action(&app, &organizer, "hint.free", free("none")).await, 404, "hint_not_found");
        let undo = format!("/actions/{}/undo", done["id"]);
        let undone = post(&app, &organizer, &undo, &json!({"reason": "it was right"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert_eq!(award().await, -50);
        // Removing a hint returns its points too.
        edited(&app, &organizer, "one", json!({"hints": null})).await;
        assert_eq!(award().await, 0);
        let author = session_of(&app, Role::Author).await;
        let refused = action(&app, &author, "hint.free", free("tool")).await;
        assert_eq!(refused.status, 404, "{}", refused.text());
    }

    async fn an_edit_changes_the_text_in_place_and_comes_back(engine: Engine) {
        let app = playing(engine).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let before = team.card("one").await.expect("a card");
        let fields = json!({"description": "Another *text*.", "flags": ["flag{other}"],
            "value": 150});
        let mut preview = edit("one", fields.clone());
        preview["preview"] = json!(true);
        let seen = action(&app, &organizer, "challenge.edit", preview).await.json();
        assert_eq!(seen["sentence"], "The organizer edited one: description, flags, value.");
        assert_eq!(text_of(&app, &organizer, "one").await, ONE, "a preview changes nothing");
        let done = edited(&app, &organizer, "one", fields).await;
        let card = team.card("one").await.expect("a card");
        assert_eq!(card["maxValue"], 150);
        assert!(card["description"].as_str().expect("a text").contains("<em>text</em>"), "{card}");
        assert_eq!(team.send("one", "flag{one}").await.json["correct"], json!(false));
        let text = text_of(&app, &organizer, "one").await;
        for kept in ["# Ours\nname: One\n", "# The flags\n", "unknown: kept\n", "flag{other}"] {
            assert!(text.contains(kept), "{kept:?} in {text}");
        }
        let listed = get(&app, &organizer, "/actions").await.to_string();
        assert!(!listed.contains("flag{"), "the record has no flag: {listed}");
        undo(&app, &organizer, &done).await;
        let words = "the challenge is as before";
        assert_eq!(team.card("one").await.as_ref(), Some(&before), "{words}");
        assert_eq!(text_of(&app, &organizer, "one").await, ONE);
        team.solves("one").await;
        for (fields, code) in [
            (json!({"value": "many"}), "challenge_invalid"),
            (json!({"requirements": ["nothing"]}), "challenge_invalid"),
            (json!({"id": "other"}), "field_invalid"),
            (json!({}), "field_invalid"),
            (json!({"files": [{"name": "a.txt", "digest": "0".repeat(64)}]}), "file_unknown"),
        ] {
            let reply = action(&app, &organizer, "challenge.edit", edit("one", fields)).await;
            is(&reply, 422, code);
        }
        let wrong = edit("one", json!({"value": []}));
        let wrong = action(&app, &organizer, "challenge.edit", wrong).await;
        let problem = &wrong.json()["problems"][0];
        assert!(problem["message"].as_str().is_some_and(|it| it.contains("value")), "{problem}");
    }

    async fn flags_are_judged_again_only_after_edits_of_flags_and_times(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let later = "2099-01-01T00:00:00Z";
        let mut before = challenges::revision(&app.test.db).await.expect("a revision");
        let text = json!({"description": "Another text."});
        for (fields, expected) in [
            (text, false),
            (json!({"name": "Another name", "value": 120}), false),
            (json!({"hints": ["A hint"]}), false),
            (json!({"hints": [{"content": "A hint", "at": later}]}), true),
            (json!({"flags": ["flag{other}"]}), true),
        ] {
            let done = edited(&app, &organizer, "one", fields.clone()).await;
            let after = challenges::revision(&app.test.db).await.expect("a revision");
            assert_eq!(after != before, expected, "{fields}");
            undo(&app, &organizer, &done).await;
            let undone = challenges::revision(&app.test.db).await.expect("a revision");
            assert_eq!(undone != after, expected, "the undo of {fields}");
            before = undone;
        }
    }

    async fn a_tried_flag_tells_an_author_nothing_of_others_challenges(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let near = async |session: &str, flag: &str| {
            let trial = json!({"challenge": "one", "flag": flag});
            post(&app, session, "/flags/try", &trial).await.json()["near"].clone()
        };
        assert_eq!(near(&organizer, "flag{two}").await, "elsewhere");
        assert_eq!(near(&author, "flag{two}").await, json!(null));
        assert_eq!(near(&author, "FLAG{ONE}").await, "case");
    }

    async fn a_file_that_pull_would_refuse_is_not_taken(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let deep = "a/".repeat(40) + "b";
        for name in
            ["HEAD", ".git/config", "a/.gitattributes", ".npmrc",
             "mise.toml", "x.code-workspace", "../x", "con", "z\u{202e}gnp.exe", &deep]
        {
            let files = json!({"files": [{"name": name, "digest": "0".repeat(64)}]});
            let reply = action(&app, &author, "challenge.edit", edit("one", files)).await;
            is(&reply, 422, "challenge_invalid");
            assert!(reply.text().contains("was rejected: "), "{name:?}: {}", reply.text());
        }
        let odd = json!({"a\u{1b}[2J": 1});
        is(&action(&app, &author, "challenge.edit", edit("one", odd)).await, 422, "field_invalid");
        let unknown = edit("one", json!({"files": ["nothing.txt"]}));
        let reply = action(&app, &author, "challenge.edit", unknown).await;
        is(&reply, 422, "challenge_invalid");
    }

    async fn a_name_with_what_nobody_sees_is_not_taken(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        for (name, code) in [("Two\u{200b}", "U+200B"), ("\u{202e}owT", "U+202E")] {
            let given = edit("one", json!({"name": name}));
            let reply = action(&app, &author, "challenge.edit", given).await;
            is(&reply, 422, "challenge_invalid");
            let problems = reply.json()["problems"].as_array().expect("a list").clone();
            let message = |it: &Value| it["message"].as_str().expect("a message").to_owned();
            let problem = problems.iter().find(|it| message(it).contains(code));
            assert!(problem.is_some_and(|it| it["line"].is_number()), "{name:?}: {problems:?}");
        }
    }

    async fn a_challenge_without_an_id_keeps_its_own_under_a_new_name(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let text = "name: First Light\ncategory: misc\ntype: standard\nvalue: 100\n\
                    flags:\n  - flag{first-light}\n";
        apply(&app, &[text], LiveEditChoices::default()).await.expect("the file is applied");
        let team = app.team("The Team").await;
        team.solves("first-light").await;
        let organizer = session_of(&app, Role::Organizer).await;
        edited(&app, &organizer, "first-light", json!({"name": "First Lights"})).await;
        let card = team.card("first-light").await.expect("the same id");
        assert_eq!((&card["challengeName"], &card["nsolves"]), (&"First Lights".into(), &1.into()));
        let given = text_of(&app, &organizer, "first-light").await;
        let renamed = text.replace("First Light\n", "First Lights\n");
        assert_eq!(given, format!("{renamed}id: first-light\n"));
        // A challenge that is renamed again already has an ID.
        edited(&app, &organizer, "first-light", json!({"name": "Light"})).await;
        let given = text_of(&app, &organizer, "first-light").await;
        assert_eq!(given.matches("id: ").count(), 1, "{given}");
    }

    async fn players_are_told_the_format_of_the_challenges_own_flags(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let team = app.team("The Team").await;
        let format = async |id: &str| team.card(id).await.expect("a card")["flagFormat"].clone();
        assert_eq!(format("one").await, "flag{...}");
        for (fields, expected) in [
            (json!({"flags": ["Trojan{x}", "Trojan{y}"]}), json!("Trojan{...}")),
            (json!({"flags": ["Trojan{x}", "paris"]}), Value::Null),
            (json!({"flag_format": "a city, in lower case"}), json!("a city, in lower case")),
            (json!({"flag_format": null}), Value::Null),
        ] {
            edited(&app, &organizer, "one", fields.clone()).await;
            assert_eq!(format("one").await, expected, "{fields}");
        }
        edited(&app, &organizer, "two", json!({"requirements": ["one"]})).await;
        assert_eq!(format("two").await, Value::Null, "a locked challenge reveals nothing");
    }

    async fn a_challenge_with_a_new_name_is_required_as_before(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let before = format!("{TWO}requirements: [One] # by its name\n");
        let choices = LiveEditChoices::default();
        apply(&app, &[ONE, &before], choices).await.expect("the files are applied");
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let named = edited(&app, &author, "one", json!({"name": "First"})).await;
        let after = text_of(&app, &organizer, "two").await;
        let words = "the ID replaces the name";
        assert!(after.contains("- one"), "{words}: {after}");
        assert!(!after.contains("One"), "{after}");
        // After an edit of the challenge, the rename cannot be undone.
        let later = edited(&app, &organizer, "two", json!({"description": "Now."})).await;
        let path = format!("/actions/{}/undo", named["id"]);
        let refused = post(&app, &organizer, &path, &json!({"reason": "a slip"})).await;
        is(&refused, 409, "later_actions");
        undo(&app, &organizer, &later).await;
        undo(&app, &organizer, &named).await;
        assert_eq!(text_of(&app, &organizer, "two").await, before);
        edited(&app, &organizer, "two", json!({"requirements": ["One"]})).await;
        let given = text_of(&app, &organizer, "two").await;
        assert!(given.contains("- one"), "a name that is given becomes an id: {given}");
        // An undo does not restore a name that another challenge has taken.
        let named = edited(&app, &author, "one", json!({"name": "First"})).await;
        edited(&app, &organizer, "two", json!({"name": "One"})).await;
        let path = format!("/actions/{}/undo", named["id"]);
        let refused = post(&app, &author, &path, &json!({"reason": "a slip"})).await;
        is(&refused, 409, "object_touched");
    }

    async fn a_challenge_is_made_live_and_taken_back(engine: Engine) {
        let app = playing(engine).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let at = jiff::Timestamp::from_millisecond(app.now_ms() + 600_000).expect("a time");
        let fields = json!({"name": "Three", "category": "pwn", "type": "standard", "value": 50,
            "flags": ["flag{three}"], "hints": ["Look up", {"content": "Look down",
            "at": at.to_string()}], "connection_info": "nc example.org 1"});
        let three = edit("three", fields.clone());
        let made = action(&app, &organizer, "challenge.create", three).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let again = action(&app, &organizer, "challenge.create", edit("three", fields)).await;
        is(&again, 409, "challenge_taken");
        let text = text_of(&app, &organizer, "three").await;
        assert!(text.contains("state: hidden"), "a pulled folder does not release it: {text}");
        assert_eq!(team.card("three").await, None, "a separate action releases it");
        let shown = json!({"challenge": "three"});
        let release = action(&app, &organizer, "challenge.release", shown).await;
        assert_eq!(release.status, 200, "{}", release.text());
        let card = team.card("three").await.expect("a card");
        assert_eq!(card["connection"], "nc example.org 1");
        let hint = card["hints"][1].clone();
        assert_eq!(hint["html"], json!(null), "a hint is hidden until its time");
        let wait_ms = hint["at"].as_i64().expect("a time") - app.now_ms();
        app.advance(wait_ms);
        until("the hint is shown", async || {
            let card = team.card("three").await.expect("a card");
            card["hints"][1]["html"].as_str().is_some_and(|it| it.contains("Look down"))
        })
        .await;
        team.solves("three").await;
        let path = format!("/actions/{}/undo", made.json()["id"]);
        let late = post(&app, &organizer, &path, &json!({"reason": "a mistake"})).await;
        is(&late, 409, "later_actions");
        undo(&app, &organizer, &release.json()).await;
        undo(&app, &organizer, &made.json()).await;
        assert_eq!(team.card("three").await, None);
        assert_eq!(app.board().await["challenges"].as_array().map(Vec::len), Some(2));
    }

    async fn files_do_not_replace_live_changes_unasked(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        edited(&app, &organizer, "one", json!({"value": 150})).await;
        let refused = apply(&app, &[ONE, TWO], LiveEditChoices::default()).await;
        let live = text_of(&app, &organizer, "one").await;
        assert_eq!(refused, Err(ApplyError::LiveConflict { changes: 1 }));
        assert_eq!(text_of(&app, &organizer, "one").await, live, "nothing is applied");
        let more = TWO.replace("200", "250");
        let kept =
            LiveEditChoices { kept: [challenge_id("one")].into(), ..LiveEditChoices::default() };
        assert_eq!(apply(&app, &[ONE, &more], kept).await, Ok(1), "the other is applied");
        let value = async |id: &str| {
            let board = app.fresh_board().await;
            let all = board["challenges"].as_array().expect("challenges").clone();
            all.into_iter().find(|it| it["id"] == id).map(|it| it["maxValue"].clone())
        };
        assert_eq!((value("one").await, value("two").await), (Some(json!(150)), Some(json!(250))));
        // The file equals the live challenge, as after a pull.
        assert_eq!(apply(&app, &[&live, &more], LiveEditChoices::default()).await, Ok(0));
        let applied = apply(&app, &[ONE, &more], LiveEditChoices::default()).await;
        assert_eq!(applied, Ok(1), "the files take precedence again");
        assert_eq!(value("one").await, Some(json!(100)));
    }

    async fn an_author_changes_no_points(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        edited(&app, &author, "one", json!({"description": "By the author."})).await;
        let words = "an author does not change the value";
        for fields in [
            json!({"value": 999}),
            json!({"requirements": ["two"]}),
            json!({"state": "hidden"}),
            json!({"position": 1}),
            // This edit has no effect while the points are static, but one once they are dynamic.
            json!({"extra": {"initial": 5000}}),
            json!({"scoring": {"decay": 1}}),
        ] {
            let reply = action(&app, &author, "challenge.edit", edit("one", fields)).await;
            assert_eq!(reply.status, 403, "{words}: {}", reply.text());
        }
        let reply = action(&app, &author, "challenge.edit", edit("two", json!({"value": 1}))).await;
        is(&reply, 404, "challenge_not_found");
        let mine = edit("mine", json!({"name": "Mine"}));
        let made = action(&app, &author, "challenge.create", mine).await;
        is(&made, 404, "not_found");
        let call = Call::organize("GET", "/challenges/two").session(&author);
        assert_eq!(call.send(&app).await.status, 404, "flags of others are not theirs to see");
        assert!(text_of(&app, &author, "one").await.contains("flag{one}"));
        for (id, is_new) in [("two", false), ("mine", true)] {
            let body = json!({"fields": {}, "isNew": is_new});
            let path = format!("/challenges/{id}/preview");
            assert_eq!(post(&app, &author, &path, &body).await.status, 404, "{path}");
        }
    }

    async fn an_author_undoes_an_edit_from_before_a_hold_ended(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hide = json!({"challenge": "one"});
        let hidden = action(&app, &organizer, "challenge.hide", hide).await.json();
        let own = edited(&app, &author, "one", json!({"description": "Mine."})).await;
        undo(&app, &organizer, &hidden).await;
        // The points do not change: the challenge is visible before and after the undo.
        undo(&app, &author, &own).await;
        assert!(app.app.contest().is_released(&challenge_id("one")));
        assert!(!text_of(&app, &organizer, "one").await.contains("Mine."));
    }

    async fn an_undo_does_not_tell_an_author_of_others_actions(engine: Engine) {
        let app = playing(engine).await;
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let undo_of = async |by: &str, id: &Value, body: Value| {
            post(&app, by, &format!("/actions/{id}/undo"), &body).await
        };
        let unknown = undo_of(&author, &json!(1), json!({"reason": "x"})).await;
        let first = edited(&app, &organizer, "two", json!({"value": 300})).await;
        let later = edited(&app, &organizer, "two", json!({"value": 400})).await;
        let undone = edited(&app, &organizer, "two", json!({"description": "New."})).await;
        undo(&app, &organizer, &undone).await;
        let status = json!({"challenge": "two", "status": "broken"});
        let status = action(&app, &organizer, "challenge.status", status).await.json();
        // The response is 404 if later actions follow, points change, or the action is undone or of
        // another kind.
        for other in [&first, &later, &undone, &status] {
            let id = &other["id"];
            for body in [json!({"reason": "x"}), json!({"reason": "x", "head": 7}),
                json!({"preview": true}), json!({})] {
                let reply = undo_of(&author, id, body.clone()).await;
                assert_eq!((reply.status, reply.text()), (404, unknown.text()), "{other} {body}");
            }
        }
        // A rename of an own challenge may be followed by an edit of one that requires it.
        let own = edited(&app, &author, "one", json!({"description": "Mine."})).await;
        let more = edited(&app, &organizer, "one", json!({"description": "Ours."})).await;
        let refused = undo_of(&author, &own["id"], json!({"reason": "x"})).await;
        is(&refused, 409, "later_actions");
        assert_eq!(refused.json()["actions"], json!([more["id"]]), "own ones are named");
    }

    async fn a_rename_does_not_tell_an_author_of_hidden_challenges(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let vault = "name: The Vault\nid: vault-9\ntype: standard\nvalue: 5\n\
                     flags: ['flag{v}']\nstate: hidden\nrequirements: [One]\n";
        let applied = apply(&app, &[ONE, vault], LiveEditChoices::default()).await;
        applied.expect("the files are applied");
        let author = app.author("The Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let words = "an author learns of a hidden challenge";
        let rename = async |by: &str, name: &str| {
            let body = json!({"challenge": "one", "fields": {"name": name}, "preview": true});
            action(&app, by, "challenge.edit", body).await.json()
        };
        let full = rename(&organizer, "First").await["sentence"].to_string();
        assert!(full.contains("in vault-9."), "organizers see where: {full}");
        let previewed = rename(&author, "First").await;
        assert!(!previewed.to_string().contains("vault-9"), "{words}: {previewed}");
        let said = "The Author edited one: name; replaced its name with its ID in other \
                    challenges.";
        assert_eq!(previewed["sentence"], said);
        let renamed = edited(&app, &author, "one", json!({"name": "First"})).await;
        assert_eq!(renamed["sentence"], said);
        let looked = rename(&author, "Second").await["head"].clone();
        // Actions on the hidden challenge do not change any response.
        edited(&app, &organizer, "vault-9", json!({"value": 6})).await;
        assert_eq!(rename(&author, "Second").await["head"], looked);
        let path = format!("/actions/{}/undo", renamed["id"]);
        let undone = post(&app, &author, &path, &json!({"reason": "x", "head": looked})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        assert!(!undone.text().contains("vault-9"), "{}", undone.text());
        let text = text_of(&app, &organizer, "vault-9").await;
        assert!(text.contains("value: 6") && text.contains("- one"), "it is unchanged: {text}");
        let text = text_of(&app, &organizer, "one").await;
        assert!(text.contains("name: One\n"), "{text}");
        let listed = get(&app, &organizer, "/actions").await;
        assert!(listed["actions"][2]["sentence"].to_string().contains("vault-9"), "{listed}");
    }

    async fn an_author_who_helps_sees_no_records_of_others_challenges(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let vault = "name: The Vault\nid: vault-9\ntype: standard\nvalue: 5\n\
                     flags: ['flag{v}']\nstate: hidden\nrequirements: [One]\n";
        let applied = apply(&app, &[ONE, vault], LiveEditChoices::default()).await;
        applied.expect("the files are applied");
        let helper = app.author("The Author", &["one"]).await;
        let rights = Rights {
            roles: [Role::Author, Role::Support].into(),
            challenges: [challenge_id("one")].into(),
        };
        let seal = app.app.seal();
        let by = Changer::CommandLine(&seal);
        let (db, now_ms) = (&app.test.db, app.now_ms());
        let done = organizers::set_rights(db, by, "The Author", &rights, now_ms).await;
        done.expect("it is written").expect("the author is there");
        let helper = app.organizer_session(&helper, true).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let words = "a support organizer learns of a hidden challenge";
        let mut socket = Socket::of_session(&app, &helper, "").await;
        assert_eq!(socket.next().await["event"], "changed");
        edited(&app, &organizer, "vault-9", json!({"value": 6})).await;
        edited(&app, &helper, "one", json!({"name": "First"})).await;
        let told = socket.until_so(|it| it["lists"].to_string().contains("actions")).await;
        let hints = told.iter().filter(|it| it["event"] == "changed").count();
        assert_eq!(hints, 1, "{words}: {told:?}");
        let listed = get(&app, &helper, "/actions").await;
        assert!(!listed.to_string().contains("vault-9"), "{words}: {listed}");
        assert_eq!(listed["actions"].as_array().map(Vec::len), Some(1), "the own one: {listed}");
        assert_eq!(listed["actions"][0]["arguments"]["naming"], Value::Null);
        let listed = get(&app, &organizer, "/actions").await;
        assert_eq!(listed["actions"][0]["arguments"]["naming"], json!(["vault-9"]));
    }

    async fn a_new_name_does_not_tell_an_author_of_hidden_challenges(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let vault = "name: The Vault\nid: vault-9\ntype: standard\nvalue: 5\nflags: ['flag{v}']\n\
                     state: hidden\n";
        let shown = "name: Shown\nid: shown\ntype: standard\nvalue: 5\nflags: ['flag{s}']\n";
        let needs = "name: Needs\nid: needs\ntype: standard\nvalue: 5\nflags: ['flag{n}']\n\
                     requirements: [vault-9]\n";
        let texts = [ONE, vault, shown, needs];
        apply(&app, &texts, LiveEditChoices::default()).await.expect("the files are applied");
        let author = app.author("The Author", &["one", "needs"]).await;
        let author = app.organizer_session(&author, true).await;
        let rename = async |name: &str| {
            let reply = action(&app, &author, "challenge.edit", edit("one", json!({"name": name})));
            let reply = reply.await;
            is(&reply, 422, "challenge_invalid");
            reply.text()
        };
        let (hidden, public) = (rename("The Vault").await, rename("Shown").await);
        assert_eq!(hidden.replace("The Vault", "Shown"), public, "one answer for both");
        let preview = json!({"fields": {"name": "The Vault"}});
        let preview = post(&app, &author, "/challenges/one/preview", &preview).await.text();
        let edited = edited(&app, &author, "needs", json!({"description": "x"})).await.to_string();
        for answer in [&hidden, &preview, &edited] {
            for secret in ["vault-9", "challenges/", "hidden"] {
                assert!(!answer.contains(secret), "{secret} in {answer}");
            }
        }
        assert!(!edited.contains("Vault"), "{edited}");
        let organizer = session_of(&app, Role::Organizer).await;
        let taken = edit("one", json!({"name": "The Vault"}));
        let taken = action(&app, &organizer, "challenge.edit", taken).await.text();
        assert!(taken.contains("challenges/"), "organizers see where: {taken}");
    }

    async fn a_refused_edit_keeps_no_upload_for_good(engine: Engine) {
        let app = playing(engine).await;
        let ada = app.author("Ada", &["one"]).await;
        let author = app.organizer_session(&ada, true).await;
        let call = Call::organize("POST", "/files").session(&author);
        let call = call.header("content-type", "application/octet-stream").body("a file");
        let digest = call.send(&app).await.json()["digest"].as_str().expect("a text").to_owned();
        let note = app.test.data.path().join("uploads").join(&digest);
        let fields = json!({"files": [{"name": "a.txt", "digest": digest}]});
        let mut refused = edit("one", fields.clone());
        refused["head"] = json!(999);
        is(&action(&app, &author, "challenge.edit", refused).await, 409, "object_touched");
        assert!(note.exists(), "it is removed a day later");
        edited(&app, &author, "one", fields).await;
        assert!(!note.exists(), "the challenge has it");
    }

    async fn a_file_with_copies_is_checked_when_it_is_saved(engine: Engine) {
        let app = playing(engine).await;
        let team = app.team("Otters").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let upload = async |bytes: &'static str| {
            let call = Call::organize("POST", "/files").session(&organizer).body(bytes);
            let reply = call.header("content-type", "application/octet-stream").send(&app).await;
            reply.json()["digest"].as_str().expect("a text").to_owned()
        };
        let flags = json!([{"type": "team", "content": "flag{one_[TEAM]}"}]);
        let with = |digest: &str| {
            let file = json!({"name": "a.txt", "digest": digest, "per_team": true});
            json!({"flags": flags, "files": [file]})
        };
        let preview = async |fields: Value| {
            let body = json!({"fields": fields});
            let reply = post(&app, &organizer, "/challenges/one/preview", &body).await;
            let problems = reply.json()["problems"].as_array().expect("a list").clone();
            let of_files = problems.iter().filter(|it| it["key"] == "files");
            of_files.map(|it| it["message"].to_string()).collect::<String>()
        };
        let binary = upload("\0{{team_flag}}").await;
        let reply = action(&app, &organizer, "challenge.edit", edit("one", with(&binary))).await;
        is(&reply, 422, "challenge_invalid");
        assert!(reply.text().contains("is not UTF-8 text without NUL"), "{}", reply.text());
        let seen = preview(with(&binary)).await;
        assert!(seen.contains("cannot have copies"), "{seen}");
        let plain = upload("nothing").await;
        let seen = preview(with(&plain)).await;
        assert!(seen.contains("all teams get the same file"), "{seen}");
        let without_flag = json!({"files": with(&plain)["files"]});
        let seen = preview(without_flag).await;
        assert!(seen.contains("requires a flag with `type: team`"), "{seen}");

        let text = upload("It is {{team_flag}}.").await;
        assert_eq!(preview(with(&text)).await, "");
        edited(&app, &organizer, "one", with(&text)).await;
        app.fresh_board().await;
        let card = team.card("one").await.expect("a card");
        assert_eq!(card["attachments"][0]["name"], "a.txt", "listed with the new flag");
        let source = text_of(&app, &organizer, "one").await;
        assert!(source.contains("per_team: true"), "{source}");
        let code = flagship_testkit::player::key().team_code("one", team.id.0);
        let own = format!("It is flag{{one_{code}}}.");
        let downloads = async |expected: &str| {
            until("the team downloads these bytes", async || {
                let card = team.card("one").await.expect("a card");
                let Some(link) = card["attachments"][0]["link"].as_str() else { return false };
                Call::new("GET", link).send(&app).await.text() == expected
            })
            .await;
        };
        downloads(&own).await;
        edited(&app, &organizer, "one", json!({"files": ["a.txt"]})).await;
        downloads("It is {{team_flag}}.").await;
        edited(&app, &organizer, "one", json!({"files": [{"path": "a.txt", "per_team": true}]}))
            .await;
        downloads(&own).await;
    }

    async fn an_author_takes_own_files_only(engine: Engine) {
        let app = playing(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let (ada, bob) = (app.author("Ada", &["one"]).await, app.author("Bob", &["two"]).await);
        let author = app.organizer_session(&ada, true).await;
        let other = app.organizer_session(&bob, true).await;
        let upload = async |by: &str, bytes: &'static str| {
            let call = Call::organize("POST", "/files").session(by).body(bytes);
            let reply = call.header("content-type", "application/octet-stream").send(&app).await;
            assert_eq!(reply.status, 201, "{}", reply.text());
            reply.json()["digest"].as_str().expect("a text").to_owned()
        };
        let with = |name: &str, digest: &str| json!({"files": [{"name": name, "digest": digest}]});
        let take = async |by: &str, id: &str, name: &str, digest: &str| {
            action(&app, by, "challenge.edit", edit(id, with(name, digest))).await
        };
        let secret = upload(&organizer, "the solution").await;
        edited(&app, &organizer, "two", with("solve.py", &secret)).await;
        let pending = upload(&other, "not used yet").await;
        for digest in [&secret, &pending] {
            is(&take(&author, "one", "x.txt", digest).await, 422, "file_unknown");
        }
        let own = upload(&author, "my file").await;
        assert_eq!(take(&author, "one", "a.txt", &own).await.status, 200);
        assert_eq!(take(&author, "one", "b.txt", &own).await.status, 200, "of an own challenge");
        // Any author who has the bytes may use them, even if another challenge has the same file.
        let same = upload(&author, "the solution").await;
        assert_eq!(take(&author, "one", "c.txt", &same).await.status, 200);
        assert_eq!(take(&other, "two", "d.txt", &secret).await.status, 200, "of an own challenge");
        assert_eq!(take(&organizer, "two", "e.txt", &own).await.status, 200, "any file");
        // A day later the record of the upload has expired.
        let late = upload(&author, "for later").await;
        app.advance(24 * 3_600_000);
        let again = app.organizer_session(&ada, true).await;
        is(&take(&again, "one", "f.txt", &late).await, 422, "file_unknown");
    }

    async fn a_change_is_shown_with_its_problems_before_it_is_made(engine: Engine) {
        let app = playing(engine).await;
        let team = app.team("The Team").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let source = get(&app, &organizer, "/challenges/one").await;
        assert_eq!(source["fields"]["value"], 100);
        assert_eq!(source["fields"]["flags"], json!(["flag{one}"]));
        assert_eq!((&source["files"], &source["applied"]), (&json!([]), &json!(ONE)));
        let preview = async |id: &str, body: Value| {
            let reply = post(&app, &organizer, &format!("/challenges/{id}/preview"), &body).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
            reply.json()
        };
        let fields = json!({"description": "<script>x</script>*Ours*, at `nc host 1`",
            "connection_info": "nc host 2", "type": "dynamic", "extra": {"initial": 300},
            "hints": [{"content": "**Look**", "at": "2100-01-01T00:00:00Z"}]});
        let seen = preview("one", json!({"fields": fields})).await;
        let card = &seen["card"];
        assert_eq!((&card["value"], &card["connection"]), (&json!(300), &json!("nc host 2")));
        let hint = card["hints"][0]["html"].as_str().expect("a hint");
        assert!(hint.contains("<strong>Look</strong>"), "{hint}");
        assert_eq!(text_of(&app, &organizer, "one").await, ONE, "nothing is changed");
        edited(&app, &organizer, "one", fields).await;
        let shown = team.card("one").await.expect("a card");
        assert_eq!(shown["description"], card["description"]);
        assert!(!shown["description"].to_string().contains("script"), "{shown}");
        let about = |seen: &Value| {
            let problems = seen["problems"].as_array().expect("a list").clone();
            let about = |it: &Value| format!("{} {}", it["severity"], it["key"]).replace('"', "");
            problems.iter().map(about).collect::<Vec<_>>()
        };
        let wrong = json!({"fields": {"position": "many", "flags": [], "requirements": ["one"]}});
        let seen = preview("one", wrong).await;
        assert_eq!(seen["card"], Value::Null);
        let mut keys = about(&seen);
        keys.sort();
        assert_eq!(keys, ["error position", "error requirements", "warning flags"]);
        let made = json!({"isNew": true, "fields": {"name": "Three", "type": "standard"}});
        let seen = preview("three", made).await;
        assert_eq!((&seen["card"]["challengeName"], about(&seen)),
            (&json!("Three"), vec!["warning flags".to_owned()]));
        let like = json!({"isNew": true, "from": "two", "fields": {"name": "Like Two"}});
        assert_eq!(preview("like", like).await["card"]["value"], 200);
        for (id, body, status) in [
            ("one", json!({"fields": {"id": "x"}}), 422),
            ("one", json!({"fields": {}, "from": "two"}), 422),
            ("no such", json!({"fields": {}, "isNew": true}), 422),
            ("nothing", json!({"fields": {}}), 404),
            ("three", json!({"isNew": true, "fields": {"files": [{"name": "a", "digest": "b"}]}}),
                422),
        ] {
            let path = format!("/challenges/{}/preview", id.replace(' ', "%20"));
            assert_eq!(post(&app, &organizer, &path, &body).await.status, status, "{id} {body}");
        }
        let actions = get(&app, &organizer, "/actions").await["actions"].to_string();
        let count = actions.matches(r#""action":"challenge."#).count();
        assert_eq!(count, 1, "a preview is not an action: {actions}");
    }

    async fn two_organizers_do_not_overwrite_each_other(engine: Engine) {
        let app = playing(engine).await;
        let (one, other) = (app.organizer("Ada", &[Role::Organizer]).await,
            app.organizer("Bob", &[Role::Owner]).await);
        let sessions = [
            app.organizer_session(&one, true).await,
            app.organizer_session(&other, true).await,
        ];
        for turn in 0..100 {
            let path = "/challenges/one";
            let seen = get(&app, &sessions[0], path).await["text"].clone();
            let head = action(&app, &sessions[0], "challenge.edit", {
                let mut it = edit("one", json!({"value": 1000 + turn}));
                it["preview"] = json!(true);
                it
            }).await.json()["head"].clone();
            let send = async |who: usize| {
                let mut body = edit("one", json!({"value": 2 * turn + who as i64 + 1}));
                body["head"] = head.clone();
                action(&app, &sessions[who], "challenge.edit", body).await
            };
            let (first, second) = tokio::join!(send(0), send(1));
            let mut statuses = [first.status, second.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409], "one of two wins, turn {turn} after {seen}");
            let winner = i64::from(second.status == 200);
            let text = text_of(&app, &sessions[0], "one").await;
            assert!(text.contains(&format!("value: {}\n", 2 * turn + winner + 1)), "{text}");
        }
    }

    async fn a_challenge_is_closed_and_made_like_another(engine: Engine) {
        let app = playing(engine).await;
        let teams = app.teams(&["Early", "Late"]).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let closing = json!({"challenge": "one"});
        let closed = action(&app, &organizer, "challenge.close", closing).await;
        assert_eq!(closed.status, 200, "{}", closed.text());
        let words = "a closed challenge takes no flags";
        let late = teams[1].send("one", "flag{one}").await;
        let code = late.json["code"].as_str();
        assert_eq!((late.status, code), (403, Some("challenge_closed")), "{words}");
        let again = teams[0].send("one", "flag{one}").await;
        assert_eq!(again.json["correct"], true, "who has solved it");
        undo(&app, &organizer, &closed.json()).await;
        teams[1].solves("one").await;
        let like = json!({"challenge": "uno", "from": "one", "fields": {"name": "Uno"}});
        let made = action(&app, &organizer, "challenge.create", like).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let text = text_of(&app, &organizer, "uno").await;
        for kept in ["# Ours\n", "name: Uno\n", "id: uno\n", "flag{one} # exact\n"] {
            assert!(text.contains(kept), "{kept:?} in {text}");
        }
    }
}
