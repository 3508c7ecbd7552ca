//! What organizers read to answer teams.

use axum::extract::State;
use flagship_game::ChallengeId;
use flagship_game::contest::Notice;
use flagship_store::desk::notices::{self, Due};
use flagship_store::desk::questions::{self, Asked};
use serde::Serialize;
use utoipa::ToSchema;

use super::by::By;
use crate::api::error::ApiError;
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
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeamQuestion)]
struct Question {
    /// Its id.
    id: i64,
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
#[utoipa::path(get, path = "/questions", operation_id = "organizer_questions",
    responses((status = 200, body = Questions)))]
pub async fn list_questions(
    State(app): State<App>,
    by: By<ListQuestions>,
) -> Result<axum::Json<Questions>, ApiError> {
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let all = questions::all(app.db()).await?.into_iter();
    let seen = all.filter(|it| by.who.sees_question(it));
    let questions = seen.map(|Asked { row, team }| Question {
        id: row.id,
        at: row.at_ms,
        team_name: team,
        challenge_id: row.challenge_id,
        text: row.text,
        state: row.state,
        answer: row.answer,
        answered_at: row.answered_at_ms,
    });
    Ok(axum::Json(Questions { questions: questions.collect() }))
}

/// Notices, as organizers see them.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedNotices)]
pub struct Notices {
    /// Those that wait, then the others, the newest first.
    notices: Vec<Listed>,
}

/// A notice. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    /// Its id.
    id: i64,
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
    withdrawn: bool,
    /// Whether it waits for its time.
    waits: bool,
}

/// Lists notices, those that wait for their time too.
#[utoipa::path(get, path = "/notices", operation_id = "organizer_notices",
    responses((status = 200, body = Notices)))]
pub async fn list_notices(
    State(app): State<App>,
    by: By<ListNotices>,
) -> Result<axum::Json<Notices>, ApiError> {
    let waiting = notices::waiting(app.db()).await?;
    let contest = app.contest();
    let is_known = |id: &String| {
        ChallengeId::parse(id).is_ok_and(|id| by.who.may_edit(&id) || contest.is_seen(&id))
    };
    let posted = contest.notices().rev().map(|notice| Listed::from(&**notice));
    let all = waiting.into_iter().map(Listed::from).chain(posted);
    let notices =
        all.map(|notice| Listed { challenge_id: notice.challenge_id.filter(is_known), ..notice });
    Ok(axum::Json(Notices { notices: notices.collect() }))
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
