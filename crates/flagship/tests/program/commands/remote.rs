//! `flagship apply --server` and `pull --server` do over HTTP what they do on the machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flagship_testkit::{Engine, copy_folder, on_both_engines, shared_data};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::event::{EventFolder, Times};
use crate::player::Player;
use crate::process::{Done, Server, TestSite, program, run};
use crate::until;

const ONE: &str = "challenges/one/challenge.yml";
const NOTHING: &str = "nothing to change\n";

/// A server without event files, and the token of the organizer Ada.
struct Remote {
    site: TestSite,
    server: Server,
    token: String,
}

impl Remote {
    async fn new(engine: Engine) -> Self {
        let site = TestSite::new(engine).await;
        let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        let token = organizer_token(&site, "Ada", "organizer").await;
        Self { site, server, token }
    }

    /// A server with applied files.
    async fn with(engine: Engine, event: &EventFolder) -> Self {
        let remote = Self::new(engine).await;
        remote.apply(event, &[]).await.ok();
        remote
    }

    async fn run(&self, words: &[&str]) -> Done {
        self.run_at(&self.server.url, &self.token, words).await
    }

    async fn run_at(&self, url: &str, token: &str, words: &[&str]) -> Done {
        let mut command = program(words);
        command.args(["--server", url]).env("FLAGSHIP_TOKEN", token);
        run(command).await
    }

    async fn apply(&self, event: &EventFolder, more: &[&str]) -> Done {
        self.run(&[&["apply", "--event", event.dir()], more].concat()).await
    }

    /// The organizer, as a client of the API.
    fn ada(&self) -> Player {
        self.server.player().with_token(&self.token)
    }

    /// Edits the challenge `one` on the site.
    async fn edit(&self, fields: Value) {
        let body = json!({"action": "challenge.edit", "challenge": "one", "fields": fields});
        let (status, answer) = self.ada().action(&body).await;
        assert_eq!(status, 200, "{answer}");
    }

    /// Records of applied files, newest first.
    async fn applies(&self) -> Vec<Value> {
        let actions = self.site.run(&["actions", "--json"]).await.ok();
        let mut actions: Vec<Value> = serde_json::from_str(&actions).unwrap();
        actions.retain(|it| it["action"] == "event.apply");
        actions
    }

    async fn challenges(&self) -> String {
        self.site.run(&["challenge", "list", "--json"]).await.ok()
    }
}

async fn organizer_token(site: &TestSite, name: &str, role: &str) -> String {
    let add = ["organizer", "add", name, "--role", role];
    let url = ["--public-url", "https://ctf.example.org"];
    site.run(&[&add[..], &url].concat()).await.ok();
    site.run(&["organizer", "token", name]).await.ok().trim().to_owned()
}

/// The files of a folder by path, without `event.toml`: the settings of two servers may differ.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

/// Files that `pull` writes into a new folder, and the folder.
async fn pulled(run: impl AsyncFnOnce(&str) -> Done) -> BTreeMap<String, Vec<u8>> {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("event");
    let done = run(folder.to_str().unwrap()).await;
    assert_eq!(done.code, Some(0), "{done:?}");
    files(&folder)
}

/// Asserts that an installation and a server hold the same event, and that both ways of pulling it
/// write the same bytes.
async fn assert_same(local: &TestSite, remote: &Remote) {
    let listed = local.run(&["challenge", "list", "--json"]).await.ok();
    assert_eq!(remote.challenges().await, listed);
    let on_machine = pulled(async |to| local.run(&["pull", "--event", to]).await).await;
    let beside = pulled(async |to| remote.site.run(&["pull", "--event", to]).await).await;
    let over_http = pulled(async |to| remote.run(&["pull", "--event", to]).await).await;
    assert!(over_http.contains_key("event.toml"), "{:?}", over_http.keys());
    assert_eq!(over_http, beside, "both ways read the same event");
    let without_settings = |mut files: BTreeMap<String, Vec<u8>>| {
        files.remove("event.toml");
        files
    };
    let (found, expected) = (without_settings(over_http), without_settings(on_machine));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(found == expected, "the same bytes");
}

