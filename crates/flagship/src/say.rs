//! Lines on standard output and standard error, whose reader may go away:
//! `flagship export solves | head`.

use std::fmt::{Arguments, Display};
use std::io::{self, ErrorKind, Write};

/// Writes a line to standard output. `println!` panics if nobody reads.
macro_rules! say {
    ($($arg:tt)*) => { $crate::say::line(format_args!($($arg)*)) };
}

/// Writes a line to standard error. `eprintln!` panics if nobody reads.
macro_rules! say_error {
    ($($arg:tt)*) => { $crate::say::error_line(format_args!($($arg)*)) };
}

/// Writes a line to standard output. If nobody reads it, the command goes on; if it cannot be
/// written, as on a full disk, the program ends with an error.
pub fn line(text: Arguments<'_>) {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            error_line(format_args!(
                "flagship: standard output cannot be written to ({error}): look at the file or \
                 the disk that it goes to"
            ));
            std::process::exit(1);
        }
        _ => {}
    }
}

/// Writes a line to standard error, if somebody reads it.
pub fn error_line(text: Arguments<'_>) {
    drop(writeln!(io::stderr(), "{text}"));
}

/// A number of things in words: `1 entry`, `2 entries`.
pub fn counted(count: impl Display, one: &str, many: &str) -> String {
    match count.to_string().as_str() {
        "1" => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// True if an error says that nobody reads standard output any more.
pub fn is_unread(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_pipe))
}
