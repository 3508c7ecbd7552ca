//! Downloading a backup, only for owners because it contains the event's secret.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagship_game::Contest;
use flagship_store::ops::backups;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::{EmptyBody, TimeLimit};
use crate::net::connection::HeldResource;
use crate::node::backup::{NoSpace, Source};
use crate::node::links;
use crate::node::organizers::permissions::DownloadBackup;
use crate::node::state::App;

/// Response header with the number of damaged or missing attachments, if any.
const LEFT_OUT: &str = "x-left-out";
/// Value of `Retry-After` when no backup can be made now, in seconds.
const RETRY_S: u64 = 30;

/// Creates a backup like `flagship backup` and sends it. The backup contains the event's secret.
#[utoipa::path(post, path = "/backup", operation_id = "organizer_backup",
    responses((status = 200, content_type = "application/octet-stream",
            description = "The backup. `X-Left-Out` counts damaged and missing attachments"),
        (status = 429)))]
pub async fn download(
    State(app): State<App>,
    limit: TimeLimit,
    caller: Authorized<DownloadBackup>,
    _: EmptyBody,
) -> Result<Response, ApiError> {
    let (db, config) = (app.db().clone(), app.config());
    let (data, secret) = (config.data.clone(), config.secret_file.clone());
    let storage = app.storage().clone();
    let source = Source { db: db.clone(), seal: app.seal(), data, storage, secret };
    let turn = app.organizers.backups.begin(source, &config.key);
    let turn = turn.ok_or(ApiError::BACKUP_RUNS.retry_after(RETRY_S))?;
    let turn = turn.check_space().await.map_err(|error| failed(&error))?;
    // The download is recorded, and a large backup takes longer than other requests may.
    limit.lift();
    let now_ms = app.now_ms();
    backups::record(&db, &app.organizers.seal, caller.standing(), now_ms).await??;
    tracing::warn!(organizer = caller.who.organizer.name, "backup download started");
    let made = turn.make().await.map_err(|error| failed(&error))?;
    let mut headers = HeaderMap::new();
    let octets = HeaderValue::from_static("application/octet-stream");
    headers.insert(header::CONTENT_TYPE, octets);
    headers.insert(header::CONTENT_LENGTH, made.bytes.into());
    headers.insert(header::CONTENT_DISPOSITION, disposition(&app.contest(), now_ms));
    if made.left_out > 0 {
        headers.insert(LEFT_OUT, made.left_out.into());
    }
    let (pieces, permit) = made.pieces(db, now_ms);
    let mut response = (headers, Body::from_stream(pieces)).into_response();
    // This also exempts the response from the time limit.
    response.extensions_mut().insert(HeldResource::new(permit, Vec::new()));
    Ok(response)
}

/// Builds the file name for the download: `Harbour_CTF-2026-11-28-140500.backup`, in UTC.
fn disposition(contest: &Contest, now_ms: i64) -> HeaderValue {
    let name = contest.event().map_or("", |event| event.name.as_str());
    let name = links::plain_name(name);
    let name = match name.trim_matches(['_', '.', '-']) {
        "" => "event",
        name => name,
    };
    let at = Timestamp::from_millisecond(now_ms).unwrap_or_default().to_zoned(TimeZone::UTC);
    let name = format!("{name}-{}.backup", at.strftime("%Y-%m-%d-%H%M%S"));
    let disposition = links::disposition("attachment", &name);
    HeaderValue::try_from(disposition).expect("plain names are ASCII")
}

fn failed(error: &anyhow::Error) -> ApiError {
    tracing::error!(error = format!("{error:#}"), "backup failed");
    if error.is::<NoSpace>() { ApiError::BACKUP_SPACE } else { ApiError::BACKUP_FAILED }
}
