//! `flagship health`: checks that a server responds. Containers run it as their health check,
//! because their image has no shell and no other HTTP client.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use flagship_load::{Connection, Site, plain};
use serde_json::Value;

use crate::cli;

/// Maximum time until the response.
const RESPONSE_MAX: Duration = Duration::from_secs(3);

/// Asks the server for `/healthz`.
pub async fn health(args: &cli::Health) -> Result<()> {
    let url = args.url.clone().unwrap_or_else(|| format!("http://{}", local(args.listen)));
    let called = tokio::time::timeout(RESPONSE_MAX, call(&url)).await;
    let called = called.with_context(|| format!("no response within {} s", RESPONSE_MAX.as_secs()));
    called.flatten().with_context(|| format!("`{url}` is not healthy"))?;
    outln!("`{url}` is healthy");
    Ok(())
}

async fn call(url: &str) -> Result<()> {
    let mut connection = Connection::to(&Site::parse(url, None)?).await?;
    let response = connection.send(plain("/healthz", "")?).await?;
    ensure!(response.status.is_success(), "it responded with {}", response.status);
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    ensure!(body["status"] == "ok", "a different program responded");
    Ok(())
}

/// The address for clients on this machine of a server that listens on `listen`.
fn local(listen: SocketAddr) -> SocketAddr {
    let ip = match listen {
        SocketAddr::V4(_) if listen.ip().is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) if listen.ip().is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => listen.ip(),
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_interfaces_is_asked_on_the_loopback_interface() {
        for (listen, asked) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            assert_eq!(local(listen.parse().unwrap()).to_string(), asked);
        }
    }
}
