//! Uploads of challenge attachments by organizers.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::UploadFile;
use crate::node::state::App;
use crate::node::uploads::{Upload, UploadError, Uploader};

/// Maximum duration of an upload. Other requests have less time (`headers`).
pub const UPLOAD_MAX: Duration = Duration::from_secs(3600);
/// Window in which the speed of an upload is measured.
pub const WINDOW: Duration = Duration::from_secs(15);
/// Minimum number of bytes that a client must send per window.
const WINDOW_BYTES_MIN: usize = 64 * 1024;
/// The same minimum while another organizer waits for a turn.
const WANTED_BYTES_MIN: usize = 2 * 1024 * 1024;
/// Maximum number of bytes read from a rejected file. A client whose connection is closed while it
/// sends never reads the response.
const DISCARDED_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Maximum time for reading these bytes.
const DISCARD_MAX: Duration = Duration::from_secs(2);
/// Value of `Retry-After` for a file that could not be stored, in seconds.
const RETRY_S: u64 = 60;

/// A stored file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// SHA-256 digest in hex, by which a challenge refers to the file.
    digest: String,
    /// Size in bytes.
    bytes: u64,
    /// True if other nodes are running and attachments are in a folder. Unless all nodes share the
    /// folder, copy the file to their `files/` folders before releasing a challenge that uses it.
    other_nodes: bool,
}

/// Stores a file of at most 1 GiB. It is deleted after a day if no challenge uses it.
#[utoipa::path(post, path = "/files", operation_id = "organizer_upload",
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Uploaded), (status = 429)))]
pub async fn upload(
    State(app): State<App>,
    caller: Result<Authorized<UploadFile>, ApiError>,
    headers: HeaderMap,
    mut body: Body,
) -> Result<(StatusCode, axum::Json<Uploaded>), ApiError> {
    let uploaded = match caller {
        Err(error) => Err(error),
        Ok(_) if !is_bytes(&headers) => Err(ApiError::NOT_BYTES_TYPE),
        Ok(caller) => keep(&app, &caller.who, &mut body).await,
    };
    if uploaded.is_err() {
        discard(body).await;
    }
    Ok((StatusCode::CREATED, axum::Json(uploaded?)))
}

async fn keep(app: &App, who: &SignedInOrganizer, body: &mut Body) -> Result<Uploaded, ApiError> {
    let by = Uploader { organizer: who.organizer.id, now_ms: app.now_ms() };
    let mut upload = app.organizers.uploads.begin(by, body.size_hint().exact()).await?;
    receive(body, &mut upload, WINDOW).await?;
    let kept = upload.finish(app.now_ms()).await?;
    app.organizers.uploads.note_by(&kept.digest, &who.organizer.name, app.now_ms()).await?;
    let other_nodes = !app.storage().is_shared() && app.judging.nodes.are_several();
    Ok(Uploaded { digest: kept.digest, bytes: kept.bytes, other_nodes })
}

/// Writes the body to the upload as it arrives.
async fn receive(body: &mut Body, upload: &mut Upload, window: Duration) -> Result<(), ApiError> {
    let mut reader = BodyReader::new(body, window);
    while let Some(data) = reader.next_bytes(|| upload.keeps_others_waiting()).await? {
        upload.add(&data).await?;
    }
    Ok(())
}

/// Reader for a body whose client must reach a minimum speed in each window.
pub struct BodyReader<'b> {
    body: &'b mut Body,
    window: Duration,
    /// End of the current window.
    end: Instant,
    /// Number of bytes received in the window.
    seen: usize,
}

impl<'b> BodyReader<'b> {
    /// Creates a reader and starts its first window.
    pub fn new(body: &'b mut Body, window: Duration) -> Self {
        Self { body, window, end: Instant::now() + window, seen: 0 }
    }

    /// Returns the next bytes; `None` at the end. `keeps_others_waiting` is true while another
    /// organizer waits for this upload's turn.
    pub async fn next_bytes(
        &mut self,
        keeps_others_waiting: impl Fn() -> bool,
    ) -> Result<Option<Bytes>, ApiError> {
        loop {
            let Ok(frame) = timeout_at(self.end, self.body.frame()).await else {
                let is_wanted = keeps_others_waiting();
                if self.seen < if is_wanted { WANTED_BYTES_MIN } else { WINDOW_BYTES_MIN } {
                    return Err(ApiError::TOO_SLOW);
                }
                self.end = Instant::now() + self.window;
                self.seen = 0;
                continue;
            };
            let Some(frame) = frame else { return Ok(None) };
            let Ok(data) = frame.map_err(|_| ApiError::BROKEN_BODY)?.into_data() else { continue };
            self.seen += data.len();
            return Ok(Some(data));
        }
    }
}

/// Reads and discards a limited amount of a rejected body.
async fn discard(mut body: Body) {
    let end = Instant::now() + DISCARD_MAX;
    let mut discarded = 0;
    while discarded < DISCARDED_BYTES_MAX
        && let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await
    {
        discarded += frame.data_ref().map_or(0, |data| data.len());
    }
}

fn is_bytes(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case("application/octet-stream"))
}

impl From<UploadError> for ApiError {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Busy => Self::overload(),
            UploadError::Day { retry_after_s } => Self::UPLOADS.retry_after(retry_after_s),
            UploadError::TooLarge => Self::FILE_LARGE,
            UploadError::NotWritten => Self::FILE_NOT_KEPT.retry_after(RETRY_S),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{StreamExt, stream};
    use tokio::time::timeout;

    use super::*;
    use crate::node::storage::Storage;
    use crate::node::uploads::Uploads;

    #[tokio::test]
    async fn slow_uploads_are_aborted() {
        let data = tempfile::tempdir().expect("a folder");
        let uploads = Uploads::new(Storage::folder(data.path()));
        let window = Duration::from_millis(100);
        for (bytes, expected) in [(WINDOW_BYTES_MIN, Ok(())), (1, Err(ApiError::TOO_SLOW))] {
            let by = Uploader { organizer: 1, now_ms: 0 };
            let mut upload = uploads.begin(by, None).await.expect("it begins");
            let pieces = stream::iter(0..10).then(move |_| async move {
                tokio::time::sleep(window / 4).await;
                Ok::<_, Infallible>(Bytes::from(vec![0; bytes]))
            });
            let received = receive(&mut Body::from_stream(pieces), &mut upload, window).await;
            assert_eq!(received, expected, "64 KiB in each window");
        }
    }

    #[tokio::test]
    async fn an_upload_must_be_faster_while_another_organizer_waits() {
        let data = tempfile::tempdir().expect("a folder");
        let uploads = Uploads::new(Storage::folder(data.path()));
        let window = Duration::from_millis(100);
        let begin = |organizer| uploads.begin(Uploader { organizer, now_ms: 0 }, None);
        let mut open = Vec::new();
        let mut late = loop {
            let mut next = Box::pin(begin(open.len() as i64 + 1));
            match timeout(window, &mut next).await {
                Ok(upload) => open.push(upload.expect("it begins")),
                Err(_) => break next,
            }
        };
        let mut slow = open.pop().expect("some are open");
        let pieces = stream::iter(0..10).then(move |_| async move {
            tokio::time::sleep(window / 4).await;
            Ok::<_, Infallible>(Bytes::from(vec![0; WINDOW_BYTES_MIN]))
        });
        let received = receive(&mut Body::from_stream(pieces), &mut slow, window).await;
        assert_eq!(received, Err(ApiError::TOO_SLOW), "2 MiB in each window");
        drop(slow);
        assert!((&mut late).await.is_ok(), "the one who waited has the turn");
    }
}
