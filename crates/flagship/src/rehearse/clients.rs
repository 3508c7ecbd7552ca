//! What a client asks for, over a connection that it keeps, and the board.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use flagship_load::{Answer, Ask, Connection, Site, Watch, is_unsent, plain, solve};
use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

/// How long a client waits for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(30);
/// How long the reveal may take after the end.
const REVEAL_MAX: Duration = Duration::from_secs(5);
/// Pause between two looks at the board.
const LOOK: Duration = Duration::from_millis(500);

/// `GET /ctf`, as far as it is used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    /// Epoch milliseconds.
    pub start_time: Option<i64>,
    /// Epoch milliseconds.
    pub end_time: Option<i64>,
    /// The server's clock, in epoch milliseconds.
    pub server_time: i64,
}

/// What a refusal was.
#[derive(Debug)]
pub enum Refused {
    /// A budget of wrong flags is spent.
    HeldBack,
    /// The server is busy and said so.
    Shed,
    /// Anything else, in words without numbers of its own.
    Failed(String),
}

/// Where requests go, over one connection at a time.
pub struct Wire {
    site: Site,
    connection: Option<Connection>,
}

impl Wire {
    /// A wire to a site; it connects when something is asked.
    pub fn new(site: Site) -> Self {
        Self { site, connection: None }
    }

    /// The page and the event, as a browser asks for them.
    pub async fn page(&mut self) -> Result<Info, Refused> {
        self.get("/", "").await?;
        let info = self.get("/api/ctf", "").await?;
        serde_json::from_slice(&info).map_err(|_| Refused::Failed("the event: not JSON".to_owned()))
    }

    /// The ids of a team's challenges that it may try.
    pub async fn challenges(&mut self, token: &str) -> Result<Vec<String>, Refused> {
        let answer = self.get("/api/challenge", token).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let all = answer["challenges"].as_array();
        let all = all.ok_or(Refused::Failed("the challenges: not JSON".to_owned()))?;
        let open = all.iter().filter(|challenge| challenge["locked"] == false);
        Ok(open.filter_map(|challenge| Some(challenge["id"].as_str()?.to_owned())).collect())
    }

    /// Whether a flag is right.
    pub async fn solve(&mut self, token: &str, id: &str, flag: &str) -> Result<bool, Refused> {
        let answer = self.send(solve(token, id, flag), "a flag").await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        answer["correct"].as_bool().ok_or(Refused::Failed("a flag: not JSON".to_owned()))
    }

    async fn get(&mut self, path: &str, token: &str) -> Result<Bytes, Refused> {
        self.send(plain(path, token), path).await
    }

    async fn send(&mut self, ask: Result<Ask>, what: &str) -> Result<Bytes, Refused> {
        let failed = |why| Refused::Failed(format!("{what}: {why}"));
        let answer = timeout(ANSWER_MAX, self.answer(ask)).await;
        let answer = answer.map_err(|_| failed("no answer in time"))?;
        let answer = answer.map_err(|_| failed("the connection failed"))?;
        match answer.status {
            StatusCode::OK => Ok(answer.body),
            StatusCode::TOO_MANY_REQUESTS => Err(Refused::HeldBack),
            StatusCode::SERVICE_UNAVAILABLE => Err(Refused::Shed),
            status => Err(Refused::Failed(format!("{what}: {}", status.as_u16()))),
        }
    }

    /// The answer over the connection that there is, or over a new one. One that has failed or was
    /// not waited for is not used again.
    async fn answer(&mut self, ask: Result<Ask>) -> Result<Answer> {
        let ask = ask?;
        if let Some(kept) = self.connection.take().filter(Connection::is_open) {
            match self.over(kept, ask.clone()).await {
                // It was closed while nothing was said.
                Err(error) if is_unsent(&error) => {}
                done => return done,
            }
        }
        let new = Connection::to(&self.site).await?;
        self.over(new, ask).await
    }

    async fn over(&mut self, mut connection: Connection, ask: Ask) -> Result<Answer> {
        let answer = connection.ask(ask).await?;
        self.connection = Some(connection);
        Ok(answer)
    }
}

/// Opens the live channel and waits for the board.
pub async fn watch(site: &Site, token: &str) -> Result<Watch, Refused> {
    live(Watch::open(site, token)).await
}

/// Comes back to the live channel and asks for what was missed.
pub async fn come_back(watch: &mut Watch, site: &Site, token: &str) -> Result<(), Refused> {
    live(watch.come(site, token)).await
}

async fn live<T>(come: impl Future<Output = Result<T>>) -> Result<T, Refused> {
    let come = timeout(ANSWER_MAX, come).await.context("no board came");
    come.flatten().map_err(|error| Refused::Failed(format!("the live channel: {error}")))
}

/// How many of these solves the public board does not have, once a hidden one had the time to be
/// revealed. A board that stays frozen does not tell.
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
        tokio::time::sleep(LOOK).await;
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
    let answer = async { Connection::to(site).await?.ask(plain(path, "")?).await };
    let Answer { status, body, .. } =
        timeout(ANSWER_MAX, answer).await.context("no answer came")??;
    ensure!(status.is_success(), "{path} was answered with {status}");
    Ok(serde_json::from_slice(&body)?)
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
