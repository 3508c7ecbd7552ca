//! Clients of the live channel.

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::site::{Site, Stream};

/// Read buffer of a socket, in bytes; small, because there are many sockets.
const READ_BUFFER_BYTES: usize = 4096;

/// A client of the live channel: its socket, if connected, and the position to resume from.
#[derive(Default)]
pub struct Watch {
    stream: Option<WebSocketStream<Stream>>,
    generation: String,
    seq: u64,
}

/// The used members of a message.
#[derive(Deserialize)]
pub struct Frame {
    /// `scoreboard`, `solve`, ...
    pub event: String,
    seq: Option<u64>,
    generation: Option<String>,
    /// The challenge of a solve, empty otherwise.
    #[serde(default, rename = "challengeId")]
    pub challenge: String,
    /// The team of a solve, empty otherwise.
    #[serde(default, rename = "teamName")]
    pub team: String,
}

impl Watch {
    /// Opens a socket and waits for the scoreboard.
    pub async fn open(site: &Site, token: &str) -> Result<Self> {
        let mut watch = Self::default();
        watch.connect(site, token).await?;
        while watch.next().await?.event != "scoreboard" {}
        Ok(watch)
    }

    /// Opens a socket and requests the scoreboard or, after an earlier connection, the messages
    /// missed since.
    pub async fn connect(&mut self, site: &Site, token: &str) -> Result<()> {
        let stream = site.connect().await?;
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES);
        let opened = client_async_with_config(site.live(), stream, Some(config)).await;
        let (mut stream, _) = opened?;
        let mut ask = json!({"action": "getscoreboard", "token": token});
        if !self.generation.is_empty() {
            ask["since"] = self.seq.into();
            ask["generation"] = self.generation.as_str().into();
        }
        stream.send(Message::text(ask.to_string())).await?;
        self.stream = Some(stream);
        Ok(())
    }

    /// Drops the socket without a close frame.
    pub fn disconnect(&mut self) {
        self.stream = None;
    }

    /// The last sequence number of the public stream that was received.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Receives the next message. Cancel safe.
    pub async fn next(&mut self) -> Result<Frame> {
        let stream = self.stream.as_mut().context("the socket is open")?;
        loop {
            match stream.next().await.context("the live channel closed")?? {
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
