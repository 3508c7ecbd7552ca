//! A constant rate of correct flags.

use std::net::SocketAddr;

use anyhow::Result;
use flagship_load::{self as load, Times, pace};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::data::{Template, challenge_id, flag};

/// Connections that send the flags.
const CONNECTIONS: usize = 16;

/// The senders.
pub struct Flags {
    stop: watch::Sender<bool>,
    sending: JoinHandle<Result<Times>>,
}

impl Flags {
    /// Starts sending `per_s` flags a second, from the flag number `first`.
    pub fn start(address: SocketAddr, template: &Template, per_s: f64, first: usize) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (players, challenges) = (template.players().to_vec(), template.size.challenges);
        let ask = move |number: usize| {
            let number = first + number;
            // After all challenges are solved, repeated flags are correct as well.
            let (player, challenge) =
                (&players[number % players.len()], number / players.len() % challenges);
            load::solve(player, &challenge_id(challenge), &flag(challenge))
        };
        let sending = tokio::spawn(pace(address, CONNECTIONS, per_s, ask, stopped));
        Self { stop, sending }
    }

    /// Stops sending; returns the response times.
    pub async fn stop(self) -> Result<Times> {
        self.stop.send_replace(true);
        self.sending.await?
    }
}
