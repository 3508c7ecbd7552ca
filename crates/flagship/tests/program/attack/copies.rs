//! All teams download their copy of a large archive at once. Each copy has its own flag, memory
//! stays bounded, and correct flags are not much slower than before.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use flagship_testkit::Engine;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tar::{Builder, Header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::raw::{connect, stranger};
use super::{at_lowest_priority, is_long, resident_kb};
use crate::event::EventFolder;
use crate::player::Player;
use crate::process::TestSite;

/// Size of the archive.
const BYTES: u64 = 10 * 1024 * 1024;
/// Maximum memory for all downloads, in kB.
const MEMORY_MAX_KB: u64 = 50 * 1024;
/// Number of correct flags before and during the downloads.
const SOLVES: usize = 50;
/// Maximum ratio of their median response times.
const RATIO_MAX: f64 = 3.0;
/// Number of bytes at both ends of a copy in which the flags are.
const END_BYTES: usize = 4096;
/// Start of a flag.
const START: &[u8] = b"flag{pier_";
/// Length of a flag.
const FLAG_BYTES: usize = START.len() + 33;

/// A gzipped archive of bytes that do not compress, between two texts with a placeholder.
fn archive() -> Vec<u8> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let noise: Vec<u8> = (0..BYTES / 32).flat_map(|at| Sha256::digest(at.to_le_bytes())).collect();
    let text = b"It is {{team_flag}}.".to_vec();
    for (name, data) in [("first.txt", &text), ("noise.bin", &noise), ("last.txt", &text)] {
        let mut header = Header::new_gnu();
        header.set_size(data.len() as u64);
        archive.append_data(&mut header, name, &data[..]).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

fn event() -> EventFolder {
    let event = EventFolder::new();
    event.write(
        "challenges/pier/challenge.yml",
        "name: Pier\nid: pier\ncategory: misc\n\
        description: x\ntype: standard\nvalue: 1\n\
        flags: [{type: team, content: 'flag{pier_[TEAM]}'}]\n\
        files: [{path: dist/log.tar.gz, per_team: true}]\n",
    );
    std::fs::create_dir_all(event.file("challenges/pier/dist")).unwrap();
    std::fs::write(event.file("challenges/pier/dist/log.tar.gz"), archive()).unwrap();
    event
}

/// A downloaded copy.
struct Copy {
    sha256: String,
    bytes: u64,
    flags: Vec<Vec<u8>>,
}

/// The flags in these bytes.
fn flags_in(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    bytes.windows(FLAG_BYTES).filter(|it| it.starts_with(START)).map(<[u8]>::to_vec)
}

async fn download(mut stream: TcpStream, link: &str) -> Copy {
    let request = format!("GET {link} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut first = loop {
        let n = stream.read(&mut buffer).await.expect("it is not cut off");
        assert!(n > 0, "there is a head");
        head.extend_from_slice(&buffer[..n]);
        if let Some(at) = head.windows(4).position(|end| end == b"\r\n\r\n") {
            break head.split_off(at + 4);
        }
    };
    assert!(head.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&head));
    let mut hasher = Sha256::new();
    hasher.update(&first);
    let mut bytes = first.len() as u64;
    let mut last = Vec::new();
    loop {
        let n = stream.read(&mut buffer).await.expect("it is not cut off");
        if n == 0 {
            break;
        }
        hasher.update(&buffer[..n]);
        bytes += n as u64;
        let missing = END_BYTES.saturating_sub(first.len()).min(n);
        first.extend_from_slice(&buffer[..missing]);
        last.extend_from_slice(&buffer[..n]);
        last.drain(..last.len().saturating_sub(END_BYTES));
    }
    first.truncate(END_BYTES);
    let flags = flags_in(&first).chain(flags_in(&last)).collect();
    Copy { sha256: HEXLOWER.encode(&hasher.finalize()), bytes, flags }
}

