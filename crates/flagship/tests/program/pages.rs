//! Runs or checks every block of commands and every sample file in the pages for organizers, in
//! order: commands in a shell, samples with `flagship check` and `team import`, and printed output
//! by comparison. The test fails if a block is not in the table. A command whose comment begins
//! with `refused` must fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use flagship_testkit::Engine;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::json;
use tempfile::TempDir;
use tokio::process::Command;

use crate::event::EventFolder;
use crate::operate::{SECRETS, root};
use crate::player::{Player, flag};
use crate::process::{Done, Server, TestSite, program, run};
use crate::until;

/// The pages, in the order in which their blocks are run.
const PAGES: [&str; 4] = ["README.md", "docs/day.md", "docs/organize.md", "docs/operate.md"];
/// The year in the times of the pages.
const YEAR: &str = "2027";
/// Length of the labels of `flagship status`.
const LABEL_CHARS: usize = 12;
/// The flag of the challenge that `init` creates, and its corrected flag.
const FLAGS: [&str; 2] = ["flag{half_way_is_all_the_way}", "flag{once_more_is_all_the_way}"];
/// An incorrect flag that becomes correct later.
const GUESS: &str = "flag{turn_it_once_more}";
/// The challenge that `init` creates.
const CHALLENGE: &str = "round-and-round";

/// Texts of the pages, with their replacements in the test.
const PLACES: [(&str, &str); 7] = [
    ("/etc/flagship/event", "my-event"),
    ("/var/lib/flagship", "data"),
    ("/mnt/other/flagship.backup", "event.backup"),
    (" FILE ", " event.backup "),
    ("/tmp/restored", "restored-again"),
    ("https://ctf.example.org", "http://127.0.0.1:1"),
    // A certificate authority cannot be reached.
    ("--tls ctf.example.org", "--public-url http://127.0.0.1:1"),
];

