//! Attachments and the images in descriptions. Each link is a capability of one team and is checked
//! against the current state at every download, so it stops working when the challenge is locked or
//! hidden or the team is banned. Downloads can be resumed because the file with a given digest
//! never changes.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::SystemTime;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flagship_game::{Attachment, ChallengeId, PictureKind, TeamId, view};
use flagship_store::sightings::Kind;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Ready, ready};
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::ServeDir;
use tower_http::services::fs::{Backend, File, Metadata};

use super::error::ApiError;
use super::scoreboard::known_tags;
use crate::net::address::ClientNetwork;
use crate::node::copies::{CopyReader, TeamCopy};
use crate::node::links;
use crate::node::state::App;
use crate::node::storage::{Storage, StoredFile};

/// Number of bytes read from a file at once. A download holds at most three such buffers: one that
/// is sent, one that is filled, and one that was fetched from the storage.
const CHUNK_BYTES: usize = 64 * 1024;

/// Returns an attachment or an image from a description, or a range of its bytes.
#[utoipa::path(get, path = "/files/{capability}/{challenge}/{digest}/{name}", tag = "play",
    params(("capability" = String, Path,
            description = "From `attachments` of a challenge, or an image in its `description`"),
        ("challenge" = String, Path), ("digest" = String, Path), ("name" = String, Path),
        ("Range" = Option<String>, Header, description = "A single byte range")),
    responses((status = 200, content_type = "application/octet-stream"),
        (status = 206, content_type = "application/octet-stream"),
        (status = 304, description = "The client has the current file cached"), (status = 404),
        (status = 416)))]
pub async fn attachment(
    State(app): State<App>,
    client: ClientNetwork,
    method: Method,
    headers: HeaderMap,
    path: Result<Path<(String, String, String, String)>, axum::extract::rejection::PathRejection>,
) -> Result<Response, ApiError> {
    let Path((capability, challenge, digest, name)) = path.map_err(|_| ApiError::NOT_FOUND)?;
    let find = || find(&app, &capability, &challenge, (&digest, &name)).ok_or(ApiError::NOT_FOUND);
    let TeamFile { team, attachment, picture, is_listed } = find()?;
    let source = source(&app, team, &challenge, &attachment).await?;
    let tag = format!("\"{}\"", source.digest());
    let mut response = match known_tags(&headers).any(|known| known == tag.as_bytes()) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        // HEAD does not open the file.
        false if method == Method::HEAD => serve(source, method, range(&headers, &tag)).await?,
        false => {
            let permit = app.serving.downloads.permit(team, &client).await?;
            // The team may have been banned, or the challenge hidden, during the wait.
            let TeamFile { is_listed, .. } = find()?;
            let mut response = serve(source, method, range(&headers, &tag)).await?;
            response.extensions_mut().insert(permit);
            // A browser loads images without any action of the team.
            if response.status().is_success() && is_listed {
                let id = ChallengeId::parse(&challenge);
                let network = app.judging.sightings.network(&client);
                app.judging.sightings.note(team, Kind::Download, id.ok().as_ref(), network);
            }
            response
        }
    };
    let disposition = if is_listed { "attachment" } else { "inline" };
    let disposition = links::disposition(disposition, &attachment.name);
    // Clients revalidate an image each time they show it, without another download.
    let caching = if is_listed { "private, no-store" } else { "private, no-cache" };
    for (header, value) in [
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::ETAG, &tag),
    ] {
        let value = HeaderValue::from_str(value).expect("names and digests are plain ASCII");
        response.headers_mut().insert(header, value);
    }
    if let Some(picture) = picture.filter(|_| response.status().is_success()) {
        let media_type = HeaderValue::from_static(picture.media_type());
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    Ok(response)
}

/// Returns the requested range if it is a byte range of the file with this ETag.
fn range<'a>(headers: &'a HeaderMap, tag: &str) -> Option<&'a HeaderValue> {
    let is_same = headers.get(header::IF_RANGE).is_none_or(|value| value == tag);
    let is_bytes = |range: &&HeaderValue| range.as_bytes().starts_with(b"bytes=");
    headers.get(header::RANGE).filter(is_bytes).filter(|_| is_same)
}

/// Returns the file that a team downloads: its own copy, or the stored file.
async fn source(
    app: &App,
    team: TeamId,
    challenge: &str,
    attachment: &Attachment,
) -> Result<FileSource, ApiError> {
    let digest = attachment.digest.clone();
    if !attachment.per_team {
        return Ok(FileSource::Stored(app.storage().clone(), digest));
    }
    let id = ChallengeId::parse(challenge).map_err(|_| ApiError::NOT_FOUND)?;
    let copy = app.serving.copies.open(team, &id, attachment).await;
    copy.map(FileSource::Copy).ok_or(ApiError::INTERNAL)
}

