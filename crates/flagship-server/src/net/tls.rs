//! TLS below HTTP: the certificate that a listener presents, and the handshake. HTTP/1.1 is the
//! only protocol. This module neither obtains nor renews certificates.

use std::fmt;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use arc_swap::ArcSwapOption;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Maximum number of response bytes that a connection encrypts before the client accepts them.
const BUFFER_BYTES_MAX: usize = 16 * 1024;
/// The protocol that is offered to clients.
const HTTP_1_1: &[u8] = b"http/1.1";

/// The certificate of a domain. It can be replaced while connections are open, which keep the
/// certificate of their handshake.
pub struct CertificateSlot {
    domain: String,
    current: ArcSwapOption<CertifiedKey>,
}

impl CertificateSlot {
    /// Creates a slot without a certificate.
    pub fn new(domain: &str) -> Arc<Self> {
        Arc::new(Self { domain: domain.to_owned(), current: ArcSwapOption::empty() })
    }

    /// Presents this certificate in all further handshakes.
    pub fn set(&self, certificate: Arc<CertifiedKey>) {
        self.current.store(Some(certificate));
    }

    /// True until a certificate is set. All handshakes fail until then.
    pub fn is_empty(&self) -> bool {
        self.current.load().is_none()
    }
}

impl fmt::Debug for CertificateSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertificateSlot").field("domain", &self.domain).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for CertificateSlot {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_own = hello.server_name().is_none_or(|it| it.eq_ignore_ascii_case(&self.domain));
        if is_own { self.current.load_full() } else { None }
    }
}

/// Creates the acceptor of a listener that presents the certificate in `slot`.
///
/// # Errors
/// Fails if the system has no random numbers.
pub fn acceptor(slot: Arc<CertificateSlot>) -> Result<TlsAcceptor, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let versions =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = versions?.with_no_client_auth().with_cert_resolver(slot);
    config.alpn_protocols = vec![HTTP_1_1.to_vec()];
    // Clients that reconnect resume their session, which costs no signature.
    config.ticketer = ring::Ticketer::new()?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Runs the handshake of a connection, without a time limit. If it fails, the client gets an alert.
pub async fn handshake(acceptor: &TlsAcceptor, stream: TcpStream) -> io::Result<ClientStream> {
    let limit = |it: &mut rustls::ServerConnection| it.set_buffer_limit(Some(BUFFER_BYTES_MAX));
    let stream = acceptor.accept_with(stream, limit).await?;
    Ok(ClientStream::Encrypted(Box::new(stream)))
}

/// The stream of a client, with or without TLS.
pub enum ClientStream {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

/// Calls a method of the inner stream.
macro_rules! inner {
    ($stream:ident, $it:ident => $call:expr) => {
        match $stream.get_mut() {
            ClientStream::Plain(stream) => {
                let $it = Pin::new(stream);
                $call
            }
            ClientStream::Encrypted(stream) => {
                let $it = Pin::new(stream.as_mut());
                $call
            }
        }
    };
}

impl AsyncRead for ClientStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        inner!(self, it => it.poll_read(cx, buf))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        inner!(self, it => it.poll_write(cx, buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        inner!(self, it => it.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Encrypted(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(self, it => it.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        inner!(self, it => it.poll_shutdown(cx))
    }
}
