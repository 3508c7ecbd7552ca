//! Errors of the node, as values. The API turns them into messages.

use flagship_game::HintRefusal;
use flagship_game::contest::Refusal;
use flagship_store::StoreError;

use super::report::report;
use crate::net::permits;

/// Error of a request to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// The queue is full, or the database does not respond. The client may retry soon.
    #[error("too much is waiting, or the database does not answer")]
    Busy,
    /// Too many passwords wait to be hashed. The client may retry after this many seconds.
    #[error("too many passwords wait to be hashed")]
    PasswordsFull {
        /// Number of seconds.
        retry_after_s: u64,
    },
    /// The journal has a newer format, which this program cannot read.
    #[error("the journal has a newer format than this program reads")]
    ReadOnly,
    /// A bug or unreadable data. The log has the cause.
    #[error("internal failure")]
    Internal,
    /// The limit on attempts is reached. The client may retry after this many seconds.
    #[error("too many attempts")]
    Throttled {
        /// Number of seconds.
        retry_after_s: u64,
    },
    /// The limit on incorrect submissions is reached. The client may retry after this many seconds.
    #[error("too many wrong flags")]
    TooManyFlags {
        /// Number of seconds.
        retry_after_s: u64,
    },
    /// The rules of the game reject the submission.
    #[error("the rules refuse the flag")]
    Rules(Refusal),
    /// The rules of the game reject taking the hint.
    #[error("the rules refuse the hint")]
    Hint(HintRefusal),
    /// The captcha token is invalid, expired or used.
    #[error("the captcha's token is not valid")]
    Captcha,
    /// The captcha service does not respond.
    #[error("the captcha's service does not answer")]
    CaptchaUnavailable,
}

/// Error of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaneError {
    /// Too many operations are queued.
    #[error("too many pending operations")]
    Full,
    /// The operation may or may not be recorded. The client may retry.
    #[error("the operation could not be recorded")]
    Failed,
    /// The journal has a newer format, so nothing can be recorded.
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

impl From<permits::PermitError> for NodeError {
    fn from(_: permits::PermitError) -> Self {
        Self::Busy
    }
}

impl From<Refusal> for NodeError {
    fn from(refusal: Refusal) -> Self {
        Self::Rules(refusal)
    }
}
