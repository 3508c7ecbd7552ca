//! `cargo xtask torture autobahn | schemathesis | fuzz`: other people's tools that speak to the
//! program as nobody should. Each gets a folder below `target/`, and says so when it cannot run.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{cargo, output, root, run, succeeds};

const SCHEMATHESIS: &str = "schemathesis==4.32.5";
const AUTOBAHN: &str = "autobahntestsuite==25.10.1";
/// Autobahn's suite is of the time of Python 2.7; its helper must be, too.
const VIRTUALENV: &str = "virtualenv<20.22";
/// Cases of compression are left out: the live channel does not offer it.
const CASES: &str = r#"["1.*","2.*","3.*","4.*","5.*","6.*","7.*","9.*","10.*"]"#;
/// Requests to each call of the HTTP description.
const EXAMPLES: &str = "150";
const FUZZ_TARGETS: [&str; 5] =
    ["live_message", "json_body", "challenge_yml", "event_toml", "team_csv"];
/// How long each target is fuzzed, in seconds.
const FUZZ_S: &str = "-max_total_time=300";
/// What libFuzzer needs from the compiler; stable Rust has it.
const FUZZ_FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// A program that runs beside a check, and is ended with it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.0.kill().and_then(|()| self.0.wait()).ok();
    }
}

fn folder(name: &str) -> Result<PathBuf> {
    let folder = root().join("target").join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    Ok(folder)
}

/// Starts a program and waits for the first line in which it says where it listens.
fn listen(command: &mut Command) -> Result<(Running, String)> {
    let mut child = Running(command.stdout(Stdio::piped()).spawn().context("start the server")?);
    let out = child.0.stdout.take().context("its output is piped")?;
    let line = BufReader::new(out).lines().next().context("it says where it listens")??;
    let address = line.split(' ').next_back().unwrap_or_default().to_owned();
    Ok((child, address))
}

/// Autobahn's fuzzing client against the live channel's own sockets: no case fails.
pub fn autobahn() -> Result<()> {
    let Some(python) = python2() else {
        println!("SKIPPED: there is no Python 2.7, which Autobahn's suite needs (pyenv has one)");
        return Ok(());
    };
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
    run(&mut cargo(&["build", "--package", "flagship-server", "--example", "echo"]))?;
    let (_echo, url) = listen(&mut Command::new(root().join("target/debug/examples/echo")))?;
    let spec = format!(
        r#"{{"outdir": "report", "servers": [{{"agent": "Flagship", "url": "{url}"}}],
            "cases": {CASES}, "exclude-cases": [], "exclude-agent-cases": {{}}}}"#
    );
    std::fs::write(folder.join("cases.json"), spec)?;
    let mut client = Command::new(wstest);
    client.args(["-m", "fuzzingclient", "-s", "cases.json"]).current_dir(&folder);
    run(client.stdout(Stdio::null()))?;
    judge(&std::fs::read_to_string(folder.join("report/index.json"))?)
}

/// Reads the client's report: what it says of each case, as `"behavior": "OK"`.
fn judge(report: &str) -> Result<()> {
    let said = |name: &str| -> Vec<&str> {
        let start = format!("\"{name}\": \"");
        report.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let is_good = |word: &&str| ["OK", "NON-STRICT", "INFORMATIONAL"].contains(word);
    let all: Vec<&str> = [said("behavior"), said("behaviorClose")].concat();
    let bad = all.iter().filter(|word| !is_good(word)).count();
    println!("figures: {} cases, {bad} failures", all.len() / 2);
    ensure!(all.len() > 400 && bad == 0, "see target/autobahn/report/index.html");
    Ok(())
}

fn python2() -> Option<PathBuf> {
    let pyenv = std::env::var("HOME").unwrap_or_default() + "/.pyenv/versions";
    let versions = std::fs::read_dir(pyenv).into_iter().flatten().flatten();
    let installed = versions.map(|version| version.path().join("bin/python2.7"));
    let named = ["python2.7", "pypy2"].map(PathBuf::from);
    installed.chain(named).find(|python| succeeds(Command::new(python).arg("-V")))
}

/// Schemathesis on the server's own HTTP description: no answer that it does not describe.
pub fn schemathesis() -> Result<()> {
    let folder = folder("schemathesis")?;
    let st = folder.join("venv/bin/st");
    if !st.exists() {
        run(Command::new("python3").args(["-m", "venv", "venv"]).current_dir(&folder))?;
        let pip = folder.join("venv/bin/pip");
        run(Command::new(pip).args(["install", "--quiet", SCHEMATHESIS]))?;
    }
    run(&mut cargo(&["build", "--package", "flagship"]))?;
    let token = event(&folder)?;
    let mut serve = flagship(&folder, &["serve", "--event", "event", "--listen", "127.0.0.1:0"]);
    let (_server, url) = listen(serve.env("FLAGSHIP_LOG", "error"))?;
    let mut command = Command::new(st);
    command.current_dir(&folder);
    command.args(["--config-file", "settings.toml", "run", "--url", &url, "--no-color"]);
    command.args(["--max-examples", EXAMPLES, "--seed", "1", "--exclude-path", "/api/logout"]);
    command.args(["-H", &format!("X-Api-Key: {token}"), &format!("{url}/openapi.json")]);
    run(&mut command)
}

fn flagship(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(root().join("target/debug/flagship"));
    command.args(words).args(["--data", "data"]).current_dir(folder);
    command
}

/// Writes an event that runs, with a team; gives its token.
fn event(folder: &Path) -> Result<String> {
    for old in ["event", "data"] {
        std::fs::remove_dir_all(folder.join(old)).ok();
    }
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
    // What no schema can say, as that a name is free or a link not used, is refused with these.
    write(
        "settings.toml",
        "[checks]\npositive_data_acceptance.expected-statuses = \
         [200, 201, 400, 401, 403, 404, 409, 410, 422, 429, 503]\n",
    )?;
    write("teams.csv", "name,email\nThe Ants,ants@example.org\n")?;
    run(&mut flagship(folder, &["apply", "--event", "event"]))?;
    let words = ["team", "import", "teams.csv", "--tokens", "tokens.csv"];
    run(&mut flagship(folder, &words))?;
    let tokens = std::fs::read_to_string(folder.join("tokens.csv"))?;
    let token = tokens.lines().nth(1).and_then(|row| row.split(',').nth(1));
    Ok(token.context("the team has a token")?.to_owned())
}

/// Fuzzes each target for some minutes, beginning with the kept corpus.
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
