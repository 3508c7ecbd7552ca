//! Client of a server's organizer API. It authenticates with an API token, which is sent only over
//! HTTPS or to this machine, and never to another host.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use bytes::{Bytes, BytesMut};
use flagship_game::challenge::is_digest;
use flagship_pack::PackFile;
use flagship_server::apply::{ApplyAnswer, ApplyRequest, FACTOR, LiveEvent};
use flagship_server::backup::digest_of;
use http_body_util::channel::Channel;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Body, RequestBuilder, Response, Url};
use serde::Deserialize;
use tokio::io::AsyncReadExt;

use crate::public_url;

/// Environment variable with the API token.
const TOKEN: &str = "FLAGSHIP_TOKEN";
/// First characters of an API token.
const TOKEN_PREFIX: &str = "fso_";
/// Header with the API token.
const TOKEN_HEADER: &str = "x-api-key";

/// Maximum time until a connection is open.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// Maximum time of a request without files.
const REQUEST_MAX: Duration = Duration::from_secs(120);
/// Maximum time of an upload or a download.
const FILE_MAX: Duration = Duration::from_secs(3600);
/// Size of the pieces in which a file is sent, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// A server, and the token for it.
pub struct Client {
    http: reqwest::Client,
    /// URL of the organizer API, without a slash at the end.
    api: String,
}

/// Body of an error.
#[derive(Deserialize)]
struct Refusal {
    code: String,
    message: String,
}

/// A stored upload.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Uploaded {
    digest: String,
    other_nodes: bool,
}

impl Client {
    /// Creates a client for the server at a URL, with the token in the environment.
    pub fn new(server: &str) -> Result<Self> {
        let is_plain = !is_https(server)?;
        let mut token = token()?;
        token.set_sensitive(true);
        let headers = HeaderMap::from_iter([(HeaderName::from_static(TOKEN_HEADER), token)]);
        // A redirect could lead the token to another host.
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .default_headers(headers)
            .connect_timeout(CONNECT_MAX)
            .user_agent(concat!("flagship/", env!("CARGO_PKG_VERSION")));
        let builder = match is_plain {
            // A proxy would receive the token in clear text.
            true => builder.no_proxy(),
            false => builder.https_only(true),
        };
        let http = builder.build().context("prepare the HTTPS client")?;
        Ok(Self { http, api: format!("{}/api/organize", server.trim_end_matches('/')) })
    }

    /// Applies event files, or shows their changes.
    pub async fn apply(&self, request: &ApplyRequest) -> Result<ApplyAnswer> {
        let body = serde_json::to_vec(request).context("pack the event files")?;
        let sent = self
            .http
            .post(format!("{}/apply", self.api))
            .timeout(REQUEST_MAX)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        let lost = "the answer was lost, so the files may have been applied; run the command \
                    again: files that are already applied change nothing";
        let response = self.send(sent, lost).await?;
        response.json().await.context(lost)
    }

