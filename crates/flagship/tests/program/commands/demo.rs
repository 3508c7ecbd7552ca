//! `serve --demo` on the example event: the event runs, simulated teams play, and a new team can
//! sign up at once.

use std::path::Path;

use altcha::{Challenge, Payload, SolveChallengeOptions};
use data_encoding::BASE64;
use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::player::Player;
use crate::process::{Server, TestSite};
use crate::until;

const SYNTHETIC_TEAMS: usize = 40;

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/beginner");
    path.to_str().expect("the repository has a plain name").to_owned()
}

async fn serve(site: &TestSite) -> Server {
    let mut command = site.command(&["serve", "--event", &example(), "--listen", "127.0.0.1:0"]);
    command.env("FLAGSHIP_DEMO", "1");
    Server::start(command).await
}

async fn solved_captcha(player: &Player) -> String {
    let (status, challenge) = player.get("/captcha").await;
    assert_eq!(status, 200, "{challenge}");
    let challenge: Challenge = serde_json::from_value(challenge).unwrap();
    let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge));
    let payload = Payload { solution: solution.unwrap().expect("it has a solution"), challenge };
    BASE64.encode(&serde_json::to_vec(&payload).unwrap())
}

async fn solves(player: &Player) -> usize {
    player.board().await.values().map(|row| row.solves.len()).sum()
}

on_both_engines! {
    async fn a_new_team_can_sign_up_and_play_at_once(engine: Engine) {
        let site = TestSite::new(engine).await;
        let server = serve(&site).await;
        let player = server.player();
        assert_eq!(player.get("/ctf").await.1["status"], "running");
        assert_eq!(player.board().await.len(), SYNTHETIC_TEAMS);
        until("solves appear", async || solves(&player).await >= 3).await;
        let signup = json!({"teamName": "The Visitors", "email": "visitor@example.org",
            "country": "IT", "password": "correct horse",
            "captchaToken": solved_captcha(&player).await});
        let (status, answer) = player.post("/signup", &signup).await;
        assert_eq!(status, 201, "{answer}");
        let mark = format!("{}/confirm#", server.url);
        let mut link = None;
        until("the link is printed", async || {
            let out = server.out();
            link = out.iter().find_map(|line| line.split_once(&mark).map(|it| it.1.to_owned()));
            link.is_some()
        })
        .await;
        let token = link.unwrap();
        assert_eq!(player.post("/confirm", &json!({"token": token})).await.0, 200);
        let log_in = json!({"team": "The Visitors", "password": "correct horse",
            "captchaToken": solved_captcha(&player).await});
        let (status, answer) = player.post("/login", &log_in).await;
        assert_eq!(status, 200, "{answer}");
        let team = server.team(answer["token"].as_str().unwrap()).await;
        assert!(team.challenges().await.len() >= 20);
        let right = crate::player::flag("come-aboard", "pier{w3lc0m3_4b04rd}");
        assert_eq!(team.post("/solve", &right).await, (200, json!({"correct": true})));
        let out = server.out();
        assert!(out[0].starts_with("Flagship is ready on "), "{out:?}");
        server.stop().await;
        // A second start continues the same event with the same teams.
        let server = serve(&site).await;
        let board = server.player().board().await;
        assert_eq!(board.len(), SYNTHETIC_TEAMS + 1);
        assert_eq!(board["The Visitors"].solves.len(), 1);
        server.stop().await;
        site.run(&["journal", "verify"]).await.ok();
    }
}
