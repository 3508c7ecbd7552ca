//! Sockets of the live channel in processes of their own, so that open files suffice.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::part::Part;

/// Sockets that are opened at the same time where nothing is measured.
const OPENING_MAX: usize = 64;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(240);
/// Read buffer of a socket, in bytes.
const READ_BUFFER_BYTES: usize = 4096;

/// What a part is told.
#[derive(Serialize, Deserialize)]
pub enum Word {
    /// Open so many sockets and take their boards, a few at a time.
    Open { count: usize },
    /// Wait for the frame of a solve on each socket; gives its moments, in nanoseconds.
    Hear,
    /// Lose all connections.
    Lose,
    /// Come back, all at once, and hear all up to this number of the public stream; gives the
    /// moments, in nanoseconds.
    Return { seq: u64 },
}

/// Nanoseconds of the machine's clock that all processes share.
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Starts the `number`th part of the crowd.
pub fn start(address: SocketAddr, number: usize) -> Result<Part> {
    Part::start(&["crowd", &address.to_string(), &number.to_string()])
}

/// The process itself.
pub fn run(address: &str, number: &str) -> Result<()> {
    let (address, number): (SocketAddr, usize) = (address.parse()?, number.parse()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Each part comes from an address of its own and so has ports enough.
    let host = u8::try_from(number + 2).context("fewer parts")?;
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, 1, host));
    let mut crowd = Crowd { address, from, watches: Vec::new() };
    for line in std::io::stdin().lines() {
        let word = serde_json::from_str(&line?)?;
        let moments = runtime
            .block_on(async { tokio::time::timeout(PATIENCE, crowd.hear(word)).await })??;
        println!("{}", serde_json::to_string(&moments)?);
    }
    Ok(())
}

struct Crowd {
    address: SocketAddr,
    from: IpAddr,
    watches: Vec<Watch>,
}

/// A client: its socket, and what it knows.
struct Watch {
    stream: Option<WebSocketStream<TcpStream>>,
    generation: String,
    seq: u64,
}

/// What a frame says, as far as it is used.
#[derive(Deserialize)]
struct Frame<'a> {
    event: &'a str,
    seq: Option<u64>,
    generation: Option<&'a str>,
}

impl Crowd {
    async fn hear(&mut self, word: Word) -> Result<Vec<u64>> {
        let (address, from) = (self.address, self.from);
        match word {
            Word::Open { count } => {
                let places = Arc::new(Semaphore::new(OPENING_MAX));
                self.watches = all((0..count).map(|_| {
                    let places = places.clone();
                    async move {
                        let _place = places.acquire().await?;
                        let mut watch = Watch { stream: None, generation: String::new(), seq: 0 };
                        watch.open(address, from).await?;
                        while watch.next().await? != "scoreboard" {}
                        Ok(watch)
                    }
                }))
                .await?;
                Ok(Vec::new())
            }
            Word::Hear => {
                self.each(|mut watch| async move {
                    while watch.next().await? != "solve" {}
                    Ok((now_ns(), watch))
                })
                .await
            }
            Word::Lose => {
                self.watches.iter_mut().for_each(|watch| watch.stream = None);
                Ok(Vec::new())
            }
            Word::Return { seq } => {
                self.each(move |mut watch| async move {
                    watch.open(address, from).await?;
                    while watch.seq < seq {
                        watch.next().await?;
                    }
                    Ok((now_ns(), watch))
                })
                .await
            }
        }
    }

    async fn each<F>(&mut self, work: impl Fn(Watch) -> F) -> Result<Vec<u64>>
    where
        F: Future<Output = Result<(u64, Watch)>> + Send + 'static,
    {
        let done = all(std::mem::take(&mut self.watches).into_iter().map(work)).await?;
        let (moments, watches) = done.into_iter().unzip();
        self.watches = watches;
        Ok(moments)
    }
}

/// Does all at the same time.
async fn all<T, F>(work: impl Iterator<Item = F>) -> Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
{
    let mut tasks: JoinSet<Result<T>> = work.collect();
    let mut done = Vec::with_capacity(tasks.len());
    while let Some(task) = tasks.join_next().await {
        done.push(task??);
    }
    Ok(done)
}

impl Watch {
    /// Opens the socket and asks for the board, or for what was missed.
    async fn open(&mut self, address: SocketAddr, from: IpAddr) -> Result<()> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(from, 0))?;
        let stream = socket.connect(address).await.context("connect")?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES);
        let url = format!("ws://{address}/api/live");
        let (mut stream, _) = client_async_with_config(url, stream, Some(config)).await?;
        let mut ask = json!({"action": "getscoreboard", "token": ""});
        if !self.generation.is_empty() {
            ask["since"] = self.seq.into();
            ask["generation"] = self.generation.as_str().into();
        }
        stream.send(Message::text(ask.to_string())).await?;
        self.stream = Some(stream);
        Ok(())
    }

    /// The next frame's event.
    async fn next(&mut self) -> Result<String> {
        let stream = self.stream.as_mut().context("the socket is open")?;
        loop {
            match stream.next().await.context("the live channel ended")?? {
                Message::Text(text) => {
                    let frame: Frame = serde_json::from_str(&text)?;
                    self.seq = frame.seq.unwrap_or(self.seq);
                    if let Some(generation) = frame.generation {
                        generation.clone_into(&mut self.generation);
                    }
                    return Ok(frame.event.to_owned());
                }
                Message::Close(_) => bail!("the live channel was closed"),
                _ => {}
            }
        }
    }
}
