//! Error type for edits of a challenge source.

/// Error returned when a text cannot be edited. It never contains a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not valid YAML.
    #[error("line {line}: {message}")]
    Unreadable {
        /// The line, counted from 1.
        line: usize,
        /// The parser's message.
        message: String,
    },
    /// The text is not a mapping.
    #[error("a challenge must be a YAML mapping")]
    NoMap,
    /// The text is a single mapping in braces.
    #[error("the file uses JSON-style braces; write each key on its own line")]
    Braces,
    /// The text contains a second document.
    #[error("line {line}: the file contains several YAML documents; a challenge must be one")]
    Documents {
        /// The line on which the second document starts.
        line: usize,
    },
    /// The key is empty or a merge key.
    #[error("{0} is not a key that can be edited")]
    Key(String),
    /// The layout of the key's lines is not supported.
    #[error("line {line}: the key {key} cannot be edited in place")]
    Layout {
        /// The key, quoted.
        key: String,
        /// The line of the key, counted from 1.
        line: usize,
    },
    /// The edit would also change another key, or remove an anchor that another key refers to.
    #[error("the edit would also change {0}, which is an alias of it; edit the file by hand")]
    Other(String),
    /// The result would be invalid or would not contain the requested value.
    #[error("{0} cannot be added to this file automatically; edit the file by hand")]
    NotWritten(String),
    /// The value is nested too deeply, or the result is too large for a challenge.
    #[error("this file is too large")]
    TooLarge,
}
