//! The live channel: snapshots, deltas, resuming, and responses to invalid messages.

#[path = "../../../flagship-game/tests/client/mod.rs"]
mod client;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use flagship_game::{Event, Reveal, Scoring};
use flagship_server::deflate::{self, DeflateStream, Mark};
use flagship_store::challenges::Draft;
use flagship_store::ops::{Op, Plan};
use flagship_testkit::player::{HOUR_MS, draft, event, ids, row};
use flagship_testkit::{
    NOW_MS, Socket, Team, TestApp, TestDb, WAIT_MAX, commands, numbered_team, on_both_engines,
    until,
};
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::{WebSocketStream, client_async};

fn get() -> Value {
    json!({"action": "getscoreboard"})
}

/// A request for all messages after a known message or snapshot.
fn since(known: &Value, seq: &Value) -> Value {
    json!({"action": "getscoreboard", "since": seq, "generation": known["generation"]})
}

fn seq(message: &Value) -> u64 {
    message["seq"].as_u64().unwrap_or_else(|| panic!("it has a number: {message}"))
}

fn kinds(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["event"].as_str()).collect()
}

/// A socket that resumed from the newest snapshot and has received nothing yet.
async fn resuming(app: &TestApp) -> (Socket, Value) {
    let (mut socket, snapshot) = Socket::watching(app).await;
    socket.say(&since(&snapshot, &snapshot["seq"])).await;
    socket.say(&json!({"action": "are you there"})).await;
    assert_eq!(socket.next().await["event"], "error", "nothing was missed");
    (socket, snapshot)
}

/// A change by the organizers.
enum Change {
    Clock(i64),
    Lane(Box<Op>),
}

async fn make(app: &TestApp, change: Change) {
    match change {
        Change::Clock(by_ms) => app.advance(by_ms),
        Change::Lane(op) => drop(app.run(*op).await),
    }
}

fn show(id: &str, shown: bool) -> Change {
    Change::Lane(Box::new(commands::show(id, shown)))
}

fn manual() -> Event {
    Event { reveal: Reveal::Manual, start_ms: Some(NOW_MS + HOUR_MS / 2), ..event() }
}

/// Asserts that a client's board after the messages equals the server's board at the same position.
async fn holds(app: &TestApp, mut held: Value, messages: &[Value]) {
    for message in messages {
        client::receive(&mut held, message);
    }
    let fresh = app.board_so("the server's board is there", |it| it["seq"] == held["seq"]).await;
    assert_eq!(held["challenges"], fresh["challenges"]);
    assert_eq!(held["scoreboard"], fresh["scoreboard"]);
    assert_eq!(client::ranks(&held), client::ranks(&fresh));
}

/// A client that accepts compressed messages, as browsers do.
struct Packed(WebSocketStream<DeflateStream<TcpStream>>);

impl Packed {
    async fn open(app: &TestApp) -> Self {
        let address = app.url.trim_start_matches("http://");
        let mut asks = format!("ws://{address}/api/live").into_client_request().expect("a request");
        let offer = HeaderValue::from_static("permessage-deflate; client_max_window_bits");
        asks.headers_mut().insert("sec-websocket-extensions", offer);
        let stream = TcpStream::connect(address).await.expect("it connects");
        let (socket, answer) = client_async(asks, stream).await.expect("the live channel opens");
        assert_eq!(answer.headers()["sec-websocket-extensions"], deflate::AGREED);
        let stream = DeflateStream::new(socket.into_inner(), true);
        Self(WebSocketStream::from_raw_socket(stream, Role::Client, None).await)
    }

    /// Sends bytes as a compressed text.
    async fn say(&mut self, packed: impl Into<Bytes>) {
        let mut frame = Frame::message(packed.into(), OpCode::Data(Data::Text), true);
        frame.header_mut().rsv1 = true;
        self.0.send(Message::Frame(frame)).await.expect("the socket is open");
    }

