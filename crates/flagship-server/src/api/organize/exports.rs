//! Lists as CSV, JSON or spreadsheet files, limited to what a role may see.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use flagship_game::{Board, ChallengeId, Phase};
use serde::Deserialize;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Content, RefOr, Response as ResponseSchema, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses};

use super::auth::{self, Authorized};
use super::blocking::blocking;
use super::challenges;
use super::evidence::{self as pairs, EvidenceQuery};
use super::overview;
use super::submissions::{self, FlagsQuery};
use super::teams::{self, TeamsQuery, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::QueryParts;
use crate::node::lists::boards::Seen;
use crate::node::lists::evidence as of_evidence;
use crate::node::lists::journal as of_journal;
use crate::node::lists::results::{self as of_results, Teams};
use crate::node::lists::sheet::xlsx;
use crate::node::lists::table::{Table, utc};
use crate::node::lists::{challenges as of_challenges, flags as of_flags, teams as of_teams};
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::{
    ExportAddresses, ExportLists, ListEvidence, ListFlags, Permission, ReadChallenge,
};
use crate::node::state::App;

/// Media type of a spreadsheet.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Byte order mark at the start of a CSV file for spreadsheets.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Format of an export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// Format of the file: `csv`, `json` or `xlsx`.
    #[serde(default)]
    #[param(value_type = String)]
    format: Format,
}

/// Private data in an export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AddressesQuery {
    /// True to include email addresses.
    #[serde(default)]
    addresses: bool,
}

/// Options for the winners export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WinnersQuery {
    /// True to include email addresses.
    #[serde(default)]
    addresses: bool,
    /// Maximum number of teams; the default is 3.
    top: Option<usize>,
}

/// View and filter for result exports.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// `public` shows the public view.
    #[serde(default)]
    view: String,
    /// True to include only student teams. Requires access to email addresses.
    #[serde(default)]
    students: bool,
    /// ID of a division: only its teams, ranked among themselves. A private division requires
    /// access to email addresses.
    division: Option<String>,
}

/// Challenge of an export.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChallengeQuery {
    /// Challenge ID.
    challenge: String,
}

/// Responses of an export endpoint.
struct AsFile;

impl IntoResponses for AsFile {
    fn responses() -> BTreeMap<String, RefOr<ResponseSchema>> {
        let any = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        let rows = ArrayBuilder::new().items(any);
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let file = ResponseBuilder::new().description("The exported file");
        let file = file.content("application/json", Content::new(Some(rows)));
        let file = file.content("text/csv", Content::new(Some(text())));
        let file = file.content(XLSX, Content::new(Some(text())));
        [("200".to_owned(), file.build().into())].into()
    }
}

/// Format of a file.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
    #[default]
    #[serde(alias = "")]
    Json,
    Xlsx,
}

impl Format {
    /// Returns the headers for the media type and the file name.
    fn headers(self, name: &'static str) -> [(header::HeaderName, String); 2] {
        let (kind, end) = match self {
            Self::Csv => ("text/csv; charset=utf-8", "csv"),
            Self::Json => ("application/json", "json"),
            Self::Xlsx => (XLSX, "xlsx"),
        };
        let name = format!("attachment; filename=\"{name}.{end}\"");
        [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)]
    }
}

/// An export request by an organizer authorized for `A`.
pub struct Export<A> {
    app: App,
    caller: Authorized<A>,
    format: Format,
    /// Remaining parts of the query.
    query: QueryParts,
}

impl<A: Permission> FromRequestParts<App> for Export<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let caller = Authorized::from_request_parts(parts, app).await?;
        let mut query = QueryParts::from_request_parts(parts, app).await?;
        let FileQuery { format } = query.take(&["format"])?;
        Ok(Self { app: app.clone(), caller, format, query })
    }
}

/// Renders a table as a file.
async fn file(format: Format, name: &'static str, table: Table) -> Result<Response, ApiError> {
    let written = blocking(move || -> std::io::Result<Vec<u8>> {
        match format {
            Format::Json => Ok(serde_json::to_vec(&table.into_json())?),
            Format::Xlsx => xlsx(&table),
            Format::Csv => {
                // Excel reads CSV as UTF-8 only if it starts with a byte order mark.
                let mut csv = BYTE_ORDER_MARK.to_vec();
                table.write_csv(&mut csv)?;
                Ok(csv)
            }
        }
    });
    let bytes = written.await?.map_err(|_| ApiError::INTERNAL)?;
    Ok((format.headers(name), bytes).into_response())
}

