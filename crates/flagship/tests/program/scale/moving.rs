//! The commands of docs/scale.md move an event from SQLite to PostgreSQL, where two nodes serve it.

use flagship_testkit::Engine;
use tokio::process::Command;

use crate::event::EventFolder;
use crate::operate::root;
use crate::process::{TestSite, program, run};

/// The commands of the page that move an event, as root.
fn commands() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/scale.md")).unwrap();
    let block = page.split("```sh\n").find(|block| block.contains("flagship restore"));
    let (block, _) = block.and_then(|block| block.split_once("```")).expect("the page has it");
    // The test runs the server itself.
    let lines = block.lines().filter(|line| !line.starts_with("systemctl "));
    lines.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_moves_from_sqlite_to_two_nodes_on_postgresql() {
    let old = TestSite::new(Engine::Sqlite).await;
    let mut new = TestSite::bare(Engine::Postgres).await;
    let event = EventFolder::new();
    event.write("challenges/one/dist/hint.txt", "It is not three.\n");
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/hint.txt]");
    let server = old.serve(&event).await;
    let tokens = old.import(2).await;
    server.team(&tokens[0]).await.solves("one").await;
    server.stop().await;

    // The folders of the page are in a temporary folder, where no user has to be changed.
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let copied = Command::new("cp").arg("-a").arg(old.data()).arg(at("flagship")).status().await;
    assert!(copied.unwrap().success());
    let url = new.test.url.clone().unwrap();
    let binary = program(&[]).as_std().get_program().to_str().unwrap().to_owned();
    let mut count = 0;
    for line in commands() {
        let line = line
            .replace("sudo -u flagship flagship", &binary)
            .replace("/var/lib", &folder.path().display().to_string())
            .replace(" -o flagship -g flagship", "")
            .replace("postgres://flagship:PASSWORD@db.example.org/flagship", &url);
        let mut shell = Command::new("sh");
        shell.args(["-ec", &line]).kill_on_drop(true);
        run(shell).await.ok();
        count += 1;
    }
    assert_eq!(count, 5, "create a folder, backup, move, create a folder, restore");

    let data = tempfile::tempdir().unwrap();
    // The other machine has only a copy of the secret.
    std::fs::copy(at("flagship/secret"), data.path().join("secret")).unwrap();
    let mut nodes = Vec::new();
    for folder in [at("flagship"), data.path().display().to_string()] {
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let mut serve = program(&words);
        serve.args(["--data", &folder, "--database", &url]);
        nodes.push(crate::process::Server::start(serve).await);
    }
    for node in &nodes {
        let team = node.team(&tokens[0]).await;
        let board = team.board().await;
        assert_eq!(board["Team 1"].solves.keys().collect::<Vec<_>>(), ["one"]);
        let (_, cards) = team.get("/challenge").await;
        let mut cards = cards["challenges"].as_array().unwrap().iter();
        let one = cards.find(|card| card["id"] == "one").unwrap();
        let link = one["attachments"][0]["link"].as_str().unwrap();
        assert_eq!(team.text(link).await, (200, "It is not three.\n".to_owned()));
    }
    nodes[1].team(&tokens[1]).await.solves("one").await;
    for node in nodes {
        node.stop().await;
    }
    new.test.data = data;
    new.run(&["journal", "verify"]).await.ok();
}
