//! Testing a flag without submitting it.

use axum::extract::State;
use flagship_game::ChallengeId;
use flagship_store::wrong_flags::{self, NearMiss, TextUsage};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::Json;
use crate::api::play::normalized_flag;
use crate::node::flags::SubmittedFlag;
use crate::node::organizers::permissions::TryFlag;
use crate::node::state::App;

/// A flag to test.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Challenge ID. The challenge may be hidden from players.
    challenge: String,
    /// Flag of at most 256 characters after trimming.
    flag: String,
}

/// Result of testing a flag.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// True if the flag is correct.
    correct: bool,
    /// Number of the challenge's flag that accepts it, starting at 1; null if the flag is
    /// incorrect.
    by: Option<usize>,
    /// Name of the team, if the flag is correct only for that team; null also if the role cannot
    /// see the team.
    of_team: Option<String>,
    /// Kind of near miss for an incorrect flag, as in the list of submissions; null if it is not a
    /// near miss.
    near: Option<&'static str>,
    /// Number of teams that submitted this exact incorrect flag; null if the caller may not see it
    /// now.
    sent_by: Option<i64>,
    /// Time of the first such submission, in epoch milliseconds.
    since: Option<i64>,
}

/// Tests a flag. Nothing is counted or recorded.
#[utoipa::path(post, path = "/flags/try", operation_id = "organizer_try_flag",
    responses((status = 200, body = Tried)))]
pub async fn attempt(
    State(app): State<App>,
    caller: Authorized<TryFlag>,
    Json(trial): Json<Trial>,
) -> Result<axum::Json<Tried>, ApiError> {
    let flag = normalized_flag(&trial.flag)?;
    let id = ChallengeId::parse(&trial.challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
    if !caller.who.may_edit(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    app.judging.flags.follow().await?;
    app.judging.flags.follow_near().await?;
    let sent = SubmittedFlag::new(&app.config().key, &id, &flag, None);
    let accepted = app.judging.flags.load().accepts(&sent, None).ok_or(ApiError::NO_CHALLENGE)?;
    let near = match accepted {
        Some(_) => None,
        None => sent.near_miss(&app.config().key, &app.judging.flags.near.load(), None).near,
    };
    // `Elsewhere` would reveal flags of other authors' challenges to an author.
    let is_authors = caller.who.only_challenges().is_some();
    let near = near.filter(|near| !is_authors || *near != NearMiss::Elsewhere);
    let contest = app.contest();
    let of_team = accepted.as_ref().and_then(|it| contest.team(it.of_team?));
    let of_team = of_team.filter(|team| caller.who.runs_the_contest() || team.counts());
    let is_hidden = contest.hides_new_solves(app.now_ms());
    let known = match is_hidden && !caller.who.runs_the_contest() {
        true => None,
        false => Some(wrong_flags::text_usage(app.db(), &id, &sent.digest).await?),
    };
    Ok(axum::Json(Tried {
        correct: accepted.is_some(),
        by: accepted.map(|it| it.number),
        of_team: of_team.map(|team| team.name.to_string()),
        near: near.map(NearMiss::as_str),
        sent_by: known.map(|TextUsage { teams, .. }| teams),
        since: known.and_then(|TextUsage { since_ms, .. }| since_ms),
    }))
}
