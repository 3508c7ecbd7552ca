//! The accept loop of a listener, with limits on the number and duration of connections and a
//! graceful shutdown.
//!
//! The server speaks only HTTP/1.1, with or without TLS. A proxy in front of it speaks HTTP/2 to
//! browsers.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::Either;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use prometheus_client::metrics::counter::Counter;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::address::{is_loopback, network_of};
use super::connection::{ConnectionState, HEAD_TIME_MAX, LimitedStream, Reject, Rejection};
use super::forwarded::ForwardLimits;
use super::permits::{SitePermit, SitePermits};
use super::shutdown::shutdown_requested;
use super::tls::{self, ClientStream};

/// Maximum size of a request head, in bytes; also the size of the read buffer.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Maximum number of open connections; lower if the system allows fewer file descriptors.
const CONNECTIONS_MAX: usize = 30_000;
/// Maximum number of connections from one untrusted network (an IPv4 address or an IPv6 /64), or a
/// quarter of all connections if that is lower.
const CONNECTIONS_PER_NETWORK_MAX: usize = 1024;
const NETWORK_PART: usize = 4;
/// Maximum number of open connections of the listener that redirects to https; lower if few files
/// may be open.
const REDIRECTS_MAX: usize = 1024;
/// Divisor for the share of file descriptors that redirects may use.
const REDIRECTS_PART: usize = 16;
/// Maximum number of concurrent downloads; lower if few files may be open.
const DOWNLOADS_MAX: usize = 1024;
/// Divisor for the share of file descriptors that downloads may use.
const DOWNLOADS_PART: usize = 4;
/// File descriptors reserved for the database, email and outgoing requests.
const DESCRIPTORS_KEPT: usize = 256;
/// Maximum number of concurrent error responses to connections beyond the limit; further
/// connections are closed without one.
const REJECTIONS_MAX: usize = 128;
/// Maximum time for sending such a response.
const REJECTION_MAX: Duration = Duration::from_secs(2);
/// Maximum number of unread response bytes that the kernel buffers per connection.
const SEND_BUFFER_BYTES: usize = 128 * 1024;
/// Maximum time for open requests to finish on shutdown.
const STOP_MAX: Duration = Duration::from_secs(3);
/// Pause after a failed `accept`, for example when file descriptors run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Returns a cached response to a peer's request, bypassing the router.
pub type Cached = Arc<dyn Fn(&Request<Incoming>, SocketAddr) -> Option<Response> + Send + Sync>;

/// Request handling and limits for the connections of one listener.
pub struct Service {
    /// Handles requests.
    pub router: Router,
    /// Answers cached requests before the router sees them.
    pub cached: Option<Cached>,
    /// Builds the responses to requests that never reach the router.
    pub reject: Reject,
    /// True for addresses that are exempt from the limit per network.
    pub exempt: Box<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Limits the open connections.
    pub permits: Arc<SitePermits>,
    /// Number of connections rejected at the limit.
    pub rejected: Counter,
    /// Limits on requests from listed proxies.
    pub forwarded: Option<Arc<ForwardLimits>>,
    /// Encrypts the connections; `None` for plain HTTP.
    pub tls: Option<TlsAcceptor>,
}

/// State shared by the connections of one listener.
struct ListenerState {
    service: Service,
    http: Builder,
    rejections: Arc<Semaphore>,
    open: TaskTracker,
    shutdown: watch::Sender<bool>,
}

