//! Event folders to apply: reading them beside a running server, and their problems.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use flagship_pack::Pack;
use flagship_server::apply::without_event;
use rustix::process::setpriority_process;

/// Nice value of threads that prepare changes: 19 is the lowest priority.
const NICENESS: i32 = 19;

/// Runs work at the lowest priority, to leave the CPU to a server on the same machine.
pub fn at_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Without the lower priority, the work is still correct.
            setpriority_process(None, NICENESS).ok();
            work()
        });
        working.join().map_err(|_| anyhow!("the background task stopped unexpectedly"))
    })
}

/// Reads an event's files at a low priority.
pub fn read(dir: &Path) -> Result<Pack> {
    Ok(at_low_priority(|| flagship_pack::read(dir))??)
}

/// Prints the problems of event files.
///
/// # Errors
/// Fails if the files have no usable event.
pub fn report(pack: &Pack) -> Result<()> {
    for problem in &pack.problems {
        errln!("{problem}");
    }
    match without_event(pack) {
        Some(why) => bail!("nothing was applied: {why}"),
        None => Ok(()),
    }
}
