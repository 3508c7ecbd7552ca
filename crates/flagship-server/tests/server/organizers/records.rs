//! The audit log of changes to organizers, which only owners see.

use flagship_store::actions;
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Socket, TestApp, on_both_engines};
use serde_json::{Value, json};

use super::{get_in, is, post_in};

/// Listed actions on organizers, newest first.
async fn listed(app: &TestApp, session: &str) -> Vec<Value> {
    let all = get_in(app, session, "/actions").await.json();
    let all = all["actions"].as_array().expect("a list").clone();
    let is_about = |it: &Value| it["action"].as_str().is_some_and(|it| it.starts_with("organizer"));
    all.into_iter().filter(is_about).collect()
}

fn sentences(of: &[Value]) -> Vec<&str> {
    of.iter().map(|it| it["sentence"].as_str().expect("a sentence")).collect()
}

/// A session of a new organizer with one role.
async fn session(app: &TestApp, name: &str, role: Role) -> String {
    let organizer = app.organizer(name, &[role]).await;
    app.organizer_session(&organizer, true).await
}

/// The organizers' live channel after its first hint, which names all lists.
async fn watching(app: &TestApp, session: &str) -> Socket {
    let mut socket = Socket::of_session(app, session, "").await;
    assert_eq!(socket.next().await["event"], "changed");
    socket
}

fn names(message: &Value, list: &str) -> bool {
    message["lists"].as_array().is_some_and(|lists| lists.contains(&json!(list)))
}

on_both_engines! {
    async fn changes_of_organizers_are_in_the_audit_log_of_owners(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let owner = session(&app, "Ada", Role::Owner).await;
        session(&app, "Bob", Role::Support).await;
        let mut socket = watching(&app, &owner).await;
        let mut links = Vec::new();
        let author = json!({"name": "Bob", "roles": ["support", "author"],
            "challenges": ["one", "two"]});
        for (path, body) in [
            ("add", json!({"name": "Eve", "roles": ["organizer"]})),
            ("role", author),
            ("role", json!({"name": "bob", "roles": ["owner"]})),
            ("reset", json!({"name": "Bob"})),
            ("remove", json!({"name": "Eve"})),
        ] {
            let done = post_in(&app, &owner, &format!("/organizers/{path}"), &body).await;
            assert_eq!(done.status, 200, "{path}: {}", done.text());
            links.extend(done.json()["link"].as_str().map(str::to_owned));
        }
        socket.until_so(|it| names(it, "actions")).await;
        is(&post_in(&app, &owner, "/organizers/remove", &json!({"name": "Ada"})).await, 409,
            "last_owner");
        let all = listed(&app, &owner).await;
        let expected = [
            "Ada removed \"Eve\" from the organizers.",
            "Ada reset the access of \"Bob\".",
            "Ada set the roles of \"Bob\" to owner (previously support, author of one, two).",
            "Ada set the roles of \"Bob\" to support, author of one, two (previously support).",
            "Ada invited \"Eve\" as organizer.",
            "The command line invited \"Bob\" as support.",
            "The command line invited \"Ada\" as owner.",
        ];
        assert_eq!(sentences(&all), expected, "what is refused is not recorded");
        let rights = json!({"roles": ["author", "support"], "challenges": ["one", "two"]});
        let before = json!({"roles": ["support"], "challenges": []});
        let given = &all[3]["arguments"];
        assert_eq!((&given["organizer"], &given["before"]), (&json!("Bob"), &before));
        assert_eq!((&given["roles"], &given["challenges"]),
            (&rights["roles"], &rights["challenges"]));
        assert_eq!(all[2]["arguments"]["before"], rights);
        let removed = json!({"roles": ["organizer"], "challenges": []});
        assert_eq!(all[0]["arguments"], json!({"organizer": "Eve", "before": removed}));
        let text = get_in(&app, &owner, "/actions").await.text();
        let tokens: Vec<&str> = links.iter().filter_map(|it| it.split('#').nth(1)).collect();
        assert_eq!(tokens.len(), 2, "of the invitation and of the reset");
        assert!(tokens.iter().all(|token| !text.contains(token)), "no token is recorded");

        for record in &all[..5] {
            let undo = format!("/actions/{}/undo", record["id"]);
            let undone = post_in(&app, &owner, &undo, &json!({"reason": "a mistake"})).await;
            is(&undone, 409, "undo_impossible");
        }
        let erase = json!({"confirm": event().name, "beforeEnd": true});
        assert_eq!(post_in(&app, &owner, "/privacy/erase", &erase).await.status, 200);
        assert_eq!(listed(&app, &owner).await, all, "an erasure is about teams");
        let verified = actions::verify(&app.test.db, &app.app.seal()).await;
        assert!(verified.is_ok(), "the chain holds: {verified:?}");
    }

    async fn only_owners_see_changes_of_organizers(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let owner = session(&app, "Ada", Role::Owner).await;
        let runner = session(&app, "Rita", Role::Organizer).await;
        let helper = session(&app, "Bob", Role::Support).await;
        let other = session(&app, "Cyd", Role::Support).await;
        let mut socket = watching(&app, &other).await;
        for (path, body) in [
            ("add", json!({"name": "Eve", "roles": ["organizer"]})),
            ("role", json!({"name": "Bob", "roles": ["support", "observer"]})),
            ("reset", json!({"name": "Eve"})),
            ("remove", json!({"name": "Eve"})),
        ] {
            let done = post_in(&app, &owner, &format!("/organizers/{path}"), &body).await;
            assert_eq!(done.status, 200, "{path}: {}", done.text());
        }
        let all = listed(&app, &owner).await;
        assert_eq!(all.len(), 4 + 4, "{all:?}");
        for (name, session) in [("Rita", &runner), ("Bob", &helper), ("Cyd", &other)] {
            assert_eq!(listed(&app, session).await, Vec::<Value>::new(), "{name}");
            let text = get_in(&app, session, "/actions").await.text();
            assert!(!text.contains("Eve"), "{name}: {text}");
            let unknown = post_in(&app, session, "/actions/0/undo", &json!({"reason": "x"})).await;
            for record in &all {
                let undo = format!("/actions/{}/undo", record["id"]);
                let undone = post_in(&app, session, &undo, &json!({"reason": "x"})).await;
                assert_eq!((undone.status, undone.text()), (404, unknown.text()), "{name}");
            }
        }
        app.team("The Marker").await;
        let told = socket.until_so(|it| names(it, "teams")).await;
        assert!(!told.iter().any(|it| names(it, "actions")), "not for the support role: {told:?}");
    }
}