/// The kind of a block, which determines how it is tested.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Commands, which are run after a preparation.
    Run(Scene),
    /// Commands that `cargo xtask test installation` runs in a new system.
    Install,
    /// The output of the previous block of commands.
    Printed,
    /// Lines that are part of the output of the previous block, in order. `…` stands for any text.
    Said,
    /// The labels in the output of the previous block's last command.
    Labels,
    /// A line of the server's log.
    Logged,
    /// A file that later commands read.
    File(&'static str),
    /// A file of an event, which `check` reads.
    Sample(&'static str),
    /// The paths of the files of that event.
    Tree,
    /// Variables of the environment.
    Variables,
    /// Output of `apply` for another event.
    Difference,
}

/// The preparation of a block of commands.
#[derive(Clone, Copy, Debug)]
enum Scene {
    Nothing,
    /// A new event is set up.
    Begin,
    /// The organizer edits the files that `init` created, and the event runs.
    Edited,
    /// The challenge gets another flag.
    Corrected,
    /// A team solves the challenge.
    Solved,
    /// The team sends a flag that is incorrect for now.
    Guessed,
    /// The team asks a question.
    Asked,
    /// The registration is closed in `event.toml`.
    Closed,
    /// The event is over, and its results are not revealed yet.
    Over,
}

use Kind::{
    Difference, File, Install, Labels, Logged, Printed, Run, Said, Sample, Tree, Variables,
};
use Scene::{Asked, Begin, Closed, Corrected, Edited, Guessed, Nothing, Over, Solved};

/// The blocks of each page: the info string, the beginning of the first line, and the kind.
static BLOCKS: [(&str, &str, &str, Kind); 59] = [
    ("README.md", "sh", "cargo xtask run", Run(Nothing)),
    ("README.md", "sh", "wget https://example.org", Install),
    ("README.md", "sh", "flagship init my-event", Run(Nothing)),
    ("docs/day.md", "sh", "export FLAGSHIP_EVENT", Run(Begin)),
    ("docs/day.md", "sh", "flagship init", Run(Nothing)),
    ("docs/day.md", "text", "1 challenge,", Printed),
    ("docs/day.md", "sh", "flagship check", Run(Edited)),
    ("docs/day.md", "csv", "name,email,country", File("teams.csv")),
    ("docs/day.md", "sh", "flagship team import", Run(Nothing)),
    ("docs/day.md", "text", "2 teams imported", Printed),
    ("docs/day.md", "csv", "name,email,password", File("late.csv")),
    ("docs/day.md", "sh", "flagship team import", Run(Nothing)),
    ("docs/day.md", "text", "1 team imported", Printed),
    ("docs/day.md", "sh", "flagship doctor", Run(Nothing)),
    ("docs/day.md", "text", "event       My CTF", Labels),
    ("docs/day.md", "sh", "flagship status", Run(Nothing)),
    ("docs/day.md", "sh", "flagship check", Run(Corrected)),
    ("docs/day.md", "text", "change the flags", Printed),
    ("docs/day.md", "sh", "flagship challenge hide", Run(Nothing)),
    ("docs/day.md", "text", "round-and-round is hidden", Printed),
    ("docs/day.md", "sh", "flagship team award", Run(Solved)),
    ("docs/day.md", "text", "25 points awarded", Printed),
    ("docs/day.md", "sh", "flagship action team.ban", Run(Nothing)),
    ("docs/day.md", "text", "The command line banned", Said),
    ("docs/day.md", "sh", "flagship team rename", Run(Nothing)),
    ("docs/day.md", "text", "The command line renamed", Said),
    ("docs/day.md", "sh", "flagship event extend", Run(Nothing)),
    ("docs/day.md", "text", "The command line changed", Said),
    ("docs/day.md", "sh", "flagship action challenge.status", Run(Nothing)),
    ("docs/day.md", "json", "{\"fields\": {\"flags\"", File("flags.json")),
    ("docs/day.md", "sh", "flagship action challenge.edit", Run(Guessed)),
    ("docs/day.md", "text", "The command line edited", Said),
    ("docs/day.md", "md", "A correct flag of", File("notice.md")),
    ("docs/day.md", "sh", "flagship notice post", Run(Asked)),
    ("docs/day.md", "text", "The command line posted", Said),
    ("docs/day.md", "sh", "flagship event pause", Run(Nothing)),
    ("docs/day.md", "json", "{\"from\": ", File("new.json")),
    ("docs/day.md", "sh", "flagship action challenge.create", Run(Nothing)),
    ("docs/day.md", "text", "The command line created", Said),
    ("docs/day.md", "sh", "flagship apply", Run(Nothing)),
    ("docs/day.md", "text", "round-and-round: edited live", Said),
    ("docs/day.md", "sh", "flagship action challenge.close", Run(Nothing)),
    ("docs/day.md", "text", "The command line set", Said),
    ("docs/day.md", "sh", "flagship actions", Run(Nothing)),
    ("docs/day.md", "sh", "systemctl reload", Run(Closed)),
    ("docs/day.md", "text", "reloaded event.toml", Logged),
    ("docs/day.md", "sh", "flagship status", Run(Over)),
    ("docs/organize.md", "text", "my-event/", Tree),
    ("docs/organize.md", "toml", "[event]", Sample("event.toml")),
    ("docs/organize.md", "toml", "[site]", Sample("brand.toml")),
    ("docs/organize.md", "text", "---", Sample("pages/prizes.md")),
    ("docs/organize.md", "yaml", "name: ", Sample("challenges/web/cookies/challenge.yml")),
    ("docs/organize.md", "sh", "flagship code make", Run(Nothing)),
    ("docs/organize.md", "text", "change the event", Difference),
    ("docs/organize.md", "sh", "flagship export winners", Run(Nothing)),
    ("docs/operate.md", "ini", "FLAGSHIP_PUBLIC_URL", Variables),
    ("docs/operate.md", "sh", "sudo -u flagship", Run(Nothing)),
    ("docs/operate.md", "sh", "flagship restore", Run(Nothing)),
    ("docs/operate.md", "sh", "flagship journal head", Run(Nothing)),
];

/// A fenced block of a page.
#[derive(Debug)]
struct Block {
    page: &'static str,
    info: String,
    text: String,
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("the page is there")
}

/// The fenced blocks of a page, without the indentation of their fences.
fn blocks_of(page: &'static str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open = None::<(usize, Block)>;
    for line in read(page).lines() {
        let fence = line.trim_start().strip_prefix("```");
        open = match (open, fence) {
            (None, Some(info)) => {
                let indent = line.len() - line.trim_start().len();
                Some((indent, Block { page, info: info.to_owned(), text: String::new() }))
            }
            (Some((_, block)), Some(_)) => {
                found.push(block);
                None
            }
            (Some((indent, mut block)), None) => {
                block.text += line.get(indent..).unwrap_or_default();
                block.text.push('\n');
                Some((indent, block))
            }
            (None, None) => None,
        };
    }
    assert!(open.is_none(), "{page} has a block without an end");
    found
}

/// A shell with the program, substitutes for system commands, and a server.
struct Stage {
    folder: TempDir,
    server: Option<Server>,
    /// The output of the last block of commands.
    out: String,
    /// The id of a question of the team.
    question: String,
}

impl Stage {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let binary = program(&[]).as_std().get_program().to_owned();
        let binary = std::fs::canonicalize(binary).unwrap();
        std::os::unix::fs::symlink(binary, bin.join("flagship")).unwrap();
        let at = folder.path().display();
        for (name, text) in [
            ("sudo", "shift 2; exec \"$@\"".to_owned()),
            ("journalctl", format!("cat '{at}/server.log'")),
            ("systemctl", format!("kill -HUP \"$(cat '{at}/server.pid')\"")),
        ] {
            let file = bin.join(name);
            std::fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(file, mode).unwrap();
        }
        Self { folder, server: None, out: String::new(), question: String::new() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("an earlier block has started the server")
    }

    /// A shell that runs a line as an organizer would.
    fn shell(&self, line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-euc", line]).current_dir(self.folder.path()).env_clear();
        let bin = self.file("bin");
        command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
        command.env("FLAGSHIP_EVENT", "my-event").env("FLAGSHIP_DATA", "data");
        command.env("FLAGSHIP_LISTEN", "127.0.0.1:0");
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    /// Runs a line that has to succeed.
    async fn run(&self, line: &str) -> Done {
        let done = run(self.shell(line)).await;
        assert_eq!(done.code, Some(0), "{line}: {done:?}");
        done
    }

    /// A line of a page with the places, year and printed IDs of this test.
    fn here(&self, line: &str) -> String {
        let line = PLACES.iter().fold(line.to_owned(), |line, (old, new)| line.replace(old, new));
        let of_action =
            |line: &str| Some(line.strip_prefix("action ")?.split_once(';')?.0.to_owned());
        let ids: Vec<String> = self.out.lines().filter_map(of_action).collect();
        let put = |line: String, name: &str, id: Option<&String>| match id {
            Some(id) => line.replace(&format!(" {name} "), &format!(" {id} ")),
            None => line,
        };
        let line = put(format!("{} ", next_year(&line)), "ID", ids.last());
        put(put(line, "FIRST", ids.first()), "QUESTION", Some(&self.question)).trim_end().to_owned()
    }

    /// Runs a line of a page.
    async fn line(&mut self, line: &str) {
        let line = self.here(line);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["export", variable, ..] => assert!(variable.starts_with("FLAGSHIP_"), "{line}"),
            ["cargo", "xtask", command, ..] => assert_xtask(command, &words),
            ["flagship", "serve", ..] => {
                let server = Server::start(self.shell(&format!("exec {line}"))).await;
                std::fs::write(self.file("server.pid"), server.id().to_string()).unwrap();
                self.server = Some(server);
            }
            // A rehearsal takes minutes and has its own tests: here only its arguments are checked.
            ["flagship", "rehearse", ..] => {
                let mut command = self.shell(&line);
                command.env("FLAGSHIP_EVENT", "nowhere");
                run(command).await.fails("read the event folder `nowhere`");
            }
            ["flagship" | "sudo" | "journalctl" | "systemctl", ..] => {
                let log = self.server.as_ref().map(Server::err).unwrap_or_default();
                std::fs::write(self.file("server.log"), log.join("\n")).unwrap();
                let done = match line.contains("# refused") {
                    true => run(self.shell(&line)).await,
                    false => self.run(&line).await,
                };
                self.out += &done.out;
                if line.contains("# refused") {
                    assert_eq!(done.code, Some(1), "{line}: {done:?}");
                    self.out += &done.err;
                }
            }
            _ => panic!("{line:?} begins with no program that this test knows"),
        }
    }

    /// Replaces a text in a file of the event.
    fn edit(&self, path: &str, old: &str, new: &str) {
        let file = self.file("my-event").join(path);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(old), "{old:?} is not in {text}");
        std::fs::write(file, text.replacen(old, new, 1)).unwrap();
    }

    /// Sets a key of `event.toml`.
    fn set(&self, key: &str, value: &str) {
        let text = std::fs::read_to_string(self.file("my-event/event.toml")).unwrap();
        let is_it = |line: &&str| line.starts_with(&format!("{key} = "));
        let old = text.lines().find(is_it).expect("`init` writes the key");
        self.edit("event.toml", old, &format!("{key} = {value}"));
    }

    /// Sets a time of the event, in seconds from now.
    fn set_time(&self, key: &str, seconds: i64) {
        self.set(key, &(Timestamp::now() + SignedDuration::from_secs(seconds)).to_string());
    }

    /// The team that plays.
    async fn team(&self) -> Player {
        let tokens = std::fs::read_to_string(self.file("tokens.csv")).unwrap();
        let row = tokens.lines().find_map(|line| line.strip_prefix("Otters,"));
        self.server().team(row.expect("a token of the team")).await
    }

    async fn is_now(&self, status: &str) {
        let player = self.server().player();
        until(&format!("the event is {status}"), async || {
            player.get("/ctf").await.1["status"] == status
        })
        .await;
    }

    /// Prepares a block.
    async fn play(&mut self, scene: Scene) {
        match scene {
            Nothing => {}
            Begin => *self = Self::new(),
            Edited => {
                for (key, seconds) in [("start", -60), ("freeze", 7_200), ("end", 10_800)] {
                    self.set_time(key, seconds);
                }
                self.edit("event.toml", "# trusted_proxies", "trusted_proxies");
            }
            Corrected => {
                let [old, new] = FLAGS;
                self.edit("challenges/crypto/rot13/challenge.yml", old, new);
            }
            Solved => {
                let team = self.team().await;
                until("the server has followed the release", async || {
                    team.get("/challenge").await.1.to_string().contains(CHALLENGE)
                })
                .await;
                let answer = team.post("/solve", &flag(CHALLENGE, FLAGS[1])).await;
                assert_eq!(answer, (200, json!({"correct": true})));
            }
            Guessed => {
                let answer = self.team().await.post("/solve", &flag(CHALLENGE, GUESS)).await;
                assert_eq!(answer, (200, json!({"correct": false})));
                until("the wrong flag is recorded", async || {
                    self.run("flagship flags list --json").await.out.contains("wrong")
                })
                .await;
            }
            Asked => {
                let question = json!({"text": "Is it a shift?", "challengeId": CHALLENGE});
                let (status, asked) = self.team().await.post("/question", &question).await;
                assert_eq!(status, 201, "{asked}");
                self.question = asked["id"].to_string();
            }
            Closed => self.edit("event.toml", "open = true", "open = false"),
            Over => {
                self.set("reveal", "\"manual\"");
                self.set_time("freeze", 0);
                self.run("flagship apply").await;
                self.is_now("frozen").await;
                self.set_time("end", 0);
                self.run("flagship apply --confirm 1").await;
                self.is_now("ended").await;
            }
        }
    }

    /// Checks that the exports have the columns that the page names.
    async fn assert_columns(&self) {
        let page = read("docs/organize.md");
        for what in ["standings", "solves", "winners"] {
            let csv = self.run(&format!("flagship export {what} --format csv")).await.out;
            let columns = csv.lines().next().unwrap_or_default();
            let row = format!("| `{what}` | `{columns}` |");
            assert!(page.contains(&row), "{row} is not in docs/organize.md");
        }
    }
}

