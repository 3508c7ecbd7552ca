//! Questions and notices, as organizers read them.

use axum::extract::State;
use flagship_game::ChallengeId;
use flagship_game::contest::Notice;
use flagship_store::desk::notices::{self, ScheduledNotice};
use flagship_store::desk::questions::{self, TeamQuestion};
use serde::Serialize;
use utoipa::ToSchema;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::node::organizers::permissions::{ListNotices, ListQuestions};
use crate::node::state::App;

/// Questions of teams.
#[derive(Serialize, ToSchema)]
#[schema(as = TeamQuestions)]
pub struct Questions {
    /// At most 500 questions: open ones first, oldest to newest, then the others, newest first.
    questions: Vec<Question>,
}

/// A question of a team. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TeamQuestion)]
struct Question {
    /// Question ID.
    id: i64,
    /// Time of the question.
    at: i64,
    /// Team name.
    team_name: String,
    /// ID of the challenge that the question is about.
    challenge_id: Option<String>,
    /// Text of the question, as plain text.
    text: String,
    /// `open`, `answered` or `closed`.
    state: String,
    /// Text of the answer.
    answer: Option<String>,
    /// Time of the answer.
    answered_at: Option<i64>,
}

/// Lists the questions of teams. An author sees the ones about their own challenges.
#[utoipa::path(get, path = "/questions", operation_id = "organizer_questions",
    responses((status = 200, body = Questions)))]
pub async fn list_questions(
    State(app): State<App>,
    caller: Authorized<ListQuestions>,
) -> Result<axum::Json<Questions>, ApiError> {
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let all = questions::all(app.db()).await?.into_iter();
    let seen = all.filter(|it| caller.who.sees_question(it));
    let questions = seen.map(|TeamQuestion { row, team }| Question {
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
    /// Scheduled notices first, then the others, newest first.
    notices: Vec<Listed>,
}

/// A notice. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    /// Notice ID.
    id: i64,
    /// Time of posting, which can be in the future.
    at: i64,
    /// Title of the notice.
    title: String,
    /// Body as sanitized HTML.
    html: String,
    /// ID of the challenge that the notice is about; null if players cannot see the challenge and
    /// the caller may not edit it.
    challenge_id: Option<String>,
    /// True if the notice interrupts players.
    urgent: bool,
    /// Time at which the notice stops interrupting players; null if it interrupts until it is
    /// withdrawn.
    urgent_until: Option<i64>,
    /// Time of the last edit.
    corrected_at: Option<i64>,
    /// True if the notice was withdrawn.
    withdrawn: bool,
    /// True if the notice is scheduled and not posted yet.
    waits: bool,
}

/// Lists notices, including scheduled ones.
#[utoipa::path(get, path = "/notices", operation_id = "organizer_notices",
    responses((status = 200, body = Notices)))]
pub async fn list_notices(
    State(app): State<App>,
    caller: Authorized<ListNotices>,
) -> Result<axum::Json<Notices>, ApiError> {
    let waiting = notices::waiting(app.db()).await?;
    let contest = app.contest();
    let is_known = |id: &String| {
        ChallengeId::parse(id).is_ok_and(|id| caller.who.may_edit(&id) || contest.is_seen(&id))
    };
    let posted = contest.notices().rev().map(|notice| Listed::from(&**notice));
    let all = waiting.into_iter().map(Listed::from).chain(posted);
    let notices =
        all.map(|notice| Listed { challenge_id: notice.challenge_id.filter(is_known), ..notice });
    Ok(axum::Json(Notices { notices: notices.collect() }))
}

impl From<ScheduledNotice> for Listed {
    fn from(due: ScheduledNotice) -> Self {
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
