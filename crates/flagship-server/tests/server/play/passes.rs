//! Team passes: a challenge's service knows the team, and nothing else follows from a pass.

use flagship_game::Event;
use flagship_game::challenge::PASS_PLACEHOLDER;
use flagship_store::challenges::Draft;
use flagship_store::key::team_pass::PassKey;
use flagship_testkit::player::{HOUR_MS, Team, draft, draft_after, event, key};
use flagship_testkit::{Call, NOW_MS, TestApp, commands, on_both_engines};

fn vault(id: &str) -> Draft {
    with_pass(draft(id))
}

fn with_pass(mut draft: Draft) -> Draft {
    let link = format!("https://vault.example/?pass={PASS_PLACEHOLDER}");
    draft.challenge.description = format!("<p><a href=\"{link}\">Vault</a></p>");
    draft.challenge.connection = Some(format!("nc vault.example 1337 # {PASS_PLACEHOLDER}"));
    draft
}

/// The pass in the connection info of a card, which is also in the link.
async fn pass(team: &Team, id: &str) -> String {
    let card = team.card(id).await.expect("it is in the list");
    let connection = card["connection"].as_str().expect("a text");
    let (_, pass) = connection.split_once("# ").expect("it has a pass");
    let link = format!("<a href=\"https://vault.example/?pass={pass}\">");
    assert!(card["description"].as_str().expect("a text").contains(&link), "{card}");
    pass.to_owned()
}

async fn public(app: &TestApp, id: &str) -> (u16, serde_json::Value) {
    let reply = Call::new("GET", &format!("/api/pass/{id}")).send(app).await;
    (reply.status, reply.json())
}

on_both_engines! {
    async fn each_team_has_a_pass_that_names_it(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![vault("one"), vault("two")]).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        for id in ["one", "two"] {
            let signer = PassKey::new(&key(), id);
            let (status, said) = public(&app, id).await;
            assert_eq!(status, 200);
            assert_eq!(said["publicKey"], signer.public_key());
            assert_eq!(said["eventId"], key().event_id());
            for team in &teams {
                let pass = pass(team, id).await;
                assert_eq!(signer.team_of(&pass), Some(team.id.0));
                assert_eq!(pass, signer.pass(team.id.0), "it is the same each time");
                for stolen in [pass.as_str(), &pass[4..36]] {
                    let call = Call::new("GET", "/api/account").header("x-api-key", stolen);
                    assert_eq!(call.send(&app).await.status, 401, "it authorizes nothing");
                }
            }
        }
    }

    async fn a_challenge_has_no_pass_before_it_is_open(engine: Engine) {
        let hidden = Draft { hidden: true, ..vault("hidden") };
        let drafts = vec![draft("one"), vault("vault"), with_pass(draft_after("deep", &["one"])),
            hidden];
        let soon = Event { start_ms: Some(NOW_MS + 1), freeze_ms: None, ..event() };
        let app = TestApp::playing(engine, soon, drafts).await;
        let team = app.team("Ants").await;
        for id in ["vault", "deep", "hidden", "none", "a%2Fb", "%FF"] {
            assert_eq!(public(&app, id).await.0, 404, "{id} before the start");
        }
        app.advance(1);
        app.settled().await;
        app.fresh_board().await;
        for (id, status) in [("vault", 200), ("deep", 200), ("hidden", 404), ("none", 404)] {
            assert_eq!(public(&app, id).await.0, status, "{id}");
        }
        let card = team.card("deep").await.expect("it is in the list");
        assert!(!card.to_string().contains("fp1."), "a locked challenge shows no pass");
        team.solves("one").await;
        let shown = pass(&team, "deep").await;
        assert_eq!(PassKey::new(&key(), "deep").team_of(&shown), Some(team.id.0));
        app.run(commands::show("vault", false)).await;
        assert_eq!(public(&app, "vault").await.0, 404, "hidden");
    }

    async fn a_renamed_or_banned_team_keeps_its_pass(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![vault("one")]).await;
        let team = app.team("Ants").await;
        let before = pass(&team, "one").await;
        let signer = PassKey::new(&key(), "one");
        app.run(commands::ban("Ants")).await;
        assert_eq!(signer.team_of(&before), Some(team.id.0), "services verify it offline");
        let reply = team.player.get("/challenge").await;
        assert!(!reply.json.to_string().contains("fp1."), "it is not shown: {}", reply.json);
        app.run(commands::unban("Ants")).await;
        let rename = flagship_actions::team::rename::Rename {
            team: "Ants".to_owned(),
            name: "Bees".to_owned(),
            offensive: false,
        };
        app.run(commands::command(rename)).await;
        app.fresh_board().await;
        let player = app.player();
        let renamed = app.log_in(&player, "Bees", team.id).await;
        assert_eq!(pass(&renamed, "one").await, before, "a new name changes nothing");
        app.advance(3 * HOUR_MS);
        app.settled().await;
        assert_eq!(pass(&renamed, "one").await, before, "nor does the end");
    }
}
