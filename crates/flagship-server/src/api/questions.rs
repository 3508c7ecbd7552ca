//! A team's questions and the organizers' messages to it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use flagship_game::ChallengeId;
use flagship_store::desk::questions;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract;
use crate::node::accounts::Accounts;
use crate::node::sessions::Team;

/// Maximum length of a question, in characters.
const TEXT_MAX: usize = 1_000;

/// A question to the organizers.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Text of the question, at most 1000 characters.
    text: String,
    /// ID of the challenge that the question is about.
    challenge_id: Option<String>,
}

/// An accepted question.
#[derive(Serialize, ToSchema)]
pub struct Asked {
    /// Question ID.
    id: i64,
}

/// The team's questions.
#[derive(Serialize, ToSchema)]
pub struct Questions {
    /// At most 200 questions, newest first.
    questions: Vec<Own>,
}

/// A question from the team, or a message from the organizers. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Own {
    /// Question ID.
    id: i64,
    /// Time of the question.
    at: i64,
    /// Text of the question; empty for a message from the organizers.
    text: String,
    /// True for a message from the organizers. Its text is in `answer`.
    from_organizers: bool,
    /// ID of the challenge that the question is about.
    challenge_id: Option<String>,
    /// `open`, `answered` or `closed`.
    state: String,
    /// The organizers' answer, as plain text.
    answer: Option<String>,
    /// Time of the answer.
    answered_at: Option<i64>,
}

/// Sends a question to the organizers. A team can have at most three open questions.
#[utoipa::path(post, path = "/question", tag = "play",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 201, body = Asked), (status = 404), (status = 429)))]
pub async fn ask(
    State(accounts): extract::Part<Accounts>,
    team: Result<Team, ApiError>,
    extract::Json(question): extract::Json<Question>,
) -> Result<(StatusCode, Json<Asked>), ApiError> {
    let team = team?.id;
    let text = question.text.trim();
    if text.is_empty() || text.chars().count() > TEXT_MAX || text.contains('\0') {
        return Err(ApiError::TEXT);
    }
    let challenge = match question.challenge_id.as_deref() {
        Some(id) => {
            let id = ChallengeId::parse(id).map_err(|_| ApiError::NO_CHALLENGE)?;
            let is_seen = accounts.feed.team_contest(team).is_seen(&id);
            Some(is_seen.then_some(id).ok_or(ApiError::NO_CHALLENGE)?)
        }
        None => None,
    };
    let _reading = accounts.own_reads.acquire().await.expect("it is never closed");
    let now_ms = accounts.clock.now_ms();
    let id = questions::ask(&accounts.db, team.0, challenge.as_ref(), text, now_ms).await?;
    let id = id.ok_or(ApiError::QUESTIONS)?;
    Ok((StatusCode::CREATED, Json(Asked { id })))
}

/// Returns the team's questions with their answers, and messages from the organizers.
#[utoipa::path(get, path = "/questions", tag = "play",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Questions)))]
pub async fn own(
    State(accounts): extract::Part<Accounts>,
    team: Team,
) -> Result<Json<Questions>, ApiError> {
    let _reading = accounts.own_reads.acquire().await.expect("it is never closed");
    let rows = questions::of_team(&accounts.db, team.id.0).await?.into_iter();
    let questions = rows.map(|row| Own {
        id: row.id,
        at: row.at_ms,
        from_organizers: row.text.is_empty(),
        text: row.text,
        challenge_id: row.challenge_id,
        state: row.state,
        answer: row.answer,
        answered_at: row.answered_at_ms,
    });
    Ok(Json(Questions { questions: questions.collect() }))
}