    /// Uploads a file.
    pub async fn upload(&self, file: &PackFile) -> Result<()> {
        let shown = flagship_pack::place(&file.path);
        let opened = file.open().with_context(|| format!("open `{shown}`"))?;
        let sent = self
            .http
            .post(format!("{}/files", self.api))
            .timeout(FILE_MAX)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_LENGTH, file.bytes)
            .body(streamed(opened));
        let response = self.send(sent, "the upload failed").await;
        let response = response.with_context(|| format!("upload `{shown}`"))?;
        let uploaded: Uploaded = response.json().await.context("read the answer")?;
        ensure!(
            uploaded.digest == file.digest,
            "upload `{shown}`: the file changed while it was being read"
        );
        if uploaded.other_nodes {
            errln!(
                "note: `{shown}` is stored on one of several nodes; unless they share a data \
                 folder, copy its `files` folder to the others"
            );
        }
        Ok(())
    }

    /// Returns the live edits; for a new folder, the whole event.
    pub async fn live_event(&self, is_new: bool) -> Result<LiveEvent> {
        let url = format!("{}/pull?new={is_new}", self.api);
        let response =
            self.send(self.http.get(url).timeout(REQUEST_MAX), "nothing was written").await?;
        response.json().await.context("read the live edits; nothing was written")
    }

    /// Downloads a stored file into a folder, named by its digest.
    pub async fn download(&self, digest: &str, folder: &Path) -> Result<()> {
        ensure!(is_digest(digest), "the server sent an invalid digest; nothing was written");
        let url = format!("{}/pull/{digest}", self.api);
        let sent = self.http.get(url).timeout(FILE_MAX);
        let mut response = self.send(sent, "nothing was written").await?;
        let target = folder.join(digest);
        let mut file = File::create(&target).context("create a temporary file")?;
        while let Some(piece) = response.chunk().await.context("download a file")? {
            file.write_all(&piece).context("write a temporary file")?;
        }
        drop(file);
        ensure!(
            digest_of(&target).is_ok_and(|found| found == digest),
            "the server sent a damaged file ({digest}); nothing was written"
        );
        Ok(())
    }

    /// Sends a request; returns a successful response. `lost` is the message for a connection that
    /// ends before the response.
    async fn send(&self, request: RequestBuilder, lost: &'static str) -> Result<Response> {
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() => {
                return Err(error).context("cannot connect to the server; nothing was sent");
            }
            Err(error) => return Err(error).context(lost),
        };
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let Ok(Refusal { code, message }) = response.json().await else {
            bail!("the server answered {status}; check the URL in --server");
        };
        match code.as_str() {
            "login_needed" => bail!("the server rejected {TOKEN}: it has expired or was revoked"),
            "factor_needed" => bail!("nothing was applied: {FACTOR} ({code})"),
            "not_found" => bail!(
                "the server rejected the request: the token needs the role organizer or owner, \
                 and the server this version of Flagship"
            ),
            _ => bail!("the server answered: {message} ({code})"),
        }
    }
}

/// Returns true for an `https` URL, and false for plain `http` to this machine.
///
/// # Errors
/// Fails for other URLs.
fn is_https(server: &str) -> Result<bool> {
    public_url::check(server).context("--server")?;
    let url = Url::parse(server).context("--server")?;
    if url.scheme() == "https" {
        return Ok(true);
    }
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_own = match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host == "localhost",
    };
    ensure!(
        is_own,
        "--server must start with https://, because plain http would send the token and the flags \
         unencrypted; nothing was sent"
    );
    Ok(false)
}

/// Returns the token in the environment. Error messages do not contain it.
fn token() -> Result<HeaderValue> {
    let token = std::env::var(TOKEN).unwrap_or_default();
    let token = token.trim();
    ensure!(
        !token.is_empty(),
        "set {TOKEN} to an API token, from the site or from `flagship organizer token NAME`"
    );
    let value = HeaderValue::from_str(token).ok().filter(|_| token.starts_with(TOKEN_PREFIX));
    value.with_context(|| format!("{TOKEN} is not an organizer's API token ({TOKEN_PREFIX}...)"))
}

/// Returns a file as a request body, read as it is sent.
fn streamed(file: File) -> Body {
    let (mut sender, body) = Channel::<Bytes, io::Error>::new(1);
    tokio::spawn(async move {
        let mut file = tokio::fs::File::from_std(file);
        loop {
            let mut piece = BytesMut::with_capacity(PIECE_BYTES);
            match file.read_buf(&mut piece).await {
                Ok(0) => break,
                Ok(_) => {
                    // The receiver is gone if the request failed.
                    if sender.send_data(piece.freeze()).await.is_err() {
                        break;
                    }
                }
                Err(error) => return sender.abort(error),
            }
        }
    });
    Body::wrap(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_accepted_only_for_this_machine() {
        for (url, expected) in [
            ("https://ctf.example.org", Some(true)),
            ("https://ctf.example.org/", Some(true)),
            ("http://127.0.0.1:8080", Some(false)),
            ("http://127.8.9.1:8080", Some(false)),
            ("http://[::1]:8080", Some(false)),
            ("http://localhost", Some(false)),
            ("http://LOCALHOST:80", Some(false)),
            ("http://ctf.example.org", None),
            ("http://192.0.2.1", None),
            ("http://0.0.0.0:8080", None),
            ("http://localhost.example.org", None),
            ("http://127.0.0.1.example.org", None),
            ("http://localhost@example.org", None),
            ("https://user@example.org", None),
            ("ftp://localhost", None),
            ("localhost:8080", None),
        ] {
            assert_eq!(is_https(url).ok(), expected, "{url}");
        }
    }
}
