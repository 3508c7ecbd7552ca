//! Divisions in the freeze: a public one hides later solves like the whole scoreboard, and nothing
//! that players receive depends on a private one.

use super::*;
use crate::actions::{action, session_of};

/// Readers without the right to see private divisions.
const UNAWARE: [Role; 2] = [Role::Observer, Role::Author];

/// Everything that players, the public and some organizers receive in an event with or without a
/// private division, to which an organizer adds a team in the freeze.
async fn received(engine: Engine, has_private: bool) -> Vec<String> {
    let mut divisions = divisions();
    divisions.retain(|it| has_private || !it.private);
    let it = frozen_with(engine, Reveal::Manual, divisions).await;
    let mut sessions = Vec::new();
    for role in UNAWARE {
        sessions.push(session_of(&it.app, role).await);
    }
    let owner = session_of(&it.app, Role::Owner).await;
    let (mut public, first) = Socket::watching(&it.app).await;
    let (mut own, own_first) = it.early.watching(&it.app).await;
    let mut all = vec![first.to_string(), own_first.to_string()];
    it.others(World::Solved, &[(&it.late, "two"), (&it.latest, "one")]).await;
    if has_private {
        let fields = json!({"team": "Late", "divisions": ["human", "staff"]});
        let done = action(&it.app, &owner, "team.divisions", fields).await;
        assert_eq!(done.status, 200, "{}", done.text());
    }
    it.app.settled().await;
    it.app.fresh_board().await;
    // Teams of both divisions, and of the public one only.
    let anonymous = it.app.player();
    for who in [&anonymous, &it.viewer.player, &it.early.player, &it.late.player] {
        all.extend(it.answers(who).await.lines().map(str::to_owned));
    }
    for division in ["staff", "none"] {
        let signup = json!({"teamName": "Otters", "email": "o@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off", "divisions": [division]});
        let answer = anonymous.post("/signup", &signup).await;
        all.push(format!("signup: {} {}", answer.status, answer.json["code"]));
    }
    let lists = ["/divisions", "/teams", "/teams/Early", "/teams/Late", "/teams?division=staff"];
    let exports = ["/exports/standings?division=staff", "/exports/teams"];
    for session in &sessions {
        for path in lists.iter().chain(&exports) {
            let reply = Call::organize("GET", path).session(session).send(&it.app).await;
            let read = match serde_json::from_slice(&reply.body) {
                Ok(json) => steady(json).to_string(),
                Err(_) => reply.text(),
            };
            all.push(format!("{path} {} {read}", reply.status));
        }
    }
    // The numbers of messages do not count private changes.
    it.app.confirm(15).await;
    for socket in [&mut public, &mut own] {
        all.extend(socket.until("newteam").await.iter().map(ToString::to_string));
    }
    all
}

/// The feeds of a division to the public and to a team, in the freeze and after the reveal.
async fn feeds(engine: Engine, world: World) -> Vec<String> {
    let it = frozen(engine, Reveal::Manual).await;
    let feed = async || {
        let mut all = Vec::new();
        for who in [&it.app.player(), &it.viewer.player, &it.late.player] {
            let answer = who.get("/ctftime?division=human").await;
            assert_eq!(answer.status, 200);
            all.push(format!("{:?} {}", answer.headers.get("etag"), answer.json));
        }
        all
    };
    let mut all = feed().await;
    it.others(world, &[(&it.late, "two"), (&it.latest, "one"), (&it.latest, "two")]).await;
    it.others_take_hints(world, &[&it.latest, &it.early]).await;
    it.app.settled().await;
    it.app.fresh_board().await;
    all.extend(feed().await);
    assert_eq!(all[..3], all[3..], "the freeze also keeps the feed of a division");
    it.app.run(commands::reveal()).await;
    it.app.fresh_board().await;
    all.extend(feed().await);
    all
}

on_both_engines! {
    async fn no_response_depends_on_a_private_division(engine: Engine) {
        let (with, without) = tokio::join!(received(engine, true), received(engine, false));
        for (with, without) in with.iter().zip(&without) {
            assert_eq!(with, without, "the private division shows");
        }
        assert_eq!(with.len(), without.len());
    }

    async fn solves_and_hints_of_the_freeze_are_not_in_the_feed_of_a_division(engine: Engine) {
        let (solved, guessed) =
            tokio::join!(feeds(engine, World::Solved), feeds(engine, World::Guessed));
        assert_eq!(solved[..6], guessed[..6], "two worlds differ in the freeze");
        assert_ne!(solved[6..], guessed[6..], "the reveal shows the difference");
    }
}
