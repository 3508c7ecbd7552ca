//! A WebSocket client of the live channel.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::call::COOKIE;
use crate::{TestApp, WAIT_MAX};

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Opens a socket without requesting anything.
    ///
    /// # Panics
    /// If the server rejects it.
    pub async fn open(app: &TestApp) -> Self {
        let url = format!("{}/api/live", app.url.replacen("http", "ws", 1));
        let (stream, _) = connect_async(url).await.expect("the live channel opens");
        Self { stream }
    }

    /// Opens the organizers' channel with some headers, or returns the status of the rejection.
    /// `query` begins with `?` or is empty.
    ///
    /// # Panics
    /// If there is no response.
    pub async fn organize(
        app: &TestApp,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, u16> {
        let url = format!("{}/api/organize/live{query}", app.url.replacen("http", "ws", 1));
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        match connect_async(request).await {
            Ok((stream, _)) => Ok(Self { stream }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("the server answers: {error}"),
        }
    }

    /// Opens the organizers' channel from the site, with a session.
    ///
    /// # Panics
    /// If the server rejects it.
    pub async fn of_session(app: &TestApp, session: &str, query: &str) -> Self {
        let cookie = format!("{COOKIE}={session}");
        let headers = [("cookie", &*cookie), ("origin", &app.app.config().public_url)];
        Self::organize(app, query, &headers).await.expect("the organizers' channel opens")
    }

    /// Opens a socket and requests the scoreboard without a token; returns it with its snapshot.
    pub async fn watching(app: &TestApp) -> (Self, Value) {
        let mut socket = Self::open(app).await;
        let snapshot = socket.snapshot(&json!({"action": "getscoreboard"})).await;
        (socket, snapshot)
    }

    /// Sends a message as JSON.
    pub async fn say(&mut self, message: &Value) {
        self.send(Message::text(message.to_string())).await;
    }

    /// Sends any message.
    ///
    /// # Panics
    /// If the socket is closed.
    pub async fn send(&mut self, message: Message) {
        self.stream.send(message).await.expect("the socket is open");
    }

    /// Sends a message `count` times, or until the socket is closed.
    pub async fn flood(&mut self, message: Message, count: usize) {
        for _ in 0..count {
            if self.stream.send(message.clone()).await.is_err() {
                return;
            }
        }
    }

    /// Sends a message; returns the next snapshot.
    pub async fn snapshot(&mut self, message: &Value) -> Value {
        self.say(message).await;
        self.until("scoreboard").await.pop().expect("the last one is it")
    }

    /// The text of the next message.
    ///
    /// # Panics
    /// If there is none in time, or the socket is closed.
    pub async fn next_text(&mut self) -> String {
        self.next_within(WAIT_MAX).await.expect("a message comes, on an open socket")
    }

    /// The text of the next message; `None` if there is none in time or the socket is closed.
    pub async fn next_within(&mut self, limit: Duration) -> Option<String> {
        timeout(limit, async {
            loop {
                match self.stream.next().await? {
                    Ok(Message::Text(text)) => return Some(text.to_string()),
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(_)) | Err(_) => return None,
                    Ok(other) => panic!("the server speaks text alone: {other:?}"),
                }
            }
        })
        .await
        .ok()
        .flatten()
    }

    /// The next message.
    pub async fn next(&mut self) -> Value {
        parse(&self.next_text().await)
    }

    /// All messages up to and including the first with this event.
    pub async fn until(&mut self, event: &str) -> Vec<Value> {
        self.until_so(|message| message["event"] == event).await
    }

    /// All messages up to and including the first for which `fits` is true.
    pub async fn until_so(&mut self, mut fits: impl FnMut(&Value) -> bool) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            messages.push(self.next().await);
            if messages.last().is_some_and(&mut fits) {
                return messages;
            }
        }
    }

    /// Waits until the server closes the socket; returns the close code, if any.
    ///
    /// # Panics
    /// If the server does not close it in time.
    pub async fn closed(&mut self) -> Option<u16> {
        let closed = timeout(WAIT_MAX, async {
            while let Some(Ok(message)) = self.stream.next().await {
                if let Message::Close(frame) = message {
                    return frame.map(|frame| frame.code.into());
                }
            }
            None
        });
        closed.await.expect("the server closes the socket")
    }
}

/// A message as JSON.
fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("every message is JSON: {text}"))
}
