//! A constant rate of submissions.

use std::net::SocketAddr;

use anyhow::Result;
use flagship_load::{self as load, Request, Times, pace};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::data::{Template, challenge_id, flag};

/// Connections for correct submissions.
const CONNECTIONS: usize = 16;

/// The senders.
pub struct Flags {
    stop: watch::Sender<bool>,
    sending: JoinHandle<Result<Times>>,
}

impl Flags {
    /// Starts sending `per_s` correct flags a second, from the flag number `first`.
    pub fn start(address: SocketAddr, template: &Template, per_s: f64, first: usize) -> Self {
        let (players, challenges) = (template.players().to_vec(), template.size.challenges);
        let ask = move |number: usize| {
            let number = first + number;
            // After all challenges are solved, repeated submissions are correct as well.
            let (player, challenge) =
                (&players[number % players.len()], number / players.len() % challenges);
            load::solve(player, &challenge_id(challenge), &flag(challenge))
        };
        Self::send(address, CONNECTIONS, per_s, ask)
    }

    /// Starts sending `per_s` of the flags that `ask` makes a second.
    pub fn send(
        address: SocketAddr,
        connections: usize,
        per_s: f64,
        ask: impl Fn(usize) -> Result<Request> + Clone + Send + 'static,
    ) -> Self {
        let (stop, stopped) = watch::channel(false);
        let sending = tokio::spawn(pace(address, connections, per_s, ask, stopped));
        Self { stop, sending }
    }

    /// Stops sending; returns the response times.
    pub async fn stop(self) -> Result<Times> {
        self.stop.send_replace(true);
        self.sending.await?
    }
}
