//! What organizers read to answer teams.

use axum::extract::State;
use flagship_game::contest::Notice;
use flagship_game::{ChallengeId, Contest};
use flagship_store::desk::notices::{self, Due};
use flagship_store::desk::questions::{self, Asked};
use serde::Serialize;
use utoipa::ToSchema;

use super::by::By;
use crate::api::error::ApiError;
use crate::api::schema;
use crate::node::organizers::Who;
use crate::node::organizers::permissions::{ListNotices, ListQuestions};
use crate::node::state::App;

/// Questions of teams.
#[derive(Serialize, ToSchema)]
#[schema(as = TeamQuestions)]
pub struct Questions {
    /// Those that wait, the oldest first; then the others, the newest first. At most 500.
    questions: Vec<Question>,
}

/// A question of a team. Times are epoch milliseconds.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeamQuestion)]
pub struct Question {
    /// Its id.
    pub id: i64,
    /// When it was asked.
    at: i64,
    /// The team's name.
    team_name: String,
    /// The challenge that it is about.
    challenge_id: Option<String>,
    /// What the team asks: plain text.
    text: String,
    /// `open`, `answered` or `closed`.
    state: String,
    /// What was answered.
    answer: Option<String>,
    /// When.
    answered_at: Option<i64>,
}

/// Lists the questions of teams; for an author, those about own challenges.
#[utoipa::path(get, path = "/questions", tag = "organizers", operation_id = "organizer_questions",
    responses((status = 200, body = Questions), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn list_questions(
    State(app): State<App>,
    by: By<ListQuestions>,
) -> Result<axum::Json<Questions>, ApiError> {
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let questions = of_theirs(&by.who, &questions::all(app.db()).await?);
    Ok(axum::Json(Questions { questions }))
}

/// Those questions that somebody sees.
fn of_theirs(who: &Who, asked: &[Asked]) -> Vec<Question> {
    let question = |Asked { row, team }: &Asked| Question {
        id: row.id,
        at: row.at_ms,
        team_name: team.clone(),
        challenge_id: row.challenge_id.clone(),
        text: row.text.clone(),
        state: row.state.clone(),
        answer: row.answer.clone(),
        answered_at: row.answered_at_ms,
    };
    asked.iter().filter(|it| who.sees_question(it)).map(question).collect()
}

/// Notices, as organizers see them.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedNotices)]
pub struct Notices {
    /// Those that wait, then the others, the newest first.
    notices: Vec<Listed>,
}

/// A notice. Times are epoch milliseconds.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Its id.
    pub id: i64,
    /// When it was posted, or will be.
    at: i64,
    /// Its title.
    title: String,
    /// Its text: sanitised HTML.
    html: String,
    /// The challenge that it is about; null if players do not see it, for who may not edit it.
    challenge_id: Option<String>,
    /// Whether players see it at once.
    urgent: bool,
    /// When it stops to interrupt them; null if it does until it is withdrawn.
    urgent_until: Option<i64>,
    /// When it was last corrected.
    corrected_at: Option<i64>,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
    /// Whether it waits for its time.
    waits: bool,
}

/// Lists notices, those that wait for their time too.
#[utoipa::path(get, path = "/notices", tag = "organizers", operation_id = "organizer_notices",
    responses((status = 200, body = Notices), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn list_notices(
    State(app): State<App>,
    by: By<ListNotices>,
) -> Result<axum::Json<Notices>, ApiError> {
    let waiting = notices::waiting(app.db()).await?;
    Ok(axum::Json(Notices { notices: all_notices(&by.who, &waiting, &app.contest()) }))
}

/// The notices that wait, then the others, the newest first, as somebody sees them.
fn all_notices(who: &Who, waiting: &[Due], contest: &Contest) -> Vec<Listed> {
    let is_known =
        |id: &str| ChallengeId::parse(id).is_ok_and(|id| who.may_edit(&id) || contest.is_seen(&id));
    let seen = |notice: Listed| {
        let challenge_id = notice.challenge_id.filter(|id| is_known(id));
        Listed { challenge_id, ..notice }
    };
    let posted = contest.notices().rev().map(|notice| Listed::from(&**notice));
    waiting.iter().cloned().map(Listed::from).chain(posted).map(seen).collect()
}

impl From<Due> for Listed {
    fn from(due: Due) -> Self {
        Self {
            id: due.id,
            at: due.at_ms,
            title: due.title,
            html: due.html,
            challenge_id: due.challenge_id,
            urgent: due.urgent,
            urgent_until: due.urgent_until_ms,
            corrected_at: None,
            withdrawn: false,
            waits: true,
        }
    }
}

impl From<&Notice> for Listed {
    fn from(notice: &Notice) -> Self {
        Self {
            id: notice.id,
            at: notice.at_ms,
            title: notice.title.clone(),
            html: notice.html.clone(),
            challenge_id: notice.challenge.as_ref().map(|id| id.as_str().to_owned()),
            urgent: notice.urgent,
            urgent_until: notice.urgent_until_ms,
            corrected_at: notice.corrected_at_ms,
            withdrawn: notice.is_withdrawn(),
            waits: false,
        }
    }
}
