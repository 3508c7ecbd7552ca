//! The listener's loop: connections with limits on their number and time, and an orderly end.
//!
//! HTTP/1.1 alone is spoken here. Players speak HTTP/2 to the proxy in front, which speaks this.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use flagship_pack::Network;
use futures_util::FutureExt;
use futures_util::future::Either;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::app::{App, app, told, watched};
use crate::connection::{Limited, Stage};
use crate::downloads::DOWNLOADS_MAX;
use crate::error::ApiError;
use crate::extract::{is_own_machine, network_of};
use crate::headers;
use crate::metrics::Metrics;
use crate::places::{Place, Places};
use crate::shortcut::Shortcut;

/// Largest head of a request, in bytes, and most that is read ahead.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Headers of a request.
const HEADERS_MAX: usize = 100;
/// Connections that may be open at once; fewer where the system gives fewer file descriptors.
const CONNECTIONS_MAX: usize = 30_000;
/// Connections from one network (an IPv4 address, an IPv6 /64) that is not trusted.
const CONNECTIONS_PER_NETWORK_MAX: usize = 1024;
/// File descriptors that connections and downloads leave to the database, mail and calls.
const DESCRIPTORS_KEPT: usize = 256;
/// The part of all others that downloads may take where there are few: a quarter.
const DOWNLOADS_PART: usize = 4;
/// Connections beyond the limit that are told so at once; more of them are just closed.
const REFUSALS_MAX: usize = 128;
/// How long one of those may take.
const REFUSAL_MAX: Duration = Duration::from_secs(2);
/// What the system may hold of an answer that its client does not read, in bytes a connection.
const SEND_BUFFER_BYTES: usize = 128 * 1024;
/// How long open requests may take to end when the program stops.
const STOP_MAX: Duration = Duration::from_secs(3);
/// Pause after the system refused a connection, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What all connections share.
struct Gate {
    /// Networks that the limits for one network spare.
    spared: Vec<Network>,
    router: Router,
    shortcut: Option<Arc<Shortcut>>,
    http: Builder,
    places: Arc<Places<IpAddr>>,
    metrics: Option<Arc<Metrics>>,
    refusals: Arc<Semaphore>,
    open: TaskTracker,
    stop: watch::Sender<bool>,
}

/// Serves until `stop` resolves; then finishes what was begun, within a few seconds: sockets are
/// told goodbye, requests under way get their answers, and then the tasks behind them end.
pub async fn serve(listener: TcpListener, state: App, stop: impl Future<Output = ()>) {
    let limits = &state.config().settings.limits;
    let spared = limits.trusted_networks.iter().chain(&limits.trusted_proxies).copied().collect();
    let gate = Gate::new(app(state.clone()), spared, state.connections.clone());
    let shortcut = Shortcut::new(&state).map(Arc::new);
    let gate = Gate { metrics: state.metrics.clone(), shortcut, ..gate };
    let leave = async {
        stop.await;
        state.leave();
    };
    gate.serve(listener, leave, state.sockets.ended()).await;
    state.stop().await;
}

/// Serves `/metrics`, `/healthz` and `/readyz` behind the same limits, until it is dropped.
pub async fn serve_metrics(listener: TcpListener, state: App) {
    serve_router(listener, watched(state), Vec::new(), std::future::pending()).await;
}

/// Serves any routes behind the same limits. `spared` are the networks that may have more
/// connections than others.
pub async fn serve_router(
    listener: TcpListener,
    router: Router,
    spared: Vec<Network>,
    stop: impl Future<Output = ()>,
) {
    Gate::new(router, spared, places()).serve(listener, stop, std::future::ready(())).await;
}

/// Lets the program have as many open files as the system allows it: systems begin with few.
pub fn raise_open_files() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::info!(%error, "the number of open files could not be raised");
    }
}

/// How many file descriptors the system gives.
fn descriptors() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(descriptors).unwrap_or(usize::MAX)
}

/// How many files may be sent at once: each has a descriptor beside its connection's.
pub fn downloads_max() -> usize {
    DOWNLOADS_MAX.min(descriptors().saturating_sub(DESCRIPTORS_KEPT) / DOWNLOADS_PART).max(1)
}

/// How many connections the system lets the program have, the named limit at most.
fn connections_max() -> usize {
    let (descriptors, kept) = (descriptors(), DESCRIPTORS_KEPT + downloads_max());
    let max = CONNECTIONS_MAX.min(descriptors.saturating_sub(kept).max(1));
    if max < CONNECTIONS_MAX {
        tracing::info!(max, descriptors, "connections are limited by the open files allowed");
    }
    max
}

/// Places for the connections of one listener.
pub fn places() -> Arc<Places<IpAddr>> {
    Places::new(connections_max(), CONNECTIONS_PER_NETWORK_MAX)
}

impl Gate {
    fn new(router: Router, spared: Vec<Network>, places: Arc<Places<IpAddr>>) -> Self {
        let mut http = Builder::new();
        // How long a head may take is the business of `Limited`.
        http.header_read_timeout(None).max_buf_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
        Self {
            spared,
            router,
            shortcut: None,
            http,
            places,
            metrics: None,
            refusals: Arc::new(Semaphore::new(REFUSALS_MAX)),
            open: TaskTracker::new(),
            stop: watch::Sender::new(false),
        }
    }

