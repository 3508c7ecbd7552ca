//! Slow and silent clients: the server disconnects each at its time limit, even if bytes still
//! arrive.

use std::time::{Duration, Instant};

use flagship_testkit::Engine;
use futures_util::future::join_all;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::raw::{closed, connect, connect_small, read, stranger};
use super::{Honest, is_long};
use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

/// The server's time limits: for a request head, for a request, for a silent and for a slow reader.
const HEAD_TIME_MAX: Duration = Duration::from_secs(10);
const REQUEST_MAX: Duration = Duration::from_secs(30);
const IDLE_MAX: Duration = Duration::from_secs(60);
const WRITE_WINDOW: Duration = Duration::from_secs(15);
/// Margin for a busy machine.
const MARGIN: Duration = Duration::from_secs(12);

/// Sends single bytes until the server closes the connection; returns the time it took.
async fn trickle(mut stream: TcpStream, byte: u8, max: Duration) -> Option<Duration> {
    let start = Instant::now();
    while start.elapsed() < max {
        let mut buffer = [0; 1024];
        let is_over = match stream.try_read(&mut buffer) {
            Ok(n) => n == 0,
            Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
        };
        if is_over || stream.write_all(&[byte]).await.is_err() {
            return Some(start.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    None
}

/// Opens connections and sends `bytes` on each.
async fn saying(server: &Server, count: usize, bytes: &[u8]) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = connect(server.address(), stranger(1)).await;
        stream.write_all(bytes).await.unwrap();
        streams.push(stream);
    }
    streams
}

#[tokio::test]
async fn unfinished_heads_are_closed_even_if_bytes_trickle_in() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let each = if is_long() { 1000 } else { 20 };
    let honest = Honest::play(server.player());
    let start = b"GET /api/ctf HTTP/1.1\r\nHost: x\r\n";
    let max = HEAD_TIME_MAX + MARGIN;
    let mut silent = Vec::new();
    for bytes in [&b""[..], b"G", b"PRI * HTTP/2.0\r\n", start] {
        silent.extend(saying(&server, each, bytes).await);
    }
    let silent = join_all(silent.iter_mut().map(|stream| closed(stream, max)));
    let mut slow = saying(&server, each, start).await;
    // The limit applies to a second request too, from its first byte.
    let second = [start, &b"\r\nG"[..]].concat();
    slow.extend(saying(&server, each, &second).await);
    let slow = join_all(slow.into_iter().map(|stream| trickle(stream, b'x', max)));
    let blank = saying(&server, each, b"\r\n").await;
    let blank = join_all(blank.into_iter().map(|stream| trickle(stream, b'\n', max)));
    let (silent, slow, blank) = tokio::join!(silent, slow, blank);
    let all: Vec<_> = silent.into_iter().chain(slow).chain(blank).collect();
    let ended = all.iter().flatten().count();
    assert_eq!(ended, all.len(), "some are still open");
    let last = all.iter().flatten().max().expect("some");
    println!("figures: {} unfinished heads: the last ended after {last:?}", all.len());
    honest.p99("during unfinished heads").await;
    server.stop().await;
}

#[tokio::test]
async fn idle_connections_are_kept_for_a_while() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let request = b"GET /api/ctf HTTP/1.1\r\nHost: x\r\n\r\n";
    let mut idle = saying(&server, 5, request).await;
    let mut used = saying(&server, 1, request).await.remove(0);
    for stream in idle.iter_mut().chain([&mut used]) {
        assert_eq!(read(stream).await.statuses(), [200]);
    }
    // The pause exceeds the limit for a request head, which does not apply here.
    let later = async {
        tokio::time::sleep(HEAD_TIME_MAX + Duration::from_secs(2)).await;
        used.write_all(request).await.unwrap();
        read(&mut used).await.statuses()
    };
    let ends = idle.iter_mut().map(|stream| closed(stream, IDLE_MAX + MARGIN));
    let (ends, statuses) = tokio::join!(join_all(ends), later);
    assert!(ends.iter().all(Option::is_some), "some are still open: {ends:?}");
    let early = IDLE_MAX - Duration::from_secs(2);
    assert!(ends.iter().flatten().all(|end| *end > early), "ended too early: {ends:?}");
    assert_eq!(statuses, [200]);
    server.stop().await;
}