    async fn hear(&mut self) -> Message {
        let said = async {
            loop {
                match self.0.next().await.expect("the socket is open").expect("a message") {
                    Message::Ping(_) => {}
                    message => return message,
                }
            }
        };
        timeout(WAIT_MAX, said).await.expect("a message comes")
    }

    /// The next message, and its mark: compressed or not.
    async fn next(&mut self) -> (Value, Mark) {
        let bytes = self.hear().await.into_data();
        let mark = self.0.get_mut().mark();
        let bytes = match mark {
            Mark::None => bytes.to_vec(),
            _ => deflate::unpack(&bytes, 1 << 20).expect("it is compressed"),
        };
        (serde_json::from_slice(&bytes).expect("messages are JSON"), mark)
    }

    /// The close code that the server sends.
    async fn ended(mut self) -> CloseCode {
        match self.hear().await {
            Message::Close(Some(end)) => end.code,
            other => panic!("a goodbye, not {other:?}"),
        }
    }
}

on_both_engines! {
    async fn a_snapshot_has_the_shape_of_the_contract(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("two")];
        drafts[0].challenge.position = Some(1);
        let app = TestApp::playing(engine, event(), drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        teams[0].solves("one").await;
        app.advance(1_234);
        teams[1].solves("two").await;
        app.run(commands::award("The Harbour", -5)).await;

        let (_, anonymous) = Socket::watching(&app).await;
        let (_, own) = teams[0].watching(&app).await;
        let ts = NOW_MS / 1000;
        let later = (NOW_MS + 1_234) as f64 / 1000.0;
        let column = |id: &str, ts: Value| json!({
            "id": id, "challengeName": format!("The {id}"), "challengeType": "static",
            "maxValue": 100, "minValue": 0, "speedrunValues": [], "categories": ["misc"],
            "nsolves": 1, "fbTs": ts,
        });
        assert_eq!(anonymous, json!({
            "event": "scoreboard", "seq": anonymous["seq"], "generation": anonymous["generation"],
            "challenges": [column("one", json!(ts)), column("two", json!(later))],
            "scoreboard": [
                ["The Lighthouse", "IT", {"0": [1, ts]}, ts],
                ["The Harbour", "IT", {"1": [1, later]}, later, -5],
            ],
        }));
        assert_eq!(own, anonymous, "also with a token, while nothing is frozen");
        assert_eq!(app.board().await, anonymous, "also over HTTP");
        assert_eq!(anonymous["generation"].as_str().expect("a text").len(), 32);
        let columns = anonymous["challenges"].as_array().expect("columns");
        assert_eq!(ids(columns), ids(&teams[0].challenges().await));
    }

    async fn an_unknown_token_gets_the_public_board(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let (_, anonymous) = Socket::watching(&app).await;
        for token in ["", "fsp_", "eyJhbGciOiJub25lIn0.e30.", &flagship_server::new_token()] {
            let mut socket = Socket::open(&app).await;
            let ask = json!({"action": "getscoreboard", "token": token, "unknown": [1, {}]});
            assert_eq!(socket.snapshot(&ask).await, anonymous, "{token}");
        }
    }

    async fn a_socket_without_a_request_receives_nothing(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let mut silent = Socket::open(&app).await;
        let (mut world, _) = Socket::watching(&app).await;
        app.team("The Lighthouse").await.solves("one").await;
        world.until("solve").await;
        let fresh = app.fresh_board().await;
        silent.say(&get()).await;
        assert_eq!(silent.next().await, fresh, "the requested message comes first");
    }

    async fn invalid_messages_get_an_error_and_the_socket_stays_open(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let nonsense = [
            "", " ", "{", "null", "[]", "5", "\"getscoreboard\"", "{}", "{\"action\":null}",
            "{\"action\":5}", "{\"action\":[\"getscoreboard\"]}", "{\"action\":\"GETSCOREBOARD\"}",
            "{\"action\":\"\"}", "{\"action\":\"solve\"}", "[\"getscoreboard\"]",
            "[\"getscoreboard\",null,null,null]", "{\"action\":\"\\ud800\"}",
            "{\"action\":\"getscoreboard\",\"action\":\"getscoreboard\"}",
            "{\"action\":\"getscoreboard\",\"token\":5}",
            "{\"action\":\"getscoreboard\",\"token\":[]}",
            "{\"action\":\"getscoreboard\",\"since\":\"5\",\"generation\":\"x\"}",
            "{\"action\":\"getscoreboard\",\"since\":-1,\"generation\":\"x\"}",
            "{\"action\":\"getscoreboard\",\"since\":1.5,\"generation\":\"x\"}",
            "{\"action\":\"getscoreboard\",\"since\":99999999999999999999,\"generation\":\"x\"}",
            "{\"action\":\"getscoreboard\",\"since\":1,\"generation\":7}",
            "{\"action\":\"zQ7mark\",\"token\":\"zQ7mark\"}",
        ];
        let deep = "[".repeat(4_000);
        let before = app.app.contest().seq();
        for some in nonsense.iter().copied().chain([deep.as_str()]).collect::<Vec<_>>().chunks(5) {
            let mut socket = Socket::open(&app).await;
            for text in some {
                socket.send(Message::text(*text)).await;
                let answer = socket.next_text().await;
                assert!(!answer.contains("zQ7mark"), "the message is not echoed: {answer}");
                let answer: Value = serde_json::from_str(&answer).expect("JSON");
                let names: Vec<&String> = answer.as_object().expect("an object").keys().collect();
                assert_eq!(names, ["event", "code", "message"], "{text}");
                assert_eq!(answer["event"], "error", "{text}: {answer}");
                let words = answer["message"].as_str().expect("a sentence");
                assert!(words.ends_with('.') && words.len() > 10, "{words}");
            }
            socket.send(Message::binary(vec![0, 159, 146, 150])).await;
            assert_eq!(socket.next().await["event"], "error");
            assert_eq!(socket.snapshot(&get()).await["event"], "scoreboard", "it stays open");
        }
        assert_eq!(app.app.contest().seq(), before);
    }

    async fn a_flooding_socket_is_closed_and_others_are_not_affected(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let (mut calm, _) = Socket::watching(&app).await;
        let mut flood = Socket::open(&app).await;
        flood.flood(Message::text("{\"action\":\"none\"}"), 60).await;
        flood.closed().await;
        let mut binary = Socket::open(&app).await;
        binary.flood(Message::binary(vec![0]), 60).await;
        binary.closed().await;
        let mut huge = Socket::open(&app).await;
        huge.send(Message::text("x".repeat(5_000))).await;
        huge.closed().await;
        app.team("The Lighthouse").await;
        assert_eq!(calm.next().await["event"], "newteam", "the other socket receives the change");
    }

    async fn a_resuming_socket_receives_missed_messages_once(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour", "The Pier"]).await;
        let (mut world, before) = Socket::watching(&app).await;
        teams[0].solves("one").await;
        teams[1].solves("one").await;
        app.teams(&["The Island"]).await;
        teams[0].solves("two").await;
        let live = world.until_so(|message| message["seq"] == seq(&before) + 4).await;
        assert_eq!(kinds(&live), ["solve", "solve", "newteam", "solve"]);
        holds(&app, before.clone(), &live).await;

        for missed in 0..=live.len() {
            let known = seq(&before) + live.len() as u64 - missed as u64;
            let mut socket = Socket::open(&app).await;
            socket.say(&since(&before, &json!(known))).await;
            let mut sent = Vec::new();
            for _ in 0..missed {
                sent.push(socket.next().await);
            }
            assert_eq!(sent, live[live.len() - missed..], "{missed} missed");
            // The next change is the next message.
            socket.say(&json!({"action": "none"})).await;
            assert_eq!(socket.next().await["event"], "error");
        }
        let mut socket = Socket::open(&app).await;
        socket.say(&since(&before, &live[3]["seq"])).await;
        socket.say(&json!({"action": "none"})).await;
        assert_eq!(socket.next().await["event"], "error", "nothing was missed");
        teams[2].solves("one").await;
        assert_eq!(seq(&socket.next().await), seq(&before) + 5);
    }

    async fn a_resume_that_deltas_cannot_answer_gets_a_snapshot(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let lighthouse = app.team("The Lighthouse").await;
        let (_, before) = Socket::watching(&app).await;
        make(&app, show("two", false)).await;
        lighthouse.solves("one").await;
        let fresh = app.board_so("the board is current", |it| seq(it) == seq(&before) + 2).await;
        let generation = &before["generation"];
        let table = [
            ("another journal", json!("0".repeat(32)), json!(seq(&fresh))),
            ("the future", generation.clone(), json!(seq(&fresh) + 1)),
            ("the far future", generation.clone(), json!(u64::MAX)),
            ("before a change", generation.clone(), json!(seq(&before))),
            ("before the server began", generation.clone(), json!(0)),
        ];
        for (what, generation, since) in table {
            let mut socket = Socket::open(&app).await;
            let ask = json!({"action": "getscoreboard", "since": since, "generation": generation});
            socket.say(&ask).await;
            assert_eq!(socket.next().await, fresh, "{what}");
        }
        for half in [json!({"since": seq(&fresh)}), json!({"generation": generation})] {
            let mut ask = half.clone();
            ask["action"] = json!("getscoreboard");
            let mut socket = Socket::open(&app).await;
            socket.say(&ask).await;
            assert_eq!(socket.next().await, fresh, "{half}");
        }
    }

    async fn a_snapshot_is_sent_where_it_is_shorter_than_what_was_missed(engine: Engine) {
        let drafts: Vec<Draft> = (0..30).map(|i| draft(&format!("c{i}"))).collect();
        let app = TestApp::playing(engine, event(), drafts).await;
        let lighthouse = app.team("The Lighthouse").await;
        let (_, before) = Socket::watching(&app).await;
        for _ in 0..12 {
            for i in 0..10 {
                lighthouse.solves(&format!("c{i}")).await;
            }
            for i in 0..10 {
                app.run(commands::withdraw(&lighthouse.name, &format!("c{i}"))).await;
            }
        }
        let mut socket = Socket::open(&app).await;
        socket.say(&since(&before, &before["seq"])).await;
        assert_eq!(socket.next().await["event"], "scoreboard");
    }

    async fn a_snapshot_is_sent_where_many_messages_were_missed(engine: Engine) {
        // The board is large, so that the messages are shorter than it.
        let mut large = draft("one");
        large.challenge.scoring = Scoring::Speedrun { values: vec![1; 50_000] };
        let app = TestApp::playing(engine, event(), vec![large]).await;
        let (_, before) = Socket::watching(&app).await;
        let most = 512;
        let count = most + 1;
        app.run(Op::import((0..count).map(numbered_team).collect())).await;
        let last = seq(&before) + count as u64;
        app.board_so("the teams are on the board", |it| seq(it) == last).await;
        for (missed, event) in [(most, "newteam"), (count, "scoreboard")] {
            let mut socket = Socket::open(&app).await;
            socket.say(&since(&before, &json!(last - missed as u64))).await;
            assert_eq!(socket.next().await["event"], event, "one message more is a board");
        }
    }

    async fn changes_without_a_delta_are_pushed_or_announced(engine: Engine) {
        let drafts = vec![draft("one"), Draft { hidden: true, ..draft("two") }];
        let app = TestApp::playing(engine, manual(), drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let (mut plain, first) = Socket::watching(&app).await;
        let (mut resuming, _) = resuming(&app).await;
        let mut known = seq(&first);
        let edited = || {
            let mut edited = draft("one");
            edited.challenge.categories = vec!["web".to_owned()];
            Plan::new(manual(), vec![edited, draft("two")])
        };
        let withdraw = commands::withdraw("The Lighthouse", "one");
        let table = [
            ("start", Change::Clock(HOUR_MS / 2)),
            ("award", Change::Lane(Box::new(commands::award("The Harbour", 7)))),
            ("release", show("two", true)),
            ("hide a challenge", show("two", false)),
            ("edit", Change::Lane(Box::new(Op::Apply(Box::new(edited()))))),
            ("ban", Change::Lane(Box::new(commands::ban("The Harbour")))),
            ("unban", Change::Lane(Box::new(commands::unban("The Harbour")))),
            ("hide a team", Change::Lane(Box::new(commands::hide_team("The Harbour")))),
            ("show a team", Change::Lane(Box::new(commands::show_team("The Harbour")))),
            ("withdraw", Change::Lane(Box::new(withdraw))),
            ("freeze", Change::Clock(HOUR_MS / 2)),
            ("end", Change::Clock(HOUR_MS)),
            ("reveal", Change::Lane(Box::new(commands::reveal()))),
        ];
        for (what, change) in table {
            make(&app, change).await;
            let sent = plain.next().await;
            assert_eq!(sent["event"], "scoreboard", "{what}");
            known += 1;
            let last = if seq(&sent) == known { sent } else { plain.next().await };
            assert_eq!(seq(&last), known, "{what}");
            let received = resuming.next().await;
            let expected = match what {
                "award" => json!({"event": "award", "teamName": "The Harbour", "award": 7,
                    "seq": known}),
                _ => json!({"event": "changed", "seq": known, "withinMs": 100}),
            };
            assert_eq!(received, expected, "{what}");
            assert_eq!(app.board().await, last,
                "the board is current once it is announced: {what}");
            if what == "start" {
                teams[0].solves("one").await;
                known += 1;
                assert_eq!(plain.next().await["event"], "solve");
                assert_eq!(seq(&resuming.next().await), known);
            }
        }
    }

    async fn the_last_request_of_a_socket_counts(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.team("The Lighthouse").await;
        let award = || commands::award("The Lighthouse", 1);
        let (mut socket, snapshot) = Socket::watching(&app).await;
        app.run(award()).await;
        assert_eq!(socket.next().await["event"], "scoreboard");
        socket.say(&since(&snapshot, &json!(seq(&snapshot) + 1))).await;
        socket.say(&json!({"action": "none"})).await;
        assert_eq!(socket.next().await["event"], "error");
        app.run(award()).await;
        assert_eq!(socket.next().await["event"], "award");
        socket.snapshot(&get()).await;
        app.run(award()).await;
        assert_eq!(socket.next().await["event"], "scoreboard");
    }

    async fn an_old_snapshot_plus_deltas_equals_the_new_one(engine: Engine) {
        let mut drafts: Vec<Draft> = (0..6).map(|i| draft(&format!("c{i}"))).collect();
        drafts[0].challenge.scoring = Scoring::Speedrun { values: vec![300, 200, 7] };
        for draft in &mut drafts[1..4] {
            draft.challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 10 };
        }
        let app = TestApp::playing(engine, event(), drafts).await;
        let (mut world, before) = Socket::watching(&app).await;
        let names: Vec<String> = (0..12).map(|i| format!("Team {i}")).collect();
        let teams = app.teams(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        join_all(teams.iter().enumerate().map(async |(i, team)| {
            for j in 0..6 {
                if (i + j) % 4 != 0 {
                    team.solves(&format!("c{}", (i * 5 + j) % 6)).await;
                }
            }
        })).await;
        let last = app.app.contest().public_seq();
        let received = world.until_so(|message| message["seq"] == last).await;
        let seqs: Vec<u64> = received.iter().map(seq).collect();
        assert!(seqs.iter().copied().eq(seq(&before) + 1..=last), "no gaps: {seqs:?}");
        holds(&app, before, &received).await;
    }

    async fn sockets_that_join_under_load_reach_the_same_board(engine: Engine) {
        let drafts: Vec<Draft> = (0..5).map(|i| draft(&format!("c{i}"))).collect();
        let app = Arc::new(TestApp::playing(engine, event(), drafts).await);
        let names: Vec<String> = (0..12).map(|i| format!("Team {i}")).collect();
        let teams = app.teams(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let (_, before) = Socket::watching(&app).await;
        let last = seq(&before) + 60;
        let rush = join_all(teams.iter().map(async |team| {
            for i in 0..5 {
                team.solves(&format!("c{i}")).await;
            }
        }));
        let joined = join_all((0..30).map(async |i: u64| {
            // Each socket joins after a given number of solves, not at a given time.
            until("it is this socket's turn", async || {
                app.app.contest().public_seq() >= seq(&before) + i * 2
            }).await;
            let mut socket = Socket::open(&app).await;
            let ask = match i % 3 {
                0 => get(),
                1 => since(&before, &json!(app.app.contest().public_seq())),
                _ => since(&before, &before["seq"]),
            };
            let known = ask.get("since").and_then(Value::as_u64);
            socket.say(&ask).await;
            let mut messages = Vec::new();
            let mut at = known;
            while at != Some(last) {
                let message = socket.next().await;
                if message["event"] == "solve" {
                    assert_eq!(Some(seq(&message)), at.map(|at| at + 1),
                        "{i}: no gap and no duplicate");
                }
                at = Some(seq(&message));
                messages.push(message);
            }
            (known, messages)
        }));
        let (_, joined) = tokio::join!(rush, joined);
        for (known, messages) in joined {
            if messages.first().is_some_and(|first| first["event"] == "scoreboard") {
                holds(&app, messages[0].clone(), &messages[1..]).await;
            } else if known == before["seq"].as_u64() {
                holds(&app, before.clone(), &messages).await;
            }
        }
    }

    async fn a_logged_out_or_banned_socket_sees_the_public_board(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        app.advance(HOUR_MS);
        app.settled().await;
        let (mut out, _) = teams[0].watching(&app).await;
        let (mut banned, _) = teams[1].watching(&app).await;
        for (team, socket) in teams.iter().zip([&mut out, &mut banned]) {
            team.solves("one").await;
            let own = socket.until("solve").await.pop().expect("its own solve");
            assert_eq!((&own["teamName"], own.get("seq")), (&json!(team.name), None));
        }
        let other = app.log_in(&app.player(), &teams[0].name, teams[0].id).await;
        assert_eq!(teams[0].player.post("/logout", &json!({})).await.status, 200);
        other.solves("two").await;
        app.run(commands::ban("The Harbour")).await;
        let anonymous = app.board().await;
        assert_eq!(out.next().await, anonymous, "not even its own later solve is sent");
        assert_eq!(banned.until("scoreboard").await.pop(), Some(anonymous.clone()));
        assert_eq!(row(&anonymous, "The Lighthouse").expect("a row")[2], json!({}));
        out.say(&json!({"action": "getscoreboard", "token": teams[0].token})).await;
        // A team's own solves come after its board.
        let mut asked = out.until("scoreboard").await;
        assert_eq!(asked.pop(), Some(anonymous.clone()), "nor on request");
        let is_solve = |message: &Value| message["event"] == "solve";
        assert!(!asked.iter().any(is_solve), "not even its own later solve is sent");
        assert_ne!(other.board().await, anonymous, "the other session is still valid");
    }

    async fn a_board_is_compressed_for_clients_that_accept_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let (mut plain, board) = Socket::watching(&app).await;
        let mut packed = Packed::open(&app).await;
        packed.say(deflate::pack(get().to_string().as_bytes())).await;
        assert_eq!(packed.next().await, (board, Mark::Text));
        teams[0].solves("one").await;
        let solve = plain.until("solve").await.pop().expect("it comes");
        assert_eq!(packed.next().await, (solve, Mark::None), "too short to be compressed");
        app.run(commands::hide_team("The Harbour")).await;
        let board = plain.until("scoreboard").await.pop().expect("it comes");
        assert_eq!(packed.next().await, (board, Mark::Text), "unasked, too");

        // During the freeze, a team receives the public board and then its own solves.
        app.advance(HOUR_MS);
        app.settled().await;
        let board = plain.until("scoreboard").await.pop().expect("it comes");
        assert_eq!(packed.next().await, (board.clone(), Mark::Text), "the board of the freeze");
        teams[0].solves("two").await;
        let ask = json!({"action": "getscoreboard", "token": teams[0].token}).to_string();
        packed.say(deflate::pack(ask.as_bytes())).await;
        assert_eq!(packed.next().await, (board, Mark::Text));
        let (solve, mark) = packed.next().await;
        assert_eq!((&solve["challengeId"], mark), (&json!("two"), Mark::None));
        // A hidden team has its own board.
        let (_, hidden) = teams[1].watching(&app).await;
        let ask = json!({"action": "getscoreboard", "token": teams[1].token}).to_string();
        packed.say(deflate::pack(ask.as_bytes())).await;
        assert_eq!(packed.next().await, (hidden, Mark::Text));
    }

    async fn invalid_compressed_messages_get_an_error_or_close_the_socket(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let mut packed = Packed::open(&app).await;
        packed.say(deflate::pack(b"nonsense")).await;
        assert_eq!(packed.next().await.0["event"], "error");
        packed.say(deflate::pack(&vec![b' '; 4097])).await;
        assert_eq!(packed.ended().await, CloseCode::Size,
            "the short message decompresses to a long one");
        let mut packed = Packed::open(&app).await;
        packed.say("not compressed at all").await;
        assert_eq!(packed.ended().await, CloseCode::Invalid);
        let mut packed = Packed::open(&app).await;
        packed.say(deflate::pack(b"no \xff UTF-8")).await;
        assert_eq!(packed.ended().await, CloseCode::Invalid);
        let mut plain = Socket::open(&app).await;
        let mut frame = Frame::message("{}", OpCode::Data(Data::Text), true);
        frame.header_mut().rsv1 = true;
        plain.send(Message::Frame(frame)).await;
        plain.closed().await;
    }

    async fn solves_reach_the_sockets_of_another_node(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let second = app.second_node(|_| {}).await;
        let team: Team = app.team("The Lighthouse").await;
        let (mut there, _) = Socket::watching(&second).await;
        team.solves("one").await;
        let solve = there.until("solve").await.pop().expect("it comes");
        assert_eq!(solve["teamName"], "The Lighthouse");
        assert_eq!(second.fresh_board().await, app.fresh_board().await);
    }

    async fn sockets_receive_a_close_frame_on_shutdown(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let (mut socket, _) = Socket::watching(&app).await;
        let test: Arc<TestDb> = app.stop().await;
        socket.closed().await;
        drop(test);
    }

    async fn a_socket_waiting_for_its_board_still_reads_requests(engine: Engine) {
        // The board has a fifth of the bytes per second that all sockets together may receive.
        let mut large = draft("large");
        large.challenge.name = "x".repeat(12 << 20);
        let app = TestApp::playing(engine, event(), vec![large, draft("one")]).await;
        let mut sockets = Vec::new();
        for _ in 0..20 {
            let mut socket = Socket::open(&app).await;
            socket.say(&get()).await;
            assert!(socket.next_text().await.len() > 12 << 20);
            sockets.push(socket);
        }
        // The change has no delta, so each socket receives the whole board in turn: a third of them
        // within a quarter of a second.
        app.run(commands::show("one", false)).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        let mut answered = 0;
        let said = json!({"action": "dance"});
        for socket in &mut sockets {
            socket.say(&said).await;
        }
        for socket in &mut sockets {
            answered += usize::from(socket.next_text().await.len() < 1000);
        }
        assert!(answered > 0, "a request is answered before the board comes");
    }

    async fn only_websockets_are_accepted_by_the_live_channel(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![]).await;
        let answer = app.player().get("/live").await;
        let words = "This endpoint only accepts WebSocket connections.";
        assert_eq!((answer.status, answer.message()), (400, words));
    }
}
