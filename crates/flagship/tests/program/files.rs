//! Attachments over real connections: a client can resume an interrupted download, and the server
//! does not cut off a slow one.

use std::time::{Duration, Instant};

use flagship_testkit::Engine;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::attack::raw::connect_small;
use crate::event::EventFolder;
use crate::player::Player;
use crate::process::TestSite;

/// File size: larger than the socket buffers and than one read of the server.
const BYTES: usize = 4 * 1024 * 1024;
/// The server's time limit from a request to its response.
const REQUEST_MAX: Duration = Duration::from_secs(30);

fn content() -> String {
    (0..BYTES / 8).map(|number| format!("{number:07}\n")).collect()
}

fn event() -> EventFolder {
    let event = EventFolder::new();
    event.write("challenges/one/dist/disk.img", &content());
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/disk.img]");
    event
}

async fn link(team: &Player) -> String {
    let (_, cards) = team.get("/challenge").await;
    let cards = cards["challenges"].as_array().unwrap();
    let one = cards.iter().find(|card| card["id"] == "one").unwrap();
    one["attachments"][0]["link"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn curl_resumes_a_download_also_after_a_restart() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    let folder = tempfile::tempdir().unwrap();
    let server = site.serve(&event).await;
    let token = site.import(1).await.remove(0);
    let link = link(&server.team(&token).await).await;
    server.stop().await;
    // Links stay valid after a restart.
    let server = site.serve(&event).await;
    let (file, text) = (folder.path().join("disk.img"), content());
    std::fs::write(&file, &text[..BYTES / 3]).unwrap();
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--noproxy", "*", "-C", "-", "-o"]);
    let done = curl.arg(&file).arg(format!("{}{link}", server.url)).output().await.unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(std::fs::read_to_string(&file).unwrap() == text, "the file is complete");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_may_take_longer_than_a_request() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    let server = site.serve(&event).await;
    let token = site.import(1).await.remove(0);
    let link = link(&server.team(&token).await).await;
    let address = server.url.strip_prefix("http://").unwrap();
    let mut phone = connect_small(address).await;
    let ask = format!("GET {link} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    phone.write_all(ask.as_bytes()).await.unwrap();
    let begun = Instant::now();
    let mut got = Vec::new();
    let mut buffer = vec![0; 16 * 1024];
    let slow = REQUEST_MAX + Duration::from_secs(3);
    loop {
        let n = phone.read(&mut buffer).await.expect("the download is not cut off");
        got.extend_from_slice(&buffer[..n]);
        if n == 0 {
            break;
        }
        if begun.elapsed() < slow {
            // A slow client: about 80 kB per second.
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    let body = got.windows(4).position(|end| end == b"\r\n\r\n").map(|at| &got[at + 4..]);
    assert!(body == Some(content().as_bytes()), "the file is complete: {} bytes", got.len());
    println!("figures: {BYTES} bytes in {:?}", begun.elapsed());
    server.stop().await;
}
