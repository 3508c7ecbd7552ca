//! `cargo xtask test`: runs all checks in sequence. A failing step does not stop the others, a step
//! that cannot run counts as failed, and the exit code is 0 only if all steps passed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::build::{self, Profile};
use crate::controls;
use crate::hostile::{self, Form};
use crate::postgres::{self, Postgres};
use crate::process::{at_root, cargo, npm, root, run_and_keep};
use crate::setup::{self, Need, TESTS_NEED};
use crate::{summary, supply};

/// The parts for `test PART`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Formatting, lints, dependencies: no tests.
    Lint,
    /// The Rust tests on both databases.
    Rust,
    /// The site's tests and its generated types.
    Web,
    /// The example event and its solutions.
    Examples,
    /// The program in a real browser.
    E2e,
}

impl Part {
    /// Parses the name of a part.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "lint" => Some(Self::Lint),
            "rust" => Some(Self::Rust),
            "web" => Some(Self::Web),
            "examples" => Some(Self::Examples),
            "e2e" => Some(Self::E2e),
            _ => None,
        }
    }
}

/// Lines to repeat at the end, and whether the step passed.
type Report = (Vec<String>, Result<()>);

/// `flagship_control::NOT_CHECKED`: the file in which tests note skipped checks.
const NOT_CHECKED: &str = "FLAGSHIP_NOT_CHECKED";

struct Step {
    name: &'static str,
    parts: &'static [Part],
    /// Steps that must pass before this one.
    needs: &'static [&'static str],
    work: fn() -> Report,
}

struct Done {
    name: &'static str,
    took: Duration,
    kept: Vec<String>,
    outcome: Result<()>,
}

/// The program that the tests use, as `cargo xtask run` builds it.
const PROGRAM: &str = "program";

/// All steps: cheap ones first, and in an order that reuses builds.
const STEPS: &[Step] = &[
    Step { name: "format", parts: &[Part::Lint, Part::Rust], needs: &[], work: format },
    Step { name: "dependencies", parts: &[Part::Lint], needs: &[], work: dependencies },
    Step {
        name: "web packages",
        parts: &[Part::Lint, Part::Web, Part::Examples, Part::E2e],
        needs: &[],
        work: || quiet(setup::ensure(&[Need::Node]).and_then(|()| setup::npm_packages("web"))),
    },
    Step { name: "advisories", parts: &[Part::Lint], needs: &["dependencies"], work: advisories },
    Step {
        name: "web check",
        parts: &[Part::Lint, Part::Web],
        needs: &["web packages"],
        work: || run_and_keep(&mut npm("web", &["run", "check"]), summary::nothing),
    },
    Step { name: "web types", parts: &[Part::Web], needs: &["web packages"], work: web_types },
    Step {
        name: "web tests",
        parts: &[Part::Web],
        needs: &["web packages"],
        work: || run_and_keep(&mut npm("web", &["run", "test"]), summary::vitest),
    },
    Step {
        name: "web build",
        parts: &[Part::Web, Part::Examples, Part::E2e],
        needs: &["web packages"],
        work: || quiet(build::site()),
    },
    Step {
        name: "web budget",
        parts: &[Part::Web],
        needs: &["web build"],
        work: || run_and_keep(&mut npm("web", &["run", "budget"]), summary::nothing),
    },
    Step {
        name: "example solutions",
        parts: &[Part::Examples],
        needs: &[],
        work: || python("examples/solve_all.py", summary::counted),
    },
    Step {
        name: "solver's own tests",
        parts: &[Part::Examples],
        needs: &["example solutions"],
        work: || python("examples/solve_all_test.py", summary::unittest),
    },
    Step { name: "clippy", parts: &[Part::Lint], needs: &[], work: clippy },
    Step { name: "rust tests", parts: &[Part::Rust], needs: &[], work: rust_tests },
    Step { name: "negative controls", parts: &[Part::Rust], needs: &[], work: negative_controls },
    Step {
        name: "HTTP description",
        parts: &[Part::Rust],
        needs: &[],
        work: || hostile::schemathesis(Form::Short),
    },
    Step {
        name: "socket protocol",
        parts: &[Part::Rust],
        needs: &[],
        work: || hostile::autobahn(Form::Short),
    },
    Step {
        name: PROGRAM,
        parts: &[Part::Examples, Part::E2e],
        needs: &["web build"],
        work: program,
    },
    Step {
        name: "example event",
        parts: &[Part::Examples],
        needs: &[PROGRAM],
        work: example_event,
    },
    Step {
        name: "browser packages",
        parts: &[Part::Lint, Part::E2e],
        needs: &["web packages"],
        work: || quiet(setup::npm_packages("e2e")),
    },
    Step {
        name: "browser check",
        parts: &[Part::Lint, Part::E2e],
        needs: &["browser packages"],
        work: || run_and_keep(&mut npm("e2e", &["run", "check"]), summary::nothing),
    },
    Step {
        name: "browser tests",
        parts: &[Part::E2e],
        needs: &["browser packages", PROGRAM],
        work: || browser_tests(Profile::Debug),
    },
    Step {
        name: "other browsers",
        parts: &[Part::E2e],
        needs: &["browser packages", PROGRAM],
        work: other_browsers,
    },
];

