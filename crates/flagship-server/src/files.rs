//! Attachments: served through links that are capabilities of one team, checked against the fold
//! at download, so that they die with the lock, the hide and the ban.

use std::path::PathBuf;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagship_game::{Attachment, ChallengeId, TeamId, view};
use flagship_store::Key;
use tokio_util::io::ReaderStream;

use crate::app::App;
use crate::error::ApiError;
use crate::schema;

/// The purpose of the links' key.
const PURPOSE: &str = "attachment";

/// A team's link to an attachment.
pub fn link(key: &Key, team: TeamId, id: &ChallengeId, attachment: &Attachment) -> String {
    let team = format!("{:016x}", team.0);
    let mac = key.mac(PURPOSE, &[&team, id.as_str(), &attachment.digest]);
    let name = plain(&attachment.name);
    format!("/api/files/{team}{mac}/{id}/{}/{name}", attachment.digest)
}

/// A file name that needs no escape in a link or a header, and is no step in a path.
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.chars().all(|c| c == '.') { "file".to_owned() } else { name }
}

/// An attachment's bytes.
#[utoipa::path(get, path = "/files/{capability}/{challenge}/{digest}/{name}", tag = "play",
    params(("capability" = String, Path, description = "From a challenge's `attachments`"),
        ("challenge" = String, Path), ("digest" = String, Path), ("name" = String, Path)),
    responses((status = 200, content_type = "application/octet-stream"),
        (status = 404, body = schema::Error)))]
pub async fn attachment(
    State(app): State<App>,
    path: Result<Path<(String, String, String, String)>, axum::extract::rejection::PathRejection>,
) -> Result<Response, ApiError> {
    let Path((capability, challenge, digest, _)) = path.map_err(|_| ApiError::NOT_FOUND)?;
    let (file, name, bytes) =
        find(&app, &capability, &challenge, &digest).ok_or(ApiError::NOT_FOUND)?;
    let file = tokio::fs::File::open(&file).await.map_err(|error| {
        tracing::error!(%error, digest, "an attachment's file cannot be read");
        ApiError::INTERNAL
    })?;
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_LENGTH, HeaderValue::from(bytes)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_str(&disposition).expect("the name is plain ASCII"),
        ),
    ];
    Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
}

/// The file behind a link, its name and size, if the link's team may read it now.
fn find(
    app: &App,
    capability: &str,
    challenge: &str,
    digest: &str,
) -> Option<(PathBuf, String, u64)> {
    let (team, mac) = capability.split_at_checked(16)?;
    if !app.config().key.is_mac(mac, PURPOSE, &[team, challenge, digest]) {
        return None;
    }
    let team = TeamId(i64::from_str_radix(team, 16).ok()?);
    let contest = app.contest();
    let id = ChallengeId::parse(challenge).ok()?;
    let open = view::open_challenge(&contest, team, &id)?;
    let attachment = open.attachments.iter().find(|attachment| attachment.digest == digest)?;
    let name = plain(&attachment.name);
    let file = app.config().data.join("files").join(&attachment.digest);
    Some((file, name, attachment.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_no_escape_and_are_no_step_in_a_path() {
        let table = [("a b.zip", "a_b.zip"), ("..", "file"), ("", "file"), ("../x", ".._x")];
        for (name, expected) in table.into_iter().chain([("caffè\r\n", "caff___")]) {
            assert_eq!(plain(name), expected);
        }
    }
}
