//! `cargo xtask mutants [BASE] [-- OPTIONS]`: changes the code that differs from a base, one place
//! at a time (`cargo-mutants`), and fails if the tests of its crate still pass. Runs in its own
//! worktree, which keeps its build, and is limited in number and time.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::build;
use crate::postgres::{self, Postgres};
use crate::process::{at_root, cargo, output, root, run};
use crate::setup::{self, Need, TESTS_NEED};

/// Default base.
const BASE: &str = "origin/main";
/// Folder of the worktree, the diff and the results.
const FOLDER: &str = "target/mutants";
const MUTANTS_MAX: usize = 30;
/// Time limit for the mutants and the first run of the tests, without a mutant. Excludes the build.
const TIME_MAX: Duration = Duration::from_secs(20 * 60);
/// Exit code of `timeout` after it ended the program.
const TIMED_OUT: i32 = 124;

/// Tests mutants of the code that differs from a base. `words` are the command-line arguments.
pub fn check(words: &[&str]) -> Result<()> {
    let (base, options) = arguments(words)?;
    let mut needs = TESTS_NEED.to_vec();
    needs.push(Need::Mutants);
    setup::ensure(&needs)?;
    let folder = root().join(FOLDER);
    let tree = folder.join("tree");
    follow(&tree)?;
    build::site()?;
    let site = tree.join("web/dist");
    if !site.exists() {
        std::os::unix::fs::symlink(root().join("web/dist"), site).context("link the site")?;
    }
    let diff = folder.join("diff");
    let changes = output(at_root("git").args(["diff", "--merge-base", base, "--", "*.rs"]))
        .with_context(|| format!("compare with {base}"))?;
    std::fs::write(&diff, changes).with_context(|| format!("write {}", diff.display()))?;
    let mutate = || in_tree(&tree, &["mutants", "--test-tool", "nextest"]);
    let listed = output(mutate().args(["--level", "error", "--list", "--in-diff"]).arg(&diff))?;
    let listed: Vec<&str> = listed.lines().filter(|line| !line.is_empty()).collect();
    if listed.is_empty() {
        println!("no mutants: nothing that tests could notice differs from {base}");
        return Ok(());
    }
    let (shards, tested) = shards(listed.len());
    println!("{} mutants of the difference to {base}, of which {tested} are tested", listed.len());
    for package in packages(&listed) {
        run(&mut in_tree(&tree, &["nextest", "run", "--no-run", "--package", package]))?;
    }
    std::fs::remove_dir_all(folder.join("mutants.out")).ok();
    let postgres = Postgres::start()?;
    let mut mutants = bounded(&mutate());
    mutants.arg("--in-diff").arg(&diff).arg("--output").arg(&folder).arg("--in-place");
    mutants.args(["--shard", &format!("0/{shards}"), "--sharding", "round-robin"]);
    mutants.arg("--").args(options).env(postgres::VARIABLE, postgres.url());
    let status = mutants.status().context("start timeout")?;
    verdict(status.code(), &folder.join("mutants.out"))
}

/// The base, and the options of nextest after `--`.
fn arguments<'a>(words: &'a [&'a str]) -> Result<(&'a str, &'a [&'a str])> {
    match words {
        [] => Ok((BASE, &[])),
        ["--", options @ ..] => Ok((BASE, options)),
        [base] => Ok((base, &[])),
        [base, "--", options @ ..] => Ok((base, options)),
        _ => bail!("usage: cargo xtask mutants [BASE] [-- OPTIONS], which are those of nextest"),
    }
}

/// Synchronizes the worktree with the working tree. Unchanged files keep their times, so that cargo
/// builds only the differences to the previous run.
fn follow(tree: &Path) -> Result<()> {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(tree).args(words);
        git
    };
    let head = output(at_root("git").args(["rev-parse", "HEAD"]))?;
    if tree.exists() {
        run(&mut git(&["reset", "--quiet", "--hard"]))?;
        run(&mut git(&["clean", "--quiet", "-d", "--force"]))?;
        run(&mut git(&["checkout", "--quiet", "--detach", head.trim()]))?;
    } else {
        run(at_root("git").args(["worktree", "prune"]))?;
        run(at_root("git").args(["worktree", "add", "--quiet", "--detach"]).arg(tree).arg("HEAD"))?;
    }
    let changes = output(at_root("git").args(["diff", "--binary", "HEAD"]))?;
    if !changes.is_empty() {
        let patch = tree.with_file_name("patch");
        std::fs::write(&patch, changes).with_context(|| format!("write {}", patch.display()))?;
        run(git(&["apply", "--whitespace=nowarn"]).arg(&patch))?;
    }
    let new = output(at_root("git").args(["ls-files", "--others", "--exclude-standard", "-z"]))?;
    for name in new.split('\0').filter(|name| !name.is_empty()) {
        let copy = tree.join(name);
        std::fs::create_dir_all(copy.parent().context("a file is in a folder")?)?;
        std::fs::copy(root().join(name), &copy).with_context(|| format!("copy {name}"))?;
    }
    Ok(())
}

