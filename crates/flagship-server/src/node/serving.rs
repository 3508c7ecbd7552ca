//! State for serving requests: configuration, settings, connections, sockets, tasks and the health
//! of the node.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::mail;
use tokio::sync::watch;

use super::activity;
use super::brand::Brand;
use super::certificate::CertificateStatus;
use super::common::Common;
use super::copies::Copies;
use super::downloads::Downloads;
use super::error::NodeError;
use super::journal_head;
use super::metrics::figures::{Figures, Mails};
use super::metrics::{Metrics, counters, process};
use super::passwords::Passwords;
use super::readiness::Readiness;
use super::sockets::Sockets;
use super::storage::Storage;
use super::tasks::Tasks;
use crate::net::permits::SitePermits;
use crate::net::serve::{connection_permits, downloads_max};
use crate::net::shutdown::Shutdown;

/// Time limit for reading the counts of the outbox or the journal's head.
const READ_MAX: Duration = Duration::from_secs(2);

/// State used by all kinds of requests.
pub struct Serving {
    common: Common,
    passwords: Arc<Passwords>,
    pub sockets: Sockets,
    pub downloads: Downloads,
    pub brand: Brand,
    /// Attachments and branding files.
    pub storage: Storage,
    /// Teams' copies of attachments.
    pub copies: Arc<Copies>,
    pub connections: Arc<SitePermits>,
    pub readiness: Arc<Readiness>,
    pub metrics: Option<Arc<Metrics>>,
    draining: watch::Sender<bool>,
    pub tasks: Tasks,
}

impl std::ops::Deref for Serving {
    type Target = Common;
    fn deref(&self) -> &Common {
        &self.common
    }
}

impl Serving {
    /// Creates the state and spawns its tasks.
    pub fn new(
        common: Common,
        metrics: Option<Arc<Metrics>>,
        passwords: Arc<Passwords>,
        tasks: Tasks,
        storage: Storage,
        copies: Arc<Copies>,
    ) -> Self {
        let (draining, is_draining) = watch::channel(false);
        let Common { db, seal, lane, feed, activity, counters, .. } = common.clone();
        tasks.spawn_loop(journal_head::run(db.clone(), seal));
        tasks.spawn_loop(counters::run(counters));
        tasks.spawn(|shutdown| activity::run(db.clone(), feed.clone(), activity, shutdown));
        Self {
            sockets: Sockets::new(),
            downloads: Downloads::new(downloads_max()),
            brand: Brand::new(storage.clone(), common.settings.clone()),
            storage,
            copies,
            connections: connection_permits(),
            readiness: Arc::new(Readiness::new(db, lane, feed, is_draining)),
            common,
            passwords,
            metrics,
            draining,
            tasks,
        }
    }

    /// Starts draining: closes sockets and makes the node not ready.
    pub fn drain(&self) {
        self.draining.send_replace(true);
    }

    /// Returns a signal that becomes true when the node drains.
    pub fn draining(&self) -> Shutdown {
        self.draining.subscribe()
    }

    /// Returns all metrics in the OpenMetrics text format; `None` if none are recorded.
    pub async fn encoded_metrics(&self) -> Result<Option<String>, NodeError> {
        let Some(metrics) = &self.metrics else { return Ok(None) };
        let is_ready = self.readiness.check().await.is_ok();
        let figures = self.figures().await;
        let head = match tokio::time::timeout(READ_MAX, self.seal.current(&self.db)).await {
            Ok(Ok(head)) => Some(head.to_string()),
            _ => None,
        };
        metrics.encode(is_ready, &figures, head).map(Some)
    }

    /// Returns the state of the site's certificate; `None` without built-in TLS.
    pub fn certificate(&self) -> Option<CertificateStatus> {
        self.config.certificates.as_ref().map(|it| it.status())
    }

    pub async fn figures(&self) -> Figures {
        let now_ms = self.clock.now_ms();
        let counted = async {
            tokio::try_join!(mail::counts(&self.db), mail::sent_in_hour(&self.db, now_ms))
        };
        let mails = match tokio::time::timeout(READ_MAX, counted).await {
            Ok(Ok(((waiting, sent, failed), in_hour))) => {
                Some(Mails { waiting, sent, failed, in_hour })
            }
            _ => None,
        };
        Figures {
            queue: self.lane.waiting(),
            sockets: self.sockets.open(),
            connections: self.connections.held(),
            passwords: self.passwords.waiting(),
            entries: self.feed.latest().seq(),
            intact: !self.seal.is_altered(),
            mails,
            used: process::used(),
            certificate: self.certificate(),
        }
    }
}
