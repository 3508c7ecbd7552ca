//! Graceful shutdown: acknowledged solves are stored, running requests are finished, and connected
//! sockets receive a close frame.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

use crate::event::EventFolder;
use crate::player::{Player, flag};
use crate::process::{Server, TestSite, read_csv};
use crate::until;

const TEAMS: usize = 20;
const CHALLENGES: usize = 40;
/// Number of acknowledged flags before the shutdown.
const BEFORE: usize = 40;

/// Close code of a server that shuts down: "going away".
const AWAY: Option<u16> = Some(1001);

/// Number of bytes that a client does not read: more than the socket buffers hold.
const UNREAD_BYTES: u32 = 64 * 1024;

/// Holds the database's write lock.
enum Held {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Held {
    async fn take(site: &TestSite) -> Self {
        if let Some(url) = &site.test.url {
            let mut conn = PgConnection::connect(url).await.unwrap();
            let sql = "begin; lock table journal in access exclusive mode";
            sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            return Self::Postgres(conn);
        }
        let file = format!("sqlite://{}", site.file("flagship.db").display());
        let mut conn = SqliteConnection::connect(&file).await.unwrap();
        sqlx::raw_sql("begin immediate").execute(&mut conn).await.unwrap();
        Self::Sqlite(conn)
    }

    async fn free(self) {
        match self {
            Self::Sqlite(conn) => conn.close().await.unwrap(),
            Self::Postgres(conn) => conn.close().await.unwrap(),
        }
    }
}

/// Waits until new connections are refused.
async fn closed(server: &Server) {
    let address = server.url.strip_prefix("http://").unwrap();
    until("new connections are refused", async || TcpStream::connect(address).await.is_err()).await;
}

/// Submits a flag that waits because the database's write lock is held.
async fn begun(team: &Player) -> tokio::task::JoinHandle<(u16, serde_json::Value)> {
    let team = team.clone();
    let mut solve = tokio::spawn(async move { team.solve("one").await });
    let answered = tokio::time::timeout(Duration::from_millis(300), &mut solve).await;
    assert!(answered.is_err(), "the lane waits: {answered:?}");
    solve
}

on_both_engines! {
    async fn a_stop_under_load_loses_no_acknowledged_flag(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for i in 0..CHALLENGES {
            event.challenge(&format!("c{i}"), "type: standard\nvalue: 1");
        }
        let server = site.serve(&event).await;
        let tokens = site.import(TEAMS).await;
        let mut sockets = Vec::new();
        for token in &tokens {
            sockets.push(server.team(token).await.watch().await.0);
        }
        let acknowledged = Arc::new(Mutex::new(BTreeSet::new()));
        let mut crowd = tokio::task::JoinSet::new();
        for (i, token) in tokens.iter().enumerate() {
            let (team, noted) = (server.player().with_token(token), acknowledged.clone());
            crowd.spawn(async move {
                // Flags are submitted, some repeatedly, until the server does not respond.
                for id in (0..CHALLENGES).map(|c| format!("c{c}")).cycle() {
                    match team.try_post("/solve", &flag(&id, &format!("flag{{{id}}}"))).await {
                        Ok((200, answer)) => {
                            assert_eq!(answer, json!({"correct": true}));
                            noted.lock().unwrap().insert((format!("Team {}", i + 1), id));
                        }
                        Ok((status, answer)) => assert_eq!(status, 503, "{answer}"),
                        Err(_) => return,
                    }
                }
            });
        }
        until("flags are acknowledged", async || {
            acknowledged.lock().unwrap().len() >= BEFORE
        }).await;
        server.terminate().await;
        for socket in &mut sockets {
            assert_eq!(socket.end().await, AWAY, "each socket gets a close frame");
        }
        assert_eq!(server.ended().await, Some(0));
        crowd.join_all().await;
        let acknowledged = acknowledged.lock().unwrap().clone();
        site.run(&["journal", "verify"]).await.ok();
        let csv = site.run(&["export", "solves", "--format", "csv"]).await.ok();
        let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let column = |name| header.iter().position(|it| *it == name).expect("a column");
        let (team, id) = (column("team"), column("challenge_id"));
        let kept: BTreeSet<_> =
            read_csv(&csv).into_iter().map(|row| (row[team].clone(), row[id].clone())).collect();
        let lost: Vec<_> = acknowledged.difference(&kept).collect();
        assert!(lost.is_empty(), "acknowledged, but not in the journal: {lost:?}");
    }

    async fn a_shutdown_finishes_requests_and_closes_sockets(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve_with(&event, |command| {
            command.args(["--metrics", "127.0.0.1:0"]);
        }).await;
        let watched = server.player().at(&server.watched().await);
        let token = site.import(1).await.remove(0);
        let team = server.team(&token).await;
        let held = Held::take(&site).await;
        let solve = begun(&team).await;
        server.terminate().await;
        closed(&server).await;
        let (status, text) = watched.text("/readyz").await;
        assert_eq!((status, text.contains("stopping")), (503, true), "{text}");
        assert_eq!(watched.text("/healthz").await.0, 200);
        held.free().await;
        assert_eq!(solve.await.unwrap(), (200, json!({"correct": true})));
        assert_eq!(server.ended().await, Some(0));
        let csv = site.run(&["export", "solves", "--format", "csv"]).await.ok();
        assert_eq!(read_csv(&csv).len(), 1, "the running request is recorded: {csv}");
    }

    async fn a_second_signal_ends_the_server_at_once(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let token = site.import(1).await.remove(0);
        let team = server.team(&token).await;
        let held = Held::take(&site).await;
        let solve = begun(&team).await;
        server.terminate().await;
        closed(&server).await;
        // The exit code is 0, even if the shutdown exceeded its time limit.
        server.terminate().await;
        assert_eq!(server.ended().await, Some(1), "a second signal ends the server");
        solve.abort();
        held.free().await;
        site.run(&["journal", "verify"]).await.ok();
    }
}

/// The program ends after the last socket's close frame, not after the last response: here a
/// snapshot fills all buffers, and the client continues reading after the signal.
#[tokio::test]
async fn a_slow_reading_socket_receives_the_close_frame() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let values = vec!["100000"; 1000].join(", ");
    for i in 0..200 {
        event
            .challenge(&format!("c{i}"), &format!("type: speedrun\nextra: {{values: [{values}]}}"));
    }
    let server = site.serve(&event).await;
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(UNREAD_BYTES).unwrap();
    let stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let (mut socket, _) = client_async(format!("ws://{address}/api/live"), stream).await.unwrap();
    socket.send(Message::text(r#"{"action":"getscoreboard"}"#)).await.unwrap();
    let mut bytes = [0; 1024];
    until("the snapshot comes", async || socket.get_ref().peek(&mut bytes).await.unwrap() == 1024)
        .await;
    server.terminate().await;
    closed(&server).await;
    let mut snapshots = 0;
    let mut end = None;
    while let Some(Ok(message)) = socket.next().await {
        match message {
            Message::Text(text) => snapshots += usize::from(text.len() > 1_000_000),
            Message::Close(frame) => end = frame.map(|frame| frame.code.into()),
            _ => {}
        }
    }
    assert_eq!((snapshots, end), (1, AWAY), "the socket gets a close frame");
    assert_eq!(server.ended().await, Some(0));
}
