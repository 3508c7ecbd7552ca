//! Prints lines to standard output and standard error. Their reader may close the pipe, as in
//! `flagship export solves | head`.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

pub use flagship_server::apply::difference::counted;

/// Writes a line to standard output. `println!` panics on a closed pipe.
macro_rules! outln {
    ($($arg:tt)*) => { $crate::output::print_line(format_args!($($arg)*)) };
}

/// Writes a line to standard error. `eprintln!` panics on a closed pipe.
macro_rules! errln {
    ($($arg:tt)*) => { $crate::output::print_error_line(format_args!($($arg)*)) };
}

/// Writes a line to standard output. A closed pipe is ignored; any other failure, such as a full
/// disk, ends the program with an error.
pub fn print_line(text: Arguments<'_>) {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            print_error_line(format_args!(
                "flagship: cannot write to standard output ({error}): check the file or disk it \
                goes to"
            ));
            std::process::exit(1);
        }
        _ => {}
    }
}

/// Writes a line to standard error; ignores failures.
pub fn print_error_line(text: Arguments<'_>) {
    drop(writeln!(io::stderr(), "{text}"));
}

/// True if the reader of standard output has closed the pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_pipe))
}
