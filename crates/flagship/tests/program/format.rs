//! A journal with an entry of a newer format: a node stops before the first entry that it cannot
//! read, reports this, and serves its last board.

use flagship_game::chain;
use flagship_store::Key;
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

const READ_ONLY: &str = "This server is read-only because a newer version of Flagship is running. \
    Please tell the organizers.";
/// The reason in the log. The event and its first solve are entries 1 to 8.
const REASON: &str = "journal entry 9 uses format 99";

/// Appends an entry as a newer version does: chained and signed.
async fn append(site: &TestSite, body: &str) {
    let rows = site.test.journal().await;
    let (last, at_ms, _, _, previous) = rows.last().expect("the journal has entries");
    let meta: Vec<(String, String)> = site.test.rows("select key, value from meta").await;
    let generation =
        meta.iter().find(|(key, _)| key == "generation").expect("the journal has a generation");
    let secret = std::fs::read(site.file("secret")).expect("the secret exists");
    let key = Key::new(secret.trim_ascii()).subkey("journal entry", &[&generation.1]);
    let mut salt = key.mac(previous, &[&at_ms.to_string(), body]);
    salt.truncate(32);
    let (seq, commitment) = (last + 1, chain::commitment(&salt, body));
    let hash = chain::link(previous, seq, *at_ms, &commitment);
    let sql = format!("insert into journal values ({seq}, {at_ms}, '{salt}', '{body}', '{hash}')");
    site.test.execute(Box::leak(sql.into_boxed_str())).await;
}

/// Asserts that a node refuses writes and still serves its last board.
async fn assert_reads_only(server: &Server, token: &str) {
    until("the node is not ready", async || {
        let (status, body) = server.player().text("/readyz").await;
        status == 503 && body.contains(READ_ONLY)
    })
    .await;
    let refusal = (503, json!({"message": READ_ONLY}));
    let team = server.team(token).await;
    let log_in = json!({"team": "Team 1", "password": "none", "captchaToken": "off"});
    for (path, body) in [
        ("/solve", json!({"challengeId": "two", "flag": "flag{two}"})),
        ("/solve", json!({"challengeId": "two", "flag": "wrong"})),
        ("/login", log_in),
        ("/logout", json!({})),
    ] {
        let (status, mut said) = team.post(path, &body).await;
        // Errors may contain more text after the message.
        let message = said["message"].take();
        assert_eq!((status, json!({"message": message})), refusal, "{path} {body}");
    }
    let board = server.player().board().await;
    assert_eq!(board["Team 1"].solves.len(), 1);
    assert_eq!(board["Team 2"].solves.len(), 0);
    assert!(team.challenges().await.contains(&"one".to_owned()));
    let (socket, snapshot) = server.player().watch().await;
    assert_eq!(snapshot["event"], Value::from("scoreboard"), "{snapshot}");
    drop(socket);
    assert!(server.err().iter().any(|line| line.contains(REASON)), "{:?}", server.err());
}

on_both_engines! {
    async fn a_node_is_read_only_from_a_newer_format_on(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        server.team(&tokens[0]).await.solves("one").await;
        server.team(&tokens[1]).await;
        append(&site, r#"{"type":"format","version":99}"#).await;
        append(&site, r#"{"type":"invented_later","team":1}"#).await;
        let written = site.test.journal().await;
        assert_reads_only(&server, &tokens[1]).await;
        let lines = server.err();
        assert_eq!(lines.iter().filter(|line| line.contains(REASON)).count(), 1, "{lines:?}");
        server.stop().await;
        // The node behaves the same after a restart.
        let server = site.serve(&event).await;
        assert_reads_only(&server, &tokens[1]).await;
        server.stop().await;
        site.run(&["journal", "verify"]).await.fails(REASON);
        site.run(&["team", "ban", "Team 1"]).await.fails(REASON);
        site.run(&["export", "standings"]).await.fails(REASON);
        site.apply(&event).await.fails(REASON);
        let doctor = site.run(&["doctor"]).await;
        assert!(doctor.out.contains(REASON), "{doctor:?}");
        assert_eq!(site.test.journal().await, written, "nothing was appended");
    }
}
