//! Live channel sockets in worker processes, so that each process has enough file descriptors.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use flagship_load::{Site, Watch, Worker, loopback};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Maximum sockets opened concurrently.
const OPENING_MAX: usize = 64;
/// Time limit of a command.
const PATIENCE: Duration = Duration::from_secs(240);

/// A command to a worker, which answers with a list of times.
#[derive(Serialize, Deserialize)]
pub enum Command {
    /// Open `count` sockets and receive their scoreboards, a few at a time. No times.
    Open { count: usize },
    /// Wait for the frame of a solve on each socket; the arrival times in nanoseconds.
    AwaitSolve,
    /// Drop all connections. No times.
    Disconnect,
    /// Reconnect all sockets at once and receive up to number `seq` of the public stream; the
    /// arrival times in nanoseconds.
    Reconnect { seq: u64 },
}

/// The monotonic clock in nanoseconds, which all processes of the machine share.
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Starts a worker.
pub fn start(address: SocketAddr) -> Result<Worker> {
    Worker::start(&["crowd", &address.to_string()])
}

/// Runs a worker. Each worker connects from its own loopback address, to have enough ports.
pub fn run(address: &str) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let site = Site::local(address.parse()?, Some(loopback(std::process::id())))?;
    let mut crowd = Crowd { site, watches: Vec::new() };
    for line in std::io::stdin().lines() {
        let command = serde_json::from_str(&line?)?;
        let times_ns = runtime
            .block_on(async { tokio::time::timeout(PATIENCE, crowd.execute(command)).await })??;
        println!("{}", serde_json::to_string(&times_ns)?);
    }
    Ok(())
}

struct Crowd {
    site: Site,
    watches: Vec<Watch>,
}

impl Crowd {
    async fn execute(&mut self, command: Command) -> Result<Vec<u64>> {
        let site = self.site.clone();
        match command {
            Command::Open { count } => {
                let permits = Arc::new(Semaphore::new(OPENING_MAX));
                self.watches = all((0..count).map(|_| {
                    let (permits, site) = (permits.clone(), site.clone());
                    async move {
                        let _permit = permits.acquire().await?;
                        Watch::open(&site, "").await
                    }
                }))
                .await?;
                Ok(Vec::new())
            }
            Command::AwaitSolve => {
                self.each(|mut watch| async move {
                    while watch.next().await?.event != "solve" {}
                    Ok((now_ns(), watch))
                })
                .await
            }
            Command::Disconnect => {
                self.watches.iter_mut().for_each(Watch::disconnect);
                Ok(Vec::new())
            }
            Command::Reconnect { seq } => {
                self.each(move |mut watch| {
                    let site = site.clone();
                    async move {
                        watch.connect(&site, "").await?;
                        while watch.seq() < seq {
                            watch.next().await?;
                        }
                        Ok((now_ns(), watch))
                    }
                })
                .await
            }
        }
    }

    async fn each<F>(&mut self, work: impl Fn(Watch) -> F) -> Result<Vec<u64>>
    where
        F: Future<Output = Result<(u64, Watch)>> + Send + 'static,
    {
        let done = all(std::mem::take(&mut self.watches).into_iter().map(work)).await?;
        let (times_ns, watches) = done.into_iter().unzip();
        self.watches = watches;
        Ok(times_ns)
    }
}

/// Runs all futures concurrently.
async fn all<T, F>(work: impl Iterator<Item = F>) -> Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
{
    let mut tasks: JoinSet<Result<T>> = work.collect();
    let mut done = Vec::with_capacity(tasks.len());
    while let Some(task) = tasks.join_next().await {
        done.push(task??);
    }
    Ok(done)
}
