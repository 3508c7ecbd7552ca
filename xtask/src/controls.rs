//! `cargo xtask torture controls`, and a step of `cargo xtask test`: runs each test that has a
//! negative control (`flagship-control`) with the control on. The test then breaks what it checks,
//! so it must fail with the message that it announced. A test that passes is called blind: it would
//! not notice the fault that it is for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::postgres::{self, Postgres};
use crate::process::{cargo, root};

/// Folders with tests that have controls.
pub const FOLDERS: [&str; 2] = ["crates/", "xtask/src/"];
/// Files that mention `control(` but are not tests.
pub const SWITCHES: [&str; 2] = ["crates/flagship-control/src/lib.rs", "xtask/src/controls.rs"];
/// The variable that switches controls on. Its value is the folder in which each test writes the
/// announced message and its failure.
const VARIABLE: &str = "FLAGSHIP_CONTROLS";
/// The variable that shortens how long tests wait for a condition.
const SHORT_WAITS: &str = "FLAGSHIP_SHORT_WAITS";

/// Runs all controls. Repeats once those that do not fail as announced, for busy machines.
pub fn run(postgres: &Postgres) -> (Vec<String>, Result<()>) {
    match judge(postgres) {
        Ok(count) => (vec![format!("figures: {count} controls: none is blind")], Ok(())),
        Err(error) => (vec![], Err(error)),
    }
}

fn judge(postgres: &Postgres) -> Result<usize> {
    let all = all()?;
    ensure!(!all.is_empty(), "no test has a control");
    let again: Vec<String> =
        round(postgres, &all, true)?.into_iter().map(|(name, _)| name).collect();
    if again.is_empty() {
        return Ok(all.len());
    }
    println!("repeating: {}", again.join(", "));
    let blind = round(postgres, &again, false)?;
    if !blind.is_empty() {
        let lines = blind.iter().map(|(name, why)| format!("{name}: {why}"));
        bail!("blind with their controls on:\n{}", lines.collect::<Vec<_>>().join("\n"));
    }
    Ok(all.len())
}

/// The sorted names of all tests that have a control.
fn all() -> Result<Vec<String>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        files.extend(sources(&root().join(folder))?);
    }
    let is_test = |file: &&PathBuf| !SWITCHES.iter().any(|switch| file.ends_with(switch));
    let mut names = Vec::new();
    for file in files.iter().filter(is_test) {
        let text = std::fs::read_to_string(file)?;
        names.extend(named(&text).map(str::to_owned));
    }
    names.sort();
    names.dedup();
    Ok(names)
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).context("list the crates")? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// The names of tests with controls in a file: the first argument of each call of `control`.
pub fn named(text: &str) -> impl Iterator<Item = &str> {
    let calls = text.split("control(").skip(1);
    calls.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
}

/// Runs tests with their controls on; returns those that did not fail as announced, with the
/// reason. With `is_short`, tests wait 2.5 s instead of 20 for a condition: most never come true.
fn round(postgres: &Postgres, names: &[String], is_short: bool) -> Result<Vec<(String, String)>> {
    let folder = root().join("target/controls");
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).context("make target/controls")?;
    // One engine is enough: the control is in the shared body of the test.
    let tests = format!("test(/(^|::)({})($|::)/) - test(/::postgres$/)", names.join("|"));
    let mut command = cargo(&["nextest", "run", "--workspace", "--profile", "controls"]);
    command.args(["--color", "never", "-E", &tests]);
    command.env(VARIABLE, &folder).env(postgres::VARIABLE, postgres.url());
    if is_short {
        command.env(SHORT_WAITS, "1");
    }
    let done = command.output().context("start nextest")?;
    let said = String::from_utf8_lossy(&done.stderr);
    // Exit code 100: tests failed, as expected. Codes other than 0 and 100: nextest itself failed.
    ensure!(matches!(done.status.code(), Some(0 | 100)), "nextest: {}\n{said}", done.status);
    println!("{}", said.lines().find(|line| line.contains("Summary [")).unwrap_or_default());
    let passed: Vec<&str> = said
        .lines()
        .filter(|line| line.trim_start().starts_with("PASS ["))
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let notes = notes(&folder)?;
    let verdicts =
        names.iter().filter_map(|name| Some((name.clone(), fault(name, &passed, &notes)?)));
    Ok(verdicts.collect())
}

/// Output of each test: its name, the announced message, its failures.
fn notes(folder: &Path) -> Result<Vec<(String, String, String)>> {
    let mut notes = Vec::new();
    for entry in std::fs::read_dir(folder).context("list target/controls")? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let (words, said) = text.split_once('\n').unwrap_or((&text, ""));
        notes.push((name, words.to_owned(), said.to_owned()));
    }
    Ok(notes)
}

/// Reason why a control is blind; `None` if the test failed as announced.
fn fault(name: &str, passed: &[&str], notes: &[(String, String, String)]) -> Option<String> {
    if passed.iter().any(|test| test.split("::").any(|part| part == name)) {
        return Some("it passed".to_owned());
    }
    let mut of = notes.iter().filter(|(other, _, _)| other == name).peekable();
    if of.peek().is_none() {
        return Some("it did not run, or failed before its control".to_owned());
    }
    let (_, words, said) = of.find(|(_, words, said)| !said.contains(words.as_str()))?;
    let said: String = said.chars().take(600).collect();
    Some(format!("it failed, but not with \"{words}\": {said:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_found_by_the_name_of_their_test() {
        let text = "if control(\"one_test\", \"words\") {} control(\n    \"other_test\",\n  \"x\")";
        assert_eq!(named(text).collect::<Vec<_>>(), ["one_test", "other_test"]);
        assert_eq!(named("fn control(test: &str)").count(), 0);
    }

    #[test]
    fn a_control_has_to_fail_in_its_own_words() {
        let note = |said: &str| [("a_test".to_owned(), "the words".to_owned(), said.to_owned())];
        let judge = |passed: &[&str], said| fault("a_test", passed, &note(said));
        assert_eq!(judge(&["module::other_test"], "assertion: the words: 1"), None);
        assert_eq!(judge(&["module::a_test::sqlite"], "the words").as_deref(), Some("it passed"));
        assert!(judge(&[], "something else").is_some_and(|it| it.contains("not with")));
        assert!(fault("a_test", &[], &[]).is_some_and(|it| it.contains("did not run")));
    }
}
