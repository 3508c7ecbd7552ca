//! The requests of a simulated client over one persistent connection, and the check for lost
//! solves.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use flagship_load::{Connection, Request, Response, Site, is_unsent, plain, post, solve};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

/// Maximum time until a response.
const RESPONSE_MAX: Duration = Duration::from_secs(30);
/// Maximum time from the end to the reveal.
const REVEAL_MAX: Duration = Duration::from_secs(5);
/// Pause between two requests for the scoreboard.
const POLL: Duration = Duration::from_millis(500);

/// Members of `GET /ctf` that clients use, in epoch milliseconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    pub start_time: Option<i64>,
    pub end_time: Option<i64>,
    pub server_time: i64,
}

/// Error of a simulated request.
#[derive(Debug)]
pub enum RequestError {
    /// A rate limit on incorrect flags rejected the request with 429.
    RateLimited,
    /// A busy server rejected the request with 503.
    Busy,
    /// Any other failure. Failures of one kind have the same text, so that they are counted
    /// together.
    Failed(String),
}

/// The server's judgment of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgment {
    /// The flag solved the challenge.
    Solved,
    /// The flag is correct, and the challenge needs others too.
    Found,
    Incorrect,
}

/// An unlocked challenge.
#[derive(Clone)]
pub struct Open {
    /// The challenge ID.
    pub id: String,
    /// IDs of the hints that the team can take.
    pub hints: Vec<String>,
}

impl Open {
    fn of(challenge: &Value) -> Option<Self> {
        let id = challenge["id"].as_str()?.to_owned();
        let hints = challenge["hints"].as_array().into_iter().flatten();
        let untaken = hints.filter(|hint| hint["html"].is_null() && hint["at"].is_null());
        let hints = untaken.filter_map(|hint| Some(hint["id"].as_str()?.to_owned())).collect();
        Some(Self { id, hints })
    }
}

/// Returns the body of a successful response.
fn body_of(answer: Response, what: &str) -> Result<Bytes, RequestError> {
    match answer.status {
        StatusCode::OK => Ok(answer.body),
        StatusCode::TOO_MANY_REQUESTS => Err(RequestError::RateLimited),
        StatusCode::SERVICE_UNAVAILABLE => Err(RequestError::Busy),
        status => Err(RequestError::Failed(format!("{what}: {}", status.as_u16()))),
    }
}

/// An HTTP client with at most one connection.
pub struct Client {
    site: Site,
    connection: Option<Connection>,
}

impl Client {
    /// Creates a client of a site, which connects at its first request.
    pub fn new(site: Site) -> Self {
        Self { site, connection: None }
    }

    /// Loads the page and the event's information, as a browser does.
    pub async fn page(&mut self) -> Result<Info, RequestError> {
        self.get("/", "").await?;
        let info = self.get("/api/ctf", "").await?;
        serde_json::from_slice(&info)
            .map_err(|_| RequestError::Failed("the event: not JSON".to_owned()))
    }

    /// Returns a team's unlocked challenges.
    pub async fn challenges(&mut self, token: &str) -> Result<Vec<Open>, RequestError> {
        let answer = self.get("/api/challenge", token).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let all = answer["challenges"].as_array();
        let all = all.ok_or(RequestError::Failed("the challenges: not JSON".to_owned()))?;
        let open = all.iter().filter(|challenge| challenge["locked"] == false);
        Ok(open.filter_map(Open::of).collect())
    }

    /// Takes a hint; returns false if it is refused, for example because the points are missing.
    pub async fn hint(&mut self, token: &str, id: &str, hint: &str) -> Result<bool, RequestError> {
        let body = json!({"challengeId": id, "hintId": hint});
        let answer = self.respond(post("/api/hint", token, &body), "a hint").await?;
        match answer.status {
            StatusCode::FORBIDDEN | StatusCode::CONFLICT => Ok(false),
            _ => body_of(answer, "a hint").map(|_| true),
        }
    }