/// Checks that lines were printed, in order. `…` in them stands for any text.
fn assert_said(text: &str, out: &str) {
    let is_it = |expected: &str, line: &str| {
        let mut pieces = expected.split('…');
        let mut rest = line.strip_prefix(pieces.next().unwrap_or_default());
        for piece in pieces {
            rest = rest.and_then(|rest| Some(&rest[rest.find(piece)? + piece.len()..]));
        }
        rest.is_some_and(|rest| rest.is_empty() || expected.ends_with('…'))
    };
    let mut printed = out.lines();
    for expected in text.lines() {
        let is_said = printed.any(|line| is_it(expected, line));
        assert!(is_said, "{expected:?} is not said, or not in this order, in\n{out}");
    }
}

/// Checks that the development command exists and has these options.
fn assert_xtask(command: &str, words: &[&str]) {
    let usage = read("xtask/src/main.rs");
    let start = format!("cargo xtask {command} ");
    let usage = usage.lines().find(|line| line.starts_with(&start)).expect("a command of xtask");
    let said = words.iter().take_while(|word| **word != "#");
    for option in said.filter(|word| word.starts_with("--")) {
        assert!(usage.contains(option), "{option} is not in {usage:?}");
    }
}

/// The beginnings of the last `count` lines, which are the labels of `status`.
fn labels(text: &str, count: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(count)..];
    last.iter().map(|line| line.chars().take(LABEL_CHARS).collect()).collect()
}

