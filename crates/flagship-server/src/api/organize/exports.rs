//! Lists as files: CSV, JSON or a spreadsheet, with what a role may see of them.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use flagship_game::{Board, Phase};
use serde::Deserialize;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Content, RefOr, Response as Described, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses};

use super::blocking::blocking;
use super::by::{self, By};
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
use crate::node::organizers::Who;
use crate::node::organizers::permissions::{
    ExportAddresses, ExportLists, ListEvidence, ListFlags, Permission,
};
use crate::node::state::App;

/// The media type of a spreadsheet.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// What begins a CSV file for spreadsheets.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Which file.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// `csv`, `json` or `xlsx`.
    #[serde(default)]
    #[param(value_type = String)]
    format: Format,
}

/// Whether it has what only few may see.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AddressesQuery {
    /// Whether addresses are in it.
    #[serde(default)]
    addresses: bool,
}

/// Which winners, and whether with what only few may see.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WinnersQuery {
    /// Whether addresses are in it.
    #[serde(default)]
    addresses: bool,
    /// Maximum number of teams; 3 without it.
    top: Option<usize>,
}

/// Whose view of the results, and of which teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ResultsQuery {
    /// `public` shows what players see.
    #[serde(default)]
    view: String,
    /// Whether only teams made up of students are in it; for who sees addresses.
    #[serde(default)]
    students: bool,
}

/// The file of an export.
struct AsFile;

impl IntoResponses for AsFile {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        let any = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        let rows = ArrayBuilder::new().items(any);
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let file = ResponseBuilder::new().description("The file");
        let file = file.content("application/json", Content::new(Some(rows)));
        let file = file.content("text/csv", Content::new(Some(text())));
        let file = file.content(XLSX, Content::new(Some(text())));
        [("200".to_owned(), file.build().into())].into()
    }
}

/// The form of a file.
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
    /// The type of the content, and the name of the file.
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

/// A request for an export by somebody who may do `A`.
pub struct Export<A> {
    app: App,
    by: By<A>,
    format: Format,
    /// The other parts of the query.
    query: QueryParts,
}

impl<A: Permission> FromRequestParts<App> for Export<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let by = By::from_request_parts(parts, app).await?;
        let mut query = QueryParts::from_request_parts(parts, app).await?;
        let FileQuery { format } = query.take(&["format"])?;
        Ok(Self { app: app.clone(), by, format, query })
    }
}

/// A table as a file.
async fn file(format: Format, name: &'static str, table: Table) -> Result<Response, ApiError> {
    let written = blocking(move || -> std::io::Result<Vec<u8>> {
        match format {
            Format::Json => Ok(serde_json::to_vec(&table.into_json())?),
            Format::Xlsx => xlsx(&table),
            Format::Csv => {
                // Excel reads CSV as UTF-8 only with a byte order mark.
                let mut csv = BYTE_ORDER_MARK.to_vec();
                table.write_csv(&mut csv)?;
                Ok(csv)
            }
        }
    });
    let bytes = written.await?.map_err(|_| ApiError::INTERNAL)?;
    Ok((format.headers(name), bytes).into_response())
}

/// Exports the teams, all or some; with addresses for owners who have just given the second factor.
#[utoipa::path(get, path = "/exports/teams", operation_id = "organizer_export_teams",
    params(FileQuery, AddressesQuery, TeamsQuery), responses(AsFile, (status = 422)))]
pub async fn teams(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, by, format, mut query } = export;
    let AddressesQuery { addresses } = query.take(&["addresses"])?;
    let query: TeamsQuery = query.rest()?;
    let sight = teams::sight(&by.who, &query.view)?;
    let query = query.read(&app)?;
    check_addresses(&by.who, addresses, "teams")?;
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let page = teams::page(&app, by.who.organizer.id, &sight, query, usize::MAX).await?;
    file(format, "teams", of_teams::table(&page.teams, &sight, addresses, utc)).await
}

/// Exports the challenges.
#[utoipa::path(get, path = "/exports/challenges", operation_id = "organizer_export_challenges",
    params(FileQuery, ViewQuery), responses(AsFile, (status = 422)))]
pub async fn challenges(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, by, format, query } = export;
    let ViewQuery { view } = query.rest()?;
    let sight = teams::sight(&by.who, &view)?;
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let listed = challenges::listed(&app, by.who.organizer.id, sight.clone()).await?;
    file(format, "challenges", of_challenges::table(&listed, &sight, utc)).await
}

/// Exports the flags that were judged, all or some, the newest first.
#[utoipa::path(get, path = "/exports/flags", operation_id = "organizer_export_flags",
    params(FileQuery, FlagsQuery), responses(AsFile, (status = 422)))]
