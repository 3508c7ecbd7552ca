//! The listener's loop: connections with time limits, and an orderly end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::ServiceExt;

use crate::app::{App, app};

/// How long a client may take to send the head of a request.
const HEADERS_MAX: Duration = Duration::from_secs(10);
/// Connections that may be open at once.
const CONNECTIONS_MAX: usize = 30_000;
/// How often a silent HTTP/2 client is asked whether it is there.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// How long open requests may take to end when the program stops.
const STOP_MAX: Duration = Duration::from_secs(3);
/// Pause after the system refused a connection, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` resolves; then finishes what was begun, within a few seconds.
pub async fn serve(listener: TcpListener, state: App, stop: impl Future<Output = ()>) {
    let router = app(state.clone());
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS_MAX);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(KEEP_ALIVE));
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else { continue };
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
        let connection = graceful.watch(connection.into_owned());
        tokio::spawn(async move {
            // A connection that breaks is its client's business.
            drop(connection.await);
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(STOP_MAX, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were cut off by the stop");
    }
    state.stop().await;
}
