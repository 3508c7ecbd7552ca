//! A wrapper around a client's stream, below the HTTP library. It enforces time limits on slow
//! request heads and slow readers, limits the bytes per second read from WebSockets, and replaces
//! the HTTP library's error responses, which have no body, with Flagship's.
//!
//! This module tracks the stage of a connection itself: a request begins when the service is
//! called, and its response ends when the response body is dropped and the stream is flushed. Bytes
//! written while no request is in progress are the library's own response to invalid HTTP.
//!
//! Each connection has one permanent timer, for request heads. It is reset when it fires or when
//! the deadline moves earlier, not for each request, because a reset takes a lock shared by all
//! connections.

use std::any::Any;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::HttpBody;
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::permits::SitePermit;

/// Maximum time to receive a request head, measured from its first byte or, on a new connection,
/// from the accept.
pub const HEAD_TIME_MAX: Duration = Duration::from_secs(10);
/// Maximum idle time between two requests.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// Window for measuring the speed of a client that reads its response too slowly.
const WRITE_WINDOW: Duration = Duration::from_secs(15);
/// Minimum number of bytes that such a client must accept per window.
const WRITE_BYTES_MIN: usize = 64 * 1024;
/// The same minimum while other requests wait for a resource that the response holds.
const WANTED_BYTES_MIN: usize = 1024 * 1024;
/// Maximum time for such a client to read a response that holds no resource. Otherwise many slow
/// readers would each keep their own version of the scoreboard in memory.
const RESPONSE_MAX: Duration = Duration::from_secs(30);
/// Burst size for a client with a read rate, expressed as a time at that rate.
const READ_BURST: Duration = Duration::from_secs(8);
/// Pause before reading again from a client that has used up its read rate.
const PAUSE: Duration = Duration::from_millis(200);

/// Waiting for the head of a request.
const WAITING: u8 = 0;
/// Reading a body, handling the request, or writing the response.
const ANSWERING: u8 = 1;
/// The response's body was dropped; the stream is not flushed yet.
const ENDING: u8 = 2;
/// Upgraded to another protocol.
const UPGRADED: u8 = 3;

/// Reason for rejecting a request or connection before it reaches the routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// Too many connections are open.
    Full,
    /// The bytes are not a single unambiguous HTTP request.
    NotHttp,
    /// The request's URI is too long.
    LongUri,
    /// The headers are too large.
    LargeHead,
}

/// Builds the complete response for a rejection.
pub type Reject = fn(Rejection) -> http::Response<Bytes>;

/// A response extension: a resource that the response holds until its last byte is written, and
/// counters of the requests waiting for that resource. While any request waits, the client must
/// read faster.
#[derive(Clone)]
pub struct HeldResource {
    _permit: Arc<dyn Any + Send + Sync>,
    waiting: Vec<Arc<AtomicUsize>>,
}

impl HeldResource {
    /// Holds `permit`. Each counter in `waiting` has the number of requests waiting for it.
    pub fn new(permit: impl Any + Send + Sync, waiting: Vec<Arc<AtomicUsize>>) -> Self {
        Self { _permit: Arc::new(permit), waiting }
    }

    /// True while a request waits for the same resource.
    pub fn is_waited_for(&self) -> bool {
        self.waiting.iter().any(|number| number.load(Ordering::Relaxed) > 0)
    }
}

/// Stage and read rate of one connection, shared between its service and its stream.
#[derive(Clone, Default)]
pub struct ConnectionState(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stage: AtomicU8,
    /// Maximum bytes read per second after an upgrade; 0 means no limit.
    read_rate: AtomicU32,
    held: Mutex<ResponseResources>,
}

/// Resources held until the last byte of the response is written.
#[derive(Default)]
struct ResponseResources {
    /// Resource held by the response.
    response: Option<HeldResource>,
    /// Permit of a request forwarded by a proxy.
    forwarded: Option<SitePermit>,
}

impl ConnectionState {
    /// Records that a request has arrived.
    pub fn begin(&self) {
        self.0.stage.store(ANSWERING, Ordering::Release);
    }

    /// Holds the request's permit until the last byte of its response is written or, after an
    /// upgrade, until the connection ends.
    pub fn hold(&self, permit: SitePermit) {
        self.0.held.lock().forwarded = Some(permit);
    }

