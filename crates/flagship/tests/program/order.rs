//! Under concurrent submissions, the order of solves agrees with the order that clients observe,
//! and no solve counts before the start or after the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_testkit::on_both_engines;
use rand::seq::SliceRandom;
use serde_json::Value;
use tokio::sync::Mutex;

use crate::event::{EventFolder, Times};
use crate::is_torture;
use crate::process::{Server, TestSite};

/// A solve as its client observes it. All times are from one monotonic clock.
#[derive(Clone, Copy)]
struct Lived {
    sent: Instant,
    answered: Instant,
    position: usize,
}

/// The number of pairs in which one solve was acknowledged before the other was sent, and the
/// number of solves recorded before such an earlier one.
fn inversions(solves: &[Lived]) -> (usize, usize) {
    let (mut by_sent, mut by_answered) = (solves.to_vec(), solves.to_vec());
    by_sent.sort_by_key(|solve| solve.sent);
    by_answered.sort_by_key(|solve| solve.answered);
    let mut pairs = 0;
    let mut wrong = 0;
    let mut before = 0;
    let mut last = 0;
    for later in by_sent {
        while before < by_answered.len() && by_answered[before].answered < later.sent {
            last = last.max(by_answered[before].position);
            before += 1;
        }
        pairs += before;
        wrong += usize::from(before > 0 && last > later.position);
    }
    (pairs, wrong)
}