/// Runs every step, or those of one part, and reports.
pub fn run(part: Option<Part>) -> Result<ExitCode> {
    let is_chosen = |step: &&Step| part.is_none_or(|part| step.parts.contains(&part));
    let steps: Vec<&Step> = STEPS.iter().filter(is_chosen).collect();
    let mut done: Vec<Done> = Vec::new();
    for step in &steps {
        println!("\n=== {} ===", step.name);
        let started = Instant::now();
        let missing = step.needs.iter().find(|need| !passed(&done, need));
        let (kept, outcome) = match missing {
            Some(need) => quiet(Err(anyhow!("not run: `{need}` failed before it"))),
            None => (step.work)(),
        };
        if let Err(error) = &outcome {
            println!("{} failed: {error:#}", step.name);
        }
        done.push(Done { name: step.name, took: started.elapsed(), kept, outcome });
    }
    print_report(&done);
    let all_passed = done.iter().all(|step| step.outcome.is_ok());
    Ok(if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn passed(done: &[Done], name: &str) -> bool {
    done.iter().any(|step| step.name == name && step.outcome.is_ok())
}

fn print_report(done: &[Done]) {
    println!("\n=== steps ===");
    for step in done {
        let verdict = if step.outcome.is_ok() { "ok" } else { "FAILED" };
        println!("{:>7.1}s  {:<18} {verdict}", step.took.as_secs_f64(), step.name);
    }
    for step in done {
        if let Err(error) = &step.outcome {
            println!("{} failed: {error:#}", step.name);
        }
    }
    for step in done.iter().filter(|step| !step.kept.is_empty()) {
        println!("\n=== {} ===", step.name);
        for line in &step.kept {
            println!("{line}");
        }
    }
    let lines = done.iter().flat_map(|step| step.kept.iter().map(String::as_str));
    let (passed, failed) = summary::total(lines);
    println!("\ntotal: {passed} passed, {failed} failed");
}

fn quiet(outcome: Result<()>) -> Report {
    (vec![], outcome)
}

fn format() -> Report {
    run_and_keep(&mut cargo(&["fmt", "--all", "--check"]), summary::nothing)
}

fn dependencies() -> Report {
    if let Err(error) = setup::ensure(&[Need::Deny]) {
        return quiet(Err(error));
    }
    let words = ["deny", "--all-features", "check", "licenses", "bans", "sources"];
    run_and_keep(&mut cargo(&words), summary::nothing)
}

/// Advisories of crates and of npm packages.
fn advisories() -> Report {
    let (mut kept, crates) = supply::advisories();
    let (more, packages) = supply::audit();
    kept.extend(more);
    (kept, crates.and(packages))
}

fn clippy() -> Report {
    let words = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run_and_keep(&mut cargo(&words), summary::nothing)
}

fn rust_tests() -> Report {
    // A test reads the licences of the site's packages.
    let prepared = setup::ensure(&TESTS_NEED).and_then(|()| setup::npm_packages("web"));
    let postgres = match prepared.and_then(|()| Postgres::start()) {
        Ok(postgres) => postgres,
        Err(error) => return quiet(Err(error)),
    };
    let mut tests = cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]);
    tests.env(postgres::VARIABLE, postgres.url());
    run_and_keep_skipped(&mut tests, &root().join("target/not-checked"))
}

