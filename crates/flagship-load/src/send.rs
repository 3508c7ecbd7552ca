//! Senders of requests, each over one persistent connection: as fast as responses arrive, or at a
//! fixed rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::http::{Connection, Request, expect};
use crate::times::Times;

/// Sends `requests` over `connections` connections, each as soon as one is free. Every response
/// must be 200 and contain `text`.
pub async fn flood(
    address: SocketAddr,
    connections: usize,
    requests: Vec<Request>,
    text: &'static str,
) -> Result<Times> {
    let requests = Arc::new(requests);
    let next = Arc::new(AtomicUsize::new(0));
    let mut opened = Vec::with_capacity(connections);
    for _ in 0..connections {
        opened.push(Connection::open(address).await?);
    }
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    for mut connection in opened {
        let (requests, next) = (requests.clone(), next.clone());
        senders.spawn(async move {
            let mut times = Times::default();
            while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                let sent = Instant::now();
                let response = connection.send(request.clone()).await?;
                times.record(sent.elapsed());
                expect(&response, text)?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// Sends the requests that `request` makes at a fixed rate until `stop` is true. Each is timed from
/// the moment at which it was due, so that a slow server does not hide its own delay.
pub async fn pace(
    address: SocketAddr,
    connections: usize,
    per_s: f64,
    request: impl Fn(usize) -> Result<Request> + Clone + Send + 'static,
    stop: watch::Receiver<bool>,
) -> Result<Times> {
    let mut senders = JoinSet::new();
    let begun = Instant::now();
    for first in 0..connections {
        let (request, stop) = (request.clone(), stop.clone());
        let mut connection = Connection::open(address).await?;
        senders.spawn(async move {
            let mut times = Times::default();
            for number in (first..).step_by(connections) {
                let due = begun + Duration::from_secs_f64(number as f64 / per_s);
                tokio::time::sleep_until(due.into()).await;
                if *stop.borrow() {
                    break;
                }
                let response = connection.send(request(number)?).await?;
                times.record(due.elapsed());
                expect(&response, "")?;
            }
            anyhow::Ok(times)
        });
    }
    gather(senders, begun).await
}

/// Waits for all senders and merges their times.
async fn gather(mut senders: JoinSet<Result<Times>>, begun: Instant) -> Result<Times> {
    let mut times = Times::default();
    while let Some(sender) = senders.join_next().await {
        times.add(&sender??)?;
    }
    times.elapsed = begun.elapsed();
    Ok(times)
}
