//! The frozen board, which is equal for all viewers, and a team's own solves, which it receives
//! separately.

use super::*;

on_both_engines! {
    async fn the_board_of_the_freeze_is_the_same_for_all_and_own_solves_are_apart(
        engine: Engine
    ) {
        let it = frozen(engine, Reveal::Manual).await;
        it.others(World::Solved, &[(&it.early, "two"), (&it.late, "two")]).await;
        it.viewer.solves("two").await;
        it.viewer.solves("three").await;
        let now = it.app.now_ms() as f64 / 1000.0;
        it.app.run(commands::award("Viewer", 5)).await;
        it.app.fresh_board().await;
        let get = async |path: &str, encoding: &str, token: &str| {
            let call = Call::new("GET", path).header("accept-encoding", encoding);
            call.header("x-api-key", token).send(&it.app).await
        };
        let words = "the board that all are sent";
        let is_own =
            control("the_board_of_the_freeze_is_the_same_for_all_and_own_solves_are_apart", words);
        let path = if is_own { "/api/team/Viewer" } else { "/api/scoreboard" };
        for encoding in ["identity", "gzip", "br"] {
            let shared = get(path, encoding, "").await;
            for team in [&it.viewer, &it.early, &it.latest] {
                let board = get(path, encoding, &team.token).await;
                assert_eq!(board.body, shared.body, "{words}: {encoding}, {}", team.name);
                assert_eq!(board.header("etag"), shared.header("etag"));
                let known = Call::new("GET", path).header("x-api-key", &team.token);
                let known = known.header("if-none-match", shared.header("etag"));
                assert_eq!(known.send(&it.app).await.status, 304);
            }
        }
        let own = async |team: &Team| {
            let reply = get("/api/scoreboard/own", "br", &team.token).await;
            let headers = ["cache-control", "etag", "content-encoding"].map(|it| reply.header(it));
            assert_eq!((reply.status, headers), (200, ["no-store", "", ""]));
            reply.json()
        };
        let solves =
            json!([{"challengeId": "two", "ts": now}, {"challengeId": "three", "ts": now}]);
        let seen = json!({"teamName": "Viewer", "own": solves, "award": 5});
        assert_eq!(own(&it.viewer).await, seen);
        let none = json!({"teamName": "Latest", "own": [], "award": 0});
        assert_eq!(own(&it.latest).await, none, "what others solved is not in it");
        for token in ["", "nonsense"] {
            assert_eq!(get("/api/scoreboard/own", "br", token).await.status, 401);
        }
        it.app.run(commands::withdraw("Viewer", "three")).await;
        let solves = json!([{"challengeId": "two", "ts": now}]);
        assert_eq!(own(&it.viewer).await["own"], solves, "without what was withdrawn");
        it.app.run(commands::reveal()).await;
        assert_eq!(own(&it.viewer).await["own"], json!([]), "the board has it now");
    }
}
