//! Failures of a request for a certificate, and the pauses after them. The pauses keep within the
//! limits of Let's Encrypt, which allows five failed validations of a domain per hour.

use std::error::Error;
use std::time::Duration;

use instant_acme::{Error as AcmeError, Problem};

/// First pause after the ACME server was not reachable, which counts toward no limit.
const UNREACHABLE: Duration = Duration::from_secs(5);
/// First pause after a refusal.
const REFUSED: Duration = Duration::from_secs(2 * 60);
/// Pause after the server reported that its limit was reached.
const LIMITED: Duration = Duration::from_secs(3 * 60 * 60);
/// Maximum pause after the other failures.
const PAUSE_MAX: Duration = Duration::from_secs(60 * 60);

/// Reason why no certificate was obtained.
#[derive(Debug, thiserror::Error)]
pub enum RenewalError {
    /// There was no response, or one that is not ACME.
    #[error("the ACME server cannot be reached ({0})")]
    Unreachable(String),
    /// The server or this program rejected the request.
    #[error("{0}")]
    Refused(String),
    /// Too many requests.
    #[error("the ACME server's rate limit is reached ({0})")]
    Limited(String),
}

impl From<AcmeError> for RenewalError {
    fn from(error: AcmeError) -> Self {
        match error {
            AcmeError::Api(problem) => problem.into(),
            AcmeError::Json(error) => {
                Self::Unreachable(format!("its response is not ACME: {error}"))
            }
            AcmeError::Timeout(_) => {
                Self::Refused("the ACME server did not finish in time".to_owned())
            }
            AcmeError::Other(error) => Self::Unreachable(chain(&*error)),
            error => Self::Refused(error.to_string()),
        }
    }
}

impl From<Problem> for RenewalError {
    fn from(problem: Problem) -> Self {
        let detail = reason(&problem);
        let kind = problem.r#type.as_deref().unwrap_or_default();
        if kind.ends_with(":rateLimited") {
            Self::Limited(detail)
        } else if kind.ends_with(":badNonce") || problem.status.is_some_and(|it| it >= 500) {
            Self::Unreachable(detail)
        } else {
            Self::Refused(format!("the ACME server refused the request: {detail}"))
        }
    }
}

/// Returns a problem's explanation in English, or else its type.
pub fn reason(problem: &Problem) -> String {
    let detail = problem.detail.as_ref().or(problem.r#type.as_ref());
    detail.map_or_else(|| "no reason given".to_owned(), Clone::clone)
}

/// Returns an error and its causes in one line.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line += &format!(": {error}");
        cause = error.source();
    }
    line
}

/// Returns the pause after a number of failures in a row. It doubles up to a maximum.
pub fn pause_after(error: &RenewalError, failures: u32) -> Duration {
    let first = match error {
        RenewalError::Unreachable(_) => UNREACHABLE,
        RenewalError::Refused(_) => REFUSED,
        RenewalError::Limited(_) => return LIMITED,
    };
    let doublings = failures.saturating_sub(1).min(16);
    first.saturating_mul(1 << doublings).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(kind: &str, status: u16) -> RenewalError {
        Problem {
            r#type: Some(format!("urn:ietf:params:acme:error:{kind}")),
            detail: Some("because".to_owned()),
            status: Some(status),
            subproblems: Vec::new(),
        }
        .into()
    }

    #[test]
    fn pauses_grow_and_keep_within_five_failed_validations_per_hour() {
        let refused = failed("unauthorized", 403);
        assert_eq!(pause_after(&refused, 1), Duration::from_secs(120));
        let in_hour = (1..).scan(Duration::ZERO, |at, failures| {
            *at += pause_after(&refused, failures);
            Some(*at)
        });
        let attempts = 1 + in_hour.take_while(|at| *at < Duration::from_secs(3600)).count();
        assert_eq!(attempts, 5, "attempts in the first hour");
        let unreachable = failed("serverInternal", 500);
        let pauses = [1, 2, 3, 99].map(|it| pause_after(&unreachable, it).as_secs());
        assert_eq!(pauses, [5, 10, 20, 3600]);
        assert_eq!(pause_after(&failed("rateLimited", 429), 1), LIMITED);
    }
}
