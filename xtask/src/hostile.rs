//! `cargo xtask torture autobahn | schemathesis | fuzz`: third-party tools that send malformed
//! input to the program. Each has a folder below `target/`. The first two have a short form in
//! `cargo xtask test`, which prints `NOT CHECKED` if a tool cannot be installed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{cargo, output, root, run, run_and_keep, succeeds};

const SCHEMATHESIS: &str = "schemathesis==4.32.5";
const AUTOBAHN: &str = "autobahntestsuite==25.10.1";
/// The last version for Python 2.7, which Autobahn's suite needs.
const VIRTUALENV: &str = "virtualenv<20.22";
/// The verdicts of Autobahn's client that count as passed.
const GOOD: [&str; 3] = ["OK", "NON-STRICT", "INFORMATIONAL"];
const FUZZ_TARGETS: [&str; 7] =
    ["live_message", "json_body", "challenge_yml", "event_toml", "edit", "team_csv", "team_copy"];
/// Duration of each fuzz target, in seconds.
const FUZZ_S: &str = "-max_total_time=300";
/// The instrumentation that libFuzzer needs, with options of stable Rust.
const FUZZ_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// Lines to repeat at the end, and whether the check passed.
type Report = (Vec<String>, Result<()>);

/// Number of cases that a tool runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// About a minute. A tool that cannot be installed is reported, but is not a failure.
    Short,
    /// All cases.
    Whole,
}

impl Form {
    /// Autobahn's cases, except compression cases that negotiate the server's window size, which is
    /// not supported.
    fn cases(self) -> &'static [&'static str] {
        match self {
            Self::Short => {
                &["1.*", "2.*", "3.*", "4.*", "5.*", "7.*", "12.1.1", "12.2.5", "13.1.3", "13.2.4"]
            }
            Self::Whole => &[
                "1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*", "12.*", "13.1.*",
                "13.2.*", "13.7.*",
            ],
        }
    }

    /// Minimum number of cases that must run.
    fn cases_min(self) -> usize {
        match self {
            Self::Short => 90,
            Self::Whole => 380,
        }
    }

    /// Schemathesis' requests for each operation.
    fn examples(self) -> &'static str {
        match self {
            Self::Short => "10",
            Self::Whole => "150",
        }
    }

    /// The report for a tool that cannot be installed.
    fn without(self, tool: &str, why: &anyhow::Error) -> Report {
        let line = format!("NOT CHECKED: {tool} cannot be installed here: {why:#}");
        println!("{line}");
        let outcome = if self == Self::Short { Ok(()) } else { Err(anyhow::anyhow!("{line}")) };
        (vec![line], outcome)
    }
}

/// A child process that is killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the process has ended.
        self.0.kill().and_then(|()| self.0.wait()).ok();
    }
}

fn folder(name: &str) -> Result<PathBuf> {
    let folder = root().join("target").join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    Ok(folder)
}

/// Starts a program and waits for its first line, which contains its URL.
fn listen(command: &mut Command) -> Result<(Running, String)> {
    let mut child = Running(command.stdout(Stdio::piped()).spawn().context("start the server")?);
    let out = child.0.stdout.take().context("its output is piped")?;
    let line = BufReader::new(out).lines().next().context("it says where it listens")??;
    let address = line.split(' ').next_back().unwrap_or_default().to_owned();
    Ok((child, address))
}

/// Runs Autobahn's fuzzing client against the live channel's WebSocket implementation.
pub fn autobahn(form: Form) -> Report {
    match autobahn_tool() {
        Ok(wstest) => match autobahn_cases(&wstest, form) {
            Ok(figures) => (vec![figures], Ok(())),
            Err(error) => (vec![], Err(error)),
        },
        Err(error) => form.without("Autobahn's fuzzing client", &error),
    }
}

fn autobahn_tool() -> Result<PathBuf> {
    let python = python2().context("it needs Python 2.7, which pyenv has")?;
    let folder = folder("autobahn")?;
    let wstest = folder.join("venv/bin/wstest");
    if !wstest.exists() {
        let tools = folder.join("tools");
        let pip = ["-m", "pip", "install", "--quiet", VIRTUALENV, "--target"];
        run(Command::new(&python).args(pip).arg(&tools))?;
        let mut venv = Command::new(&python);
        run(venv.args(["-m", "virtualenv", "venv"]).env("PYTHONPATH", tools).current_dir(&folder))?;
        let pip = folder.join("venv/bin/pip");
        run(Command::new(pip).args(["install", "--quiet", AUTOBAHN]))?;
    }
    Ok(wstest)
}