pub async fn flags(export: Export<ListFlags>) -> Result<Response, ApiError> {
    let Export { app, by, format, query } = export;
    let query: FlagsQuery = query.rest()?;
    let sight = teams::sight(&by.who, &query.view)?;
    let query = query.read(&app, &sight)?;
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let page = submissions::page(&app, sight.clone(), query, usize::MAX).await?;
    file(format, "flags", of_flags::table(&page.flags, &sight, utc)).await
}

/// Exports the overview: a row for each figure and each warning.
#[utoipa::path(get, path = "/exports/overview", operation_id = "organizer_export_overview",
    params(FileQuery, ViewQuery), responses(AsFile, (status = 422)))]
pub async fn overview(export: Export<ExportLists>) -> Result<Response, ApiError> {
    let Export { app, by, format, query } = export;
    let ViewQuery { view } = query.rest()?;
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let read = overview::read(&app, &by.who, &view).await?;
    file(format, "overview", read.table()).await
}

/// Exports what pairs of teams have in common: a row for each fact.
#[utoipa::path(get, path = "/exports/evidence", operation_id = "organizer_export_evidence",
    params(FileQuery, EvidenceQuery), responses(AsFile, (status = 422)))]
pub async fn evidence(export: Export<ListEvidence>) -> Result<Response, ApiError> {
    let Export { app, by, format, query } = export;
    let EvidenceQuery { view } = query.rest()?;
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let found = pairs::read(&app, &view).await?;
    file(format, "evidence", of_evidence::table(&found.pairs, utc)).await
}

/// Lets only those ask for addresses who may have them, and logs that they did.
fn check_addresses(who: &Who, asked: bool, list: &'static str) -> Result<(), ApiError> {
    if asked {
        by::check(who, &ExportAddresses::RULE)?;
        tracing::warn!(organizer = who.organizer.name, "addresses of {list} were exported");
    }
    Ok(())
}

/// A file of results.
async fn results(
    Export { app, by, format, query }: Export<ExportLists>,
    name: &'static str,
    table: impl FnOnce(&Board, &Teams) -> Table + Send + 'static,
) -> Result<Response, ApiError> {
    let ResultsQuery { view, students } = query.rest()?;
    let sight = teams::sight(&by.who, &view)?;
    // The filter tells who is a student.
    if students && !sight.addresses {
        return Err(ApiError::NOT_FOUND);
    }
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let seen = Seen::new(&app.board.feed, sight.truth).await?;
    let teams = Teams::read(app.db(), &seen.contest, students).await?;
    let table = blocking(move || {
        let boards = seen.boards(sight.truth);
        table(boards.truth.unwrap_or(boards.public), &teams)
    });
    file(format, name, table.await?).await
}

/// Exports the ranking.
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

/// Exports the best teams that have scored, three if no number is given; with addresses for owners
/// who have just given the second factor.
#[utoipa::path(get, path = "/exports/winners", operation_id = "organizer_export_winners",
    params(FileQuery, WinnersQuery, ResultsQuery), responses(AsFile, (status = 422)))]
pub async fn winners(mut export: Export<ExportLists>) -> Result<Response, ApiError> {
    let WinnersQuery { addresses, top } = export.query.take(&["addresses", "top"])?;
    check_addresses(&export.by.who, addresses, "winners")?;
    let table =
        move |board: &Board, teams: &Teams| of_results::winners(board, teams, top, addresses);
    results(export, "winners", table).await
}

/// Exports the journal as it is published, after the end and the reveal; until then there is none.
#[utoipa::path(get, path = "/exports/journal", operation_id = "organizer_export_journal",
    responses(AsFile, (status = 422)))]
pub async fn journal(State(app): State<App>, by: By<ExportLists>) -> Result<Response, ApiError> {
    // The fold that is live is known; the rows of a whole event are read for nothing otherwise.
    let contest = app.contest();
    if !contest.reached(Phase::End) || contest.hides_new_solves(app.now_ms()) {
        return Err(ApiError::NOT_FOUND);
    }
    let _export = app.organizers.exports.take(by.who.organizer.id).await;
    let published =
        of_journal::published(app.db(), app.board.feed.generation(), &app.organizers.seal).await?;
    let published = published.ok_or(ApiError::NOT_FOUND)?;
    let written = blocking(move || serde_json::to_vec(&published)).await?;
    let bytes = written.map_err(|_| ApiError::INTERNAL)?;
    Ok((Format::Json.headers("journal"), bytes).into_response())
}
