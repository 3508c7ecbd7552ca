//! A client of a running server, over HTTP and the live channel.

use std::collections::BTreeMap;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::WAIT_MAX;

/// Maximum age of a scoreboard.
const STALE_MAX: std::time::Duration = std::time::Duration::from_millis(500);

/// An HTTP client, with a token or without.
#[derive(Clone)]
pub struct Player {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

/// A row of the scoreboard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Position and time in seconds, by challenge.
    pub solves: BTreeMap<String, (u64, f64)>,
    pub award: i64,
}

impl Player {
    /// A client without a token or an address. Creation is expensive, so create one per server.
    pub fn new() -> Self {
        // An error means that another test has already installed the provider.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { http, url: String::new(), token: None }
    }

    /// The client with its own connections.
    pub fn apart(&self) -> Self {
        Self { http: Self::new().http, ..self.clone() }
    }

    /// The client with the server's URL.
    pub fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }

    /// The client with a token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.try_send(self.http.get(format!("{}/api{path}", self.url))).await.expect("an answer")
    }

    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.try_post(path, body).await.expect("an answer")
    }

    pub async fn try_post(&self, path: &str, body: &Value) -> reqwest::Result<(u16, Value)> {
        self.try_send(self.http.post(format!("{}/api{path}", self.url)).json(body)).await
    }

    /// Runs an organizer action.
    pub async fn action(&self, body: &Value) -> (u16, Value) {
        self.post("/organize/actions", body).await
    }

    async fn try_send(&self, request: reqwest::RequestBuilder) -> reqwest::Result<(u16, Value)> {
        let response = self.try_response(request).await?;
        let status = response.status().as_u16();
        Ok((status, response.json().await?))
    }

    async fn try_response(
        &self,
        mut request: reqwest::RequestBuilder,
    ) -> reqwest::Result<reqwest::Response> {
        if let Some(token) = &self.token {
            request = request.header("x-api-key", token);
        }
        request.send().await
    }

    /// Submits the usual flag of a challenge to a server whose database may be failing. Returns
    /// true if it was recorded; otherwise asserts a 503 with `Retry-After`, or a 408 if the
    /// database did not answer at all.
    pub async fn tries(&self, id: &str) -> bool {
        let body = flag(id, &format!("flag{{{id}}}"));
        let request = self.http.post(format!("{}/api/solve", self.url)).json(&body);
        let response = self.try_response(request).await.expect("an answer");
        let status = response.status().as_u16();
        let again = response.headers().get("retry-after").map(|it| it.to_str().unwrap().parse());
        let body: Value = response.json().await.expect("JSON");
        match status {
            200 => assert_eq!(body, json!({"correct": true})),
            503 => {
                assert!(body["message"].is_string(), "{body}");
                assert!(matches!(again, Some(Ok(1..=60u32))), "{id}: Retry-After is {again:?}");
            }
            408 => assert_eq!(body["code"], "request_timeout", "{body}"),
            other => panic!("{id}: {other} {body}"),
        }
        status == 200
    }

    /// Returns the content behind a link of the site.
    pub async fn text(&self, link: &str) -> (u16, String) {
        let response =
            self.http.get(format!("{}{link}", self.url)).send().await.expect("an answer");
        (response.status().as_u16(), response.text().await.expect("text"))
    }

    /// Submits the usual flag of a challenge.
    pub async fn solve(&self, id: &str) -> (u16, Value) {
        self.post("/solve", &flag(id, &format!("flag{{{id}}}"))).await
    }

    /// Submits the usual flag of a challenge and asserts that it is correct.
    #[track_caller]
    pub fn solves(&self, id: &str) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        async move {
            let answer = self.solve(id).await;
            assert_eq!(answer, (200, json!({"correct": true})), "{id} at {place}");
        }
    }

    /// The ids of the challenges that the team sees.
    pub async fn challenges(&self) -> Vec<String> {
        let (status, body) = self.get("/challenge").await;
        assert_eq!(status, 200, "{body}");
        let ids = body["challenges"].as_array().unwrap().iter();
        ids.map(|challenge| challenge["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The scoreboard by team, with all solves acknowledged before. Waits first for the maximum age
    /// of a board.
    pub async fn board(&self) -> BTreeMap<String, Row> {
        tokio::time::sleep(STALE_MAX).await;
        let (status, body) = self.get("/scoreboard").await;
        assert_eq!(status, 200, "{body}");
        board(&body)
    }

    /// The teams in order of rank.
    pub async fn ranking(&self) -> Vec<String> {
        let (_, body) = self.get("/ctftime").await;
        let rows = body["standings"].as_array().unwrap().iter();
        rows.map(|row| row["team"].as_str().unwrap().to_owned()).collect()
    }

    pub async fn log_in(&self, team: &str, password: &str) -> (u16, Value) {
        let body = json!({"team": team, "password": password, "captchaToken": "off"});
        self.post("/login", &body).await
    }

    /// Opens a socket that resumes after an earlier message.
    pub async fn resume(&self, since: u64, generation: &str) -> Socket {
        let url = self.url.replacen("http", "ws", 1) + "/api/live";
        let (stream, _) = connect_async(url).await.expect("the channel opens");
        let mut socket = Socket(stream);
        let ask = json!({"action": "getscoreboard", "since": since, "generation": generation});
        socket.say(&ask).await;
        socket
    }

    /// Opens a socket and receives the snapshot.
    pub async fn watch(&self) -> (Socket, Value) {
        let url = self.url.replacen("http", "ws", 1) + "/api/live";
        let (stream, _) = connect_async(url).await.expect("the channel opens");
        let mut socket = Socket(stream);
        let ask = match &self.token {
            Some(token) => json!({"action": "getscoreboard", "token": token}),
            None => json!({"action": "getscoreboard"}),
        };
        socket.0.send(Message::text(ask.to_string())).await.expect("the channel is open");
        let snapshot = socket.next().await.expect("the channel answers");
        assert_eq!(snapshot["event"], "scoreboard", "{snapshot}");
        (socket, snapshot)
    }
}

/// The body of a submission.
pub fn flag(id: &str, flag: &str) -> Value {
    json!({"challengeId": id, "flag": flag})
}

/// The rows of a snapshot, by team.
pub fn board(snapshot: &Value) -> BTreeMap<String, Row> {
    let ids: Vec<&str> = snapshot["challenges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|challenge| challenge["id"].as_str().unwrap())
        .collect();
    let row = |row: &Value| {
        let solves = row[2].as_object().unwrap().iter().map(|(index, mark)| {
            let id = ids[index.parse::<usize>().unwrap()].to_owned();
            (id, (mark[0].as_u64().unwrap(), mark[1].as_f64().unwrap()))
        });
        let row_of = Row { solves: solves.collect(), award: row[4].as_i64().unwrap_or(0) };
        (row[0].as_str().unwrap().to_owned(), row_of)
    };
    snapshot["scoreboard"].as_array().unwrap().iter().map(row).collect()
}

/// An open live channel.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Requests the scoreboard with a token.
    pub async fn ask(&mut self, token: &str) {
        let ask = json!({"action": "getscoreboard", "token": token});
        self.0.send(Message::text(ask.to_string())).await.expect("the channel is open");
    }

    /// Sends a message.
    pub async fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.expect("the channel is open");
    }

    /// The next message; `None` if the channel is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(WAIT_MAX, self.0.next()).await;
            match message.expect("a message comes")?.ok()? {
                Message::Text(text) => return Some(serde_json::from_str(&text).expect("JSON")),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    /// Reads until the server closes the channel; returns the code of its close frame, if any.
    pub async fn end(&mut self) -> Option<u16> {
        loop {
            let message = tokio::time::timeout(WAIT_MAX, self.0.next()).await;
            if let Message::Close(frame) = message.expect("the channel closes")?.ok()? {
                return frame.map(|frame| frame.code.into());
            }
        }
    }

    /// The next message for which `fits` is true; discards others.
    pub async fn find(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await.expect("the channel is open");
            if fits(&message) {
                return message;
            }
        }
    }

    /// The next solve.
    pub async fn solve(&mut self) -> (String, String) {
        let message = self.find(|message| message["event"] == "solve").await;
        let text = |name: &str| message[name].as_str().unwrap().to_owned();
        (text("teamName"), text("challengeId"))
    }
}
