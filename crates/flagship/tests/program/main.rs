//! The executable as its users have it: a process with arguments, variables, files and sockets.
//! One program of tests, so that it is linked once.
#![allow(clippy::unwrap_used)]

mod apply;
mod attack;
mod backup;
mod clock;
mod collections;
mod crash;
mod demo;
mod doctor;
mod event;
mod export;
mod faults;
mod files;
mod forged;
mod format;
mod freeze;
mod io_faults;
mod journal;
mod known_address;
mod nodes;
mod operate;
mod order;
mod player;
mod process;
mod proxy;
mod rehearse;
mod secrets;
mod serve;
mod settings;
mod stop;
mod storm;
mod sync_trace;
mod team;
mod upgrade;
mod usage;
mod watch;
mod words;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;

/// How long a test waits for what must come.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// Pause between two looks.
const LOOK: Duration = Duration::from_millis(10);

/// Whether the long form of a check is asked for, as `cargo xtask torture` does.
fn is_torture() -> bool {
    std::env::var_os("FLAGSHIP_TORTURE").is_some()
}

/// Random that can be had again: by the seed that it prints, in `FLAGSHIP_TEST_SEED`.
fn seeded() -> StdRng {
    let seed = std::env::var("FLAGSHIP_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    eprintln!("FLAGSHIP_TEST_SEED={seed}");
    StdRng::seed_from_u64(seed)
}

/// A free address of the loopback for another program: on a part of it that is this process's
/// alone, since other tests take free ports of 127.0.0.1 until that program has its own.
fn free_address() -> SocketAddr {
    let [.., high, low] = std::process::id().to_be_bytes();
    let listener = TcpListener::bind((Ipv4Addr::new(127, 99, high, low.max(1)), 0));
    listener.and_then(|it| it.local_addr()).unwrap()
}

/// Waits for a condition; gives how long it took.
async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) -> Duration {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < WAIT_MAX, "waited in vain until {what}");
        tokio::time::sleep(LOOK).await;
    }
    start.elapsed()
}
