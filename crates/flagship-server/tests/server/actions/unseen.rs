//! Challenges that players cannot see: notices and status changes reveal nothing about them to the
//! support role or to authors of other challenges.

use flagship_store::organizers::{self, Changer, Rights, Role};
use flagship_testkit::player::{challenge_id, draft, event};
use flagship_testkit::{TestApp, commands, on_both_engines};
use serde_json::{Value, json};

use super::event::{MINUTE_MS, done, iso};
use super::{get, is, post, session_of};

/// An event with one visible and one hidden challenge.
async fn with_a_secret(engine: flagship_testkit::Engine) -> TestApp {
    let app = TestApp::playing(engine, event(), vec![draft("one"), draft("secret")]).await;
    app.run(commands::show("secret", false)).await;
    app.fresh_board().await;
    app
}

async fn author_of(app: &TestApp, name: &str, id: &str) -> String {
    let author = app.author(name, &[id]).await;
    app.organizer_session(&author, true).await
}

/// A support organizer who is also the author of a challenge.
async fn helping_author_of(app: &TestApp, id: &str) -> String {
    let helper = app.organizer("A Helping Author", &[Role::Support]).await;
    let roles = [Role::Author, Role::Support].into();
    let rights = Rights { roles, challenges: [challenge_id(id)].into() };
    let db = &app.test.db;
    let seal = app.app.seal();
    let by = Changer::CommandLine(&seal);
    let now_ms = app.now_ms();
    let set = organizers::set_rights(db, by, &helper.name, &rights, now_ms).await;
    set.expect("it is written").expect("it is there");
    app.organizer_session(&helper, true).await
}

/// The challenge of each notice in a list, by the notice's title.
fn about(list: &Value) -> Vec<String> {
    let notices = list["notices"].as_array().expect("a list").iter();
    let mut all: Vec<String> =
        notices.map(|it| format!("{} {}", it["title"], it["challengeId"])).collect();
    all.sort();
    all
}

on_both_engines! {
    async fn a_notice_does_not_name_a_challenge_that_is_hidden(engine: Engine) {
        let app = with_a_secret(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let support = session_of(&app, Role::Support).await;
        let other = author_of(&app, "Ann", "one").await;
        let own = author_of(&app, "Bob", "secret").await;
        let at = iso(app.now_ms() + 30 * MINUTE_MS);
        for (title, id) in [("A", "one"), ("B", "secret")] {
            let notice = json!({"title": title, "text": "x", "challenge": id, "at": at});
            done(&app, &organizer, "notice.post", notice).await;
        }
        let words = "the id of a hidden challenge";
        let hidden = [r#""A" "one""#, r#""B" null"#];
        let all = [r#""A" "one""#, r#""B" "secret""#];
        for (session, expected) in
            [(&support, hidden), (&other, hidden), (&own, all), (&organizer, all)]
        {
            assert_eq!(about(&get(&app, session, "/notices").await), expected, "{words}");
        }
        app.run(commands::show("secret", true)).await;
        app.fresh_board().await;
        assert_eq!(about(&get(&app, &support, "/notices").await), all, "players see it");
    }

    async fn a_helper_learns_nothing_of_a_hidden_challenge_by_its_status(engine: Engine) {
        let app = with_a_secret(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let support = session_of(&app, Role::Support).await;
        let own = author_of(&app, "Bob", "secret").await;
        let both = helping_author_of(&app, "secret").await;
        let broken = json!({"challenge": "secret", "status": "broken", "note": "the canary"});
        let said = done(&app, &own, "challenge.status", broken).await;
        let words = "a hidden challenge is known by its status";
        for (session, sees) in [(&support, false), (&both, true), (&organizer, true)] {
            let actions = get(&app, session, "/actions").await.to_string();
            assert_eq!(actions.contains("the canary"), sees, "{words}: {actions}");
        }
        let preview = async |session: &str, id: &str| {
            let body = json!({"action": "challenge.status", "challenge": id, "status": "fixed",
                "note": "", "preview": true});
            post(&app, session, "/actions", &body).await
        };
        let nowhere = preview(&support, "none").await;
        let unseen = preview(&support, "secret").await;
        is(&unseen, 404, "challenge_not_found");
        assert_eq!((nowhere.status, nowhere.text()), (unseen.status, unseen.text()));
        for session in [&own, &both, &organizer] {
            assert_eq!(preview(session, "secret").await.status, 200);
        }
        let path = format!("/actions/{}/undo", said["id"]);
        is(&post(&app, &support, &path, &json!({"reason": "x"})).await, 404, "not_found");
        app.run(commands::show("secret", true)).await;
        app.fresh_board().await;
        assert_eq!(preview(&support, "secret").await.status, 200);
        let actions = get(&app, &support, "/actions").await.to_string();
        assert!(actions.contains("the canary"), "players see it: {actions}");
    }
}
