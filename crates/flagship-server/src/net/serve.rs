//! The accept loop of a listener: limits on the number and duration of connections, and an orderly
//! shutdown.
//!
//! This server speaks HTTP/1.1 only. A proxy in front of it speaks HTTP/2 to browsers.

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
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::address::{is_own_machine, network_of};
use super::connection::{ConnectionState, Limited, Reject, Rejection};
use super::forwarded::Forwarded;
use super::permits::{SitePermit, SitePermits};
use super::shutdown::shutdown_requested;

/// Largest head of a request, in bytes, and most that is read ahead.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Connections that may be open at once; fewer where the system gives fewer file descriptors.
const CONNECTIONS_MAX: usize = 30_000;
/// Connections from one network (an IPv4 address, an IPv6 /64) that is not trusted; a part of all
/// where that is fewer.
const CONNECTIONS_PER_NETWORK_MAX: usize = 1024;
const NETWORK_PART: usize = 4;
/// Most downloads at once; fewer where few files may be open.
const DOWNLOADS_MAX: usize = 1024;
/// The share of all file descriptors that downloads may use: a quarter.
const DOWNLOADS_PART: usize = 4;
/// File descriptors reserved for the database, mail and outgoing calls.
const DESCRIPTORS_KEPT: usize = 256;
/// Connections beyond the limit that are sent a response at once; further ones are just closed.
const REJECTIONS_MAX: usize = 128;
/// How long sending that response may take.
const REJECTION_MAX: Duration = Duration::from_secs(2);
/// Unread response bytes that the kernel may hold for one connection.
const SEND_BUFFER_BYTES: usize = 128 * 1024;
/// How long open requests may take to finish on shutdown.
const STOP_MAX: Duration = Duration::from_secs(3);
/// Pause after `accept` failed, for example for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Finds a cached response to a peer, which bypasses the router.
pub type Cached = Arc<dyn Fn(&Request<Incoming>, SocketAddr) -> Option<Response> + Send + Sync>;

/// How the connections of one listener are answered and limited.
pub struct Service {
    /// Answers requests.
    pub router: Router,
    /// Answers requests whose response is cached, before the router is asked.
    pub cached: Option<Cached>,
    /// Makes the responses for what never reaches the router.
    pub reject: Reject,
    /// True for an address in a network to which the limit for one network does not apply.
    pub spared: Box<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Limits the open connections.
    pub permits: Arc<SitePermits>,
    /// Counts the connections beyond the limit.
    pub rejected: Counter,
    /// Limits the requests of listed proxies.
    pub forwarded: Option<Arc<Forwarded>>,
}

/// What the connections of one listener share.
struct Listening {
    service: Service,
    http: Builder,
    rejections: Arc<Semaphore>,
    open: TaskTracker,
    shutdown: watch::Sender<bool>,
}

/// Accepts connections until `shutdown` completes; then lets open requests finish, and waits for
/// `others`, all within a few seconds.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    shutdown: impl Future<Output = ()>,
    others: impl Future<Output = ()>,
) {
    let mut http = Builder::new();
    // `Limited` limits how long a head may take.
    // A request may have 100 headers, the library's default, which costs less than a limit.
    http.header_read_timeout(None).max_buf_size(HEAD_BYTES_MAX);
    let listening = Listening {
        service,
        http,
        rejections: Arc::new(Semaphore::new(REJECTIONS_MAX)),
        open: TaskTracker::new(),
        shutdown: watch::Sender::new(false),
    };
    // Accepted streams inherit this option.
    let socket = socket2::SockRef::from(&listener);
    if let Err(error) = socket.set_send_buffer_size(SEND_BUFFER_BYTES) {
        tracing::warn!(%error, "the size of the send buffers could not be set");
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
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    let ended = async { tokio::join!(listening.close(), others) };
    if tokio::time::timeout(STOP_MAX, ended).await.is_err() {
        tracing::warn!("some requests were cut off by the shutdown");
    }
}

/// Raises the process's limit of open files to the most that the system allows.
pub fn raise_open_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::info!(%error, "the number of open files could not be raised");
    }
}

/// The limit of open files.
pub fn descriptors() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(descriptors).unwrap_or(usize::MAX)
}

/// How many downloads there may be at once: each has an open file beside its connection.
pub fn downloads_max() -> usize {
    DOWNLOADS_MAX.min(descriptors().saturating_sub(DESCRIPTORS_KEPT) / DOWNLOADS_PART).max(1)
}

/// Permits for the connections of one listener: as many as the limit of open files leaves room for,
/// `CONNECTIONS_MAX` at most.
pub fn connection_permits() -> Arc<SitePermits> {
    let (descriptors, kept) = (descriptors(), DESCRIPTORS_KEPT + downloads_max());
    let max = CONNECTIONS_MAX.min(descriptors.saturating_sub(kept).max(1));
    if max < CONNECTIONS_MAX {
        tracing::info!(max, descriptors, "connections are limited by the open files allowed");
    }
    let max_each = CONNECTIONS_PER_NETWORK_MAX.min(max / NETWORK_PART).max(1);
    Arc::new(SitePermits::new(max, max_each))
}

impl Listening {
    /// The network whose limit a connection counts towards; `None` if it is spared.
    fn holder(&self, peer: SocketAddr) -> Option<IpAddr> {
        let address = peer.ip().to_canonical();
        let network = network_of(address);
        let is_spared = is_own_machine(network) || (self.service.spared)(address);
        (!is_spared).then_some(network)
    }

    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        // Frames and responses are written whole, so Nagle's algorithm would only delay them.
        if stream.set_nodelay(true).is_err() {
            return;
        }
        if let Ok(permit) = self.service.permits.acquire(self.holder(peer)) {
            let router = Some(self.service.router.clone());
            self.open.spawn(self.converse(stream, peer, router, Some(permit)));
            return;
        }
        self.service.rejected.inc();
        if let Ok(permit) = self.rejections.clone().try_acquire_owned() {
            let rejecting = self.converse(stream, peer, None, None);
            self.open.spawn(async move {
                // A client that sends no request in time only sees the connection close.
                drop(tokio::time::timeout(REJECTION_MAX, rejecting).await);
                drop(permit);
            });
        }
    }

    /// Speaks HTTP until the connection ends; without a router every request is rejected.
    fn converse(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        router: Option<Router>,
        permit: Option<SitePermit>,
    ) -> impl Future<Output = ()> + use<> {
        let state = ConnectionState::default();
        let reject = self.service.reject;
        let stream = Limited::new(stream, state.clone(), reject, permit);
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
            // A client that has sent nothing yet needs no buffers.
            let is_heard = tokio::select! {
                readable = stream.readable() => readable.is_ok(),
                () = shutdown_requested(&mut shutdown) => false,
            };
            if !is_heard {
                return;
            }
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

    /// Ends idle connections and waits until the others have their responses.
    async fn close(&self) {
        self.shutdown.send_replace(true);
        self.open.close();
        self.open.wait().await;
    }
}

/// A rejection or a cached response, or else the router to ask.
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

/// The router's response.
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
    // Boxed, so that an idle connection stays small.
    Box::pin(answered.map(|answered| answered.unwrap_or_else(|never| match never {})))
}

/// True if another server could read a different request in the same bytes. The HTTP library picks
/// the reading that the standard prescribes; this server rejects the request instead.
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