/// Accepts connections until `shutdown` completes, then waits a few seconds for open requests and
/// `others` to finish.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    shutdown: impl Future<Output = ()>,
    others: impl Future<Output = ()>,
) {
    let mut http = Builder::new();
    // `LimitedStream` limits the time for a head. The library's default of 100 headers per request
    // stays in place because setting a limit costs more.
    http.header_read_timeout(None).max_buf_size(HEAD_BYTES_MAX);
    let listening = ListenerState {
        service,
        http,
        rejections: Arc::new(Semaphore::new(REJECTIONS_MAX)),
        open: TaskTracker::new(),
        shutdown: watch::Sender::new(false),
    };
    // Accepted streams inherit this option.
    let socket = socket2::SockRef::from(&listener);
    if let Err(error) = socket.set_send_buffer_size(SEND_BUFFER_BYTES) {
        tracing::warn!(%error, "failed to set the send buffer size");
    }
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => listening.admit(stream, peer),
            Err(error) => {
                tracing::warn!(%error, "failed to accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    let ended = async { tokio::join!(listening.close(), others) };
    if tokio::time::timeout(STOP_MAX, ended).await.is_err() {
        tracing::warn!("shutdown aborted some requests");
    }
}

/// Raises the process's open file limit to the maximum that the system allows.
pub fn raise_open_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::info!(%error, "failed to raise the open file limit");
    }
}

/// Returns the open file limit.
pub fn descriptors() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(descriptors).unwrap_or(usize::MAX)
}

/// Returns the maximum number of concurrent downloads. Each one has an open file besides its
/// connection.
pub fn downloads_max() -> usize {
    DOWNLOADS_MAX.min(descriptors().saturating_sub(DESCRIPTORS_KEPT) / DOWNLOADS_PART).max(1)
}

/// Creates the connection permits of one listener: as many as the open file limit allows, up to
/// `CONNECTIONS_MAX`.
pub fn connection_permits() -> Arc<SitePermits> {
    let (descriptors, kept) = (descriptors(), DESCRIPTORS_KEPT + downloads_max());
    let max = CONNECTIONS_MAX.min(descriptors.saturating_sub(kept).max(1));
    if max < CONNECTIONS_MAX {
        tracing::info!(max, descriptors, "connections are limited by the open file limit");
    }
    let max_each = CONNECTIONS_PER_NETWORK_MAX.min(max / NETWORK_PART).max(1);
    Arc::new(SitePermits::new(max, max_each))
}

/// Creates the connection permits of the listener that redirects to https.
pub fn redirect_permits() -> Arc<SitePermits> {
    let max = REDIRECTS_MAX.min(descriptors() / REDIRECTS_PART).max(1);
    Arc::new(SitePermits::new(max, (max / NETWORK_PART).max(1)))
}

