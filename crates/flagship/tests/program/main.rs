//! Tests of the executable as a process with arguments, environment variables, files and sockets.
//! All are in one test binary, to link once.
#![allow(clippy::unwrap_used)]

mod attack;
mod commands;
mod disk;
mod event;
mod faults;
mod files;
mod format;
mod freeze;
mod known_address;
mod lists;
mod nodes;
mod operate;
mod order;
mod pages;
mod passes;
mod player;
mod process;
mod proxy;
mod scale;
mod secrets;
mod serve;
mod several;
mod stop;
mod storage;
mod storm;
mod tls;
mod watch;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;

/// Maximum time until a condition is true.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// Pause between two checks of a condition.
const LOOK: Duration = Duration::from_millis(10);

/// True if the long form of tests runs, as in `cargo xtask torture`.
fn is_torture() -> bool {
    std::env::var_os("FLAGSHIP_TORTURE").is_some()
}

/// A random generator that prints its seed. `FLAGSHIP_TEST_SEED` repeats a run.
fn seeded() -> StdRng {
    let seed = std::env::var("FLAGSHIP_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    eprintln!("FLAGSHIP_TEST_SEED={seed}");
    StdRng::seed_from_u64(seed)
}

/// A free loopback address for another program. The IP address is unique to this process: on
/// 127.0.0.1 another test could take the port before the program listens.
fn free_address() -> SocketAddr {
    let [.., high, low] = std::process::id().to_be_bytes();
    let listener = TcpListener::bind((Ipv4Addr::new(127, 99, high, low.max(1)), 0));
    listener.and_then(|it| it.local_addr()).unwrap()
}

/// Waits for a condition; returns the time it took.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) -> Duration {
    // The wait is short in the first round of the controls, where most conditions never become
    // true.
    let is_short = std::env::var_os("FLAGSHIP_SHORT_WAITS").is_some();
    let start = Instant::now();
    let max = if is_short { WAIT_MAX / 8 } else { WAIT_MAX };
    while !is_so().await {
        assert!(start.elapsed() < max, "timed out waiting until {what}");
        tokio::time::sleep(LOOK).await;
    }
    start.elapsed()
}