    /// Records that the response is being sent or that the connection was upgraded.
    pub fn answer(
        &self,
        mut response: Response,
    ) -> http::Response<impl HttpBody<Data = Bytes, Error = axum::Error> + use<>> {
        if let Some(held) = response.extensions_mut().remove() {
            self.0.held.lock().response = Some(held);
        }
        let is_upgrade = response.status() == http::StatusCode::SWITCHING_PROTOCOLS;
        if is_upgrade {
            self.0.stage.store(UPGRADED, Ordering::Release);
        }
        let ended = (!is_upgrade).then(|| EndGuard(self.clone()));
        response.map(|body| {
            // The body keeps `ended` alive until it is dropped.
            body.map_err(move |error| {
                let _ended = &ended;
                error
            })
        })
    }

    /// Sets the maximum average number of bytes read per second after the upgrade.
    pub fn set_read_rate(&self, bytes_per_s: u32) {
        self.0.read_rate.store(bytes_per_s, Ordering::Release);
    }

    fn get(&self) -> u8 {
        self.0.stage.load(Ordering::Acquire)
    }

    /// Records a flush. Returns true if the connection now waits for the next head.
    fn flushed(&self) -> bool {
        let stage = &self.0.stage;
        // Every other stage stays unchanged.
        let is_over =
            stage.compare_exchange(ENDING, WAITING, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if is_over {
            *self.0.held.lock() = ResponseResources::default();
        }
        is_over
    }

    fn holds(&self) -> bool {
        self.0.held.lock().response.is_some()
    }

    /// True if the response as a whole has a time limit.
    fn is_bounded(&self) -> bool {
        self.get() != UPGRADED && !self.holds()
    }

    /// Returns the minimum number of bytes that the client must accept per window.
    fn write_bytes_min(&self) -> usize {
        let is_wanted =
            self.0.held.lock().response.as_ref().is_some_and(HeldResource::is_waited_for);
        if is_wanted { WANTED_BYTES_MIN } else { WRITE_BYTES_MIN }
    }
}

/// Ends the response when it is dropped.
struct EndGuard(ConnectionState);

impl Drop for EndGuard {
    fn drop(&mut self) {
        self.0.0.stage.store(ENDING, Ordering::Release);
    }
}

/// Measurement window for a client that blocks writes.
struct Window {
    end: Pin<Box<Sleep>>,
    /// Bytes accepted by the client in this window.
    accepted: usize,
    /// Start of the first window of the current series.
    blocked_at: Instant,
}

impl Window {
    fn new() -> Self {
        let now = Instant::now();
        Self { end: Box::pin(sleep_until(now + WRITE_WINDOW)), accepted: 0, blocked_at: now }
    }

    /// Starts the next window.
    fn renew(&mut self) {
        self.end.as_mut().reset(Instant::now() + WRITE_WINDOW);
        self.accepted = 0;
    }
}

/// A client's stream with the limits of this module.
pub struct LimitedStream<S> {
    stream: S,
    state: ConnectionState,
    /// Deadline for the rest of a head that has begun, otherwise for the first byte of the next
    /// head. `None` while no head is expected, or before the deadline is set.
    due: Option<Instant>,
    /// True if `due` is the deadline of a head: part of it has arrived, or the connection is new.
    is_head_timed: bool,
    /// Timer that fires at `due` or earlier while a read waits for a head.
    alarm: Pin<Box<Sleep>>,
    /// `None` if no write has blocked since the last flush and the response holds no resource.
    window: Option<Window>,
    /// Number of bytes that may be read before the next pause.
    allowance: f64,
    /// Time at which `allowance` was last increased.
    refilled_at: Instant,
    pause: Option<Pin<Box<Sleep>>>,
    reject: Reject,
    /// Unwritten part of Flagship's rejection, which replaces the library's response.
    rejection: Option<Bytes>,
    /// Permit held until the stream is dropped, including after an upgrade.
    _permit: Option<SitePermit>,
}

impl<S> LimitedStream<S> {
    /// Wraps a client's stream. `due` is the deadline of the first head.
    pub fn new(
        stream: S,
        due: Instant,
        state: ConnectionState,
        reject: Reject,
        permit: Option<SitePermit>,
    ) -> Self {
        Self {
            stream,
            state,
            due: Some(due),
            is_head_timed: true,
            alarm: Box::pin(sleep_until(due)),
            window: None,
            allowance: 0.0,
            refilled_at: Instant::now(),
            pause: None,
            reject,
            rejection: None,
            _permit: permit,
        }
    }