/// The text with its times moved to the next year.
fn next_year(text: &str) -> String {
    text.replace(YEAR, &(Zoned::now().year() + 1).to_string())
}

/// Checks that the sample files form an event without problems.
async fn assert_samples(samples: &BTreeMap<&str, String>, tree: &str) {
    let event = EventFolder::new();
    event.challenge("first-letter", "type: standard\nvalue: 10");
    event.write("challenges/web/cookies/dist/crumbs.html", "<p>They lead to the oven.</p>\n");
    event.write("challenges/web/cookies/dist/notes.txt", "{{team_flag}}\n");
    let pem = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
    event.write("mail-ca.pem", pem);
    for (path, text) in samples {
        event.write(path, &next_year(text));
    }
    let said = run(program(&["check", "--event", event.dir()])).await.ok();
    assert_eq!(said, "6 challenges, 0 errors, 0 warnings, 0 notes\n");
    assert_brand(&event, &samples["brand.toml"]).await;
    let mut folder = PathBuf::new();
    for line in tree.lines().skip(1) {
        let name = line.split_whitespace().next().expect("a name").trim_end_matches('…');
        let is_inside = line.starts_with("    ");
        let path = if is_inside { folder.join(name) } else { PathBuf::from(name) };
        assert!(event.path().join(&path).exists(), "{line:?} is not in the sample event");
        if !is_inside {
            folder = path;
        }
    }
}

