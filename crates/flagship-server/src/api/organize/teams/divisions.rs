//! The divisions of the event, for organizers.

use axum::extract::State;
use flagship_game::division::DivisionRules;
use flagship_store::desk::divisions;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::auth::Authorized;
use super::{ViewQuery, sight};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::organizers::permissions::ListTeams;
use crate::node::state::App;

/// The divisions of the event.
#[derive(Serialize, ToSchema)]
pub struct Divisions {
    /// All divisions that the reader can see, in the order of `event.toml`. Private ones require
    /// access to email addresses.
    divisions: Vec<ListedDivision>,
}

/// A division. Its code is only in `event.toml`.
#[derive(Serialize, ToSchema)]
struct ListedDivision {
    id: String,
    name: String,
    /// Name of the group: a team is in at most one division of each group.
    group: String,
    /// `open`, `code`, `domain` or `organizers`.
    join: &'static str,
    /// Domains of the email addresses of teams that can join; null if the reader cannot see
    /// addresses.
    domains: Option<Vec<String>>,
    /// True if only organizers see the division.
    private: bool,
    /// True if the student checkbox of the signup form stands for the division.
    student: bool,
    /// Number of teams, including unconfirmed ones; null if the reader cannot see addresses.
    teams: Option<usize>,
}

/// Returns all divisions, also private ones if the reader can see email addresses.
#[utoipa::path(get, path = "/divisions", operation_id = "organizer_divisions", params(ViewQuery),
    responses((status = 200, body = Divisions)))]
pub async fn divisions(
    State(app): State<App>,
    caller: Authorized<ListTeams>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Divisions>, ApiError> {
    let sight = sight(&caller.who, &query.view)?;
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let (rules, counts) =
        divisions::with_counts(app.db(), &app.organizers.seal, &app.contest()).await?;
    let listed = |rules: DivisionRules| ListedDivision {
        teams: sight.addresses.then(|| counts.get(rules.id()).copied().unwrap_or_default()),
        id: rules.division.id.to_string(),
        name: rules.division.name,
        group: rules.division.group,
        join: rules.division.join.as_str(),
        domains: sight.addresses.then_some(rules.domains),
        private: rules.private,
        student: rules.division.student,
    };
    let visible = rules.into_iter().filter(|it| !it.private || sight.addresses);
    Ok(axum::Json(Divisions { divisions: visible.map(listed).collect() }))
}
