//! What stands between a client's stream and the HTTP library: time limits on a slow head and a
//! slow reader, a pace for those who only talk, and a proper answer where the library gives a bare
//! one.
//!
//! Where a connection stands is known from outside the library: a request begins when the service
//! is called, its answer ends when the answer's body is dropped and the stream is flushed. Whatever
//! is written between two requests is the library's own refusal of something that is no HTTP.
//!
//! A connection has one timer, which is moved only when it goes off: to set one for each request
//! takes a lock that all connections share.

use std::future::Future;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};

use crate::headers;
use crate::places::Place;

/// How long a client may take to send the head of a request, from its first byte on; on a new
/// connection from the beginning.
pub const HEAD_MAX: Duration = Duration::from_secs(10);
/// How long a connection may be idle between two requests.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// How long a client that reads slowly is waited for ...
const WRITE_WINDOW: Duration = Duration::from_secs(15);
/// ... before it must have taken so many bytes.
const WRITE_BYTES_MIN: usize = 64 * 1024;
/// A paced client may say at once what it may say in this time.
const PACE_BURST: Duration = Duration::from_secs(8);
/// How long a paced client that said more is not heard.
const PAUSE: Duration = Duration::from_millis(200);

/// Waits for the head of a request.
const WAITING: u8 = 0;
/// Reads a body, works, writes an answer.
const ANSWERING: u8 = 1;
/// The answer is made and on its way.
const ENDING: u8 = 2;
/// Speaks another protocol now.
const UPGRADED: u8 = 3;

/// What the service and the stream of one connection know of each other.
#[derive(Clone, Default)]
pub struct Stage(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stage: AtomicU8,
    /// Bytes a second that are read, from the upgrade on; 0 without a pace.
    pace: AtomicU32,
}

impl Stage {
    /// A request has come.
    pub fn begin(&self) {
        self.0.stage.store(ANSWERING, Ordering::Release);
    }

    /// Its answer goes out, unless the connection is another protocol's from now on.
    pub fn answer(&self, response: Response) -> http::Response<Watched> {
        let is_upgrade = response.status() == http::StatusCode::SWITCHING_PROTOCOLS;
        if is_upgrade {
            self.0.stage.store(UPGRADED, Ordering::Release);
        }
        let ends = (!is_upgrade).then(|| Ends(self.clone()));
        response.map(|body| Watched { body, _ends: ends })
    }

    /// From the upgrade on, reads no more than so many bytes a second, in the long run.
    pub fn pace(&self, bytes_per_s: u32) {
        self.0.pace.store(bytes_per_s, Ordering::Release);
    }

    fn get(&self) -> u8 {
        self.0.stage.load(Ordering::Acquire)
    }

    /// All that was written is on its way. Whether the next head is waited for from now on.
    fn flushed(&self) -> bool {
        let stage = &self.0.stage;
        // Any other stage stays as it is.
        stage.compare_exchange(ENDING, WAITING, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// Tells the stage when it is dropped.
struct Ends(Stage);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.0.stage.store(ENDING, Ordering::Release);
    }
}

/// A body that tells when the library is through with it.
pub struct Watched {
    body: Body,
    _ends: Option<Ends>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A client's stream with its limits.
pub struct Limited<S> {
    stream: S,
    stage: Stage,
    /// Until when the head must be there, or the client may be idle before it.
    due: Option<Instant>,
    /// Whether a head has begun.
    is_begun: bool,
    /// Goes off at `due` or before it.
    alarm: Pin<Box<Sleep>>,
    /// When a slow reader must have taken enough, and what it took since.
    window: Option<(Pin<Box<Sleep>>, usize)>,
    /// Bytes that may be read before the next pause.
    allowance: f64,
    earned_at: Instant,
    pause: Option<Pin<Box<Sleep>>>,
    /// What is still to be written in place of a bare refusal.
    refusal: Option<Bytes>,
    /// Its place among the open connections, also after an upgrade.
    _place: Option<Place<IpAddr>>,
}

impl<S> Limited<S> {
    /// Watches a stream that was just accepted.
    pub fn new(stream: S, stage: Stage, place: Option<Place<IpAddr>>) -> Self {
        let now = Instant::now();
        Self {
            stream,
            stage,
            due: Some(now + HEAD_MAX),
            is_begun: true,
            alarm: Box::pin(sleep_until(now + HEAD_MAX)),
            window: None,
            allowance: 0.0,
            earned_at: now,
            pause: None,
            refusal: None,
            _place: place,
        }
    }

