//! Figures of the node, for `/metrics` and for organizers.

use super::process::Used;
use crate::node::certificate::CertificateStatus;

pub struct Figures {
    /// Number of operations queued for the lane.
    pub queue: usize,
    /// Number of open sockets of the live channel.
    pub sockets: usize,
    pub connections: usize,
    /// Number of pending logins and signups: being looked up, waiting for a hashing thread or being
    /// hashed.
    pub passwords: usize,
    /// Number of the last entry in the fold.
    pub entries: i64,
    /// False once a check found that another program changed the journal or the flags.
    pub intact: bool,
    /// Counts of the outbox; `None` if the database does not respond in time.
    pub mails: Option<Mails>,
    /// Resource use of the process; `None` without `/proc`.
    pub used: Option<Used>,
    /// State of the certificate; `None` without built-in TLS.
    pub certificate: Option<CertificateStatus>,
}

/// Counts of emails in the outbox.
#[derive(Clone, Copy)]
pub struct Mails {
    pub waiting: i64,
    pub sent: i64,
    /// Number of emails that failed permanently.
    pub failed: i64,
    /// Number of emails in the last hour; the limit is `mails_per_hour`.
    pub in_hour: i64,
}