/// An event with attachments in several folders, an image, a hint and a schedule.
fn rich() -> EventFolder {
    let event = EventFolder::new();
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";
    event.write("rules.md", "# Rules\n\nAt most {max} points. *Be kind.* \u{1F6A9}\n");
    event.challenge(
        "one",
        "type: standard # ours\nvalue: 100\nfiles: [dist/map.txt, note.txt]\nhints: [look]\n\
         author: somebody",
    );
    event.write("challenges/one/dist/map.txt", "here be dragons");
    event.write("challenges/one/note.txt", "here be dragons");
    event.write(
        "challenges/web/shown/challenge.yml",
        "name: Shown\ncategory: web\ndescription: \"![a map](map.png)\"\nvalue: 20\n\
         type: standard\nflags: [{type: regex, content: 'flag\\{sho+wn\\}'}]\n",
    );
    fs::write(event.file("challenges/web/shown/map.png"), png).unwrap();
    event
}

on_both_engines! {
    async fn files_applied_over_http_are_those_applied_on_the_machine(engine: Engine) {
        let event = rich();
        let local = TestSite::new(engine).await;
        let remote = Remote::new(engine).await;
        let dry = remote.apply(&event, &["--dry-run"]).await;
        assert!(dry.err.contains("[mail]") && dry.err.contains("stay as set on the server"),
            "{dry:?}");
        let dry = dry.ok();
        remote.site.run(&["challenge", "list"]).await.fails("no event has been applied");
        let said = local.apply(&event).await.ok();
        assert_eq!(remote.apply(&event, &[]).await.ok(), said);
        let shown: Vec<&str> = dry.lines().collect();
        assert_eq!(shown.last(), Some(&"nothing was applied"));
        assert!(said.starts_with(&shown[..shown.len() - 1].join("\n")), "{dry}{said}");
        assert_same(&local, &remote).await;
        assert_eq!(remote.apply(&event, &[]).await.ok(), NOTHING);

        // Edits of files, attachments and rules.
        event.write("challenges/one/dist/map.txt", "here be more dragons");
        event.write("rules.md", "# Rules\n\nBe kinder.\n");
        let text = fs::read_to_string(event.file(ONE)).unwrap();
        event.write(ONE, &text.replace("value: 100", "value: 150").replace("somebody", "Ada"));
        event.challenge("four", "type: standard\nvalue: 5\nstate: hidden");
        let said = local.apply(&event).await.ok();
        assert!(said.contains("    rules: ") && said.contains("add four (not vis"), "{said}");
        assert_eq!(remote.apply(&event, &[]).await.ok(), said);
        assert_same(&local, &remote).await;
        let applies = remote.applies().await;
        assert_eq!(applies.len(), 2, "{applies:?}");
        assert_eq!(applies[0]["actor"], "Ada");
        let verified = remote.site.run(&["actions", "verify"]).await.ok();
        assert!(verified.ends_with("verified\n"), "{verified}");
        remote.site.run(&["journal", "verify"]).await.ok();
        // A player sees the new attachment.
        let team = remote.server.team(&remote.site.import(1).await[0]).await;
        let (_, body) = team.get("/challenge").await;
        let cards = body["challenges"].as_array().unwrap();
        let one = cards.iter().find(|card| card["id"] == "one").unwrap();
        let link = one["attachments"][0]["link"].as_str().unwrap();
        let text = remote.server.player().text(link).await;
        assert_eq!(text, (200, "here be more dragons".to_owned()));
        team.solves("one").await;
        remote.server.stop().await;
    }

    async fn collections_are_applied_alike(engine: Engine) {
        for name in ["tcp1p-2023", "potluckctf-2023", "lactf-2023-2026"] {
            let Some(from) = shared_data(&format!("challenges/{name}")) else { return };
            let event = EventFolder::new();
            fs::remove_dir_all(event.file("challenges")).unwrap();
            copy_folder(&from, &event.file("challenges")).unwrap();
            let local = TestSite::new(engine).await;
            let remote = Remote::new(engine).await;
            let said = local.apply(&event).await.ok();
            assert_eq!(remote.apply(&event, &[]).await.ok(), said, "{name}");
            assert_same(&local, &remote).await;
            let again = remote.apply(&event, &[]).await.ok();
            assert!(again.ends_with(NOTHING), "{name}: {again}");
            remote.server.stop().await;
        }
    }

    async fn a_live_edit_is_a_conflict_until_a_side_is_chosen(engine: Engine) {
        let event = rich();
        let remote = Remote::with(engine, &event).await;
        remote.edit(json!({"value": 200})).await;
        let text = fs::read_to_string(event.file(ONE)).unwrap();
        event.write(ONE, &text.replace("look", "look twice"));
        let before = remote.challenges().await;
        let done = remote.apply(&event, &[]).await;
        assert!(done.out.contains("one: edited live by Ada at "), "{done:?}");
        done.fails("nothing was applied: one: edited live by Ada at ");
        let dry = remote.apply(&event, &["--dry-run"]).await.ok();
        assert!(dry.contains("would be rejected: one: edited live"), "{dry}");
        assert_eq!(remote.challenges().await, before);
        assert_eq!(remote.apply(&event, &["--take", "live"]).await.ok(), {
            let lines: Vec<&str> = dry.lines().take(1).collect();
            format!("{}\n{NOTHING}", lines.join("\n"))
        });
        // `pull` merges both sides, and the same file is then accepted.
        let pull = ["pull", "--event", event.dir()];
        let said = remote.run(&[&pull[..], &["--dry-run"]].concat()).await.ok();
        assert_eq!(said, format!("{ONE}: changed\nnothing was written\n"));
        let copy = TempDir::new().unwrap();
        copy_folder(event.path(), copy.path()).unwrap();
        assert_eq!(remote.run(&pull).await.ok(), format!("{ONE}: changed\n"));
        let copied = ["pull", "--event", copy.path().to_str().unwrap()];
        assert_eq!(remote.site.run(&copied).await.ok(), format!("{ONE}: changed\n"));
        assert!(files(event.path()) == files(copy.path()), "as on the machine");
        let merged = fs::read_to_string(event.file(ONE)).unwrap();
        assert_eq!(merged, text.replace("look", "look twice").replace("value: 100", "value: 200"));
        remote.apply(&event, &[]).await.ok();
        // The files win.
        remote.edit(json!({"value": 300})).await;
        let said = remote.apply(&event, &["--take", "files"]).await.ok();
        assert!(said.contains("points: 300 → 200"), "{said}");
        assert_eq!(remote.apply(&event, &[]).await.ok(), NOTHING);
        remote.server.stop().await;
    }

    async fn an_attachment_that_was_edited_live_is_pulled(engine: Engine) {
        let event = rich();
        let remote = Remote::with(engine, &event).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let sent = http.post(format!("{}/api/organize/files", remote.server.url));
        let sent = sent.header("x-api-key", &remote.token).body("a better map");
        let sent = sent.header("content-type", "application/octet-stream").send().await.unwrap();
        let uploaded: Value = sent.json().await.unwrap();
        let file = json!({"name": "dist/map.txt", "digest": uploaded["digest"]});
        remote.edit(json!({"files": [file, "note.txt"]})).await;
        let said = remote.run(&["pull", "--event", event.dir()]).await.ok();
        assert!(said.contains("challenges/one/dist/map.txt: changed\n"), "{said}");
        let map = fs::read_to_string(event.file("challenges/one/dist/map.txt")).unwrap();
        assert_eq!(map, "a better map");
        assert_eq!(remote.apply(&event, &[]).await.ok(), NOTHING);
        let said = remote.run(&["pull", "--event", event.dir()]).await.ok();
        assert_eq!(said, "the files already contain all live edits\n");
        remote.server.stop().await;
    }

    async fn a_destructive_change_needs_its_number(engine: Engine) {
        let event = EventFolder::new();
        let remote = Remote::with(engine, &event).await;
        fs::remove_dir_all(event.file("challenges/three")).unwrap();
        event.challenge("spare", "type: standard\nvalue: 10");
        let words = "nothing was applied: 1 change is destructive; add `--confirm 1` to apply them";
        let before = remote.challenges().await;
        for more in [&[][..], &["--confirm", "2"]] {
            remote.apply(&event, more).await.fails(words);
        }
        let dry = remote.apply(&event, &["--dry-run"]).await.ok();
        assert!(dry.ends_with(&format!("\n{words}\n")), "{dry}");
        assert_eq!(remote.challenges().await, before, "all or nothing");
        let said = remote.apply(&event, &["--confirm", "1"]).await.ok();
        assert!(said.ends_with("\n2 changes applied\n"), "{said}");
        remote.server.stop().await;
    }

    async fn a_change_that_needs_the_second_factor_rejects_everything(engine: Engine) {
        let event = EventFolder::new();
        let remote = Remote::with(engine, &event).await;
        let before = remote.challenges().await;
        event.set_times(Times { end: 60_000, ..Times::RUNNING }, "auto");
        event.challenge("spare", "type: standard\nvalue: 10");
        let done = remote.apply(&event, &[]).await;
        done.fails("nothing was applied: the change of the event's times");
        done.fails("factor_needed");
        let dry = remote.apply(&event, &["--dry-run"]).await.ok();
        assert!(dry.contains("would be rejected: the change of the event's times"), "{dry}");
        event.set_times(Times { start: 1_800_000, ..Times::RUNNING }, "auto");
        remote.apply(&event, &["--confirm", "1"]).await.fails("factor_needed");
        assert_eq!(remote.challenges().await, before, "the challenge was not applied either");
        assert_eq!(remote.applies().await.len(), 1);
        // A later end takes nothing from players.
        event.set_times(Times { end: 7_200_000, ..Times::RUNNING }, "auto");
        let said = remote.apply(&event, &[]).await.ok();
        assert!(said.ends_with("\n2 changes applied\n"), "{said}");
        remote.server.stop().await;
    }

    async fn only_tokens_of_organizers_and_owners_apply(engine: Engine) {
        let event = EventFolder::new();
        let remote = Remote::with(engine, &event).await;
        event.challenge("spare", "type: standard\nvalue: 10");
        let apply = ["apply", "--event", event.dir()];
        let pull = ["pull", "--event", event.dir()];
        let before = remote.challenges().await;
        for role in ["support", "observer"] {
            let token = organizer_token(&remote.site, role, role).await;
            for words in [&apply, &pull] {
                let done = remote.run_at(&remote.server.url, &token, words).await;
                done.fails("the token needs the role organizer or owner");
                assert!(!format!("{done:?}").contains(&token), "{done:?}");
            }
        }
        let unknown = format!("fso_{}", "A".repeat(43));
        let team = remote.site.import(1).await.remove(0);
        for (token, words) in [
            (unknown.as_str(), "the server rejected FLAGSHIP_TOKEN"),
            (team.as_str(), "FLAGSHIP_TOKEN is not an organizer's API token (fso_...)"),
            ("", "set FLAGSHIP_TOKEN to an API token"),
        ] {
            let done = remote.run_at(&remote.server.url, token, &apply).await;
            done.fails(words);
            assert!(token.is_empty() || !format!("{done:?}").contains(token), "{done:?}");
        }
        assert_eq!(remote.challenges().await, before);
        let owner = organizer_token(&remote.site, "Grace", "owner").await;
        remote.run_at(&remote.server.url, &owner, &apply).await.ok();
        let log = remote.server.err().join("\n");
        assert!(!log.contains(&owner) && !log.contains(&remote.token), "{log}");
        assert!(!log.contains("flag{"), "{log}");
        remote.server.stop().await;
    }

    async fn nothing_is_applied_without_its_attachments(engine: Engine) {
        let remote = Remote::with(engine, &EventFolder::new()).await;
        let before = remote.challenges().await;
        let digest = "ab".repeat(32);
        let text = "name: New\ncategory: x\ndescription: d\nflags: [a]\nvalue: 1\n\
                    type: standard\nfiles: [map.txt]\n";
        let file = json!({"name": "map.txt", "digest": digest, "bytes": 3});
        let event = fs::read_to_string(EventFolder::new().file("event.toml")).unwrap();
        let challenge =
            json!({"path": "challenges/new/challenge.yml", "text": text, "files": [file]});
        let body = |challenge: &Value| {
            let files = json!({"event": event, "rules": "", "challenges": [challenge]});
            json!({"files": files, "confirm": 3})
        };
        let (status, answer) = remote.ada().post("/organize/apply", &body(&challenge)).await;
        assert_eq!((status, &answer["outcome"]), (200, &json!("files_missing")), "{answer}");
        assert_eq!(answer["missing"], json!([digest]));
        // Errors that only the server finds.
        for (key, value) in [
            ("path", json!("challenges/../../new/challenge.yml")),
            ("text", json!("name: [")),
            ("text", json!(text.replace("map.txt", "../map.txt"))),
        ] {
            let mut wrong = challenge.clone();
            wrong[key] = value;
            let (status, answer) = remote.ada().post("/organize/apply", &body(&wrong)).await;
            assert_eq!((status, &answer["outcome"]), (200, &json!("rejected")), "{answer}");
            let message = answer["message"].as_str().unwrap();
            assert!(message.starts_with("nothing was applied: the server found errors: "));
        }
        let (status, answer) = remote.ada().post("/organize/apply", &json!({"files": 1})).await;
        assert_eq!((status, &answer["code"]), (422, &json!("field_invalid")));
        assert_eq!(remote.challenges().await, before, "nothing was applied");
        assert_eq!(remote.applies().await.len(), 1);
        remote.server.stop().await;
    }

    async fn a_lost_connection_applies_everything_once_or_nothing(engine: Engine) {
        let event = rich();
        let remote = Remote::with(engine, &event).await;
        let before = remote.challenges().await;
        let text = fs::read_to_string(event.file(ONE)).unwrap();
        event.write(ONE, &text.replace("value: 100", "value: 150"));
        event.challenge("four", "type: standard\nvalue: 5");
        // The connection ends in the middle of the request.
        let cut = proxy(&remote.server, Cut::Request).await;
        let apply = ["apply", "--event", event.dir()];
        assert_eq!(remote.run_at(&cut, &remote.token, &apply).await.code, Some(1));
        assert_eq!(remote.challenges().await, before);
        // The answer is lost.
        let cut = proxy(&remote.server, Cut::Answer).await;
        let done = remote.run_at(&cut, &remote.token, &apply).await;
        done.fails("the answer was lost, so the files may have been applied; run the command");
        until("the change is applied", async || remote.applies().await.len() == 2).await;
        assert_ne!(remote.challenges().await, before);
        assert_eq!(remote.apply(&event, &[]).await.ok(), NOTHING);
        assert_eq!(remote.applies().await.len(), 2, "applied once");
        remote.server.stop().await;
    }
}

