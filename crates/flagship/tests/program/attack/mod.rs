//! The program under attack: clients that are slow, silent, too many, flood the server or do not
//! use HTTP are refused or disconnected, while honest clients are served as usual.
//!
//! The tests print measurements. With `FLAGSHIP_TORTURE=1`, the attacks are full-sized and the
//! documented latency limits apply; otherwise the limits have a wide margin for busy machines.
//!
//! Only `authors`, `logins`, `uploads` and `venue` run on both databases; the other attacked parts
//! do not use the database. `io_faults` and the tests of the lane cover slow and unavailable
//! databases.

mod authors;
mod copies;
mod crowd;
mod downloads;
mod frames;
mod logins;
pub mod raw;
mod shapes;
mod slow;
mod uploads;
mod venue;

use std::time::{Duration, Instant};

use rustix::process::setpriority_process;
use tokio::task::JoinHandle;

use crate::player::Player;
use crate::process::{Server, TestSite};

/// True if the attacks are full-sized.
fn is_long() -> bool {
    std::env::var_os("FLAGSHIP_TORTURE").is_some()
}

/// The nice value of attackers. In a real event, they run on other machines.
const LOWEST: i32 = 19;

/// Runs the attackers' work on its own thread with the lowest priority.
pub fn at_lowest_priority(
    work: impl Future<Output = ()> + Send + 'static,
) -> std::thread::JoinHandle<()> {
    at_priority(Some(LOWEST), work)
}

/// Runs the attackers' work on its own thread, with this nice value or, if `None`, the program's.
fn at_priority(
    niceness: Option<i32>,
    work: impl Future<Output = ()> + Send + 'static,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        if let Some(niceness) = niceness {
            setpriority_process(None, niceness).unwrap();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(work);
    })
}

/// Resident memory of a process, in kB.
fn resident_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

/// Maximum 99th percentile of honest clients' response times.
fn honest_max() -> Duration {
    if is_long() { Duration::from_millis(250) } else { Duration::from_secs(2) }
}

/// The token of a new organizer with this role; an author is assigned this challenge.
async fn organizer_token(site: &TestSite, role: &str, challenge: &str) -> String {
    let name = format!("The {role}");
    let url = ["--public-url", "https://ctf.example.org"];
    let mut add = vec!["organizer", "add", &name, "--role", role];
    if role == "author" {
        add.extend(["--challenges", challenge]);
    }
    site.run(&[&add[..], &url].concat()).await.ok();
    site.run(&["organizer", "token", &name]).await.ok().trim().to_owned()
}

/// An honest client that reads and submits flags repeatedly. It runs on its own thread, so that it
/// does not wait for the attackers on the test's thread.
struct Honest {
    playing: JoinHandle<Vec<Duration>>,
    stop: tokio::sync::oneshot::Sender<()>,
}

impl Honest {
    /// Starts playing.
    fn play(player: Player) -> Self {
        let (stop, mut stopped) = tokio::sync::oneshot::channel();
        let playing = async move {
            let player = player.apart();
            let mut took = Vec::new();
            // Each client plays at least one round, even if it starts late.
            loop {
                for path in ["/ctf", "/scoreboard", "/ctftime"] {
                    let start = Instant::now();
                    let (status, _) = player.get(path).await;
                    assert_eq!(status, 200, "{path}");
                    took.push(start.elapsed());
                }
                let start = Instant::now();
                let wrong = crate::player::flag("one", "flag{no}");
                let (status, _) = player.post("/solve", &wrong).await;
                // Without a token the status is 401.
                assert!([200, 401, 429].contains(&status), "{status}");
                took.push(start.elapsed());
                if stopped.try_recv().is_ok() {
                    return took;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let playing = tokio::task::spawn_blocking(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("the system has threads").block_on(playing)
        });
        Self { playing, stop }
    }

    /// Stops playing; prints the 99th percentile of response times and asserts that it is within
    /// the limit.
    async fn p99(self, during: &str) {
        self.stop.send(()).expect("no request was refused");
        let mut took = self.playing.await.expect("no request was refused");
        took.sort();
        let at =
            |percent: usize| took[(took.len() * percent / 100).min(took.len().saturating_sub(1))];
        let (half, p99, worst) = (at(50), at(99), at(100));
        println!(
            "figures: {during}: {} answers, p50 {half:?}, p99 {p99:?}, worst {worst:?}",
            took.len()
        );
        let max = honest_max();
        assert!(p99 < max, "honest clients wait {p99:?} {during}, {max:?} at most");
    }
}

impl Server {
    /// Resident memory of the process, in kilobytes.
    fn resident_kb(&self) -> u64 {
        resident_kb(self.id())
    }

    /// Number of open files of the process, including connections.
    fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.id())).unwrap().count()
    }

    /// `host:port`
    fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("it is http")
    }
}
