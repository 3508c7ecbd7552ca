//! One author makes slow uploads while another organizer uploads a file and honest clients play, on
//! both databases.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flagship_testkit::on_both_engines;
use futures_util::future::join_all;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::raw::{connect, stranger};
use super::{Honest, at_lowest_priority, is_long, organizer_token};
use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

/// Number of the author's slow uploads: more than all organizers together may run at once.
const SLOW: usize = 6;
/// Content length of each slow upload, and the size of each piece.
const SLOW_BYTES: usize = 64 * 1024 * 1024;
const PIECE_BYTES: usize = 32 * 1024;
/// Pause between two pieces.
const PACE: Duration = Duration::from_millis(500);
/// Size of the other organizer's files.
const FILE_BYTES: usize = 1_000_000;
/// Maximum duration of one such upload; the second constant is for the short form.
const FILE_MAX: Duration = Duration::from_secs(2);
const FILE_MAX_SHORT: Duration = Duration::from_secs(15);

/// Slow uploads, on their own thread.
struct Slow {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Slow {
    /// Starts all uploads, and waits until one of them is active.
    async fn begin(site: &TestSite, server: &Server, token: &str) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let begun = Arc::<AtomicUsize>::default();
        let address = server.address().to_owned();
        let head = format!(
            "POST /api/organize/files HTTP/1.1\r\nHost: x\r\nX-Api-Key: {token}\r\n\
             Content-Type: application/octet-stream\r\nContent-Length: {SLOW_BYTES}\r\n\r\n"
        );
        let (stopping, beginning) = (stop.clone(), begun.clone());
        let thread = at_lowest_priority(async move {
            let uploads = (0..SLOW).map(|_| one(&address, &head, &beginning, &stopping));
            join_all(uploads).await;
        });
        let slow = Self { stop, thread };
        until("all uploads have begun", async || begun.load(Ordering::Relaxed) == SLOW).await;
        until("one of them has its turn", async || has_partial(site)).await;
        slow
    }

    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the attack ends");
    }
}

/// Sends a file slowly until it is stopped or the server closes the connection.
async fn one(address: &str, head: &str, begun: &AtomicUsize, stop: &AtomicBool) {
    let mut stream = connect(address, stranger(2)).await;
    stream.write_all(head.as_bytes()).await.expect("the server reads heads");
    begun.fetch_add(1, Ordering::Relaxed);
    let piece = vec![b'x'; PIECE_BYTES];
    while !stop.load(Ordering::Relaxed) {
        // The server does not read from an upload in the queue.
        if matches!(timeout(PACE, stream.write_all(&piece)).await, Ok(Err(_))) {
            return;
        }
        tokio::time::sleep(PACE).await;
    }
}

/// True if the file of an active upload exists.
fn has_partial(site: &TestSite) -> bool {
    let mut files = std::fs::read_dir(site.file("files")).into_iter().flatten().flatten();
    files.any(|file| file.file_name().to_str().is_some_and(|name| name.ends_with(".part")))
}

/// Uploads a file; returns the status, or 0 if there was none in time.
async fn upload(server: &Server, token: &str, content: u8, max: Duration) -> u16 {
    let http = reqwest::Client::builder().no_proxy().timeout(max).build().unwrap();
    let call = http.post(format!("{}/api/organize/files", server.url)).header("x-api-key", token);
    let call = call.header("content-type", "application/octet-stream");
    let answer = call.body(vec![content; FILE_BYTES]).send().await;
    answer.map_or(0, |answer| answer.status().as_u16())
}

on_both_engines! {
    async fn slow_uploads_of_one_author_delay_nobody_elses(engine: Engine) {
        let words = "another organizer's file is kept at once";
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let server = site.serve(&event).await;
        let author = organizer_token(&site, "author", "one").await;
        let organizer = organizer_token(&site, "organizer", "one").await;
        let slow = Slow::begin(&site, &server, &author).await;
        let honest = Honest::play(server.player());
        let (files, max) = if is_long() { (30, FILE_MAX) } else { (3, FILE_MAX_SHORT) };
        let mut worst = Duration::ZERO;
        for content in 0..files {
            let begun = Instant::now();
            let status = upload(&server, &organizer, content, max).await;
            assert_eq!(status, 201, "{words}: file {content}, after {:?}", begun.elapsed());
            worst = worst.max(begun.elapsed());
        }
        println!("figures: {engine:?}: {files} files during {SLOW} slow uploads, worst {worst:?}");
        honest.p99("during slow uploads").await;
        slow.end();
        server.stop().await;
    }
}
