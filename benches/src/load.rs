//! The load: connections that are kept open and that each ask again when they were answered, and
//! how long the answers took.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use hdrhistogram::Histogram;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// What a browser takes.
pub const BROWSER_TAKES: &str = "gzip, deflate, br, zstd";
/// How long an answer may take.
const ANSWER_MAX: Duration = Duration::from_secs(60);
/// The longest time that is told apart, in microseconds.
const LONGEST_US: u64 = 60_000_000;

/// A request with its whole body.
pub type Ask = Request<Full<Bytes>>;

/// `GET path`, as a browser of a team asks; without a token as anybody's.
pub fn get(path: &str, token: &str) -> Result<Ask> {
    let request = Request::get(path).header(header::ACCEPT_ENCODING, BROWSER_TAKES);
    Ok(request.header("x-api-key", token).body(Full::default())?)
}

/// `GET path`, not compressed.
pub fn plain(path: &str) -> Result<Ask> {
    Ok(Request::get(path).body(Full::default())?)
}

/// A flag that a team sends.
pub fn solve(token: &str, challenge: &str, flag: &str) -> Result<Ask> {
    post("/api/solve", token, &json!({"challengeId": challenge, "flag": flag}))
}

/// `POST path` with a JSON body.
pub fn post(path: &str, token: &str, body: &serde_json::Value) -> Result<Ask> {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    Ok(request.header("x-api-key", token).body(Full::from(body.to_string()))?)
}

/// An answer.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// A connection that is kept open.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        Self::over(TcpStream::connect(address).await.context("connect")?).await
    }

    /// Takes a connection that is open.
    pub async fn over(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Its end is seen by whoever asks next.
        tokio::spawn(async { drop(connection.await) });
        Ok(Self { sender })
    }

    /// Asks, and takes the whole answer.
    pub async fn ask(&mut self, mut ask: Ask) -> Result<Answer> {
        ask.headers_mut().insert(header::HOST, header::HeaderValue::from_static("localhost"));
        let answer = async {
            self.sender.ready().await?;
            let (head, body) = self.sender.send_request(ask).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok(Answer { status: head.status, headers: head.headers, body })
        };
        tokio::time::timeout(ANSWER_MAX, answer).await.context("no answer came in time")?
    }
}

/// How long answers took.
pub struct Times {
    histogram: Histogram<u64>,
    /// From the first request to the last answer.
    pub elapsed: Duration,
}

impl Times {
    /// No times yet.
    pub fn new() -> Result<Self> {
        let histogram = Histogram::new_with_max(LONGEST_US, 3)?;
        Ok(Self { histogram, elapsed: Duration::ZERO })
    }

    /// Adds one.
    pub fn took(&mut self, time: Duration) {
        self.histogram.saturating_record(time.as_micros() as u64);
    }

    /// Adds those of another.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        Ok(self.histogram.add(&other.histogram)?)
    }

    /// How many.
    pub fn count(&self) -> f64 {
        self.histogram.len() as f64
    }

    /// So many a second.
    pub fn per_s(&self) -> f64 {
        self.count() / self.elapsed.as_secs_f64()
    }

    /// The longest time, in milliseconds.
    pub fn most_ms(&self) -> f64 {
        self.histogram.max() as f64 / 1000.0
    }

    /// The time that 99 of 100 do not exceed, in milliseconds.
    pub fn p99_ms(&self) -> f64 {
        self.histogram.value_at_quantile(0.99) as f64 / 1000.0
    }
}

/// Sends `asks` over so many connections, each as soon as one is free, and wants each answered
/// with 200 and `says` in its body.
pub async fn flood(
    address: SocketAddr,
    connections: usize,
    asks: Vec<Ask>,
    says: &'static str,
) -> Result<Times> {
    let (asks, next) = (Arc::new(asks), Arc::new(AtomicUsize::new(0)));
    let mut opened = Vec::with_capacity(connections);
    for _ in 0..connections {
        opened.push(Connection::open(address).await?);
    }
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    for mut connection in opened {
        let (asks, next) = (asks.clone(), next.clone());
        senders.spawn(async move {
            let mut times = Times::new()?;
            while let Some(ask) = asks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let asked = Instant::now();
                let answer = connection.ask(ask.clone()).await?;
                times.took(asked.elapsed());
                expect(&answer, says)?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// Sends what `ask` makes so often a second until it is told to stop, and times each from the
/// moment at which it was due.
pub async fn pace(
    address: SocketAddr,
    connections: usize,
    per_s: f64,
    ask: impl Fn(usize) -> Result<Ask> + Clone + Send + 'static,
    stop: tokio::sync::watch::Receiver<bool>,
) -> Result<Times> {
    let mut senders = JoinSet::new();
    let begun = Instant::now();
    for first in 0..connections {
        let (ask, stop) = (ask.clone(), stop.clone());
        let mut connection = Connection::open(address).await?;
        senders.spawn(async move {
            let mut times = Times::new()?;
            for number in (first..).step_by(connections) {
                let due = begun + Duration::from_secs_f64(number as f64 / per_s);
                tokio::time::sleep_until(due.into()).await;
                if *stop.borrow() {
                    break;
                }
                let answer = connection.ask(ask(number)?).await?;
                times.took(due.elapsed());
                expect(&answer, "")?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// The times of all senders, once the last has ended.
async fn gather(mut senders: JoinSet<Result<Times>>, begun: Instant) -> Result<Times> {
    let mut times = Times::new()?;
    while let Some(sender) = senders.join_next().await {
        times.add(&sender??)?;
    }
    times.elapsed = begun.elapsed();
    Ok(times)
}

/// Wants an answer to be 200 with `says` in its body.
pub fn expect(answer: &Answer, says: &str) -> Result<()> {
    let body = &answer.body;
    let found = says.is_empty() || body.windows(says.len()).any(|part| part == says.as_bytes());
    if answer.status != StatusCode::OK || !found {
        bail!("the answer was {}: {}", answer.status, String::from_utf8_lossy(body));
    }
    Ok(())
}