on_both_engines! {
    async fn a_solve_acknowledged_before_another_is_sent_is_placed_first(engine: Engine) {
        let (teams, challenges) = if is_torture() { (1_500, 3) } else { (220, 2) };
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let ids: Vec<String> = (0..challenges).map(|i| format!("race-{i}")).collect();
        for id in &ids {
            event.challenge(id, "type: standard\nvalue: 1");
        }
        // The order also holds across two nodes.
        let nodes = [site.serve(&event).await, site.join(&event).await];
        let tokens = Arc::new(site.import(teams).await);
        for node in &nodes {
            node.team(&tokens[teams - 1]).await;
        }
        let mut queue: Vec<(usize, String)> = Vec::new();
        for id in &ids {
            queue.extend((0..teams).map(|team| (team, id.clone())));
        }
        queue.shuffle(&mut crate::seeded());
        let queue = Arc::new(queue);
        let next = Arc::new(AtomicUsize::new(0));
        let lived = Arc::new(Mutex::new(BTreeMap::new()));
        let mut workers = tokio::task::JoinSet::new();
        for worker in 0..16 {
            let player = nodes[worker % 2].player();
            let (queue, next) = (queue.clone(), next.clone());
            let (tokens, lived) = (tokens.clone(), lived.clone());
            workers.spawn(async move {
                while let Some((team, id)) = queue.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let player = player.with_token(&tokens[*team]);
                    let sent = Instant::now();
                    player.solves(id).await;
                    let answered = Instant::now();
                    let name = format!("Team {}", team + 1);
                    lived.lock().await.insert((name, id.clone()), (sent, answered));
                }
            });
        }
        let begin = Instant::now();
        workers.join_all().await;
        let took = begin.elapsed();
        let lived = lived.lock().await;
        let mut pairs = 0;
        let mut wrong = 0;
        for id in &ids {
            let solves = site.test.solves().await.into_iter().filter(|(_, of)| of == id);
            let solves: Vec<Lived> = solves
                .enumerate()
                .map(|(i, solve)| {
                    let (sent, answered) = lived[&solve];
                    Lived { sent, answered, position: i + 1 }
                })
                .collect();
            assert_eq!(solves.len(), teams);
            // To show that the check can fail, two solves that were far apart are swapped.
            let mut swapped = solves.clone();
            let end = swapped.len() - 1;
            (swapped[0].position, swapped[end].position) = (end + 1, 1);
            assert!(inversions(&swapped).1 > 0);
            let words = "are in the wrong order";
            let is_swapped =
                control("a_solve_acknowledged_before_another_is_sent_is_placed_first", words);
            let counted = inversions(if is_swapped { &swapped } else { &solves });
            (pairs, wrong) = (pairs + counted.0, wrong + counted.1);
        }
        let rate = (teams * challenges) as f64 / took.as_secs_f64();
        eprintln!("figures: {wrong} inversions in {pairs} pairs; {rate:.0} solves a second");
        assert_eq!(wrong, 0, "{wrong} are in the wrong order");
        assert!(pairs > 40_000 && (pairs > 1_000_000 || !is_torture()), "{pairs} pairs");
        let [a, b] = nodes;
        tokio::join!(a.stop(), b.stop());
    }

    async fn nothing_counts_outside_the_event_at_any_millisecond(engine: Engine) {
        const TEAMS: usize = 400;
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.set_times(Times { start: 3_600_000, freeze: None, end: 7_200_000 }, "auto");
        let server: Server = site.serve(&event).await;
        let tokens = site.import(TEAMS).await;
        server.team(&tokens[TEAMS - 1]).await;
        // The times leave room for an `apply` that takes much longer than the previous one, because
        // it waits for the processors of a busy machine.
        let begun = Instant::now();
        event.set_times(Times { start: 3_500_000, freeze: None, end: 7_200_000 }, "auto");
        site.apply(&event).await.ok();
        let room_ms = 4 * begun.elapsed().as_millis() as i64;
        let (lead_ms, long_ms) = (room_ms.max(800), room_ms.clamp(1_200, 10_000));
        let start = event.now() + lead_ms;
        event.set_times(Times { start, freeze: None, end: start + long_ms }, "auto");
        site.apply(&event).await.ok();
        // Four clients submit continuously from before the start until after the end.
        let next = Arc::new(AtomicUsize::new(0));
        let tokens = Arc::new(tokens);
        let mut workers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let (player, next, tokens) = (server.player(), next.clone(), tokens.clone());
            workers.spawn(async move {
                let mut right = BTreeSet::new();
                let mut refused = [0, 0];
                loop {
                    let team = next.fetch_add(1, Ordering::SeqCst) % tokens.len();
                    let body = crate::player::flag("one", "flag{one}");
                    let answer = player.with_token(&tokens[team]).post("/solve", &body).await;
                    match (answer.0, answer.1["message"].as_str()) {
                        (200, _) => drop(right.insert(format!("Team {}", team + 1))),
                        (403, Some("The CTF has not started yet.")) => refused[0] += 1,
                        (403, Some("The CTF has ended.")) => refused[1] += 1,
                        _ => panic!("{answer:?}"),
                    }
                    if refused[1] > 20 {
                        return (right, refused);
                    }
                    // The pause is long enough for the teams to suffice until the end.
                    tokio::time::sleep(Duration::from_millis(4)).await;
                }
            });
        }
        let mut right = BTreeSet::new();
        let mut refused = [0, 0];
        for (of, counts) in workers.join_all().await {
            right.extend(of);
            refused = [refused[0] + counts[0], refused[1] + counts[1]];
        }
        server.stop().await;
        let mut recorded = BTreeSet::new();
        let mut names = BTreeMap::new();
        let mut times = 0..0;
        for (_, at_ms, _, body, _) in site.test.journal().await {
            let body: Value = serde_json::from_str(&body).unwrap();
            let team = body["team"].as_i64();
            match body["type"].as_str().unwrap() {
                "event" => {
                    let time = |name: &str| body["event"][name].as_i64().unwrap();
                    times = time("start_ms")..time("end_ms");
                }
                "team" => drop(names.insert(team, body["name"].as_str().unwrap().to_owned())),
                "solve" => {
                    assert!(times.contains(&at_ms), "{at_ms} is not in {times:?}");
                    recorded.insert(names[&team].clone());
                }
                _ => {}
            }
        }
        let words = "the acknowledged flags are the recorded ones";
        if control("nothing_counts_outside_the_event_at_any_millisecond", words) {
            right.insert("Team 0".to_owned());
        }
        assert_eq!(right, recorded, "the acknowledged flags are the recorded ones");
        eprintln!("figures: {} right, {refused:?} refused before and after", right.len());
        assert!(right.len() > 20 && refused[0] > 20 && refused[1] > 20, "{refused:?}");
    }
}
