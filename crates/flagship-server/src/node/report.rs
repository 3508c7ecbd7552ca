//! Errors in the log.

/// Logs an error with all its causes, at the boundary where it is handled.
pub fn report(error: &(dyn std::error::Error + 'static), what: &'static str) {
    tracing::error!(error = chain(error), "{what}");
}

/// An error and its causes in one line, for log formats that show no causes.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
