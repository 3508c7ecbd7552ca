//! Actions on teams: the tests record, preview and undo them. No action allows an organizer to take
//! over a team.

mod edits;
mod event;
mod idempotency;
mod import_file;
mod imports;
mod messages;
mod setup;
mod several;
mod shares;
mod site;
mod undo;
mod unseen;

use flagship_store::organizers::Role;
use flagship_store::{Lock, actions, addresses};
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Mail, Reply, TestApp, on_both_engines, until};
use serde_json::{Value, json};

const DAY_MS: i64 = 24 * 3_600_000;

pub async fn session_of(app: &TestApp, role: Role) -> String {
    let organizer = app.organizer(&format!("The {role}"), &[role]).await;
    app.organizer_session(&organizer, true).await
}

pub async fn post(app: &TestApp, session: &str, path: &str, body: &Value) -> Reply {
    Call::organize("POST", path).session(session).json(body.to_string()).send(app).await
}

pub async fn action(app: &TestApp, session: &str, action: &str, more: Value) -> Reply {
    let mut body = json!({"action": action, "reason": "they asked"});
    if action.starts_with("team.") {
        body["team"] = json!("The Team");
    }
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    post(app, session, "/actions", &body).await
}

async fn get(app: &TestApp, session: &str, path: &str) -> Value {
    let reply = Call::organize("GET", path).session(session).send(app).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

fn is(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)));
}

/// A team with a confirmed address and a password.
pub async fn with_team(app: &TestApp) {
    let body = json!({"teamName": "The Team", "email": "old@example.org", "country": "IT",
        "password": "correct horse", "captchaToken": "off"});
    assert_eq!(app.player().post("/signup", &body).await.status, 201);
    let token = app.mail_to("old@example.org").await.token("confirm");
    assert_eq!(app.player().post("/confirm", &json!({"token": token})).await.status, 200);
}

async fn forgot(app: &TestApp, email: &str) {
    let reply = app.player().post("/forgot", &json!({"email": email})).await;
    assert_eq!(reply.status, 200);
}

async fn helper_of_today(app: &TestApp) -> String {
    let organizer = app.organizer("A Helper", &[Role::Support]).await;
    app.organizer_session(&organizer, true).await
}

async fn settle(app: &TestApp) {
    let mut tx = app.test.db.begin(Lock::Accounts).await.expect("the lock is free");
    addresses::settle(&mut tx, app.now_ms()).await.expect("it is written");
    tx.commit().await.expect("it commits");
}

