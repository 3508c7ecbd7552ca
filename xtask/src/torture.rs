//! `cargo xtask torture`: tests that take minutes or hours. `cargo xtask test` runs a short form of
//! each; here they run in full against the release binary and print their figures.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::build::{self, Profile};
use crate::controls;
use crate::hostile::{self, Form};
use crate::names;
use crate::postgres::{self, Postgres};
use crate::process::{cargo, root, run_and_keep};
use crate::setup::{self, TESTS_NEED};
use crate::test;

struct Check {
    name: &'static str,
    about: &'static str,
    work: fn(&Postgres) -> Report,
}

/// Lines to repeat at the end, and whether the check passed.
type Report = (Vec<String>, Result<()>);

const CHECKS: &[Check] = &[
    Check {
        name: "kill",
        about: "kill -9 under 1,000 correct flags per second, 200 rounds",
        work: |it| tests(it, "flagship", "a_thousand_right_flags_a_second_survive_every_kill"),
    },
    Check {
        name: "start",
        about: "a killed server with 10,000 teams serves again within 2 s",
        work: |it| tests(it, "flagship", "a_killed_server_restarts_within_2_s"),
    },
    Check {
        name: "disk",
        about: "a full disk and I/O errors at the k-th write and sync, k = 1 to 50",
        work: |it| tests(it, "flagship", "a_disk_that_fails_at_any_write_or_sync_loses_nothing"),
    },
    Check {
        name: "connection",
        about: "connections to PostgreSQL cut, silent, terminated",
        work: |it| tests(it, "flagship", "io_faults::"),
    },
    Check {
        name: "failover",
        about: "the primary of two PostgreSQL servers killed under 300 flags per second",
        work: |it| tests(it, "flagship", "scale::failover::"),
    },
    Check {
        name: "pooler",
        about: "two nodes behind pgbouncer",
        work: |it| tests(it, "flagship", "scale::pooler::"),
    },
    Check {
        name: "sync",
        about: "each solve is synced before it is acknowledged, by a trace of system calls",
        work: |it| tests(it, "flagship", "every_acknowledgement_follows_the_sync"),
    },
    Check {
        name: "order",
        about: "no inversions in millions of pairs of solves; no solves outside the event",
        work: |it| tests(it, "flagship", "order::"),
    },
    Check {
        name: "upgrade",
        about: "a migration killed before each of its writes and syncs",
        work: |it| tests(it, "flagship", "upgrade::"),
    },
    Check {
        name: "backup",
        about: "backups under 500 correct flags per second",
        work: |it| tests(it, "flagship", "backup::"),
    },
    Check {
        name: "attack",
        about: "slow, silent, flooding and malformed clients; 5,000 connections, 10,000 sockets",
        work: |it| tests(it, "flagship", "attack::"),
    },
    Check {
        name: "authors",
        about: "organizers with eight open requests of the largest bodies, on one and two \
                processors",
        work: |it| tests(it, "flagship", "organizers_with_eight_open_requests_slow_nobody"),
    },
    Check {
        name: "downloads",
        about: "200 downloads of 50 MB, held for 10 s, from a folder, the database and a bucket; \
                100 teams' copies of 10 MB at once",
        work: |it| tests(it, "flagship", "stay_within_their_memory"),
    },
    Check {
        name: "uploads",
        about: "slow uploads of one author beside files of another organizer",
        work: |it| tests(it, "flagship", "slow_uploads_of_one_author_delay_nobody_elses"),
    },
    Check {
        name: "passwords",
        about: "wrong passwords against an organizer from the network of the venue",
        work: |it| {
            tests(it, "flagship", "wrong_passwords_from_the_venue_keep_no_known_browser_out")
        },
    },
    Check {
        name: "answers",
        about: "actions of an owner while previews of others take all turns",
        work: |it| {
            tests(it, "flagship", "actions_are_answered_with_success_while_previews_take_all_turns")
        },
    },
    Check {
        name: "lists",
        about: "lists of organizers with 5,000 teams, 200,000 flags and 50 more a second",
        work: |it| tests(it, "flagship", "the_lists_of_a_large_event_are_fast"),
    },
    Check {
        name: "names",
        about: "names refuse every code point that comprehensive fonts draw as nothing",
        work: |_| names::table(),
    },
    Check {
        name: "accounts",
        about: "response times after /forgot do not reveal known addresses",
        work: |it| tests(it, "flagship", "known_address::"),
    },
    Check {
        name: "timing",
        about: "response times do not reveal other teams' flags during the freeze",
        work: |it| tests(it, "flagship", "freeze::the_time_of_an_answer"),
    },
    Check {
        name: "freeze",
        about: "64 connections that request boards and own solves during the freeze",
        work: |it| tests(it, "flagship", "freeze::who_asks_for_boards"),
    },
    Check {
        name: "apply",
        about: "500 correct flags per second while the event's files are applied and reloaded",
        work: |it| tests(it, "flagship", "flags_are_accepted_while_changes_are_applied"),
    },
    Check {
        name: "browser",
        about: "the browser tests, with the release binary and the site inside it",
        work: |_| test::browser_tests(Profile::Release),
    },
    Check {
        name: "controls",
        about: "tests with a negative control fail when what they compare is broken",
        work: controls::run,
    },
    Check {
        name: "autobahn",
        about: "Autobahn's fuzzing client on the live channel's sockets",
        work: |_| hostile::autobahn(Form::Whole),
    },
    Check {
        name: "schemathesis",
        about: "schemathesis on the HTTP description",
        work: |_| hostile::schemathesis(Form::Whole),
    },
    Check {
        name: "fuzz",
        about: "each fuzz target for five minutes",
        work: |_| (vec![], hostile::fuzz()),
    },
];