/// Median response time of correct flags, one after the other.
async fn median(teams: &[Player]) -> Duration {
    let mut took = Vec::new();
    for team in teams {
        let start = Instant::now();
        let (status, answer) = team.solve("one").await;
        took.push(start.elapsed());
        assert_eq!((status, &answer["correct"]), (200, &true.into()));
    }
    took.sort();
    took[took.len() / 2]
}

/// Downloads each team's copy at once, again and again until `is_done`.
async fn download_all(address: String, cards: Vec<(Value, Vec<u8>)>, is_done: Arc<AtomicBool>) {
    let mut downloads = JoinSet::new();
    for (number, (listed, own)) in cards.into_iter().enumerate() {
        let (address, is_done) = (address.clone(), is_done.clone());
        downloads.spawn(async move {
            let link = listed["link"].as_str().expect("a link").to_owned();
            let from = stranger(u8::try_from(number + 1).expect("an address for each team"));
            loop {
                let copy = download(connect(&address, from).await, &link).await;
                assert_eq!(listed["sha256"], copy.sha256, "the card has the hash of the copy");
                assert_eq!(listed["bytes"], copy.bytes);
                assert!(copy.bytes > BYTES);
                assert_eq!(copy.flags, [&own[..], &own], "its own flag and no other");
                if is_done.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
    }
    downloads.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_of_all_teams_stay_within_their_memory() {
    let count = if is_long() { 100 } else { 30 };
    let site = TestSite::new(Engine::Sqlite).await;
    let server = site.serve(&event()).await;
    let tokens = site.import(count + 2 * SOLVES).await;
    let mut teams = Vec::new();
    for token in &tokens {
        teams.push(server.team(token).await);
    }
    let listed = site.run(&["flags", "teams", "pier", "--json"]).await.ok();
    let flags: Vec<Value> = serde_json::from_str(&listed).expect("it is JSON");
    let calm = median(&teams[count..count + SOLVES]).await;
    let before = server.resident_kb();
    let is_done = Arc::new(AtomicBool::new(false));
    let watching = {
        let (pid, is_done) = (server.id(), is_done.clone());
        tokio::spawn(async move {
            let mut most_kb = 0;
            while !is_done.load(Ordering::Relaxed) {
                most_kb = most_kb.max(resident_kb(pid));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            most_kb
        })
    };
    let lists = teams[..count].iter().map(|team| team.get("/challenge"));
    let lists = futures_util::future::join_all(lists).await;
    let cards = lists.into_iter().zip(1..).map(|((_, list), number)| {
        let cards = list["challenges"].as_array().expect("a list").clone();
        let card = cards.into_iter().find(|card| card["id"] == "pier").expect("a card");
        let team = format!("Team {number}");
        let own = flags.iter().find(|row| row["team"] == team).expect("it has a flag");
        let own = own["flag"].as_str().expect("a text").as_bytes().to_vec();
        (card["attachments"][0].clone(), own)
    });
    let cards: Vec<_> = cards.collect();
    let digests: HashSet<_> = cards.iter().map(|(listed, _)| listed["sha256"].clone()).collect();
    assert_eq!(digests.len(), count, "each copy is different");
    let downloads =
        at_lowest_priority(download_all(server.address().to_owned(), cards, is_done.clone()));
    let busy = median(&teams[count + SOLVES..]).await;
    is_done.store(true, Ordering::Relaxed);
    let most_kb = watching.await.unwrap().saturating_sub(before);
    tokio::task::spawn_blocking(|| downloads.join()).await.unwrap().expect("no copy is wrong");
    let ratio = busy.as_secs_f64() / calm.as_secs_f64();
    println!(
        "figures: {count} copies of 10 MB at once: {most_kb} kB, correct flags p50 {busy:?}, \
         {calm:?} before"
    );
    assert!(most_kb <= MEMORY_MAX_KB, "the downloads took {most_kb} kB");
    // A slow machine tests the memory only.
    assert!(!is_long() || ratio <= RATIO_MAX, "correct flags take {ratio:.1} times as long");
    server.stop().await;
}
