//! Standard output, whose reader may go away: `flagship export solves | head`.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

use anyhow::{Context, Result};

/// Writes a line. Without a reader nothing is written, and the command goes on, because what it
/// does matters more than what it says.
///
/// # Panics
/// If the output cannot be written for another reason, as `std::println` does.
pub fn line(text: Arguments<'_>) {
    let written = read_or_unread(writeln!(io::stdout(), "{text}"));
    written.expect("standard output can be written to");
}

/// The same result, without the error that the reader is gone.
pub fn read_or_unread(written: io::Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("write to standard output"),
    }
}
