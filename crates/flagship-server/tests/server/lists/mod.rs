//! Organizer lists of many teams: the pages are complete and contain only what each role may see.

mod challenges;
mod checks;
mod evidence;
mod exports;
mod flags;
mod live;
mod overview;
mod roles;
mod story;
mod team_flags;
mod teams;
mod texts;

use flagship_testkit::{Call, TestApp};
use serde_json::Value;

/// Response to an organizer with a session.
async fn get(app: &TestApp, session: &str, path: &str) -> Value {
    let reply = Call::organize("GET", path).session(session).send(app).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()
}

/// Changes the database as another program would.
async fn execute(app: &TestApp, sql: String) {
    app.test.execute(sql.leak()).await;
}
