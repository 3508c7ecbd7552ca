//! The teams, as much of them as a role may see.

use std::collections::HashMap;

use axum::extract::State;
use flagship_game::board::Board;
use flagship_game::{Contest, Viewer, view};
use flagship_store::addresses::{self, Listed};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::organizers::acts::ListTeams;
use crate::node::state::App;

/// Most teams of an answer.
const TEAMS_MAX: usize = 200;

/// Which teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TeamsQuery {
    /// A part of the name, or of the address for who sees addresses.
    #[serde(default)]
    q: String,
    /// `public` shows what players see.
    #[serde(default)]
    view: String,
}

/// The teams.
#[derive(Serialize, ToSchema)]
pub struct Teams {
    /// By rank, then those without one by name; at most 200.
    teams: Vec<Team>,
    /// How many there are.
    total: usize,
}

/// A team. What the caller may not see is null.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Team {
    /// Its name.
    team_name: String,
    /// Its country, as two letters.
    country: String,
    /// Its place, with what the freeze hides.
    truth: Option<Place>,
    /// Its place as everybody sees it.
    public: Option<Place>,
    /// `plays`, `hidden`, `banned` or `unconfirmed`.
    standing: Option<&'static str>,
    /// Where its mails go.
    email: Option<String>,
    /// Where they will go, unless the address before stops that.
    new_email: Option<String>,
}

/// A place on a board.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct Place {
    /// Counted from 1.
    pub rank: usize,
    /// Its points.
    pub points: i64,
}

/// Lists the teams.
#[utoipa::path(get, path = "/teams", tag = "organizers", operation_id = "organizer_teams",
    params(TeamsQuery),
    responses((status = 200, body = Teams), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListTeams>,
    Query(query): Query<TeamsQuery>,
) -> Result<axum::Json<Teams>, ApiError> {
    let is_public = match query.view.as_str() {
        "" => false,
        "public" => true,
        _ => return Err(ApiError::WRONG_SHAPE),
    };
    let sees_addresses = by.who.sees_addresses() && !is_public;
    let _view = app.organizers.views.acquire().await.expect("it is never closed");
    let accounts = match sees_addresses {
        true => Some(addresses::list(&app.db).await?),
        false => None,
    };
    let contest = app.contest();
    let truth = (!is_public && by.who.sees_truth()).then_some(Viewer::Organizer);
    // The boards of a large event take some milliseconds.
    let teams = tokio::task::spawn_blocking(move || teams(&contest, truth, accounts.as_deref()));
    let mut teams = teams.await.map_err(|_| ApiError::INTERNAL)?;
    let part = query.q.to_lowercase();
    let has_part = |text: &str| text.to_lowercase().contains(&part);
    teams.retain(|it| has_part(&it.team_name) || it.email.as_deref().is_some_and(has_part));
    let total = teams.len();
    teams.truncate(TEAMS_MAX);
    Ok(axum::Json(Teams { teams, total }))
}

fn teams(contest: &Contest, truth: Option<Viewer>, accounts: Option<&[Listed]>) -> Vec<Team> {
    let public = view::board(contest, Viewer::Public);
    let places = |board: &Board| -> HashMap<String, Place> {
        let ranked = board.rows().zip(1..);
        ranked
            .map(|(row, rank)| (row.name().to_owned(), Place { rank, points: row.points() }))
            .collect()
    };
    let truth = truth.map(|viewer| view::board(contest, viewer));
    let of_truth = truth.as_ref().map(places).unwrap_or_default();
    let of_public = places(&public);
    let listed = accounts.unwrap_or_default();
    let of_account: HashMap<&str, &Listed> =
        listed.iter().map(|it| (it.name.as_str(), it)).collect();
    let ranked = truth.as_ref().unwrap_or(&public).rows();
    let mut teams: Vec<Team> = ranked
        .map(|row| Team {
            truth: of_truth.get(row.name()).copied(),
            public: of_public.get(row.name()).copied(),
            standing: accounts.map(|_| "plays"),
            email: of_account.get(row.name()).map(|it| it.email.clone()),
            new_email: of_account.get(row.name()).and_then(|it| it.new_email.clone()),
            team_name: row.name().to_owned(),
            country: row.country().to_owned(),
        })
        .collect();
    let mut others: Vec<Team> = listed
        .iter()
        .filter(|it| !of_public.contains_key(&it.name))
        .map(|it| Team {
            truth: None,
            public: None,
            standing: Some(standing(contest, it)),
            email: Some(it.email.clone()),
            new_email: it.new_email.clone(),
            team_name: it.name.clone(),
            country: it.country.clone(),
        })
        .collect();
    others.sort_by(|a, b| a.team_name.cmp(&b.team_name));
    teams.append(&mut others);
    teams
}

fn standing(contest: &Contest, account: &Listed) -> &'static str {
    match contest.team_named(&account.name) {
        Some(team) if team.banned => "banned",
        Some(team) if team.hidden => "hidden",
        Some(_) => "plays",
        None => "unconfirmed",
    }
}
