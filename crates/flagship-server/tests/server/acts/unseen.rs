//! Challenges that players do not see: helpers and authors of others learn nothing of them by
//! notices.

use flagship_control::control;
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Socket, TestApp, commands, on_both_engines};
use serde_json::{Value, json};

use super::event::{MINUTE_MS, done, iso};
use super::{get, session_of};

/// An event with a challenge that players see and one that they do not.
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

/// The challenges of the notices in a list, by title.
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
        let leaks = control("a_notice_does_not_name_a_challenge_that_is_hidden", words);
        let helper = if leaks { &organizer } else { &support };
        let hidden = [r#""A" "one""#, r#""B" null"#];
        let all = [r#""A" "one""#, r#""B" "secret""#];
        for (session, expected) in
            [(helper, hidden), (&other, hidden), (&own, all), (&organizer, all)]
        {
            assert_eq!(about(&get(&app, session, "/notices").await), expected, "{words}");
            let mut socket = Socket::of_session(&app, session, "").await;
            let state = socket.until("state").await.pop().expect("everything");
            assert_eq!(about(&state), expected, "{words}: {state}");
        }
        app.run(commands::show("secret", true)).await;
        app.fresh_board().await;
        assert_eq!(about(&get(&app, &support, "/notices").await), all, "players see it");
    }
}
