//! Errors returned when an action is not prepared or not performed.

use flagship_game::NameError;
use flagship_pack::{Problem, Severity};
use flagship_store::StoreError;
use flagship_store::ops::ActionError;

use crate::mail::address::EmailError;

/// Error returned when an action is not prepared.
#[derive(Debug)]
pub enum Rejection {
    /// An argument is missing, unknown or of another type.
    Shape(serde_json::Error),
    /// An argument is wrong by itself.
    Argument(ArgumentError),
    /// A name that no team can have.
    Name(NameError),
    /// An address that no team can have.
    Email(EmailError),
    /// The action would be rejected where it is performed.
    Action(ActionError),
    /// The text of the challenge cannot be edited so.
    Edit(String),
    /// The challenge has errors.
    Problems(Vec<Problem>),
    /// The settings have errors.
    Settings(Vec<Problem>),
    /// The database failed.
    Store(StoreError),
}

/// Error in an argument of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// An argument has a wrong form, or nothing to do is given.
    #[error("an argument has a wrong form")]
    Shape,
    /// A text is empty, too long, or has characters that cannot be shown.
    #[error("a text is empty, too long, or has characters that cannot be shown")]
    Text,
    /// A time has no offset, or is none.
    #[error("a time needs an offset")]
    Time,
    /// The end of an urgent notice is not after it is posted, or the notice is not urgent.
    #[error("only an urgent notice has an end, after it is posted")]
    Until,
    /// The country is not in the list.
    #[error("no country has this code")]
    Country,
    /// The name is reserved for organizers.
    #[error("the name is reserved")]
    NameReserved,
    /// The team has no address.
    #[error("the team has no address")]
    NoAddress,
    /// The event has another name.
    #[error("the event has another name")]
    EventName,
    /// The id of a challenge has a wrong form, or the text has another one.
    #[error("the id of the challenge has a wrong form, or is not the one of the text")]
    ChallengeId,
    /// The action needs a reason.
    #[error("a reason is needed")]
    ReasonMissing,
    /// No uploaded file has this digest.
    #[error("no uploaded file has this digest")]
    NoFile,
}

impl Rejection {
    /// A setting with an error.
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

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