fn autobahn_cases(wstest: &Path, form: Form) -> Result<String> {
    build_all()?;
    let (_echo, url) = listen(&mut Command::new(root().join("target/debug/examples/echo")))?;
    let folder = folder("autobahn")?;
    let spec = serde_json::json!({
        "outdir": "report",
        "servers": [{"agent": "Flagship", "url": url}],
        "cases": form.cases(),
        "exclude-cases": [],
        "exclude-agent-cases": {},
    });
    std::fs::write(folder.join("cases.json"), spec.to_string())?;
    let mut client = Command::new(wstest);
    client.args(["-m", "fuzzingclient", "-s", "cases.json"]).current_dir(&folder);
    run(client.stdout(Stdio::null()))?;
    judge(&std::fs::read_to_string(folder.join("report/index.json"))?, form)
}

/// Judges the client's report, which has a verdict on each case and on its close handshake.
fn judge(report: &str, form: Form) -> Result<String> {
    let report: serde_json::Value = serde_json::from_str(report).context("read the report")?;
    let cases = report["Flagship"].as_object().context("the report is of Flagship")?;
    let is_good = |case: &serde_json::Value, name: &str| {
        case[name].as_str().is_some_and(|word| GOOD.contains(&word))
    };
    let is_bad = |(_, case): &(&String, &serde_json::Value)| {
        !(is_good(case, "behavior") && is_good(case, "behaviorClose"))
    };
    let bad: Vec<&str> = cases.iter().filter(is_bad).map(|(name, _)| name.as_str()).collect();
    let figures = format!("figures: {} cases, {} failures", cases.len(), bad.len());
    println!("{figures}");
    ensure!(bad.is_empty(), "{}: see target/autobahn/report/index.html", bad.join(", "));
    ensure!(cases.len() >= form.cases_min(), "the client tried too few cases");
    Ok(figures)
}

fn python2() -> Option<PathBuf> {
    let pyenv = std::env::var("HOME").unwrap_or_default() + "/.pyenv/versions";
    let versions = std::fs::read_dir(pyenv).into_iter().flatten().flatten();
    let installed = versions.map(|version| version.path().join("bin/python2.7"));
    let named = ["python2.7", "pypy2"].map(PathBuf::from);
    installed.chain(named).find(|python| succeeds(Command::new(python).arg("-V")))
}

/// Runs schemathesis on the server's HTTP description: all responses must match it.
pub fn schemathesis(form: Form) -> Report {
    match schemathesis_tool() {
        Ok(st) => schemathesis_requests(&st, form).unwrap_or_else(|error| (vec![], Err(error))),
        Err(error) => form.without("schemathesis", &error),
    }
}

fn schemathesis_tool() -> Result<PathBuf> {
    let folder = folder("schemathesis")?;
    let st = folder.join("venv/bin/st");
    if !st.exists() {
        run(Command::new("python3").args(["-m", "venv", "venv"]).current_dir(&folder))?;
        let pip = folder.join("venv/bin/pip");
        run(Command::new(pip).args(["install", "--quiet", SCHEMATHESIS]))?;
    }
    Ok(st)
}

fn schemathesis_requests(st: &Path, form: Form) -> Result<Report> {
    build_all()?;
    let folder = folder("schemathesis")?;
    let token = event(&folder)?;
    let mut serve = flagship(&folder, &["serve", "--event", "event", "--listen", "127.0.0.1:0"]);
    let (_server, url) = listen(serve.env("FLAGSHIP_LOG", "error"))?;
    let mut command = Command::new(st);
    command.current_dir(&folder);
    command.args(["--config-file", "settings.toml", "run", "--url", &url, "--no-color"]);
    command.args(["--max-examples", form.examples(), "--seed", "1"]);
    command.args(["--exclude-path", "/api/logout"]);
    command.args(["-H", &format!("X-Api-Key: {token}"), &format!("{url}/openapi.json")]);
    Ok(run_and_keep(&mut command, |line| line.contains(" generated, ")))
}

/// Builds the servers for the tools, in the same way as the Rust tests to reuse their build.
fn build_all() -> Result<()> {
    run(&mut cargo(&["test", "--workspace", "--no-run", "--quiet"]))
}

fn flagship(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(root().join("target/debug/flagship"));
    command.args(words).args(["--data", "data"]).current_dir(folder);
    command
}

/// A submission of the correct flag of [`write_event`].
pub const SOLVE: &str = r#"{"challengeId": "one", "flag": "flag{one}"}"#;