/// Point at which a proxy cuts the connection.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// After the first part of the request.
    Request,
    /// Before the answer.
    Answer,
}

/// Starts a proxy for one connection to a server; returns its URL.
async fn proxy(server: &Server, cut: Cut) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let target = server.url.strip_prefix("http://").unwrap().to_owned();
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut upstream = TcpStream::connect(target).await.unwrap();
        if cut == Cut::Request {
            let mut part = [0; 600];
            client.read_exact(&mut part).await.unwrap();
            upstream.write_all(&part).await.unwrap();
            return;
        }
        let (mut request, _write) = client.split();
        let (mut answer, mut sent) = upstream.split();
        let mut first = [0];
        tokio::select! {
            _ = tokio::io::copy(&mut request, &mut sent) => {}
            _ = answer.read(&mut first) => {}
        }
    });
    url
}

#[tokio::test]
async fn plain_http_to_another_machine_is_refused_before_anything_is_sent() {
    let event = EventFolder::new();
    for url in ["http://192.0.2.1", "http://ctf.example.org", "http://127.0.0.1.example.org"] {
        for command in ["apply", "pull"] {
            let mut words = program(&[command, "--event", event.dir(), "--server", url]);
            words.env("FLAGSHIP_TOKEN", format!("fso_{}", "A".repeat(43)));
            run(words).await.fails("--server must start with https://");
        }
    }
}

#[tokio::test]
async fn the_token_follows_no_redirect() {
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let elsewhere = format!("http://{}", other.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut head = [0; 4096];
        assert!(client.read(&mut head).await.unwrap() > 0);
        let answer = format!(
            "HTTP/1.1 307 Moved\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        );
        client.write_all(answer.as_bytes()).await.unwrap();
    });
    let event = EventFolder::new();
    let mut words = program(&["pull", "--event", event.dir(), "--server", &url]);
    words.env("FLAGSHIP_TOKEN", format!("fso_{}", "A".repeat(43)));
    run(words).await.fails("the server answered 307");
    let connected = tokio::select! {
        biased;
        _ = other.accept() => true,
        () = std::future::ready(()) => false,
    };
    assert!(!connected, "the other host received a request");
}