/// Serves a file or a range of its bytes.
pub async fn serve(
    source: FileSource,
    method: Method,
    range: Option<&HeaderValue>,
) -> Result<Response, ApiError> {
    let digest = source.digest().to_owned();
    // Conditional headers are not passed on because the library compares modification times instead
    // of digests.
    let mut request = Request::new(Body::empty());
    *request.method_mut() = method;
    *request.uri_mut() = Uri::try_from(format!("/{digest}")).map_err(|_| ApiError::NOT_FOUND)?;
    if let Some(range) = range {
        request.headers_mut().insert(header::RANGE, range.clone());
    }
    let files = ServeDir::with_backend("/", source);
    let files = files.append_index_html_on_directories(false).with_buf_chunk_size(CHUNK_BYTES);
    let mut files = files.ignore_multi_range_requests(true);
    let served = files.try_call(request).await;
    let mut response = match served {
        Ok(response) if response.status().is_success() => response.map(Body::new),
        Ok(response) if response.status() == StatusCode::RANGE_NOT_SATISFIABLE => {
            let mut refusal = ApiError::RANGE.into_response();
            if let Some(size) = response.headers().get(header::CONTENT_RANGE) {
                refusal.headers_mut().insert(header::CONTENT_RANGE, size.clone());
            }
            return Ok(refusal);
        }
        failed => {
            let error = failed.err().map(|error| error.to_string());
            tracing::error!(error, digest, "failed to read an attachment");
            return Err(ApiError::INTERNAL);
        }
    };
    response.headers_mut().remove(header::LAST_MODIFIED);
    Ok(response)
}

/// A file, for the library that serves ranges. The path of a request does not matter.
#[derive(Clone)]
pub enum FileSource {
    /// A stored file with this digest.
    Stored(Storage, String),
    /// A team's copy.
    Copy(TeamCopy),
}

impl FileSource {
    /// SHA-256 of the file, in hex.
    fn digest(&self) -> &str {
        match self {
            Self::Stored(_, digest) => digest,
            Self::Copy(copy) => &copy.digest.sha256,
        }
    }
}

/// Size of a file.
pub struct Size(u64);

/// An open file.
pub enum OpenFile {
    Stored(StoredFile),
    Copy(CopyReader),
}

impl Backend for FileSource {
    type File = OpenFile;
    type Metadata = Size;
    type OpenFuture = BoxFuture<'static, io::Result<OpenFile>>;
    type MetadataFuture = BoxFuture<'static, io::Result<Size>>;

    fn open(&self, _: PathBuf) -> Self::OpenFuture {
        let source = self.clone();
        let open = async move {
            match source {
                Self::Stored(storage, digest) => storage.file(&digest).await.map(OpenFile::Stored),
                Self::Copy(copy) => Ok(OpenFile::Copy(copy.read())),
            }
        };
        open.boxed()
    }

    fn metadata(&self, _: PathBuf) -> Self::MetadataFuture {
        let source = self.clone();
        let size = async move {
            let bytes = match source {
                Self::Stored(storage, digest) => storage.bytes(&digest).await?,
                Self::Copy(copy) => Some(copy.digest.bytes),
            };
            Ok::<_, io::Error>(Size(bytes.ok_or(io::ErrorKind::NotFound)?))
        };
        size.boxed()
    }
}

impl Metadata for Size {
    fn is_dir(&self) -> bool {
        false
    }

    fn modified(&self) -> io::Result<SystemTime> {
        // The file with a given digest never changes.
        Ok(SystemTime::UNIX_EPOCH)
    }

    fn len(&self) -> u64 {
        self.0
    }
}

impl File for OpenFile {
    type Metadata = Size;
    type MetadataFuture<'a> = Ready<io::Result<Size>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        let bytes = match self {
            Self::Stored(file) => file.bytes(),
            Self::Copy(copy) => copy.bytes(),
        };
        ready(Ok(Size(bytes)))
    }
}

impl AsyncRead for OpenFile {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Stored(file) => Pin::new(file).poll_read(cx, buffer),
            Self::Copy(copy) => Pin::new(copy).poll_read(cx, buffer),
        }
    }
}

impl AsyncSeek for OpenFile {
    fn start_seek(self: Pin<&mut Self>, to: io::SeekFrom) -> io::Result<()> {
        match self.get_mut() {
            Self::Stored(file) => Pin::new(file).start_seek(to),
            Self::Copy(copy) => Pin::new(copy).start_seek(to),
        }
    }

    fn poll_complete(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        match self.get_mut() {
            Self::Stored(file) => Pin::new(file).poll_complete(cx),
            Self::Copy(copy) => Pin::new(copy).poll_complete(cx),
        }
    }
}

/// A file that a team may download.
struct TeamFile {
    team: TeamId,
    attachment: Attachment,
    /// Image type, if the description shows the file.
    picture: Option<PictureKind>,
    /// True if the file is listed as an attachment.
    is_listed: bool,
}

/// Finds the file of a link if its team may currently download it. Several attachments can have the
/// same bytes: the name in the link selects one, or the first if no name matches.
fn find(
    app: &App,
    capability: &str,
    challenge: &str,
    (digest, name): (&str, &str),
) -> Option<TeamFile> {
    let contest = app.contest();
    let team = app.board.links.team(&contest, capability, challenge, digest)?;
    let id = ChallengeId::parse(challenge).ok()?;
    let open = view::open_challenge(&contest, team, &id)?;
    let is_it = |attachment: &&Attachment| attachment.digest == digest;
    let is_named = |attachment: &&Attachment| links::plain_name(&attachment.name) == name;
    let named = open.attachments.iter().filter(is_it).find(is_named);
    let attachment = named.or_else(|| open.attachments.iter().find(is_it))?;
    let picture = open.attachments.iter().filter(is_it).find_map(|it| it.picture);
    let is_listed = open.listed().any(|it| is_it(&it));
    Some(TeamFile { team, attachment: attachment.clone(), picture, is_listed })
}
