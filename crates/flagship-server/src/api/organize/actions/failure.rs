//! Reasons why an action is not done.

use axum::response::{IntoResponse, Response};
use flagship_actions::{ArgumentError, Rejection};
use flagship_pack::Problem;
use flagship_store::ops::ActionError;
use serde_json::json;

use crate::api::error::{ApiError, errors_from};
use crate::api::schema;

/// Converts problems in a challenge file for the response.
pub fn found_problems(problems: Vec<Problem>) -> Vec<schema::Found> {
    let found = |Problem { line, severity, message, .. }| {
        let severity = severity.to_string();
        schema::Found { line, severity, message }
    };
    problems.into_iter().map(found).collect()
}

/// Error returned when an action is rejected.
pub enum ActionFailure {
    /// An error from the catalog.
    Error(ApiError),
    /// Later actions on the same objects must be undone first, newest first.
    Later(Vec<i64>),
    /// An error from the catalog about one of several objects.
    Of(String, ApiError),
    /// The request was already processed.
    Repeated,
    /// The challenge file does not support this edit.
    Edit(String),
    /// The challenge has errors.
    Problems(Vec<Problem>),
    /// The settings have errors.
    Settings(Vec<Problem>),
}

impl IntoResponse for ActionFailure {
    fn into_response(self) -> Response {
        let mut message = None;
        let (error, name, value) = match self {
            Self::Error(error) => return error.into_response(),
            Self::Of(object, error) => {
                message = Some(format!("{object}: {}", error.message()));
                let found =
                    schema::Found { line: 0, severity: "error".to_owned(), message: object };
                (error, "problems", json!([found]))
            }
            Self::Repeated => return ApiError::INTERNAL.into_response(),
            Self::Later(actions) => (ApiError::LATER_ACTIONS, "actions", json!(actions)),
            Self::Edit(message) => {
                let found = schema::Found { line: 0, severity: "error".to_owned(), message };
                (ApiError::CHALLENGE_INVALID, "problems", json!([found]))
            }
            Self::Problems(problems) => {
                (ApiError::CHALLENGE_INVALID, "problems", json!(found_problems(problems)))
            }
            Self::Settings(problems) => {
                (ApiError::SETTINGS_INVALID, "problems", json!(found_problems(problems)))
            }
        };
        let message = message.unwrap_or_else(|| error.message().to_owned());
        let body = json!({"code": error.code(), "message": message, name: value});
        (error.status(), axum::Json(body)).into_response()
    }
}

impl<E: Into<ApiError>> From<E> for ActionFailure {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl From<Rejection> for ActionFailure {
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
            Rejection::Of { object, rejection } => Self::from(*rejection).of(object),
            Rejection::Store(error) => error.into(),
        }
    }
}

impl ActionFailure {
    /// Names the object, of several, that rejected the action.
    fn of(self, object: String) -> Self {
        match self {
            Self::Error(error) => Self::Of(object, error),
            other => other,
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
        EmailDomain => EMAIL_DOMAIN,
        EventName => EVENT_NAME,
        ChallengeId => CHALLENGE_ID,
        ReasonMissing => REASON_MISSING,
        NoFile => NO_FILE,
    }
}

impl From<ActionError> for ActionFailure {
    fn from(error: ActionError) -> Self {
        Self::Error(match error {
            ActionError::Later { actions } => return Self::Later(actions),
            ActionError::Of { object, error } => return Self::from(*error).of(object),
            ActionError::Repeated => return Self::Repeated,
            ActionError::KeyReused => ApiError::KEY_CONFLICT,
            ActionError::Ended => ApiError::UNAUTHORIZED,
            ActionError::NoTeam => ApiError::NO_TEAM,
            ActionError::Role => ApiError::NOT_FOUND,
            ActionError::NoAction => ApiError::NOT_FOUND,
            ActionError::NoChallenge => ApiError::NO_CHALLENGE,
            ActionError::NoHint => ApiError::NO_HINT,
            ActionError::ChallengeTaken => ApiError::CHALLENGE_TAKEN,
            ActionError::MovesPoints => ApiError::MOVES_POINTS,
            ActionError::Altered => ApiError::ALTERED,
            ActionError::NoNotice => ApiError::NO_NOTICE,
            ActionError::NoQuestion => ApiError::NO_QUESTION,
            ActionError::NoCode => ApiError::NO_SIGNUP_CODE,
            ActionError::NoDivision => ApiError::DIVISION_UNKNOWN,
            ActionError::DivisionGroup => ApiError::DIVISION_GROUP,
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