/// Exports all or selected teams. Owners who recently passed two-factor authentication can include
/// email addresses.
#[utoipa::path(get, path = "/exports/teams", operation_id = "organizer_export_teams",
    params(FileQuery, AddressesQuery, TeamsQuery), responses(AsFile, (status = 422)))]
pub async fn teams(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, caller, format, mut query } = export;
    let AddressesQuery { addresses } = query.take(&["addresses"])?;
    let query: TeamsQuery = query.rest()?;
    let sight = teams::sight(&caller.who, &query.view)?;
    let query = query.read(&app, &sight).await?;
    check_addresses(&caller.who, addresses, "teams")?;
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let page = teams::page(&app, caller.who.organizer.id, &sight, query, usize::MAX).await?;
    file(format, "teams", of_teams::table(&page.teams, &sight, addresses, utc)).await
}

/// Exports the challenges.
#[utoipa::path(get, path = "/exports/challenges", operation_id = "organizer_export_challenges",
    params(FileQuery, ViewQuery), responses(AsFile, (status = 422)))]
pub async fn challenges(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, caller, format, query } = export;
    let ViewQuery { view } = query.rest()?;
    let sight = teams::sight(&caller.who, &view)?;
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let listed =
        challenges::visible_challenges(&app, caller.who.organizer.id, sight.clone()).await?;
    file(format, "challenges", of_challenges::table(&listed, &sight, utc)).await
}

/// Exports all or selected submissions, newest first.
#[utoipa::path(get, path = "/exports/flags", operation_id = "organizer_export_flags",
    params(FileQuery, FlagsQuery), responses(AsFile, (status = 422)))]
pub async fn flags(export: Export<ListFlags>) -> Result<Response, ApiError> {
    let Export { app, caller, format, query } = export;
    let query: FlagsQuery = query.rest()?;
    let sight = teams::sight(&caller.who, &query.view)?;
    let query = query.read(&app, &sight)?;
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let page = submissions::page(&app, sight.clone(), query, usize::MAX).await?;
    file(format, "flags", of_flags::table(&page.flags, &sight, utc)).await
}

/// Exports the overview, with one row per figure and per warning.
#[utoipa::path(get, path = "/exports/overview", operation_id = "organizer_export_overview",
    params(FileQuery, ViewQuery), responses(AsFile, (status = 422)))]
pub async fn overview(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, caller, format, query } = export;
    let ViewQuery { view } = query.rest()?;
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let read = overview::read(&app, &caller.who, &view).await?;
    file(format, "overview", read.table()).await
}

/// Exports the evidence, with one row per signal.
#[utoipa::path(get, path = "/exports/evidence", operation_id = "organizer_export_evidence",
    params(FileQuery, EvidenceQuery), responses(AsFile, (status = 422)))]
pub async fn evidence(export: Export<ListEvidence>) -> Result<Response, ApiError> {
    let Export { app, caller, format, query } = export;
    let EvidenceQuery { view } = query.rest()?;
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let found = pairs::read(&app, &view).await?;
    file(format, "evidence", of_evidence::table(&found.pairs, utc)).await
}

/// Rejects a request for email addresses without permission, and logs a permitted one.
fn check_addresses(
    who: &SignedInOrganizer,
    asked: bool,
    list: &'static str,
) -> Result<(), ApiError> {
    if asked {
        auth::check(who, &ExportAddresses::RULE)?;
        tracing::warn!(organizer = who.organizer.name, "email addresses of {list} exported");
    }
    Ok(())
}

