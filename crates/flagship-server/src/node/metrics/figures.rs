//! How the node is, read when somebody asks: for `/metrics`, and for organizers.

use std::time::Duration;

use flagship_store::mail;

use super::process::{self, Used};
use crate::node::state::App;

/// How long the database may take to give the outbox's counts.
pub const READ_MAX: Duration = Duration::from_secs(2);

/// How the node is.
pub struct Figures {
    /// Operations that wait for the lane.
    pub queue: usize,
    /// Open sockets of the live channel.
    pub sockets: usize,
    /// Open connections.
    pub connections: usize,
    /// Logins and signups that are looked up, wait for a hashing thread or are hashed.
    pub passwords: usize,
    /// Number of the last entry in the fold.
    pub entries: i64,
    /// False once the journal or the flags were found to be changed by another program.
    pub intact: bool,
    /// The outbox; `None` if the database does not answer in time.
    pub mails: Option<Mails>,
    /// The resources of the process; `None` without `/proc`.
    pub used: Option<Used>,
}

/// The mails in the outbox.
#[derive(Clone, Copy)]
pub struct Mails {
    /// Those that wait.
    pub waiting: i64,
    /// Those that were sent.
    pub sent: i64,
    /// Those that were given up.
    pub failed: i64,
    /// Those of the last hour, of which `mails_per_hour` is the most.
    pub in_hour: i64,
}

impl Figures {
    /// How the node is now.
    pub async fn read(app: &App) -> Self {
        let now_ms = app.clock.now_ms();
        let mails =
            async { tokio::try_join!(mail::counts(&app.db), mail::sent_in_hour(&app.db, now_ms)) };
        let mails = tokio::time::timeout(READ_MAX, mails).await;
        let mails = match mails {
            Ok(Ok(((waiting, sent, failed), in_hour))) => {
                Some(Mails { waiting, sent, failed, in_hour })
            }
            _ => None,
        };
        Self {
            queue: app.lane.waiting(),
            sockets: app.sockets.open(),
            connections: app.connections.held(),
            passwords: app.passwords.waiting(),
            entries: app.contest().seq(),
            intact: !app.seal.is_altered(),
            mails,
            used: process::used(),
        }
    }
}