    /// Submits a flag.
    pub async fn solve(
        &mut self,
        token: &str,
        id: &str,
        flag: &str,
    ) -> Result<Judgment, RequestError> {
        let answer = self.send(solve(token, id, flag), "a flag").await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        match (answer["correct"].as_bool(), answer["progress"].is_null()) {
            (Some(true), _) => Ok(Judgment::Solved),
            (Some(false), false) => Ok(Judgment::Found),
            (Some(false), true) => Ok(Judgment::Incorrect),
            (None, _) => Err(RequestError::Failed("a flag: not JSON".to_owned())),
        }
    }

    async fn get(&mut self, path: &str, token: &str) -> Result<Bytes, RequestError> {
        self.send(plain(path, token), path).await
    }

    async fn send(&mut self, request: Result<Request>, what: &str) -> Result<Bytes, RequestError> {
        body_of(self.respond(request, what).await?, what)
    }

    async fn respond(
        &mut self,
        request: Result<Request>,
        what: &str,
    ) -> Result<Response, RequestError> {
        let failed = |why| RequestError::Failed(format!("{what}: {why}"));
        let answer = timeout(RESPONSE_MAX, self.answer(request)).await;
        let answer = answer.map_err(|_| failed("no response in time"))?;
        answer.map_err(|_| failed("the connection failed"))
    }

    /// Sends a request over the existing connection or a new one. After an error or a cancelled
    /// request, the connection is not reused.
    async fn answer(&mut self, request: Result<Request>) -> Result<Response> {
        let request = request?;
        if let Some(kept) = self.connection.take().filter(Connection::is_open) {
            match self.over(kept, request.clone()).await {
                // The server closed the idle connection, so the request is repeated over a new one.
                Err(error) if is_unsent(&error) => {}
                done => return done,
            }
        }
        let new = Connection::to(&self.site).await?;
        self.over(new, request).await
    }

    async fn over(&mut self, mut connection: Connection, request: Request) -> Result<Response> {
        let answer = connection.send(request).await?;
        self.connection = Some(connection);
        Ok(answer)
    }
}

/// Waits for the live channel to be opened.
pub async fn live<T>(connect: impl Future<Output = Result<T>>) -> Result<T, RequestError> {
    let connected = timeout(RESPONSE_MAX, connect).await.context("no scoreboard in time");
    connected.flatten().map_err(|error| RequestError::Failed(format!("the live channel: {error}")))
}

/// The number of these solves that are missing on the public scoreboard, counted after the reveal.
/// `None` if the scoreboard stays frozen.
pub async fn missing(site: &Site, solves: &[(String, String)]) -> Result<Option<u64>> {
    let asked = Instant::now();
    loop {
        let missing = missing_now(site, solves).await?;
        if missing == 0 {
            return Ok(Some(0));
        }
        if asked.elapsed() > REVEAL_MAX {
            let info = json(site, "/api/ctf").await?;
            return Ok((info["status"] != "frozen").then_some(missing));
        }
        tokio::time::sleep(POLL).await;
    }
}

async fn missing_now(site: &Site, solves: &[(String, String)]) -> Result<u64> {
    if solves.is_empty() {
        return Ok(0);
    }
    let board = json(site, "/api/scoreboard").await?;
    let ids: Vec<&str> = members(&board["challenges"]).filter_map(|it| it["id"].as_str()).collect();
    let mut rows: HashMap<&str, HashSet<&str>> = HashMap::new();
    for row in members(&board["scoreboard"]) {
        let (Some(team), Some(solved)) = (row[0].as_str(), row[2].as_object()) else { continue };
        let solved = solved.keys().filter_map(|index| ids.get(index.parse::<usize>().ok()?));
        rows.insert(team, solved.copied().collect());
    }
    let has = |team: &str, id: &str| rows.get(team).is_some_and(|solved| solved.contains(id));
    Ok(solves.iter().filter(|(team, id)| !has(team, id)).count() as u64)
}

async fn json(site: &Site, path: &str) -> Result<Value> {
    let answer = async { Connection::to(site).await?.send(plain(path, "")?).await };
    let Response { status, body, .. } =
        timeout(RESPONSE_MAX, answer).await.context("no response in time")??;
    ensure!(status.is_success(), "{path} responded with {status}");
    Ok(serde_json::from_slice(&body)?)
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
