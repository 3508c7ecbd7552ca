//! Requests over connections that are kept open.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpStream;

use crate::site::{Duplex, Site};

/// What a browser takes.
pub const BROWSER_TAKES: &str = "gzip, deflate, br, zstd";
/// How long an answer may take.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// A request with its whole body.
pub type Ask = Request<Full<Bytes>>;

/// `GET path`, as a browser of a team asks; without a token as anybody's.
pub fn get(path: &str, token: &str) -> Result<Ask> {
    let request = Request::get(path).header(header::ACCEPT_ENCODING, BROWSER_TAKES);
    Ok(request.header("x-api-key", token).body(Full::default())?)
}

/// `GET path`, not compressed.
pub fn plain(path: &str, token: &str) -> Result<Ask> {
    Ok(Request::get(path).header("x-api-key", token).body(Full::default())?)
}

/// A flag that a team sends.
pub fn solve(token: &str, challenge: &str, flag: &str) -> Result<Ask> {
    post("/api/solve", token, &json!({"challengeId": challenge, "flag": flag}))
}

/// `POST path` with a JSON body.
pub fn post(path: &str, token: &str, body: &serde_json::Value) -> Result<Ask> {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    Ok(request.header("x-api-key", token).body(Full::from(body.to_string()))?)
}

/// An answer.
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its whole body.
    pub body: Bytes,
}

/// Wants an answer to be 200 with `says` in its body.
pub fn expect(answer: &Answer, says: &str) -> Result<()> {
    let body = &answer.body;
    let found = says.is_empty() || body.windows(says.len()).any(|part| part == says.as_bytes());
    if answer.status != StatusCode::OK || !found {
        bail!("the answer was {}: {}", answer.status, String::from_utf8_lossy(body));
    }
    Ok(())
}

/// Whether a request certainly never left: the other side had closed the connection before.
pub fn is_unsent(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<hyper::Error>();
    error.is_some_and(|error| error.is_canceled() || error.is_closed())
}

/// A connection that is kept open.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    host: HeaderValue,
    /// What stands before each path.
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
        Self::over(site.connect().await?, site.name()?, site.path()).await
    }

    async fn over(stream: impl Duplex + 'static, host: HeaderValue, path: &str) -> Result<Self> {
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // Its end is seen by whoever asks next.
        tokio::spawn(async { drop(connection.await) });
        Ok(Self { sender, host, path: path.to_owned() })
    }

    /// Whether the other side has left it open, as far as is known.
    pub fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Asks, and takes the whole answer.
    pub async fn ask(&mut self, mut ask: Ask) -> Result<Answer> {
        ask.headers_mut().insert(header::HOST, self.host.clone());
        if !self.path.is_empty() {
            *ask.uri_mut() = format!("{}{}", self.path, ask.uri()).parse()?;
        }
        let answer = async {
            self.sender.ready().await?;
            let (head, body) = self.sender.send_request(ask).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok(Answer { status: head.status, headers: head.headers, body })
        };
        tokio::time::timeout(ANSWER_MAX, answer).await.context("no answer came in time")?
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn what_a_closed_connection_never_took_is_known() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let asked = stream.read(&mut [0; 4096]).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await.unwrap();
            asked
        });
        let mut connection = Connection::open(address).await.unwrap();
        let answer = connection.ask(get("/", "").unwrap()).await.unwrap();
        expect(&answer, "ok").unwrap();
        assert!(expect(&answer, "no").is_err() && serving.await.unwrap() > 0);
        let closed = async {
            while connection.is_open() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(ANSWER_MAX, closed).await.unwrap();
        let error = connection.ask(get("/", "").unwrap()).await.err().unwrap();
        assert!(is_unsent(&error), "{error:?}");
    }
}
