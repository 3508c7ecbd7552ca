//! kill -9 while teams take hints, find parts and use attempts: everything that was acknowledged is
//! kept, and counts once.

use flagship_testkit::{Engine, on_both_engines};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::event::EventFolder;
use crate::player::{Player, flag};
use crate::process::{Server, TestSite};

const TEAMS: usize = 60;
/// Number of challenges. After a kill that came too late, the next challenge is used.
const TRIES_MAX: usize = 12;

/// A hint for points, two flags that are both needed, and three attempts.
const RULES: &str = "type: standard\nvalue: 100\nlogic: all\nattempts: 3\n\
                     hints: [{key: tool, content: Look., cost: 5}]";

/// Returns the request of a team: every third one takes a hint, finds a part or guesses.
fn request(id: &str, team: usize) -> (&'static str, Value) {
    match team % 3 {
        0 => ("/hint", json!({"challengeId": id, "hintId": "tool"})),
        1 => ("/solve", flag(id, &format!("flag{{{id}}}"))),
        _ => ("/solve", flag(id, "flag{wrong}")),
    }
}

/// The response to a team's request, also if it is repeated.
fn response(team: usize) -> Value {
    match team % 3 {
        0 => json!({"html": "<p>Look.</p>", "cost": 5}),
        1 => json!({"correct": false, "progress": {"found": 1, "of": 2}}),
        _ => json!({"correct": false, "attemptsLeft": 2}),
    }
}

/// True if the team's request took effect, by its list of challenges.
async fn took_effect(player: &Player, id: &str, team: usize) -> bool {
    let (status, list) = player.get("/challenge").await;
    assert_eq!(status, 200, "{list}");
    let mut challenges = list["challenges"].as_array().expect("a list").iter();
    let challenge = challenges.find(|challenge| challenge["id"] == id).expect("it is open");
    match team % 3 {
        0 => challenge["hints"][0]["taken"] == true,
        1 => challenge["progress"]["found"] == 1,
        _ => challenge["attemptsLeft"] == 2,
    }
}

/// Sends all requests at once, and kills the server after `acks` responses. Returns the teams that
/// got one.
async fn strike(mut server: Server, tokens: &[String], id: &str, acks: usize) -> Vec<usize> {
    let (answered, mut answers) = mpsc::unbounded_channel();
    for (team, token) in tokens.iter().enumerate() {
        let player = server.player().with_token(token);
        let answered = answered.clone();
        let (path, body) = request(id, team);
        tokio::spawn(async move {
            // An interrupted request was not acknowledged.
            if let Ok(answer) = player.try_post(path, &body).await {
                assert_eq!(answer, (200, response(team)));
                answered.send(team).expect("the receiver counts");
            }
        });
    }
    drop(answered);
    let mut acknowledged = Vec::new();
    while let Some(team) = answers.recv().await {
        acknowledged.push(team);
        if acknowledged.len() == acks {
            server.kill();
        }
    }
    server.gone().await;
    acknowledged
}

async fn rounds(engine: Engine, rounds: usize) {
    let site = TestSite::new(engine).await;
    let event = EventFolder::new();
    event.challenge("bank", "type: standard\nvalue: 1000");
    for i in 0..TRIES_MAX {
        event.write(
            &format!("challenges/try-{i}/challenge.yml"),
            &format!(
                "name: Try {i}\nid: try-{i}\ncategory: misc\ndescription: What is it?\n\
                 flags: [\"flag{{try-{i}}}\", \"flag{{other}}\"]\n{RULES}\n"
            ),
        );
    }
    site.apply(&event).await.ok();
    let tokens = site.import(TEAMS).await;
    let server = site.serve(&event).await;
    for token in &tokens {
        server.player().with_token(token).solves("bank").await;
    }
    server.stop().await;
    let mut done = 0;
    let mut acks = TEAMS / 2;
    for round in 0..TRIES_MAX {
        let id = format!("try-{round}");
        let acknowledged = strike(site.serve(&event).await, &tokens, &id, acks).await;
        eprintln!("{id}: killed after {acks} answers; {} acknowledged", acknowledged.len());
        site.run(&["journal", "verify"]).await.ok();
        let server = site.serve(&event).await;
        for team in &acknowledged {
            let player = server.player().with_token(&tokens[*team]);
            assert!(took_effect(&player, &id, *team).await, "Team {} at {id}", team + 1);
        }
        for (team, token) in tokens.iter().enumerate() {
            let (path, body) = request(&id, team);
            let answer = server.player().with_token(token).post(path, &body).await;
            assert_eq!(answer, (200, response(team)), "Team {} at {id}", team + 1);
        }
        let charged = -5 * i64::try_from(round + 1).expect("it is small");
        for (name, row) in server.player().board().await {
            let team: usize = name.trim_start_matches("Team ").parse().expect("a number");
            let award = if (team - 1).is_multiple_of(3) { charged } else { 0 };
            assert_eq!(row.award, award, "{name} pays once for each hint");
        }
        server.stop().await;
        match acknowledged.len() < TEAMS {
            true => done += 1,
            // The kill was too late: the server had answered all requests before.
            false => acks = (acks / 2).max(1),
        }
        if done == rounds {
            return;
        }
    }
    panic!("only {done} kills came in the middle");
}

on_both_engines! {
    async fn hints_and_attempts_that_were_acknowledged_survive_a_kill(engine: Engine) {
        rounds(engine, 2).await;
    }
}
