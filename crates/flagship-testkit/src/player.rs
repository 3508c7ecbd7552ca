//! An event for tests, and teams that play it over HTTP.

use std::sync::Arc;

use flagship_game::{Event, TeamId, TeamName};
use flagship_server::Config;
use flagship_store::accounts::NewAccount;
use flagship_store::challenges::Draft;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Imported, Op, Outcome, Plan};
use flagship_store::{Clock, sessions};
use serde_json::{Value, json};

pub use crate::fixtures::{HOUR_MS, any_case, challenge_id, draft, draft_after, event, exact, key};
use crate::{Answer, Engine, NOW_MS, Player, Socket, TestApp, TestDb, until};

#[path = "../../flagship-game/tests/client/mod.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod client;

/// A logged-in team.
#[derive(Clone)]
pub struct Team {
    /// The team's name.
    pub name: String,
    /// The team's id.
    pub id: TeamId,
    /// The team's token.
    pub token: String,
    /// The HTTP client with the token.
    pub player: Player,
}

impl TestApp {
    /// A server with an event and challenges, which were applied before it started.
    pub async fn playing(engine: Engine, event: Event, drafts: Vec<Draft>) -> Self {
        Self::playing_on(Arc::new(TestDb::new(engine).await), event, drafts, |_| {}).await
    }

    /// A server with an event, on an existing database and with a changed configuration.
    pub async fn playing_on(
        test: Arc<TestDb>,
        event: Event,
        challenges: Vec<Draft>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let clock = Clock::manual(NOW_MS);
        let writer = Writer::open(test.reopen().await, &key(), clock.clone()).await;
        let mut writer = writer.expect("the journal is valid");
        let plan = Op::Apply(Box::new(Plan::new(event, challenges))).by(Actor::CommandLine);
        for requests in [&[plan][..], &[]] {
            writer.step(requests).await.expect("the event is written, and then its phases");
        }
        Self::on(test, clock, change).await
    }

    /// Imports teams and logs them in.
    pub async fn teams(&self, names: &[&str]) -> Vec<Team> {
        let new = names.iter().map(|name| NewAccount {
            name: TeamName::parse(name).expect("a name"),
            email: "team@example.org".to_owned(),
            country: "IT".to_owned(),
            password_hash: None,
            student: false,
            divisions: Vec::new(),
            language: None,
        });
        let Outcome::Import(Ok(Imported { ids, .. })) = self.run(Op::import(new.collect())).await
        else {
            panic!("the teams join");
        };
        let mut teams = Vec::new();
        let player = self.player();
        for (name, id) in names.iter().zip(ids) {
            teams.push(self.log_in(&player, name, TeamId(id)).await);
        }
        self.fresh_board().await;
        teams
    }

    /// Imports a team and logs it in.
    pub async fn team(&self, name: &str) -> Team {
        self.teams(&[name]).await.remove(0)
    }

    /// Creates a session for a team without a password.
    pub async fn log_in(&self, player: &Player, name: &str, id: TeamId) -> Team {
        let token = flagship_server::new_token();
        let made = sessions::create(&self.test.db, &token, id.0, self.now_ms()).await;
        made.expect("a session begins");
        let player = player.with_token(&token);
        Team { name: name.to_owned(), id, token, player }
    }

    /// Waits until all phases and releases that are due are in the journal.
    pub async fn settled(&self) {
        until("everything that is due is in the journal", async || {
            self.app.contest().due(self.now_ms()).is_empty()
        })
        .await;
    }

    /// The public scoreboard.
    pub async fn board(&self) -> Value {
        self.player().get("/scoreboard").await.json
    }

    /// The public scoreboard, once it contains all public changes so far.
    pub async fn fresh_board(&self) -> Value {
        let seq = self.app.contest().public_seq();
        self.board_so("the board is fresh", |board| board["seq"].as_u64() >= Some(seq)).await
    }

    /// Waits until the public scoreboard meets a condition.
    pub async fn board_so(&self, what: &str, mut is_so: impl FnMut(&Value) -> bool) -> Value {
        let mut board = Value::Null;
        until(what, async || {
            board = self.board().await;
            is_so(&board)
        })
        .await;
        board
    }
}

impl Team {
    /// Submits a flag.
    pub async fn send(&self, id: &str, flag: &str) -> Answer {
        self.player.post("/solve", &json!({"challengeId": id, "flag": flag})).await
    }

    /// Submits the correct flag of a challenge made by [`draft`].
    ///
    /// # Panics
    /// If the server does not accept it.
    pub async fn solves(&self, id: &str) {
        let answer = self.send(id, &format!("flag{{{id}}}")).await;
        assert_eq!((answer.status, &answer.json), (200, &json!({"correct": true})), "{id}");
    }

    /// The team's challenge list.
    ///
    /// # Panics
    /// If the request is rejected.
    pub async fn challenges(&self) -> Vec<Value> {
        let answer = self.player.get("/challenge").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json["challenges"].as_array().expect("a list").clone()
    }

    /// A challenge from the team's list, if it is there.
    pub async fn card(&self, id: &str) -> Option<Value> {
        self.challenges().await.into_iter().find(|card| card["id"] == id)
    }

    /// The scoreboard as the team sees it: its own later solves are added, as clients do.
    pub async fn board(&self) -> Value {
        let mut board = self.player.get("/scoreboard").await.json;
        let own = self.player.get("/scoreboard/own").await.json;
        for solve in own["own"].as_array().into_iter().flatten() {
            let mut solve = solve.clone();
            solve["event"] = json!("solve");
            solve["teamName"] = own["teamName"].clone();
            client::receive(&mut board, &solve);
        }
        board
    }

    /// Opens a socket with the team's token; returns it with its snapshot.
    pub async fn watching(&self, app: &TestApp) -> (Socket, Value) {
        let mut socket = Socket::open(app).await;
        let ask = json!({"action": "getscoreboard", "token": self.token});
        let snapshot = socket.snapshot(&ask).await;
        (socket, snapshot)
    }
}

/// The row of a team on a board, if there is one.
pub fn row<'a>(board: &'a Value, team: &str) -> Option<&'a Value> {
    board["scoreboard"].as_array().expect("rows").iter().find(|row| row[0] == team)
}

/// The sorted ids of a board's challenges or of a challenge list.
pub fn ids(challenges: &[Value]) -> Vec<&str> {
    let mut ids: Vec<&str> =
        challenges.iter().map(|challenge| challenge["id"].as_str().expect("an id")).collect();
    ids.sort_unstable();
    ids
}
