//! A certificate chain with its key, as served to clients.

use anyhow::{Context, ensure};
use jiff::Timestamp;
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::time::Time;

/// Divisor for the part of the lifetime that is left when a certificate is renewed.
const RENEWAL_PART: i64 = 3;

/// A certificate chain with its key.
pub struct ServedCertificate {
    pub key: CertifiedKey,
    pub times: CertificateTimes,
}

/// Times of a certificate, in epoch milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateTimes {
    /// Time of the first renewal attempt.
    pub renew_at_ms: i64,
    /// Time of the expiry.
    pub expires_at_ms: i64,
}

impl CertificateTimes {
    /// Returns the time of the expiry, for messages.
    pub fn expires_at(&self) -> Timestamp {
        Timestamp::from_millisecond(self.expires_at_ms).unwrap_or(Timestamp::MAX)
    }
}

impl ServedCertificate {
    /// Reads the private key and the chain, and checks that they belong together and to a domain.
    pub fn parse(pem: &str, domain: &str) -> anyhow::Result<Self> {
        let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).context("read the private key")?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
        let chain = chain.context("read the certificates")?;
        let own = chain.first().context("there is no certificate")?;
        let times = times(own)?;
        let name = ServerName::try_from(domain).context("the domain is not a host name")?;
        let parsed = ParsedCertificate::try_from(own).context("read the certificate")?;
        verify_server_name(&parsed, &name)
            .with_context(|| format!("the certificate is not for {domain}"))?;
        let key = CertifiedKey::from_der(chain, key, &ring::default_provider())
            .context("the certificate and the private key do not belong together")?;
        Ok(Self { key, times })
    }
}

fn times(certificate: &CertificateDer<'_>) -> anyhow::Result<CertificateTimes> {
    let certificate = Certificate::from_der(certificate);
    let certificate = certificate.map_err(|error| anyhow::anyhow!("{error}"));
    let validity = certificate.context("read the certificate's times")?.tbs_certificate.validity;
    let ms = |time: Time| i64::try_from(time.to_unix_duration().as_millis());
    let from_ms = ms(validity.not_before).context("read the certificate's begin")?;
    let expires_at_ms = ms(validity.not_after).context("read the certificate's end")?;
    ensure!(from_ms < expires_at_ms, "the certificate is never valid");
    let renew_at_ms = expires_at_ms - (expires_at_ms - from_ms) / RENEWAL_PART;
    Ok(CertificateTimes { renew_at_ms, expires_at_ms })
}
