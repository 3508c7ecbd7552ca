//! Acts that are not done, and why.

use axum::response::{IntoResponse, Response};
use flagship_pack::Problem;
use flagship_store::StoreError;
use flagship_store::ops::ActError;
use serde_json::json;

use crate::api::error::ApiError;
use crate::api::organize::orders::Unread;
use crate::api::schema;
use crate::node::error::NodeError;
use crate::node::lane::LaneError;

/// Problems in the text of a challenge.
pub fn shown(problems: Vec<Problem>) -> Vec<schema::Found> {
    let found = |Problem { line, severity, message, .. }| {
        let severity = severity.to_string();
        schema::Found { line, severity, message }
    };
    problems.into_iter().map(found).collect()
}

/// Why an act is not done.
pub enum NotDone {
    /// An error of the catalogue.
    Error(ApiError),
    /// Later acts about the same objects have to be taken back first, the newest first.
    Later(Vec<i64>),
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
            Self::Later(acts) => (ApiError::LATER_ACTS, "acts", json!(acts)),
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

impl From<ApiError> for NotDone {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

impl From<Unread> for NotDone {
    fn from(error: Unread) -> Self {
        match error {
            Unread::Shape(_) => Self::Error(ApiError::WRONG_SHAPE),
            Unread::Error(error) => Self::Error(error),
            Unread::Edit(words) => Self::Edit(words),
            Unread::Problems(problems) => Self::Problems(problems),
            Unread::Settings(problems) => Self::Settings(problems),
        }
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl From<NodeError> for NotDone {
    fn from(error: NodeError) -> Self {
        Self::Error(error.into())
    }
}

impl From<LaneError> for NotDone {
    fn from(error: LaneError) -> Self {
        Self::Error(error.into())
    }
}

impl From<ActError> for NotDone {
    fn from(error: ActError) -> Self {
        Self::Error(match error {
            ActError::Later { acts } => return Self::Later(acts),
            ActError::Ended => ApiError::UNAUTHORIZED,
            ActError::NoTeam => ApiError::NO_TEAM,
            ActError::Role => ApiError::NOT_FOUND,
            ActError::NoAct => ApiError::NOT_FOUND,
            ActError::NoChallenge => ApiError::NO_CHALLENGE,
            ActError::ChallengeTaken => ApiError::CHALLENGE_TAKEN,
            ActError::MovesPoints => ApiError::MOVES_POINTS,
            ActError::Altered => ApiError::ALTERED,
            ActError::NoNotice => ApiError::NO_NOTICE,
            ActError::NoQuestion => ApiError::NO_QUESTION,
            ActError::Time => ApiError::TIME_OUTSIDE,
            ActError::NoEvent => ApiError::NO_EVENT,
            ActError::Times => ApiError::TIMES,
            ActError::NotFrozen => ApiError::NOT_FROZEN,
            ActError::RevealWaits => ApiError::REVEAL_WAITS,
            ActError::Destructive => ApiError::FACTOR_NEEDED,
            ActError::Touched => ApiError::TOUCHED,
            ActError::Unchanged => ApiError::UNCHANGED,
            ActError::Points => ApiError::POINTS,
            ActError::NotSolved => ApiError::NOT_SOLVED,
            ActError::Standing => ApiError::STANDING,
            ActError::AddressTaken => ApiError::ADDRESS_TAKEN,
            ActError::NameTaken => ApiError::NAME_TAKEN,
            ActError::Mails => ApiError::MAILS,
            ActError::Names => ApiError::NAMES,
            ActError::Messages => ApiError::MESSAGES,
            ActError::Played => ApiError::PLAYED,
            ActError::NoUndo => ApiError::NO_UNDO,
        })
    }
}
