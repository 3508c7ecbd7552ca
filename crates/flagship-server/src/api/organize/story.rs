//! A team and its story, as much of it as a role may see.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::{self, By};
use super::cursor;
use super::submissions;
use super::teams;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists::boards::Seen;
use crate::node::lists::story::{self, PAGE_MAX, Page, Sight, StoryLine};
use crate::node::lists::teams::{self as of_teams, Team};
use crate::node::lists::{Sight as TeamSight, flags};
use crate::node::organizers::Who;
use crate::node::organizers::permissions::{
    ListActions, ListFlags, ListQuestions, ListTeams, Permission,
};
use crate::node::state::App;

/// What cursors are of.
const LIST: &str = "story";

/// Which part of the story.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StoryQuery {
    /// The `next` of the page before.
    before: Option<String>,
    /// `public` shows what players see.
    #[serde(default)]
    view: String,
}

/// A team and what happened to it.
#[derive(Serialize, ToSchema)]
pub struct Story {
    /// The team.
    team: Team,
    /// At most 100 lines, the newest first.
    story: Vec<StoryLine>,
    /// The `before` of the next page; null on the last one.
    next: Option<String>,
}

/// Tells what happened to a team: signup, mails, logins, downloads, flags, questions and actions.
#[utoipa::path(get, path = "/teams/{name}", tag = "organizers", operation_id = "organizer_team",
    params(("name" = String, Path,
            description = "The team's exact name, percent-encoded, or one that it had before"),
        StoryQuery),
    responses((status = 200, body = Story), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn story(
    State(app): State<App>,
    by: By<ListTeams>,
    name: Result<Path<String>, PathRejection>,
    Query(query): Query<StoryQuery>,
) -> Result<axum::Json<Story>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let of_team = teams::sight(&by.who, &query.view)?;
    let sight = sight(&by.who, &query.view)?;
    let key = &app.config().key;
    let before = query.before.map(|it| cursor::open(key, LIST, &it)).transpose()?;
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let (team, id) = team(&app, of_team, name).await?;
    let query = story::Query { id, before, count_max: PAGE_MAX };
    let Page { lines, next } = story::page(app.db(), || app.contest(), &sight, query).await?;
    Ok(axum::Json(Story {
        team,
        story: lines,
        next: next.map(|place| cursor::seal(key, LIST, place)),
    }))
}

/// What `view` leaves of what somebody sees. Each part has the rule of the list that it is from.
fn sight(who: &Who, view: &str) -> Result<Sight, ApiError> {
    let of_flags = submissions::sight(who, view)?;
    if view == "public" {
        return Ok(Sight::public());
    }
    let may = |rule| by::check(who, rule).is_ok();
    Ok(Sight {
        addresses: who.sees_addresses(),
        networks: who.sees_networks(),
        flags: if may(&ListFlags::RULE) { of_flags } else { flags::Sight::PUBLIC },
        actions: if may(&ListActions::RULE) { who.actions() } else { Vec::new() },
        language: who.language,
        questions: may(&ListQuestions::RULE).then(|| who.only_about()),
    })
}

/// The team with a name, or that had it, and the id of its account.
async fn team(app: &App, sight: TeamSight, name: String) -> Result<(Team, i64), ApiError> {
    let contest = app.contest();
    let former = contest.team_formerly(&name).filter(|_| sight.addresses);
    let known = contest.team_named(&name).or(former);
    let name = known.map_or(name, |team| team.name.to_string());
    let accounts = of_teams::Accounts::read(app.db(), sight, &of_teams::Query::default()).await?;
    let seen = Seen::new(&app.board.feed, sight).await?;
    // Looking through many teams takes some milliseconds.
    let looking = tokio::task::spawn_blocking(move || {
        of_teams::one(&seen.boards(sight), &accounts, sight, &name)
    });
    let found = looking.await.map_err(|_| ApiError::INTERNAL)?;
    let (page, ids) = found.ok_or(ApiError::NO_TEAM)?;
    let page = match sight.addresses {
        true => page.with_contacts(app.db(), &ids).await?,
        false => page,
    };
    let team = page.teams.into_iter().next();
    team.zip(ids[0]).ok_or(ApiError::NO_TEAM)
}