/// Runs tests, and collects the lines about skipped checks, without duplicates. nextest hides the
/// output of passing tests, so they write the lines into a file.
fn run_and_keep_skipped(tests: &mut Command, skipped: &Path) -> Report {
    std::fs::remove_file(skipped).ok();
    let (mut kept, outcome) = run_and_keep(tests.env(NOT_CHECKED, skipped), summary::nextest);
    let text = std::fs::read_to_string(skipped).unwrap_or_default();
    let lines: BTreeSet<&str> = text.lines().filter(|line| summary::not_checked(line)).collect();
    kept.extend(lines.into_iter().map(str::to_owned));
    (kept, outcome)
}

fn negative_controls() -> Report {
    match setup::ensure(&TESTS_NEED).and_then(|()| Postgres::start()) {
        Ok(postgres) => controls::run(&postgres),
        Err(error) => quiet(Err(error)),
    }
}

/// Checks that the site's types match the server's HTTP description.
fn web_types() -> Report {
    quiet(check_web_types())
}

fn check_web_types() -> Result<()> {
    let types = root().join("web/src/api/schema.d.ts");
    let read = || std::fs::read(&types).with_context(|| format!("read {}", types.display()));
    let before = read()?;
    let (_, outcome) = run_and_keep(&mut npm("web", &["run", "generate"]), summary::nothing);
    outcome?;
    if read()? != before {
        bail!("web/src/api/schema.d.ts did not match web/openapi.json; it was updated: commit it");
    }
    Ok(())
}

fn python(script: &str, keep: fn(&str) -> bool) -> Report {
    if let Err(error) = setup::ensure(&[Need::Python]) {
        return quiet(Err(error));
    }
    run_and_keep(at_root("python3").arg(script), keep)
}

/// Builds it with all tests, most of which are already built.
fn program() -> Report {
    run_and_keep(&mut cargo(&["test", "--no-run", "--workspace"]), summary::nothing)
}

fn example_event() -> Report {
    let mut check = Command::new(root().join(Profile::Debug.binary()));
    check.args(["check", "--event", "examples/beginner"]).current_dir(root());
    run_and_keep(&mut check, summary::nothing)
}

/// Runs the browser tests with an existing build of the program.
pub fn browser_tests(profile: Profile) -> Report {
    playwright("test", profile, &[Need::Node, Need::Browser])
}

/// Runs the end-to-end test of a whole event in Firefox and WebKit.
fn other_browsers() -> Report {
    playwright("engines", Profile::Debug, &[Need::Node, Need::OtherBrowsers, Need::Openssl])
}

fn playwright(script: &str, profile: Profile, needs: &[Need]) -> Report {
    if let Err(error) = setup::ensure(needs).and_then(|()| setup::npm_packages("e2e")) {
        return quiet(Err(error));
    }
    let mut tests = npm("e2e", &["run", script]);
    tests.env("FLAGSHIP_BINARY", root().join(profile.binary()));
    run_and_keep(tests.env("CHROMIUM", setup::chromium()), summary::playwright)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_checks_are_repeated_once_each() {
        assert_eq!(NOT_CHECKED, flagship_control::NOT_CHECKED);
        let mut tests = Command::new("sh");
        let line = "echo \"NOT CHECKED: $0\" >> \"$FLAGSHIP_NOT_CHECKED\"";
        tests.args(["-c", &format!("{line}; {line}"), "real events"]);
        let (kept, outcome) =
            run_and_keep_skipped(&mut tests, &root().join("target/not-checked-test"));
        assert!(outcome.is_ok());
        assert_eq!(kept, ["NOT CHECKED: real events"]);
    }
}
