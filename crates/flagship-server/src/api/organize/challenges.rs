//! The challenges and how they are doing, as much of them as a role may see.

use std::sync::Arc;

use axum::extract::State;
use flagship_game::StatusKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::acts::shown;
use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists;
use crate::node::lists::boards::Seen;
use crate::node::lists::challenges::{self, Counts, Listed, Sight};
use crate::node::organizers::Who;
use crate::node::organizers::acts::ListChallenges;
use crate::node::state::App;

/// How the challenges are shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChallengesQuery {
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
}

/// The challenges.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedChallenges)]
pub struct Challenges {
    /// In the order of the site, then those that players do not see, in the same order.
    challenges: Vec<ListedChallenge>,
}

/// A challenge. What the caller may not see is null. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedChallenge {
    /// Its id.
    id: String,
    /// Its name.
    challenge_name: String,
    /// Its categories.
    categories: Vec<String>,
    /// `shown`, `from_start`, `waits` (for a challenge that it requires), `timed` or `hidden`.
    state: &'static str,
    /// When it is released, if that is to come.
    releases_at: Option<i64>,
    /// When it closes.
    closes_at: Option<i64>,
    /// How organizers say it is.
    #[schema(value_type = String)]
    status: StatusKind,
    /// One line about that.
    status_note: String,
    /// What a solve is worth now, without an extra for early ones.
    value: i64,
    /// How many teams solved it.
    solves: usize,
    /// When the first one did.
    first_solve_at: Option<i64>,
    /// How many flags were judged: wrong ones, and one for each solve.
    tries: Option<i64>,
    /// How many teams sent one.
    tried_by: Option<usize>,
    /// Wrong flags of the last hour.
    wrong_last_hour: Option<i64>,
    /// The median time to a solve from its release, or from the start if that was later, in
    /// milliseconds; null without a solve.
    median_ms: Option<i64>,
    /// How many teams sent wrong flags and no right one.
    stuck: Option<usize>,
    /// Those of them that sent the most, at most 5; for who may edit it.
    stuck_teams: Option<Vec<StuckTeam>>,
    /// How many flags it has; for who may edit it.
    flags: Option<usize>,
    /// What `flagship check` finds in its text; for who may edit it.
    problems: Option<Vec<schema::Found>>,
    /// The ids of the challenges that it requires; for who may edit it.
    requirements: Option<Vec<String>>,
    /// Who changed it since files were applied; for who may edit it.
    changed_by: Option<String>,
    /// When.
    changed_at: Option<i64>,
}

/// A team that sent wrong flags and no right one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StuckTeam {
    /// Its name.
    team_name: String,
    /// How many wrong flags it sent.
    tries: i64,
    /// When it sent the last one.
    last_at: i64,
}

/// What `view` leaves of what somebody sees.
pub fn sight(who: &Who, view: &str) -> Result<Sight, ApiError> {
    match view {
        "" => Ok(Sight {
            truth: who.sees_truth(),
            seen: who.sees_challenges(),
            counts: true,
            notes: who.sees_addresses(),
            own: who.only_challenges(),
        }),
        "public" => Ok(Sight::public()),
        _ => Err(ApiError::WRONG_SHAPE),
    }
}

/// Lists the challenges: how they are doing, who is stuck, and what is wrong with their text.
#[utoipa::path(get, path = "/challenges", tag = "organizers",
    operation_id = "organizer_challenges", params(ChallengesQuery),
    responses((status = 200, body = Challenges), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListChallenges>,
    Query(query): Query<ChallengesQuery>,
) -> Result<axum::Json<Challenges>, ApiError> {
    let sight = sight(&by.who, &query.view)?;
    let listed = listed(&app, by.who.organizer.id, sight).await?;
    let challenges = listed.into_iter().map(ListedChallenge::from).collect();
    Ok(axum::Json(Challenges { challenges }))
}

/// The challenges that the organizer with the id `reader` sees.
pub async fn listed(app: &App, reader: i64, sight: Sight) -> Result<Vec<Listed>, ApiError> {
    let lists = &app.organizers.lists;
    // Reading all texts again takes long, and other lists do not wait for it.
    let end_ms = app.contest().event().and_then(|event| event.end_ms);
    let described = lists.drafts.read(&app.db, &app.seal, end_ms).await?;
    let _view = app.organizers.views.take(reader).await;
    let of_teams = lists::Sight { addresses: false, truth: sight.truth };
    let seen = Seen::new(&app.feed, of_teams).await?;
    let now_ms = app.clock.now_ms();
    let tries = match (sight.counts, sight.truth) {
        (false, _) => Arc::default(),
        (true, true) => lists.tries.read(&app.db, now_ms, None).await?,
        (true, false) => lists.tries.read(&app.db, now_ms, seen.contest.hidden_from_ms()).await?,
    };
    let listing = tokio::task::spawn_blocking(move || {
        challenges::list(&seen.boards(of_teams), &described, &tries, &sight, now_ms)
    });
    listing.await.map_err(|_| ApiError::INTERNAL)
}

impl From<Listed> for ListedChallenge {
    fn from(it: Listed) -> Self {
        let (status, status_note) = it.status;
        let count = |of: fn(&Counts) -> usize| it.counts.as_ref().map(of);
        let (changed_by, changed_at) = it.own.as_ref().and_then(|own| own.changed.clone()).unzip();
        let stuck_team = |it: &challenges::Stuck| StuckTeam {
            team_name: it.team.clone(),
            tries: it.tries,
            last_at: it.last_at_ms,
        };
        Self {
            id: it.id.to_string(),
            challenge_name: it.name,
            categories: it.categories,
            state: it.state.as_str(),
            releases_at: it.release_at_ms,
            closes_at: it.closes_at_ms,
            status,
            status_note,
            value: it.value,
            solves: it.solves,
            first_solve_at: it.first_at_ms,
            tries: it.counts.as_ref().map(|it| it.tries),
            tried_by: count(|it| it.tried_by),
            wrong_last_hour: it.counts.as_ref().map(|it| it.wrong_of_hour),
            median_ms: it.counts.as_ref().and_then(|it| it.median_ms),
            stuck: count(|it| it.stuck),
            stuck_teams: it.own.as_ref().map(|own| own.stuck.iter().map(stuck_team).collect()),
            flags: it.own.as_ref().map(|own| own.flags),
            requirements: it
                .own
                .as_ref()
                .map(|own| own.requirements.iter().map(ToString::to_string).collect()),
            problems: it.own.map(|own| shown(own.problems)),
            changed_by,
            changed_at,
        }
    }
}
