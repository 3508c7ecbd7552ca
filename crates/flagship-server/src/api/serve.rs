//! Starts a node and serves its routes on listeners.

use std::future::{Future, pending, ready};
use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use flagship_pack::Network;
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db};
use prometheus_client::metrics::counter::Counter;
use tokio::net::TcpListener;

use super::extract::client_network;
use super::headers::rejected;
use super::redirects::redirects;
use super::router::{app, monitoring, templates};
use super::shortcut::Shortcut;

use crate::net::forwarded::ForwardLimits;
use crate::net::serve::{self, Service, connection_permits, redirect_permits};
use crate::node::certificate::Certificates;
use crate::node::config::Config;
use crate::node::state::App;

impl App {
    /// Opens the database, replays the journal and starts the node's tasks.
    pub async fn open(db: Db, config: Config, clock: Clock) -> anyhow::Result<Self> {
        let writer = Writer::open_with_snapshot(db, &config.key, clock, &config.data).await?;
        Self::over(writer, config).await
    }

    /// Starts the node's tasks on a journal that is already open and replayed.
    pub async fn over(writer: Writer, config: Config) -> anyhow::Result<Self> {
        Self::start(writer, config, templates()).await
    }
}

/// Serves until `shutdown` completes, over TLS if the node has certificates. Then closes sockets,
/// gives open requests a few seconds to finish, and stops the node's tasks.
pub async fn serve(listener: TcpListener, state: App, shutdown: impl Future<Output = ()>) {
    let certificates = state.config().certificates.clone();
    let tls = certificates.as_deref().map(Certificates::acceptor);
    if let Some(certificates) = certificates {
        state.serving.tasks.spawn_loop(certificates.run());
    }
    let rejected_count = state.serving.counters.rejected.clone();
    let forwarded = forwarded(&state, rejected_count.clone());
    let shortcut = Shortcut::new(&state);
    let service = Service {
        router: app(state.clone()),
        cached: shortcut.map(|it| Arc::new(move |request: &_, peer| it.answer(request, peer)) as _),
        reject: rejected,
        exempt: exempt(&state),
        permits: state.serving.connections.clone(),
        rejected: rejected_count,
        forwarded: Some(Arc::new(forwarded)),
        tls,
    };
    let draining = async {
        shutdown.await;
        state.drain();
    };
    serve::serve(listener, service, draining, state.serving.sockets.ended()).await;
    state.stop().await;
}

/// Returns the addresses that are exempt from the limit per network, under the current settings.
fn exempt(state: &App) -> Box<dyn Fn(IpAddr) -> bool + Send + Sync> {
    let settings = state.serving.settings.clone();
    Box::new(move |address| {
        let limits = &settings.load().limits;
        let mut networks = limits.trusted_networks.iter().chain(&limits.trusted_proxies);
        networks.any(|network| network.contains(address))
    })
}

/// Returns the limits on requests of listed proxies under the current settings. A client may have
/// as many requests as connections.
fn forwarded(state: &App, rejected: Counter) -> ForwardLimits {
    let settings = state.serving.settings.clone();
    let is_proxy = move |address| {
        let proxies = &settings.load().limits.trusted_proxies;
        proxies.iter().any(|network| network.contains(address))
    };
    let settings = state.serving.settings.clone();
    let client =
        move |headers: &HeaderMap, proxy| client_network(headers, proxy, &settings).holder();
    ForwardLimits {
        is_proxy: Box::new(is_proxy),
        client: Box::new(client),
        permits: state.serving.connections.with_same_limits(),
        rejected,
    }
}

/// Serves `/metrics`, `/healthz` and `/readyz` with the same limits, until the future is dropped.
pub async fn serve_metrics(listener: TcpListener, state: App) {
    serve_router(listener, monitoring(state), Vec::new(), pending()).await;
}

/// Redirects plain HTTP to the site and answers the challenges of the certificate authority, until
/// the future is dropped.
pub async fn serve_redirects(listener: TcpListener, certificates: Arc<Certificates>, state: App) {
    let service = Service {
        router: redirects(certificates),
        cached: None,
        reject: rejected,
        exempt: exempt(&state),
        permits: redirect_permits(),
        rejected: state.serving.counters.rejected.clone(),
        forwarded: None,
        tls: None,
    };
    serve::serve(listener, service, pending(), ready(())).await;
}

/// Serves any routes with the same limits. The connection limit per network does not apply to
/// `exempt` networks.
pub async fn serve_router(
    listener: TcpListener,
    router: Router,
    exempt: Vec<Network>,
    shutdown: impl Future<Output = ()>,
) {
    let permits = connection_permits();
    let rejected_count = Default::default();
    let service = Service {
        router,
        cached: None,
        reject: rejected,
        exempt: Box::new(move |address| exempt.iter().any(|it| it.contains(address))),
        permits,
        rejected: rejected_count,
        forwarded: None,
        tls: None,
    };
    serve::serve(listener, service, shutdown, ready(())).await;
}