    /// Fails once `due` has passed. Without a deadline, sets the one for idle connections.
    fn check_due(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let due = *self.due.get_or_insert_with(|| Instant::now() + IDLE_MAX);
        if self.alarm.deadline() > due {
            self.alarm.as_mut().reset(due);
        }
        while self.alarm.as_mut().poll(cx).is_ready() {
            if self.alarm.deadline() >= due {
                return Err(too_slow());
            }
            self.alarm.as_mut().reset(due);
        }
        Ok(())
    }

    /// Waits until the read rate allows the next read.
    fn poll_read_rate(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let read_rate = self.state.0.read_rate.load(Ordering::Acquire);
        if read_rate == 0 || self.state.get() != UPGRADED {
            return Poll::Ready(());
        }
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(cx));
                self.pause = None;
            }
            let now = Instant::now();
            let earned = (now - self.refilled_at).as_secs_f64() * f64::from(read_rate);
            let most = f64::from(read_rate) * READ_BURST.as_secs_f64();
            self.allowance = (self.allowance + earned).min(most);
            self.refilled_at = now;
            if self.allowance > 0.0 {
                return Poll::Ready(());
            }
            self.pause = Some(Box::pin(sleep_until(now + PAUSE)));
        }
    }

    /// Records the result of a write. Fails if the client accepts too few bytes per window.
    fn record_write(
        &mut self,
        cx: &mut Context<'_>,
        n: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &n {
            Poll::Ready(Ok(n)) => {
                if let Some(window) = &mut self.window {
                    window.accepted += n;
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let window = self.window.get_or_insert_with(Window::new);
                while window.end.as_mut().poll(cx).is_ready() {
                    let is_late = window.blocked_at.elapsed() >= RESPONSE_MAX;
                    if window.accepted < self.state.write_bytes_min()
                        || (is_late && self.state.is_bounded())
                    {
                        return Poll::Ready(Err(too_slow()));
                    }
                    window.renew();
                }
            }
        }
        n
    }
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the client sent or read too little in time")
}

/// Returns the rejection that a response of the HTTP library corresponds to, judging by its first
/// bytes; `None` for any other response.
fn rejection_of(start: &[u8]) -> Option<Rejection> {
    match start.strip_prefix(b"HTTP/1.1 ")?.first_chunk()? {
        b"400" => Some(Rejection::NotHttp),
        b"414" => Some(Rejection::LongUri),
        b"431" => Some(Rejection::LargeHead),
        _ => None,
    }
}

