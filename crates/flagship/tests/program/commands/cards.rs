//! `flagship team cards` writes a sheet of join cards and prints none of their secrets.

use std::os::unix::fs::PermissionsExt;

use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::event::EventFolder;
use crate::process::TestSite;

const PASSWORD: &str = "correct horse battery";

/// The tokens of the links on a sheet, each once.
fn tokens(sheet: &str) -> Vec<String> {
    let links = sheet.split("href=\"").skip(1).filter_map(|it| it.split('"').next());
    links.filter_map(|link| link.split_once("/join#")).map(|(_, token)| token.to_owned()).collect()
}

on_both_engines! {
    async fn cards_are_made_for_all_teams_or_for_one(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let path = |name: &str| site.file(name).to_str().unwrap().to_owned();
        let cards = async |words: &[&str]| site.run(&[&["team", "cards"], words].concat()).await;
        let none = path("none.html");
        cards(&["--out", &none]).await.fails("there is no confirmed team");
        site.import_csv("name,email\nAnts,a@example.org\nBees,b@example.org\n").await;
        let all = path("all.html");
        let done = cards(&["--out", &all, "--reason", "for the desk"]).await;
        let shown = done.err.clone();
        let said = done.ok();
        assert_eq!(said, format!("2 cards in `{all}`; earlier cards of these teams are void\n"));
        let mode = std::fs::metadata(&all).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the sheet is readable by its owner only");
        let sheet = std::fs::read_to_string(&all).unwrap();
        let first = tokens(&sheet);
        assert_eq!(first.len(), 2);
        assert!(sheet.contains(&format!("{}/join#{}", server.url, first[0])));
        for token in &first {
            assert!(!said.contains(token) && !shown.contains(token), "the terminal shows it");
        }
        cards(&["--out", &all]).await.fails("already exists");
        let one = path("one.html");
        let said = cards(&["--out", &one, "--team", "Bees"]).await.ok();
        assert_eq!(said, format!("1 card in `{one}`; earlier cards of this team are void\n"));
        let second = tokens(&std::fs::read_to_string(&one).unwrap());
        let player = server.player();
        let join = async |token: &str| {
            player.post("/join", &json!({"token": token, "password": PASSWORD})).await.0
        };
        assert_eq!(join(&first[1]).await, 410, "the card of Bees is void");
        assert_eq!(join(&second[0]).await, 200);
        assert_eq!(join(&second[0]).await, 410, "it works once");
        assert_eq!(player.log_in("Bees", PASSWORD).await.0, 200);
        assert_eq!(join(&first[0]).await, 200, "the card of Ants is valid");
        cards(&["--out", &none, "--team", "Beees"]).await.fails("did you mean \"Bees\"?");
        cards(&["--out", "/nowhere/cards.html"]).await.fails("no cards were made");
        let log = site.run(&["actions", "--json"]).await.ok();
        for expected in ["made join cards for 2 teams", "made a join card for", "for the desk"] {
            assert!(log.contains(expected), "{log}");
        }
        for token in first.iter().chain(&second) {
            assert!(!log.contains(token.as_str()), "the audit log contains it");
        }
        server.stop().await;
    }
}
