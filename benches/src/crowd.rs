//! Sockets of the live channel in processes of their own, so that open files suffice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use flagship_load::{Part, Site, Watch, loopback};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Sockets that are opened at the same time where nothing is measured.
const OPENING_MAX: usize = 64;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// What a part is told.
#[derive(Serialize, Deserialize)]
pub enum Word {
    /// Open so many sockets and take their boards, a few at a time.
    Open { count: usize },
    /// Wait for the frame of a solve on each socket; gives its moments, in nanoseconds.
    Hear,
    /// Lose all connections.
    Lose,
    /// Come back, all at once, and hear all up to this number of the public stream; gives the
    /// moments, in nanoseconds.
    Return { seq: u64 },
}

/// Nanoseconds of the machine's clock that all processes share.
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Starts a part of the crowd.
pub fn start(address: SocketAddr) -> Result<Part> {
    Part::start(&["crowd", &address.to_string()])
}

/// The process itself. It comes from an address of its own and so has ports enough.
pub fn run(address: &str) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let site = Site::local(address.parse()?, Some(loopback(std::process::id())))?;
    let mut crowd = Crowd { site, watches: Vec::new() };
    for line in std::io::stdin().lines() {
        let word = serde_json::from_str(&line?)?;
        let moments = runtime
            .block_on(async { tokio::time::timeout(PATIENCE, crowd.hear(word)).await })??;
        println!("{}", serde_json::to_string(&moments)?);
    }
    Ok(())
}

struct Crowd {
    site: Site,
    watches: Vec<Watch>,
}

impl Crowd {
    async fn hear(&mut self, word: Word) -> Result<Vec<u64>> {
        let site = self.site.clone();
        match word {
            Word::Open { count } => {
                let places = Arc::new(Semaphore::new(OPENING_MAX));
                self.watches = all((0..count).map(|_| {
                    let (places, site) = (places.clone(), site.clone());
                    async move {
                        let _place = places.acquire().await?;
                        Watch::open(&site, "").await
                    }
                }))
                .await?;
                Ok(Vec::new())
            }
            Word::Hear => {
                self.each(|mut watch| async move {
                    while watch.next().await?.event != "solve" {}
                    Ok((now_ns(), watch))
                })
                .await
            }
            Word::Lose => {
                self.watches.iter_mut().for_each(Watch::lose);
                Ok(Vec::new())
            }
            Word::Return { seq } => {
                self.each(move |mut watch| {
                    let site = site.clone();
                    async move {
                        watch.come(&site, "").await?;
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
        let (moments, watches) = done.into_iter().unzip();
        self.watches = watches;
        Ok(moments)
    }
}

/// Does all at the same time.
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
