//! The journal's head, noted in the log, where nobody who changes the database has a hand. At the
//! same time the journal is held to its signatures.

use std::time::Duration;

use flagship_store::StoreError;
use tokio::sync::watch;

use crate::app::{App, told};
use crate::error;

/// How often the head is noted.
const EVERY: Duration = Duration::from_secs(3600);

/// Notes the head now, which checks nothing, and then every hour, until told to stop.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    let mut tick = tokio::time::interval(EVERY);
    let mut is_first = true;
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = told(&mut stop) => return,
        }
        let noted = tokio::select! {
            noted = note(&app, is_first) => noted,
            () = told(&mut stop) => return,
        };
        if let Err(error) = noted {
            error::report(&error, "the journal could not be checked");
        }
        is_first = false;
    }
}

async fn note(app: &App, is_first: bool) -> Result<(), StoreError> {
    let head = app.seal.current(&app.db).await?;
    tracing::info!(%head, "the journal's head");
    if is_first { Ok(()) } else { app.seal.check(&app.db).await }
}
