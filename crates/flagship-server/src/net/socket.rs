//! A WebSocket with limits on what it reads, buffers and waits for.
//!
//! tungstenite implements the protocol, except compression. This module adds the limits: messages
//! are written from bytes that all sockets share, so that no socket holds a copy, the read rate is
//! limited, and the server sends a close frame whenever the client still reads.

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
use super::deflate::{self, Mark, Unmarked};
use super::lists::items;

/// Short messages are written together, up to this many bytes.
const GATHERED_BYTES_MAX: usize = 16 * 1024;
/// Longest frame header that the server sends, in bytes.
const HEAD_BYTES_MAX: usize = 10;
/// How long sending one message may take.
const SEND_MAX: Duration = Duration::from_secs(30);
/// Read buffer of a socket, in bytes: clients send little.
const READ_BUFFER_BYTES: usize = 1024;
/// How long the closing handshake may take ...
const CLOSE_MAX: Duration = Duration::from_secs(1);
/// ... and how many bytes that arrive during it are discarded.
const LATE_BYTES_MAX: usize = 64 * 1024;
/// How long the upgrade may take.
const UPGRADE_MAX: Duration = Duration::from_secs(10);

/// Limits on what a client may send.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest message, in bytes.
    pub message_bytes: usize,
    /// Most bytes per second that are read, averaged over time; 0 is no limit.
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
    /// The upgrade that a request asks for, if it asks for one correctly.
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

    /// Responds with the upgrade, and runs `f` with the socket.
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
pub enum Heard {
    /// A text message.
    Text(Bytes),
    /// A binary message.
    Binary(Bytes),
    /// A ping, which the library answers, or a pong.
    Sign,
}

/// Why the server closes a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The server shuts down.
    Away,
    /// The client sends too much, or has too many sockets.
    Policy,
}

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<Unmarked<TokioIo<Upgraded>>>,
    message_bytes_max: usize,
}

impl Socket {
    /// A socket over an upgraded connection. Of `limits` it enforces the size of a message; the
    /// connection enforces the read rate. `deflates` is true if compression was negotiated.
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

    /// Reads the next message. Cancel-safe.
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

    /// True if `packed` may be used.
    pub fn takes_packed(&self) -> bool {
        self.stream.get_ref().is_agreed()
    }

    /// Sends a text that `deflate::pack` has compressed.
    pub async fn packed(&mut self, packed: Bytes) -> Result<(), Closed> {
        self.message(FrameHeader { rsv1: true, ..frame(Data::Text) }, packed).await
    }

    /// Sends a text.
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

    /// Sends several texts, short ones in one write.
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

    /// Writes whole frames, bypassing the library's buffer, which would hold a copy.
    async fn write(&mut self, mut frames: impl Buf) -> Result<(), Closed> {
        let writing = async {
            // Frames that the library sends by itself, such as pongs, go out whole first.
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
    pub async fn end(self, why: Ending) {
        let code = match why {
            Ending::Away => CloseCode::Away,
            Ending::Policy => CloseCode::Policy,
        };
        self.close(Some(code)).await;
    }

    /// Closes the socket after `hear` failed, with the close code that the protocol prescribes.
    pub async fn end_after(self, error: Error) {
        match error {
            Error::Protocol(_) => self.close(Some(CloseCode::Protocol)).await,
            Error::Utf8(_) => self.close(Some(CloseCode::Invalid)).await,
            Error::Capacity(_) => self.close(Some(CloseCode::Size)).await,
            // The client closed first: the answering close frame is still to be flushed.
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
            // The server shuts down its side first and discards what still arrives: closing with
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

/// The frame header of a message in one frame.
fn frame(kind: Data) -> FrameHeader {
    FrameHeader { opcode: OpCode::Data(kind), ..FrameHeader::default() }
}

/// The bytes of a frame header before its payload.
fn head(header: &FrameHeader, payload: &Bytes) -> Bytes {
    let mut head = Vec::with_capacity(HEAD_BYTES_MAX);
    header.format(payload.len() as u64, &mut head).expect("writing to memory does not fail");
    head.into()
}
