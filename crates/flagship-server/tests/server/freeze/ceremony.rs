//! The sealed ranking: only roles that may reveal can read it, and others cannot see the read.

use flagship_game::ceremony;

use super::*;

const PATH: &str = "/api/organize/ceremony";

async fn read(it: &Frozen, session: &str) -> Reply {
    Call::new("GET", PATH).session(session).send(&it.app).await
}

/// A frozen event that has ended, with hidden solves of all teams.
async fn ended(engine: Engine, reveal: Reveal) -> Frozen {
    let it = frozen(engine, reveal).await;
    it.viewer.solves("two").await;
    it.others(World::Solved, &[(&it.early, "two"), (&it.latest, "one"), (&it.late, "two")]).await;
    it.app.advance(2 * HOUR_MS);
    it.app.settled().await;
    it
}

on_both_engines! {
    async fn the_sealed_ranking_leads_from_the_frozen_board_to_the_final_one(engine: Engine) {
        let it = ended(engine, Reveal::Manual).await;
        let organizer = it.app.organizer("Host", &[Role::Organizer]).await;
        let session = it.app.organizer_session(&organizer, true).await;
        let reply = read(&it, &session).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(reply.header("cache-control"), "no-store");
        let told = reply.json();
        let contest = it.app.app.contest();
        let frozen = view::board(&contest, Viewer::Public);
        let last = view::board(&contest, Viewer::Organizer);
        let expected = ceremony::ceremony(&frozen, &last);
        let teams = told["teams"].as_array().expect("teams");
        assert_eq!(teams.len(), expected.len());
        assert!(expected.iter().any(|team| !team.solves.is_empty()));
        for (told, team) in teams.iter().zip(&expected) {
            assert_eq!(told["teamName"], team.row.name());
            assert_eq!(told["finalRank"], team.rank);
            let solves = told["solves"].as_array().expect("solves");
            let gained: i64 = solves.iter().filter_map(|it| it["points"].as_i64()).sum();
            let points = told["points"].as_i64().expect("a number");
            assert_eq!(points + gained, team.row.points(), "{told}");
            let (_, shown) = frozen.row(team.row.name()).expect("a row");
            assert_eq!(told["frozenPoints"], shown.points());
        }
    }

    async fn only_those_who_may_reveal_read_the_sealed_ranking(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        let owner = it.app.organizer("Host", &[Role::Owner]).await;
        let session = it.app.organizer_session(&owner, true).await;
        let early = read(&it, &session).await;
        assert_eq!((early.status, &early.json()["code"]), (409, &json!("event_running")));
        it.app.advance(2 * HOUR_MS);
        it.app.settled().await;
        let stale = read(&it, &session).await;
        assert_eq!((stale.status, &stale.json()["code"]), (403, &json!("factor_needed")));
        for role in [Role::Observer, Role::Author, Role::Support] {
            let who = it.app.organizer(&format!("The {role}"), &[role]).await;
            let session = it.app.organizer_session(&who, true).await;
            assert_eq!(read(&it, &session).await.status, 404, "{role}");
        }
        assert_eq!(Call::new("GET", PATH).send(&it.app).await.status, 401);
        let fresh = it.app.organizer_session(&owner, true).await;
        assert_eq!(read(&it, &fresh).await.status, 200);
        it.app.run(commands::reveal()).await;
        let late = read(&it, &fresh).await;
        assert_eq!((late.status, &late.json()["code"]), (409, &json!("not_frozen")));
    }

    async fn a_ceremony_is_invisible_until_the_reveal(engine: Engine) {
        let it = ended(engine, Reveal::Manual).await;
        let readers = Readers::new(&it.app).await;
        let owner = it.app.organizer("Host", &[Role::Owner]).await;
        let session = it.app.organizer_session(&owner, true).await;
        let (anonymous, viewer) = (it.app.player(), &it.viewer.player);
        // Repeated logins meet their rate limit, and checks tell the free space of the disk.
        let reads = |answers: String| -> String {
            let is_steady = |line: &&str| !line.starts_with("POST ") && !line.contains("/checks ");
            let lines = answers.lines().filter(is_steady);
            lines.collect::<Vec<_>>().join("\n")
        };
        let seen = async || {
            let own = reads(it.answers(viewer).await);
            [reads(it.answers(&anonymous).await), own, reads(readers.read(&it.app).await)]
        };
        let mut sockets = [Socket::watching(&it.app).await.0, it.viewer.watching(&it.app).await.0];
        drop(seen().await);
        let before = seen().await;
        let seq = it.app.app.contest().public_seq();
        for _ in 0..3 {
            assert_eq!(read(&it, &session).await.status, 200);
        }
        if control("a_ceremony_is_invisible_until_the_reveal", "the ceremony shows") {
            it.app.run(commands::reveal()).await;
        }
        for (before, after) in before.iter().zip(&seen().await) {
            assert!(before == after, "the ceremony shows:\n{before}\n{after}");
        }
        assert_eq!(it.app.app.contest().public_seq(), seq);
        it.app.run(commands::reveal()).await;
        for socket in &mut sockets {
            // Own later solves reach their team without a number.
            let mut next = socket.next().await;
            while next["seq"].is_null() {
                next = socket.next().await;
            }
            assert_eq!(next["seq"], seq + 1, "the next frame is the reveal: {next}");
        }
    }
}
