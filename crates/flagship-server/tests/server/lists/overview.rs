//! The overview: the state of the event, the health of the node, and the visibility for each role.

use flagship_control::control;
use flagship_store::dump;
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{NOW_MS, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::session_of;

/// The codes of the warnings.
fn codes(overview: &Value) -> Vec<&str> {
    let warnings = overview["warnings"].as_array().expect("a list").iter();
    warnings.map(|it| it["code"].as_str().expect("a code")).collect()
}

on_both_engines! {
    async fn the_overview_has_figures_and_cures(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["One", "Two"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        teams[0].solves("one").await;
        teams[0].solves("one").await;
        teams[1].send("one", "flag{x}").await;
        let seen = get(&app, &organizer, "/overview").await;
        for (pointer, value) in [
            ("/name", json!("The Test CTF")),
            ("/status", json!("running")),
            ("/now", json!(NOW_MS)),
            ("/freeze", json!(NOW_MS + HOUR_MS)),
            ("/isFrozen", json!(false)),
            ("/teams", json!({"playing": 2, "hidden": 0, "banned": 0, "unconfirmed": 0})),
            ("/challenges", json!({"shown": 2, "all": 2, "withErrors": 0})),
            ("/solves", json!(1)),
            ("/lastSolveAt", json!(NOW_MS)),
            ("/openQuestions", json!(0)),
            ("/health/nodes", json!(1)),
            ("/health/lastBackupAt", json!(null)),
            ("/health/isIntact", json!(true)),
            ("/health/mail/failed", json!(0)),
            ("/health/lane/entries", json!(app.app.contest().seq())),
        ] {
            assert_eq!(seen.pointer(pointer), Some(&value), "{pointer}: {seen}");
        }
        for flags in ["right", "wrong", "repeated"] {
            let rate = &seen["health"]["flagsPerSecond"][flags];
            assert!(rate.as_f64().is_some_and(|rate| rate > 0.0), "{flags}: {seen}");
        }
        for figure in ["/health/diskFreeBytes", "/health/process/memoryBytes"] {
            assert!(seen.pointer(figure).and_then(Value::as_u64) > Some(0), "{figure}: {seen}");
        }
        let of_backup = |seen: &Value| -> Vec<String> {
            let mine = codes(seen).into_iter().filter(|code| code.starts_with("backup_"));
            mine.map(str::to_owned).collect()
        };
        assert_eq!(of_backup(&seen), ["backup_missing"], "no backup is not an old backup");
        until("the readiness is known", async || {
            get(&app, &organizer, "/overview").await["health"]["ready"] == true
        }).await;
        dump::note(&app.test.db, NOW_MS).await.expect("it is written");
        execute(&app, format!("insert into outbox (id, address, subject, body, created_at_ms, \
            attempts, kind, network, last_error) \
            values (1, 'a@example.org', 'x', '', {NOW_MS}, 12, 'signup', 'n', 'no')")).await;
        let seen = get(&app, &organizer, "/overview").await;
        assert_eq!(seen["health"]["lastBackupAt"], json!(NOW_MS), "a backup is noted");
        let codes = codes(&seen);
        assert!(codes.contains(&"mail_refused"), "{seen}");
        assert_eq!(of_backup(&seen), Vec::<String>::new());
        let cure = seen["warnings"][0]["cure"].as_str().expect("a cure");
        assert!(!cure.is_empty());
    }

    async fn in_the_freeze_the_overview_tells_of_no_solve(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Early", "Late", "Canary Hidden"]).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hide = json!({"action": "team.hide", "team": "Canary Hidden", "reason": "x"});
        crate::actions::post(&app, &organizer, "/actions", &hide).await;
        app.advance(HOUR_MS);
        app.settled().await;
        teams[1].solves("one").await;
        let words = "the overview reveals a hidden solve";
        let leaks = control("in_the_freeze_the_overview_tells_of_no_solve", words);
        for role in [Role::Observer, Role::Author, Role::Support, Role::Organizer, Role::Owner] {
            let reader = app.organizer(&format!("Reader {role}"), &[role]).await;
            let own = app.organizer_session(&reader, true).await;
            let session = if leaks { &organizer } else { &own };
            let seen = get(&app, session, "/overview").await;
            let is_runner = [Role::Organizer, Role::Owner].contains(&role);
            let solves = if is_runner { 2 } else { 1 };
            assert_eq!(seen["solves"], json!(solves), "{words}: {role}");
            for figure in ["flagsPerSecond", "lane", "process", "memoryAvailableBytes",
                "diskFreeBytes"] {
                let is_left_out = seen["health"][figure].is_null();
                assert_eq!(is_left_out, !is_runner, "{words}: {role} {figure}");
            }
            let helps = is_runner || role == Role::Support;
            assert_eq!(seen["teams"]["hidden"], if helps { json!(1) } else { json!(null) });
            assert_eq!(seen["openQuestions"].is_null(), !helps, "{role}");
            assert_eq!(seen["challenges"]["all"].is_null(), !is_runner, "{role}");
            let public = get(&app, &own, "/overview?view=public").await;
            assert_eq!((&public["solves"], &public["health"]), (&json!(1), &json!(null)), "{role}");
            assert_eq!(public["warnings"], json!([]));
            assert_eq!(public["teams"]["hidden"], json!(null));
        }
    }
}
