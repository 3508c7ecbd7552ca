//! Error messages: our own text, the library's message once in parentheses, then advice.

use std::error::Error;
use std::io::{self, ErrorKind};

use flagship_store::{DatabaseFault, StoreError};

/// Description of a known cause, its own message, and advice.
type Explanation = (&'static str, String, &'static str);

/// Returns the error and its causes in one line. The line ends with advice if the cause is known.
pub fn message(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        if let Some((is, said, then)) = explanation(cause) {
            let before = if line.is_empty() { String::new() } else { format!("{line}: ") };
            return format!("{before}{is} ({said}). {then}");
        }
        let text = cause.to_string();
        // Library errors often include the text of their cause.
        if !line.contains(&text) {
            line = if line.is_empty() { text } else { format!("{line}: {text}") };
        }
    }
    line
}

fn explanation(cause: &(dyn Error + 'static)) -> Option<Explanation> {
    if let Some(StoreError::Corrupt(said)) = cause.downcast_ref() {
        let then = "Keep a copy of the data folder. If another program modified the database, \
            restore the last backup from before that into an empty folder: `flagship restore FILE \
            --data NEW`. See \"Troubleshooting\" in docs/operate.md";
        return Some(("the database is inconsistent", said.clone(), then));
    }
    if let Some(error) = cause.downcast_ref::<StoreError>() {
        let (fault, said) = error.fault()?;
        let (is, then) = database_advice(fault);
        return Some((is, said, then));
    }
    let error = match cause.downcast_ref::<csv::Error>().map(csv::Error::kind) {
        Some(csv::ErrorKind::Io(error)) => error,
        _ => cause.downcast_ref::<io::Error>()?,
    };
    let (is, then) = io_advice(error.kind())?;
    Some((is, error.to_string(), then))
}

fn database_advice(fault: DatabaseFault) -> (&'static str, &'static str) {
    match fault {
        DatabaseFault::Full => ("the disk is full", "Free some space, then run the command again"),
        DatabaseFault::Disk => (
            "the disk failed",
            "Check the system log (`dmesg`). Copy the data folder to another disk, or restore the \
            latest backup there: `flagship restore FILE --data NEW`",
        ),
        DatabaseFault::Denied => (
            "permission denied on the database",
            "Run the command as the server's user: `sudo -u flagship flagship ...`",
        ),
        DatabaseFault::Damaged => (
            "the database is damaged",
            "Stop the server and keep the file, then restore the latest backup into an empty \
            folder: `flagship restore FILE --data NEW`",
        ),
        DatabaseFault::NoDatabaseFile => (
            "the file is not an SQLite database",
            "Check --data, or restore the latest backup into an empty folder: `flagship restore \
            FILE --data NEW`",
        ),
        DatabaseFault::Locked => (
            "the database is locked by another program",
            "Find it with `fuser -v FILE`, stop it and run the command again",
        ),
        DatabaseFault::Unreachable => (
            "the database server is not responding",
            "Check the host and port in --database, and that the server is running: `systemctl \
            status postgresql`",
        ),
        DatabaseFault::Tls => (
            "the database server cannot be reached over TLS",
            "Check the host name, `sslmode` and `sslrootcert` in --database (FLAGSHIP_DATABASE). \
            See \"Managed PostgreSQL\" in docs/scale.md",
        ),
        DatabaseFault::Login => (
            "the database server rejected the login",
            "Correct the user or the password in --database (FLAGSHIP_DATABASE)",
        ),
        DatabaseFault::NoDatabase => (
            "the database does not exist",
            "Create it (`createdb NAME`), or correct the name in --database",
        ),
        DatabaseFault::Refused => (
            "the database server is not accepting connections",
            "Wait until it has started, or raise its `max_connections`, then try again",
        ),
        DatabaseFault::Address => (
            "the database URL is invalid",
            "Use postgres://USER:PASSWORD@HOST:PORT/NAME and percent-encode special characters in \
            the password",
        ),
    }
}

fn io_advice(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::NotFound => ("not found", "Check the path"),
        ErrorKind::PermissionDenied => (
            "access denied",
            "Run the command as the user that owns it (`sudo -u flagship flagship ...`), or change \
             the owner or the mode (`chown`, `chmod`)",
        ),
        ErrorKind::AlreadyExists => ("already exists", "Choose another name"),
        ErrorKind::NotADirectory => ("not a folder", "Check the path"),
        ErrorKind::IsADirectory => ("is a folder", "Use a file path"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ("the disk is full", "Free some space, then run the command again")
        }
        ErrorKind::ReadOnlyFilesystem => {
            ("the disk is read-only", "Use a folder on a writable disk")
        }
        ErrorKind::AddrInUse => (
            "the address is already in use",
            "Stop the program using it (find it with `ss -ltnp`), or use another address",
        ),
        ErrorKind::AddrNotAvailable => (
            "the address does not belong to this machine",
            "Use one listed by `ip address`, 127.0.0.1 behind a proxy, or 0.0.0.0 for all",
        ),
        ErrorKind::ConnectionRefused => {
            ("connection refused", "Check the host and port, and that the program is running")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn an_error_has_our_message_the_systems_and_advice() {
        let denied = Err::<(), _>(io::Error::from(ErrorKind::PermissionDenied));
        let error = denied.context("read the secret `data/secret`").unwrap_err();
        let said = message(&error);
        let start = "read the secret `data/secret`: access denied (permission denied). ";
        assert!(said.starts_with(start) && said.ends_with("`chmod`)"), "{said}");
        assert_eq!(said.matches("permission denied").count(), 1);
    }

    #[test]
    fn a_repeated_cause_is_printed_once() {
        let error = anyhow::anyhow!("x is wrong").context("it failed: x is wrong").context("open");
        assert_eq!(message(&error), "open: it failed: x is wrong");
    }
}
