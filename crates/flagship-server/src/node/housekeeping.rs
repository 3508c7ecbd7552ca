//! Removes lapsed accounts, blank mails, unused uploads, and expired sessions and tokens from time
//! to time.

use std::sync::Arc;
use std::time::Duration;

use flagship_store::{Clock, Db, Lock, StoreError, accounts, addresses, mail};

use super::report::chain;
use super::sessions::Sessions;
use super::uploads::Uploads;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// How often it runs.
const INTERVAL: Duration = Duration::from_secs(600);

/// Pause between two transactions.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs until shutdown.
pub async fn run(
    db: Db,
    clock: Clock,
    sessions: Arc<Sessions>,
    uploads: Uploads,
    mut shutdown: Shutdown,
) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = shutdown_requested(&mut shutdown) => return,
        }
        let now_ms = clock.now_ms();
        sessions.sweep(now_ms);
        if let Err(error) = uploads.sweep(&db, now_ms).await {
            tracing::warn!(error = chain(&error), "unused uploads could not be looked for");
        }
        tokio::select! {
            done = forget_lapsed(&db, now_ms) => if let Err(error) = done {
                tracing::warn!(error = chain(&error), "lapsed accounts could not be removed");
            },
            () = shutdown_requested(&mut shutdown) => return,
        }
    }
}

/// Deletes a little at a time, so that nobody waits long for the writer.
async fn forget_lapsed(db: &Db, now_ms: i64) -> Result<(), StoreError> {
    let mut has_more = true;
    while has_more {
        let mut tx = db.begin(Lock::Accounts).await?;
        // Tokens first: accounts without any are deleted.
        has_more = mail::forget(&mut tx, now_ms).await?;
        has_more |= accounts::forget_lapsed(&mut tx, now_ms).await?;
        addresses::settle(&mut tx, now_ms).await?;
        tx.commit().await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}
