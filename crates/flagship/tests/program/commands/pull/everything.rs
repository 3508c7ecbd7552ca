//! An event with one of each key for players goes through `apply` and `pull` unchanged.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;

/// Every key that affects what teams see, pay and submit, with comments and unusual quotes.
const PIER: &str = "\
name: The Pier   # ours
id: pier
author: Ada
attribution: \"Icons by [Bob](https://bob.example)\"
category: misc
tags: [\"low tide\", misc]
difficulty: medium
description: |
  What is below it?
type: dynamic
extra: {initial: 500, minimum: 50, decay: 15}
logic: all
attempts: 7
flags:
  - 'flag{left}'
  - {type: regex, content: 'flag\\{[0-9]+\\}'}
  - {type: team, content: 'flag{pier_[TEAM]}'}
  - {type: decoy, content: 'flag{nearly}'}
hints:
  - {key: free, content: Look.}
  - {key: cheap, title: A place, content: Look *below*., cost: 20}
  - {key: steep, content: Dive., cost: 30, requirements: [cheap]}
files:
  - plain.txt
  - {path: dist/log.txt, per_team: true}
connection_info: nc pier.example 1337
requirements: [one]
";

/// Lines of `[event]`, and divisions of each kind.
const KEYS: &str = "practice = true\nshow_authors = true\n";
const DIVISIONS: &str = "\
[[divisions]]
id = \"school\"
name = \"Schools\"
join = \"code\"
code = \"sea horse\"
[[divisions]]
id = \"uni\"
name = \"University\"
join = \"domain\"
domains = [\"uni.example\"]
[[divisions]]
id = \"human\"
name = \"Without AI\" # a comment
group = \"AI use\"
join = \"open\"
[[divisions]]
id = \"staff\"
name = \"Staff\"
group = \"Hidden\"
join = \"organizers\"
private = true
";

fn event() -> EventFolder {
    let event = EventFolder::new();
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let toml = toml.replacen("[captcha]", &format!("{KEYS}[captcha]"), 1);
    event.write("event.toml", &format!("{toml}{DIVISIONS}"));
    event.write("challenges/pier/challenge.yml", PIER);
    event.write("challenges/pier/plain.txt", "Tides.\n");
    event.write("challenges/pier/dist/log.txt", "It is {{team_flag}}.\n");
    event
}

/// The content of all files, by path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            all.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    all
}

/// Everything that a folder defines, except the settings of this machine.
fn definition(folder: &Path) -> Vec<String> {
    let pack = flagship_pack::read(folder).expect("it is an event folder");
    assert_eq!(pack.errors(), 0);
    let mut all: Vec<String> = pack
        .challenges
        .iter()
        .map(|it| format!("{:?} {}", it.challenge, flags(&it.flags)))
        .collect();
    all.sort();
    all.push(serde_json::to_string(&pack.divisions).unwrap());
    all
}

/// The flags in plain text, because `Debug` hides them.
fn flags(flags: &[flagship_pack::Flag]) -> String {
    let text = |flag: &flagship_pack::Flag| match flag {
        flagship_pack::Flag::Exact { text, case_insensitive } => {
            format!("exact {} {case_insensitive}", text.expose())
        }
        flagship_pack::Flag::Regex { pattern, case_insensitive } => {
            format!("regex {} {case_insensitive}", pattern.expose())
        }
        flagship_pack::Flag::Team(flag) => format!("team {flag}"),
        flagship_pack::Flag::Decoy(text) => format!("decoy {}", text.expose()),
    };
    flags.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Pulls the event of a site into a new folder.
async fn pulled(site: &TestSite, name: &str) -> std::path::PathBuf {
    let folder = site.file(name);
    site.run(&["pull", "--event", folder.to_str().unwrap()]).await.ok();
    folder
}

const UNCHANGED: &str = "the files already contain all live edits\n";

on_both_engines! {
    async fn an_event_with_one_of_each_goes_through_apply_and_pull_unchanged(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let written = files(event.path());
        site.apply(&event).await.ok();
        assert_eq!(pull(&site, &event, &[]).await.ok(), UNCHANGED);
        assert_eq!(files(event.path()), written);
        let said = site.apply(&event).await.ok();
        assert!(said.ends_with("nothing to change\n"), "{said}");

        // A new folder defines the same, also after it went through another installation.
        let first = pulled(&site, "first").await;
        assert_eq!(definition(&first), definition(event.path()));
        let apply = ["apply", "--event", first.to_str().unwrap()];
        // A new folder does not repeat the settings that were never set on the site.
        let said = site.run(&apply).await.ok();
        let changed: Vec<&str> = said.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(changed, ["change the settings", "1 change applied"], "{said}");
        let other = TestSite::new(engine).await;
        other.run(&apply).await.ok();
        let second = pulled(&other, "second").await;
        assert_eq!(files(&first), files(&second), "the second pull writes the same bytes");
        let toml = &files(&second)["event.toml"];
        for line in KEYS.lines() {
            assert!(toml.lines().any(|it| it == line), "{line}: {toml}");
        }

        // A live edit changes one line.
        let file = site.file("fields.json");
        std::fs::write(&file, json!({"fields": {"attempts": 9}}).to_string()).unwrap();
        let words = ["action", "challenge.edit", "--challenge", "pier", "--fields"];
        site.run(&[&words[..], &[file.to_str().unwrap()]].concat()).await.ok();
        pull(&site, &event, &[]).await.ok();
        let mut edited = written;
        let pier = "challenges/pier/challenge.yml".to_owned();
        edited.insert(pier, PIER.replace("attempts: 7", "attempts: 9"));
        assert_eq!(files(event.path()), edited);
    }
}
