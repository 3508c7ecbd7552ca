//! A whole event over HTTP and the live channel, and many teams at once.

mod views;

use std::collections::BTreeSet;
use std::time::Duration;

use altcha::{Payload, SolveChallengeOptions};
use data_encoding::BASE64;
use flagship_control::control;
use flagship_pack::CaptchaProvider;
use flagship_testkit::player::{draft, event, row};
use flagship_testkit::{Player, Socket, Team, TestApp, TestDb, on_both_engines};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Maximum time until everyone sees a change.
const SHOWN_MAX: Duration = Duration::from_secs(1);
const PASSWORD: &str = "correct horse battery";

/// A captcha solved in the same way as by the widget.
async fn captcha(player: &Player) -> String {
    let challenge = player.get("/captcha").await.json;
    let challenge = serde_json::from_value(challenge).expect("a challenge");
    let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge));
    let solution = solution.expect("it is well formed").expect("it has a solution");
    let payload = Payload { challenge, solution };
    BASE64.encode(&serde_json::to_vec(&payload).expect("it is plain data"))
}

/// The next message, which must arrive in time.
async fn shown(socket: &mut Socket) -> Value {
    let text = socket.next_within(SHOWN_MAX).await.expect("it is shown within a second");
    serde_json::from_str(&text).expect("messages are JSON")
}

/// Submits one correct flag for each of `teams` concurrently; asserts that all are accepted.
async fn race(teams: impl Iterator<Item = Team>) {
    let mut race = JoinSet::new();
    for team in teams {
        race.spawn(async move { team.send("one", "flag{one}").await });
    }
    for answer in race.join_all().await {
        assert_eq!((answer.status, answer.json), (200, json!({"correct": true})));
    }
}

on_both_engines! {
    async fn a_team_plays_and_everyone_sees_it_within_a_second(engine: Engine) {
        let test = TestDb::new(engine).await.into();
        let app = TestApp::playing_on(test, event(), vec![draft("one"), draft("two")], |config| {
            config.settings.captcha.provider = CaptchaProvider::Altcha;
        }).await;
        let (mut world, before) = Socket::watching(&app).await;
        assert_eq!(before["scoreboard"], json!([]));
        let player = app.player();

        let signup = json!({
            "teamName": "The Lighthouse", "email": "ada@example.org", "country": "IT",
            "password": PASSWORD, "captchaToken": captcha(&player).await,
        });
        let answer = player.post("/signup", &signup).await;
        assert_eq!((answer.status, answer.json.get("token")), (201, None), "{answer:?}");

        let link = app.mail_to("ada@example.org").await.token("confirm");
        let answer = player.post("/confirm", &json!({"token": link})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let joined = shown(&mut world).await;
        let seq = before["seq"].as_u64().expect("a number");
        assert_eq!(joined, json!({"event": "newteam", "teamName": "The Lighthouse",
            "country": "IT", "seq": seq + 1}));

        let login = json!({"team": "The Lighthouse", "password": PASSWORD,
            "captchaToken": captcha(&player).await});
        let answer = player.post("/login", &login).await;
        let token = answer.json["token"].as_str().expect("a token");
        let team = player.with_token(token);

        let solve = async |flag: &str| {
            team.post("/solve", &json!({"challengeId": "one", "flag": flag})).await.json
        };
        assert_eq!(solve("flag{two}").await, json!({"correct": false}));
        assert_eq!(solve("flag{one}").await, json!({"correct": true}));
        let ts = app.now_ms() / 1000;
        assert_eq!(shown(&mut world).await, json!({"event": "solve", "challengeId": "one",
            "teamName": "The Lighthouse", "ts": ts, "seq": seq + 2}));

        let board = app.board_so("the board has the solve", |board| board["seq"] == seq + 2).await;
        let column = board["challenges"].as_array().expect("columns").iter()
            .position(|column| column["id"] == "one").expect("it is there").to_string();
        assert_eq!(row(&board, "The Lighthouse"),
            Some(&json!(["The Lighthouse", "IT", {column: [1, ts]}, ts])));

        assert_eq!(team.get("/ctf").await.json["loggedTeam"], "The Lighthouse");
        assert_eq!(team.post("/logout", &json!({})).await.status, 200);
        assert_eq!(team.get("/ctf").await.json["loggedTeam"], Value::Null);
        assert_eq!(team.get("/challenge").await.status, 401);
        let late = team.post("/solve", &json!({"challengeId": "two", "flag": "flag{two}"})).await;
        assert_eq!(late.status, 401);
    }

    async fn a_hundred_right_flags_of_one_team_are_one_solve_and_one_event(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Lighthouse").await;
        let (mut world, before) = Socket::watching(&app).await;
        race(std::iter::repeat_n(team.clone(), 100)).await;

        app.team("The Last").await;
        let events = world.until("newteam").await;
        let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
        assert_eq!(names, ["solve", "newteam"], "{events:?}");
        let first = before["seq"].as_u64().expect("a number") + 1;
        assert_eq!(events[0]["seq"], first);
        let board = app.board().await;
        let is_two = control(
            "a_hundred_right_flags_of_one_team_are_one_solve_and_one_event",
            "right: 2",
        );
        let solves = if is_two { 2 } else { 1 };
        assert_eq!(board["challenges"][0]["nsolves"], solves);
        assert_eq!(row(&board, "The Lighthouse").expect("a row")[2]["0"][0], 1);
    }

    async fn a_hundred_concurrent_teams_get_a_hundred_positions(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let names: Vec<String> = (0..100).map(|i| format!("Team {i:03}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let teams = app.teams(&names).await;
        let (mut world, before) = Socket::watching(&app).await;
        race(teams.into_iter()).await;

        let mut solves = Vec::new();
        for _ in 0..100 {
            solves.push(world.next().await);
        }
        let first = before["seq"].as_u64().expect("a number") + 1;
        let seqs = solves.iter().map(|solve| solve["seq"].as_u64().expect("a number"));
        assert!(seqs.eq(first..first + 100), "in order and without gaps");

        let board = app.board_so("the board has all", |board| board["seq"] == first + 99).await;
        let rows = board["scoreboard"].as_array().expect("rows");
        let position = |name: &Value| {
            let row = rows.iter().find(|row| row[0] == *name).expect("a row");
            row[2]["0"][0].as_u64().expect("a position")
        };
        if control("a_hundred_concurrent_teams_get_a_hundred_positions", "announced in the order") {
            solves.swap(0, 99);
        }
        let announced: Vec<u64> = solves.iter().map(|solve| position(&solve["teamName"])).collect();
        assert!(announced.into_iter().eq(1..=100), "announced in the order of the positions");
        let names: BTreeSet<&str> = rows.iter().filter_map(|row| row[0].as_str()).collect();
        assert_eq!(names.len(), 100);
        assert_eq!(board["challenges"][0]["nsolves"], 100);
    }
}
