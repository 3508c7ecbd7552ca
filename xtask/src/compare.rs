//! `cargo xtask bench compare COMMIT`: builds another commit once, measures it and this one in
//! turns with the benchmarks of this one, and prints the ratios. A ratio above 1.05 is a
//! regression.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::build::{self, Profile};
use crate::process::{at_root, cargo, output, root, run};
use crate::setup::{self, Need};

/// Requirements of the benchmarks.
const NEEDS: [Need; 3] = [Need::Nginx, Need::Wrk, Need::Node];
/// Folder of built commits.
const BUILT: &str = "target/compare";
const WORK: &str = "target/bench";
/// Default number of rounds.
const ROUNDS: usize = 6;
/// Maximum ratio that does not count as a regression.
const RATIO_MAX: f64 = 1.05;

/// A figure that is compared.
struct Figure {
    /// Name in the table of ratios.
    name: &'static str,
    bench: &'static str,
    /// The row of the benchmark's table.
    row: &'static str,
}

const FIGURES: [Figure; 8] = [
    Figure { name: "scoreboard, CPU ms", bench: "board", row: "CPU ms a board" },
    Figure {
        name: "challenge list, CPU ms",
        bench: "play",
        row: "list of challenges, CPU ms each",
    },
    Figure { name: "incorrect flag, CPU ms", bench: "play", row: "incorrect flag, CPU ms each" },
    Figure { name: "correct flag, CPU ms", bench: "play", row: "correct flag, CPU ms each" },
    Figure {
        name: "a solve to the sockets, p99 in ms",
        bench: "live",
        row: "from acknowledgement to the sockets, p99 in ms",
    },
    Figure { name: "program, MB", bench: "start", row: "the binary with its site, MB" },
    Figure {
        name: "start, ms to the first answer",
        bench: "start",
        row: "example event, ms to the first answer",
    },
    Figure { name: "idle memory, MiB", bench: "start", row: "example event, idle, MiB" },
];
const BENCHES: [&str; 4] = ["board", "play", "start", "live"];

/// The measurements of a figure, one per round.
#[derive(Debug, Default, PartialEq)]
struct Measured {
    other: Vec<f64>,
    this: Vec<f64>,
}

/// A row of the table of ratios.
#[derive(Debug, PartialEq)]
struct Ratio {
    name: &'static str,
    other: f64,
    this: f64,
    ratio: f64,
}

/// Compares with a commit. `--rounds N` sets the number of rounds, `--quick` measures small data,
/// to check that everything works.
pub fn compare(words: &[&str]) -> Result<()> {
    let (commit, rounds, is_quick) = arguments(words)?;
    let git = |words: &[&str]| output(at_root("git").args(words));
    let id = git(&["rev-parse", "--verify", &format!("{commit}^{{commit}}")])?;
    let id = id.trim().get(..12).context("git names the commit")?.to_owned();
    setup::ensure(&NEEDS)?;
    let other = built(&id)?;
    build::all(Profile::Dist)?;
    run(&mut cargo(&["build", "--release", "--package", "flagship-bench"]))?;
    let programs = [other.join(Profile::Dist.binary()), root().join(Profile::Dist.binary())];
    let example = other.join("examples/beginner");
    let mut measured: Vec<Measured> = FIGURES.iter().map(|_| Measured::default()).collect();
    for round in 0..rounds {
        for name in BENCHES {
            // Alternate the order, because the first run can affect the machine for the second.
            let order = if round.is_multiple_of(2) { [0, 1] } else { [1, 0] };
            for side in order {
                println!("round {} of {rounds}: {name}, {}", round + 1, ["other", "this"][side]);
                let table = measure(name, &programs[side], &example, is_quick)?;
                for (figure, measured) in FIGURES.iter().zip(&mut measured) {
                    if figure.bench == name {
                        let value = value_of(&table, figure.row)?;
                        [&mut measured.other, &mut measured.this][side].push(value);
                    }
                }
            }
        }
    }
    let ratios = ratios(&measured);
    print!("{}", table(&id, rounds, &ratios));
    let regressions = regressions(&ratios);
    ensure!(regressions.is_empty(), "regressions: {}", regressions.join("; "));
    Ok(())
}

fn arguments<'a>(words: &[&'a str]) -> Result<(&'a str, usize, bool)> {
    let mut commit = None;
    let mut rounds = ROUNDS;
    let mut is_quick = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--quick" => is_quick = true,
            "--rounds" => {
                let number = words.next().and_then(|it| it.parse().ok()).filter(|it| *it > 0);
                rounds = number.context("`--rounds` takes a number from 1")?;
            }
            word if word.starts_with('-') || commit.is_some() => {
                bail!("usage: cargo xtask bench compare COMMIT [--rounds N] [--quick]")
            }
            word => commit = Some(word),
        }
    }
    let commit = commit.context("name the commit to compare with: `bench compare COMMIT`")?;
    Ok((commit, rounds, is_quick))
}

/// The folder of a commit with its published program, which is built once.
fn built(id: &str) -> Result<PathBuf> {
    let folder = root().join(BUILT).join(id);
    if folder.join(Profile::Dist.binary()).exists() {
        return Ok(folder);
    }
    if !folder.exists() {
        run(at_root("git").args(["worktree", "prune"]))?;
        run(at_root("git").args(["worktree", "add", "--detach"]).arg(&folder).arg(id))?;
    }
    let mut build = Command::new("cargo");
    build.current_dir(&folder).args(["xtask", "build", "--dist"]);
    // The folder has its own manifest and its own target folder.
    for variable in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_TARGET_DIR"] {
        build.env_remove(variable);
    }
    run(&mut build).with_context(|| format!("build {id}"))?;
    Ok(folder)
}

