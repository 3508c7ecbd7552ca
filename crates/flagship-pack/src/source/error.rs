//! Why a text is not edited.

/// Why a text is not edited. It never contains a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not readable as YAML.
    #[error("line {line}: {message}")]
    Unreadable {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The text is no map.
    #[error("a challenge is a map of keys and values")]
    NoMap,
    /// The text is one map in braces.
    #[error("the file is written in braces, as JSON; write each key on a line of its own")]
    Braces,
    /// There is a second document.
    #[error("line {line}: the file holds several documents; a challenge is one")]
    Documents {
        /// The line on which the second begins.
        line: usize,
    },
    /// The key is empty, or names other keys.
    #[error("{0} is not a key that can be edited")]
    Key(String),
    /// The lines of the key are written in a way that is not edited.
    #[error("line {line}: the key {key} is written in a way that cannot be edited in place")]
    Layout {
        /// The key, quoted.
        key: String,
        /// Its line, counted from 1.
        line: usize,
    },
    /// The edit would change another key as well, or remove what another key refers to.
    #[error("the edit would change {0} too, which refers to what is edited; edit the file by hand")]
    Other(String),
    /// The result would not be readable, or would not say what was asked for.
    #[error("{0} cannot be written into this file; edit the file by hand")]
    NotWritten(String),
    /// The value is nested too deeply, or the result is too large for a challenge.
    #[error("this is too large to be a challenge")]
    TooLarge,
}
