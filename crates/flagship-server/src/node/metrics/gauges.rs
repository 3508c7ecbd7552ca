//! The gauges, read from the node when metrics are requested.

use std::time::Duration;

use flagship_store::mail;
use prometheus_client::encoding::text;

use super::{Gauges, process};
use crate::node::error::NodeError;
use crate::node::state::App;

/// How long the database may take to give the outbox's counts or the journal's head.
const READ_MAX: Duration = Duration::from_secs(2);

/// All metrics in OpenMetrics' text format; `None` if none are recorded.
pub async fn encode(app: &App) -> Result<Option<String>, NodeError> {
    let Some(metrics) = app.metrics.as_deref() else { return Ok(None) };
    read(app, &metrics.now).await;
    let mut body = String::new();
    text::encode(&mut body, &metrics.registry).map_err(|std::fmt::Error| NodeError::Internal)?;
    Ok(Some(body))
}

async fn read(app: &App, gauges: &Gauges) {
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    gauges.ready.set(app.readiness.check().await.is_ok().into());
    gauges.queue.set(count(app.lane.waiting()));
    gauges.sockets.set(count(app.sockets.open()));
    gauges.connections.set(count(app.connections.held()));
    gauges.passwords.set(count(app.passwords.waiting()));
    gauges.entries.set(app.contest().seq());
    gauges.intact.set((!app.seal.is_altered()).into());
    let head = tokio::time::timeout(READ_MAX, app.seal.current(&app.db)).await;
    if let Ok(Ok(head)) = head {
        gauges.head.clear();
        gauges.head.get_or_create_owned(&[("head", head.to_string())]).set(1);
    }
    let now_ms = app.clock.now_ms();
    let mails =
        async { tokio::try_join!(mail::counts(&app.db), mail::sent_in_hour(&app.db, now_ms)) };
    let mails = tokio::time::timeout(READ_MAX, mails).await;
    // While the database does not answer, `flagship_ready` is 0 and these keep their values.
    if let Ok(Ok(((waiting, sent, failed), in_hour))) = mails {
        gauges.mails_in_hour.set(in_hour);
        for (state, mails) in [("waiting", waiting), ("sent", sent), ("failed", failed)] {
            gauges.mails.get_or_create_owned(&[("state", state.to_owned())]).set(mails);
        }
    }
    if let Some(used) = process::used() {
        gauges.memory.set(count(used.memory_bytes));
        gauges.cpu.inc_by((used.cpu_s - gauges.cpu.get()).max(0.0));
        gauges.files.set(count(used.files));
        gauges.files_max.set(count(used.files_max));
    }
}