#[tokio::test]
async fn unfinished_bodies_get_a_response_and_are_closed() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let honest = Honest::play(server.player());
    let head = b"POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                 Content-Length: 5000\r\n\r\n{";
    let slow = saying(&server, if is_long() { 500 } else { 20 }, head).await;
    let mut silent = saying(&server, 1, head).await.remove(0);
    let max = REQUEST_MAX + MARGIN;
    let ends = join_all(slow.into_iter().map(|stream| trickle(stream, b' ', max))).await;
    assert!(ends.iter().all(Option::is_some), "some are still open");
    let last = ends.iter().flatten().max().expect("some");
    println!("figures: {} unfinished bodies: the last ended after {last:?}", ends.len());
    // The response is JSON with the usual headers.
    let got = read(&mut silent).await;
    assert_eq!(got.statuses(), [408], "{got:?}");
    assert!(got.is_closed && got.header("content-security-policy").is_some(), "{got:?}");
    assert_eq!(got.header("content-type"), Some("application/json"), "{got:?}");
    assert_eq!(got.header("x-content-type-options"), Some("nosniff"), "{got:?}");
    let body: serde_json::Value = serde_json::from_str(got.body()).expect("it is JSON");
    assert!(body["message"].is_string(), "{body}");
    honest.p99("during unfinished bodies").await;
    server.stop().await;
}

#[tokio::test]
async fn unfinished_bodies_cost_little() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let count = if is_long() { 4_000 } else { 400 };
    // All but the last byte of the largest accepted body, and of a body that is too large.
    for length in [16 * 1024, 65_000] {
        let before = server.resident_kb();
        let head = format!(
            "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        let request = [head.as_bytes(), &vec![b' '; length - 1]].concat();
        let bodies = saying(&server, count, &request).await;
        // The memory must stay within the limit for some time.
        let begun = Instant::now();
        let mut most_kb = 0;
        while begun.elapsed() < Duration::from_secs(3) {
            most_kb = most_kb.max(server.resident_kb().saturating_sub(before));
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let each = most_kb * 1024 / count as u64;
        println!("figures: {count} unfinished bodies of {length} bytes: {each} bytes each");
        assert!(each < 100 * 1024, "{each} bytes for each unfinished body");
        drop(bodies);
    }
    server.stop().await;
}

#[tokio::test]
async fn clients_that_do_not_read_are_closed() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    site.import(2000).await;
    until("the teams are on the board", async || server.player().board().await.len() == 2000).await;
    let count = if is_long() { 2000 } else { 100 };
    let honest = Honest::play(server.player());
    // Until here, the server has opened all files that it keeps open.
    let files = server.open_files();
    let plain = b"GET /api/scoreboard HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20);
    let slow = unread(&server, count, &plain).await;
    let start = Instant::now();
    until("all are accepted", async || server.open_files() >= files + count).await;
    // The database may open a few more or fewer files.
    while server.open_files() > files + 10 {
        let max = WRITE_WINDOW * 2 + MARGIN;
        assert!(start.elapsed() < max, "{} are still open", server.open_files() - files);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("figures: {count} clients that do not read ended in {:?}", start.elapsed());
    honest.p99("during slow readers").await;
    drop(slow);
    server.stop().await;
}

/// Opens connections with small buffers and sends `bytes` on each.
async fn unread(server: &Server, count: usize, bytes: &[u8]) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = connect_small(server.address()).await;
        stream.write_all(bytes).await.unwrap();
        streams.push(stream);
    }
    streams
}

/// An event whose board and lists of challenges have over a megabyte each.
fn large_event() -> EventFolder {
    let event = EventFolder::new();
    let values = vec!["1000000"; 1000].join(", ");
    for i in 0..150 {
        let lines = format!("type: speedrun\nextra: {{values: [{values}]}}");
        event.challenge(&format!("large{i}"), &lines);
    }
    event
}

#[tokio::test]
async fn unread_boards_and_lists_are_not_copied() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = large_event();
    let server = site.serve(&event).await;
    let token = site.import(1).await.remove(0);
    let team = server.team(&token).await;
    let count = if is_long() { 1000 } else { 100 };
    for (path, token) in [("/scoreboard", ""), ("/challenge", &*token)] {
        let (_, whole) = team.get(path).await;
        let bytes = whole.to_string().len();
        assert!(bytes > 1_000_000, "{path} has {bytes} bytes");
        let request = format!("GET /api{path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: {token}\r\n\r\n");
        // The first response builds the data that later responses share.
        unread(&server, 1, request.as_bytes()).await[0].peek(&mut [0]).await.unwrap();
        let before = server.resident_kb();
        let slow = unread(&server, count, request.repeat(20).as_bytes()).await;
        for stream in &slow {
            assert_eq!(stream.peek(&mut [0]).await.unwrap(), 1, "{path}: the response begins");
        }
        let each = server.resident_kb().saturating_sub(before) / count as u64;
        println!("figures: {count} unread responses of {bytes} bytes at {path}: {each} kB each");
        assert!(each < 200, "{path}: {each} kB for each unread response");
        drop(slow);
    }
    server.stop().await;
}