/// The table that a benchmark prints for a program.
fn measure(name: &str, program: &Path, example: &Path, is_quick: bool) -> Result<String> {
    let mut bench = at_root(&root().join("target/release/flagship-bench").to_string_lossy());
    bench.args([name, "--compared", "--work", WORK]).arg("--server").arg(program);
    bench.arg("--example").arg(example);
    if is_quick {
        bench.arg("--quick");
    }
    output(&mut bench)
}

/// The first figure of a row.
fn value_of(table: &str, row: &str) -> Result<f64> {
    // The names of other rows begin with the same words.
    let cells = table.lines().find_map(|line| line.strip_prefix(row)?.strip_prefix(' '));
    let cell = cells.and_then(|cells| cells.split_whitespace().next());
    let value = cell.and_then(|cell| cell.replace(',', "").parse().ok());
    value.with_context(|| format!("the benchmark did not print `{row}`:\n{table}"))
}

fn ratios(measured: &[Measured]) -> Vec<Ratio> {
    let of = |(figure, measured): (&Figure, &Measured)| {
        // Adjacent measurements are divided, so that a slow phase of the machine affects both.
        let pairs = measured.this.iter().zip(&measured.other);
        let ratio = median(pairs.map(|(this, other)| this / other).collect());
        let (other, this) = (median(measured.other.clone()), median(measured.this.clone()));
        Ratio { name: figure.name, other, this, ratio }
    };
    FIGURES.iter().zip(measured).map(of).collect()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => figures[middle],
        _ => f64::midpoint(figures[middle - 1], figures[middle]),
    }
}

fn table(id: &str, rounds: usize, ratios: &[Ratio]) -> String {
    let mut text = format!(
        "\nmedians of {rounds} rounds in turns\n{:<36}{id:>14}{:>14}{:>10}\n",
        "", "this commit", "ratio"
    );
    for Ratio { name, other, this, ratio } in ratios {
        let mark = if is_regression(*ratio) { "  REGRESSION" } else { "" };
        text += &format!("{name:<36}{other:>14.4}{this:>14.4}{ratio:>10.3}{mark}\n");
    }
    text
}

fn regressions(ratios: &[Ratio]) -> Vec<String> {
    let all = ratios.iter().filter(|it| is_regression(it.ratio));
    all.map(|it| format!("{} {:.3} times", it.name, it.ratio)).collect()
}

/// True above the limit and for NaN: a check that measured nothing has failed.
fn is_regression(ratio: f64) -> bool {
    ratio.is_nan() || ratio > RATIO_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
board: 2026-11-28, commit 01ffd63f, median of 1

                                  flagship         nginx         ratio          wanted
boards a second                     25,992        38,567         0.752    at least 0.6  ok
CPU ms a board, over sockets        0.0347        0.0239         0.692    at least 0.6  ok
CPU ms a board                      0.0361        0.0212         0.643    at least 0.6  ok
";

    #[test]
    fn a_row_is_found_by_its_whole_name() {
        assert_eq!(value_of(TABLE, "CPU ms a board").expect("it is there"), 0.0361);
        assert_eq!(value_of(TABLE, "boards a second").expect("it is there"), 25_992.0);
        for missing in ["CPU ms", "CPU ms a board, 304", "flagship"] {
            assert!(value_of(TABLE, missing).is_err(), "{missing}");
        }
    }

    #[test]
    fn a_ratio_is_the_median_of_neighbours_and_a_large_one_a_regression() {
        let mut measured: Vec<Measured> = FIGURES.iter().map(|_| Measured::default()).collect();
        for it in &mut measured {
            // The second round ran in a slow phase.
            *it = Measured { other: vec![1.0, 10.0, 1.0], this: vec![1.0, 10.0, 1.1] };
        }
        measured[2].this = vec![1.06, 10.7, 1.0];
        measured[3] = Measured::default();
        let ratios = ratios(&measured);
        assert_eq!((ratios[0].other, ratios[0].this, ratios[0].ratio), (1.0, 1.1, 1.0));
        let named = regressions(&ratios);
        assert_eq!(named, ["incorrect flag, CPU ms 1.060 times", "correct flag, CPU ms NaN times"]);
        let table = table("0123456789ab", 3, &ratios);
        assert_eq!(table.matches("REGRESSION").count(), 2, "{table}");
        assert!(!is_regression(1.05) && is_regression(1.051) && !is_regression(0.5));
    }

    #[test]
    fn every_figure_belongs_to_a_benchmark_that_runs() {
        assert!(FIGURES.iter().all(|figure| BENCHES.contains(&figure.bench)));
        assert!(BENCHES.iter().all(|name| FIGURES.iter().any(|it| it.bench == *name)));
    }

    #[test]
    fn arguments_name_one_commit() {
        assert_eq!(arguments(&["b4f8a6e"]).expect("valid"), ("b4f8a6e", ROUNDS, false));
        let all = ["--rounds", "2", "main", "--quick"];
        assert_eq!(arguments(&all).expect("valid"), ("main", 2, true));
        for wrong in [&["a", "b"][..], &[], &["a", "--rounds"], &["a", "--rounds", "0"], &["--x"]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }
}
