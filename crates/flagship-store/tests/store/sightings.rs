//! Sightings of teams: those of several nodes add up, and are erased when due.

use std::collections::BTreeMap;

use flagship_store::sightings::{self, Kind, Sighting, SightingKey, SightingTimes};
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_testkit::{TestDb, on_both_engines};

const HERE: &str = "192.0.2.7";
const THERE: &str = "2001:db8:1:2::";

fn seen(team_id: i64, kind: Kind, object: &str, network: &str) -> SightingKey {
    SightingKey { team_id, kind, object: object.to_owned(), network: network.to_owned() }
}

fn batch(rows: &[(SightingKey, i64)]) -> BTreeMap<SightingKey, SightingTimes> {
    let mut batch = BTreeMap::new();
    for (seen, at_ms) in rows {
        let once = SightingTimes::once(*at_ms);
        batch.entry(seen.clone()).and_modify(|it: &mut SightingTimes| it.add(once)).or_insert(once);
    }
    batch
}

async fn record(test: &TestDb, rows: &[(SightingKey, i64)]) {
    sightings::record(&test.db, &batch(rows)).await.expect("it is written");
}

async fn all(test: &TestDb, team_id: i64) -> Vec<Sighting> {
    let mut all = sightings::of_team(&test.db, team_id).await.expect("it is read");
    all.sort_by(|a, b| (&a.kind, &a.network).cmp(&(&b.kind, &b.network)));
    all
}

on_both_engines! {
    async fn sightings_of_several_nodes_add_up(engine: Engine) {
        let test = TestDb::new(engine).await;
        let login = seen(1, Kind::Login, "", HERE);
        record(&test, &[(login.clone(), 20), (login.clone(), 30)]).await;
        let words = "the first, the last and all of them";
        record(&test, &[(login.clone(), 10)]).await;
        record(&test, &[(seen(1, Kind::Login, "", THERE), 25), (login, 40)]).await;
        record(&test, &[(seen(2, Kind::Login, "", HERE), 1)]).await;
        let times: Vec<_> = all(&test, 1).await.iter()
            .map(|it| (it.network.clone(), it.first_ms, it.last_ms, it.count)).collect();
        assert_eq!(times, [(HERE.to_owned(), 10, 40, 4), (THERE.to_owned(), 25, 25, 1)], "{words}");
    }

    async fn a_solve_came_from_where_it_last_did(engine: Engine) {
        let test = TestDb::new(engine).await;
        let right = |network| seen(1, Kind::Right, "one", network);
        record(&test, &[(right(HERE), 10), (seen(2, Kind::Right, "one", HERE), 11)]).await;
        // Withdrawn, and solved again from another network.
        record(&test, &[(right(THERE), 20), (seen(3, Kind::Wrong, "one", HERE), 21)]).await;
        let from = async |network| sightings::solves_from(&test.db, network).await.expect("read");
        assert_eq!(from(HERE).await, [(2, "one".to_owned())]);
        assert_eq!(from(THERE).await, [(1, "one".to_owned())]);
        let asked = [(1, "one".to_owned()), (2, "two".to_owned())];
        let found = sightings::of_solves(&test.db, &asked).await.expect("it is read");
        let networks: Vec<&str> = found.iter().map(|(.., network)| &**network).collect();
        assert_eq!(networks, [HERE, THERE], "the newest last");
    }

    async fn sightings_are_erased_with_the_networks_of_flags(engine: Engine) {
        let test = TestDb::new(engine).await;
        let many: Vec<_> = (0..700).map(|at| (seen(at, Kind::List, "", HERE), at)).collect();
        record(&test, &many).await;
        let wrong: Vec<WrongFlag> = (0..700).map(|at_ms| WrongFlag {
            account_id: 1,
            challenge_id: "one".to_owned(),
            at_ms,
            digest: String::new(),
            folded: None,
            near: None,
            of_team: None,
            network: Some([192, 0, 2, 7].into()),
            sealed_text: None,
        }).collect();
        wrong_flags::record(&test.db, &wrong).await.expect("it is written");
        let mut turns = 0;
        let words = "all from before, and no other";
        while sightings::forget(&test.db, 600).await.expect("it is written") {
            turns += 1;
            assert!(turns < 9, "it comes to an end");
        }
        let sql = "select last_ms from sightings order by last_ms limit 1";
        assert_eq!(test.rows::<(i64,)>(sql).await, [(600,)], "{words}");
        let sql = "select count(*), min(at_ms) from wrong_flags where network is not null";
        assert_eq!(test.rows::<(i64, i64)>(sql).await, [(100, 600)], "{words}");
        assert_eq!(wrong_flags::count(&test.db).await.expect("it is read"), 700, "they stay");
    }
}
