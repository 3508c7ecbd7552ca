//! The wall clock jumps by an hour in either direction, under a running server and between starts.

use std::time::Duration;

use flagship_testkit::on_both_engines;
use serde_json::Value;

use crate::event::{EventFolder, Times};
use crate::faults::Faults;
use crate::process::{Server, TestSite};
use crate::until;

const HOUR_S: i64 = 3_600;
/// Maximum accepted difference between event time and true time.
const APART_MS: i64 = 1_500;

/// The event's clock, which a test can set: that of the machine or of the database.
struct Jumps {
    faults: Faults,
}

impl Jumps {
    /// Shadows PostgreSQL's clock function with one that adds an offset from a table.
    async fn new(site: &TestSite) -> Self {
        if site.test.url.is_some() {
            for sql in [
                "create table jump (seconds bigint)",
                "insert into jump values (0)",
                "create function public.clock_timestamp() returns timestamptz language sql \
                 volatile as 'select pg_catalog.clock_timestamp() + \
                 (select seconds from public.jump) * interval ''1 second'''",
                "do $$ begin execute format('alter database %I set search_path = public, \
                 pg_catalog', current_database()); end $$",
            ] {
                site.test.execute(sql).await;
            }
        }
        Self { faults: Faults::new() }
    }

    async fn serve(&self, site: &TestSite, event: &EventFolder) -> Server {
        let variables = self.faults.variables();
        site.serve_with(event, |command| _ = command.envs(variables)).await
    }

    async fn to(&self, site: &TestSite, seconds: i64) {
        if site.test.url.is_none() {
            self.faults.set_clock(seconds as i32);
            return;
        }
        let sql = match seconds {
            0 => "update jump set seconds = 0",
            HOUR_S => "update jump set seconds = 3600",
            _ => "update jump set seconds = -3600",
        };
        site.test.execute(sql).await;
    }
}

/// Asserts that the event is frozen, accepts flags, and shows the true time.
async fn is_sound(server: &Server) {
    let (_, event) = server.player().get("/ctf").await;
    assert_eq!(event["status"], "frozen", "{event}");
    let apart_ms = event["serverTime"].as_i64().unwrap() - jiff::Timestamp::now().as_millisecond();
    assert!(apart_ms.abs() < APART_MS, "{apart_ms} ms");
    let (_, board) = server.player().get("/scoreboard").await;
    let solves = board["scoreboard"].as_array().unwrap().iter().map(|row| &row[2]);
    assert!(solves.into_iter().all(|it| it.as_object().unwrap().is_empty()), "{board}");
}

/// Team names in the order of their solves, as organizers see them. Asserts that the times in the
/// journal are sorted and close to the current time.
async fn order(site: &TestSite) -> Vec<String> {
    let now_ms = jiff::Timestamp::now().as_millisecond();
    let rows = site.test.journal().await;
    let times: Vec<i64> = rows.iter().map(|row| row.1).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(times.iter().all(|time| (time - now_ms).abs() < 60_000), "{times:?} at {now_ms}");
    let json = site.run(&["export", "solves"]).await.ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    let mut solves: Vec<(u64, String)> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["position"].as_u64().unwrap(), row["team"].as_str().unwrap().to_owned()))
        .collect();
    solves.sort();
    solves.into_iter().map(|(_, team)| team).collect()
}

on_both_engines! {
    async fn clock_jumps_change_neither_the_freeze_nor_the_order(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let times = Times { start: -1_200_000, freeze: Some(-60_000), end: 1_800_000 };
        event.set_times(times, "manual");
        let jumps = Jumps::new(&site).await;
        let server = jumps.serve(&site, &event).await;
        let tokens = site.import(5).await;
        is_sound(&server).await;
        for (i, seconds) in [0, HOUR_S, -HOUR_S].into_iter().enumerate() {
            jumps.to(&site, seconds).await;
            server.team(&tokens[i]).await.solves("one").await;
            is_sound(&server).await;
        }
        until("the log warns about the jump", async || {
            server.err().iter().any(|line| line.contains("clock jumped"))
        })
        .await;
        let warnings = server.err().iter().filter(|it| it.contains("clock jumped")).count();
        assert!(warnings <= 4, "{warnings} warnings: once for each jump, not for each check");
        server.stop().await;
        // Restart with the clock set back to before the start of the event: the phases in the
        // journal still count as reached, and event time does not go back.
        let server = jumps.serve(&site, &event).await;
        server.team(&tokens[3]).await.solves("one").await;
        let (_, now) = server.player().get("/ctf").await;
        assert_eq!(now["status"], "frozen", "{now}");
        jumps.to(&site, 0).await;
        server.team(&tokens[4]).await.solves("one").await;
        let order = order(&site).await;
        let expected = ["Team 1", "Team 2", "Team 3", "Team 4", "Team 5"];
        assert_eq!(order, expected, "the first solver is first");
        assert!(server.stop().await < Duration::from_secs(5));
        site.run(&["journal", "verify"]).await.ok();
    }
}