impl ListenerState {
    /// Returns the network that a connection counts toward; `None` if it is exempt.
    fn holder(&self, peer: SocketAddr) -> Option<IpAddr> {
        let address = peer.ip().to_canonical();
        let network = network_of(address);
        let is_exempt = is_loopback(network) || (self.service.exempt)(address);
        (!is_exempt).then_some(network)
    }

    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        // Frames and responses are written whole, so Nagle's algorithm would only delay them.
        if stream.set_nodelay(true).is_err() {
            return;
        }
        if let Ok(permit) = self.service.permits.acquire(self.holder(peer)) {
            let router = Some(self.service.router.clone());
            self.open.spawn(self.serve_connection(stream, peer, router, Some(permit)));
            return;
        }
        self.service.rejected.inc();
        if self.service.tls.is_some() {
            // A handshake costs more than the limit is meant to allow.
            return;
        }
        if let Ok(permit) = self.rejections.clone().try_acquire_owned() {
            let rejecting = self.serve_connection(stream, peer, None, None);
            self.open.spawn(async move {
                // A client that sends no request in time only sees the connection close.
                drop(tokio::time::timeout(REJECTION_MAX, rejecting).await);
                drop(permit);
            });
        }
    }

    /// Serves HTTP until the connection ends. Without a router, every request is rejected.
    fn serve_connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        router: Option<Router>,
        permit: Option<SitePermit>,
    ) -> impl Future<Output = ()> + use<> {
        let due = Instant::now() + HEAD_TIME_MAX;
        let state = ConnectionState::default();
        let stream_state = state.clone();
        let reject = self.service.reject;
        let tls = self.service.tls.clone();
        let cached = self.service.cached.clone();
        let forwarded = self.service.forwarded.clone();
        let forwarded = forwarded.filter(|it| (it.is_proxy)(peer.ip().to_canonical()));
        let service = service_fn(move |request: Request<Incoming>| {
            state.begin();
            let is_admitted = match &forwarded {
                Some(it) => it.admit(request.headers(), peer, &state),
                None => true,
            };
            let router = router.as_ref().filter(|_| is_admitted);
            let answer = match without_router(router, cached.as_ref(), reject, &request, peer) {
                Ok(response) => Either::Left(ready(response)),
                Err(router) => Either::Right(routed(router, request, peer, &state)),
            };
            let state = state.clone();
            answer.map(move |response| Ok::<_, Infallible>(state.answer(response)))
        });
        let http = self.http.clone();
        let mut shutdown = self.shutdown.subscribe();
        async move {
            let opened = tokio::select! {
                opened = timeout_at(due, open(stream, tls)) => opened,
                () = shutdown_requested(&mut shutdown) => return,
            };
            let Ok(Some(stream)) = opened else { return };
            let stream = LimitedStream::new(stream, due, stream_state, reject, permit);
            let connection = http.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection.with_upgrades());
            // A broken connection is not an error of the server.
            tokio::select! {
                _ = connection.as_mut() => return,
                () = shutdown_requested(&mut shutdown) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
        }
    }

    /// Ends idle connections and waits for the others to receive their responses.
    async fn close(&self) {
        self.shutdown.send_replace(true);
        self.open.close();
        self.open.wait().await;
    }
}

/// Waits for the client's first bytes and, with TLS, for the end of the handshake. Returns `None`
/// if the client closes the connection or the handshake fails. Neither is an error of the server.
async fn open(stream: TcpStream, tls: Option<TlsAcceptor>) -> Option<ClientStream> {
    // A client that has not sent anything yet needs no buffers.
    stream.readable().await.ok()?;
    match tls {
        None => Some(ClientStream::Plain(stream)),
        // Boxed to keep the tasks of plain connections small.
        Some(tls) => Box::pin(tls::handshake(&tls, stream)).await.ok(),
    }
}

/// Returns a rejection or a cached response, or else the router to use.
fn without_router<'a>(
    router: Option<&'a Router>,
    cached: Option<&Cached>,
    reject: Reject,
    request: &Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, &'a Router> {
    let Some(router) = router else { return Ok(reject(Rejection::Full).map(Body::from)) };
    if is_ambiguous(request.headers()) {
        return Ok(reject(Rejection::NotHttp).map(Body::from));
    }
    cached.and_then(|cached| cached(request, peer)).ok_or(router)
}

/// Runs a request through the router.
fn routed(
    router: &Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    state: &ConnectionState,
) -> impl Future<Output = Response> + Send + use<> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(peer);
    request.extensions_mut().insert(state.clone());
    let answered = router.clone().oneshot(request);
    // Boxed to keep idle connections small.
    Box::pin(answered.map(|answered| answered.unwrap_or_else(|never| match never {})))
}

/// True if another server could read a different request in the same bytes. The HTTP library
/// follows the standard's interpretation; this server rejects the request instead.
fn is_ambiguous(headers: &HeaderMap) -> bool {
    let are_several = |name| headers.get_all(name).iter().nth(1).is_some();
    let is_length_ambiguous = match headers.get(header::TRANSFER_ENCODING) {
        None => are_several(header::CONTENT_LENGTH),
        Some(coding) => {
            !coding.as_bytes().eq_ignore_ascii_case(b"chunked")
                || are_several(header::TRANSFER_ENCODING)
                || headers.contains_key(header::CONTENT_LENGTH)
        }
    };
    is_length_ambiguous || are_several(header::HOST)
}
