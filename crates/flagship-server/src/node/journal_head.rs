//! Writes the journal's head to the log, which an attacker with access only to the database cannot
//! change. Also checks the journal's signatures.

use std::time::Duration;

use flagship_store::{Db, Seal, StoreError};

use super::report::report;

/// Interval at which the journal head is logged.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Logs the head immediately without a check, and then every hour with a check.
pub async fn run(db: Db, seal: Seal) {
    let mut tick = tokio::time::interval(INTERVAL);
    let mut is_first = true;
    loop {
        tick.tick().await;
        if let Err(error) = note(&db, &seal, is_first).await {
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
