//! Hints for points: purchases, refusals, texts, messages, and what the freeze hides.

use flagship_game::facts;
use flagship_game::{Event, Hint, Reveal, StatusKind};
use flagship_store::challenges::Draft;
use flagship_testkit::player::{HOUR_MS, challenge_id, draft, draft_after, event, row};
use flagship_testkit::{Answer, Socket, Team, TestApp, commands, on_both_engines, until};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Words that are only in the texts of hints for points.
const SECRET: &str = "Look below the pier";

fn hint(id: &str, cost: i64, requirements: &[&str]) -> Hint {
    Hint {
        id: id.to_owned(),
        html: Some(format!("<p>{SECRET}, {id}.</p>")),
        title: Some(format!("Title {id}")),
        cost,
        requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        at_ms: None,
    }
}

fn drafts() -> Vec<Draft> {
    let mut drafts = vec![draft("one"), draft("two"), draft_after("three", &["two"])];
    drafts[0].challenge.hints =
        vec![hint("a", 30, &[]), hint("b", 80, &["a"]), hint("c", 0, &["a"])];
    drafts[2].challenge.hints = vec![hint("a", 5, &[])];
    drafts
}

async fn take(team: &Team, challenge: &str, hint: &str) -> Answer {
    team.player.post("/hint", &json!({"challengeId": challenge, "hintId": hint})).await
}

fn code(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.json["code"].as_str().unwrap_or_default())
}

fn award(board: &Value, team: &str) -> i64 {
    row(board, team).expect("a row").get(4).map_or(0, |award| award.as_i64().expect("points"))
}

async fn hints(team: &Team, id: &str) -> Value {
    team.card(id).await.expect("it is shown")["hints"].take()
}

