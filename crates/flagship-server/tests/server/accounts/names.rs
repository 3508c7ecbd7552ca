//! Team names at signup: confusable pairs from the vectors, names reserved for organizers, and
//! names of real teams.

use std::collections::BTreeMap;

use flagship_game::{ReservedNames, TeamName, name};
use flagship_store::Lock;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::ops::{Op, Outcome};
use flagship_store::signups::waiting_list::Admission;
use flagship_store::signups::{self, Signup, SignupDetails};
use flagship_testkit::player::event;
use flagship_testkit::{Answer, Engine, TestApp, TestDb, on_both_engines, shared_data};
use serde::Deserialize;
use serde_json::json;

const NAMES: &str = include_str!("../../../../../vectors/names.json");
const KEPT: &str = "This name is reserved. Choose another.";

#[derive(Deserialize)]
struct Names {
    alike: Vec<(String, String)>,
    distinct: Vec<(String, String)>,
    refused: Vec<(String, String)>,
    reserved: Vec<String>,
    free: Vec<String>,
}

fn vectors() -> Names {
    let mut all: Vec<Names> = serde_json::from_str(NAMES).expect("the vectors have this shape");
    all.remove(0)
}

struct Desk {
    app: TestApp,
    signups: usize,
}

impl Desk {
    async fn open(engine: Engine) -> Self {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 0;
        })
        .await;
        Self { app, signups: 0 }
    }

    async fn sign_up(&mut self, name: &str) -> Answer {
        self.signups += 1;
        let body = json!({"teamName": name, "email": format!("{}@example.org", self.signups),
            "country": "UN", "password": "correct horse battery", "captchaToken": "off"});
        self.app.player().post("/signup", &body).await
    }
}

on_both_engines! {
    async fn the_pairs_of_the_vectors_hold_at_the_signup(engine: Engine) {
        let names = vectors();
        assert!(names.alike.len() + names.distinct.len() + names.reserved.len() >= 60);
        let mut desk = Desk::open(engine).await;
        for (first, second) in &names.alike {
            // An earlier pair may have taken the name, or the name may be rejected as invisible.
            let answer = desk.sign_up(first).await;
            assert!([201, 409, 422].contains(&answer.status), "{first:?}: {answer:?}");
            let answer = desk.sign_up(second).await;
            let is_refused = [409, 422].contains(&answer.status);
            assert!(is_refused, "{first:?}, and {second:?} was accepted as well: {answer:?}");
        }
        let mut desk = Desk::open(engine).await;
        for (first, second) in &names.distinct {
            for name in [first, second] {
                let answer = desk.sign_up(name).await;
                assert_eq!(answer.status, 201, "{name:?}: {answer:?}");
            }
        }
        for (name, reason) in &names.refused {
            let answer = desk.sign_up(name).await;
            assert_eq!(answer.status, 422, "{name:?}: {answer:?}");
            let word = match reason.as_str() {
                "length" => "3 to 25",
                "invisible" => "invisible",
                "unknown" => "every device",
                _ => "accents",
            };
            assert!(answer.message().contains(word), "{name:?} {reason}: {answer:?}");
        }
    }

    async fn names_that_impersonate_the_organizers_are_refused(engine: Engine) {
        let names = vectors();
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let mut desk = Desk { app, signups: 0 };
        for name in &names.reserved {
            let answer = desk.sign_up(name).await;
            assert_eq!((answer.status, answer.message()), (409, KEPT), "{name:?} is reserved");
        }
        // The name of the event, and names that look like it.
        assert_eq!(desk.sign_up("the  test CTF").await.message(), KEPT);
        for unseen in ["the test CTF\u{fffc}", "the\u{2d7f} test CTF", "the test\u{a0}CTF"] {
            assert_eq!(desk.sign_up(unseen).await.status, 422, "{unseen:?}");
        }
        for name in names.free.iter().take(6) {
            assert_eq!(desk.sign_up(name).await.status, 201, "{name:?}");
        }
        let test = std::sync::Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), Vec::new(), |config| {
            config.settings.registration.reserved_names = vec!["The Sponsor".to_owned()];
        });
        let mut desk = Desk { app: app.await, signups: 0 };
        assert_eq!(desk.sign_up("the sponsоr").await.message(), KEPT, "with a Cyrillic o");
        // Organizers may import any name.
        let staff = NewAccount {
            name: TeamName::parse("Staff").expect("a name"),
            email: "staff@example.org".to_owned(),
            country: "UN".to_owned(),
            password_hash: None,
            student: false,
            divisions: Vec::new(),
            language: None,
        };
        let outcome = desk.app.run(Op::import(vec![staff])).await;
        assert!(matches!(outcome, Outcome::Import(Ok(_))), "{outcome:?}");
    }
}

on_both_engines! {
    /// Starts with a database of a version that allowed U+FFFC.
    async fn a_team_whose_name_is_refused_today_still_logs_in(engine: Engine) {
        let app = TestApp::new(engine).await;
        let team = NewAccount {
            name: TeamName::parse("Pwners").expect("a name"),
            email: "ada@example.org".to_owned(),
            country: "UN".to_owned(),
            password_hash: None,
            student: false,
            divisions: Vec::new(),
            language: None,
        };
        app.run(Op::import(vec![team])).await;
        app.test.execute("update accounts set name = 'Pwners\u{fffc}'").await;
        app.test.execute("update names set name_key = 'pwners\u{fffc}'").await;
        for (typed, is_found) in
            [("Pwners\u{fffc}", true), (" PWNERS\u{fffc}", true), ("Pwners", false)]
        {
            let found = accounts::by_name(&app.test.db, typed, &name::keys(typed)).await;
            let found = found.expect("it is read");
            assert_eq!(found.is_some(), is_found, "{typed:?}");
        }
    }
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Signs up all names in one transaction and without hashing passwords, for speed.
#[tokio::test]
async fn real_names_sign_up_with_the_expected_refusals() {
    let Some(file) = shared_data("team-names.json") else {
        return;
    };
    let text = std::fs::read_to_string(file).expect("it can be read");
    let names: Vec<Named> = serde_json::from_str(&text).expect("the file has this shape");
    let names: Vec<String> = names.into_iter().map(|named| named.name).collect();
    let test = TestDb::new(Engine::Sqlite).await;
    let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
    let mut became: BTreeMap<&str, usize> = BTreeMap::new();
    let reserved = ReservedNames::new([]);
    for (i, text) in names.iter().enumerate() {
        let Ok(name) = TeamName::parse(text) else {
            *became.entry("refused by the rules").or_default() += 1;
            continue;
        };
        if reserved.contains(&name) {
            println!("reserved: {text:?}");
            *became.entry("kept for organizers").or_default() += 1;
            continue;
        }
        let email = format!("{i}@example.org");
        let country = "UN".to_owned();
        let new = NewAccount {
            name,
            email,
            country,
            password_hash: None,
            student: false,
            divisions: Vec::new(),
            language: None,
        };
        let details = SignupDetails::default();
        let signed_up = signups::sign_up(&mut tx, &new, &details, Admission::Place, 0).await;
        let what = match signed_up.expect("it works") {
            Signup::Created(_) => "signed up",
            Signup::NameTaken => "too like one before",
            other => panic!("{other:?}"),
        };
        *became.entry(what).or_default() += 1;
    }
    println!("of {}: {became:?}", names.len());
    let expected = [
        ("kept for organizers", 7),
        ("refused by the rules", 210),
        ("signed up", 12_188),
        ("too like one before", 227),
    ];
    assert_eq!(became, BTreeMap::from(expected), "results of 12,632 names");
}
