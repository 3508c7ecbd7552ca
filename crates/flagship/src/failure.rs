//! Why a command failed, in words: ours first, a library's sentence once and in brackets, and what
//! to do next.

use std::error::Error;
use std::io::{self, ErrorKind};

use flagship_store::{StoreError, Trouble};

/// What a known cause means, its details in its own words, and what to do.
type Known = (&'static str, String, &'static str);

/// The error and its causes in one line. A known cause ends the line with what to do.
pub fn words(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        if let Some((is, said, then)) = known(cause) {
            let before = if line.is_empty() { String::new() } else { format!("{line}: ") };
            return format!("{before}{is} ({said}). {then}");
        }
        let text = cause.to_string();
        // Libraries repeat the text of a cause in their own.
        if !line.contains(&text) {
            line = if line.is_empty() { text } else { format!("{line}: {text}") };
        }
    }
    line
}

fn known(cause: &(dyn Error + 'static)) -> Option<Known> {
    if let Some(StoreError::Corrupt(said)) = cause.downcast_ref() {
        let then = "Keep a copy of the data folder. If another program wrote to the database, \
                    restore the newest backup from before that into an empty folder: `flagship \
                    restore FILE --data NEW`; \"Troubleshooting\" in docs/operate.md has more";
        return Some(("the database holds what cannot be right", said.clone(), then));
    }
    if let Some(error) = cause.downcast_ref::<StoreError>() {
        let (trouble, said) = error.trouble()?;
        let (is, then) = of_trouble(trouble);
        return Some((is, said, then));
    }
    let error = match cause.downcast_ref::<csv::Error>().map(csv::Error::kind) {
        Some(csv::ErrorKind::Io(error)) => error,
        _ => cause.downcast_ref::<io::Error>()?,
    };
    let (is, then) = of_io(error.kind())?;
    Some((is, error.to_string(), then))
}

fn of_trouble(trouble: Trouble) -> (&'static str, &'static str) {
    match trouble {
        Trouble::Full => ("the disk is full", "Free some space, then run the command again"),
        Trouble::Disk => (
            "the disk failed",
            "Look at the system's log (`dmesg`); copy the data folder to another disk, or restore \
             the newest backup there: `flagship restore FILE --data NEW`",
        ),
        Trouble::Denied => (
            "this user may not read or write the database",
            "Run the command as the user that runs the event: `sudo -u flagship flagship ...`",
        ),
        Trouble::Damaged => (
            "the database is damaged",
            "Stop the server and keep the file; then restore the newest backup into an empty \
             folder: `flagship restore FILE --data NEW`",
        ),
        Trouble::NoDatabaseFile => (
            "the file is no SQLite database",
            "Give the right folder with --data, or restore the newest backup into an empty one: \
             `flagship restore FILE --data NEW`",
        ),
        Trouble::Locked => (
            "another program keeps the database locked",
            "Find it with `fuser -v FILE` and end it, then run the command again",
        ),
        Trouble::Unreachable => (
            "the database's server does not answer",
            "Check the host and the port in --database, and that the server runs: \
             `systemctl status postgresql`",
        ),
        Trouble::Login => (
            "the database's server refuses the login",
            "Correct the user or the password in --database (FLAGSHIP_DATABASE)",
        ),
        Trouble::NoDatabase => (
            "the server has no such database",
            "Create it (`createdb NAME`), or correct the name in --database",
        ),
        Trouble::Refused => (
            "the database's server accepts no connection now",
            "Wait until it has started, or raise its `max_connections`, then try again",
        ),
        Trouble::Address => (
            "the database's address cannot be read",
            "Write it as postgres://USER:PASSWORD@HOST:PORT/NAME, with special characters of the \
             password as %XX",
        ),
    }
}

fn of_io(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::NotFound => ("there is nothing of this name", "Check the path"),
        ErrorKind::PermissionDenied => (
            "this user may not do that",
            "Run the command as the user that owns it (`sudo -u flagship flagship ...`), or change \
             the owner or the mode (`chown`, `chmod`)",
        ),
        ErrorKind::AlreadyExists => ("there is a file of this name", "Give another name"),
        ErrorKind::NotADirectory => ("it is no folder", "Check the path"),
        ErrorKind::IsADirectory => ("it is a folder", "Name a file"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ("the disk is full", "Free some space, then run the command again")
        }
        ErrorKind::ReadOnlyFilesystem => {
            ("the disk is read-only", "Name a folder on a disk that can be written to")
        }
        ErrorKind::AddrInUse => (
            "another program listens there",
            "Stop it (`ss -ltnp` names it), or give another address",
        ),
        ErrorKind::AddrNotAvailable => (
            "this machine does not have the address",
            "Give one that `ip address` lists, 127.0.0.1 behind a proxy, or 0.0.0.0 for all",
        ),
        ErrorKind::ConnectionRefused => {
            ("nothing listens there", "Check the host and the port, and that the program runs")
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
        let said = words(&error);
        let start =
            "read the secret `data/secret`: this user may not do that (permission denied). ";
        assert!(said.starts_with(start) && said.ends_with("`chmod`)"), "{said}");
        assert_eq!(said.matches("permission denied").count(), 1);
    }

    #[test]
    fn a_repeated_cause_is_printed_once() {
        let error = anyhow::anyhow!("x is wrong").context("it failed: x is wrong").context("open");
        assert_eq!(words(&error), "open: it failed: x is wrong");
    }
}