    /// Lets connections in until `stop` resolves; then ends them, and waits for `others`.
    async fn serve(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
        others: impl Future<Output = ()>,
    ) {
        // Accepted streams inherit it.
        let socket = socket2::SockRef::from(&listener);
        if let Err(error) = socket.set_send_buffer_size(SEND_BUFFER_BYTES) {
            tracing::warn!(%error, "the size of the send buffers could not be set");
        }
        tokio::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, peer)) => self.let_in(stream, peer),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(listener);
        let ended = async { tokio::join!(self.close(), others) };
        if tokio::time::timeout(STOP_MAX, ended).await.is_err() {
            tracing::warn!("some requests were cut off by the stop");
        }
    }

    /// The network that a connection counts for; `None` for those that are spared.
    fn holder(&self, peer: SocketAddr) -> Option<IpAddr> {
        let address = peer.ip().to_canonical();
        let network = network_of(address);
        let is_listed = self.spared.iter().any(|it| it.contains(address));
        let is_spared = is_own_machine(network) || is_listed;
        (!is_spared).then_some(network)
    }

    fn let_in(&self, stream: TcpStream, peer: SocketAddr) {
        // Frames and answers are written whole: nothing is gained by waiting for more.
        if stream.set_nodelay(true).is_err() {
            return;
        }
        if let Ok(place) = self.places.take(self.holder(peer)) {
            let router = Some(self.router.clone());
            self.open.spawn(self.converse(stream, peer, router, Some(place)));
            return;
        }
        if let Some(metrics) = &self.metrics {
            metrics.refused();
        }
        if let Ok(place) = self.refusals.clone().try_acquire_owned() {
            let refusing = self.converse(stream, peer, None, None);
            self.open.spawn(async move {
                // Whoever does not ask in time learns it by the closed connection.
                drop(tokio::time::timeout(REFUSAL_MAX, refusing).await);
                drop(place);
            });
        }
    }

    /// Speaks HTTP until the connection ends; without a router every answer is a refusal.
    fn converse(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        router: Option<Router>,
        place: Option<Place<IpAddr>>,
    ) -> impl Future<Output = ()> + use<> {
        let stage = Stage::default();
        let stream = Limited::new(stream, stage.clone(), place);
        let shortcut = self.shortcut.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            stage.begin();
            let answer = match at_once(router.as_ref(), shortcut.as_deref(), &request) {
                Ok(response) => Either::Left(ready(response)),
                Err(router) => Either::Right(routed(router, request, peer, &stage)),
            };
            let stage = stage.clone();
            answer.map(move |response| Ok::<_, Infallible>(stage.answer(response)))
        });
        let http = self.http.clone();
        let mut stop = self.stop.subscribe();
        async move {
            // Whoever has nothing to say yet takes no buffers.
            let is_heard = tokio::select! {
                readable = stream.readable() => readable.is_ok(),
                () = told(&mut stop) => false,
            };
            if !is_heard {
                return;
            }
            let connection = http.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection.with_upgrades());
            // A connection that breaks is its client's business.
            tokio::select! {
                _ = connection.as_mut() => return,
                () = told(&mut stop) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
        }
    }

    /// Ends idle connections and waits until the others have their answers.
    async fn close(&self) {
        self.stop.send_replace(true);
        self.open.close();
        self.open.wait().await;
    }
}

/// The answer to what needs no routes, or else the routes that are to be asked.
fn at_once<'a, B>(
    router: Option<&'a Router>,
    shortcut: Option<&Shortcut>,
    request: &Request<B>,
) -> Result<Response, &'a Router> {
    let Some(router) = router else { return Ok(headers::refusal(ApiError::overload())) };
    if is_ambiguous(request.headers()) {
        return Ok(headers::refusal(ApiError::NOT_HTTP));
    }
    shortcut.and_then(|shortcut| shortcut.answer(request)).ok_or(router)
}

/// The answer of the routes.
fn routed(
    router: &Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    stage: &Stage,
) -> impl Future<Output = Response> + Send + use<> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(peer);
    request.extensions_mut().insert(stage.clone());
    let answered = router.clone().oneshot(request);
    // What is kept of a connection should be small while it has nothing to say.
    Box::pin(answered.map(|answered| match answered {
        Ok(response) => response,
        Err(never) => match never {},
    }))
}

/// Whether another server could read another request in the same bytes. The HTTP library takes the
/// one reading that the standard asks for; here there is no reason to guess.
fn is_ambiguous(headers: &HeaderMap) -> bool {
    let count = |name| headers.get_all(name).iter().count();
    let coding = headers.get(header::TRANSFER_ENCODING).map(|value| value.as_bytes());
    let is_chunked = coding.is_none_or(|coding| coding.eq_ignore_ascii_case(b"chunked"));
    let lengths = count(header::CONTENT_LENGTH);
    !is_chunked || count(header::TRANSFER_ENCODING) + lengths > 1 || count(header::HOST) > 1
}
