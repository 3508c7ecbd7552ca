//! docs/operate.md, docs/several-events.md, docs/scale.md and the files in `deploy/` name only
//! commands, options, variables, metrics and files that exist; systemd and Prometheus accept their
//! files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use flagship_testkit::Engine;
use serde_json::Value;

use crate::commands::usage::commands_below;
use crate::event::EventFolder;
use crate::process::{TestSite, program};
use crate::{free_address, until};

/// Variables for secrets, which the help does not list.
pub const SECRETS: [&str; 2] = ["FLAGSHIP_SMTP_PASSWORD", "FLAGSHIP_CAPTCHA_SECRET"];

/// Maximum exposure level from `systemd-analyze security`, in tenths: 0 to 100.
const EXPOSURE_MAX: u32 = 20;

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The guides for operators, in one text.
fn page() -> String {
    let read = |name| std::fs::read_to_string(root().join("docs").join(name));
    let pages = ["operate.md", "several-events.md", "scale.md"];
    let pages = pages.map(|name| read(name).expect("it exists"));
    pages.concat()
}

/// The files of `deploy/`, by path below it.
fn deployed() -> Vec<(String, String)> {
    let deploy = root().join("deploy");
    let mut waiting = vec![deploy.clone()];
    let mut files = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder exists") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(&deploy).expect("it is in the folder");
            let name = name.to_str().expect("a plain name").to_owned();
            files.push((name, std::fs::read_to_string(path).expect("it is text")));
        }
    }
    files
}

/// Inline code, and the lines of code blocks.
fn code(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    let mut prose = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            found.push(line.trim().to_owned());
        } else {
            prose += line;
            prose.push('\n');
        }
    }
    found.extend(prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
    found
}

/// The words that begin with a prefix, without trailing punctuation.
fn words<'a>(text: &'a str, start: &str) -> impl Iterator<Item = &'a str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let words = text.split(move |c| !fits(c));
    words.filter(move |word| word.starts_with(start) && word.len() > start.len())
}

#[tokio::test]
async fn documented_commands_options_and_variables_exist() {
    let mut all = Vec::new();
    commands_below(Vec::new(), &mut all).await;
    let help: String = all.iter().map(|(_, help)| help.as_str()).collect();
    let mut commands = BTreeSet::new();
    let mut options = 0;
    for span in code(&page()) {
        let plain = span.strip_prefix("sudo -u flagship ").unwrap_or(&span);
        let after = plain.strip_prefix("flagship ").unwrap_or_default();
        let said: Vec<&str> = after.split_whitespace().collect();
        let found = all.iter().filter(|(words, _)| said.starts_with(&borrowed(words)));
        let (command, own) = found.max_by_key(|(words, _)| words.len()).expect("the program");
        if !said.is_empty() {
            assert!(!command.is_empty(), "`{span}` is not a command");
            commands.insert(command.join(" "));
        }
        let help = if command.is_empty() { &help } else { own };
        for option in words(&span, "--").filter(|_| span.starts_with("--") || !said.is_empty()) {
            options += 1;
            let is_there =
                help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n"));
            assert!(is_there, "`{span}` has {option}, which `{}` does not have", command.join(" "));
        }
    }
    assert!(commands.len() > 12 && options > 12, "{commands:?}, {options} options");
    let texts = deployed().into_iter().chain([("operate.md".to_owned(), page())]);
    for (file, text) in texts {
        for variable in words(&text, "FLAGSHIP_") {
            let is_secret = SECRETS.contains(&variable.trim_end_matches("_FILE"));
            let is_there = help.contains(&format!("[env: {variable}"));
            assert!(is_secret || is_there, "{file} names {variable}");
        }
    }
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[tokio::test]
async fn documented_metrics_are_the_exported_ones() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve_with(&event, |command| {
        command.args(["--metrics", "127.0.0.1:0"]);
    });
    let server = server.await;
    let watched = server.player().at(&server.watched().await);
    server.player().get("/ctf").await;
    let (_, text) = watched.text("/metrics").await;
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let base = |name: &str| {
        let ends = ["_bucket", "_count", "_sum"];
        ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
    };
    let name = |line: &str| base(line.split(['{', ' ']).next().unwrap_or_default());
    let exported: BTreeSet<String> = samples.map(name).collect();
    let alerts = std::fs::read_to_string(root().join("deploy/flagship-alerts.yml")).unwrap();
    let mut named = BTreeSet::new();
    for text in code(&page()).into_iter().chain([alerts]) {
        named.extend(words(&text, "flagship_").map(base));
        named.extend(words(&text, "process_").map(base));
    }
    assert_eq!(named, exported, "metrics named and metrics exported");
    server.stop().await;
}

