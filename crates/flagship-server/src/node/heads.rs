//! Writes the journal's head to the log, which an attacker with access to the database alone cannot
//! change. At the same time it checks the journal's signatures.

use std::time::Duration;

use flagship_store::{Db, Seal, StoreError};

use super::report::report;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// How often the head is logged.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Logs the head now, without a check, and then every hour with one, until shutdown.
pub async fn run(db: Db, seal: Seal, mut shutdown: Shutdown) {
    let mut tick = tokio::time::interval(INTERVAL);
    let mut is_first = true;
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = shutdown_requested(&mut shutdown) => return,
        }
        let noted = tokio::select! {
            noted = note(&db, &seal, is_first) => noted,
            () = shutdown_requested(&mut shutdown) => return,
        };
        if let Err(error) = noted {
            report(&error, "the journal could not be checked");
        }
        is_first = false;
    }
}

async fn note(db: &Db, seal: &Seal, is_first: bool) -> Result<(), StoreError> {
    let head = seal.current(db).await?;
    tracing::info!(%head, "the journal's head");
    if is_first { Ok(()) } else { seal.check(db).await }
}
