//! A WebSocket as the live channel uses it: bounded in what it reads, keeps and waits for.
//!
//! The protocol is tungstenite's, compression aside. What is added here are the limits: a message
//! is written from bytes that all sockets share, so that none keeps a copy of it, reading is
//! paced, and every ending is said in a close frame as far as the client takes it.

use std::future::Future;
use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
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

use crate::connection::Stage;
use crate::deflate::{self, Mark, Unmarked};
use crate::error::ApiError;

/// The most that is put together of short messages, to be written at once, in bytes.
const GATHERED_BYTES_MAX: usize = 16 * 1024;
/// Longest head of a message that the server sends, in bytes.
const HEAD_BYTES_MAX: usize = 10;
/// How long one message may take to be sent.
const SEND_MAX: Duration = Duration::from_secs(30);
/// Read buffer of a socket, in bytes: clients say little.
const READ_BUFFER_BYTES: usize = 1024;
/// How long a client is given to take its goodbye ...
const GOODBYE_MAX: Duration = Duration::from_secs(1);
/// ... and how many bytes that it said too late are thrown away meanwhile.
const LATE_BYTES_MAX: usize = 64 * 1024;
/// How long the connection may take to become a socket.
const UPGRADE_MAX: Duration = Duration::from_secs(10);

/// What a client may say.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest message, in bytes.
    pub message_bytes: usize,
    /// Bytes that are read a second, in the long run; 0 for as many as come.
    pub bytes_per_s: u32,
}

/// A request to become a WebSocket.
pub struct Upgrade {
    upgrade: OnUpgrade,
    accept: HeaderValue,
    stage: Stage,
    /// Whether messages may be compressed.
    deflates: bool,
}

impl<S: Sync> OptionalFromRequestParts<S> for Upgrade {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        _: &S,
    ) -> Result<Option<Self>, std::convert::Infallible> {
        Ok(find(parts))
    }
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        find(parts).ok_or(ApiError::NOT_A_SOCKET)
    }
}

fn find(parts: &mut Parts) -> Option<Upgrade> {
    let headers = &parts.headers;
    let asks = parts.method == Method::GET
        && parts.version == axum::http::Version::HTTP_11
        && names(headers, header::CONNECTION, "upgrade")
        && names(headers, header::UPGRADE, "websocket")
        && headers.get(header::SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    // Sixteen bytes in base64.
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| asks && key.len() == 24)?;
    let accept = derive_accept_key(key.as_bytes());
    let accept = HeaderValue::from_str(&accept).expect("base64 is plain ASCII");
    let stage = parts.extensions.get::<Stage>()?.clone();
    let deflates = deflate::is_offered(headers);
    Some(Upgrade { accept, stage, deflates, upgrade: parts.extensions.remove()? })
}

/// Whether one of a header's comma-separated words is this one.
fn names(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|it| it.trim().eq_ignore_ascii_case(word))
}

impl Upgrade {
    /// Answers that the connection is a socket from now on, and runs `f` with it.
    pub fn run<F>(self, limits: Limits, f: impl FnOnce(Socket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        self.stage.pace(limits.bytes_per_s);
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

/// The socket is over.
#[derive(Clone, Copy, Debug)]
pub struct Closed;

/// What a client said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A text message.
    Text(Bytes),
    /// A binary message.
    Binary(Bytes),
    /// A ping, which is answered already, or a pong.
    Sign,
}

/// Why the server ends a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The server stops.
    Away,
    /// The client says too much, or is one too many.
    Policy,
}

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<Unmarked<TokioIo<Upgraded>>>,
    message_bytes_max: usize,
}

impl Socket {
    /// A socket over a connection that was upgraded. Of the limits only that of a message is held
    /// here: how fast it is read is the connection's. `deflates` is whether compression is agreed.
    pub async fn new(upgraded: Upgraded, limits: Limits, deflates: bool) -> Self {
        let message_bytes_max = limits.message_bytes;
        let config = WebSocketConfig::default()
            .max_message_size(Some(message_bytes_max))
            .max_frame_size(Some(message_bytes_max))
            .read_buffer_size(READ_BUFFER_BYTES)
            .write_buffer_size(0);
        let io = Unmarked::new(TokioIo::new(upgraded), deflates);
        let stream = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        Self { stream, message_bytes_max }
    }

