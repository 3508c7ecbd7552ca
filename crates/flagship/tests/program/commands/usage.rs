//! Wrong usage, wrong data folders, and secrets on the command line.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use flagship_testkit::{Engine, on_both_engines};

use crate::event::EventFolder;
use crate::process::{TestSite, program, run};

/// The commands that touch an event.
const COMMANDS: [&[&str]; 17] = [
    &["action", "team.ban", "--team", "Team 1", "--reason", "x"],
    &["actions"],
    &["event", "pause"],
    &["team", "ban", "Team 1"],
    &["team", "unban", "Team 1"],
    &["team", "hide", "Team 1"],
    &["team", "show", "Team 1"],
    &["team", "award", "Team 1", "5", "--reason", "bug found"],
    &["team", "withdraw", "Team 1", "one"],
    &["challenge", "release", "one"],
    &["challenge", "hide", "one"],
    &["reveal"],
    &["export", "standings"],
    &["export", "journal"],
    &["journal", "verify"],
    &["privacy", "show", "Team 1"],
    &["privacy", "erase", "--all"],
];

#[tokio::test]
async fn unknown_commands_are_wrong_usage() {
    for words in [
        &[][..],
        &["dance"],
        &["serve", "--evnt", "x"],
        &["serve", "--event", "x", "--listen", "nowhere"],
        &["serve", "--event", "x", "--log", "a=b=c"],
        &["serve", "--tls", "https://ctf.example.org"],
        &["serve", "--tls", "192.0.2.7"],
        &["serve", "--tls", "ctf.example.org", "--acme", "http://acme.example.org/dir"],
        &["serve", "--listen-http", "127.0.0.1:0"],
        &["serve", "--acme-root", "x"],
        &["check"],
        &["init"],
        &["team"],
        &["team", "sack", "Ants"],
        &["team", "award", "Ants", "five", "--reason", "x"],
        &["team", "award", "Ants", "5"],
        &["challenge", "release"],
        &["export", "secrets"],
        &["export", "standings", "--format", "xml"],
        &["export", "winners", "--top", "-1"],
        &["journal"],
        &["backup"],
        &["restore"],
    ] {
        run(program(words)).await.is_wrong_usage();
    }
    let mut bad_variable = program(&["serve", "--event", "x"]);
    bad_variable.env("FLAGSHIP_LISTEN", "nowhere");
    run(bad_variable).await.is_wrong_usage();
}

#[tokio::test]
async fn help_and_version_succeed() {
    assert!(run(program(&["--help"])).await.ok().contains("Usage: flagship"));
    assert!(run(program(&["--version"])).await.ok().starts_with("flagship "));
}

#[tokio::test]
async fn completions_and_manual_pages_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    run(program(&["manual", path])).await.ok();
    for shell in ["bash", "fish", "zsh"] {
        let script = run(program(&["completions", shell])).await.ok();
        for command in ["serve", "rehearse", "completions"] {
            assert!(script.contains(command), "{shell}: {command}");
            let page = folder.path().join(format!("flagship-{command}.1"));
            assert!(std::fs::read_to_string(page).unwrap().contains("SYNOPSIS"));
        }
        assert!(!script.contains("FLAGSHIP_SECRET"), "{shell}: no variable of a secret");
    }
    run(program(&["completions", "basic"])).await.is_wrong_usage();
}

#[tokio::test]
async fn secrets_are_not_taken_from_the_command_line() {
    for option in
        ["--secret", "--password", "--captcha-secret", "--smtp-password", "--token", "--key"]
    {
        let words = ["serve", "--event", "x", option, "very secret"];
        let done = run(program(&words)).await;
        done.is_wrong_usage();
        assert!(!done.err.contains("very secret"), "{done:?}");
    }
}

#[tokio::test]
async fn a_database_password_is_not_printed() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("secret"), "s".repeat(64)).unwrap();
    let data = data.path().to_str().unwrap();
    for url in [
        "postgres://ada:hunter2@127.0.0.1:1/event",
        "postgres://ada:hunter2@127.0.0.1:port/event",
        "mysql://ada:hunter2@127.0.0.1/event",
    ] {
        let done = run(program(&["reveal", "--data", data, "--database", url])).await;
        done.fails("");
        assert!(!done.err.contains("hunter2"), "{done:?}");
        let help = program(&["serve", "--help"]).env("FLAGSHIP_DATABASE", url).output().await;
        let help = String::from_utf8(help.unwrap().stdout).unwrap();
        assert!(!help.contains("hunter2"), "{help}");
    }
}

/// The subcommands of `words`, from the help text.
pub async fn commands_below(words: Vec<String>, help_of: &mut Vec<(Vec<String>, String)>) {
    let mut asked: Vec<&str> = words.iter().map(String::as_str).collect();
    asked.push("--help");
    let help = run(program(&asked)).await.ok();
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default().to_owned();
    help_of.push((words.clone(), help));
    let names = listed.lines().take_while(|line| line.starts_with("  "));
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            let below = words.iter().cloned().chain([name.to_owned()]).collect();
            Box::pin(commands_below(below, help_of)).await;
        }
    }
}

