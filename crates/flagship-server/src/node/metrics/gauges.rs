//! The gauges, read from the node when metrics are requested.

use prometheus_client::encoding::text;

use super::Gauges;
use super::figures::{Figures, READ_MAX};
use crate::node::error::NodeError;
use crate::node::state::App;

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
    let figures = Figures::read(app).await;
    gauges.queue.set(count(figures.queue));
    gauges.sockets.set(count(figures.sockets));
    gauges.connections.set(count(figures.connections));
    gauges.passwords.set(count(figures.passwords));
    gauges.entries.set(figures.entries);
    gauges.intact.set(figures.intact.into());
    let head = tokio::time::timeout(READ_MAX, app.seal.current(&app.db)).await;
    if let Ok(Ok(head)) = head {
        gauges.head.clear();
        gauges.head.get_or_create_owned(&[("head", head.to_string())]).set(1);
    }
    // While the database does not answer, `flagship_ready` is 0 and these keep their values.
    if let Some(mails) = figures.mails {
        gauges.mails_in_hour.set(mails.in_hour);
        let states = [("waiting", mails.waiting), ("sent", mails.sent), ("failed", mails.failed)];
        for (state, mails) in states {
            gauges.mails.get_or_create_owned(&[("state", state.to_owned())]).set(mails);
        }
    }
    if let Some(used) = figures.used {
        gauges.memory.set(count(used.memory_bytes));
        gauges.cpu.inc_by((used.cpu_s - gauges.cpu.get()).max(0.0));
        gauges.files.set(count(used.files));
        gauges.files_max.set(count(used.files_max));
    }
}
