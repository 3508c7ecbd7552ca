//! An upload that is announced in full and sent in part, to learn how large a request may be.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use anyhow::Result;
use bytes::Bytes;
use http::{StatusCode, header};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, SizeHint};
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use tokio::time::{Interval, interval};

use crate::site::Site;

/// Bytes of a frame.
const CHUNK_BYTES: u64 = 64 * 1024;
/// Time between two frames. A proxy such as Caddy forwards a response only while it receives.
const CHUNK_INTERVAL: Duration = Duration::from_millis(10);

/// Announces an upload of `announced` bytes to a path of the site, sends the first `sent` of them
/// little by little, and returns the status and the body of the response.
///
/// # Errors
/// The site cannot be reached, or ends the connection without a response.
pub async fn upload_part(
    site: &Site,
    path: &str,
    announced: u64,
    sent: u64,
) -> Result<(StatusCode, Bytes)> {
    let (mut sender, connection) = handshake(TokioIo::new(site.connect().await?)).await?;
    let connection = tokio::spawn(async { drop(connection.await) });
    let request = http::Request::post(format!("{}{path}", site.path()))
        .header(header::HOST, site.host_header()?)
        .header(header::CONTENT_TYPE, "application/octet-stream")
        // Without a key the request looks like one of another site.
        .header("x-api-key", "none")
        .body(Part { announced, left: sent, pace: interval(CHUNK_INTERVAL) })?;
    let response = async {
        let (head, body) = sender.send_request(request).await?.into_parts();
        anyhow::Ok((head.status, body.collect().await?.to_bytes()))
    };
    let response = response.await;
    connection.abort();
    response
}

/// A body that stops before its end.
struct Part {
    announced: u64,
    left: u64,
    pace: Interval,
}

impl Body for Part {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let chunk = self.left.min(CHUNK_BYTES);
        if chunk == 0 {
            return Poll::Pending;
        }
        ready!(self.pace.poll_tick(context));
        self.left -= chunk;
        let bytes = Bytes::from(vec![0; usize::try_from(chunk).expect("a chunk is small")]);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.announced)
    }
}