/// Checks a brand sample, in place of the event sample's own `[site]`.
async fn assert_brand(event: &EventFolder, brand: &str) {
    let text = std::fs::read_to_string(event.path().join("event.toml")).expect("it was written");
    let (before, _) = text.split_once("[site]").expect("the sample has one");
    event.write("event.toml", &format!("{before}{brand}"));
    let picture = b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff;";
    let svg = b"<svg viewBox='0 0 3 2'/>";
    for (name, bytes) in [
        ("logo.svg", &svg[..]),
        ("logo-dark.svg", svg),
        ("ropes.svg", svg),
        ("icon.png", picture),
        ("hero.webp", picture),
        ("preview.png", picture),
        ("face.woff2", b"wOF2"),
    ] {
        let path = event.path().join("brand").join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        std::fs::write(path, bytes).expect("it is written");
    }
    let said = run(program(&["check", "--event", event.dir()])).await.ok();
    assert_eq!(said, "6 challenges, 0 errors, 0 warnings, 0 notes\n", "{brand}");
}

/// Checks the output of `apply` for a change of points and of the end.
async fn assert_difference(expected: &str) {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let write = |end: &str, value: u32| {
        let end = next_year(&format!("{YEAR}-03-06T{end}:00:00+01:00"));
        event.write(
            "event.toml",
            &format!(
                "[event]\nname = \"Small CTF\"\nstart = 2020-01-01T00:00:00Z\nend = {end}\n\
                 timezone = \"Europe/Rome\"\n[captcha]\nprovider = \"off\"\n"
            ),
        );
        event.challenge("cookie-crumbs", &format!("type: standard\nvalue: {value}"));
    };
    write("19", 100);
    let server = site.serve(&event).await;
    let tokens = site.import_csv("name,email\nOtters,a@example.org\nCrabs,b@example.org\n").await;
    for (team, points) in [("Otters", "380"), ("Crabs", "500")] {
        site.run(&["team", "award", team, points, "--reason", "a start"]).await.ok();
    }
    server.team(&tokens[0].1).await.solves("cookie-crumbs").await;
    server.stop().await;
    write("20", 150);
    assert_eq!(site.apply(&event).await.ok(), next_year(expected));
}

