//! Database faults that an operator can fix. Error codes determine the fault, so that Flagship's
//! own message can precede the message of the library.

use std::io;

use sqlx::migrate::MigrateError;

use crate::StoreError;

/// A database fault that an operator can fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseFault {
    /// No space is left.
    Full,
    /// The disk or the file system failed.
    Disk,
    /// The user may not read or write the database.
    Denied,
    /// The file is damaged.
    Damaged,
    /// The file is not a database.
    NoDatabaseFile,
    /// Another program keeps the database locked.
    Locked,
    /// The server cannot be reached or does not answer.
    Unreachable,
    /// The connection cannot be encrypted, or the server's certificate is not trusted.
    Tls,
    /// The server rejects the user or the password.
    Login,
    /// The server has no database of this name.
    NoDatabase,
    /// The server currently accepts no more connections.
    Refused,
    /// The database's URL is invalid.
    Address,
}

/// PostgreSQL's error code for a lock timeout.
const LOCK_NOT_AVAILABLE: &str = "55P03";

impl StoreError {
    /// Returns the fault, if known, with the library's message.
    pub fn fault(&self) -> Option<(DatabaseFault, String)> {
        match self {
            Self::Database(error) => of_database(error),
            Self::Migrate(MigrateError::Execute(error))
            | Self::Migrate(MigrateError::ExecuteMigration(error, _)) => of_database(error),
            Self::Operation(error) => error.fault(),
            _ => None,
        }
    }

    /// True if a row lock could not be acquired in time (PostgreSQL).
    pub(crate) fn is_lock_timeout(&self) -> bool {
        let Self::Database(sqlx::Error::Database(said)) = self else { return false };
        said.code().is_some_and(|code| code == LOCK_NOT_AVAILABLE)
    }
}

fn of_database(error: &sqlx::Error) -> Option<(DatabaseFault, String)> {
    match error {
        sqlx::Error::Database(said) => {
            let fault = of_code(said.code()?.as_ref())?;
            Some((fault, said.message().to_owned()))
        }
        sqlx::Error::Io(error) => {
            let full = error.kind() == io::ErrorKind::StorageFull;
            let fault = if full { DatabaseFault::Full } else { DatabaseFault::Unreachable };
            Some((fault, error.to_string()))
        }
        sqlx::Error::PoolTimedOut => {
            Some((DatabaseFault::Unreachable, "no answer in 5 s".to_owned()))
        }
        sqlx::Error::Tls(error) => Some((DatabaseFault::Tls, error.to_string())),
        sqlx::Error::Configuration(error) => Some((DatabaseFault::Address, error.to_string())),
        _ => None,
    }
}

/// Returns the fault of an error code: five characters in PostgreSQL, or SQLite's extended result
/// code, whose lowest byte is the primary code (listed at <https://www.sqlite.org/rescode.html>).
fn of_code(code: &str) -> Option<DatabaseFault> {
    if code.len() == 5 {
        return match code {
            "53100" => Some(DatabaseFault::Full),
            "58030" => Some(DatabaseFault::Disk),
            "42501" | "25006" => Some(DatabaseFault::Denied),
            "XX001" | "XX002" => Some(DatabaseFault::Damaged),
            LOCK_NOT_AVAILABLE => Some(DatabaseFault::Locked),
            "3D000" => Some(DatabaseFault::NoDatabase),
            "28000" | "28P01" => Some(DatabaseFault::Login),
            "53300" | "57P01" | "57P02" | "57P03" => Some(DatabaseFault::Refused),
            _ => None,
        };
    }
    match code.parse::<u32>().ok()? & 0xff {
        5 | 6 => Some(DatabaseFault::Locked),
        // Read-only, no permission, or a file that cannot be opened.
        3 | 8 | 14 | 23 => Some(DatabaseFault::Denied),
        10 => Some(DatabaseFault::Disk),
        11 => Some(DatabaseFault::Damaged),
        13 => Some(DatabaseFault::Full),
        26 => Some(DatabaseFault::NoDatabaseFile),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_of_both_databases_are_recognised() {
        for (code, fault) in [
            ("13", Some(DatabaseFault::Full)),
            ("53100", Some(DatabaseFault::Full)),
            ("11", Some(DatabaseFault::Damaged)),
            ("267", Some(DatabaseFault::Damaged)),
            ("26", Some(DatabaseFault::NoDatabaseFile)),
            ("1032", Some(DatabaseFault::Denied)),
            ("28P01", Some(DatabaseFault::Login)),
            ("3D000", Some(DatabaseFault::NoDatabase)),
            ("1", None),
            ("42P01", None),
            ("", None),
        ] {
            assert_eq!(of_code(code), fault, "{code:?}");
        }
    }

    #[test]
    fn an_untrusted_certificate_is_not_a_silent_server() {
        let error = sqlx::Error::Tls("invalid peer certificate: UnknownIssuer".into());
        let fault = of_database(&error).map(|(fault, _)| fault);
        assert_eq!(fault, Some(DatabaseFault::Tls));
    }
}
