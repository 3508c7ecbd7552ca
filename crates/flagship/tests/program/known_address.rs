//! Response times do not reveal whether an email address is registered. `/forgot` does its work
//! after the response, so an attacker times the next request, which waits for the same writer.

use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_game::TeamName;
use flagship_store::accounts::NewAccount;
use flagship_store::signups::waiting_list::Admission;
use flagship_store::signups::{self, Signup, SignupDetails};
use flagship_store::{Clock, Lock};
use flagship_testkit::{Engine, on_both_engines};
use rand::seq::SliceRandom;
use serde_json::json;

use crate::event::EventFolder;
use crate::process::TestSite;
use crate::{is_torture, seeded};

/// Maximum area under the ROC curve of an attacker's guesses; 0.5 is chance.
const AREA_MAX: f64 = 0.6;
/// The limit in the short form, which has fewer pairs on a busy machine.
const GROSS_AREA: f64 = 0.75;

/// Number of consecutive writes that the attacker times after each response.
const PROBES: usize = 4;
/// Pause between two rounds, in which the work of the first one ends.
const TURN: Duration = Duration::from_millis(100);

/// Distinguishability of two kinds by their times: the share of pairs in which one kind takes
/// longer, in either direction.
fn area(first: &[f64], second: &[f64]) -> f64 {
    let mut above = 0.0;
    for a in first {
        for b in second {
            above += if a > b { 1.0 } else { f64::from(u8::from(a == b)) * 0.5 };
        }
    }
    let area = above / (first.len() * second.len()) as f64;
    area.max(1.0 - area)
}

/// Number of accounts that the attacker created beforehand with each address.
const PLANTED: usize = 10;

/// Creates unconfirmed accounts with the addresses, like strangers in one network.
async fn plant(site: &TestSite, addresses: impl Iterator<Item = String>) {
    let db = site.test.reopen().await;
    let mut tx = db.begin(Lock::Accounts).await.expect("it begins");
    let details = SignupDetails { network: "0".repeat(64), ..SignupDetails::default() };
    let now_ms = Clock::system().now_ms();
    for (i, email) in addresses.flat_map(|it| std::iter::repeat_n(it, PLANTED)).enumerate() {
        let name = TeamName::parse(&format!("Junk {i}")).expect("a name");
        let country = "IT".to_owned();
        let password_hash = None;
        let student = false;
        let language = None;
        let new = NewAccount {
            name,
            email,
            country,
            password_hash,
            student,
            divisions: Vec::new(),
            language,
        };
        let place = Admission::Place;
        let signed_up = signups::sign_up(&mut tx, &new, &details, place, now_ms).await;
        assert!(matches!(signed_up, Ok(Signup::Created(_))), "{signed_up:?}");
    }
    tx.commit().await.expect("it commits");
}

/// The address of the `i`-th team, or an unused address.
fn address(is_known: bool, i: usize) -> String {
    format!("{}{i}@example.org", if is_known { "team" } else { "none" })
}

/// Measures requests that wait for the writer after `/forgot`, and checks the area against its
/// limit. With `detour`, they are slower for known addresses.
async fn tells_nothing(engine: Engine, is_planted: bool, detour: bool) {
    let (pairs, limit) = if is_torture() { (600, AREA_MAX) } else { (60, GROSS_AREA) };
    let site = TestSite::bare(engine).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    // Each team has its own address. The first teams are for `/forgot`; the others log out.
    let mut tokens = site.import((2 * PROBES + 1) * pairs).await.split_off(pairs);
    let turns: Vec<(bool, usize)> = (1..=pairs).flat_map(|i| [(true, i), (false, i)]).collect();
    if is_planted {
        plant(&site, turns.iter().map(|(is_known, i)| address(*is_known, *i))).await;
    }
    let server = site.serve(&event).await;
    let mut turns = turns;
    turns.shuffle(&mut seeded());
    let (asks, probes) = (server.player().apart(), server.player().apart());
    let mut turn_begins = tokio::time::interval(TURN);
    let mut times = [Vec::new(), Vec::new()];
    for (is_known, i) in turns {
        turn_begins.tick().await;
        let (status, _) = asks.post("/forgot", &json!({"email": address(is_known, i)})).await;
        assert_eq!(status, 200);
        let start = Instant::now();
        for token in tokens.drain(tokens.len() - PROBES..) {
            let probe = probes.with_token(&token);
            assert_eq!(probe.post("/logout", &json!({})).await.0, 200);
        }
        let took = start.elapsed().as_secs_f64() * 1e3;
        let factor = if is_known && detour { 2.0 } else { 1.0 };
        times[usize::from(is_known)].push(took * factor);
    }
    let area = area(&times[1], &times[0]);
    for times in &mut times {
        times.sort_by(f64::total_cmp);
    }
    let median = |times: &Vec<f64>| times[times.len() / 2];
    println!(
        "figures: {engine:?}: area {area:.2} by the requests after /forgot, medians {:.2} and \
         {:.2} ms, {pairs} pairs, planted accounts: {is_planted}",
        median(&times[1]),
        median(&times[0]),
    );
    assert!(area <= limit, "an area of {area:.2} tells known from unknown");
}

on_both_engines! {
    async fn what_waits_for_the_writer_tells_no_known_address(engine: Engine) {
        let words = "known from unknown";
        let detour = control("what_waits_for_the_writer_tells_no_known_address", words);
        tells_nothing(engine, false, detour).await;
    }

    async fn planted_accounts_tell_no_known_address(engine: Engine) {
        let detour = control("planted_accounts_tell_no_known_address", "known from unknown");
        tells_nothing(engine, true, detour).await;
    }
}
