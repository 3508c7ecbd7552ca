//! An event to play, and teams that play it over HTTP.

use std::sync::Arc;

use flagship_game::event::Reveal;
use flagship_game::{Challenge, ChallengeId, Event, Scoring, TeamId, TeamName};
use flagship_server::Config;
use flagship_store::accounts::NewAccount;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, Plan};
use flagship_store::{Clock, Key, sessions};
use serde_json::{Value, json};

use crate::{Answer, Engine, NOW_MS, Player, Socket, TestApp, TestDb, until};

#[path = "../../flagship-game/tests/client/mod.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod client;

/// An hour, in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// The secret under which `TestApp` opens its database.
fn key() -> Key {
    Key::new(b"the secret of the tests")
}

/// An event that runs: it began an hour ago, freezes in an hour and ends in two.
pub fn event() -> Event {
    Event {
        name: "The Test CTF".to_owned(),
        start_ms: Some(NOW_MS - HOUR_MS),
        end_ms: Some(NOW_MS + 2 * HOUR_MS),
        freeze_ms: Some(NOW_MS + HOUR_MS),
        reveal: Reveal::Auto,
        timezone: "Europe/Rome".to_owned(),
        flag_format: "flag{...}".to_owned(),
        rules: "<p>From {start} to {end}.</p>".to_owned(),
    }
}

/// A challenge of 100 points whose flag is `flag{id}`.
pub fn draft(id: &str) -> Draft {
    Draft {
        challenge: Challenge {
            id: challenge_id(id),
            name: format!("The {id}"),
            scoring: Scoring::Static { max: 100 },
            categories: vec!["misc".to_owned()],
            description: format!("<p>Find the {id}.</p>"),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
        },
        flags: vec![exact(id, &format!("flag{{{id}}}"))],
        hidden: false,
        release_at_ms: None,
    }
}

/// The same, locked until other challenges are solved.
pub fn draft_after(id: &str, requirements: &[&str]) -> Draft {
    let mut draft = draft(id);
    draft.challenge.requirements = requirements.iter().map(|id| challenge_id(id)).collect();
    draft
}

/// A flag that must be sent exactly so.
pub fn exact(id: &str, text: &str) -> Flag {
    Flag::Exact { digest: key().flag_digest(id, text), case_insensitive: false }
}

/// A flag whose case does not matter.
pub fn any_case(id: &str, text: &str) -> Flag {
    let digest = key().flag_digest(id, &text.to_lowercase());
    Flag::Exact { digest, case_insensitive: true }
}

/// An id that is one.
pub fn challenge_id(id: &str) -> ChallengeId {
    ChallengeId::parse(id).expect("tests name challenges well")
}

/// A team that is logged in.
#[derive(Clone)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Its identity.
    pub id: TeamId,
    /// Its token.
    pub token: String,
    /// Who speaks for it.
    pub player: Player,
}

impl TestApp {
    /// A server whose event and challenges were applied before it started, as `serve` does.
    pub async fn playing(engine: Engine, event: Event, drafts: Vec<Draft>) -> Self {
        Self::playing_on(Arc::new(TestDb::new(engine).await), event, drafts, |_| {}).await
    }

    /// The same on a database that is there, with some of the configuration changed.
    pub async fn playing_on(
        test: Arc<TestDb>,
        event: Event,
        challenges: Vec<Draft>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let clock = Clock::manual(NOW_MS);
        let writer = Writer::open(test.reopen().await, &key(), clock.clone()).await;
        let mut writer = writer.expect("the books open");
        let plan = Op::Apply(Box::new(Plan { event, challenges })).by(Actor::CommandLine);
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
        });
        let Outcome::Import(Ok(ids)) = self.run(Op::Import(new.collect())).await else {
            panic!("the teams join");
        };
        let (mut teams, player) = (Vec::new(), self.player());
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

    /// Gives a team a token without asking for its password.
    pub async fn log_in(&self, player: &Player, name: &str, id: TeamId) -> Team {
        let token = flagship_server::new_token();
        let made = sessions::create(&self.test.db, &token, id.0, self.now_ms()).await;
        made.expect("a session begins");
        let player = player.with_token(&token);
        Team { name: name.to_owned(), id, token, player }
    }

    /// Waits until the journal has all phases and releases that are due.
    pub async fn settled(&self) {
        until("everything that is due is in the journal", async || {
            self.app.contest().due(self.now_ms()).is_empty()
        })
        .await;
    }

    /// The anonymous scoreboard.
    pub async fn board(&self) -> Value {
        self.player().get("/scoreboard").await.json
    }

    /// The anonymous scoreboard, once it has all that is public by now.
    pub async fn fresh_board(&self) -> Value {
        let seq = self.app.contest().public_seq();
        self.board_so("the board is fresh", |board| board["seq"].as_u64() >= Some(seq)).await
    }

    /// Waits until the anonymous scoreboard is so.
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
    /// Sends a flag.
    pub async fn send(&self, id: &str, flag: &str) -> Answer {
        self.player.post("/solve", &json!({"challengeId": id, "flag": flag})).await
    }

    /// Sends the right flag of a challenge made by `draft`.
    ///
    /// # Panics
    /// When it does not count.
    pub async fn solves(&self, id: &str) {
        let answer = self.send(id, &format!("flag{{{id}}}")).await;
        assert_eq!((answer.status, &answer.json), (200, &json!({"correct": true})), "{id}");
    }

    /// Its challenges.
    ///
    /// # Panics
    /// When they are refused.
    pub async fn challenges(&self) -> Vec<Value> {
        let answer = self.player.get("/challenge").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json["challenges"].as_array().expect("a list").clone()
    }

    /// One of its challenges, if it is in the list.
    pub async fn card(&self, id: &str) -> Option<Value> {
        self.challenges().await.into_iter().find(|card| card["id"] == id)
    }

    /// The scoreboard as it sees it, with its own later solves added as a client does.
    pub async fn board(&self) -> Value {
        let mut board = self.player.get("/scoreboard").await.json;
        let own = board.as_object_mut().and_then(|board| board.remove("own"));
        for solve in own.as_ref().and_then(Value::as_array).into_iter().flatten() {
            client::tell(&mut board, solve);
        }
        board
    }

    /// A socket that has asked with its token, and its snapshot.
    pub async fn watching(&self, app: &TestApp) -> (Socket, Value) {
        let mut socket = Socket::open(app).await;
        let ask = json!({"action": "getscoreboard", "token": self.token});
        let snapshot = socket.snapshot(&ask).await;
        (socket, snapshot)
    }
}

/// A team's row of a board, if it has one.
pub fn row<'a>(board: &'a Value, team: &str) -> Option<&'a Value> {
    board["scoreboard"].as_array().expect("rows").iter().find(|row| row[0] == team)
}

/// The ids of a board's challenges or of a list of cards, sorted.
pub fn ids(challenges: &[Value]) -> Vec<&str> {
    let mut ids: Vec<&str> =
        challenges.iter().map(|challenge| challenge["id"].as_str().expect("an id")).collect();
    ids.sort_unstable();
    ids
}