async fn assert_variables(text: &str) {
    let help = run(program(&["serve", "--help"])).await.ok();
    for line in text.lines() {
        let (name, _) = line.split_once('=').expect("NAME=VALUE");
        let is_there = SECRETS.contains(&name) || help.contains(&format!("[env: {name}="));
        assert!(is_there, "{name} is not a variable of `serve`");
    }
}

#[tokio::test]
async fn every_block_of_the_pages_is_run_or_checked() {
    let blocks: Vec<Block> = PAGES.into_iter().flat_map(blocks_of).collect();
    let words = "a block is not in the table";
    let is_known = |(block, row): &(&Block, &(&str, &str, &str, Kind))| {
        (block.page, block.info.as_str()) == (row.0, row.1) && block.text.starts_with(row.2)
    };
    let known = blocks.iter().zip(&BLOCKS).take_while(is_known).count();
    let both = (blocks.get(known), BLOCKS.get(known));
    assert!(both.0.is_none() && both.1.is_none(), "{words}, or in another place: {both:?}");
    let mut stage = Stage::new();
    let mut samples = BTreeMap::new();
    let mut tree = String::new();
    for (Block { page, text, .. }, (_, _, _, kind)) in blocks.iter().zip(&BLOCKS) {
        match *kind {
            Run(scene) => {
                stage.play(scene).await;
                stage.out.clear();
                for line in text.lines().filter(|line| !line.is_empty()) {
                    stage.line(line).await;
                }
            }
            Install => {}
            Said => assert_said(text, &stage.out),
            Printed => assert!(stage.out.ends_with(text), "{page}: {text}\n{}", stage.out),
            Labels => {
                let count = text.lines().count();
                assert_eq!(labels(&stage.out, count), labels(text, count), "{page}");
            }
            Logged => {
                let is_said = |line: &String| line.contains(text.trim_end());
                let server = stage.server();
                until("the log has the line", async || server.err().iter().any(is_said)).await;
            }
            File(name) => std::fs::write(stage.file(name), text).unwrap(),
            Sample(path) => _ = samples.insert(path, text.clone()),
            Tree => tree.clone_from(text),
            Variables => assert_variables(text).await,
            Difference => assert_difference(text).await,
        }
    }
    assert_samples(&samples, &tree).await;
    stage.assert_columns().await;
    stage.server.expect("the event is served").stop().await;
}

/// The text of all source files in a folder, with multi-line strings joined.
fn source(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all += &source(&path);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(path).unwrap();
            let lines = text.lines().map(str::trim_start);
            all.extend(lines.map(|line| match line.strip_suffix('\\') {
                Some(line) => line.to_owned(),
                None => format!("{line}\n"),
            }));
        }
    }
    all
}

#[test]
fn errors_in_the_page_of_the_day_are_those_of_the_program() {
    let page = read("docs/day.md");
    let folders = ["crates/flagship/src", "crates/flagship-server/src/node/apply"];
    let source: String = folders.iter().map(|folder| source(&root().join(folder))).collect();
    let texts = page.lines().filter_map(|line| line.strip_prefix("| ``")?.split("``").next());
    let texts: Vec<&str> = texts.collect();
    assert!(texts.len() > 12, "{texts:?}");
    for text in texts {
        // `apply` begins each refusal with these words.
        let text = text.strip_prefix("nothing was applied: ").unwrap_or(text);
        for piece in text.split('…') {
            // `failure` adds the brackets and periods around a cause.
            let piece = piece.trim_matches([' ', '(', ')', '.']);
            assert!(source.contains(piece), "the program does not say {piece:?}");
        }
    }
}
