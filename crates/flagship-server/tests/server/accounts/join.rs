//! Join cards: made by organizers, printed, and used once by their teams.

use std::sync::Arc;

use flagship_control::control;
use flagship_game::Event;
use flagship_store::ops::{Caller, Op};
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{
    Answer, Call, Engine, Player, Reply, TestApp, TestDb, commands, nasty, on_both_engines, until,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const PASSWORD: &str = "correct horse battery";

/// A card, as read from the sheet.
#[derive(Clone, Debug)]
struct Card {
    team: String,
    token: String,
    code: String,
}

/// A server with an event, two imported teams and an organizer's session.
struct Stage {
    app: TestApp,
    session: String,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        Self::with(engine, event(), |_| {}).await
    }

    async fn with(
        engine: Engine,
        event: Event,
        change: impl FnOnce(&mut flagship_server::Config),
    ) -> Self {
        let test = Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event, vec![draft("one")], change).await;
        app.teams(&["Otters", "Crabs & <Co>"]).await;
        let organizer = app.organizer("Ada", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        Self { app, session }
    }

    async fn make(&self, body: &Value) -> Reply {
        make(&self.app, &self.session, body).await
    }

    /// Makes cards for the teams with these names.
    async fn cards(&self, teams: &[&str]) -> Vec<Card> {
        let reply = self.make(&json!({"teams": teams, "reason": "at the desk"})).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        cards_on(&reply.text())
    }

    /// Makes a card for the first team.
    async fn card(&self) -> Card {
        self.cards(&["Otters"]).await.remove(0)
    }

    /// Performs an action on the first team.
    async fn act(&self, action: &str, more: &Value) {
        let mut body = json!({"action": action, "reason": "they asked", "team": "Otters"});
        for (key, value) in more.as_object().expect("an object") {
            body[key] = value.clone();
        }
        let call = Call::organize("POST", "/actions").session(&self.session);
        let reply = call.json(body.to_string()).send(&self.app).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
}

async fn make(app: &TestApp, session: &str, body: &Value) -> Reply {
    Call::organize("POST", "/cards").session(session).json(body.to_string()).send(app).await
}

/// Text between two marks, for each occurrence.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    let parts = text.split(before).skip(1);
    parts.map(|part| part.split(after).next().expect("a first part")).collect()
}

fn cards_on(sheet: &str) -> Vec<Card> {
    let articles = between(sheet, "<article>", "</article>");
    let card = |article: &&str| Card {
        team: between(article, "<bdi>", "</bdi>")[0].to_owned(),
        token: between(article, "/join#", "\"")[0].to_owned(),
        code: between(article, "class=\"code\">", "<")[0].to_owned(),
    };
    articles.iter().map(card).collect()
}

async fn join(player: &Player, token: &str, password: &str) -> Answer {
    player.post("/join", &json!({"token": token, "password": password})).await
}

async fn join_by_code(player: &Player, team: &str, code: &str) -> Answer {
    player.post("/join", &json!({"team": team, "code": code, "password": PASSWORD})).await
}

async fn logged_team(player: &Player) -> Value {
    player.get("/ctf").await.json["loggedTeam"].clone()
}

/// Asserts that a card is rejected, always in the same words.
fn is_void(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 410, "{why}: {answer:?}");
    let expected =
        json!({"code": "link_invalid", "message": "This link has been used or has expired."});
    assert_eq!(answer.json, expected, "{why}");
}

