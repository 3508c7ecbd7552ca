//! The health and readiness endpoints for monitoring.

use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_game::{Event, Reveal};
use flagship_store::ops::{Op, Plan};
use flagship_store::{Db, Lock};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines, until};
use tokio::time::timeout;

async fn ask(app: &TestApp, path: &str) -> Reply {
    let reply = Call::new("GET", path).send(app).await;
    assert_eq!(reply.header("cache-control"), "no-store", "{path}");
    reply
}

/// Waits until `/readyz` responds with this status and text. The server caches its result for a
/// second.
async fn responds(app: &TestApp, status: u16, piece: &str) {
    until(piece, async || {
        let reply = ask(app, "/readyz").await;
        let after = reply.headers.iter().any(|(name, _)| name == "retry-after");
        assert_eq!(after, reply.status == 503, "{}", reply.text());
        reply.status == status && reply.text().contains(piece)
    })
    .await;
}

/// Blocks all other writers until it is dropped.
async fn hold(db: &Db) -> flagship_store::Tx {
    db.begin(Lock::Journal).await.expect("the lock is free")
}

on_both_engines! {
    async fn a_node_is_ready_while_it_can_take_flags(engine: Engine) {
        let app = TestApp::new(engine).await;
        let alive = ask(&app, "/healthz").await;
        assert_eq!((alive.status, alive.text().as_str()), (200, "{\"status\":\"ok\"}"));
        responds(&app, 200, "ok").await;
        let other = app.test.reopen().await;
        let held = hold(&other).await;
        responds(&app, 503, "The journal is not writable.").await;
        assert_eq!(ask(&app, "/healthz").await.status, 200, "it is healthy nevertheless");
        drop(held);
        responds(&app, 200, "ok").await;
        app.app.drain();
        responds(&app, 503, "The server is shutting down.").await;
        assert_eq!(ask(&app, "/healthz").await.status, 200);
    }

    async fn a_readiness_check_takes_as_long_with_a_current_fold(engine: Engine) {
        let app = TestApp::new(engine).await;
        let words = "as long as after a write of another node";
        let asks = control("a_readiness_check_takes_as_long_with_a_current_fold", words);
        let begun = std::time::Instant::now();
        assert_eq!(ask(&app, if asks { "/healthz" } else { "/readyz" }).await.status, 200);
        let took = begun.elapsed().as_millis();
        assert!(took >= 100, "as long as after a write of another node: {took} ms");
    }

    async fn a_node_whose_database_is_gone_is_not_ready(engine: Engine) {
        let app = TestApp::new(engine).await;
        app.test.execute("alter table journal rename to elsewhere").await;
        responds(&app, 503, "The database is not responding.").await;
        app.test.execute("alter table elsewhere rename to journal").await;
        responds(&app, 200, "ok").await;
    }

    async fn disconnected_clients_cause_no_more_writes(engine: Engine) {
        let app = TestApp::new(engine).await;
        let written = "select value from meta where key = 'health_check'";
        let begun = Instant::now();
        let mut last = Vec::new();
        let mut writes = 0;
        for _ in 0..20 {
            let call = Call::new("GET", "/readyz").send(&app);
            drop(timeout(Duration::from_millis(50), call).await);
            let now: Vec<(String,)> = app.test.rows(written).await;
            writes += usize::from(now != last);
            last = now;
        }
        let allowed = 2 + begun.elapsed().as_secs() as usize;
        assert!(writes <= allowed, "one write a second: {writes} of {allowed}");
    }

    async fn a_readiness_check_leaves_the_journal_unchanged(engine: Engine) {
        let app = TestApp::new(engine).await;
        let event = Event {
            name: "x".to_owned(), start_ms: None, end_ms: None, freeze_ms: None,
            reveal: Reveal::Auto, timezone: "UTC".to_owned(), flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        };
        app.run(Op::Apply(Box::new(Plan::new(event, Vec::new())))).await;
        let before = app.test.journal().await;
        responds(&app, 200, "ok").await;
        assert_eq!(app.test.journal().await, before);
    }
}