/// Checks that do not use the release binary.
const WITHOUT_RELEASE: [&str; 5] = ["names", "controls", "autobahn", "schemathesis", "fuzz"];

/// Runs every check, or one, and reports.
pub fn run(only: Option<&str>) -> Result<ExitCode> {
    let known = || CHECKS.iter().map(|check| format!("{:<12} {}", check.name, check.about));
    let wanted: Vec<&Check> =
        CHECKS.iter().filter(|check| only.is_none_or(|name| check.name == name)).collect();
    if wanted.is_empty() {
        bail!("there is no such check; there are:\n{}", known().collect::<Vec<_>>().join("\n"));
    }
    setup::ensure(&TESTS_NEED)?;
    if wanted.iter().any(|check| !WITHOUT_RELEASE.contains(&check.name)) {
        // Rebuilding the site would also recompile the server each time.
        if !root().join("web/dist/index.html").exists() {
            build::site()?;
        }
        build::program(Profile::Release)?;
    }
    let postgres = Postgres::start()?;
    let mut lines = Vec::new();
    let mut failed = 0;
    for check in wanted {
        println!("\n=== {}: {} ===", check.name, check.about);
        let started = Instant::now();
        let (figures, outcome) = (check.work)(&postgres);
        let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
        failed += usize::from(outcome.is_err());
        lines.push(format!(
            "{:>7.1}s  {:<12} {verdict}",
            started.elapsed().as_secs_f64(),
            check.name
        ));
        lines.extend(figures.iter().map(|figure| format!("{:>10}{figure}", "")));
        lines.extend(outcome.err().map(|error| format!("{:>10}{error:#}", "")));
    }
    println!("\n=== torture ===\n{}", lines.join("\n"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the long form of a package's tests whose names contain `name`. Builds the whole workspace
/// like `cargo xtask test`, to reuse its build.
fn tests(postgres: &Postgres, package: &str, name: &str) -> Report {
    let binary = root().join(Profile::Release.binary());
    let words = ["nextest", "run", "--profile", "torture", "--no-fail-fast", "--no-capture"];
    let mut command = cargo(&words);
    let tests = format!("package({package}) & test(/{name}/)");
    command.args(["--workspace", "-E", &tests]);
    command.env("FLAGSHIP_TORTURE", "1").env("FLAGSHIP_TEST_BINARY", binary);
    run_and_keep(command.env(postgres::VARIABLE, postgres.url()), is_figures)
}

/// Lines with a test's measurements.
fn is_figures(line: &str) -> bool {
    line.starts_with("figures: ")
}