    /// What the client says next. May be dropped and asked again.
    pub async fn hear(&mut self) -> Result<Heard, Error> {
        let heard = match self.stream.next().await.unwrap_or(Err(Error::ConnectionClosed))? {
            Message::Text(text) => Heard::Text(text.into()),
            Message::Binary(bytes) => Heard::Binary(bytes),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => return Ok(Heard::Sign),
            Message::Close(_) => return Err(Error::ConnectionClosed),
        };
        let unpack = |packed: &[u8]| deflate::unpack(packed, self.message_bytes_max);
        match (self.stream.get_mut().mark(), heard) {
            (Mark::Text, Heard::Binary(packed)) => {
                Ok(Heard::Text(String::from_utf8(unpack(&packed)?)?.into()))
            }
            (Mark::Binary, Heard::Binary(packed)) => Ok(Heard::Binary(unpack(&packed)?.into())),
            (_, heard) => Ok(heard),
        }
    }

    /// Whether `packed` may be sent.
    pub fn takes_packed(&self) -> bool {
        self.stream.get_ref().is_agreed()
    }

    /// Sends a text that `deflate::pack` has made of it.
    pub async fn packed(&mut self, packed: Bytes) -> Result<(), Closed> {
        let header = FrameHeader { rsv1: true, ..frame(Data::Text) };
        self.write(head(&header, &packed).chain(packed)).await
    }

    /// Sends a text.
    pub async fn text(&mut self, text: impl Into<Bytes>) -> Result<(), Closed> {
        let text = text.into();
        self.write(head(&frame(Data::Text), &text).chain(text)).await
    }

    /// Sends any bytes.
    pub async fn binary(&mut self, bytes: impl Into<Bytes>) -> Result<(), Closed> {
        let bytes = bytes.into();
        self.write(head(&frame(Data::Binary), &bytes).chain(bytes)).await
    }

    /// Sends several texts, short ones together.
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

    /// Writes whole frames past the protocol's own buffer, which keeps a copy.
    async fn write(&mut self, mut frames: impl Buf) -> Result<(), Closed> {
        let writing = async {
            // What the protocol says by itself, such as a pong, goes out whole before.
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

    /// Asks the client whether it is there.
    pub async fn ping(&mut self) -> Result<(), Closed> {
        match timeout(SEND_MAX, self.stream.send(Message::Ping(Bytes::new()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }

    /// Ends the socket from the server's side.
    pub async fn end(self, why: Ending) {
        let code = match why {
            Ending::Away => CloseCode::Away,
            Ending::Policy => CloseCode::Policy,
        };
        self.close(Some(code)).await;
    }

    /// Ends the socket after `hear` gave an error, and says which as the protocol asks.
    pub async fn end_after(self, error: Error) {
        match error {
            Error::Protocol(_) => self.close(Some(CloseCode::Protocol)).await,
            Error::Utf8(_) => self.close(Some(CloseCode::Invalid)).await,
            Error::Capacity(_) => self.close(Some(CloseCode::Size)).await,
            // The client said goodbye: the answer to it is still to be sent.
            Error::ConnectionClosed => self.close(None).await,
            _ => {}
        }
    }

    async fn close(mut self, code: Option<CloseCode>) {
        let goodbye = async {
            match code {
                Some(code) => {
                    let frame = CloseFrame { code, reason: "".into() };
                    drop(self.stream.send(Message::Close(Some(frame))).await);
                }
                None => drop(self.stream.flush().await),
            }
            // The server closes first. What comes late is read away: closed over unread bytes, the
            // goodbye might get lost.
            let io = self.stream.get_mut();
            io.pass();
            drop(io.shutdown().await);
            let mut late = io.take(LATE_BYTES_MAX as u64);
            drop(tokio::io::copy(&mut late, &mut tokio::io::sink()).await);
        };
        drop(timeout(GOODBYE_MAX, goodbye).await);
    }
}

/// The header of a message of one frame.
fn frame(kind: Data) -> FrameHeader {
    FrameHeader { opcode: OpCode::Data(kind), ..FrameHeader::default() }
}

/// What stands before a payload.
fn head(header: &FrameHeader, payload: &Bytes) -> Bytes {
    let mut head = Vec::with_capacity(HEAD_BYTES_MAX);
    header.format(payload.len() as u64, &mut head).expect("writing to memory does not fail");
    head.into()
}
