//! A WebSocket with limits on reading, buffering and waiting.
//!
//! tungstenite implements the protocol, except for compression. This module adds the limits.
//! Messages are written from bytes shared by all sockets, so no socket holds a copy. The read rate
//! is limited, and the server sends a close frame whenever the client is still reading.

use std::future::Future;
use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{CloseFrame, FrameHeader};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::connection::ConnectionState;
use super::deflate::{self, DeflateStream, Mark};
use super::lists::items;

/// Short messages are combined into one write of up to this many bytes.
const GATHERED_BYTES_MAX: usize = 16 * 1024;
/// Maximum size of a frame header that the server sends, in bytes.
const HEAD_BYTES_MAX: usize = 10;
/// Maximum time for sending one message.
const SEND_MAX: Duration = Duration::from_secs(30);
/// Read buffer size of a socket, in bytes. Clients send little.
const READ_BUFFER_BYTES: usize = 1024;
/// Maximum time for the closing handshake …
const CLOSE_MAX: Duration = Duration::from_secs(1);
/// … and maximum number of bytes discarded during it.
const LATE_BYTES_MAX: usize = 64 * 1024;
/// Maximum time for the upgrade.
const UPGRADE_MAX: Duration = Duration::from_secs(10);

/// Limits on the data a client may send.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum size of a message, in bytes.
    pub message_bytes: usize,
    /// Maximum average number of bytes read per second; 0 means no limit.
    pub bytes_per_s: u32,
}

/// A request to upgrade to a WebSocket.
pub struct Upgrade {
    upgrade: OnUpgrade,
    accept: HeaderValue,
    connection: ConnectionState,
    /// True if messages may be compressed.
    deflates: bool,
}

impl Upgrade {
    /// Returns the upgrade if the request is a valid one.
    pub fn find(parts: &mut Parts) -> Option<Self> {
        let headers = &parts.headers;
        let names =
            |header, word: &str| items(headers, header).any(|it| it.eq_ignore_ascii_case(word));
        let asks = parts.method == Method::GET
            && parts.version == axum::http::Version::HTTP_11
            && names(header::CONNECTION, "upgrade")
            && names(header::UPGRADE, "websocket")
            && headers.get(header::SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
        // Sixteen bytes in base64.
        let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| asks && key.len() == 24)?;
        let accept = derive_accept_key(key.as_bytes());
        let accept = HeaderValue::from_str(&accept).expect("base64 is plain ASCII");
        let connection = parts.extensions.get::<ConnectionState>()?.clone();
        let deflates = deflate::is_offered(headers);
        Some(Self { accept, connection, deflates, upgrade: parts.extensions.remove()? })
    }

    /// Responds with the upgrade and runs `f` with the socket.
    pub fn run<F>(self, limits: Limits, f: impl FnOnce(Socket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        self.connection.set_read_rate(limits.bytes_per_s);
        tokio::spawn(async move {
            let Ok(Ok(upgraded)) = timeout(UPGRADE_MAX, self.upgrade).await else { return };
            f(Socket::new(upgraded, limits, self.deflates).await).await;
        });
        let headers = [
            (header::CONNECTION, HeaderValue::from_static("upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
            (header::SEC_WEBSOCKET_ACCEPT, self.accept),
        ];
        let agreed = (header::SEC_WEBSOCKET_EXTENSIONS, deflate::AGREED);
        let agreed = self.deflates.then_some([agreed]);
        (StatusCode::SWITCHING_PROTOCOLS, agreed, headers).into_response()
    }
}

/// The socket is closed.
#[derive(Clone, Copy, Debug)]
pub struct Closed;

/// A message from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// A text message.
    Text(Bytes),
    /// A binary message.
    Binary(Bytes),
    /// A ping, which the library answers, or a pong.
    Sign,
}

/// Reason why the server closes a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The server is shutting down.
    Away,
    /// The client sends too much or has too many sockets.
    Policy,
}

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<DeflateStream<TokioIo<Upgraded>>>,
    message_bytes_max: usize,
}

impl Socket {
    /// Creates a socket over an upgraded connection. It enforces the message size; the connection
    /// enforces the read rate. `deflates` is true if compression was negotiated.
    pub async fn new(upgraded: Upgraded, limits: Limits, deflates: bool) -> Self {
        let message_bytes_max = limits.message_bytes;
        let config = WebSocketConfig::default()
            .max_message_size(Some(message_bytes_max))
            .max_frame_size(Some(message_bytes_max))
            .read_buffer_size(READ_BUFFER_BYTES)
            .write_buffer_size(0);
        let io = DeflateStream::new(TokioIo::new(upgraded), deflates);
        let stream = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        Self { stream, message_bytes_max }
    }

