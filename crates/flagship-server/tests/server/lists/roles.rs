//! Responses, exports and frames contain no data that the role may not see: the tests plant
//! canaries and search everything that each role can read.

use std::io::Read;

use flagship_control::control;
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{Call, NOW_MS, Socket, Team, TestApp, WAIT_MAX, on_both_engines};
use flate2::bufread::DeflateDecoder;
use rawzip::ZipArchive;
use serde_json::{Value, json};

use super::execute;
use crate::actions::{action, session_of};

/// A text with restricted visibility.
struct Canary {
    what: &'static str,
    /// Forms in which the text can appear; a time has several.
    texts: &'static [&'static str],
    /// Roles that see it in responses and exports, and in frames, whose only texts are the objects
    /// that organizers are viewing: the first letters of observer, author, support, organizer (r)
    /// and owner (w).
    answers: &'static str,
    frames: &'static str,
}

const CANARIES: [Canary; 11] = [
    Canary { what: "a flag", texts: &["flag{one}"], answers: "", frames: "" },
    Canary { what: "a wrong text", texts: &["canary-text"], answers: "", frames: "" },
    Canary { what: "an address", texts: &["canary@"], answers: "srw", frames: "" },
    Canary { what: "a person", texts: &["canary-person"], answers: "srw", frames: "" },
    // The action's record does not contain the text.
    Canary { what: "a note", texts: &["canary-note"], answers: "", frames: "" },
    Canary { what: "a question", texts: &["canary-question"], answers: "srw", frames: "" },
    Canary { what: "a notice", texts: &["canary-notice"], answers: "asrw", frames: "" },
    // The organizer is viewing it.
    Canary { what: "a challenge", texts: &["canary-hidden"], answers: "rw", frames: "w" },
    Canary { what: "a team", texts: &["Canary Team"], answers: "srw", frames: "" },
    // The time appears as milliseconds, as seconds and in words.
    Canary {
        what: "a hidden solve",
        texts: &["3607457", "3607.457", ":27.457"],
        answers: "rw",
        frames: "",
    },
    Canary {
        what: "a hidden wrong flag",
        texts: &["3609389", "3609.389", ":29.389"],
        answers: "rw",
        frames: "",
    },
];

/// The sheet of a spreadsheet.
fn sheet(file: &[u8]) -> String {
    let Ok(archive) = ZipArchive::from_slice(file) else { return String::new() };
    let mut entries = archive.entries();
    let mut all = String::new();
    while let Some(entry) = entries.next_entry().expect("it is whole") {
        let local = archive.get_entry(entry.wayfinder()).expect("it is there");
        let decoder = DeflateDecoder::new(local.data());
        local.verifying_reader(decoder).read_to_string(&mut all).expect("its sum is right");
    }
    all
}

/// Everything that a session can read.
async fn answers(app: &TestApp, session: &str) -> String {
    let description: Value =
        serde_json::from_str(&flagship_server::openapi()).expect("the description is JSON");
    let paths = description["paths"].as_object().expect("paths").iter();
    let gets = paths.filter(|(_, item)| item.get("get").is_some());
    let gets = gets.filter_map(|(path, _)| path.strip_prefix("/api/organize"));
    let mut all = String::new();
    for path in gets {
        let path = path.replace("{id}", "two");
        let mut queries = vec!["", "?view=public"];
        match &*path {
            _ if path.starts_with("/exports/") => {
                queries.extend(["?format=csv", "?format=csv&view=public", "?format=xlsx"]);
            }
            "/teams" => queries.extend(["?order=joined", "?q=canary", "?standing=hidden"]),
            "/flags" => queries.extend(["?challenge=canary-hidden", "?verdict=wrong", "?near=any"]),
            _ => {}
        }
        for query in queries {
            let call = Call::organize("GET", &format!("{path}{query}")).session(session);
            let reply = call.send(app).await;
            all += &if query == "?format=xlsx" { sheet(&reply.body) } else { reply.text() };
            all.push('\n');
        }
    }
    all
}

