//! Removes lapsed accounts, blank mails and expired sessions from time to time.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::{Clock, Db, Lock, StoreError, accounts, mail};

use super::report::chain;
use super::sessions::Sessions;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// How often it runs.
const INTERVAL: Duration = Duration::from_secs(600);

/// Runs until shutdown.
pub async fn run(db: Db, clock: Clock, sessions: Arc<Sessions>, mut shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = shutdown_requested(&mut shutdown) => return,
        }
        let now_ms = clock.now_ms();
        sessions.sweep(now_ms);
        if let Err(error) = forget_lapsed(&db, now_ms).await {
            tracing::warn!(error = chain(&error), "lapsed accounts could not be removed");
        }
    }
}

async fn forget_lapsed(db: &Db, now_ms: i64) -> Result<(), StoreError> {
    let mut tx = db.begin(Lock::Accounts).await?;
    accounts::forget_lapsed(&mut tx, now_ms).await?;
    mail::forget_blanks(&mut tx, now_ms).await?;
    tx.commit().await
}
