//! Gauges, which are set when metrics are requested.

use prometheus_client::encoding::text;

use super::figures::Figures;
use super::{Gauges, Metrics};
use crate::node::error::NodeError;

impl Metrics {
    /// Returns all metrics in the OpenMetrics text format, with the current gauges. `head` is the
    /// journal's head, if it could be read.
    pub fn encode(
        &self,
        is_ready: bool,
        figures: &Figures,
        head: Option<String>,
    ) -> Result<String, NodeError> {
        set(&self.now, is_ready, figures, head);
        let mut body = String::new();
        text::encode(&mut body, &self.registry).map_err(|std::fmt::Error| NodeError::Internal)?;
        Ok(body)
    }
}

fn set(gauges: &Gauges, is_ready: bool, figures: &Figures, head: Option<String>) {
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    gauges.ready.set(is_ready.into());
    gauges.queue.set(count(figures.queue));
    gauges.sockets.set(count(figures.sockets));
    gauges.connections.set(count(figures.connections));
    gauges.passwords.set(count(figures.passwords));
    gauges.entries.set(figures.entries);
    gauges.intact.set(figures.intact.into());
    if let Some(certificate) = &figures.certificate {
        let expires_at_ms = certificate.times.map_or(0, |times| times.expires_at_ms);
        gauges.certificate_expiry.set(expires_at_ms / 1000);
        gauges.certificate_fails.set(certificate.is_failing.into());
    }
    if let Some(head) = head {
        gauges.head.clear();
        gauges.head.get_or_create_owned(&[("head", head)]).set(1);
    }
    // While the database does not respond, `flagship_ready` is 0 and these gauges keep their
    // values.
    if let Some(mails) = figures.mails {
        gauges.mails_in_hour.set(mails.in_hour);
        let states = [("waiting", mails.waiting), ("sent", mails.sent), ("failed", mails.failed)];
        for (state, mails) in states {
            gauges.mails.get_or_create_owned(&[("state", state.to_owned())]).set(mails);
        }
    }
    if let Some(used) = &figures.used {
        gauges.memory.set(count(used.memory_bytes));
        gauges.cpu.inc_by((used.cpu_s - gauges.cpu.get()).max(0.0));
        gauges.files.set(count(used.files));
        gauges.files_max.set(count(used.files_max));
    }
}
