//! Checks of the running event.

use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, TestApp, on_both_engines};
use serde_json::Value;

use super::get;
use crate::actions::session_of;

/// Codes of the results whose state is `problem`.
fn problems(checks: &Value) -> Vec<&str> {
    let checks = checks["checks"].as_array().expect("a list").iter();
    let problems = checks.filter(|check| check["state"] == "problem");
    problems.map(|check| check["code"].as_str().expect("a code")).collect()
}

on_both_engines! {
    async fn damage_of_the_journal_and_the_audit_log_is_found(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Ants"]).await;
        teams[0].solves("one").await;
        let session = session_of(&app, Role::Organizer).await;
        let before = get(&app, &session, "/checks").await;
        let found = problems(&before);
        assert!(!found.contains(&"journal_altered"), "{before}");
        assert!(!found.contains(&"audit_log_altered"), "{before}");
        app.test.execute("update solves set seq = seq + 1000").await;
        app.test.execute("update actions set hash = 'none'").await;
        let after = get(&app, &session, "/checks").await;
        let found = problems(&after);
        assert!(found.contains(&"journal_altered"), "{after}");
        assert!(found.contains(&"audit_log_altered"), "{after}");
    }

    async fn support_cannot_check_the_event(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let session = session_of(&app, Role::Support).await;
        let reply = Call::organize("GET", "/checks").session(&session).send(&app).await;
        assert_eq!(reply.status, 404);
    }
}
