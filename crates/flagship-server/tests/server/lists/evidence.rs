//! A simulated event: teams that share flags are listed. Innocent teams are not listed, or are
//! listed with an explanation.

use std::collections::{BTreeMap, HashMap};

use flagship_store::challenges::Draft;
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_store::sightings::{self, Kind, SightingKey, SightingTimes};
use flagship_testkit::player::{Team, any_case, draft, event, exact};
use flagship_testkit::{Call, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::get;
use super::team_flags::{drafts, is_ready, own};
use crate::actions::{action, session_of};

const MINUTE_MS: i64 = 60_000;

/// Teams that have the file, in the order in which they solve its challenge.
const FETCHERS: [&str; 10] = [
    "Source",
    "Leader",
    "Shadow",
    "Swift",
    "Rapid",
    "Twin One",
    "Twin Two",
    "Guess One",
    "Guess Two",
    "Campus One",
];

/// Networks of the teams.
const NETWORKS: [(&str, &[&str]); 5] = [
    ("192.0.2.1", &["Leader", "Shadow"]),
    ("192.0.2.2", &["Source", "Relay"]),
    ("192.0.2.3", &["Cousin One", "Cousin Two"]),
    ("192.0.2.4", &["Twin One"]),
    (
        "192.0.2.5",
        &["Campus One", "Campus Two", "Campus Three", "Campus Four", "Campus Five", "Ghost"],
    ),
];

/// Submissions, one per minute: team, challenge and incorrect text. An empty text stands for the
/// correct flag. For `pier`, the text names the team whose flag is submitted.
const PLAYS: &[(&str, &str, &str)] = &[
    // Solves in the same order as another team.
    ("Leader", "c1", ""),
    ("Shadow", "c1", ""),
    ("Leader", "c2", ""),
    ("Shadow", "c2", ""),
    ("Leader", "c3", ""),
    ("Shadow", "c3", ""),
    ("Leader", "c4", ""),
    ("Shadow", "c4", ""),
    // Both teams are equally fast.
    ("Swift", "c2", ""),
    ("Rapid", "c2", ""),
    ("Rapid", "c1", ""),
    ("Swift", "c1", ""),
    ("Swift", "c4", ""),
    ("Rapid", "c4", ""),
    ("Rapid", "c3", ""),
    ("Swift", "c3", ""),
    // The same rare incorrect submissions.
    ("Twin One", "c5", "flag{wrong path}"),
    ("Twin Two", "c5", "flag{wrong path}"),
    ("Twin One", "c6", "flag{dead end}"),
    ("Twin Two", "c6", "flag{dead end}"),
    // Common guesses.
    ("Guess One", "c5", "flag{test}"),
    ("Guess Two", "c5", "flag{test}"),
    ("Guess One", "c6", "admin"),
    ("Guess Two", "c6", "admin"),
    // The text is from a public write-up.
    ("Reader One", "c5", "flag{write-up}"),
    ("Reader Two", "c5", "flag{write-up}"),
    ("Reader Three", "c5", "flag{write-up}"),
    ("Reader Four", "c5", "flag{write-up}"),
    // Teams with only one equal text, and teams with an equal text on a campus.
    ("Chance One", "c6", "flag{hm}"),
    ("Chance Two", "c6", "flag{hm}"),
    ("Campus One", "c6", "flag{oh}"),
    ("Campus Two", "c6", "flag{oh}"),
    // Teams with two equal texts, on a campus.
    ("Campus Three", "c5", "flag{ah}"),
    ("Campus Four", "c5", "flag{ah}"),
    ("Campus Three", "c6", "flag{eh}"),
    ("Campus Four", "c6", "flag{eh}"),
    // Another team's flag, and one that was published.
    ("Thief", "pier", "Owner"),
    ("Reader One", "pier", "Open"),
    ("Reader Two", "pier", "Open"),
    ("Reader Three", "pier", "Open"),
    ("Reader Four", "pier", "Open"),
];

/// Listed pairs: both teams, and the kind and explanation of each signal.
const LISTED: &[&str] = &[
    "Campus Four, Campus Three: same_text shared_source, same_text shared_source, \
     same_network campus",
    "Ghost: no_download file_from_elsewhere",
    "Leader, Shadow: same_order obvious_order, same_network one_place",
    "Open, Reader Four: team_flag published",
    "Open, Reader One: team_flag published",
    "Open, Reader Three: team_flag published",
    "Open, Reader Two: team_flag published",
    "Owner, Thief: team_flag passed_on",
    "Relay, Source: no_download file_from_elsewhere, same_network one_place",
    "Twin One, Twin Two: same_text shared_source, same_text shared_source",
];

fn challenges() -> Vec<Draft> {
    let mut all = drafts();
    all.extend(["c1", "c2", "c3", "c4", "c5", "c6"].map(draft));
    let mut file = draft("file");
    file.challenge.attachments.push(flagship_game::Attachment {
        name: "a.bin".to_owned(),
        digest: "ab".repeat(32),
        bytes: 3,
        picture: None,
        per_team: false,
    });
    all.push(file);
    all
}

/// Teams by name: those in networks and those with submissions.
async fn teams(app: &TestApp) -> HashMap<String, Team> {
    let mut names: Vec<&str> = PLAYS.iter().map(|(name, ..)| *name).collect();
    names.extend(NETWORKS.iter().flat_map(|(_, names)| *names).chain(&FETCHERS));
    names.extend(["Owner", "Open"]);
    names.sort_unstable();
    names.dedup();
    let teams = app.teams(&names).await;
    // Each team plays from its own network, so that teams share only the networks under test.
    let own = |(at, team): (usize, Team)| {
        let player = team.player.from_address(&format!("100.64.0.{}", 1 + at));
        (team.name.clone(), Team { player, ..team })
    };
    teams.into_iter().enumerate().map(own).collect()
}

async fn see(app: &TestApp, teams: &HashMap<String, Team>, networks: &[(&str, &[&str])]) {
    let mut seen = BTreeMap::new();
    let mut add = |name: &str, kind, object: &str, network: &str| {
        let (team_id, object) = (teams[name].id.0, object.to_owned());
        let seen_there = SightingKey { team_id, kind, object, network: network.to_owned() };
        seen.insert(seen_there, SightingTimes::once(app.now_ms()));
    };
    for (network, names) in networks {
        names.iter().for_each(|name| add(name, Kind::Login, "", network));
    }
    FETCHERS.iter().for_each(|name| add(name, Kind::Download, "file", ""));
    sightings::record(&app.test.db, &seen).await.expect("it is written");
}

async fn play(app: &TestApp, teams: &HashMap<String, Team>) {
    let solvers = FETCHERS.iter().chain(&["Relay", "Ghost"]).map(|name| (*name, "file", ""));
    for (name, id, text) in PLAYS.iter().copied().chain(solvers) {
        app.advance(MINUTE_MS);
        let flag = match (id, text) {
            (_, "") => format!("flag{{{id}}}"),
            ("pier", owner) => own("pier", &teams[owner]),
            (_, text) => text.to_owned(),
        };
        let answer = teams[name].send(id, &flag).await;
        assert_eq!(answer.json["correct"], text.is_empty(), "{name} {id}: {answer:?}");
    }
    let wrong = PLAYS.iter().filter(|(_, _, text)| !text.is_empty()).count();
    until("all wrong flags are recorded", async || {
        let sql = "select count(*) from wrong_flags";
        app.test.rows::<(i64,)>(sql).await == [(i64::try_from(wrong).expect("few"),)]
    })
    .await;
}

/// The pairs of a list, as in `LISTED`.
fn pairs(list: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let pair = |pair: &Value| {
        let mut names = vec![text(&pair["teamName"])];
        names.extend(pair["otherName"].as_str().map(str::to_owned));
        names.sort();
        let facts = pair["facts"].as_array().expect("a list");
        let fact = |fact: &Value| {
            format!("{} {}", text(&fact["kind"]), text(&fact["explanation"]["code"]))
        };
        let facts: Vec<String> = facts.iter().map(fact).collect();
        format!("{}: {}", names.join(", "), facts.join(", "))
    };
    let mut pairs: Vec<String> =
        list["pairs"].as_array().expect("a list").iter().map(pair).collect();
    pairs.sort();
    pairs
}

/// The challenges for which two teams submitted the same incorrect text, in alphabetical order.
fn same_texts(list: &Value) -> Vec<String> {
    let pairs = list["pairs"].as_array().expect("a list").iter();
    let facts = pairs.flat_map(|pair| pair["facts"].as_array().expect("a list"));
    let texts = facts.filter(|fact| fact["kind"] == "same_text");
    let challenges = texts.flat_map(|fact| fact["challenges"].as_array().expect("a list"));
    let id = |challenge: &Value| challenge["challengeId"].as_str().expect("an id").to_owned();
    let mut all: Vec<String> = challenges.map(id).collect();
    all.sort();
    all
}

fn of<'a>(list: &'a Value, name: &str) -> &'a Value {
    let pairs = list["pairs"].as_array().expect("a list");
    pairs.iter().find(|it| it["teamName"] == name || it["otherName"] == name).expect("it is listed")
}

