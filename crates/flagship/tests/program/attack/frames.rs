//! Raw WebSocket frames to the live channel: protocol errors close the socket with the code of the
//! standard, and floods are slowed down or ended.

use std::time::{Duration, Instant};

use flagship_testkit::Engine;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::raw::{closed, connect, stranger};
use super::{Honest, is_long};
use crate::WAIT_MAX;
use crate::event::EventFolder;
use crate::process::{Server, TestSite};

const MASK: [u8; 4] = [7, 1, 9, 200];
const FIN: u8 = 0x80;
const TEXT: u8 = 1;
const CONTINUE: u8 = 0;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// A masked frame, as clients send it.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        len @ 0..126 => bytes.push(0x80 | len as u8),
        len => {
            bytes.push(0x80 | 126);
            bytes.extend_from_slice(&(len as u16).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&MASK);
    bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// An open live channel, without a WebSocket library.
pub struct RawSocket(pub TcpStream);

impl RawSocket {
    pub async fn open(server: &Server) -> Self {
        let mut stream = connect(server.address(), stranger(1)).await;
        let ask = "GET /api/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
                   Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("the server answers"));
        }
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        assert!(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
        Self(stream)
    }

    /// The next frame: its first byte and its payload.
    async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let reading = async {
            let first = self.0.read_u8().await.ok()?;
            let length = match self.0.read_u8().await.ok()? {
                126 => usize::from(self.0.read_u16().await.ok()?),
                127 => usize::try_from(self.0.read_u64().await.ok()?).ok()?,
                length => usize::from(length),
            };
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload).await.ok()?;
            Some((first, payload))
        };
        tokio::time::timeout(WAIT_MAX, reading).await.expect("the server sends or closes")
    }

    /// The next frame other than a ping.
    async fn answer(&mut self) -> Option<(u8, Vec<u8>)> {
        loop {
            let frame = self.next().await;
            if frame.as_ref().is_none_or(|(first, _)| *first != FIN | PING) {
                return frame;
            }
        }
    }

    /// Reads until the server closes the socket; returns the close code.
    async fn ends_with(&mut self) -> Option<u16> {
        while let Some((first, payload)) = self.answer().await {
            if first == FIN | CLOSE {
                return payload.first_chunk().map(|code| u16::from_be_bytes(*code));
            }
        }
        None
    }
}

/// Protocol errors, with their close codes.
fn breaches() -> Vec<(&'static str, Vec<u8>, u16)> {
    let text = |payload: &[u8]| frame(FIN | TEXT, payload);
    let plain = vec![FIN | TEXT, 2, b'{', b'}'];
    let broken_word = [frame(TEXT, b"{\"a\":\"\xce"), frame(FIN | CONTINUE, b"\xba\xff\"}")];
    vec![
        ("a frame without a mask", plain, 1002),
        ("a reserved bit", frame(FIN | 0x40 | TEXT, b"{}"), 1002),
        ("another reserved bit", frame(FIN | 0x10 | TEXT, b"{}"), 1002),
        ("an unknown kind", frame(FIN | 3, b"{}"), 1002),
        ("an unknown control", frame(FIN | 11, b""), 1002),
        ("a ping in pieces", frame(PING, b""), 1002),
        ("a long ping", frame(FIN | PING, &[0; 126]), 1002),
        ("a piece of nothing", frame(FIN | CONTINUE, b"{}"), 1002),
        ("a message in a message", [frame(TEXT, b"{"), text(b"{}")].concat(), 1002),
        ("a close of one byte", frame(FIN | CLOSE, &[3]), 1002),
        ("a close with a reserved code", frame(FIN | CLOSE, &1005u16.to_be_bytes()), 1002),
        ("text that is not UTF-8", text(b"{\"a\":\"\xff\"}"), 1007),
        ("half a character", text(b"\xce"), 1007),
        ("a surrogate", text(b"\xed\xa0\x80"), 1007),
        ("an overlong slash", text(b"\xc0\xaf"), 1007),
        ("text that breaks in its second piece", broken_word.concat(), 1007),
        ("a large message", text(&[b' '; 5000]), 1009),
        (
            "a message that grows",
            [frame(TEXT, &[b' '; 4000]), frame(FIN | CONTINUE, &[b' '; 200])].concat(),
            1009,
        ),
        (
            "an endless message",
            vec![FIN | BINARY, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4],
            1009,
        ),
    ]
}

#[tokio::test]
async fn protocol_errors_close_the_socket_with_their_code() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    for (what, bytes, code) in breaches() {
        let mut socket = RawSocket::open(&server).await;
        socket.0.write_all(&bytes).await.unwrap();
        assert_eq!(socket.ends_with().await, Some(code), "{what}");
    }
    // The server answers a close frame with the client's code.
    for code in [1000u16, 1001, 1011, 3000, 4999] {
        let mut socket = RawSocket::open(&server).await;
        let goodbye = [&code.to_be_bytes()[..], b"bye"].concat();
        socket.0.write_all(&frame(FIN | CLOSE, &goodbye)).await.unwrap();
        assert_eq!(socket.ends_with().await, Some(code));
    }
    let mut socket = RawSocket::open(&server).await;
    socket.0.write_all(&frame(FIN | CLOSE, b"")).await.unwrap();
    assert_eq!(socket.answer().await, Some((FIN | CLOSE, Vec::new())));
    assert!(closed(&mut socket.0, WAIT_MAX).await.is_some(), "then the connection is closed");
    server.stop().await;
}

