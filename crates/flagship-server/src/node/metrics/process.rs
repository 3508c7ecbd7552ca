//! Resource use of the process, from `/proc` on Linux.

use rustix::param::{clock_ticks_per_second, page_size};

use crate::net::serve::descriptors;

/// Resource use of the process.
pub struct Used {
    pub memory_bytes: usize,
    /// Processor time since the start, in seconds.
    pub cpu_s: f64,
    /// Number of open files, including connections.
    pub files: usize,
    /// Maximum number of open files.
    pub files_max: usize,
}

/// Returns the current resource use of the process; `None` without `/proc`.
pub fn used() -> Option<Used> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (ticks, pages) = ticks_and_pages(&stat)?;
    Some(Used {
        memory_bytes: pages * page_size(),
        cpu_s: ticks as f64 / clock_ticks_per_second() as f64,
        files: std::fs::read_dir("/proc/self/fd").ok()?.count(),
        files_max: descriptors(),
    })
}

/// Memory of the machine, in bytes: available and total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Memory that is still available to programs.
    pub available_bytes: u64,
    pub total_bytes: u64,
}

/// Returns the current memory of the machine; `None` without `/proc`.
pub fn memory() -> Option<Memory> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kib * 1024)
    };
    Some(Memory { available_bytes: bytes("MemAvailable:")?, total_bytes: bytes("MemTotal:")? })
}

/// Parses the line described in proc(5): the time in user and kernel mode in ticks, and the
/// resident pages.
fn ticks_and_pages(stat: &str) -> Option<(u64, usize)> {
    // The program's name is in parentheses and can contain any character.
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    // The first element of `fields` is the third field of the line.
    let field = |number: usize| fields.get(number - 3);
    let ticks = |number| field(number)?.parse::<u64>().ok();
    Some((ticks(14)? + ticks(15)?, field(24)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stat_line_is_parsed_with_any_program_name() {
        let fields: Vec<String> = (4..=52).map(|field| field.to_string()).collect();
        for name in ["flagship", "a) b", ") 1 2 3 "] {
            let line = format!("7 ({name}) S {}\n", fields.join(" "));
            assert_eq!(ticks_and_pages(&line), Some((14 + 15, 24)), "{name}");
        }
        for broken in ["", "7 (flagship", "7 (flagship) S 1 2"] {
            assert_eq!(ticks_and_pages(broken), None, "{broken}");
        }
    }

    #[test]
    fn this_machine_has_memory() {
        let memory = memory().expect("this is Linux");
        assert!((1..memory.total_bytes).contains(&memory.available_bytes), "{memory:?}");
    }

    #[test]
    fn this_process_uses_cpu_time_and_memory() {
        let used = used().expect("this is Linux");
        assert!(used.memory_bytes > 1024 * 1024 && used.cpu_s >= 0.0);
        assert!((3..used.files_max).contains(&used.files), "{}", used.files);
    }
}
