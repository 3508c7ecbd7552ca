//! Lists as files: CSV, JSON or a spreadsheet, with what a role may see of them.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::by::{self, By};
use super::{challenges, evidence as pairs, overview, submissions, teams};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists::evidence as of_evidence;
use crate::node::lists::sheet::xlsx;
use crate::node::lists::table::{Table, utc};
use crate::node::lists::{challenges as of_challenges, flags as of_flags, teams as of_teams};
use crate::node::organizers::acts::{Act, ExportAddresses, ExportLists, ListEvidence, ListFlags};
use crate::node::state::App;

/// Which file.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// `csv`, `json` or `xlsx`.
    #[serde(default)]
    format: String,
    /// `public` exports what players see.
    #[serde(default)]
    view: String,
}

/// Which file of teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TeamsExportQuery {
    /// `csv`, `json` or `xlsx`.
    #[serde(default)]
    format: String,
    /// `public` exports what players see.
    #[serde(default)]
    view: String,
    /// Whether addresses are in it.
    #[serde(default)]
    addresses: bool,
}

/// The form of a file.
#[derive(Clone, Copy)]
enum Format {
    Csv,
    Json,
    Xlsx,
}

impl Format {
    fn of(text: &str) -> Result<Self, ApiError> {
        match text {
            "" | "json" => Ok(Self::Json),
            "csv" => Ok(Self::Csv),
            "xlsx" => Ok(Self::Xlsx),
            _ => Err(ApiError::WRONG_SHAPE),
        }
    }

    /// The type of the content, and the name of the file.
    fn headers(self, name: &'static str) -> [(header::HeaderName, HeaderValue); 2] {
        let (kind, end) = match self {
            Self::Csv => ("text/csv; charset=utf-8", "csv"),
            Self::Json => ("application/json", "json"),
            Self::Xlsx => {
                ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx")
            }
        };
        let name = format!("attachment; filename=\"{name}.{end}\"");
        let name = HeaderValue::try_from(name).expect("it is plain ASCII");
        [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CONTENT_DISPOSITION, name),
        ]
    }
}

/// A table as a file.
async fn file(format: Format, name: &'static str, table: Table) -> Result<Response, ApiError> {
    // A large one takes some milliseconds.
    let writing = tokio::task::spawn_blocking(move || -> std::io::Result<Vec<u8>> {
        match format {
            Format::Json => Ok(serde_json::to_vec(&table.into_json())?),
            Format::Xlsx => xlsx(&table),
            Format::Csv => {
                let mut csv = Vec::new();
                table.write_csv(&mut csv)?;
                Ok(csv)
            }
        }
    });
    let written = writing.await.map_err(|_| ApiError::INTERNAL)?;
    let bytes = written.map_err(|_| ApiError::INTERNAL)?;
    Ok((format.headers(name), bytes).into_response())
}

/// Exports the teams by rank, then those without one by name; with addresses for owners who have
/// just given the second factor.
#[utoipa::path(get, path = "/exports/teams", tag = "organizers",
    operation_id = "organizer_export_teams", params(TeamsExportQuery),
    responses((status = 200, description = "The file", content(
            (Vec<serde_json::Value> = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 422, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn teams(
    State(app): State<App>,
    by: By<ExportLists>,
    Query(query): Query<TeamsExportQuery>,
) -> Result<Response, ApiError> {
    let format = Format::of(&query.format)?;
    let _export = app.organizers.exports.acquire().await.expect("it is never closed");
    let sight = teams::sight(&by.who, &query.view)?;
    if query.addresses {
        by::check(&by.who, &ExportAddresses::RULE)?;
        tracing::warn!(organizer = by.who.organizer.name, "addresses of teams were exported");
    }
    let page = teams::page(&app, sight, of_teams::Query::default(), usize::MAX).await?;
    file(format, "teams", of_teams::table(&page.teams, sight, query.addresses)).await
}

/// Exports the challenges.
#[utoipa::path(get, path = "/exports/challenges", tag = "organizers",
    operation_id = "organizer_export_challenges", params(ExportQuery),
    responses((status = 200, description = "The file", content(
            (Vec<serde_json::Value> = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 422, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn challenges(
    State(app): State<App>,
    by: By<ExportLists>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let format = Format::of(&query.format)?;
    let _export = app.organizers.exports.acquire().await.expect("it is never closed");
    let sight = challenges::sight(&by.who, &query.view)?;
    let listed = challenges::listed(&app, sight.clone()).await?;
    file(format, "challenges", of_challenges::table(&listed, &sight)).await
}

/// Exports the flags that were judged, the newest first.
#[utoipa::path(get, path = "/exports/flags", tag = "organizers",
    operation_id = "organizer_export_flags", params(ExportQuery),
    responses((status = 200, description = "The file", content(
            (Vec<serde_json::Value> = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 422, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn flags(
    State(app): State<App>,
    by: By<ListFlags>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let format = Format::of(&query.format)?;
    let _export = app.organizers.exports.acquire().await.expect("it is never closed");
    let sight = submissions::sight(&by.who, &query.view)?;
    let all = of_flags::Query::default();
    let page = submissions::page(&app, sight, all, usize::MAX).await?;
    file(format, "flags", of_flags::table(&page.flags, utc)).await
}

/// Exports the overview: a row for each figure and each warning.
#[utoipa::path(get, path = "/exports/overview", tag = "organizers",
    operation_id = "organizer_export_overview", params(ExportQuery),
    responses((status = 200, description = "The file", content(
            (Vec<serde_json::Value> = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 422, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn overview(
    State(app): State<App>,
    by: By<ExportLists>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let format = Format::of(&query.format)?;
    let _export = app.organizers.exports.acquire().await.expect("it is never closed");
    let read = overview::read(&app, &by.who, &query.view).await?;
    file(format, "overview", read.table()).await
}

/// Exports what pairs of teams have in common: a row for each fact.
#[utoipa::path(get, path = "/exports/evidence", tag = "organizers",
    operation_id = "organizer_export_evidence", params(ExportQuery),
    responses((status = 200, description = "The file", content(
            (Vec<serde_json::Value> = "application/json"), (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 422, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn evidence(
    State(app): State<App>,
    _by: By<ListEvidence>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let format = Format::of(&query.format)?;
    let _export = app.organizers.exports.acquire().await.expect("it is never closed");
    let (_, shown, _) = pairs::read(&app, &query.view).await?;
    file(format, "evidence", of_evidence::table(&shown, utc)).await
}