#[tokio::test]
async fn every_option_has_an_environment_variable() {
    let mut all = Vec::new();
    commands_below(Vec::new(), &mut all).await;
    let mut options = BTreeSet::new();
    for (words, help) in &all {
        let lines: Vec<&str> = help.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let line = line.trim_start();
            let long = line.starts_with('-').then(|| line.split("--").nth(1)).flatten();
            let Some(name) = long.and_then(|rest| rest.split([' ', ',']).next()) else { continue };
            if ["help", "version"].contains(&name) {
                continue;
            }
            let variable = format!("FLAGSHIP_{}", name.to_ascii_uppercase().replace('-', "_"));
            // The help of a secret option names the variable without its value.
            let is_option = |it: &str| it.starts_with("--") || it.starts_with("-h");
            let next = |it: &&&str| !is_option(it.trim_start());
            let about: Vec<&str> = lines[i + 1..].iter().take_while(next).copied().collect();
            let about = format!("{line}\n{}", about.join("\n"));
            let said = [format!("[env: {variable}=]"), format!("[env: {variable}]")];
            assert!(said.iter().any(|said| about.contains(said)), "{words:?}: {about}");
            options.insert(name.to_owned());
        }
    }
    let known = ["data", "database", "demo", "dry-run", "event", "format", "join"];
    let of_lists =
        ["challenge", "csv", "division", "json", "last", "near", "network", "team", "verdict"];
    let of_actions = ["before", "fields", "moves", "offensive", "preview", "text", "urgent"];
    let of_changes = ["all", "confirm", "force", "overwrite", "take"];
    let of_watchers = ["listen", "log", "log-format", "metrics"];
    let more = ["public-url", "reason", "secret-file", "students", "tokens", "top", "url", "view"];
    let of_files = ["encoding", "mail", "severity", "skip-existing"];
    let of_organizers = ["challenges", "days", "role"];
    let of_teams = ["count", "label", "out", "server", "uses"];
    let of_attachments = ["attachments", "to"];
    let of_tls = ["acme", "acme-root", "listen-http", "tls"];
    let of_rehearsals = ["against", "minutes", "spectators", "teams"];
    let expected = known
        .iter()
        .chain(&of_lists)
        .chain(&of_actions)
        .chain(&of_changes)
        .chain(&more)
        .chain(&of_files)
        .chain(&of_organizers)
        .chain(&of_teams)
        .chain(&of_rehearsals)
        .chain(&of_tls)
        .chain(&of_attachments)
        .chain(&of_watchers);
    let expected: BTreeSet<String> = expected.map(|it| (*it).into()).collect();
    assert_eq!(options, expected, "options are added and removed on purpose");
    assert!(all.len() > 15, "{all:?}");
}

#[tokio::test]
async fn a_folder_without_an_event_is_reported_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("nothing");
    let event = EventFolder::new();
    let csv = folder.path().join("teams.csv");
    std::fs::write(&csv, "name,email\nAnts,ants@example.org\n").unwrap();
    let import = ["team", "import", csv.to_str().unwrap()];
    let dry = ["apply", "--event", event.dir(), "--dry-run"];
    let backup = ["backup", "nowhere/backup"];
    for words in COMMANDS.into_iter().chain([&import[..], &dry, &backup]) {
        let mut command = program(words);
        command.arg("--data").arg(&data);
        run(command).await.fails(&format!("no event found in `{}`", data.display()));
    }
    event.write("event.toml", "[event]\nnme = 1\n");
    let mut broken = program(&["apply", "--event", event.dir()]);
    broken.arg("--data").arg(&data);
    run(broken).await.fails("nothing was applied");
    assert!(!data.exists(), "a refused command creates nothing");
}

on_both_engines! {
    async fn a_database_without_an_applied_event_has_its_own_message(engine: Engine) {
        let site = TestSite::new(engine).await;
        std::fs::write(site.file("secret"), "s".repeat(64)).unwrap();
        for words in COMMANDS {
            site.run(words).await.fails("no event has been applied to this database");
        }
    }

    async fn another_secret_is_refused_by_every_command(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let secret = site.file("secret");
        let mode = std::fs::metadata(&secret).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the secret is readable by its owner only");
        let right = std::fs::read(&secret).unwrap();
        std::fs::write(&secret, "x".repeat(64)).unwrap();
        let serve = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let apply = ["apply", "--event", event.dir()];
        for words in COMMANDS.into_iter().chain([&serve[..], &apply]) {
            site.run(words).await.fails("this database was created with a different secret");
        }
        for (text, word) in [("short", "32 to 4096 bytes"), ("", "32 to 4096 bytes")] {
            std::fs::write(&secret, text).unwrap();
            site.run(&["reveal"]).await.fails(word);
        }
        std::fs::remove_file(&secret).unwrap();
        let words = "is missing, but the database needs it";
        site.run(&["reveal"]).await.fails(words);
        assert!(!secret.exists(), "only a first start creates a secret");
        let elsewhere = site.file("elsewhere");
        std::fs::write(&elsewhere, right).unwrap();
        let elsewhere = elsewhere.to_str().unwrap();
        site.run(&["journal", "verify", "--secret-file", elsewhere]).await.ok();
    }
}

#[tokio::test]
async fn a_closed_pipe_is_not_a_panic() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    for words in [
        &["export", "ctftime"][..],
        &["export", "solves", "--format", "csv"],
        &["team", "list"],
        &["challenge", "list", "--json"],
        &["status"],
        &["journal", "verify"],
        &["challenge", "hide", "one"],
        &["apply", "--event", event.dir()],
    ] {
        let mut command = site.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().await.unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(0), "{words:?}: {err}");
        // The undo command is printed on standard error, but is not an error.
        let is_said = |line: &str| line.contains(": warning: ") || line.starts_with("action ");
        assert_eq!(err.lines().find(|line| !is_said(line)), None, "{words:?}");
    }
    let said = site.apply(&event).await.ok();
    assert!(said.ends_with("\nnothing to change\n"), "it was applied unread: {said}");
}
