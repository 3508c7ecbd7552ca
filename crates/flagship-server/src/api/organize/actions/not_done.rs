//! Actions that are not done, and why.

use axum::response::{IntoResponse, Response};
use flagship_actions::{ArgumentError, Rejection};
use flagship_pack::Problem;
use flagship_store::ops::ActionError;
use serde_json::json;

use crate::api::error::{ApiError, errors_from};
use crate::api::schema;

/// Problems in the text of a challenge.
pub fn shown(problems: Vec<Problem>) -> Vec<schema::Found> {
    let found = |Problem { line, severity, message, .. }| {
        let severity = severity.to_string();
        schema::Found { line, severity, message }
    };
    problems.into_iter().map(found).collect()
}

/// Why an action is not done.
pub enum NotDone {
    /// An error of the catalogue.
    Error(ApiError),
    /// Later actions about the same objects have to be taken back first, the newest first.
    Later(Vec<i64>),
    /// The request was done before.
    Repeated,
    /// The text of a challenge cannot be edited so.
    Edit(String),
    /// The challenge has errors.
    Problems(Vec<Problem>),
    /// The settings have errors.
    Settings(Vec<Problem>),
}

impl IntoResponse for NotDone {
    fn into_response(self) -> Response {
        let (error, name, value) = match self {
            Self::Error(error) => return error.into_response(),
            Self::Repeated => return ApiError::INTERNAL.into_response(),
            Self::Later(actions) => (ApiError::LATER_ACTIONS, "actions", json!(actions)),
            Self::Edit(message) => {
                let found = schema::Found { line: 0, severity: "error".to_owned(), message };
                (ApiError::CHALLENGE_INVALID, "problems", json!([found]))
            }
            Self::Problems(problems) => {
                (ApiError::CHALLENGE_INVALID, "problems", json!(shown(problems)))
            }
            Self::Settings(problems) => {
                (ApiError::SETTINGS_INVALID, "problems", json!(shown(problems)))
            }
        };
        let body = json!({"code": error.code(), "message": error.message(), name: value});
        (error.status(), axum::Json(body)).into_response()
    }
}

impl<E: Into<ApiError>> From<E> for NotDone {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl From<Rejection> for NotDone {
    fn from(error: Rejection) -> Self {
        match error {
            Rejection::Shape(_) => ApiError::WRONG_SHAPE.into(),
            Rejection::Argument(error) => error.into(),
            Rejection::Name(error) => error.into(),
            Rejection::Email(error) => error.into(),
            Rejection::Action(error) => error.into(),
            Rejection::Edit(message) => Self::Edit(message),
            Rejection::Problems(problems) => Self::Problems(problems),
            Rejection::Settings(problems) => Self::Settings(problems),
            Rejection::Store(error) => error.into(),
        }
    }
}

errors_from! {
    ArgumentError {
        Shape => WRONG_SHAPE,
        Text => TEXT,
        Time => TIME,
        Until => UNTIL,
        Country => COUNTRY,
        NameReserved => NAME_RESERVED,
        NoAddress => NO_ADDRESS,
        EventName => EVENT_NAME,
        ChallengeId => CHALLENGE_ID,
        ReasonMissing => REASON_MISSING,
        NoFile => NO_FILE,
    }
}

impl From<ActionError> for NotDone {
    fn from(error: ActionError) -> Self {
        Self::Error(match error {
            ActionError::Later { actions } => return Self::Later(actions),
            ActionError::Repeated => return Self::Repeated,
            ActionError::KeyReused => ApiError::KEY_CONFLICT,
            ActionError::Ended => ApiError::UNAUTHORIZED,
            ActionError::NoTeam => ApiError::NO_TEAM,
            ActionError::Role => ApiError::NOT_FOUND,
            ActionError::NoAction => ApiError::NOT_FOUND,
            ActionError::NoChallenge => ApiError::NO_CHALLENGE,
            ActionError::ChallengeTaken => ApiError::CHALLENGE_TAKEN,
            ActionError::MovesPoints => ApiError::MOVES_POINTS,
            ActionError::Altered => ApiError::ALTERED,
            ActionError::NoNotice => ApiError::NO_NOTICE,
            ActionError::NoQuestion => ApiError::NO_QUESTION,
            ActionError::Time => ApiError::TIME_OUTSIDE,
            ActionError::NoEvent => ApiError::NO_EVENT,
            ActionError::Times => ApiError::TIMES,
            ActionError::NotFrozen => ApiError::NOT_FROZEN,
            ActionError::RevealWaits => ApiError::REVEAL_WAITS,
            ActionError::Destructive => ApiError::FACTOR_NEEDED,
            ActionError::Touched => ApiError::TOUCHED,
            ActionError::Unchanged => ApiError::UNCHANGED,
            ActionError::Points => ApiError::POINTS,
            ActionError::NotSolved => ApiError::NOT_SOLVED,
            ActionError::Standing => ApiError::STANDING,
            ActionError::AddressTaken => ApiError::ADDRESS_TAKEN,
            ActionError::NameTaken => ApiError::NAME_TAKEN,
            ActionError::Mails => ApiError::MAILS,
            ActionError::Names => ApiError::NAMES,
            ActionError::Messages => ApiError::MESSAGES,
            ActionError::Played => ApiError::PLAYED,
            ActionError::NoUndo => ApiError::NO_UNDO,
        })
    }
}
