//! Trying a flag, which counts nowhere.

use axum::extract::State;
use flagship_game::ChallengeId;
use flagship_store::wrong_flags::{self, Near, OfText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Json;
use crate::api::play::compared;
use crate::node::flags::Sent;
use crate::node::organizers::permissions::TryFlag;
use crate::node::state::App;

/// A flag to be tried.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The challenge's id; players need not see it.
    challenge: String,
    /// The flag; at most 256 characters after trimming.
    flag: String,
}

/// What became of a flag that was tried.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// Whether it is right.
    correct: bool,
    /// Which of the challenge's flags accepts it, from 1; null if it is wrong.
    by: Option<usize>,
    /// The team whose flag it is, if it is right for one team alone; null also for a team that the
    /// role does not see.
    of_team: Option<String>,
    /// How it comes near if it is wrong, as in the list of flags; null if it does not.
    near: Option<&'static str>,
    /// How many teams sent this very text when it was wrong; null for who may not see it now.
    sent_by: Option<i64>,
    /// When the first of them did, in epoch milliseconds.
    since: Option<i64>,
}

/// Tries a flag. Nothing is counted or recorded.
#[utoipa::path(post, path = "/flags/try", operation_id = "organizer_try_flag",
    responses((status = 200, body = Tried)))]
pub async fn attempt(
    State(app): State<App>,
    by: By<TryFlag>,
    Json(trial): Json<Trial>,
) -> Result<axum::Json<Tried>, ApiError> {
    let flag = compared(&trial.flag)?;
    let id = ChallengeId::parse(&trial.challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
    if !by.who.may_edit(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    app.judging.flags.follow().await?;
    app.judging.flags.follow_near().await?;
    let sent = Sent::new(&app.config().key, &id, &flag, None);
    let accepted = app.judging.flags.load().accepts(&sent, None).ok_or(ApiError::NO_CHALLENGE)?;
    let near = match accepted {
        Some(_) => None,
        None => sent.look_near(&app.config().key, &app.judging.flags.near.load(), None).near,
    };
    // To an author it would say which texts are flags of others' challenges.
    let is_authors = by.who.only_challenges().is_some();
    let near = near.filter(|near| !is_authors || *near != Near::Elsewhere);
    let contest = app.contest();
    let of_team = accepted.as_ref().and_then(|it| contest.team(it.of_team?));
    let of_team = of_team.filter(|team| by.who.runs_the_contest() || team.counts());
    let is_hidden = contest.hides_new_solves(app.now_ms());
    let known = match is_hidden && !by.who.runs_the_contest() {
        true => None,
        false => Some(wrong_flags::of_text(app.db(), &id, &sent.digest).await?),
    };
    Ok(axum::Json(Tried {
        correct: accepted.is_some(),
        by: accepted.map(|it| it.number),
        of_team: of_team.map(|team| team.name.to_string()),
        near: near.map(Near::as_str),
        sent_by: known.map(|OfText { teams, .. }| teams),
        since: known.and_then(|OfText { since_ms, .. }| since_ms),
    }))
}