/// Writes the files of a running event with a team.
pub fn write_event(folder: &Path) -> Result<()> {
    for old in ["event", "data"] {
        std::fs::remove_dir_all(folder.join(old)).ok();
    }
    std::fs::remove_file(folder.join("tokens.csv")).ok();
    std::fs::create_dir_all(folder.join("event/challenges/one"))?;
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    write("event/rules.md", "Be kind.\n")?;
    write(
        "event/event.toml",
        "[event]\nname = \"Small CTF\"\nstart = 2023-11-25T14:00:00Z\n\
         end = 2099-11-25T14:00:00Z\n[captcha]\nprovider = \"off\"\n\
         [limits]\nsubmissions_per_challenge_per_10_s = 0\nsubmissions_per_team_per_minute = 0\n\
         signups_per_network_per_hour = 0\nfailed_logins_per_team_per_minute = 0\n",
    )?;
    write(
        "event/challenges/one/challenge.yml",
        "name: One\nid: one\ncategory: misc\ntype: standard\nvalue: 100\nflags: [\"flag{one}\"]\n",
    )?;
    // Statuses for conditions that no schema expresses, such as a free name or an unused link.
    write(
        "settings.toml",
        "[checks]\npositive_data_acceptance.expected-statuses = \
         [200, 201, 400, 401, 403, 404, 409, 410, 422, 429, 503]\n",
    )?;
    write("teams.csv", "name,email\nThe Ants,ants@example.org\n")?;
    Ok(())
}

/// Creates a running event with a team; returns the team's token.
fn event(folder: &Path) -> Result<String> {
    write_event(folder)?;
    run(&mut flagship(folder, &["apply", "--event", "event"]))?;
    let words = ["team", "import", "teams.csv", "--tokens", "tokens.csv"];
    run(&mut flagship(folder, &words))?;
    let tokens = std::fs::read_to_string(folder.join("tokens.csv"))?;
    let token = tokens.lines().nth(1).and_then(|row| row.split(',').nth(1));
    Ok(token.context("the team has a token")?.to_owned())
}

/// Fuzzes each target for some minutes, starting with the stored corpus.
pub fn fuzz() -> Result<()> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc names its host")?;
    let target = root().join("target/fuzz");
    let mut build = cargo(&["build", "--manifest-path", "fuzz/Cargo.toml", "--target", host]);
    run(build.arg("--target-dir").arg(&target).env("RUSTFLAGS", FUZZ_FLAGS))?;
    let mut failed = Vec::new();
    for name in FUZZ_TARGETS {
        let found = folder(&format!("fuzz/found/{name}"))?;
        let mut fuzz = Command::new(target.join(host).join("debug").join(name));
        fuzz.args([FUZZ_S, "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]);
        fuzz.arg("-max_len=65536").current_dir(&found);
        let outcome = run(fuzz.arg(&found).arg(root().join("fuzz/corpus").join(name)));
        failed.extend(outcome.err().map(|_| name));
    }
    if !failed.is_empty() {
        bail!("{}: see the crash files in target/fuzz/found", failed.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report with `count` cases, of which the first has these verdicts.
    fn report(count: usize, behavior: &str, close: &str) -> String {
        let case = |number: usize| match number {
            0 => serde_json::json!({"behavior": behavior, "behaviorClose": close}),
            _ => serde_json::json!({"behavior": "OK", "behaviorClose": "INFORMATIONAL"}),
        };
        let cases: serde_json::Map<_, _> =
            (0..count).map(|number| (format!("1.1.{number}"), case(number))).collect();
        serde_json::json!({"Flagship": cases}).to_string()
    }

    #[test]
    fn a_case_that_fails_is_named_and_fails_the_check() {
        let good = judge(&report(100, "NON-STRICT", "OK"), Form::Short).expect("all are good");
        assert_eq!(good, "figures: 100 cases, 0 failures");
        for (behavior, close) in [("FAILED", "OK"), ("OK", "UNCLEAN"), ("UNIMPLEMENTED", "OK")] {
            let error = judge(&report(100, behavior, close), Form::Short).expect_err("one is bad");
            assert!(error.to_string().starts_with("1.1.0: "), "{error}");
        }
        assert!(judge(&report(100, "OK", "OK"), Form::Whole).is_err(), "too few were tried");
        assert!(judge("{}", Form::Short).is_err());
    }

    #[test]
    fn a_tool_that_cannot_be_had_fails_the_whole_form_alone_and_is_always_named() {
        let why = || anyhow::anyhow!("no network");
        for (form, is_ok) in [(Form::Short, true), (Form::Whole, false)] {
            let (lines, outcome) = form.without("a tool", &why());
            assert_eq!(lines, ["NOT CHECKED: a tool cannot be installed here: no network"]);
            assert_eq!(outcome.is_ok(), is_ok);
        }
    }
}
