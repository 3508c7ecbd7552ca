//! The TLS certificate of the site: requested from a certificate authority by ACME, stored in the
//! data folder, and renewed when a third of its lifetime is left. While a renewal fails, the old
//! certificate stays in use.

mod acme;
mod files;
mod retry;
mod served;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

use self::acme::Acme;
use self::files::CertificateFiles;
use self::retry::{RenewalError, pause_after};
pub use self::served::CertificateTimes;
use self::served::ServedCertificate;
use crate::net::tls::{self, CertificateSlot};

/// Maximum time between two looks at the clock, which can be set or stand still in the meantime.
const LOOK_MAX: Duration = Duration::from_secs(60 * 60);

/// The certificate of one domain, and its renewal.
pub struct Certificates {
    domain: String,
    acme: Acme,
    files: CertificateFiles,
    slot: Arc<CertificateSlot>,
    acceptor: TlsAcceptor,
    status: Mutex<CertificateStatus>,
}

/// State of the certificate, for organizers and metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateStatus {
    /// Times of the current certificate; `None` if there is none yet.
    pub times: Option<CertificateTimes>,
    /// True if the certificate was issued by another ACME server than the configured one.
    pub is_foreign: bool,
    /// True if the last request for a certificate failed.
    pub is_failing: bool,
}

/// Returns the times of the certificate that is stored for a domain; `None` if there is none.
///
/// # Errors
/// Fails if the file cannot be read, or has no certificate for the domain.
pub fn stored_certificate(data: &Path, domain: &str) -> anyhow::Result<Option<CertificateTimes>> {
    let stored = CertificateFiles::new(data).certificate(domain)?;
    Ok(stored.map(|stored| stored.certificate.times))
}

impl Certificates {
    /// Reads the stored certificate of a domain, if there is one. `directory` is the URL of the
    /// ACME server, whose own certificate is verified with `root`, or else with the system's roots.
    ///
    /// # Errors
    /// Fails if the file `root` is not usable.
    pub fn open(
        domain: &str,
        directory: &str,
        root: Option<&Path>,
        data: &Path,
    ) -> anyhow::Result<Self> {
        let files = CertificateFiles::new(data);
        let slot = CertificateSlot::new(domain);
        let mut status = CertificateStatus::default();
        match files.certificate(domain) {
            Ok(None) => {}
            Ok(Some(stored)) => {
                status.times = Some(stored.certificate.times);
                status.is_foreign = stored.directory != directory;
                slot.set(Arc::new(stored.certificate.key));
            }
            Err(error) => tracing::warn!(
                "the stored certificate cannot be used, so a new one is requested: {error:#}"
            ),
        }
        Ok(Self {
            domain: domain.to_owned(),
            acme: Acme::new(domain, directory, root, files.clone())?,
            files,
            acceptor: tls::acceptor(slot.clone())?,
            slot,
            status: Mutex::new(status),
        })
    }

    /// The domain of the site.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// True if there is a certificate, valid or expired.
    pub fn has_certificate(&self) -> bool {
        !self.slot.is_empty()
    }

    /// Encrypts connections with the current certificate.
    pub fn acceptor(&self) -> TlsAcceptor {
        self.acceptor.clone()
    }

    /// Returns the answer to a challenge of the certificate authority, by the challenge's token.
    pub fn challenge_answer(&self, token: &str) -> Option<String> {
        self.acme.answer(token)
    }

    /// Returns the state of the certificate.
    pub fn status(&self) -> CertificateStatus {
        *self.status.lock()
    }

    /// Requests certificates when they are due, with growing pauses after failures.
    pub async fn run(self: Arc<Self>) {
        let mut failures = 0;
        loop {
            self.due().await;
            match self.renew().await {
                Ok(until) => {
                    failures = 0;
                    self.status.lock().is_failing = false;
                    tracing::info!(
                        "obtained a certificate for {}, valid until {until}",
                        self.domain
                    );
                }
                Err(error) => {
                    failures += 1;
                    self.status.lock().is_failing = true;
                    let pause = pause_after(&error, failures);
                    self.report(&error, pause);
                    sleep(pause).await;
                }
            }
        }
    }

    /// Waits until a certificate must be requested.
    async fn due(&self) {
        loop {
            let status = self.status();
            let Some(times) = status.times.filter(|_| !status.is_foreign) else { return };
            let left_ms = times.renew_at_ms - Timestamp::now().as_millisecond();
            let Ok(left_ms) = u64::try_from(left_ms) else { return };
            // The timer has a resolution of a millisecond.
            sleep(Duration::from_millis(left_ms + 1).min(LOOK_MAX)).await;
        }
    }

    /// Requests a certificate, presents it from now on, and stores it. Returns the time of its
    /// expiry.
    async fn renew(&self) -> Result<Timestamp, RenewalError> {
        let pem = self.acme.obtain().await?;
        let certificate = ServedCertificate::parse(&pem, &self.domain).map_err(|error| {
            RenewalError::Refused(format!("the issued certificate is not usable: {error:#}"))
        })?;
        let times = certificate.times;
        if times.renew_at_ms <= Timestamp::now().as_millisecond() {
            return Err(RenewalError::Refused(
                "the issued certificate has already expired or soon will: check the clock \
                 (`timedatectl`)"
                    .to_owned(),
            ));
        }
        self.slot.set(Arc::new(certificate.key));
        let files = self.files.clone();
        let directory = self.acme.directory().to_owned();
        let stored = tokio::task::spawn_blocking(move || files.keep_certificate(&directory, &pem));
        if let Err(error) = stored.await.unwrap_or_else(|error| Err(error.into())) {
            tracing::warn!("the certificate is lost at the next restart: {error:#}");
        }
        *self.status.lock() =
            CertificateStatus { times: Some(times), is_foreign: false, is_failing: false };
        Ok(times.expires_at())
    }

    /// Logs a failure and its effect.
    fn report(&self, error: &RenewalError, pause: Duration) {
        let domain = &self.domain;
        let pause_s = pause.as_secs();
        match self.status().times {
            None => tracing::warn!(
                "no certificate for {domain}, so https connections are refused: {error}. Next \
                 attempt in {pause_s} s"
            ),
            Some(times) => tracing::warn!(
                "the certificate for {domain} was not renewed: {error}. The current one stays in \
                 use and is valid until {}. Next attempt in {pause_s} s",
                times.expires_at()
            ),
        }
    }
}