    /// Ends a client whose head does not come.
    fn head_in_time(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
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

    /// Lets a paced client that said much wait until it may be read again.
    fn poll_pace(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let pace = self.stage.0.pace.load(Ordering::Acquire);
        if pace == 0 || self.stage.get() != UPGRADED {
            return Poll::Ready(());
        }
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(cx));
                self.pause = None;
            }
            let now = Instant::now();
            let earned = (now - self.earned_at).as_secs_f64() * f64::from(pace);
            let most = f64::from(pace) * PACE_BURST.as_secs_f64();
            self.allowance = (self.allowance + earned).min(most);
            self.earned_at = now;
            if self.allowance > 0.0 {
                return Poll::Ready(());
            }
            self.pause = Some(Box::pin(sleep_until(now + PAUSE)));
        }
    }

    /// Notes what a write came to; ends a client that takes too little.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        n: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &n {
            Poll::Ready(Ok(n)) => {
                if let Some((_, taken)) = &mut self.window {
                    *taken += n;
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let (end, taken) = self.window.get_or_insert_with(|| (window(), 0));
                while end.as_mut().poll(cx).is_ready() {
                    if *taken < WRITE_BYTES_MIN {
                        return Poll::Ready(Err(too_slow()));
                    }
                    (*end, *taken) = (window(), 0);
                }
            }
        }
        n
    }
}

fn window() -> Pin<Box<Sleep>> {
    Box::pin(sleep_until(Instant::now() + WRITE_WINDOW))
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the client is too slow")
}

impl Limited<TcpStream> {
    /// Waits until the client says something, as long as it may take with its first head.
    pub async fn readable(&self) -> io::Result<()> {
        timeout_at(self.alarm.deadline(), self.stream.readable()).await?
    }
}

impl<S: AsyncWrite + Unpin> Limited<S> {
    /// Writes our refusal in place of the library's; `None` when this is no refusal.
    fn poll_refuse(
        &mut self,
        cx: &mut Context<'_>,
        start: &[u8],
        bytes: usize,
    ) -> Poll<Option<io::Result<usize>>> {
        if self.refusal.is_none() {
            if self.stage.get() != WAITING {
                return Poll::Ready(None);
            }
            let Some(refusal) = headers::in_place_of(start) else { return Poll::Ready(None) };
            self.refusal = Some(refusal);
        }
        while let Some(rest) = self.refusal.as_mut().filter(|rest| !rest.is_empty()) {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest)) {
                Ok(n) => drop(rest.split_to(n)),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        self.refusal = None;
        Poll::Ready(Some(Ok(bytes)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let waits = this.stage.get() == WAITING;
        if !waits {
            (this.due, this.is_begun) = (None, false);
        }
        ready!(this.poll_pace(cx));
        let before = buf.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buf);
        if read.is_pending() {
            if waits {
                this.head_in_time(cx)?;
            }
            return Poll::Pending;
        }
        let n = buf.filled().len() - before;
        this.allowance -= n as f64;
        if waits && n > 0 && !this.is_begun {
            (this.due, this.is_begun) = (Some(Instant::now() + HEAD_MAX), true);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Limited<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(refused) = ready!(this.poll_refuse(cx, buf, buf.len())) {
            return Poll::Ready(refused);
        }
        let written = Pin::new(&mut this.stream).poll_write(cx, buf);
        this.written(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let start = bufs.iter().find(|buf| !buf.is_empty()).map_or(&[][..], |buf| buf);
        let bytes = bufs.iter().map(|buf| buf.len()).sum();
        if let Some(refused) = ready!(this.poll_refuse(cx, start, bytes)) {
            return Poll::Ready(refused);
        }
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        this.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // Whoever flushes has nothing more to write.
        this.window = None;
        if this.stage.flushed() {
            // The library may have asked for more already, and would not ask again.
            (this.due, this.is_begun) = (None, false);
            this.head_in_time(cx)?;
        }
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