/// Messages of a socket up to the first match.
async fn frames(socket: &mut Socket, fits: impl FnMut(&Value) -> bool) -> String {
    let all = tokio::time::timeout(WAIT_MAX, socket.until_so(fits)).await;
    all.expect("the message arrives").iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

/// Plants the canaries, each as an authorized role.
async fn plant(app: &TestApp, teams: &[Team], organizer: &str, helper: &str) {
    teams[0].solves("one").await;
    teams[0].send("one", "canary-text").await;
    execute(app, "update accounts set email = 'canary@example.org'".to_owned()).await;
    let members = json!({"members": ["canary-person"]});
    assert_eq!(teams[0].player.post("/account/members", &members).await.status, 200);
    let question = json!({"text": "canary-question", "challengeId": "two"});
    assert_eq!(teams[0].player.post("/question", &question).await.status, 201);
    let note = json!({"team": "Canary Team", "text": "canary-note"});
    assert_eq!(action(app, helper, "team.note", note).await.status, 200);
    let later = "2023-11-15T00:00:00Z";
    let notice = json!({"title": "canary-notice", "text": "x", "at": later});
    assert_eq!(action(app, organizer, "notice.post", notice).await.status, 200);
    let release = json!({"challenge": "canary-hidden", "at": later});
    let released = action(app, organizer, "challenge.release", release).await;
    assert_eq!(released.status, 200, "{}", released.text());
    app.advance(HOUR_MS);
    app.settled().await;
    app.advance(7_457);
    teams[1].solves("two").await;
    app.advance(1_932);
    teams[1].send("one", "canary-text").await;
    app.advance(1_000);
    app.fresh_board().await;
}

on_both_engines! {
    async fn no_role_gets_what_it_may_not_see(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("two"), draft("canary-hidden")];
        drafts[2].hidden = true;
        let app = TestApp::playing(engine, event(), drafts).await;
        assert_eq!(NOW_MS % 10_000_000, 0, "times of canaries are read off the clock");
        let author = app.author("The author", &["one"]).await;
        let mut sessions = vec![("a", app.organizer_session(&author, true).await)];
        for (letter, role) in [("o", Role::Observer), ("s", Role::Support),
            ("r", Role::Organizer), ("w", Role::Owner)] {
            sessions.push((letter, session_of(&app, role).await));
        }
        let of = |letter: &str| {
            sessions.iter().find(|(it, _)| *it == letter).expect("it is there").1.clone()
        };
        let (organizer, helper) = (of("r"), of("s"));
        let teams = app.teams(&["Early", "Late", "Canary Team"]).await;
        let hidden = action(&app, &organizer, "team.hide", json!({"team": "Canary Team"})).await;
        assert_eq!(hidden.status, 200);
        app.fresh_board().await;
        let words = "gets what it may not see";
        let leaks = control("no_role_gets_what_it_may_not_see", words);
        let session_of = |letter: &str| of(if leaks && letter == "o" { "r" } else { letter });
        // Half of the sockets of each view are connected throughout, and half connect later.
        let mut sockets = Vec::new();
        for (letter, _) in &sessions {
            for query in ["", "?view=public"] {
                let socket = Socket::of_session(&app, &session_of(letter), query).await;
                sockets.push((*letter, query, socket));
            }
        }
        for (_, _, socket) in &mut sockets {
            tokio::time::timeout(WAIT_MAX, socket.until("presence")).await.expect("it begins");
        }
        let look = json!({"event": "look", "object": "challenge canary-hidden"});
        for (letter, _, socket) in &mut sockets {
            if *letter == "r" {
                socket.say(&look).await;
            }
        }
        plant(&app, &teams, &organizer, &helper).await;
        app.team("The Marker").await;
        for (letter, query, socket) in &mut sockets {
            let is_marked = |it: &Value| it["lists"].to_string().contains("teams");
            let mut seen = frames(socket, is_marked).await;
            let mut late = Socket::of_session(&app, &session_of(letter), query).await;
            seen += &frames(&mut late, |it| it["event"] == "presence").await;
            for Canary { what, texts, frames, .. } in &CANARIES {
                let is_seen = texts.iter().any(|text| seen.contains(text));
                // The public view contains no hidden submissions for any role.
                let is_hidden = *query == "?view=public" && what.starts_with("a hidden");
                let may = frames.contains(*letter) && !is_hidden;
                assert_eq!(is_seen, may, "{letter}{query} {words}, or not: {what}: {seen}");
            }
        }
        for (letter, _) in &sessions {
            let seen = answers(&app, &session_of(letter)).await;
            for Canary { what, texts, answers, .. } in &CANARIES {
                let is_seen = texts.iter().any(|text| seen.contains(text));
                assert_eq!(is_seen, answers.contains(letter),
                    "{letter} {words}, or not: {what}: {seen}");
            }
        }
    }
}
