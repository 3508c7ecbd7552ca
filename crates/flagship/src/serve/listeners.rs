//! The sockets of a server: passed by systemd, or bound here.

use std::io::ErrorKind;
use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use listenfd::ListenFd;
use tokio::net::TcpListener;

use crate::cli;

/// The sockets of a server.
pub struct Listeners {
    /// Serves the site.
    pub players: TcpListener,
    /// Redirects plain HTTP to the site; only with `--tls`.
    pub redirects: Option<TcpListener>,
    /// Serves metrics.
    pub metrics: Option<TcpListener>,
}

/// Takes the sockets that systemd passed, first for the site and then for redirects, and binds the
/// others.
pub async fn listen(args: &cli::Serve) -> Result<Listeners> {
    let mut passed = ListenFd::from_env();
    let used = if args.tls.is_some() { 2 } else { 1 };
    ensure!(
        passed.len() <= used,
        "systemd passed {} sockets, but at most {used} can be used: the socket unit must list the \
         site's first and, with --tls, the one for plain HTTP second",
        passed.len()
    );
    let players = passed_or_bound(&mut passed, 0, args.listen).await?;
    let redirects = match args.listen_http.filter(|_| args.tls.is_some()) {
        Some(address) => Some(passed_or_bound(&mut passed, 1, address).await?),
        None => None,
    };
    let Some(address) = args.metrics else {
        return Ok(Listeners { players, redirects, metrics: None });
    };
    let listen = || format!("listen on {address} for metrics");
    let metrics = TcpListener::bind(address).await.with_context(listen)?;
    let address = metrics.local_addr().with_context(listen)?;
    if !address.ip().is_loopback() {
        tracing::warn!("metrics reveal frozen results: make sure only organizers can reach them");
    }
    tracing::info!("metrics are on http://{address}/metrics");
    Ok(Listeners { players, redirects, metrics: Some(metrics) })
}

/// Returns the passed socket at an index, or else binds an address.
async fn passed_or_bound(
    passed: &mut ListenFd,
    index: usize,
    address: SocketAddr,
) -> Result<TcpListener> {
    let socket = passed.take_tcp_listener(index).context("use the socket from systemd")?;
    if let Some(socket) = socket {
        socket.set_nonblocking(true).context("use the socket from systemd")?;
        return TcpListener::from_std(socket).context("use the socket from systemd");
    }
    let bound = TcpListener::bind(address).await;
    let is_denied = matches!(&bound, Err(error) if error.kind() == ErrorKind::PermissionDenied);
    bound.with_context(|| match is_denied {
        true => format!(
            "listen on {address}. Ports below 1024 need permission: let systemd open them \
             (deploy/flagship-tls.socket)"
        ),
        false => format!("listen on {address}"),
    })
}