on_both_engines! {
    async fn a_text_that_corrected_flags_accept_is_not_in_common(engine: Engine) {
        let ids = ["c1", "c2", "c3", "c4"];
        let app = TestApp::playing(engine, event(), ids.map(draft).to_vec()).await;
        let teams = app.teams(&["Twin One", "Twin Two"]).await;
        let session = session_of(&app, Role::Organizer).await;
        for (id, team) in ids.iter().flat_map(|id| teams.iter().map(move |team| (id, team))) {
            app.advance(MINUTE_MS);
            let answer = team.send(id, "flag{The_Same}").await;
            assert_eq!(answer.json["correct"], false, "{id}: {answer:?}");
        }
        until("all wrong flags are recorded", async || {
            app.test.rows::<(i64,)>("select count(*) from wrong_flags").await == [(8,)]
        })
        .await;
        let listed = async |expected: &[&str]| {
            until("it is found again", async || {
                same_texts(&get(&app, &session, "/evidence").await) == expected
            })
            .await;
        };
        listed(&ids).await;
        // The last text is correct except for upper and lower case.
        let same = [
            exact("c1", "flag{The_Same}"),
            any_case("c2", "flag{the_same}"),
            exact("c3", "flag{the_same}"),
        ];
        let mut drafts = ids.map(draft).to_vec();
        for (draft, flag) in drafts.iter_mut().zip(same) {
            draft.flags.push(flag);
        }
        app.run(Op::Apply(Box::new(Plan::new(event(), drafts)))).await;
        let again = action(&app, &session, "challenge.rejudge", json!({"challenge": "c1"})).await;
        assert_eq!(again.status, 200, "{}", again.text());
        listed(&["c3", "c4"]).await;
    }

    async fn who_shares_is_listed_and_who_does_not_is_explained(engine: Engine) {
        let app = TestApp::playing(engine, event(), challenges()).await;
        let teams = teams(&app).await;
        is_ready(&app, &teams["Chance One"]).await;
        let words = "sharers are listed, and innocents with an explanation or not";
        see(&app, &teams, &NETWORKS).await;
        play(&app, &teams).await;
        let session = session_of(&app, Role::Organizer).await;
        until("it is found again", async || {
            get(&app, &session, "/evidence").await["at"] == app.now_ms()
        })
        .await;
        let list = get(&app, &session, "/evidence").await;
        assert_eq!(pairs(&list), LISTED, "{words}");
        assert!(!list.to_string().to_lowercase().contains("cheat"));
        let order = &of(&list, "Shadow")["facts"][0];
        assert_eq!((&order["by"], &order["times"]), (&json!("Shadow"), &json!(5)));
        let first = &order["challenges"][0];
        assert_eq!(first["challengeId"], "c1");
        assert_eq!(first["at"], first["otherAt"].as_i64().expect("a time") + MINUTE_MS);
        let campus = &of(&list, "Campus Four")["facts"][2];
        assert_eq!((&campus["network"], &campus["teams"]), (&json!("192.0.2.5"), &json!(6)));
        assert_eq!(of(&list, "Ghost")["otherName"], Value::Null);

        // Review by an organizer, with a note.
        let twins = json!({"team": "Twin Two", "other": "Twin One", "state": "cleared",
            "reason": "both read the same hint"});
        let said = action(&app, &session, "evidence.state", twins).await;
        assert_eq!(said.status, 200, "{}", said.text());
        assert_eq!(said.json()["undo"]["possible"], false);
        let list = get(&app, &session, "/evidence").await;
        let twins = of(&list, "Twin One");
        assert_eq!((&twins["state"], &twins["stateBy"]), (&json!("cleared"),
            &json!("The organizer")));
        assert_eq!(twins["note"], "both read the same hint");
        assert_eq!(of(&list, "Ghost")["state"], "new");
        for (team, other, state, status) in [("Twin One", "Twin One", "cleared", 404),
            ("Nobody", "Twin One", "cleared", 404), ("Twin One", "Twin Two", "guilty", 422)]
        {
            let said = json!({"team": team, "other": other, "state": state});
            let refused = action(&app, &session, "evidence.state", said).await;
            assert_eq!(refused.status, status, "{team} {state}");
        }
        let actions = get(&app, &session, "/actions").await;
        assert_eq!(actions["actions"][0]["sentence"],
            "The organizer marked the evidence about \"Twin Two\" and \"Twin One\" as dismissed.");

        // Exports contain the evidence; players and unauthorized organizers see none of it.
        let csv = Call::organize("GET", "/exports/evidence?format=csv").session(&session);
        let csv = csv.send(&app).await;
        let facts = csv.text().lines().count() - 1;
        assert_eq!(facts, 15, "a row for each fact");
        assert_eq!(get(&app, &session, "/evidence?view=public").await["pairs"], json!([]));
        for role in [Role::Observer, Role::Author, Role::Support] {
            let session = session_of(&app, role).await;
            for path in ["/evidence", "/exports/evidence"] {
                let reply = Call::organize("GET", path).session(&session).send(&app).await;
                assert_eq!(reply.status, 404, "{role} {path}");
            }
        }
    }
}
