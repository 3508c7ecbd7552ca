//! `flagship check`: lists the problems of an event's files.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use flagship_pack::Severity;
use jiff::Timestamp;

use crate::output::counted;

/// Prints the problems of at least severity `least`, and the number of problems by severity.
pub fn check(event: &Path, least: Severity) -> Result<()> {
    let pack = flagship_pack::check(event, Timestamp::now().as_millisecond())?;
    let mut out = std::io::stdout().lock();
    for line in pack.lines(least) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", pack.summary())?;
    match pack.errors() {
        0 => Ok(()),
        count => bail!(counted(count, "error", "errors")),
    }
}