/// Renders a file of results.
async fn results(
    Export { app, caller, format, query }: Export<ExportLists>,
    name: &'static str,
    table: impl FnOnce(&Board, &Teams) -> Table + Send + 'static,
) -> Result<Response, ApiError> {
    let ResultsQuery { view, students, division } = query.rest()?;
    let sight = teams::sight(&caller.who, &view)?;
    // The filter reveals which teams are student teams.
    if students && !sight.addresses {
        return Err(ApiError::NOT_FOUND);
    }
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let seen = Seen::new(&app.board.feed, sight.truth).await?;
    let all = Teams::read(app.db(), &app.organizers.seal, &seen.contest, students).await?;
    let teams = match division {
        None => all,
        Some(id) => all.only(teams::members_of(&app, &sight, &id).await?),
    };
    let table = blocking(move || {
        let boards = seen.boards(sight.truth);
        table(boards.truth.unwrap_or(boards.public), &teams)
    });
    file(format, name, table.await?).await
}

/// Exports the scoreboard.
#[utoipa::path(get, path = "/exports/standings", operation_id = "organizer_export_standings",
    params(FileQuery, ResultsQuery), responses(AsFile, (status = 422)))]
pub async fn standings(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let table = |board: &Board, teams: &Teams| of_results::standings(board, teams, None);
    results(export, "standings", table).await
}

/// Exports every solve.
#[utoipa::path(get, path = "/exports/solves", operation_id = "organizer_export_solves",
    params(FileQuery, ResultsQuery), responses(AsFile, (status = 422)))]
pub async fn solves(export: Export<ExportLists>) -> Result<Response, ApiError> {
    results(export, "solves", of_results::solves).await
}

/// Exports the top teams that have scored, three by default. Owners who recently passed two-factor
/// authentication can include email addresses.
#[utoipa::path(get, path = "/exports/winners", operation_id = "organizer_export_winners",
    params(FileQuery, WinnersQuery, ResultsQuery), responses(AsFile, (status = 422)))]
pub async fn winners(mut export: Export<ExportLists>) -> Result<Response, ApiError> {
    let WinnersQuery { addresses, top } = export.query.take(&["addresses", "top"])?;
    check_addresses(&export.caller.who, addresses, "winners")?;
    let table =
        move |board: &Board, teams: &Teams| of_results::winners(board, teams, top, addresses);
    results(export, "winners", table).await
}

/// Exports the flag of each team for a challenge with per-team flags. Authors can export those of
/// their own challenges.
#[utoipa::path(get, path = "/exports/team-flags", operation_id = "organizer_export_team_flags",
    params(FileQuery, ChallengeQuery), responses(AsFile, (status = 422)))]
pub async fn team_flags(export: Export<ReadChallenge>) -> Result<Response, ApiError> {
    let Export { app, caller, format, query } = export;
    let ChallengeQuery { challenge } = query.rest()?;
    let who = &caller.who;
    let id = ChallengeId::parse(&challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
    if !who.may_edit(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    let _export = app.organizers.exports.take(who.organizer.id).await;
    let (_, drafts) = app.organizers.seal.drafts(app.db()).await?;
    let draft = drafts.into_iter().find(|draft| draft.challenge.id == id);
    let draft = draft.ok_or(ApiError::NO_CHALLENGE)?;
    let contest = app.contest();
    // Authors see only the teams of the scoreboard.
    let teams = contest.teams().filter(|team| who.runs_the_contest() || team.counts());
    let table = of_flags::of_teams(&draft, teams, &app.config().key);
    file(format, "team-flags", table).await
}

/// Exports the public journal. It is available only after the end and the reveal.
#[utoipa::path(get, path = "/exports/journal", operation_id = "organizer_export_journal",
    responses(AsFile, (status = 422)))]
pub async fn journal(
    State(app): State<App>,
    caller: Authorized<ExportLists>,
) -> Result<Response, ApiError> {
    // Checked against the state in memory first, before all rows of the journal are read.
    let contest = app.contest();
    if !contest.reached(Phase::End) || contest.hides_new_solves(app.now_ms()) {
        return Err(ApiError::NOT_FOUND);
    }
    let _export = app.organizers.exports.take(caller.who.organizer.id).await;
    let published =
        of_journal::published(app.db(), app.board.feed.generation(), &app.organizers.seal).await?;
    let published = published.ok_or(ApiError::NOT_FOUND)?;
    let written = blocking(move || serde_json::to_vec(&published)).await?;
    let bytes = written.map_err(|_| ApiError::INTERNAL)?;
    Ok((Format::Json.headers("journal"), bytes).into_response())
}