on_both_engines! {
    async fn a_helper_cannot_give_a_team_away(engine: Engine) {
        let app = TestApp::new(engine).await;
        with_team(&app).await;
        let words = "links go to the old address for a day";
        let helper = session_of(&app, Role::Support).await;
        let new = json!({"email": "new@example.org"});
        let reply = action(&app, &helper, "team.address", new.clone()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let sentence = reply.json()["sentence"].as_str().expect("a sentence").to_owned();
        assert!(sentence.ends_with("\"The Team\" (takes effect in 24 hours)."));
        let shown = get(&app, &helper, "/teams").await;
        let pending = new["email"].clone();
        assert_eq!(shown["teams"][0]["newEmail"], pending);
        let stop = app.mail_to("old@example.org").await.token("stop");
        let told = app.mail_to("new@example.org").await;
        assert!(told.body.contains("in 24 hours"), "{told:?}");
        forgot(&app, "new@example.org").await;
        forgot(&app, "old@example.org").await;
        let app = app.with_all_mail_written().await;
        let resets = |address: &str| -> usize {
            let mails = app.mails().into_iter().filter(|mail| mail.to == address);
            mails.map(|mail| mail.tokens("reset").len()).sum()
        };
        assert_eq!((resets("new@example.org"), resets("old@example.org")), (0, 1), "{words}");
        // The change takes effect after a day; then the old address can no longer cancel it.
        app.advance(DAY_MS);
        settle(&app).await;
        let late = app.player().post("/stop", &json!({"token": stop})).await;
        assert_eq!((late.status, late.json["code"].as_str()), (410, Some("link_invalid")));
        forgot(&app, "new@example.org").await;
        until("the link goes to the new address", async || resets("new@example.org") == 1).await;
    }

    async fn the_old_address_stops_a_change(engine: Engine) {
        let app = TestApp::new(engine).await;
        with_team(&app).await;
        let words = "the thief's password is void";
        let organizer = session_of(&app, Role::Organizer).await;
        let helper = session_of(&app, Role::Support).await;
        let change = async |session: &str, email: &str| {
            let reply = action(&app, session, "team.address", json!({"email": email})).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
        };
        change(&helper, "thief@example.org").await;
        change(&organizer, "thief@example.org").await;
        let mails = app.mails_to("old@example.org", 2).await;
        forgot(&app, "thief@example.org").await;
        let mut resets = Vec::new();
        until("the link is there", async || {
            let mails = app.mails().into_iter().filter(|mail| mail.to == "thief@example.org");
            resets = mails.flat_map(|mail| mail.tokens("reset")).collect();
            resets.len() == 1
        })
        .await;
        let reset = async |token: &str, password: &str| {
            let body = json!({"token": token, "password": password});
            app.player().post("/reset", &body).await.status
        };
        assert_eq!(reset(&resets[0], "a thief's own").await, 200);
        let thief = app.player().log_in("The Team", "a thief's own").await;
        // Neither a later pending change nor a cancellation by the thief hides that the first
        // change took effect.
        change(&helper, "other@example.org").await;
        let stop = async |token: &str| {
            app.player().post("/stop", &json!({"token": token})).await.status
        };
        let mut own = String::new();
        until("the current address is warned too", async || {
            let mails = app.mails().into_iter();
            let is_warning = |mail: &Mail| mail.subject.starts_with("Your team's email address is \
                changing");
            let mut of_thief = mails.filter(|it| it.to == "thief@example.org" && is_warning(it));
            of_thief.next().is_some_and(|mail| { own = mail.token("stop"); true })
        })
        .await;
        assert_eq!(stop(&own).await, 200);
        // The address is restored; the thief's password must still become invalid.
        let back = json!({"email": "old@example.org"});
        assert_eq!(action(&app, &organizer, "team.address", back).await.status, 200);
        app.mail_to("old@example.org").await;
        assert_eq!(stop(&mails[0].token("stop")).await, 200);
        assert_eq!(thief.get("/challenge").await.status, 401, "sessions have ended");
        let body = json!({"team": "The Team", "password": "a thief's own", "captchaToken": "off"});
        assert_eq!(app.player().post("/login", &body).await.status, 401, "{words}");
        assert_eq!(stop(&mails[0].token("stop")).await, 410, "once");
        forgot(&app, "old@example.org").await;
        let token = app.mail_to("old@example.org").await.token("reset");
        assert_eq!(reset(&token, "a new password").await, 200);
        app.advance(2 * DAY_MS);
        settle(&app).await;
        forgot(&app, "old@example.org").await;
        app.mail_to("old@example.org").await.token("reset");
        let listed = get(&app, &helper_of_today(&app).await, "/actions").await;
        let sentence = "The email change of \"The Team\" was canceled from its previous address.";
        assert_eq!(listed["actions"][0]["sentence"], sentence);
    }

    async fn a_helper_cannot_flood_mailboxes(engine: Engine) {
        let app = TestApp::new(engine).await;
        with_team(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let mut statuses = Vec::new();
        for number in 0..12 {
            let email = json!({"email": format!("n{number}@example.org")});
            statuses.push(action(&app, &helper, "team.address", email).await.status);
        }
        let refused = statuses.iter().filter(|status| **status == 429).count();
        assert_eq!(refused, 2, "ten changes of an address in a day");
        let insert = "insert into actions (id, at_ms, actor, action, object, commitment, hash) \
                      select 9000000 + n, 1700000000000, 'The support', 'team.reset', '', '', '' \
                      from (with recursive c(n) as (select 1 union all select n + 1 from c \
                      where n < 100) select n from c) as counted";
        app.test.execute(insert).await;
        is(&action(&app, &helper, "team.reset", json!({})).await, 429, "too_many_mails");
        app.advance(3_600_000);
        let fresh = helper_of_today(&app).await;
        assert_eq!(action(&app, &fresh, "team.reset", json!({})).await.status, 200);
    }

    async fn a_change_waits_until_its_warning_is_sent(engine: Engine) {
        let app = TestApp::new(engine).await;
        with_team(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let email = json!({"email": "new@example.org"});
        let reply = action(&app, &helper, "team.address", email).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let waiting = "select id from outbox where sent_at_ms is null";
        until("all mail is sent", async || app.test.rows::<(i64,)>(waiting).await.is_empty()).await;
        let unsent = "update outbox set sent_at_ms = null where subject like '%is changing%'";
        let words = "the old address was not warned";
        app.test.execute(unsent).await;
        app.advance(3 * DAY_MS);
        settle(&app).await;
        let emails: Vec<(String,)> = app.test.rows("select email from accounts").await;
        assert_eq!(emails, [("old@example.org".to_owned(),)], "{words}");
    }

    async fn a_typo_in_an_unconfirmed_address_is_corrected_at_once(engine: Engine) {
        let app = TestApp::new(engine).await;
        let body = json!({"teamName": "The Team", "email": "tpyo@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(app.player().post("/signup", &body).await.status, 201);
        let old = app.mail_to("tpyo@example.org").await.token("confirm");
        let helper = session_of(&app, Role::Support).await;
        let email = json!({"email": "typo@example.org"});
        let reply = action(&app, &helper, "team.address", email).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let confirm = async |token: &str| {
            app.player().post("/confirm", &json!({"token": token})).await.status
        };
        let words = "the recipient of the first email by mistake does not get the team";
        let new = app.mail_to("typo@example.org").await.token("confirm");
        assert_eq!(confirm(&old).await, 410, "{words}");
        assert_eq!(confirm(&new).await, 200);
        is(&action(&app, &helper, "team.resend", json!({})).await, 409, "wrong_standing");
        is(&action(&app, &helper, "team.confirm", json!({})).await, 409, "nothing_to_change");
        let body = json!({"teamName": "Others", "email": "typo@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(app.player().post("/signup", &body).await.status, 201);
        app.mail_to("typo@example.org").await;
        let others = json!({"team": "Others"});
        is(&action(&app, &helper, "team.confirm", others.clone()).await, 409, "email_has_team");
        let mut corrected = others.clone();
        corrected["email"] = json!("others@example.org");
        assert_eq!(action(&app, &helper, "team.address", corrected).await.status, 200);
        assert_eq!(action(&app, &helper, "team.confirm", others).await.status, 200);
        assert_eq!(action(&app, &helper, "team.reset", json!({})).await.status, 200);
        app.mail_to("typo@example.org").await.token("reset");
    }

    async fn a_code_that_is_told_needs_an_organizer(engine: Engine) {
        let app = TestApp::new(engine).await;
        with_team(&app).await;
        let helper = session_of(&app, Role::Support).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let words = "a helper makes no code";
        assert_eq!(action(&app, &helper, "team.code", json!({})).await.status, 404, "{words}");
        let made = action(&app, &organizer, "team.code", json!({})).await.json();
        let code = made["code"].as_str().expect("a code").to_uppercase().replace('-', " ");
        let reset = async |code: &str| {
            let body = json!({"token": code, "password": "a new password"});
            app.player().post("/reset", &body).await.status
        };
        assert_eq!(reset(&code).await, 200);
        assert_eq!(reset(&code).await, 410, "once");
        app.player().log_in("The Team", "a new password").await;
        let made = action(&app, &organizer, "team.code", json!({})).await.json();
        app.advance(3_600_000);
        assert_eq!(reset(made["code"].as_str().expect("a code")).await, 410, "for an hour");
        let listed = get(&app, &organizer, "/actions").await.to_string();
        assert!(!listed.contains(&made["code"].to_string()), "the record has no code");
    }

    async fn an_action_is_recorded_and_taken_back(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team", "Others"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let award = json!({"points": 50});
        let given = action(&app, &organizer, "team.award", award).await.json();
        assert_eq!(given["undo"], json!({"possible": true, "why": null}));
        let to = json!({"rank": 1, "points": 50});
        assert_eq!(given["effect"]["public"][0]["to"], to);
        assert_eq!(given["effect"]["truth"][0]["to"], to);
        let award = given["id"].as_i64().expect("an id");
        let head = json!({"preview": true});
        let seen = action(&app, &organizer, "team.ban", head).await.json();
        assert_eq!((&seen["head"], &seen["id"]), (&given["id"], &json!(null)));
        let gone = json!({"teamName": "The Team", "from": to, "to": null});
        assert!(seen["effect"]["public"].as_array().expect("moves").contains(&gone), "{seen}");
        let stale = action(&app, &organizer, "team.ban", json!({"head": 0})).await;
        is(&stale, 409, "object_touched");
        let banned = action(&app, &organizer, "team.ban", json!({"head": award})).await.json();
        assert_eq!(banned["sentence"], "The organizer banned \"The Team\".");
        let ban = banned["id"].as_i64().expect("an id");
        is(&action(&app, &organizer, "team.ban", json!({})).await, 409, "nothing_to_change");
        let silent = action(&app, &organizer, "team.hide", json!({"reason": " "})).await;
        is(&silent, 422, "reason_missing");
        let undo = async |id: i64| {
            let path = format!("/actions/{id}/undo");
            post(&app, &organizer, &path, &json!({"reason": "a mistake"})).await
        };
        let later = undo(award).await;
        is(&later, 409, "later_actions");
        assert_eq!(later.json()["actions"], json!([ban]));
        is(&undo(ban + 1).await, 404, "not_found");
        // Actions that cannot be undone do not block the undo of earlier ones.
        assert_eq!(action(&app, &organizer, "team.end_sessions", json!({})).await.status, 200);
        let undone = undo(ban).await.json();
        is(&undo(ban).await, 409, "nothing_to_change");
        let undoing = undone["id"].as_i64().expect("an id");
        is(&undo(undoing).await, 409, "undo_impossible");
        assert_eq!(undo(award).await.status, 200, "the ban and its undoing stand for nothing");
        let listed = get(&app, &organizer, "/actions").await;
        let sentences: Vec<&str> = listed["actions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|action| action["sentence"].as_str().expect("a sentence"))
            .collect();
        assert_eq!(sentences, [
            &format!("The organizer undid action {award}: awarded \"The Team\" 50 points."),
            &format!("The organizer undid action {ban}: banned \"The Team\"."),
            "The organizer logged \"The Team\" out.",
            "The organizer banned \"The Team\".",
            "The organizer awarded \"The Team\" 50 points.",
            "The command line imported 2 teams.",
            "The command line applied 2 changes from the event files.",
        ]);
        assert_eq!(listed["actions"][3]["undoneBy"], undoing);
        let entry = &listed["actions"][1];
        assert_eq!((&entry["undoes"], &entry["reason"]), (&json!(ban), &json!("a mistake")));
        let board = app.fresh_board().await.to_string();
        assert!(board.contains("The Team") && !board.contains("they asked"), "{board}");
        let earlier = get(&app, &organizer, &format!("/actions?before={ban}")).await;
        assert_eq!(earlier["actions"].as_array().map(Vec::len), Some(3));
        let helper = session_of(&app, Role::Support).await;
        let seen = get(&app, &helper, "/actions").await["actions"].clone();
        assert_eq!(seen.as_array().map(Vec::len), Some(1), "a helper's actions alone: {seen}");
        let is_intact = async || actions::verify(&app.test.db, &app.app.seal()).await;
        // The count includes the invitations of both organizers.
        assert_eq!(is_intact().await.expect("intact"), 7 + 2);
        app.test.execute("update actions set actor = 'Eve' where action = 'team.ban'").await;
        assert!(is_intact().await.is_err(), "an altered action is found");
    }

    async fn each_role_sees_its_part_of_the_teams(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["The Team", "Hidden"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hidden = action(&app, &organizer, "team.hide", json!({"team": "Hidden"})).await;
        assert_eq!(hidden.status, 200, "{}", hidden.text());
        let words = "an observer sees the public board alone";
        let own = session_of(&app, Role::Observer).await;
        for (team, what) in [("Hidden", "team.list"), ("Nobody", "account.own")] {
            let reply = action(&app, &own, what, json!({"team": team})).await;
            is(&reply, 404, "not_found");
        }
        let place = json!({"rank": 1, "points": 0, "award": 0, "solves": 0, "lastSolveAt": null});
        let public = json!({"teamName": "The Team", "country": "IT", "number": null,
            "truth": null, "public": place, "standing": null, "student": null, "divisions": null,
            "email": null,
            "newEmail": null, "signedUpAt": null, "mail": null, "members": null, "fields": null,
            "fieldLabels": null});
        assert_eq!(get(&app, &own, "/teams").await["teams"], json!([public]), "{words}");
        assert_eq!(get(&app, &organizer, "/teams?view=public").await["teams"], json!([public]));
        let helper = session_of(&app, Role::Support).await;
        let seen = get(&app, &helper, "/teams").await;
        assert_eq!(seen["teams"][0]["email"], "team@example.org");
        assert_eq!(seen["teams"][0]["truth"], json!(null));
        assert_eq!(seen["teams"][1]["standing"], "hidden");
        let seen = get(&app, &organizer, "/teams?q=HE%20T").await;
        assert_eq!((&seen["total"], &seen["teams"][0]["truth"]), (&json!(1), &place));
        let reply = Call::organize("GET", "/teams?q=a&x=b").session(&organizer).send(&app).await;
        is(&reply, 422, "field_invalid");
    }
}
