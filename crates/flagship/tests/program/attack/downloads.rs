//! Downloads whose clients do not read. The number of downloads per team is limited, so other teams
//! can download their files, even many at once from one address.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_testkit::Engine;
use futures_util::FutureExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::{JoinSet, unconstrained};
use tokio::time::timeout;

use super::crowd::with_files;
use super::raw::{ask, connect, connect_small, read, stranger};
use super::{Honest, is_long};
use crate::event::EventFolder;
use crate::player::Player;
use crate::process::{Server, TestSite};
use crate::until;

/// File size, larger than the system's buffers for a connection.
const BYTES: usize = 1024 * 1024;
/// Concurrent downloads per team.
const DOWNLOADS_PER_TEAM_MAX: usize = 64;
/// Downloads waiting in addition; all others are rejected immediately.
const WAITING_PER_TEAM_MAX: usize = 256;
/// Margin for the number of open files, because the database may open or close a few.
const FILES_MARGIN: usize = 10;

fn event() -> EventFolder {
    let event = EventFolder::new();
    event.write("challenges/one/dist/disk.img", &"x".repeat(BYTES));
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/disk.img]");
    event
}

async fn request(team: &Player) -> Vec<u8> {
    let (_, cards) = team.get("/challenge").await;
    let cards = cards["challenges"].as_array().unwrap();
    let one = cards.iter().find(|card| card["id"] == "one").unwrap();
    let link = one["attachments"][0]["link"].as_str().unwrap();
    format!("GET {link} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").into_bytes()
}

/// Requests a file repeatedly without reading the responses.
async fn slow(server: &Server, count: usize, request: &[u8]) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = connect_small(server.address()).await;
        stream.write_all(request).await.unwrap();
        streams.push(stream);
    }
    streams
}

/// The number of connections that received a 503.
fn refused(streams: &[TcpStream]) -> usize {
    let is_refused = |stream: &&TcpStream| {
        let mut head = [0; 12];
        let peeked = unconstrained(stream.peek(&mut head)).now_or_never();
        matches!(peeked, Some(Ok(12))) && head.ends_with(b" 503")
    };
    streams.iter().filter(is_refused).count()
}