#[tokio::test]
async fn fragments_pings_and_single_bytes_are_accepted() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let ask = *br#"{"action":"getscoreboard"}"#;
    let mut socket = RawSocket::open(&server).await;
    let in_pieces = [
        frame(TEXT, &ask[..5]),
        frame(FIN | PING, b"are you there"),
        frame(CONTINUE, b""),
        frame(FIN | PONG, b"unasked"),
        frame(FIN | CONTINUE, &ask[5..]),
    ];
    for byte in in_pieces.concat() {
        socket.0.write_all(&[byte]).await.unwrap();
    }
    assert_eq!(socket.answer().await, Some((FIN | PONG, b"are you there".to_vec())));
    let (first, payload) = socket.answer().await.expect("the snapshot");
    assert_eq!(first, FIN | TEXT, "a small snapshot is one frame");
    let is_answer = payload.starts_with(br#"{"event":"scoreboard""#);
    assert!(is_answer, "the fragments form one request");
    // Even a large snapshot is a single frame.
    site.import(300).await;
    crate::until("the teams are on the board", async || server.player().board().await.len() == 300)
        .await;
    let mut socket = RawSocket::open(&server).await;
    socket.0.write_all(&frame(FIN | TEXT, &ask)).await.unwrap();
    let (first, whole) = socket.answer().await.expect("the snapshot");
    assert_eq!(first, FIN | TEXT, "a large snapshot is one frame");
    let snapshot: serde_json::Value = serde_json::from_slice(&whole).expect("the payload is JSON");
    assert_eq!(snapshot["scoreboard"].as_array().unwrap().len(), 300);
    server.stop().await;
}

/// Sends the same bytes as fast as possible until `max` has passed or the server closes the socket;
/// returns the number of bytes sent.
async fn flood(mut socket: RawSocket, bytes: Vec<u8>, max: Duration) -> usize {
    let many = bytes.repeat(4096 / bytes.len() + 1);
    let start = Instant::now();
    let mut taken = 0;
    while start.elapsed() < max {
        let left = max.saturating_sub(start.elapsed());
        match tokio::time::timeout(left, socket.0.write_all(&many)).await {
            Ok(Ok(())) => taken += many.len(),
            Ok(Err(_)) | Err(_) => break,
        }
    }
    taken
}

#[tokio::test]
async fn floods_are_slowed_or_closed_and_others_are_not_affected() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let before = server.resident_kb();
    let honest = Honest::play(server.player());
    let each = if is_long() { 200 } else { 5 };
    let max = Duration::from_secs(if is_long() { 30 } else { 4 });
    // Empty continuation frames of an unfinished message, which do not count as messages.
    let endless = || frame(CONTINUE, b"");
    let kinds = [
        ("texts", frame(FIN | TEXT, b"{}")),
        ("empty texts", frame(FIN | TEXT, b"")),
        ("binaries", frame(FIN | BINARY, &[0])),
        ("pings", frame(FIN | PING, b"")),
        ("pongs", frame(FIN | PONG, b"x")),
        ("empty pieces", endless()),
        ("garbage", vec![0xff; 64]),
    ];
    let mut floods = Vec::new();
    for (what, bytes) in &kinds {
        for _ in 0..each {
            let mut socket = RawSocket::open(&server).await;
            if *what == "empty pieces" {
                socket.0.write_all(&frame(TEXT, b"{")).await.unwrap();
            }
            floods.push((*what, tokio::spawn(flood(socket, bytes.clone(), max))));
        }
    }
    for (what, flood) in floods {
        let taken = flood.await.unwrap();
        // The socket buffers of both ends hold a few megabytes.
        assert!(taken < 16_000_000, "{what}: the server read {taken} bytes of it");
    }
    honest.p99("during floods").await;
    let after = server.resident_kb();
    println!(
        "figures: {} floods: resident memory {before} kB, then {after} kB",
        each * kinds.len()
    );
    assert!(after < before + 50_000, "{before} kB, then {after} kB");
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_does_not_read_is_closed() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    site.import(2000).await;
    crate::until("the teams are on the board", async || {
        server.player().board().await.len() == 2000
    })
    .await;
    let files = server.open_files();
    let ask = frame(FIN | TEXT, br#"{"action":"getscoreboard"}"#);
    let mut sockets = Vec::new();
    for _ in 0..if is_long() { 500 } else { 20 } {
        let mut socket = RawSocket::open(&server).await;
        // Ten responses of 60 kB are more than the socket buffers hold.
        socket.0.write_all(&ask.repeat(10)).await.unwrap();
        sockets.push(socket);
    }
    let start = Instant::now();
    let max = Duration::from_secs(60);
    while server.open_files() > files + 10 {
        assert!(start.elapsed() < max, "{} are still open", server.open_files() - files);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("figures: {} sockets that do not read ended in {:?}", sockets.len(), start.elapsed());
    let mut first = sockets.remove(0).0;
    assert!(closed(&mut first, WAIT_MAX).await.is_some());
    server.stop().await;
}
