//! A team and its activity, limited to what the role may see.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::Authorized;
use super::blocking::blocking;
use super::cursor;
use super::teams;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::ReadScope;
use crate::node::lists::boards::Seen;
use crate::node::lists::story::{self, PAGE_MAX, Page, StoryLine};
use crate::node::lists::teams::{self as of_teams, Team};
use crate::node::organizers::permissions::ListTeams;
use crate::node::state::App;

/// List name in cursors.
const LIST: &str = "story";

/// Page and view of a team's activity.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StoryQuery {
    /// Value of `next` on the previous page.
    before: Option<String>,
    /// `public` shows the public view.
    #[serde(default)]
    view: String,
}

/// A team and its activity.
#[derive(Serialize, ToSchema)]
pub struct Story {
    /// The team.
    team: Team,
    /// At most 100 entries, newest first.
    story: Vec<StoryLine>,
    /// Value of `before` for the next page; null on the last one.
    next: Option<String>,
}

/// Returns a team's activity: signup, emails, logins, downloads, submissions, questions and
/// actions.
#[utoipa::path(get, path = "/teams/{name}", operation_id = "organizer_team",
    params(("name" = String, Path,
            description = "Current or former name of the team, percent-encoded"),
        StoryQuery), responses((status = 200, body = Story)))]
pub async fn story(
    State(app): State<App>,
    caller: Authorized<ListTeams>,
    name: Result<Path<String>, PathRejection>,
    Query(query): Query<StoryQuery>,
) -> Result<axum::Json<Story>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let sight = teams::sight(&caller.who, &query.view)?;
    let key = &app.config().key;
    let before = query.before.map(|it| cursor::open(key, LIST, &it)).transpose()?;
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let team = team(&app, &sight, name).await?;
    let id = team.id.ok_or(ApiError::NO_TEAM)?;
    let query = story::Query { id, before, count_max: PAGE_MAX };
    let Page { lines, next } = story::page(app.db(), || app.contest(), &sight, query).await?;
    Ok(axum::Json(Story {
        team,
        story: lines,
        next: next.map(|place| cursor::seal(key, LIST, place)),
    }))
}

/// Finds a team by its current or a former name.
async fn team(app: &App, sight: &ReadScope, name: String) -> Result<Team, ApiError> {
    let contest = app.contest();
    let former = contest.team_formerly(&name).filter(|_| sight.addresses);
    let known = contest.team_named(&name).or(former);
    let name = known.map_or(name, |team| team.name.to_string());
    let accounts = of_teams::Accounts::read(app.db(), sight, &of_teams::Query::default()).await?;
    let seen = Seen::new(&app.board.feed, sight.truth).await?;
    let of = sight.clone();
    let found = blocking(move || of_teams::one(&seen.boards(of.truth), &accounts, &of, &name));
    let mut team = found.await?.ok_or(ApiError::NO_TEAM)?;
    of_teams::add_contacts(app.db(), &app.organizers.seal, sight, std::slice::from_mut(&mut team))
        .await?;
    Ok(team)
}
