//! Runs the benchmarks with small data: they complete and print their tables. The figures are not
//! checked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The `flagship` executable that was built beside the benchmarks.
fn server() -> PathBuf {
    if let Some(binary) = std::env::var_os("FLAGSHIP_TEST_BINARY") {
        return binary.into();
    }
    let server = Path::new(env!("CARGO_BIN_EXE_flagship-bench")).with_file_name("flagship");
    assert!(server.exists(), "build the measured program with `cargo build -p flagship`");
    server
}

/// Runs benchmarks and checks that each of `lines` appears, followed by a figure.
#[track_caller]
fn measures(names: &[&str], lines: &[&str]) {
    measures_with(names, &[], lines);
}

#[track_caller]
fn measures_with(names: &[&str], options: &[&str], lines: &[&str]) {
    let work = tempfile::tempdir().expect("a temporary folder");
    let page = work.path().join("page.md");
    let marks = |name| format!("<!-- bench {name} -->\n<!-- end {name} -->\n");
    std::fs::write(&page, names.iter().map(marks).collect::<String>()).expect("the page is ours");
    let mut bench = Command::new(env!("CARGO_BIN_EXE_flagship-bench"));
    bench.args(names).args(options).args(["--quick", "--server"]).arg(server());
    bench.arg("--work").arg(work.path()).arg("--page").arg(&page);
    let done = bench.output().expect("it starts");
    assert!(done.status.success(), "{done:?}");
    let said = String::from_utf8(done.stdout).expect("it writes text");
    let page = std::fs::read_to_string(page).expect("the page is there");
    for line in lines {
        let figure = said.lines().find_map(|it| it.strip_prefix(line)?.split_whitespace().next());
        let figure = figure.and_then(|it| it.replace(',', "").parse::<f64>().ok());
        assert!(figure.is_some_and(|it| it >= 0.0), "{line}: {said}");
        assert!(page.contains(line), "{line}: {page}");
    }
}

#[test]
fn the_board_and_those_who_play_are_measured() {
    let names = ["floor", "board", "play"];
    let lines = [
        "fdatasync of a page",
        "boards a second  ",
        "CPU ms a board, 304",
        "boards a second, 1,000 incorrect flags a second",
        "bytes of the board, br",
        "list of challenges, CPU ms each",
        "incorrect flag, CPU ms each",
        "correct flag, p99 in ms",
        "correct flag, 4 ms a sync, a second",
    ];
    measures(&names, &lines);
}

#[test]
fn starts_sockets_and_logins_are_measured() {
    let names =
        ["start", "live", "writers", "logins", "freeze", "files", "apply", "organizers", "growth"];
    let lines = [
        "example event, idle, MiB",
        "10,000 teams, 200,000 entries, ms to the first answer",
        "from acknowledgement to the sockets, p99 in ms",
        "40 reconnect at once, seconds to the last",
        "50 come in 0.5 s, each of 4 answers, p99 in ms",
        "a solve to 20 sockets, CPU ms",
        "a board, bytes to a socket",
        "SQLite: correct flag, p99 in ms",
        "PostgreSQL, 4 ms a sync: logins accepted a second",
        "20 browsers after a change, p99 in ms",
        "a team's own solves, CPU ms each",
        "MB a second",
        "correct flag without downloads, p99 in ms",
        "SQLite: during `apply`, p99 in ms",
        "PostgreSQL: during a reload by SIGHUP, p99 in ms",
        "SQLite: preview, p99 in ms",
        "PostgreSQL: action, p99 in ms",
        "snapshot after a solve, ms until it is there",
    ];
    measures(&names, &lines);
}

#[test]
fn a_program_of_any_commit_is_measured_with_data_that_it_makes() {
    // The lines that `cargo xtask bench compare` reads.
    let lines = [
        "CPU ms a board ",
        "list of challenges, CPU ms each",
        "incorrect flag, CPU ms each",
        "correct flag, CPU ms each",
        "example event, ms to the first answer",
        "example event, idle, MiB",
        "the binary with its site, MB",
        "from acknowledgement to the sockets, p99 in ms",
    ];
    measures_with(&["board", "play", "start", "live"], &["--compared"], &lines);
}

#[test]
fn postgres_is_measured() {
    let lines =
        ["boards a second  ", "correct flag, CPU ms each", "a solve to all sockets, CPU ms"];
    measures(&["postgres"], &lines);
}
