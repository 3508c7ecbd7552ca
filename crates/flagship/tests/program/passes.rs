//! `flagship pass`, and attachments with per-team flags from the event folder to the download.

use data_encoding::HEXLOWER;
use flagship_store::key::code_of_handle;
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::player::Player;
use crate::process::TestSite;

fn vault() -> EventFolder {
    let event = EventFolder::new();
    let text = "name: Vault\nid: vault\ncategory: misc\ndescription: x\ntype: standard\nvalue: 1\n\
        connection_info: 'nc vault.example 1337 {{team_pass}}'\n\
        flags: [{type: team, content: 'flag{vault_[TEAM]}'}]\n\
        files: [{path: dist/notes.txt, per_team: true}]\n";
    event.write("challenges/vault/challenge.yml", text);
    event.write("challenges/vault/dist/notes.txt", "Ahoy! {{team_flag}}\n");
    event
}

async fn card(team: &Player) -> Value {
    let (_, list) = team.get("/challenge").await;
    let cards = list["challenges"].as_array().expect("a list").clone();
    cards.into_iter().find(|card| card["id"] == "vault").expect("it is in the list")
}

async fn pass(team: &Player) -> String {
    let card = card(team).await;
    let connection = card["connection"].as_str().expect("a text");
    connection.rsplit(' ').next().expect("it has words").to_owned()
}

async fn verified(site: &TestSite, pass: &str) -> Value {
    let said = site.run(&["pass", "verify", pass, "--json"]).await.ok();
    let rows: Value = serde_json::from_str(&said).expect("it is JSON");
    rows[0].clone()
}

on_both_engines! {
    async fn a_pass_is_verified_whatever_happens_to_its_team(engine: Engine) {
        let site = TestSite::new(engine).await;
        let server = site.serve(&vault()).await;
        let tokens = site.import(2).await;
        let (one, two) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
        let (first, second) = (pass(&one).await, pass(&two).await);
        for (text, team) in [(&first, "Team 1"), (&second, "Team 2")] {
            let row = json!({"team": team, "challenge": "vault", "state": "plays"});
            assert_eq!(verified(&site, text).await, row);
        }
        let table = site.run(&["pass", "verify", &format!(" {first}\n")]).await.ok();
        assert!(table.contains("Team 1") && table.contains("vault"), "{table}");
        for invalid in [&first[..first.len() - 1], "fp1.x.y", "", &first.replace("fp1", "fp2")] {
            site.run(&["pass", "verify", invalid]).await.fails("this is not a valid pass");
        }
        site.run(&["team", "rename", "Team 1", "Otters"]).await.ok();
        assert_eq!(verified(&site, &first).await["team"], "Otters");
        site.run(&["team", "ban", "Otters"]).await.ok();
        assert_eq!(verified(&site, &first).await["state"], "banned");
        site.run(&["team", "unban", "Otters"]).await.ok();
        assert_eq!(verified(&site, &first).await["state"], "plays");
        server.stop().await;
    }

    async fn the_printed_secret_gives_the_flags_of_teams(engine: Engine) {
        let site = TestSite::new(engine).await;
        let server = site.serve(&vault()).await;
        let tokens = site.import(2).await;
        let (one, two) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
        let said = site.run(&["pass", "secret", "vault"]).await.ok();
        let secret = HEXLOWER.decode(said.trim_end().as_bytes()).expect("hex digits");
        let secret: [u8; 32] = secret.try_into().expect("64 of them");
        assert_ne!(site.run(&["pass", "secret", "one"]).await.ok(), said);
        site.run(&["pass", "secret", "none"]).await.fails("none");
        site.run(&["pass", "secret", "no id"]).await.is_wrong_usage();

        let of = async |team: &Player| {
            let pass = pass(team).await;
            let handle = pass.split('.').nth(1).expect("a handle").to_owned();
            format!("flag{{vault_{}}}", code_of_handle(&secret, &handle))
        };
        let (own, other) = (of(&one).await, of(&two).await);
        let listed = card(&one).await["attachments"][0].clone();
        let (status, text) = one.text(listed["link"].as_str().expect("a link")).await;
        assert_eq!((status, text), (200, format!("Ahoy! {own}\n")), "the copy has the same flag");
        let solve = async |flag: &str| {
            one.post("/solve", &json!({"challengeId": "vault", "flag": flag})).await.1
        };
        assert_eq!(solve(&other).await["correct"], false);
        assert_eq!(solve(&own).await["correct"], true);
        server.stop().await;
    }

    async fn copies_survive_apply_and_pull(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = vault();
        let server = site.serve(&event).await;
        let tokens = site.import(1).await;
        let team = server.team(&tokens[0]).await;
        let before = card(&team).await["attachments"][0]["sha256"].clone();
        event.write("challenges/vault/dist/notes.txt", "Changed: {{team_flag}}\n");
        site.apply(&event).await.ok();
        let mut after = before.clone();
        crate::until("the new file is listed", async || {
            after = card(&team).await["attachments"][0]["sha256"].clone();
            after != before
        })
        .await;
        let link = card(&team).await["attachments"][0]["link"].as_str().unwrap().to_owned();
        assert!(team.text(&link).await.1.starts_with("Changed: flag{vault_"));
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("pulled");
        let to = to.to_str().expect("a plain path");
        site.run(&["pull", "--event", to]).await.ok();
        let pulled = |path: &str| std::fs::read_to_string(format!("{to}/challenges/{path}"));
        let text = pulled("vault/challenge.yml").expect("it is written");
        assert!(text.contains("per_team: true"), "{text}");
        let notes = pulled("vault/dist/notes.txt").expect("it is written");
        assert_eq!(notes, "Changed: {{team_flag}}\n", "the original, not a copy");
        server.stop().await;
    }
}