on_both_engines! {
    async fn a_card_sets_the_password_and_logs_in_once(engine: Engine) {
        let stage = Stage::new(engine).await;
        let player = stage.app.player();
        let card = stage.card().await;
        for bad in ["short", "password123", "otters"] {
            let answer = join(&player, &card.token, bad).await;
            assert_eq!(answer.status, 422, "the card stays valid: {answer:?}");
        }
        let answer = join(&player, &card.token, PASSWORD).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.json.as_object().expect("an object").len(), 1);
        let token = answer.json["token"].as_str().expect("a token");
        assert_eq!(logged_team(&player.with_token(token)).await, "Otters");
        player.log_in("Otters", PASSWORD).await;
        let again = join(&player, &card.token, "another good one").await;
        is_void(&again, "it works once");
        is_void(&join_by_code(&player, "Otters", &card.code).await, "so does its code");
        for bad in ["", "x", &"A".repeat(43), &format!("{}\u{0}", &card.token[..42])] {
            is_void(&join(&player, bad, PASSWORD).await, bad);
        }
        player.log_in("Otters", PASSWORD).await;
    }

    async fn a_code_joins_however_it_is_typed(engine: Engine) {
        let stage = Stage::new(engine).await;
        let player = stage.app.player();
        let typings: [fn(&str) -> String; 4] = [
            str::to_owned,
            str::to_lowercase,
            |code| format!(" {} ", code.replace('-', "")),
            |code| code.replace('0', "O").replace('1', "l").replace('-', " - "),
        ];
        for typed in typings {
            let card = stage.card().await;
            let code = typed(&card.code);
            let answer = join_by_code(&player, " OTTERS", &code).await;
            assert_eq!(answer.status, 200, "{code}: {answer:?}");
            let token = answer.json["token"].as_str().expect("a token");
            assert_eq!(logged_team(&player.with_token(token)).await, "Otters");
            is_void(&join(&player, &card.token, PASSWORD).await, "the link ends with the code");
        }
        let [card, other] = stage.cards(&["Otters", "Crabs & <Co>"]).await.try_into().expect("two");
        assert_eq!((&*other.team, &*card.team), ("Otters", "Crabs &amp; &lt;Co&gt;"));
        is_void(&join_by_code(&player, "Otters", &card.code).await, "the code of another team");
        let bodies = [
            json!({"password": PASSWORD}),
            json!({"team": "Otters", "password": PASSWORD}),
            json!({"code": other.code, "password": PASSWORD}),
            json!({"token": other.token, "team": "Otters", "password": PASSWORD}),
            json!({"token": other.token}),
            json!({"token": 7, "password": PASSWORD}),
        ];
        for body in bodies {
            let answer = player.post("/join", &body).await;
            assert_eq!((answer.status, &answer.json["code"]), (422, &json!("field_invalid")));
        }
        assert_eq!(join(&player, &other.token, PASSWORD).await.status, 200);
    }

    async fn a_wrong_code_says_nothing_and_counts_as_a_failed_login(engine: Engine) {
        let stage = Stage::new(engine).await;
        let player = stage.app.player();
        let card = stage.card().await;
        for team in ["Otters", "No such team", "x"] {
            for _ in 0..10 {
                is_void(&join_by_code(&player, team, "00000-00000").await, team);
            }
            let refused = join_by_code(&player, team, &card.code).await;
            assert_eq!(refused.status, 429, "{team}: {refused:?}");
            assert_eq!(refused.json["code"], "too_many_attempts");
            assert_eq!(refused.retry_after(), 60);
        }
        let body = json!({"team": "Otters", "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(player.post("/login", &body).await.status, 429, "logins have the same limit");
        let elsewhere = player.from_address("192.0.2.1");
        let short = json!({"team": "Otters", "code": card.code, "password": "short"});
        assert_eq!(elsewhere.post("/join", &short).await.status, 422, "the card stays valid");
        let answer = join_by_code(&elsewhere, "Otters", &card.code).await;
        assert_eq!(answer.status, 200, "only one network is locked out: {answer:?}");
    }

    async fn a_network_guesses_codes_of_many_teams_slowly(engine: Engine) {
        let stage = Stage::new(engine).await;
        let network = stage.app.player().from_address("192.0.2.7");
        let mut statuses = Vec::new();
        for number in 0..40 {
            let team = format!("Team no {number}");
            statuses.push(join_by_code(&network, &team, "00000-00000").await.status);
        }
        let count = |status| statuses.iter().filter(|it| **it == status).count();
        assert_eq!([count(410), count(429)], [30, 10], "{statuses:?}");
    }

    async fn new_cards_new_passwords_and_bans_void_a_card(engine: Engine) {
        let stage = Stage::new(engine).await;
        let app = &stage.app;
        let player = app.player();
        let void = async |card: &Card, why: &str| {
            is_void(&join(&player, &card.token, PASSWORD).await, why);
            let other = app.player().from_address("192.0.2.9");
            is_void(&join_by_code(&other, "Otters", &card.code).await, why);
        };
        let first = stage.card().await;
        let second = stage.card().await;
        void(&first, "a newer card").await;
        player.post("/forgot", &json!({"email": "team@example.org"})).await;
        let mail = app.mail_to("team@example.org").await;
        // The teams have the same address, and the mail a link for each of them.
        for link in mail.tokens("reset") {
            let body = json!({"token": link, "password": "another good one"});
            assert_eq!(player.post("/reset", &body).await.status, 200);
        }
        let team = player.log_in("Otters", "another good one").await;
        void(&second, "a reset").await;
        let third = stage.card().await;
        let body = json!({"password": "another good one", "newPassword": "a third good one"});
        let answer = team.post("/account/password", &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        void(&third, "a new password").await;
        let fourth = stage.card().await;
        stage.act("team.ban", &json!({})).await;
        void(&fourth, "a ban").await;
        let banned = stage.card().await;
        void(&banned, "a card of a banned team").await;
        stage.act("team.unban", &json!({})).await;
        void(&fourth, "a ban is final for a card").await;
        until("the team is back", async || {
            join(&player, &banned.token, PASSWORD).await.status == 200
        })
        .await;
    }

    async fn other_sessions_and_links_end_with_a_join(engine: Engine) {
        let stage = Stage::new(engine).await;
        let player = stage.app.player();
        player.post("/forgot", &json!({"email": "team@example.org"})).await;
        let links = stage.app.mail_to("team@example.org").await.tokens("reset");
        let card = stage.card().await;
        let answer = join(&player, &card.token, PASSWORD).await;
        let phone = player.with_token(answer.json["token"].as_str().expect("a token"));
        let card = stage.card().await;
        assert_eq!(join(&player, &card.token, "another good one").await.status, 200);
        assert_eq!(logged_team(&phone).await, Value::Null, "the earlier session has ended");
        let mut statuses = Vec::new();
        for link in links {
            let body = json!({"token": link, "password": PASSWORD});
            statuses.push(player.post("/reset", &body).await.status);
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 410], "the emailed link of this team has ended");
    }

    async fn two_hundred_concurrent_joins_on_two_nodes_use_a_card_once(engine: Engine) {
        let stage = Stage::new(engine).await;
        let there = stage.app.second_node(|_| {}).await;
        let mut card = stage.card().await;
        let mut joins = JoinSet::new();
        for number in 0..200 {
            let node = if number % 2 == 0 { &stage.app } else { &there };
            // The control gives the last client another card.
            if number == 199
                && control(
                    "two_hundred_concurrent_joins_on_two_nodes_use_a_card_once",
                    "used once",
                )
            {
                card = stage.cards(&["Crabs & <Co>"]).await.remove(0);
            }
            let player = node.player().from_address(&format!("192.0.2.{number}"));
            let token = card.token.clone();
            joins.spawn(async move { join(&player, &token, PASSWORD).await.status });
        }
        let statuses = joins.join_all().await;
        let count = |status| statuses.iter().filter(|it| **it == status).count();
        assert_eq!([count(200), count(410)], [1, 199], "used once: {statuses:?}");
    }

    async fn a_card_is_valid_until_the_end_of_the_event(engine: Engine) {
        let stage = Stage::new(engine).await;
        let player = stage.app.player();
        let cards = stage.cards(&["Otters", "Crabs & <Co>"]).await;
        stage.app.advance(2 * HOUR_MS - 1000);
        assert_eq!(join(&player, &cards[0].token, PASSWORD).await.status, 200);
        stage.app.advance(1000);
        is_void(&join(&player, &cards[1].token, PASSWORD).await, "the event is over");
        is_void(&join_by_code(&player, &cards[1].team, &cards[1].code).await, "so is the code");
    }

    async fn a_card_of_an_event_without_end_is_valid_without_limit(engine: Engine) {
        let endless = Event { end_ms: None, freeze_ms: None, ..event() };
        let stage = Stage::with(engine, endless, |_| {}).await;
        let card = stage.card().await;
        for _ in 0..10 {
            stage.app.advance(365 * 24 * HOUR_MS);
        }
        assert_eq!(join(&stage.app.player(), &card.token, PASSWORD).await.status, 200);
    }

    async fn erased_teams_have_no_card(engine: Engine) {
        let stage = Stage::new(engine).await;
        let cards = stage.cards(&["Otters", "Crabs & <Co>"]).await;
        let sql = "select id from accounts where name = 'Otters'";
        let [(id,)] = stage.app.test.rows::<(i64,)>(sql).await[..] else { panic!("one") };
        let erase = |account_id| Op::Erase { account_id, is_confirmed: true,
            by: Caller::CommandLine };
        stage.app.run(erase(Some(id))).await;
        let player = stage.app.player();
        is_void(&join(&player, &cards[1].token, PASSWORD).await, "it was erased");
        stage.app.run(erase(None)).await;
        is_void(&join(&player, &cards[0].token, PASSWORD).await, "all were erased");
        let rows = stage.app.test.rows::<(i64,)>("select count(*) from mail_tokens").await;
        assert_eq!(rows, [(0,)]);
    }

    async fn the_sheet_is_the_only_copy_and_the_record_has_a_number(engine: Engine) {
        let stage = Stage::new(engine).await;
        stage.app.team("The Banned").await;
        stage.app.run(commands::ban("The Banned")).await;
        let waiting = json!({"teamName": "The Waiting", "email": "w@example.org", "country": "IT",
            "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(stage.app.player().post("/signup", &waiting).await.status, 201);
        let reply = stage.make(&json!({"reason": "for the desk"})).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(reply.header("content-disposition"), "attachment; filename=\"cards.html\"");
        assert_eq!(reply.header("cache-control"), "no-store");
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("script"), "{policy}");
        let html = reply.text();
        let cards = cards_on(&html);
        let teams: Vec<&str> = cards.iter().map(|card| card.team.as_str()).collect();
        assert_eq!(teams, ["Crabs &amp; &lt;Co&gt;", "Otters"], "neither banned nor unconfirmed");
        assert!(!html.contains("<script") && html.contains("The Test CTF"));
        let address = format!("{}/join#{}", stage.app.app.config().public_url, cards[1].token);
        assert!(html.contains(&format!(">{address}</a>")), "the link is there as text");
        let stored = nasty::everything(&stage.app.test).await;
        for card in &cards {
            for secret in [&card.token, &card.code, &card.code.replace('-', "")] {
                assert!(!stored.contains(secret.as_str()), "the database contains {secret}");
            }
        }
        let call = Call::organize("GET", "/actions").session(&stage.session);
        let log = call.send(&stage.app).await;
        let newest = &log.json()["actions"][0];
        assert_eq!(newest["action"], "team.cards");
        assert_eq!(newest["sentence"], "Ada made join cards for 2 teams.");
        assert_eq!(newest["reason"], "for the desk");
        assert_eq!(newest["undoable"], false);
        assert_eq!(newest["arguments"], json!({"teams": 2}));
        stage.card().await;
        let call = Call::organize("GET", "/actions").session(&stage.session);
        let newest = call.send(&stage.app).await.json()["actions"][0].take();
        assert_eq!(newest["sentence"], "Ada made a join card for \"Otters\".");
    }

    async fn organizers_make_cards_after_a_recent_code_and_with_a_reason(engine: Engine) {
        let stage = Stage::new(engine).await;
        let app = &stage.app;
        let body = json!({"teams": ["Otters"], "reason": "they asked"});
        let is = |reply: &Reply, status: u16, code: &str| {
            let json = reply.json();
            assert_eq!((reply.status, json["code"].as_str()), (status, Some(code)));
        };
        for role in [Role::Observer, Role::Author, Role::Support] {
            let other = app.organizer(&format!("The {role}"), &[role]).await;
            let session = app.organizer_session(&other, true).await;
            is(&make(app, &session, &body).await, 404, "not_found");
        }
        let owner = app.organizer("Grace", &[Role::Owner]).await;
        let unproven = app.organizer_session(&owner, false).await;
        is(&make(app, &unproven, &body).await, 403, "factor_needed");
        let token = app.organizer_token(&owner).await;
        let call = Call::new("POST", "/api/organize/cards").header("x-api-key", token);
        is(&call.json(body.to_string()).send(app).await, 403, "factor_needed");
        for (body, status, code) in [
            (json!({"teams": ["Otters"]}), 422, "reason_missing"),
            (json!({"teams": ["Otters"], "reason": " "}), 422, "reason_missing"),
            (json!({"reason": "x".repeat(501)}), 422, "field_invalid"),
            (json!({"teams": [], "reason": "x"}), 422, "field_invalid"),
            (json!({"teams": "Otters", "reason": "x"}), 422, "field_invalid"),
            (json!({"teams": ["Otters", "Ottters"], "reason": "x"}), 404, "team_not_found"),
        ] {
            is(&stage.make(&body).await, status, code);
        }
        let waiting = json!({"teamName": "The Waiting", "email": "w@example.org", "country": "IT",
            "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(app.player().post("/signup", &waiting).await.status, 201);
        let body = json!({"teams": ["Otters", "The Waiting"], "reason": "x"});
        is(&stage.make(&body).await, 409, "wrong_standing");
        let rows = app.test.rows::<(i64,)>("select count(*) from mail_tokens \
            where purpose = 'card'").await;
        assert_eq!(rows, [(0,)], "all or none");
        let proven = app.organizer_session(&owner, true).await;
        assert_eq!(make(app, &proven, &body_of_one()).await.status, 200);
        app.advance(HOUR_MS);
        is(&make(app, &proven, &body_of_one()).await, 403, "factor_needed");
    }

    async fn a_join_counts_as_played(engine: Engine) {
        let stage = Stage::new(engine).await;
        let card = stage.card().await;
        let sql = "select id from actions where action = 'team.import'";
        let [(import,)] = stage.app.test.rows::<(i64,)>(sql).await[..] else { panic!("one") };
        assert_eq!(join(&stage.app.player(), &card.token, PASSWORD).await.status, 200);
        let path = format!("/actions/{import}/undo");
        let call = Call::organize("POST", &path).session(&stage.session);
        let reply = call.json(json!({"reason": "x"}).to_string()).send(&stage.app).await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (409, Some("import_played")));
    }
}

fn body_of_one() -> Value {
    json!({"teams": ["Otters"], "reason": "they asked"})
}

/// Compares medians of alternating requests, as for logins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_team_takes_as_long_as_a_wrong_code() {
    const TURNS: usize = 41;
    let stage = Stage::with(Engine::Sqlite, event(), |config| {
        config.settings.limits.failed_logins_per_team_per_minute = 0;
    })
    .await;
    stage.card().await;
    let player = stage.app.player();
    let mut times = [Vec::new(), Vec::new()];
    let mut answers = Vec::new();
    for turn in 0..2 * TURNS {
        let team = ["Otters", "No Team"][turn % 2];
        let start = std::time::Instant::now();
        let answer = join_by_code(&player, team, "00000-00000").await;
        let took = start.elapsed();
        let is_short = turn % 2 == 1
            && control("an_unknown_team_takes_as_long_as_a_wrong_code", "known, unknown");
        times[turn % 2].push(if is_short { took / 10 } else { took });
        let mut headers = answer.headers.clone();
        headers.remove("date");
        answers.push((answer.status, headers, answer.json.to_string()));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[TURNS / 2].as_secs_f64()
    });
    println!("known {:.1} ms, unknown {:.1} ms", medians[0] * 1e3, medians[1] * 1e3);
    let ratio = medians[1] / medians[0];
    assert!((0.7..1.43).contains(&ratio), "known, unknown: {medians:?}");
}
