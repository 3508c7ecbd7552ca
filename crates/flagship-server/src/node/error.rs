//! Why the node did not do something, as values. The API puts them into words.

use flagship_game::contest::Refusal;
use flagship_store::StoreError;

use super::report::report;
use crate::net::permits;

/// Why the node did not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// Too much is waiting, or the database does not answer: the client may try again soon.
    #[error("too much is waiting, or the database does not answer")]
    Busy,
    /// Too many passwords wait to be hashed: the client may try again after this many seconds.
    #[error("too many passwords wait to be hashed")]
    PasswordsFull {
        /// Seconds.
        retry_after_s: u64,
    },
    /// The journal has a newer format than this program reads.
    #[error("the journal has a newer format than this program reads")]
    ReadOnly,
    /// A bug or unreadable data; the cause is in the log.
    #[error("internal failure")]
    Internal,
    /// A limit on attempts is reached, for this many seconds.
    #[error("too many attempts")]
    Throttled {
        /// Seconds.
        retry_after_s: u64,
    },
    /// The limit on wrong flags is reached, for this many seconds.
    #[error("too many wrong flags")]
    TooManyFlags {
        /// Seconds.
        retry_after_s: u64,
    },
    /// The rules of the game refuse the flag.
    #[error("the rules refuse the flag")]
    Rules(Refusal),
    /// The captcha's token is wrong, expired or used.
    #[error("the captcha's token is not valid")]
    Captcha,
    /// The captcha's service does not answer.
    #[error("the captcha's service does not answer")]
    CaptchaUnavailable,
}

/// Why an operation was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaneError {
    /// Too many operations wait.
    #[error("too many operations wait")]
    Full,
    /// The operation is not known to be recorded; the client may try again.
    #[error("the operation could not be recorded")]
    Failed,
    /// The journal has a newer format: nothing can be recorded.
    #[error("the journal has a newer format than this program reads")]
    ReadOnly,
}

impl From<StoreError> for NodeError {
    fn from(error: StoreError) -> Self {
        report(&error, "the store failed");
        match error {
            StoreError::Database(_) => Self::Busy,
            _ => Self::Internal,
        }
    }
}

impl From<LaneError> for NodeError {
    fn from(error: LaneError) -> Self {
        match error {
            LaneError::Full | LaneError::Failed => Self::Busy,
            LaneError::ReadOnly => Self::ReadOnly,
        }
    }
}

impl From<permits::Refused> for NodeError {
    fn from(_: permits::Refused) -> Self {
        Self::Busy
    }
}

impl From<Refusal> for NodeError {
    fn from(refusal: Refusal) -> Self {
        Self::Rules(refusal)
    }
}
