//! Known vulnerabilities of dependencies, from public advisory databases, and minimum versions in
//! the lock files. A database that cannot be reached is reported, but is not a failure.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{cargo, npm, run_and_keep};
use crate::summary;

/// Lines to repeat at the end, and the outcome.
type Report = (Vec<String>, Result<()>);

/// Known vulnerabilities of crates, from RustSec's database.
pub fn advisories() -> Report {
    let fetched = cargo(&["deny", "fetch", "db"]).output();
    if !fetched.is_ok_and(|done| done.status.success()) {
        return not_checked("advisories of crates", "RustSec's database");
    }
    let words = ["deny", "--all-features", "check", "advisories", "--disable-fetch"];
    run_and_keep(&mut cargo(&words), summary::nothing)
}

/// Known vulnerabilities of the packages bundled into the site, from npm's registry.
pub fn audit() -> Report {
    match query(&mut npm("web", &["audit", "--omit=dev", "--json"])) {
        Ok(None) => not_checked("advisories of npm packages", "npm's audit"),
        Ok(Some(0)) => (vec![], Ok(())),
        Ok(Some(count)) => {
            let words = format!("{count} bundled packages have known vulnerabilities: npm audit");
            (vec![], Err(anyhow::anyhow!(words)))
        }
        Err(error) => (vec![], Err(error)),
    }
}

/// The number of vulnerable packages; `None` if the registry cannot be reached.
fn query(audit: &mut Command) -> Result<Option<u64>> {
    let done = audit.output().context("start npm")?;
    vulnerabilities(&String::from_utf8_lossy(&done.stdout))
}

/// Parses the output of `npm audit --json`.
fn vulnerabilities(output: &str) -> Result<Option<u64>> {
    if output.trim().is_empty() {
        return Ok(None);
    }
    let found: serde_json::Value =
        serde_json::from_str(output).context("read the output of npm audit")?;
    if found.get("metadata").is_none() && (found.get("message").or(found.get("error"))).is_some() {
        return Ok(None);
    }
    match found["metadata"]["vulnerabilities"]["total"].as_u64() {
        Some(count) => Ok(Some(count)),
        None => bail!("the output of npm audit has neither a result nor an error"),
    }
}

fn not_checked(what: &str, source: &str) -> Report {
    let line = format!("NOT CHECKED: {what}; {source} cannot be reached from here");
    println!("{line}");
    (vec![line], Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    /// Minimum versions of crates, with the reason.
    const CRATES: [(&str, &str, &str); 9] = [
        ("libsqlite3-sys", "0.37.0", "SQLite 3.51.3: before it a WAL reset can corrupt"),
        ("tungstenite", "0.20.1", "CVE-2023-43669: headers of unlimited length"),
        ("ammonia", "4.1.3", "CVE-2026-63430: a vulnerability of the sanitiser"),
        ("axum", "0.8.9", "the tested version"),
        ("hyper", "1.6.0", "HTTP/1 with limits on request heads"),
        ("sqlx", "0.9.0", "supports both databases from one source"),
        ("lettre", "0.11.23", "mail over rustls with ring"),
        ("argon2", "0.6.0", "passwords"),
        ("rustls", "0.23.0", "the only TLS library"),
    ];
    const PACKAGES: [(&str, &str, &str); 3] = [
        ("dompurify", "3.4.0", "sanitises a second time in the browser"),
        ("react", "19.3.0", "escapes text"),
        ("altcha", "3.2.0", "compatible with the crate"),
    ];

    fn number(version: &str) -> Vec<u64> {
        let plain = version.split(['-', '+']).next().unwrap_or_default();
        plain.split('.').map(|part| part.parse().unwrap_or_else(|_| panic!("{version}"))).collect()
    }

    /// The versions of a package in Cargo.lock.
    fn locked<'a>(lock: &'a str, name: &str) -> Vec<&'a str> {
        let head = format!("\nname = \"{name}\"\nversion = \"");
        lock.split(&head).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn what_bit_others_is_locked_at_a_version_that_does_not() {
        let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
        for (name, least, why) in CRATES {
            let versions = locked(&lock, name);
            assert!(!versions.is_empty(), "{name} is locked");
            for version in versions {
                assert!(number(version) >= number(least), "{name} {version} < {least}: {why}");
            }
        }
        let lock = std::fs::read_to_string(root().join("web/package-lock.json")).unwrap();
        let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
        for (name, least, why) in PACKAGES {
            let version = lock["packages"][format!("node_modules/{name}")]["version"].as_str();
            let version = version.unwrap_or_else(|| panic!("{name} is locked"));
            assert!(number(version) >= number(least), "{name} {version} < {least}: {why}");
        }
        assert!(number("0.37.0") > number("0.9.9") && number("4.1.2") < number("4.1.3"));
        assert_eq!(locked("\nname = \"a\"\nversion = \"1.2.3\"\n", "a"), ["1.2.3"]);
    }

    #[test]
    fn no_crate_of_ours_has_unsafe_code() {
        let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        assert!(workspace.contains("\n[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"));
        let crates = std::fs::read_dir(root().join("crates")).unwrap();
        let crates = crates.map(|entry| entry.unwrap().path()).chain([root().join("xtask")]);
        let mut count = 0;
        for folder in crates {
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let opts_in = manifest.contains("\n[lints]\nworkspace = true\n");
            assert!(opts_in, "{} takes the workspace's lints", folder.display());
            count += 1;
        }
        assert!(count >= 7, "{count}");
        // The macro of fuzz targets expands to unsafe code, so they cannot forbid it.
        let targets = std::fs::read_dir(root().join("fuzz/targets")).unwrap();
        for target in targets.map(|entry| entry.unwrap().path()) {
            let text = std::fs::read_to_string(&target).unwrap();
            assert!(!text.contains("unsafe"), "{}", target.display());
        }
    }

    #[test]
    fn what_npm_says_is_understood() {
        let found = r#"{"metadata": {"vulnerabilities": {"total": 2}}}"#;
        assert_eq!(vulnerabilities(found).unwrap(), Some(2));
        let none = r#"{"vulnerabilities": {}, "metadata": {"vulnerabilities": {"total": 0}}}"#;
        assert_eq!(vulnerabilities(none).unwrap(), Some(0));
        assert_eq!(vulnerabilities(r#"{"message": "405 Method Not Allowed"}"#).unwrap(), None);
        assert_eq!(vulnerabilities(r#"{"error": {"code": "ENOTFOUND"}}"#).unwrap(), None);
        assert_eq!(vulnerabilities("\n").unwrap(), None);
        assert!(vulnerabilities("{}").is_err() && vulnerabilities("<html>").is_err());
    }
}