/// Prometheus with the files from `deploy/`, except addresses.
#[tokio::test]
async fn prometheus_scrapes_and_evaluates_with_the_example_files() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve_with(&event, |command| {
        command.args(["--metrics", "127.0.0.1:0"]);
    });
    let server = server.await;
    let watched = server.watched().await;
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(root().join("deploy").join(name)).unwrap();
    let target = watched.strip_prefix("http://").unwrap();
    let rules = folder.path().join("rules.yml");
    std::fs::write(&rules, read("flagship-alerts.yml")).unwrap();
    let config = read("prometheus.yml")
        .replace("/etc/prometheus/flagship-alerts.yml", rules.to_str().unwrap())
        .replace("127.0.0.1:9184", target);
    assert!(config.contains(target) && config.contains("rules.yml"), "{config}");
    let often = "global: {scrape_interval: 500ms, scrape_timeout: 500ms, \
                 evaluation_interval: 200ms}\n";
    std::fs::write(folder.path().join("prometheus.yml"), format!("{often}{config}")).unwrap();
    let address = free_address();
    let mut prometheus = tokio::process::Command::new("/usr/bin/prometheus");
    prometheus.args(["--config.file=prometheus.yml", "--storage.tsdb.path=data"]);
    prometheus.arg(format!("--web.listen-address={address}")).current_dir(folder.path());
    let quiet = prometheus.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let running = quiet.kill_on_drop(true).spawn();
    let _running = running.expect("it is installed: apt-get install prometheus");
    let ask = async |path: &str| -> Option<Value> {
        let answer = reqwest::get(format!("http://{address}/api/v1/{path}")).await.ok()?;
        answer.json().await.ok()
    };
    let is_up = async || {
        let up = ask("query?query=up{job=\"flagship\"}").await;
        up.is_some_and(|up| up["data"]["result"][0]["value"][1] == "1")
    };
    until("Prometheus scrapes the server", is_up).await;
    let is_judged = async || {
        let groups = ask("rules").await.unwrap_or_default();
        let rules = groups["data"]["groups"][0]["rules"].as_array().cloned().unwrap_or_default();
        rules.len() == 11 && rules.iter().all(|rule| rule["health"] == "ok")
    };
    until("each alert is evaluated without an error", is_judged).await;
    let alerts = ask("alerts").await.unwrap();
    let alerts = alerts["data"]["alerts"].as_array().expect("they are listed");
    assert!(!alerts.iter().any(|alert| alert["state"] == "firing"), "no alert fires: {alerts:?}");
    server.stop().await;
}

#[test]
fn documented_files_are_the_existing_ones() {
    let page = page();
    let named: BTreeSet<&str> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|span| span.strip_prefix("deploy/"))
        .collect();
    let there = deployed();
    let there: BTreeSet<&str> = there.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(named, there, "documented files and existing files");
}

/// Checks the units with `systemd-analyze`.
#[test]
fn systemd_accepts_the_units_and_rates_them_hardened() {
    let folder = tempfile::tempdir().unwrap();
    let binary = program(&[]).as_std().get_program().to_str().unwrap().to_owned();
    let units = deployed().into_iter().filter(|(name, _)| name.starts_with("flagship"));
    let units = units.filter(|(name, _)| !name.ends_with(".yml"));
    let units: Vec<(PathBuf, String)> = units
        .map(|(name, text)| {
            (folder.path().join(name), text.replace("/usr/local/bin/flagship", &binary))
        })
        .collect();
    assert_eq!(units.len(), 7, "three units, each for one and for several events, and a socket");
    for (file, text) in &units {
        std::fs::write(file, text).unwrap();
    }
    for (file, _) in &units {
        let done = std::process::Command::new("systemd-analyze")
            .args(["verify", "--man=no", "--recursive-errors=no"])
            .arg(file)
            .output()
            .expect("it is installed: apt-get install systemd");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && said.trim().is_empty(), "{}: {said}", file.display());
    }
    for service in ["flagship.service", "flagship@.service"] {
        let done = std::process::Command::new("systemd-analyze")
            .args(["security", "--offline=true", &format!("--threshold={EXPOSURE_MAX}")])
            .arg(folder.path().join(service))
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    }
}

#[test]
fn the_units_of_several_events_have_the_settings_of_the_others() {
    // Other lines have paths, which differ.
    let is_common = |line: &&str| {
        let is_own = line.to_lowercase().contains("flagship") || line.starts_with('#');
        !is_own
    };
    let settings = |name: &str| {
        let text = std::fs::read_to_string(root().join("deploy").join(name)).unwrap();
        text.lines().filter(is_common).map(str::to_owned).collect::<Vec<_>>()
    };
    for (one, several) in [
        ("flagship.service", "flagship@.service"),
        ("flagship-backup.service", "flagship-backup@.service"),
        ("flagship-backup.timer", "flagship-backup@.timer"),
    ] {
        assert_eq!(settings(one), settings(several), "{one}");
        assert!(settings(one).len() > 4, "{one}");
    }
}
