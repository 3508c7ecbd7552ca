//! Senders: each has a connection that it keeps open, and asks again when it was answered or when
//! the next is due.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::http::{Ask, Connection, expect};
use crate::times::Times;

/// Sends `asks` over so many connections, each as soon as one is free, and wants each answered
/// with 200 and `says` in its body.
pub async fn flood(
    address: SocketAddr,
    connections: usize,
    asks: Vec<Ask>,
    says: &'static str,
) -> Result<Times> {
    let (asks, next) = (Arc::new(asks), Arc::new(AtomicUsize::new(0)));
    let mut opened = Vec::with_capacity(connections);
    for _ in 0..connections {
        opened.push(Connection::open(address).await?);
    }
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    for mut connection in opened {
        let (asks, next) = (asks.clone(), next.clone());
        senders.spawn(async move {
            let mut times = Times::default();
            while let Some(ask) = asks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let asked = Instant::now();
                let answer = connection.ask(ask.clone()).await?;
                times.took(asked.elapsed());
                expect(&answer, says)?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// Sends what `ask` makes so often a second until it is told to stop, and times each from the
/// moment at which it was due.
pub async fn pace(
    address: SocketAddr,
    connections: usize,
    per_s: f64,
    ask: impl Fn(usize) -> Result<Ask> + Clone + Send + 'static,
    stop: watch::Receiver<bool>,
) -> Result<Times> {
    let mut senders = JoinSet::new();
    let begun = Instant::now();
    for first in 0..connections {
        let (ask, stop) = (ask.clone(), stop.clone());
        let mut connection = Connection::open(address).await?;
        senders.spawn(async move {
            let mut times = Times::default();
            for number in (first..).step_by(connections) {
                let due = begun + Duration::from_secs_f64(number as f64 / per_s);
                tokio::time::sleep_until(due.into()).await;
                if *stop.borrow() {
                    break;
                }
                let answer = connection.ask(ask(number)?).await?;
                times.took(due.elapsed());
                expect(&answer, "")?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// The times of all senders, once the last has ended.
async fn gather(mut senders: JoinSet<Result<Times>>, begun: Instant) -> Result<Times> {
    let mut times = Times::default();
    while let Some(sender) = senders.join_next().await {
        times.add(&sender??)?;
    }
    times.elapsed = begun.elapsed();
    Ok(times)
}
