//! An HTTP client over persistent connections.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpStream;

use crate::site::{Duplex, Site};

/// `Accept-Encoding` of a browser.
pub const BROWSER_ENCODINGS: &str = "gzip, deflate, br, zstd";
/// Timeout of a response.
const RESPONSE_MAX: Duration = Duration::from_secs(60);

/// A request with its whole body.
pub type Request = http::Request<Full<Bytes>>;

/// `GET path` as a team's browser sends it; an empty token is anonymous.
pub fn get(path: &str, token: &str) -> Result<Request> {
    let request = http::Request::get(path).header(header::ACCEPT_ENCODING, BROWSER_ENCODINGS);
    Ok(request.header("x-api-key", token).body(Full::default())?)
}

/// `GET path` for an uncompressed response.
pub fn plain(path: &str, token: &str) -> Result<Request> {
    Ok(http::Request::get(path).header("x-api-key", token).body(Full::default())?)
}

/// A team's submission of a flag.
pub fn solve(token: &str, challenge: &str, flag: &str) -> Result<Request> {
    post("/api/solve", token, &json!({"challengeId": challenge, "flag": flag}))
}

/// `POST path` with a JSON body.
pub fn post(path: &str, token: &str, body: &serde_json::Value) -> Result<Request> {
    let request = http::Request::post(path).header(header::CONTENT_TYPE, "application/json");
    Ok(request.header("x-api-key", token).body(Full::from(body.to_string()))?)
}

/// A response.
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
}

/// Checks that a response is 200 and that its body contains `text`.
///
/// # Errors
/// Fails for any other response.
pub fn expect(response: &Response, text: &str) -> Result<()> {
    let body = &response.body;
    let found = text.is_empty() || body.windows(text.len()).any(|part| part == text.as_bytes());
    if response.status != StatusCode::OK || !found {
        bail!("the response was {}: {}", response.status, String::from_utf8_lossy(body));
    }
    Ok(())
}

/// True if a request was certainly not sent, because the server had closed the connection before.
pub fn is_unsent(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<hyper::Error>();
    error.is_some_and(|error| error.is_canceled() || error.is_closed())
}

/// A persistent connection.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    host: HeaderValue,
    /// Prefix of each path.
    path: String,
}

impl Connection {
    /// Connects to an address of this machine.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.context("connect")?;
        stream.set_nodelay(true)?;
        Self::over(stream, HeaderValue::from_static("localhost"), "").await
    }

    /// Connects to a site.
    pub async fn to(site: &Site) -> Result<Self> {
        Self::over(site.connect().await?, site.host_header()?, site.path()).await
    }

    async fn over(stream: impl Duplex + 'static, host: HeaderValue, path: &str) -> Result<Self> {
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // The next request reports the end of the connection.
        tokio::spawn(async { drop(connection.await) });
        Ok(Self { sender, host, path: path.to_owned() })
    }

    /// True if the server has not closed the connection, as far as is known.
    pub fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Sends a request and reads the whole response.
    pub async fn send(&mut self, mut request: Request) -> Result<Response> {
        request.headers_mut().insert(header::HOST, self.host.clone());
        if !self.path.is_empty() {
            *request.uri_mut() = format!("{}{}", self.path, request.uri()).parse()?;
        }
        let response = async {
            self.sender.ready().await?;
            let (head, body) = self.sender.send_request(request).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok(Response { status: head.status, headers: head.headers, body })
        };
        tokio::time::timeout(RESPONSE_MAX, response).await.context("the response timed out")?
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn requests_that_a_closed_connection_did_not_take_are_detected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let asked = stream.read(&mut [0; 4096]).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
            asked
        });
        let mut connection = Connection::open(address).await.unwrap();
        let answer = connection.send(get("/", "").unwrap()).await.unwrap();
        expect(&answer, "ok").unwrap();
        assert!(expect(&answer, "no").is_err() && serving.await.unwrap() > 0);
        let closed = async {
            while connection.is_open() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(RESPONSE_MAX, closed).await.unwrap();
        let error = connection.send(get("/", "").unwrap()).await.err().unwrap();
        assert!(is_unsent(&error), "{error:?}");
    }
}
