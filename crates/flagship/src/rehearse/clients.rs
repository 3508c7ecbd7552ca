//! The wire from a client's side: requests, the live channel, the board.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

/// How long a client waits for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(30);
/// How long the reveal may take after the end.
const REVEAL_MAX: Duration = Duration::from_secs(5);
/// Pause between two looks at the board.
const LOOK: Duration = Duration::from_millis(500);
/// Read buffer of a socket, in bytes: a crowd has many.
const READ_BUFFER_BYTES: usize = 4096;

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

/// Where requests go.
#[derive(Clone)]
pub struct Wire {
    url: String,
    http: Client,
    /// The address from which sockets come, where it is chosen.
    from: Option<IpAddr>,
}

/// A socket of the live channel that has its board.
pub struct Watch {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    generation: String,
    seq: u64,
}

/// What a frame says, as far as it is used.
#[derive(Deserialize)]
pub struct Frame {
    /// `scoreboard`, `solve`, ...
    pub event: String,
    /// Its number in the public stream.
    #[serde(default)]
    seq: Option<u64>,
    #[serde(default)]
    generation: Option<String>,
    /// Of a solve.
    #[serde(default, rename = "challengeId")]
    pub challenge: String,
    /// Of a solve.
    #[serde(default, rename = "teamName")]
    pub team: String,
}

impl Wire {
    /// A wire to the site at `url`.
    pub fn new(url: &str, from: Option<IpAddr>) -> Result<Self> {
        let http = Client::builder().timeout(ANSWER_MAX).local_address(from).build()?;
        Ok(Self { url: url.to_owned(), http, from })
    }

    /// The page and the event, as a browser asks for them.
    pub async fn page(&self) -> Result<Info, Refused> {
        self.get("/", "").await?;
        let info = self.get("/api/ctf", "").await?;
        serde_json::from_slice(&info).map_err(|_| Refused::Failed("the event: not JSON".to_owned()))
    }

    /// The ids of a team's challenges that it may try.
    pub async fn challenges(&self, token: &str) -> Result<Vec<String>, Refused> {
        let answer = self.get("/api/challenge", token).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let all = answer["challenges"].as_array();
        let all = all.ok_or(Refused::Failed("the challenges: not JSON".to_owned()))?;
        let open = all.iter().filter(|challenge| challenge["locked"] == false);
        Ok(open.filter_map(|challenge| Some(challenge["id"].as_str()?.to_owned())).collect())
    }

    /// Whether a flag is right.
    pub async fn solve(&self, token: &str, id: &str, flag: &str) -> Result<bool, Refused> {
        let body = json!({"challengeId": id, "flag": flag});
        let request = self.http.post(format!("{}/api/solve", self.url));
        let answer = send(request.header("x-api-key", token).json(&body), "a flag").await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        answer["correct"].as_bool().ok_or(Refused::Failed("a flag: not JSON".to_owned()))
    }

    async fn get(&self, path: &str, token: &str) -> Result<bytes::Bytes, Refused> {
        let request = self.http.get(format!("{}{path}", self.url));
        send(request.header("x-api-key", token), path).await
    }

    /// Opens the live channel and asks for the board, or for what was missed since.
    pub async fn watch(&self, token: &str, missed: Option<&Watch>) -> Result<Watch> {
        tokio::time::timeout(ANSWER_MAX, self.open(token, missed)).await.context("no board came")?
    }

    async fn open(&self, token: &str, missed: Option<&Watch>) -> Result<Watch> {
        let url = reqwest::Url::parse(&self.url).context("read the address")?;
        let host = url.host_str().context("the address has a host")?;
        let port = url.port_or_known_default().context("the address has a port")?;
        let address = lookup_host((host, port)).await?.next().context("the host is not known")?;
        let stream = connect(address, self.from).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES);
        let live = format!("ws{}/api/live", self.url.strip_prefix("http").unwrap_or_default());
        let opened = client_async_tls_with_config(live, stream, Some(config), None);
        let (stream, _) = opened.await?;
        let mut watch = Watch { stream, generation: String::new(), seq: 0 };
        let mut ask = json!({"action": "getscoreboard", "token": token});
        if let Some(missed) = missed {
            watch.generation.clone_from(&missed.generation);
            watch.seq = missed.seq;
            ask["since"] = missed.seq.into();
            ask["generation"] = missed.generation.as_str().into();
        }
        watch.stream.send(Message::text(ask.to_string())).await?;
        if missed.is_none() {
            while watch.next().await?.event != "scoreboard" {}
        }
        Ok(watch)
    }
}

async fn connect(address: SocketAddr, from: Option<IpAddr>) -> std::io::Result<TcpStream> {
    let Some(from) = from else { return TcpStream::connect(address).await };
    let socket = if from.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(address).await
}

async fn send(request: reqwest::RequestBuilder, what: &str) -> Result<bytes::Bytes, Refused> {
    let failed = |error: reqwest::Error| {
        let why = if error.is_timeout() { "no answer in time" } else { "the connection failed" };
        Refused::Failed(format!("{what}: {why}"))
    };
    let answer = request.send().await.map_err(failed)?;
    match answer.status() {
        StatusCode::OK => answer.bytes().await.map_err(failed),
        StatusCode::TOO_MANY_REQUESTS => Err(Refused::HeldBack),
        StatusCode::SERVICE_UNAVAILABLE => Err(Refused::Shed),
        status => Err(Refused::Failed(format!("{what}: {}", status.as_u16()))),
    }
}

impl Watch {
    /// The next frame.
    pub async fn next(&mut self) -> Result<Frame> {
        loop {
            match self.stream.next().await.context("the live channel closed")?? {
                Message::Text(text) => {
                    let frame: Frame = serde_json::from_str(&text)?;
                    self.seq = frame.seq.unwrap_or(self.seq);
                    if let Some(generation) = &frame.generation {
                        self.generation.clone_from(generation);
                    }
                    return Ok(frame);
                }
                Message::Close(_) => bail!("the live channel was closed"),
                _ => {}
            }
        }
    }
}

/// How many of these solves the public board does not have, once a hidden one had the time to be
/// revealed. A board that stays frozen does not tell.
pub async fn missing(url: &str, solves: &[(String, String)]) -> Result<Option<u64>> {
    let asked = Instant::now();
    loop {
        let missing = missing_now(url, solves).await?;
        if missing == 0 {
            return Ok(Some(0));
        }
        if asked.elapsed() > REVEAL_MAX {
            let info = Client::new().get(format!("{url}/api/ctf")).send().await?;
            let info: Value = info.error_for_status()?.json().await?;
            return Ok((info["status"] != "frozen").then_some(missing));
        }
        tokio::time::sleep(LOOK).await;
    }
}

async fn missing_now(url: &str, solves: &[(String, String)]) -> Result<u64> {
    if solves.is_empty() {
        return Ok(0);
    }
    let request =
        Client::builder().timeout(ANSWER_MAX).build()?.get(format!("{url}/api/scoreboard"));
    let board: Value = request.send().await?.error_for_status()?.json().await?;
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

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
