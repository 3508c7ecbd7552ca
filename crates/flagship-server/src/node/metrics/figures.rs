//! How the node is, for `/metrics` and for organizers.

use super::process::Used;

pub struct Figures {
    /// Operations that wait for the lane.
    pub queue: usize,
    /// Open sockets of the live channel.
    pub sockets: usize,
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
    pub waiting: i64,
    pub sent: i64,
    /// Those that were given up.
    pub failed: i64,
    /// Those of the last hour, of which `mails_per_hour` is the most.
    pub in_hour: i64,
}
