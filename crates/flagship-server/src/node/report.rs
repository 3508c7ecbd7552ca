//! Errors in the log.

use std::error::Error;
use std::time::Duration;

use tokio::time::timeout;

/// Logs an error with all its causes, at the boundary where it is handled.
pub fn report(error: &(dyn Error + 'static), what: &'static str) {
    tracing::error!(error = chain(error), "{what}");
}

/// Formats an error and its causes in one line, for log formats that show no causes.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Returns the result of `work` if it completes in time; otherwise `None`, after logging the cause.
pub async fn in_time<T>(
    max: Duration,
    work: impl Future<Output = Result<T, impl Error + 'static>>,
    what: &'static str,
) -> Option<T> {
    match timeout(max, work).await {
        Ok(Ok(done)) => return Some(done),
        Ok(Err(error)) => report(&error, what),
        Err(late) => report(&late, what),
    }
    None
}
