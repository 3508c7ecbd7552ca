//! Limits of files with copies, and the error returned when a file cannot have copies.

use std::io;

use crate::problem::quote;

/// Placeholder that becomes the team's flag.
pub const PLACEHOLDER: &str = "{{team_flag}}";

/// Maximum size of a file with copies, and of a copy, in bytes.
pub const COPIED_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Maximum total size of an archive's unpacked members, in bytes.
pub const UNPACKED_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Maximum size of a text with placeholders, in bytes. It is in memory while the template is
/// written.
pub const TEXT_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Maximum number of placeholders in a file.
pub const PLACEHOLDERS_MAX: usize = 1000;

/// Maximum number of members of an archive.
pub const MEMBERS_MAX: usize = 20_000;

/// Error returned when a file cannot have copies. `member` is empty for the file itself.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// A placeholder is in something other than text.
    #[error("{}contains `{PLACEHOLDER}`, but is not UTF-8 text without NUL", of_member(.member))]
    NotText {
        /// Name of the archive's member.
        member: String,
    },
    /// A text with placeholders is too large.
    #[error(
        "{}contains `{PLACEHOLDER}` and is larger than {} MiB",
        of_member(.member), TEXT_BYTES_MAX >> 20
    )]
    TextTooLarge {
        /// Name of the archive's member.
        member: String,
    },
    /// The file or a copy is too large.
    #[error("a file with `per_team` can have at most {} MiB", COPIED_BYTES_MAX >> 20)]
    TooLarge,
    /// The members of the archive are too large when unpacked.
    #[error("the archive has more than {} MiB when unpacked", UNPACKED_BYTES_MAX >> 20)]
    UnpacksTooLarge,
    /// The archive has too many members.
    #[error("the archive has more than {MEMBERS_MAX} members")]
    TooManyMembers,
    /// There are too many placeholders.
    #[error("the file contains `{PLACEHOLDER}` more than {PLACEHOLDERS_MAX} times")]
    TooManyPlaceholders,
    /// The archive is broken, or uses a feature that is not supported.
    #[error("the archive cannot be read: {0}")]
    Unreadable(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(io::Error),
}

fn of_member(member: &str) -> String {
    match member {
        "" => String::new(),
        member => format!("the member {} ", quote(member)),
    }
}

impl From<io::Error> for TemplateError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::UnpacksTooLarge,
            io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::Other
            | io::ErrorKind::UnexpectedEof => Self::Unreadable(error.to_string()),
            _ => Self::Io(error),
        }
    }
}
