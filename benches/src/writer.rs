//! A worker process that writes the same message to all of its sockets, with axum's WebSocket or
//! with that of the live channel.

use std::future::{IntoFuture, pending};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use flagship_server::socket::{Limits, Socket, Upgrade};
use flagship_server::{raise_open_files, serve_router};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, broadcast};
use tokio::time::timeout;

/// Timeout for sending one message, as on the live channel.
const SEND_MAX: Duration = Duration::from_secs(30);
/// Clients send nothing here.
const LIMITS: Limits = Limits { message_bytes: 1024, bytes_per_s: 0 };

/// A command to the worker.
#[derive(Serialize, Deserialize)]
pub struct WriteCommand {
    /// The file with the message.
    pub file: PathBuf,
    /// True if the message is text; otherwise it is compressed.
    pub is_text: bool,
    /// Repetitions per socket.
    pub times: usize,
}

/// A message whose bytes all sockets share.
#[derive(Clone)]
enum Shared {
    Text(Utf8Bytes),
    Packed(Bytes),
}

/// Sends messages to all sockets.
struct Broadcast {
    sent: broadcast::Sender<Shared>,
    /// One permit for each message that a socket has written.
    written: Semaphore,
}

/// Runs the worker; `name` is `axum` or `shared`. Its first message is its address.
pub fn run(name: &str) -> Result<()> {
    raise_open_files();
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(work(name))
}

async fn work(name: &str) -> Result<()> {
    let broadcast =
        Arc::new(Broadcast { sent: broadcast::Sender::new(1), written: Semaphore::new(0) });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", serde_json::to_string(&listener.local_addr()?)?);
    let at = |route| Router::new().route("/", route).with_state(broadcast.clone());
    match name {
        "axum" => drop(tokio::spawn(axum::serve(listener, at(get(by_axum))).into_future())),
        "shared" => {
            let loopback = vec!["127.0.0.0/8".parse()?];
            drop(tokio::spawn(serve_router(listener, at(get(by_shared)), loopback, pending())));
        }
        _ => bail!("there is no writer `{name}`"),
    }
    for line in std::io::stdin().lines() {
        let WriteCommand { file, is_text, times } = serde_json::from_str(&line?)?;
        let bytes = Bytes::from(std::fs::read(file).context("read the message")?);
        let message = if is_text { Shared::Text(bytes.try_into()?) } else { Shared::Packed(bytes) };
        for _ in 0..times {
            let sockets = broadcast.sent.send(message.clone()).ok().context("there are sockets")?;
            broadcast.written.acquire_many(u32::try_from(sockets)?).await?.forget();
        }
        println!("null");
    }
    Ok(())
}

async fn by_axum(upgrade: WebSocketUpgrade, State(broadcast): State<Arc<Broadcast>>) -> Response {
    let mut messages = broadcast.sent.subscribe();
    upgrade.on_upgrade(async move |mut socket: WebSocket| {
        while let Ok(message) = messages.recv().await {
            let message = match message {
                Shared::Text(text) => Message::Text(text),
                Shared::Packed(bytes) => Message::Binary(bytes),
            };
            let Ok(Ok(())) = timeout(SEND_MAX, socket.send(message)).await else { return };
            broadcast.written.add_permits(1);
        }
    })
}

async fn by_shared(State(broadcast): State<Arc<Broadcast>>, upgrade: Upgrade) -> Response {
    let mut messages = broadcast.sent.subscribe();
    upgrade.run(LIMITS, async move |mut socket: Socket| {
        while let Ok(message) = messages.recv().await {
            let sent = match message {
                Shared::Text(text) => socket.text(text).await,
                Shared::Packed(bytes) => socket.packed(bytes).await,
            };
            if sent.is_err() {
                return;
            }
            broadcast.written.add_permits(1);
        }
    })
}