/// Serializes a response as HTTP/1.1.
fn response_bytes(response: &http::Response<Bytes>) -> Bytes {
    let mut bytes = format!("HTTP/1.1 {}\r\n", response.status()).into_bytes();
    for (name, value) in response.headers() {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(response.body());
    bytes.into()
}

impl<S: AsyncWrite + Unpin> LimitedStream<S> {
    /// Writes Flagship's rejection in place of the library's response; `None` if this is any other
    /// write.
    fn poll_reject(
        &mut self,
        cx: &mut Context<'_>,
        start: &[u8],
        count: usize,
    ) -> Poll<Option<io::Result<usize>>> {
        if self.rejection.is_none() {
            if self.state.get() != WAITING {
                return Poll::Ready(None);
            }
            let Some(rejection) = rejection_of(start) else { return Poll::Ready(None) };
            self.rejection = Some(response_bytes(&(self.reject)(rejection)));
        }
        while let Some(rest) = self.rejection.as_mut().filter(|rest| !rest.is_empty()) {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest)) {
                Ok(n) => drop(rest.split_to(n)),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        self.rejection = None;
        // The library sees its own bytes as written.
        Poll::Ready(Some(Ok(count)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let waits = this.state.get() == WAITING;
        if !waits {
            (this.due, this.is_head_timed) = (None, false);
        }
        ready!(this.poll_read_rate(cx));
        let before = buf.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buf);
        if read.is_pending() {
            if waits {
                this.check_due(cx)?;
            }
            return Poll::Pending;
        }
        let n = buf.filled().len() - before;
        this.allowance -= n as f64;
        if waits && n > 0 && !this.is_head_timed {
            (this.due, this.is_head_timed) = (Some(Instant::now() + HEAD_TIME_MAX), true);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(rejected) = ready!(this.poll_reject(cx, buf, buf.len())) {
            return Poll::Ready(rejected);
        }
        let written = Pin::new(&mut this.stream).poll_write(cx, buf);
        this.record_write(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let start = bufs.iter().find(|buf| !buf.is_empty()).map_or(&[][..], |buf| buf);
        let count = bufs.iter().map(|buf| buf.len()).sum();
        if let Some(rejected) = ready!(this.poll_reject(cx, start, count)) {
            return Poll::Ready(rejected);
        }
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        this.record_write(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(cx);
        if flushed.is_pending() {
            // An encrypted stream still holds bytes that the client has not accepted.
            return this.record_write(cx, Poll::Pending).map_ok(drop);
        }
        let is_over = this.state.flushed();
        // The library has written everything, so the client has caught up. A response that holds a
        // resource is measured as a whole.
        if this.window.is_some() && !this.state.holds() {
            this.window = None;
        }
        if is_over {
            // The library's read may be pending from before the stage changed and is not polled
            // again, so the deadline is set here.
            (this.due, this.is_head_timed) = (None, false);
            this.check_due(cx)?;
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Body;
    use hyper::server::conn::http1::Builder;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::task::JoinHandle;

    use super::*;
    use crate::net::permits::SitePermits;

    /// Sends a request that gets `response`; returns the connection and the task that serves it.
    async fn ask(response: Response) -> (DuplexStream, JoinHandle<hyper::Result<()>>) {
        ask_with(None, response).await
    }

    /// Like `ask`, with a permit as for a forwarded request.
    async fn ask_with(
        permit: Option<SitePermit>,
        response: Response,
    ) -> (DuplexStream, JoinHandle<hyper::Result<()>>) {
        let (mut client, server) = duplex(1024);
        let permit = Mutex::new(permit);
        let response = Mutex::new(Some(response));
        let state = ConnectionState::default();
        let reject: Reject = |_| unreachable!("nothing is rejected");
        let due = Instant::now() + HEAD_TIME_MAX;
        let stream = LimitedStream::new(server, due, state.clone(), reject, None);
        let service = service_fn(move |_| {
            state.begin();
            permit.lock().take().into_iter().for_each(|permit| state.hold(permit));
            let response = response.lock().take().expect("one request");
            let answer = state.answer(response);
            async { Ok::<_, Infallible>(answer) }
        });
        let serving = tokio::spawn(Builder::new().serve_connection(TokioIo::new(stream), service));
        client.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.expect("it is open");
        (client, serving)
    }

    /// Reads 5 KiB per second, more than the minimum. Returns true if all of `bytes` arrive.
    async fn read_slowly(mut client: DuplexStream, bytes: usize) -> bool {
        let mut received = 0;
        let mut piece = vec![0; 512];
        while received < bytes {
            match client.read(&mut piece).await {
                Ok(0) | Err(_) => return false,
                Ok(n) => received += n,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        true
    }

    #[tokio::test]
    async fn only_downloads_may_take_longer_than_30_seconds() {
        let bytes = 180_000;
        let body = || Response::new(Body::from(vec![0; bytes]));
        let mut held = body();
        held.extensions_mut().insert(HeldResource::new((), Vec::new()));
        let board = body();
        let (board, download) = (ask(board).await.0, ask(held).await.0);
        let (board, download) =
            tokio::join!(read_slowly(board, bytes), read_slowly(download, bytes));
        assert!(!board, "a board is cut off");
        assert!(download, "a download is not");
    }

    #[tokio::test]
    async fn response_resources_are_dropped_after_the_last_byte() {
        let permit = Arc::new(());
        let body = vec![0; 100_000];
        let held = Arc::downgrade(&permit);
        let mut response = Response::new(Body::from(body));
        response.extensions_mut().insert(HeldResource::new(permit, Vec::new()));
        let permits = SitePermits::new(1, 1);
        let (mut client, serving) = ask_with(permits.acquire(None).ok(), response).await;
        let mut received = vec![0; 64 * 1024];
        client.read_exact(&mut received).await.expect("most of the body");
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(held.upgrade().is_some(), "a part is not written yet");
        assert_eq!(permits.held(), 1, "the request counts as well");
        while held.upgrade().is_some() || permits.held() > 0 {
            assert!(client.read(&mut received).await.expect("it is open") > 0);
        }
        drop(client);
        serving.await.expect("it ends").expect("without an error");
    }
}