/// Fetches a file; returns its status and the number of bytes that came after the head.
async fn fetch(mut stream: TcpStream, request: &[u8]) -> (u16, usize) {
    stream.write_all(request).await.unwrap();
    let mut head = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let body = loop {
        let n = stream.read(&mut buffer).await.expect("it is not cut off");
        assert!(n > 0, "there is a head");
        head.extend_from_slice(&buffer[..n]);
        if let Some(at) = head.windows(4).position(|end| end == b"\r\n\r\n") {
            break head.split_off(at + 4).len();
        }
    };
    let status = std::str::from_utf8(&head[9..12]).unwrap().parse().unwrap();
    let mut count = body;
    loop {
        match stream.read(&mut buffer).await.expect("it is not cut off") {
            0 => return (status, count),
            n => count += n,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_downloads_take_only_the_share_of_their_team() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    let server = site.serve(&event).await;
    let tokens = site.import(2).await;
    let (team, other) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
    let (attack, honest) = (request(&team).await, request(&other).await);
    let count = if is_long() { 4_000 } else { 400 };
    let playing = Honest::play(server.player());
    let (files, before) = (server.open_files(), server.resident_kb());
    let crowd = slow(&server, count, &attack).await;
    let kept = DOWNLOADS_PER_TEAM_MAX + WAITING_PER_TEAM_MAX;
    until("only some of them wait", async || refused(&crowd) == count - kept).await;
    // The number of open files must stay within the limit for some time.
    let begun = Instant::now();
    let mut open = 0;
    let mut most_kb = 0;
    while begun.elapsed() < Duration::from_secs(3) {
        open = open.max(server.open_files().saturating_sub(files + kept));
        most_kb = most_kb.max(server.resident_kb().saturating_sub(before));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("figures: {count} unread downloads: {open} files open, {most_kb} kB");
    assert!(
        open <= DOWNLOADS_PER_TEAM_MAX + FILES_MARGIN,
        "{open} files are open for the downloads of one team"
    );
    let most = 30 * 1024 + 20 * count as u64;
    assert!(most_kb < most, "{count} downloads of one team cost {most_kb} kB");
    let stream = connect(server.address(), stranger(1)).await;
    assert_eq!(fetch(stream, &honest).await, (200, BYTES), "another team has its own share");
    playing.p99("next to unread downloads").await;
    drop(crowd);
    until("permits are released", async || {
        let stream = connect(server.address(), stranger(1)).await;
        fetch(stream, &attack).await == (200, BYTES)
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_few_open_files_downloads_block_no_other_request() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    let server = with_files(&site, &event, 1_000).await;
    // One open file per download would exceed the limit on open files.
    let mut crowd = Vec::new();
    for token in site.import(13).await {
        // The attacking team has 11 active and 44 waiting downloads.
        let attack = request(&server.team(&token).await).await;
        crowd.extend(slow(&server, 54, &attack).await);
    }
    // Silent connections take the remaining permits.
    let mut silent_ones = Vec::new();
    for _ in 0..20 {
        silent_ones.push(connect(server.address(), stranger(1)).await);
    }
    let calm: &[u8] = b"GET /api/ctf HTTP/1.1\r\nHost: x\r\n\r\n";
    for number in 2..12 {
        let mut stream = connect(server.address(), stranger(number)).await;
        stream.write_all(calm).await.unwrap();
        let got = timeout(Duration::from_secs(4), read(&mut stream)).await;
        let got = got.expect("it is answered at once");
        let is_answered = matches!(got.statuses()[..], [200] | [503]);
        assert!(is_answered, "it is answered at once: {got:?}");
        assert!(got.statuses() == [200] || got.header("retry-after").is_some(), "{got:?}");
    }
    drop((crowd, silent_ones));
    until("connections are accepted again", async || {
        ask(server.address(), stranger(4), calm).await.statuses() == [200]
    })
    .await;
    server.stop().await;
}

/// Bytes per read: faster than the pace that a client must keep while no other client waits.
const SIP_BYTES: usize = 64 * 1024;
const SIP: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_downloads_of_many_teams_block_no_other_download() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    // The limit is 36 downloads in total and two per team.
    let server = with_files(&site, &event, 400).await;
    let tokens = site.import(19).await;
    let honest = request(&server.team(&tokens[0]).await).await;
    let mut crowd = Vec::new();
    let files = server.open_files();
    for token in &tokens[1..] {
        let attack = request(&server.team(token).await).await;
        crowd.extend(slow(&server, 2, &attack).await);
    }
    until("all permits of downloads are held", async || {
        server.open_files() >= files + 2 * crowd.len()
    })
    .await;
    let asked = Instant::now();
    let mut reading = JoinSet::new();
    for mut stream in crowd {
        reading.spawn(async move {
            let mut sip = vec![0; SIP_BYTES];
            while stream.read_exact(&mut sip).await.is_ok() {
                tokio::time::sleep(SIP).await;
            }
        });
    }
    let stream = connect(server.address(), stranger(1)).await;
    let fetched = fetch(stream, &honest).await;
    assert_eq!(fetched, (200, BYTES), "it is sent within the wait");
    println!("figures: a file during 36 slow downloads after {:.1?}", asked.elapsed());
    drop(reading);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campus_of_165_players_and_a_whole_team_fetch_files_at_once() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    let server = site.serve(&event).await;
    let tokens = site.import(33).await;
    let mut requests = Vec::new();
    for token in &tokens {
        requests.push(request(&server.team(token).await).await);
    }
    let requests = Arc::new(requests);
    let address = Arc::new(server.address().to_owned());
    let mut fetching = JoinSet::new();
    // Five players of each team and all players of a large one download, each a different file.
    let of_teams = (0..165).map(|number| number % 33);
    for team in of_teams.chain(std::iter::repeat_n(0, 100)) {
        let (requests, address) = (requests.clone(), address.clone());
        fetching.spawn(async move {
            let stream = connect(&address, stranger(2)).await;
            fetch(stream, &requests[team]).await
        });
    }
    let fetched = fetching.join_all().await;
    assert!(fetched.iter().all(|it| *it == (200, BYTES)), "each file is fetched: {fetched:?}");
    server.stop().await;
}

/// Size of the file of held downloads, their speed, and their duration.
const HELD_BYTES: usize = 50 * 1000 * 1000;
const HELD_BYTES_PER_S: usize = 1000 * 1000;
const HELD: Duration = Duration::from_secs(10);
/// Number of held downloads, and the memory that they may add.
const HELD_DOWNLOADS: usize = 200;
const HELD_KB_MAX: u64 = 50 * 1024;
/// Part of this memory that does not depend on the number of downloads.
const HELD_BASE_KB: u64 = 10 * 1024;
/// Share of its rate that each held download must get.
const HELD_SHARE_MIN: f64 = 0.9;
/// Teams that download. Each has a share of 64 downloads.
const HELD_TEAMS: usize = 5;

/// Reads a download at the held rate; returns the number of bytes.
async fn held(mut stream: TcpStream, request: &[u8]) -> usize {
    const STEPS_PER_S: u32 = 10;
    stream.write_all(request).await.unwrap();
    let mut buffer = vec![0; HELD_BYTES_PER_S / STEPS_PER_S as usize];
    let mut count = 0;
    let begun = Instant::now();
    let mut steps = tokio::time::interval(Duration::from_secs(1) / STEPS_PER_S);
    while begun.elapsed() < HELD {
        steps.tick().await;
        stream.read_exact(&mut buffer).await.expect("the file continues");
        count += buffer.len();
    }
    count
}

async fn hold_downloads(engine: Engine, place: &str, keys: &[(&str, &str)]) {
    let site = TestSite::new(engine).await;
    let event = EventFolder::new();
    event.write("challenges/one/dist/disk.img", &"0123456789".repeat(HELD_BYTES / 10));
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/disk.img]");
    let serve = |command: &mut tokio::process::Command| {
        command.args(["--attachments", place]).envs(keys.iter().copied());
    };
    let server = site.serve_with(&event, serve).await;
    let tokens = site.import(HELD_TEAMS).await;
    let mut requests = Vec::new();
    for token in &tokens {
        requests.push(request(&server.team(token).await).await);
    }
    // The first download fills caches.
    let stream = connect(server.address(), stranger(1)).await;
    assert_eq!(fetch(stream, &requests[0]).await, (200, HELD_BYTES));
    let count = if is_long() { HELD_DOWNLOADS } else { HELD_DOWNLOADS / 20 };
    let playing = Honest::play(server.player());
    let before = server.resident_kb();
    let requests = Arc::new(requests);
    let mut holding = JoinSet::new();
    for number in 0..count {
        let stream = connect(server.address(), stranger(2 + (number % 8) as u8)).await;
        let requests = requests.clone();
        holding.spawn(async move { held(stream, &requests[number % HELD_TEAMS]).await });
    }
    let mut most_kb = 0;
    let mut least = usize::MAX;
    while !holding.is_empty() {
        most_kb = most_kb.max(server.resident_kb().saturating_sub(before));
        tokio::select! {
            read = holding.join_next() => least = least.min(read.unwrap().unwrap()),
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }
    println!("figures: {count} held downloads from {place}: {most_kb} kB, at least {least} bytes");
    let expected = HELD_SHARE_MIN * HELD_BYTES_PER_S as f64 * HELD.as_secs_f64();
    // A slow machine tests the memory only.
    assert!(!is_long() || least as f64 >= expected, "a download from {place} has {least} bytes");
    let share = count as u64 * (HELD_KB_MAX - HELD_BASE_KB) / HELD_DOWNLOADS as u64;
    let limit_kb = HELD_BASE_KB + share;
    assert!(most_kb < limit_kb, "{count} held downloads from {place} cost {most_kb} kB");
    playing.p99(&format!("next to held downloads from {place}")).await;
    server.stop().await;
}

flagship_testkit::on_both_engines! {
    async fn held_downloads_from_the_database_stay_within_their_memory(engine: Engine) {
        hold_downloads(engine, "database", &[]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn held_downloads_from_a_bucket_stay_within_their_memory() {
    let bucket = flagship_testkit::TestBucket::new();
    let keys = flagship_testkit::TestBucket::KEYS;
    hold_downloads(Engine::Sqlite, &bucket.url, &keys).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn held_downloads_from_a_folder_stay_within_their_memory() {
    let folder = tempfile::tempdir().unwrap();
    hold_downloads(Engine::Sqlite, &folder.path().to_string_lossy(), &[]).await;
}