/// Cargo in the worktree, with the worktree's target folder.
fn in_tree(tree: &Path, words: &[&str]) -> Command {
    let mut command = cargo(words);
    command.current_dir(tree).env_remove("CARGO_TARGET_DIR");
    command
}

/// Wraps a command with a time limit. It is interrupted, so that it restores the mutated file.
fn bounded(command: &Command) -> Command {
    let mut bounded = Command::new("timeout");
    bounded.args(["--signal=INT", "--kill-after=60", &TIME_MAX.as_secs().to_string()]);
    bounded.arg(command.get_program()).args(command.get_args());
    bounded.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bounded.env(name, value),
            None => bounded.env_remove(name),
        };
    }
    bounded
}

/// Number of shards of the mutants, of which one is tested, and its size.
fn shards(count: usize) -> (usize, usize) {
    let shards = count.div_ceil(MUTANTS_MAX);
    (shards, count.div_ceil(shards))
}

/// The crates of listed mutants, each once: `crates/NAME/src/…:1:2: replace …`.
fn packages<'a>(listed: &[&'a str]) -> Vec<&'a str> {
    let mut packages: Vec<&str> = listed
        .iter()
        .filter_map(|line| line.split_once("/src/"))
        .filter_map(|(folder, _)| folder.rsplit('/').next())
        .map(|folder| if folder == "benches" { "flagship-bench" } else { folder })
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

/// Fails if a mutant survived, or if the tests fail without one.
fn verdict(code: Option<i32>, results: &Path) -> Result<()> {
    let lines = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(results.join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    let [missed, caught] = ["missed.txt", "caught.txt"].map(lines);
    let [late, unviable] = ["timeout.txt", "unviable.txt"].map(lines);
    println!(
        "mutants: {} caught, {} survived, {} timed out, {} do not compile",
        caught.len(),
        missed.len(),
        late.len(),
        unviable.len()
    );
    ensure!(missed.is_empty(), "no test notices:\n{}", missed.join("\n"));
    match code {
        // 3: a mutant made a test hang, which is noticed as well.
        Some(0 | 3) => Ok(()),
        Some(TIMED_OUT) => {
            println!("stopped after {} minutes", TIME_MAX.as_secs() / 60);
            Ok(())
        }
        Some(4) => bail!("the tests fail without a mutant"),
        code => bail!("cargo-mutants ended with {code:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_and_options_of_the_tests_are_optional() {
        assert_eq!(arguments(&[]).unwrap(), (BASE, &[][..]));
        assert_eq!(arguments(&["v1"]).unwrap(), ("v1", &[][..]));
        assert_eq!(arguments(&["--", "-E", "test(x)"]).unwrap(), (BASE, &["-E", "test(x)"][..]));
        assert_eq!(arguments(&["v1", "--", "x"]).unwrap(), ("v1", &["x"][..]));
        assert!(arguments(&["v1", "v2"]).is_err());
    }

    #[test]
    fn at_most_30_mutants_are_tested() {
        assert_eq!(
            [1, 30, 31, 60, 61, 1000].map(shards),
            [(1, 1), (1, 30), (2, 16), (2, 30), (3, 21), (34, 30)]
        );
    }

    #[test]
    fn mutated_crates_are_built_once_each() {
        let listed = [
            "crates/flagship-game/src/a.rs:1:2: replace f with 1",
            "xtask/src/test.rs:3:4: replace g with ()",
            "crates/flagship-game/src/view/b.rs:5:6: replace h with \"/src/\"",
        ];
        assert_eq!(packages(&listed), ["flagship-game", "xtask"]);
    }

    #[test]
    fn a_mutant_that_survives_is_a_failure() {
        let results = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
        std::fs::create_dir(&results).unwrap();
        let judge = |code| verdict(Some(code), &results).map_err(|error| error.to_string());
        assert_eq!((judge(0), judge(3), judge(TIMED_OUT)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(judge(4), Err("the tests fail without a mutant".to_owned()));
        assert!(judge(1).is_err() && judge(70).is_err());
        std::fs::write(results.join("missed.txt"), "a.rs:1:2: replace f\n").unwrap();
        for code in [2, TIMED_OUT] {
            assert_eq!(judge(code), Err("no test notices:\na.rs:1:2: replace f".to_owned()));
        }
        std::fs::remove_dir_all(&results).unwrap();
    }
}
