//! The address of a site, and connections to it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use http::{HeaderValue, Uri};
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio_rustls::TlsConnector;

/// A connection to a site, encrypted or not.
pub type Stream = Box<dyn Duplex>;

/// A bidirectional byte stream.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// Used addresses of each /24 of the loopback network, which never end in 0, 1 or 255.
const HOSTS: u32 = 249;

/// A loopback address for each number. Clients with different addresses do not share ports.
pub fn loopback(number: u32) -> IpAddr {
    let [_, _, upper, lower] = (number / HOSTS).to_be_bytes();
    IpAddr::V4(Ipv4Addr::new(127, upper, lower, (number % HOSTS) as u8 + 2))
}

/// A site.
#[derive(Clone)]
pub struct Site {
    /// `http://…` or `https://…`, without a slash at the end.
    url: String,
    host: String,
    port: u16,
    /// Path prefix of the site, without a slash at the end.
    path: String,
    tls: Option<Arc<ClientConfig>>,
    /// The local address to connect from; `None` lets the system choose.
    from: Option<IpAddr>,
}

impl Site {
    /// The site at `url`, with connections from the local address `from`.
    pub fn parse(url: &str, from: Option<IpAddr>) -> Result<Self> {
        let url = url.trim_end_matches('/').to_owned();
        let uri: Uri = url.parse().context("read the address")?;
        let whole = || {
            format!(
                "the address begins with http:// or https://, as https://ctf.example.org: {url}"
            )
        };
        let scheme = uri.scheme_str().with_context(whole)?;
        ensure!(["http", "https"].contains(&scheme), whole());
        let host = uri.host().with_context(whole)?;
        let tls = if scheme == "https" { Some(Arc::new(encryption()?)) } else { None };
        let port = uri.port_u16().unwrap_or(if tls.is_some() { 443 } else { 80 });
        // IPv6 addresses are in brackets.
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let path = uri.path().trim_end_matches('/').to_owned();
        Ok(Self { url, host, port, path, tls, from })
    }

    /// The site at an address of this machine, with connections from the local address `from`.
    pub fn local(address: SocketAddr, from: Option<IpAddr>) -> Result<Self> {
        Self::parse(&format!("http://{address}"), from)
    }

    /// The path prefix, without a slash at the end.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The URL of the live channel.
    pub(crate) fn live(&self) -> String {
        format!("ws{}/api/live", self.url.trim_start_matches("http"))
    }

    /// The `Host` header of requests.
    pub(crate) fn host_header(&self) -> Result<HeaderValue> {
        let uri: Uri = self.url.parse().context("read the address")?;
        let name = uri.authority().context("the address has a host")?.as_str();
        Ok(name.parse()?)
    }

    /// Connects.
    pub async fn connect(&self) -> Result<Stream> {
        let found = lookup_host((self.host.as_str(), self.port)).await?.next();
        let address = found.context("the host is not known")?;
        let stream = tcp(address, self.from).await.context("connect")?;
        stream.set_nodelay(true)?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(self.host.clone())?;
        let stream = TlsConnector::from(tls.clone()).connect(name, stream);
        Ok(Box::new(stream.await.context("encrypt")?))
    }
}

async fn tcp(address: SocketAddr, from: Option<IpAddr>) -> std::io::Result<TcpStream> {
    let Some(from) = from else { return TcpStream::connect(address).await };
    let socket = if from.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.bind(SocketAddr::new(from, 0))?;
    socket.connect(address).await
}

/// TLS that trusts the certificate authorities of the system.
fn encryption() -> Result<ClientConfig> {
    let provider = Arc::new(ring::default_provider());
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config?.with_platform_verifier().context("read the certificates")?.with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_parsed_with_its_optional_parts() {
        let known = [
            ("http://127.0.0.1:8080", "127.0.0.1", 8080, "", "ws://127.0.0.1:8080/api/live"),
            ("http://[::1]:80/", "::1", 80, "", "ws://[::1]:80/api/live"),
            ("https://ctf.example", "ctf.example", 443, "", "wss://ctf.example/api/live"),
            ("http://a.example/ctf/", "a.example", 80, "/ctf", "ws://a.example/ctf/api/live"),
        ];
        for (url, host, port, path, live) in known {
            let site = Site::parse(url, None).unwrap();
            assert_eq!((site.host.as_str(), site.port), (host, port), "{url}");
            assert_eq!((site.path(), site.live().as_str()), (path, live));
        }
        for url in ["", "/api", "ctf.example", "ftp://ctf.example", "http://"] {
            assert!(Site::parse(url, None).is_err(), "{url}");
        }
    }

    #[test]
    fn loopback_addresses_are_distinct() {
        let some: Vec<IpAddr> = [0, 15, 248, 249, 70_000, 4_194_303].map(loopback).into();
        assert!(some.iter().all(IpAddr::is_loopback));
        assert_eq!(some[0], IpAddr::from([127, 0, 0, 2]));
        let distinct: std::collections::HashSet<_> = some.iter().collect();
        assert_eq!(distinct.len(), some.len());
    }
}