    /// Reads the next message. Cancel-safe.
    pub async fn receive(&mut self) -> Result<Incoming, Error> {
        let message = match self.stream.next().await.unwrap_or(Err(Error::ConnectionClosed))? {
            Message::Text(text) => Incoming::Text(text.into()),
            Message::Binary(bytes) => Incoming::Binary(bytes),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return Ok(Incoming::Sign),
            Message::Close(_) => return Err(Error::ConnectionClosed),
        };
        let unpack = |packed: &[u8]| deflate::unpack(packed, self.message_bytes_max);
        match (self.stream.get_mut().mark(), message) {
            (Mark::Text, Incoming::Binary(packed)) => {
                Ok(Incoming::Text(String::from_utf8(unpack(&packed)?)?.into()))
            }
            (Mark::Binary, Incoming::Binary(packed)) => {
                Ok(Incoming::Binary(unpack(&packed)?.into()))
            }
            (_, message) => Ok(message),
        }
    }

    /// True if the client accepts compressed messages.
    pub fn takes_packed(&self) -> bool {
        self.stream.get_ref().is_agreed()
    }

    /// Sends a text message compressed by `deflate::pack`.
    pub async fn packed(&mut self, packed: Bytes) -> Result<(), Closed> {
        self.message(FrameHeader { rsv1: true, ..frame(Data::Text) }, packed).await
    }

    /// Sends a text message.
    pub async fn text(&mut self, text: impl Into<Bytes>) -> Result<(), Closed> {
        self.message(frame(Data::Text), text.into()).await
    }

    /// Sends a binary message.
    pub async fn binary(&mut self, bytes: impl Into<Bytes>) -> Result<(), Closed> {
        self.message(frame(Data::Binary), bytes.into()).await
    }

    async fn message(&mut self, header: FrameHeader, payload: Bytes) -> Result<(), Closed> {
        self.write(head(&header, &payload).chain(payload)).await
    }

    /// Sends several text messages, combining short ones into one write.
    pub async fn texts(&mut self, texts: Vec<Bytes>) -> Result<(), Closed> {
        let mut gathered = BytesMut::new();
        let count = texts.len();
        for text in texts {
            let is_short = gathered.len() + text.len() <= GATHERED_BYTES_MAX;
            if count > 1 && is_short {
                gathered.put(head(&frame(Data::Text), &text));
                gathered.put(text);
                continue;
            }
            if !gathered.is_empty() {
                self.write(std::mem::take(&mut gathered)).await?;
            }
            self.text(text).await?;
        }
        if gathered.is_empty() { Ok(()) } else { self.write(gathered).await }
    }

    /// Writes complete frames directly, since the library's buffer would hold a copy.
    async fn write(&mut self, mut frames: impl Buf) -> Result<(), Closed> {
        let writing = async {
            // Frames that the library sends itself, such as pongs, must be written completely
            // first.
            self.stream.flush().await?;
            let io = self.stream.get_mut();
            io.write_all_buf(&mut frames).await?;
            io.flush().await?;
            Ok::<(), Error>(())
        };
        match timeout(SEND_MAX, writing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }

    /// Sends a ping.
    pub async fn ping(&mut self) -> Result<(), Closed> {
        match timeout(SEND_MAX, self.stream.send(Message::Ping(Bytes::new()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }

    /// Closes the socket from the server's side.
    pub async fn end(self, why: CloseReason) {
        let code = match why {
            CloseReason::Away => CloseCode::Away,
            CloseReason::Policy => CloseCode::Policy,
        };
        self.close(Some(code)).await;
    }

    /// Closes the socket after `hear` failed, with the close code that the protocol prescribes.
    pub async fn end_after(self, error: Error) {
        match error {
            Error::Protocol(_) => self.close(Some(CloseCode::Protocol)).await,
            Error::Utf8(_) => self.close(Some(CloseCode::Invalid)).await,
            Error::Capacity(_) => self.close(Some(CloseCode::Size)).await,
            // The client closed first. The close frame in reply still needs a flush.
            Error::ConnectionClosed => self.close(None).await,
            _ => {}
        }
    }

    async fn close(mut self, code: Option<CloseCode>) {
        let closing = async {
            match code {
                Some(code) => {
                    let frame = CloseFrame { code, reason: "".into() };
                    drop(self.stream.send(Message::Close(Some(frame))).await);
                }
                None => drop(self.stream.flush().await),
            }
            // The server shuts down its side first and discards remaining input. Closing with
            // unread bytes would reset the connection, and the close frame could be lost.
            let io = self.stream.get_mut();
            io.pass();
            drop(io.shutdown().await);
            let mut late = io.take(LATE_BYTES_MAX as u64);
            drop(tokio::io::copy(&mut late, &mut tokio::io::sink()).await);
        };
        drop(timeout(CLOSE_MAX, closing).await);
    }
}

/// Creates the frame header for a single-frame message.
fn frame(kind: Data) -> FrameHeader {
    FrameHeader { opcode: OpCode::Data(kind), ..FrameHeader::default() }
}

/// Serializes a frame header.
fn head(header: &FrameHeader, payload: &Bytes) -> Bytes {
    let mut head = Vec::with_capacity(HEAD_BYTES_MAX);
    header.format(payload.len() as u64, &mut head).expect("writing to memory does not fail");
    head.into()
}
