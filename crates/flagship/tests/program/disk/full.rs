//! A full disk: `/readyz` reports it while writes fail, and reports readiness again when there is
//! space.

use std::path::Path;
use std::process::Command;

use flagship_testkit::Engine;
use serde_json::Value;

use crate::event::EventFolder;
use crate::faults::{Calls, ENOSPC, Fault, Faults};
use crate::process::{Server, TestSite};
use crate::until;

/// Size of the small disk.
const SIZE: &str = "size=6m";

/// Waits until `/readyz` and `flagship_ready` have the expected state.
async fn is_ready(server: &Server, metrics: &str, ready: bool) {
    let (player, watched) = (server.player(), server.player().at(metrics));
    let status = if ready { 200 } else { 503 };
    until(&format!("/readyz answers {status}"), async || {
        let (found, text) = player.text("/readyz").await;
        assert!(found == 200 || text.contains("The journal is not writable."), "{text}");
        found == status
    })
    .await;
    until("the metric agrees", async || {
        let line = format!("\nflagship_ready {}\n", i32::from(ready));
        watched.text("/metrics").await.1.contains(&line)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_not_ready_until_there_is_space() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let faults = Faults::new();
    let server = site.serve_with(&event, |command| {
        command.args(["--metrics", "127.0.0.1:0"]).envs(faults.variables());
    });
    let server = server.await;
    let metrics = server.watched().await;
    is_ready(&server, &metrics, true).await;
    faults.begin(Fault { calls: Calls::Writes, errno: ENOSPC, first: 1, count: i32::MAX });
    is_ready(&server, &metrics, false).await;
    let (status, board) = server.player().get("/scoreboard").await;
    assert_eq!((status, board["scoreboard"].is_array()), (200, true), "boards are served: {board}");
    faults.end();
    is_ready(&server, &metrics, true).await;
    server.stop().await;
}

/// A small file system on a folder, unmounted at the end.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    /// Mounts the file system; `None` if this user may not.
    fn new(folder: &'a Path) -> Option<Self> {
        let words = ["-t", "tmpfs", "-o", SIZE, "flagship-test"];
        let done = Command::new("mount").args(words).arg(folder).output().ok()?;
        done.status.success().then_some(Self(folder))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        drop(Command::new("umount").args(["-l"]).arg(self.0).status());
    }
}

/// The same test on a real file system, if this user may mount one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_file_system_is_not_ready_until_there_is_space() {
    let site = TestSite::bare(Engine::Sqlite).await;
    let event = EventFolder::new();
    let Some(mounted) = Mounted::new(site.data()) else {
        eprintln!("not run: this user may not mount; the test above uses faults instead");
        return;
    };
    let server = site.serve_with(&event, |command| _ = command.args(["--metrics", "127.0.0.1:0"]));
    let server = server.await;
    let metrics = server.watched().await;
    let team = server.team(&site.import(1).await[0]).await;
    is_ready(&server, &metrics, true).await;
    let fill = site.file("fill");
    let mut full = std::fs::File::create(&fill).unwrap();
    while std::io::Write::write_all(&mut full, &[0; 4096]).is_ok() {}
    is_ready(&server, &metrics, false).await;
    assert_eq!(team.solve("one").await.0, 503);
    std::fs::remove_file(&fill).unwrap();
    drop(full);
    is_ready(&server, &metrics, true).await;
    let (status, answer): (u16, Value) = team.solve("one").await;
    assert_eq!(status, 200, "{answer}");
    server.stop().await;
    drop(mounted);
}

/// Size that does not fit on the small disk.
const LARGE_BYTES: usize = 8 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attachment_that_does_not_fit_changes_nothing_and_serve_can_restart() {
    let site = TestSite::bare(Engine::Sqlite).await;
    let event = EventFolder::new();
    let Some(mounted) = Mounted::new(site.data()) else {
        eprintln!("not run: this user may not mount; tests of `attachments` use no small disk");
        return;
    };
    let server = site.serve_with(&event, |command| _ = command.args(["--metrics", "127.0.0.1:0"]));
    let server = server.await;
    let metrics = server.watched().await;
    let team = server.team(&site.import(1).await[0]).await;
    event.write("challenges/one/dist/disk.img", &"x".repeat(LARGE_BYTES));
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/disk.img]");
    let done = site.apply(&event).await;
    done.fails("the attachments need 9 MiB, but of ");
    assert!(done.err.contains("free some space or remove attachments"), "{done:?}");
    let files = || std::fs::read_dir(site.file("files")).unwrap().count();
    assert_eq!(files(), 0, "no file of it is left");
    is_ready(&server, &metrics, true).await;
    assert_eq!(team.solve("one").await.0, 200);
    server.stop().await;
    // Changes pending until `apply` do not prevent the start. Files left by a killed process are
    // removed.
    std::fs::write(site.file("files/.abc.part"), "x").unwrap();
    let server = site.serve(&event).await;
    assert_eq!(files(), 0, "the unfinished copy is removed");
    server.stop().await;
    drop(mounted);
}
