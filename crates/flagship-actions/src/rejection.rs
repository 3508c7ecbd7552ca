//! Errors of preparing and performing actions.

use flagship_game::NameError;
use flagship_pack::{Problem, Severity};
use flagship_store::StoreError;
use flagship_store::ops::ActionError;

use crate::mail::address::EmailError;

/// Error returned when an action cannot be prepared.
#[derive(Debug)]
pub enum Rejection {
    /// An argument is missing, unknown or of the wrong type.
    Shape(serde_json::Error),
    /// An argument is invalid by itself.
    Argument(ArgumentError),
    /// Invalid team name.
    Name(NameError),
    /// Invalid email address.
    Email(EmailError),
    /// The action would be rejected when performed.
    Action(ActionError),
    /// The edit of the challenge is invalid.
    Edit(String),
    /// The challenge has errors.
    Problems(Vec<Problem>),
    /// The settings have errors.
    Settings(Vec<Problem>),
    /// Rejection of an action about several objects.
    Of {
        /// Name of the team or ID of the challenge.
        object: String,
        /// Rejection of this object.
        rejection: Box<Self>,
    },
    /// The database or the storage of files failed.
    Store(StoreError),
}

/// Invalid argument of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// An argument has an invalid form, or the action would do nothing.
    #[error("an argument is invalid")]
    Shape,
    /// A text is empty, too long or contains unprintable characters.
    #[error("a text is empty, too long, or contains unprintable characters")]
    Text,
    /// A time is invalid or has no offset.
    #[error("a time must have an offset")]
    Time,
    /// The end of an urgent notice is not after its publication, or the notice is not urgent.
    #[error("only an urgent notice can have an end, which must be after its publication")]
    Until,
    /// Unknown country.
    #[error("unknown country code")]
    Country,
    /// The name is reserved for organizers.
    #[error("the name is reserved")]
    NameReserved,
    /// The team has no email address.
    #[error("the team has no email address")]
    NoAddress,
    /// The event does not accept email addresses of this domain.
    #[error("the event does not accept email addresses of this domain")]
    EmailDomain,
    /// The event has a different name.
    #[error("the event has a different name")]
    EventName,
    /// The challenge ID is invalid or does not match the source.
    #[error("the challenge ID is invalid or does not match the source")]
    ChallengeId,
    /// The action needs a reason.
    #[error("a reason is required")]
    ReasonMissing,
    /// No uploaded file has this digest.
    #[error("no uploaded file has this digest")]
    NoFile,
}

impl Rejection {
    /// Creates an error for a setting.
    pub fn setting(message: String) -> Self {
        let file = "event.toml".into();
        Self::Settings(vec![Problem { severity: Severity::Error, file, line: 1, message }])
    }
}

impl From<ArgumentError> for Rejection {
    fn from(error: ArgumentError) -> Self {
        Self::Argument(error)
    }
}

impl From<ActionError> for Rejection {
    fn from(error: ActionError) -> Self {
        Self::Action(error)
    }
}

impl From<NameError> for Rejection {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

impl From<EmailError> for Rejection {
    fn from(error: EmailError) -> Self {
        Self::Email(error)
    }
}

impl From<std::io::Error> for Rejection {
    fn from(error: std::io::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