on_both_engines! {
    async fn a_hint_is_in_no_answer_before_it_is_taken(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let [buyer, other] = &teams[..] else { unreachable!("there are two") };
        let untaken = json!({"id": "a", "title": "Title a", "cost": 30, "html": null, "at": null,
            "taken": false, "requirements": []});
        assert_eq!(hints(buyer, "one").await[0], untaken);
        let refused = take(buyer, "one", "a").await;
        assert_eq!(code(&refused), (409, "points_missing"), "a team without points");
        buyer.solves("two").await;
        app.fresh_board().await;
        let (mut plain, before) = Socket::watching(&app).await;
        let mut resuming = Socket::open(&app).await;
        resuming.say(&json!({"action": "getscoreboard", "since": before["seq"],
            "generation": before["generation"]})).await;
        for _ in 0..2 {
            let taken = take(buyer, "one", "a").await;
            let text = format!("<p>{SECRET}, a.</p>");
            assert_eq!(taken.json, json!({"html": text, "cost": 30}), "a repeated call is free");
        }
        let seq = before["seq"].as_u64().expect("a number") + 1;
        let message = json!({"event": "award", "teamName": "The Lighthouse", "award": -30,
            "seq": seq});
        assert_eq!(resuming.next().await, message);
        let pushed = plain.until("scoreboard").await;
        assert_eq!(award(pushed.last().expect("one"), "The Lighthouse"), -30);
        let card = hints(buyer, "one").await;
        assert_eq!((&card[0]["taken"], &card[0]["cost"]), (&json!(true), &json!(30)));
        assert!(card[0]["html"].to_string().contains(SECRET));
        // All other responses to both teams.
        let paths = ["/challenge", "/scoreboard", "/scoreboard/own", "/team/The%20Lighthouse",
            "/ctftime", "/notices", "/ctf"];
        for team in [buyer, other] {
            for path in paths {
                let answer = team.player.get(path).await;
                let mut text = answer.json.to_string();
                if team.name == buyer.name {
                    text = text.replace(&format!("<p>{SECRET}, a.</p>"), "");
                }
                assert!(!text.contains(SECRET), "{path}: {text}");
            }
        }
        assert_eq!(hints(other, "one").await[0], untaken);
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -30);
    }

    async fn refusals_of_hints_have_their_codes(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("The Lighthouse").await;
        team.solves("two").await;
        let body = json!({"challengeId": "one", "hintId": "a"});
        assert_eq!(app.player().post("/hint", &body).await.status, 401);
        let shape = team.player.post("/hint", &json!({"challengeId": "one"})).await;
        assert_eq!(shape.status, 422);
        assert_eq!(code(&take(&team, "none", "a").await), (404, "challenge_not_found"));
        assert_eq!(code(&take(&team, "one", "none").await), (404, "hint_not_found"));
        assert_eq!(code(&take(&team, "one", "b").await), (403, "hint_locked"));
        assert_eq!(code(&take(&team, "one", "c").await), (403, "hint_locked"));
        let body = json!({"challengeId": "one", "hintId": "a", "cost": 29});
        let refused = team.player.post("/hint", &body).await;
        assert_eq!(code(&refused), (409, "hint_cost_changed"));
        assert_eq!(take(&team, "one", "a").await.json["cost"], 30);
        assert_eq!(code(&take(&team, "one", "b").await), (409, "points_missing"));
        assert_eq!(take(&team, "one", "c").await.json["cost"], 0, "free, after its requirement");
        assert!(hints(&team, "one").await[2]["taken"].as_bool().expect("it is a boolean"));
        team.solves("one").await;
        assert_eq!(take(&team, "one", "b").await.json["cost"], 0, "after the own solve");
        app.record(facts::Paused { on: true }).await;
        assert_eq!(code(&take(&team, "one", "a").await), (403, "paused"));
        app.record(facts::Paused { on: false }).await;
        for _ in 0..40 {
            take(&team, "one", "none").await;
        }
        let limited = take(&team, "one", "none").await;
        assert_eq!(code(&limited), (429, "too_many_attempts"));
        assert!(limited.retry_after() > 0);
        assert_eq!(code(&take(&team, "none", "a").await), (404, "challenge_not_found"));
        assert_eq!(take(&team, "one", "a").await.status, 200, "only rejected calls count");
    }

    async fn parallel_purchases_charge_once(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("The Lighthouse").await;
        let second = app.second_node(|_| {}).await;
        team.solves("two").await;
        until("the other node knows the solve", async || {
            second.app.contest().all_solves().count() == 1
        }).await;
        let there = Team { player: second.player().with_token(&team.token), ..team.clone() };
        let mut purchases = JoinSet::new();
        for number in 0..200 {
            let team = if number % 2 == 0 { team.clone() } else { there.clone() };
            purchases.spawn(async move { take(&team, "one", "a").await });
        }
        for answer in purchases.join_all().await {
            let text = format!("<p>{SECRET}, a.</p>");
            assert_eq!((answer.status, answer.json), (200, json!({"html": text, "cost": 30})));
        }
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -30);
        assert_eq!(app.app.contest().hint_takers(&challenge_id("one")).count(), 1);
    }

    async fn parallel_purchases_of_several_hints_never_leave_a_debt(engine: Engine) {
        let mut drafts = drafts();
        drafts[0].challenge.hints =
            (0..20).map(|number| hint(&format!("h{number}"), 30, &[])).collect();
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        team.solves("two").await;
        let mut purchases = JoinSet::new();
        for number in 0..20 {
            let team = team.clone();
            purchases.spawn(async move { take(&team, "one", &format!("h{number}")).await.status });
        }
        let statuses = purchases.join_all().await;
        let taken = statuses.iter().filter(|status| **status == 200).count();
        assert_eq!(taken, 3, "100 points are enough for three: {statuses:?}");
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -90);
    }

    async fn hints_cost_nothing_after_the_end_and_wait_for_the_reveal(engine: Engine) {
        let event = Event { reveal: Reveal::Manual, hint_debt: true, ..event() };
        let app = TestApp::playing(engine, event, drafts()).await;
        let team = app.team("The Lighthouse").await;
        assert_eq!(take(&team, "one", "a").await.json["cost"], 30, "debt is allowed");
        app.advance(3 * HOUR_MS);
        app.settled().await;
        assert_eq!(code(&take(&team, "one", "b").await), (403, "event_ended"));
        assert_eq!(hints(&team, "one").await[1]["html"], Value::Null);
        app.run(commands::reveal()).await;
        app.fresh_board().await;
        let shown = hints(&team, "one").await;
        assert_eq!((&shown[1]["cost"], &shown[1]["taken"]), (&json!(0), &json!(false)));
        assert!(shown[1]["html"].to_string().contains(SECRET));
        assert_eq!(code(&take(&team, "one", "b").await), (403, "event_ended"));
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -30);
    }

    async fn in_the_freeze_the_own_row_has_the_cost_and_others_do_not_see_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let [buyer, other] = &teams[..] else { unreachable!("there are two") };
        buyer.solves("two").await;
        app.advance(HOUR_MS);
        app.settled().await;
        let (mut own, _) = buyer.watching(&app).await;
        let (mut world, before) = Socket::watching(&app).await;
        let before = before.to_string();
        assert_eq!(take(buyer, "one", "a").await.json["cost"], 30);
        let message = json!({"event": "award", "teamName": "The Lighthouse", "award": -30});
        assert_eq!(own.next().await, message, "without a number");
        let read = async |team: &Team| {
            let own = team.player.get("/scoreboard/own").await.json["award"].take();
            let row = team.player.get("/team/The%20Lighthouse").await.json;
            (own, row["award"].clone(), row["points"].clone())
        };
        assert_eq!(read(buyer).await, (json!(-30), json!(-30), json!(70)));
        assert_eq!(read(other).await, (json!(0), json!(0), json!(100)));
        assert_eq!(app.fresh_board().await.to_string(), before, "not a byte");
        // A public change of the award, after which the own row still has its own total.
        app.run(commands::award("The Lighthouse", 5)).await;
        let pushed = own.until("award").await;
        let awards: Vec<_> = pushed.iter().filter(|it| it["event"] == "award").collect();
        assert_eq!(awards.last().map(|it| &it["award"]), Some(&json!(-25)), "{pushed:?}");
        let pushed = world.until("scoreboard").await;
        assert_eq!(award(pushed.last().expect("one"), "The Lighthouse"), 5);
        let status = facts::Status {
            challenge: challenge_id("one"),
            status: StatusKind::Broken,
            note: String::new(),
        };
        app.record(status).await;
        let rows = &pushed.last().expect("one")["scoreboard"];
        assert_eq!(app.fresh_board().await["scoreboard"], *rows);
        app.advance(HOUR_MS);
        app.settled().await;
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -25, "after the reveal");
    }

    async fn a_banned_team_takes_no_hints_and_keeps_its_record(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("The Lighthouse").await;
        team.solves("two").await;
        take(&team, "one", "a").await;
        app.run(commands::ban("The Lighthouse")).await;
        assert_eq!(take(&team, "one", "c").await.status, 401);
        assert!(row(&app.fresh_board().await, "The Lighthouse").is_none());
        app.run(commands::unban("The Lighthouse")).await;
        assert_eq!(award(&app.fresh_board().await, "The Lighthouse"), -30);
    }
}
