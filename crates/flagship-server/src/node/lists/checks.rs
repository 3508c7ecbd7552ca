//! Checks of a running event: the part of `flagship doctor`, `flagship journal verify` and
//! `flagship actions verify` that needs no shell. Changes nothing and sends no email.

use flagship_pack::Registration;
use flagship_store::{Db, Seal, StoreError, actions, dump, journal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::node::backup::{FREE_BYTES_MIN, free_bytes, mib};
use crate::node::certificate::CertificateStatus;
use crate::node::config::Config;
use crate::node::services::transport;
use crate::node::serving::Serving;

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// No problem was found.
    Ok,
    /// Something that is missing but not required yet.
    Warning,
    /// Something to fix.
    Problem,
}

/// A check and its result.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = EventCheck)]
pub struct Check {
    /// Machine-readable code of the result, such as `journal_intact`.
    pub code: &'static str,
    /// Result.
    pub state: State,
    /// Number, address or reason that belongs to the code; null if there is none.
    pub detail: Option<String>,
}

impl Check {
    fn new(code: &'static str, state: State, detail: impl Into<Option<String>>) -> Self {
        Self { code, state, detail: detail.into() }
    }

    /// Returns the codes' check for a count of intact entries, or the reason of the damage.
    fn intact(
        [intact, altered]: [&'static str; 2],
        found: Result<i64, StoreError>,
    ) -> Result<Self, StoreError> {
        match found {
            Ok(count) => Ok(Self::new(intact, State::Ok, count.to_string())),
            Err(StoreError::Corrupt(why)) => Ok(Self::new(altered, State::Problem, why)),
            Err(error) => Err(error),
        }
    }
}

/// Runs all checks.
///
/// # Errors
/// Fails if the database cannot be read.
pub async fn run(node: &Serving) -> Result<Vec<Check>, StoreError> {
    let (db, seal) = (&node.db, &node.seal);
    let entries = node.feed.latest().seq();
    let logged = actions::verify(db, seal).await;
    let config = node.services.load_full();
    let certificate = node.certificate();
    let is_proxied = certificate.is_none();
    let mut checks = vec![
        Check::intact(["journal_intact", "journal_altered"], chain(db, seal, entries).await)?,
        Check::intact(
            ["audit_log_intact", "audit_log_altered"],
            logged.map(|count| i64::try_from(count).unwrap_or(i64::MAX)),
        )?,
        mail(&node.config.public_url, &config.config, &node.settings.load().registration).await,
        site(&node.config.public_url),
        proxies(
            is_proxied && node.config.public_url.starts_with("https://"),
            node.settings.load().limits.trusted_proxies.len(),
        ),
        disk(&node.config).await,
        clock(node.clock.jump_ms()),
        match dump::last(db).await? {
            Some(at_ms) => Check::new("backup_made", State::Ok, at_ms.to_string()),
            None => Check::new("backup_missing", State::Warning, None),
        },
    ];
    checks.extend(certificate.map(certificate_check));
    Ok(checks)
}

/// Returns the check of built-in TLS, with the time of the certificate's expiry.
fn certificate_check(status: CertificateStatus) -> Check {
    let until = status.times.map(|times| times.expires_at_ms.to_string());
    match status.is_failing {
        true => Check::new("certificate_fails", State::Problem, until),
        false => Check::new("certificate_valid", State::Ok, until),
    }
}

/// Returns the number of entries if their hash chain, signatures and solves are intact.
async fn chain(db: &Db, seal: &Seal, entries: i64) -> Result<i64, StoreError> {
    journal::check_solves(db).await?;
    seal.check(db).await?;
    Ok(entries)
}

/// Logs in to the mail server. On a public site, signups need email.
async fn mail(public_url: &str, config: &Config, registration: &Registration) -> Check {
    match transport::log_in(config).await {
        Ok(Some(address)) => Check::new("mail_ready", State::Ok, address),
        Err(error) => Check::new("mail_unreachable", State::Problem, format!("{error:#}")),
        Ok(None) if !is_local(public_url) && registration.open && registration.confirm_email => {
            Check::new("mail_never_sent", State::Problem, None)
        }
        Ok(None) => Check::new("mail_to_files", State::Warning, None),
    }
}

fn site(public_url: &str) -> Check {
    let url = public_url.to_owned();
    match public_url {
        it if it.starts_with("https://") => Check::new("site_https", State::Ok, url),
        it if is_local(it) => Check::new("site_local", State::Warning, url),
        _ => Check::new("site_plain", State::Problem, url),
    }
}

/// With https there is a proxy, unless TLS is built in. If it is not trusted, all players appear
/// under its address.
fn proxies(is_proxied: bool, count: usize) -> Check {
    match count {
        0 if is_proxied => Check::new("proxies_missing", State::Problem, None),
        count => Check::new("proxies_trusted", State::Ok, count.to_string()),
    }
}

async fn disk(config: &Config) -> Check {
    let data = config.data.clone();
    let free = tokio::task::spawn_blocking(move || free_bytes(&data).ok()).await;
    match free.unwrap_or_default() {
        None => Check::new("disk_unknown", State::Warning, None),
        Some(bytes) if bytes < FREE_BYTES_MIN => {
            Check::new("disk_low", State::Problem, mib(bytes).to_string())
        }
        Some(bytes) => Check::new("disk_free", State::Ok, mib(bytes).to_string()),
    }
}

fn clock(jump_ms: Option<i64>) -> Check {
    match jump_ms {
        None => Check::new("clock_steady", State::Ok, None),
        Some(ms) => Check::new("clock_jumped", State::Problem, (ms / 1000).to_string()),
    }
}

/// True for the address of a server on the organizer's own machine.
fn is_local(public_url: &str) -> bool {
    let Some(rest) = public_url.strip_prefix("http://") else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = host.strip_prefix("[::1]").map_or(host, |_| "localhost");
    let host = host.split(':').next().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1") || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(check: &Check) -> (&str, State) {
        (check.code, check.state)
    }

    #[test]
    fn a_public_site_needs_tls_and_a_trusted_proxy() {
        assert_eq!(found(&site("https://ctf.example")), ("site_https", State::Ok));
        assert_eq!(found(&site("http://ctf.example")), ("site_plain", State::Problem));
        assert_eq!(found(&site("http://127.0.0.1:8080")), ("site_local", State::Warning));
        assert_eq!(found(&proxies(true, 0)), ("proxies_missing", State::Problem));
        assert_eq!(found(&proxies(true, 1)), ("proxies_trusted", State::Ok));
        assert_eq!(found(&proxies(false, 0)), ("proxies_trusted", State::Ok));
    }

    #[test]
    fn damage_is_a_problem_and_a_failed_read_is_an_error() {
        let codes = ["intact", "altered"];
        let intact = Check::intact(codes, Ok(7)).expect("a result");
        assert_eq!(intact, Check::new("intact", State::Ok, "7".to_owned()));
        let damaged = Check::intact(codes, Err(StoreError::Corrupt("entry 3".to_owned())));
        assert_eq!(found(&damaged.expect("a result")), ("altered", State::Problem));
        assert!(Check::intact(codes, Err(StoreError::Newer(9))).is_err());
    }

    #[test]
    fn a_clock_that_jumped_is_a_problem() {
        assert_eq!(found(&clock(None)), ("clock_steady", State::Ok));
        assert_eq!(found(&clock(Some(3_000))), ("clock_jumped", State::Problem));
    }
}
