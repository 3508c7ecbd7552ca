//! What is wrong with a database, for an operator: found in the codes of errors, so that the
//! program's words come before those of a library.

use std::io;

use sqlx::migrate::MigrateError;

use crate::StoreError;

/// A cause that an operator can do something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No space is left.
    Full,
    /// The disk or the file system failed.
    Disk,
    /// This user may not read or write the database.
    Denied,
    /// The file is damaged.
    Damaged,
    /// The file is no database.
    NoDatabaseFile,
    /// Another program keeps the database locked.
    Locked,
    /// The server cannot be reached or does not answer.
    Unreachable,
    /// The server refuses the user or the password.
    Login,
    /// The server has no database of this name.
    NoDatabase,
    /// The server accepts no more connections, or none now.
    Refused,
    /// The database's address cannot be read.
    Address,
}

/// The code of PostgreSQL when the wait for a lock has ended.
const LOCK_NOT_AVAILABLE: &str = "55P03";

impl StoreError {
    /// The cause, if it is a known one, with the library's sentence about it.
    pub fn trouble(&self) -> Option<(Trouble, String)> {
        match self {
            Self::Database(error) => of_database(error),
            Self::Migrate(MigrateError::Execute(error))
            | Self::Migrate(MigrateError::ExecuteMigration(error, _)) => of_database(error),
            Self::Operation(error) => error.trouble(),
            _ => None,
        }
    }

    /// Whether another transaction of PostgreSQL had a row for longer than this one was to wait.
    pub(crate) fn is_of_locks(&self) -> bool {
        let Self::Database(sqlx::Error::Database(said)) = self else { return false };
        said.code().is_some_and(|code| code == LOCK_NOT_AVAILABLE)
    }
}

fn of_database(error: &sqlx::Error) -> Option<(Trouble, String)> {
    match error {
        sqlx::Error::Database(said) => {
            let trouble = of_code(said.code()?.as_ref())?;
            Some((trouble, said.message().to_owned()))
        }
        sqlx::Error::Io(error) => {
            let full = error.kind() == io::ErrorKind::StorageFull;
            let trouble = if full { Trouble::Full } else { Trouble::Unreachable };
            Some((trouble, error.to_string()))
        }
        sqlx::Error::PoolTimedOut => Some((Trouble::Unreachable, "no answer in 5 s".to_owned())),
        sqlx::Error::Tls(error) => Some((Trouble::Unreachable, error.to_string())),
        sqlx::Error::Configuration(error) => Some((Trouble::Address, error.to_string())),
        _ => None,
    }
}

/// The trouble of a code: five characters of SQL's standard, or the number of the library that
/// writes the file, whose lowest byte is the primary code (its `rescode` page lists them).
fn of_code(code: &str) -> Option<Trouble> {
    if code.len() == 5 {
        return match code {
            "53100" => Some(Trouble::Full),
            "58030" => Some(Trouble::Disk),
            "42501" | "25006" => Some(Trouble::Denied),
            "XX001" | "XX002" => Some(Trouble::Damaged),
            LOCK_NOT_AVAILABLE => Some(Trouble::Locked),
            "3D000" => Some(Trouble::NoDatabase),
            "28000" | "28P01" => Some(Trouble::Login),
            "53300" | "57P01" | "57P02" | "57P03" => Some(Trouble::Refused),
            _ => None,
        };
    }
    match code.parse::<u32>().ok()? & 0xff {
        5 | 6 => Some(Trouble::Locked),
        // Read-only, not permitted, and a file that cannot be opened.
        3 | 8 | 14 | 23 => Some(Trouble::Denied),
        10 => Some(Trouble::Disk),
        11 => Some(Trouble::Damaged),
        13 => Some(Trouble::Full),
        26 => Some(Trouble::NoDatabaseFile),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_of_both_databases_are_recognised() {
        for (code, trouble) in [
            ("13", Some(Trouble::Full)),
            ("53100", Some(Trouble::Full)),
            ("11", Some(Trouble::Damaged)),
            ("267", Some(Trouble::Damaged)),
            ("26", Some(Trouble::NoDatabaseFile)),
            ("1032", Some(Trouble::Denied)),
            ("28P01", Some(Trouble::Login)),
            ("3D000", Some(Trouble::NoDatabase)),
            ("1", None),
            ("42P01", None),
            ("", None),
        ] {
            assert_eq!(of_code(code), trouble, "{code:?}");
        }
    }
}
