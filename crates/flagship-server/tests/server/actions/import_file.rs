//! Import of teams from a file on the site: imports exactly what the preview showed.

use std::sync::Arc;

use flagship_server::imports::FILE_BYTES_MAX;
use flagship_store::accounts::TEAMS_PER_ADDRESS_MAX;
use flagship_store::organizers::Role;
use flagship_store::{Lock, mail};
use flagship_testkit::player::{draft, event, row};
use flagship_testkit::{Call, Reply, TestApp, TestDb, WAIT_MAX, on_both_engines};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::event::undo;
use super::{get, is, session_of};

const FILE: &str = "Team;E-Mail;Country\n\
                    Otters;otters@example.org;IT\n\
                    The Harbour;harbour@example.org;DE\n\
                    Crabs;crabs@example.org;\n";

/// SQL that lists the teams: those from the file and those that the tests add.
const TEAMS: &str = "select name from accounts order by name";

async fn send(app: &TestApp, session: &str, path: &str, file: impl Into<Vec<u8>>) -> Reply {
    let call = Call::organize("POST", path).session(session).header("content-type", "text/csv");
    call.body(file).send(app).await
}

async fn preview(app: &TestApp, session: &str, file: impl Into<Vec<u8>>) -> Value {
    let reply = send(app, session, "/imports/preview", file).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// The seal of a preview.
fn seal(preview: &Value) -> &str {
    preview["seal"].as_str().unwrap_or_else(|| panic!("it can be imported: {preview}"))
}

async fn import(app: &TestApp, session: &str, seal: &str, file: &str) -> Reply {
    send(app, session, &format!("/imports?seal={seal}"), file).await
}

async fn names(app: &TestApp) -> Vec<String> {
    app.test.rows::<(String,)>(TEAMS).await.into_iter().map(|(name,)| name).collect()
}

/// Starts a preview. Its file is sent when the server reads the body.
async fn begun_preview(app: &TestApp, session: &str) -> TcpStream {
    let host = app.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.expect("the server listens");
    let head = format!(
        "POST /api/organize/imports/preview HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         content-type: text/csv\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\
         sec-fetch-site: same-origin\r\nx-organize: 1\r\n\
         cookie: __Host-organizer={session}\r\n\r\n",
        FILE.len()
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    let expected = "HTTP/1.1 100 Continue\r\n\r\n";
    let mut answer = vec![0; expected.len()];
    let read = timeout(WAIT_MAX, stream.read_exact(&mut answer)).await;
    read.expect("the server reads the file").expect("it answers");
    assert_eq!(String::from_utf8_lossy(&answer), expected);
    stream
}

async fn playing(engine: flagship_testkit::Engine) -> (TestApp, String) {
    let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
    app.team("The Harbour").await;
    let session = session_of(&app, Role::Organizer).await;
    (app, session)
}

on_both_engines! {
    async fn an_import_does_what_its_preview_said_and_is_undone(engine: Engine) {
        let (app, session) = playing(engine).await;
        let entries = app.test.journal().await.len();
        let actions = get(&app, &session, "/actions").await;
        let seen = preview(&app, &session, FILE).await;
        assert_eq!([&seen["encoding"], &seen["separator"]], ["UTF-8", ";"]);
        assert_eq!(seen["columns"], json!(["name", "email", "country"]));
        let counts = ["new", "there", "waiting", "errors"].map(|it| seen[it].as_u64());
        assert_eq!(counts, [Some(2), Some(1), Some(0), Some(0)], "{seen}");
        assert_eq!(seen["rows"][1]["teamName"], "Crabs");
        assert_eq!(seen["rows"][1]["country"], "UN");
        let note = json!({"line": 3, "severity": "note",
            "message": "\"The Harbour\" is skipped: already exists"});
        assert_eq!(seen["problems"], json!([note]));
        assert_eq!(names(&app).await, ["The Harbour"], "a preview changes nothing");
        assert_eq!(app.test.journal().await.len(), entries);
        assert_eq!(get(&app, &session, "/actions").await, actions, "and records nothing");
        let done = import(&app, &session, seal(&seen), FILE).await;
        assert_eq!(done.status, 200, "{}", done.text());
        let done = done.json();
        let counts = ["teams", "leftOut", "mails"].map(|it| done[it].as_u64());
        assert_eq!(counts, [Some(2), Some(1), Some(0)], "{done}");
        assert_eq!(done["sentence"], "The organizer imported 2 teams.");
        let board = app.board_so("the teams joined", |board| row(board, "Crabs").is_some()).await;
        assert!(row(&board, "Otters").is_some(), "{board}");
        let newest = get(&app, &session, "/actions").await["actions"][0].take();
        assert_eq!([&newest["actor"], &newest["action"]], ["The organizer", "team.import"]);
        assert_eq!((&newest["id"], &newest["undoable"]), (&done["action"], &json!(true)));
        assert_eq!(newest["sentence"], done["sentence"]);
        undo(&app, &session, &json!({"id": done["action"]})).await;
        app.board_so("they left", |board| row(board, "Otters").is_none()).await;
        assert_eq!(names(&app).await, ["The Harbour"]);
    }

    async fn what_changed_since_the_preview_is_not_imported(engine: Engine) {
        let (app, session) = playing(engine).await;
        let seen = preview(&app, &session, FILE).await;
        let changed = FILE.replace("otters@", "others@");
        let stale = import(&app, &session, seal(&seen), &changed).await;
        assert_eq!(stale.status, 409, "a file that changed is refused");
        is(&stale, 409, "import_changed");
        is(&import(&app, &session, "0123", FILE).await, 409, "import_changed");
        is(&send(&app, &session, "/imports", FILE).await, 422, "field_invalid");
        app.team("Crabs").await;
        is(&import(&app, &session, seal(&seen), FILE).await, 409, "import_changed");
        assert_eq!(names(&app).await, ["Crabs", "The Harbour"], "not one team of the file");
        let again = preview(&app, &session, FILE).await;
        assert_eq!((again["new"].as_u64(), again["there"].as_u64()), (Some(1), Some(2)));
        assert_eq!(import(&app, &session, seal(&again), FILE).await.status, 200);
        // If all teams exist, nothing is imported: a second click has no effect.
        is(&import(&app, &session, seal(&again), FILE).await, 409, "import_changed");
        let all = preview(&app, &session, FILE).await;
        assert_eq!((&all["seal"], all["there"].as_u64()), (&json!(null), Some(3)));
        assert_eq!(names(&app).await, ["Crabs", "Otters", "The Harbour"]);
    }

    async fn who_does_not_run_the_contest_imports_nothing(engine: Engine) {
        let (app, session) = playing(engine).await;
        let seen = preview(&app, &session, FILE).await;
        for role in [Role::Observer, Role::Author, Role::Support] {
            let other = session_of(&app, role).await;
            let shown = send(&app, &other, "/imports/preview", FILE).await;
            let done = import(&app, &other, seal(&seen), FILE).await;
            assert_eq!((shown.status, done.status), (404, 404), "{role}");
        }
        assert_eq!(names(&app).await, ["The Harbour"]);
        let owner = session_of(&app, Role::Owner).await;
        assert_eq!(import(&app, &owner, seal(&seen), FILE).await.status, 200);
        let actions = get(&app, &owner, "/actions").await;
        assert_eq!(actions["actions"][0]["actor"], "The owner");
    }

    async fn each_imported_team_gets_one_mail_if_that_is_chosen(engine: Engine) {
        let (app, session) = playing(engine).await;
        let seen = preview(&app, &session, FILE).await;
        assert_eq!((&seen["sendsMail"], seen["mailDays"].as_i64()), (&json!(false), Some(7)));
        let path = format!("/imports?mail=true&seal={}", seal(&seen));
        let done = send(&app, &session, &path, FILE).await;
        assert_eq!((done.status, done.json()["mails"].as_u64()), (200, Some(2)));
        is(&send(&app, &session, &path, FILE).await, 409, "import_changed");
        let more = format!("{FILE}Seals;seals@example.org;FR\n");
        let without = preview(&app, &session, more.as_str()).await;
        assert_eq!(import(&app, &session, seal(&without), &more).await.status, 200);
        let app = app.with_all_mail_written().await;
        let mut to: Vec<String> = app.mails().into_iter().map(|mail| mail.to).collect();
        to.sort();
        assert_eq!(to, ["crabs@example.org", "otters@example.org"], "one each, and no other");
        let token = app.mail_to("otters@example.org").await.token("reset");
        let body = json!({"token": token, "password": "correct horse"});
        assert_eq!(app.player().post("/reset", &body).await.status, 200);
        app.player().log_in("Otters", "correct horse").await;
    }

    async fn mails_of_an_import_ask_for_the_second_factor_again(engine: Engine) {
        let (app, session) = playing(engine).await;
        let seen = preview(&app, &session, FILE).await;
        let with_mail = format!("/imports?mail=true&seal={}", seal(&seen));
        let owner = app.organizer("Ada", &[Role::Owner]).await;
        let token = app.organizer_token(&owner).await;
        let by_script = async |path: &str| {
            let call = Call::new("POST", &format!("/api/organize{path}"));
            let call = call.header("x-api-key", &token).header("content-type", "text/csv");
            call.body(FILE).send(&app).await
        };
        let refused = by_script(&with_mail).await;
        assert_eq!(refused.status, 403, "a token sends no mail");
        is(&refused, 403, "factor_needed");
        app.advance(16 * 60_000);
        is(&send(&app, &session, &with_mail, FILE).await, 403, "factor_needed");
        assert_eq!(names(&app).await, ["The Harbour"], "nothing was imported");
        let shown = by_script("/imports/preview").await.json();
        let done = by_script(&format!("/imports?seal={}", seal(&shown))).await;
        assert_eq!((done.status, done.json()["mails"].as_u64()), (200, Some(0)), "without mails");
        let mails = "select id from outbox";
        assert_eq!(app.test.rows::<(i64,)>(mails).await, []);
    }

    async fn an_address_gets_no_more_teams_than_one_may_have(engine: Engine) {
        let (app, session) = playing(engine).await;
        let row = |number: i64| format!("Class {number},Teacher@example.org\n");
        let class = |numbers: std::ops::RangeInclusive<i64>| -> String {
            std::iter::once("name,email\n".to_owned()).chain(numbers.map(row)).collect()
        };
        let faults = |seen: &Value| -> Vec<(i64, Value)> {
            let problems = seen["problems"].as_array().expect("a list").clone();
            let errors = problems.into_iter().filter(|it| it["severity"] == "error");
            errors.map(|it| (it["line"].as_i64().expect("a line"), it["message"].clone())).collect()
        };
        let message = "teacher@example.org would have more than 20 teams: use another address, \
                       or import the file with `flagship team import`";
        let words = "two teams more than an address may have";
        let many = class(1..=TEAMS_PER_ADDRESS_MAX + 2);
        let seen = preview(&app, &session, many.as_str()).await;
        assert_eq!(seen["seal"], json!(null), "it cannot be imported");
        assert_eq!(faults(&seen), [(22, json!(message)), (23, json!(message))], "{words}");
        // Existing teams with the address count towards the limit; a skipped row does not.
        let some = format!("{}Otters,otters@example.org\n", class(1..=TEAMS_PER_ADDRESS_MAX - 1));
        let seen = preview(&app, &session, some.as_str()).await;
        assert_eq!(import(&app, &session, seal(&seen), &some).await.status, 200);
        let twice = preview(&app, &session, class(3..=TEAMS_PER_ADDRESS_MAX + 1)).await;
        assert_eq!((twice["new"].as_u64(), twice["errors"].as_u64()), (Some(2), Some(1)));
        assert_eq!(faults(&twice), [(20, json!(message))]);
        let last = class(3..=TEAMS_PER_ADDRESS_MAX);
        let seen = preview(&app, &session, last.as_str()).await;
        assert_eq!(import(&app, &session, seal(&seen), &last).await.status, 200);
        let more = class(50..=50);
        let seen = preview(&app, &session, more.as_str()).await;
        assert_eq!((&seen["seal"], faults(&seen)), (&json!(null), vec![(2, json!(message))]));
        assert_eq!(names(&app).await.len() as i64, TEAMS_PER_ADDRESS_MAX + 2);
    }

    async fn imports_that_are_taken_back_flood_no_address(engine: Engine) {
        let (app, session) = playing(engine).await;
        let class = |first: i64| -> String {
            let rows = (first..first + TEAMS_PER_ADDRESS_MAX)
                .map(|number| format!("Class {number},teacher@example.org\n"));
            std::iter::once("name,email\n".to_owned()).chain(rows).collect()
        };
        let (first, second) = (class(1), class(100));
        let seen = preview(&app, &session, first.as_str()).await;
        let path = format!("/imports?mail=true&seal={}", seal(&seen));
        let done = send(&app, &session, &path, first.as_str()).await;
        assert_eq!(done.status, 200, "{}", done.text());
        let app = app.with_all_mail_written().await;
        let sent = mail::sent_in_hour(&app.test.db, app.now_ms()).await.expect("it is read");
        assert_eq!(sent, TEAMS_PER_ADDRESS_MAX);
        undo(&app, &session, &json!({"id": done.json()["action"]})).await;
        let words = "emails of the last hour are counted, and none is sent again";
        let sent = mail::sent_in_hour(&app.test.db, app.now_ms()).await.expect("it is read");
        assert_eq!(sent, TEAMS_PER_ADDRESS_MAX, "{words}");
        let kept = "select address from outbox where subject <> '' or body <> '' \
                    or about_id is not null";
        assert_eq!(app.test.rows::<(String,)>(kept).await, [], "nothing is said of the teams");
        let seen = preview(&app, &session, second.as_str()).await;
        assert_eq!(seen["seal"], json!(null), "{words}: {seen}");
        let problem = seen["problems"][0]["message"].to_string();
        assert!(problem.contains("was undone in the last 24 hours"), "{problem}");
        let other = "name,email\nOthers,others@example.org\n";
        assert_ne!(preview(&app, &session, other).await["seal"], json!(null));
        // After an hour, the emails count only towards the daily limit, and after a day towards
        // none.
        app.advance(2 * 3_600_000);
        let forget = async || {
            let mut tx = app.test.db.begin(Lock::Accounts).await.expect("the lock is free");
            mail::forget(&mut tx, app.now_ms()).await.expect("it deletes");
            tx.commit().await.expect("it commits");
        };
        forget().await;
        assert_eq!(preview(&app, &session, second.as_str()).await["seal"], json!(null));
        app.advance(22 * 3_600_000);
        forget().await;
        assert_eq!(app.test.rows::<(i64,)>("select id from outbox").await, []);
        let organizer = app.organizer("Later", &[Role::Organizer]).await;
        let session = app.organizer_session(&organizer, true).await;
        assert_ne!(preview(&app, &session, second.as_str()).await["seal"], json!(null));
    }

    async fn names_that_are_kept_for_organizers_are_not_imported(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), vec![draft("one")], |config| {
            config.settings.registration.reserved_names = vec!["The Sponsor".to_owned()];
        });
        let app = app.await;
        let session = session_of(&app, Role::Organizer).await;
        let own = event().name;
        let file = format!(
            "name,email,country\nAdmin,a@example.org,\nOtters,o@example.org,\n\
             Th\u{435} Sponsor,s@example.org,XX\n\"{own}\",e@example.org,\n"
        );
        let seen = preview(&app, &session, file.as_str()).await;
        assert_eq!(seen["seal"], json!(null), "it cannot be imported");
        let message = "is reserved for the organizers: use another name, or import the file with \
                       `flagship team import`";
        let is_kept = |it: &Value| it["message"].as_str().is_some_and(|it| it.ends_with(message));
        let problems = seen["problems"].as_array().expect("a list").iter();
        let kept = problems.filter(|it| is_kept(it));
        let lines: Vec<_> = kept.filter_map(|it| it["line"].as_u64()).collect();
        assert_eq!(lines, [2, 4, 5], "the event's own name is reserved: {seen}");
        assert_eq!(seen["errors"].as_u64(), Some(4), "{seen}");
        // An existing team is skipped even if its name is reserved.
        app.team("Admin").await;
        let there = "name,email\nAdmin,a@example.org\nOtters,o@example.org\n";
        let seen = preview(&app, &session, there).await;
        assert_eq!((seen["there"].as_u64(), seen["errors"].as_u64()), (Some(1), Some(0)), "{seen}");
        assert_eq!(import(&app, &session, seal(&seen), there).await.status, 200);
        assert_eq!(names(&app).await, ["Admin", "Otters"]);
    }

    async fn files_that_come_slowly_keep_no_other_organizer_waiting(engine: Engine) {
        let (app, session) = playing(engine).await;
        let words = "a slow file arrives all the same";
        let mut slow = Vec::new();
        for name in ["Ada", "Bob", "Eve"] {
            let organizer = app.organizer(name, &[Role::Organizer]).await;
            let own = app.organizer_session(&organizer, true).await;
            slow.push(begun_preview(&app, &own).await);
        }
        assert_eq!(preview(&app, &session, FILE).await["new"].as_u64(), Some(2));
        for mut stream in slow {
            stream.write_all(FILE.as_bytes()).await.expect("it is sent");
            let mut answer = String::new();
            let read = timeout(WAIT_MAX, stream.read_to_string(&mut answer)).await;
            read.expect("it is answered").expect("the answer is text");
            assert!(answer.starts_with("HTTP/1.1 200"), "{words}: {answer}");
        }
    }

    async fn passwords_of_a_file_let_its_teams_in(engine: Engine) {
        let (app, session) = playing(engine).await;
        let file = "name,email,password\nOtters,otters@example.org,correct horse\n";
        let seen = preview(&app, &session, file).await;
        assert_eq!(seen["rows"][0]["hasPassword"], true);
        assert!(!seen.to_string().contains("correct horse"), "it is not shown: {seen}");
        assert_eq!(import(&app, &session, seal(&seen), file).await.status, 200);
        app.player().log_in("Otters", "correct horse").await;
    }

    async fn the_first_notes_of_a_preview_are_shown_in_order(engine: Engine) {
        let (app, session) = playing(engine).await;
        let listed = "Cheats,cheats@example.org,banned\n".repeat(150);
        let there = "The Harbour,harbour@example.org,plays\n".repeat(150);
        let file = format!("name,email,state\n{there}{listed}Otters,otters@example.org,plays\n");
        let seen = preview(&app, &session, file.as_str()).await;
        let counts = ["new", "there", "listed", "errors"].map(|it| seen[it].as_u64());
        assert_eq!(counts, [Some(1), Some(150), Some(150), Some(0)], "{seen}");
        let notes = seen["problems"].as_array().expect("a list");
        let lines = notes.iter().filter_map(|note| note["line"].as_u64());
        assert_eq!(lines.collect::<Vec<_>>(), (2..=201).collect::<Vec<u64>>());
        assert_eq!(notes[199]["message"], "\"Cheats\" is skipped: listed as banned");
    }

    async fn a_file_with_an_error_says_which_and_imports_nothing(engine: Engine) {
        let (app, session) = playing(engine).await;
        let hash = "$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk";
        let file = format!(
            "name,email,password\nOtters,otters@example.org,\nCrabs,nobody,\n\
             Seals,seals@example.org,{hash}\n"
        );
        let seen = preview(&app, &session, file.as_str()).await;
        assert_eq!((&seen["seal"], seen["errors"].as_u64()), (&json!(null), Some(2)), "{seen}");
        let lines: Vec<_> = (0..2).map(|at| seen["problems"][at]["line"].as_u64()).collect();
        assert_eq!(lines, [Some(3), Some(4)]);
        let message = seen["problems"][1]["message"].as_str().expect("a sentence");
        assert!(message.contains("bcrypt") && !message.contains(hash), "{message}");
        let spreadsheet = b"PK\x03\x04 [Content_Types].xml";
        let seen = preview(&app, &session, &spreadsheet[..]).await;
        assert_eq!((&seen["seal"], seen["new"].as_u64()), (&json!(null), Some(0)));
        let message = "this is a spreadsheet: save it as CSV and import the CSV file";
        assert_eq!(seen["unread"]["message"], message);
        // Cyrillic, in windows-1251.
        let cyrillic = b"name,email\n\xca\xee\xec\xe0\xed\xe4\xe0,team@example.org\n";
        let seen = preview(&app, &session, &cyrillic[..]).await;
        assert_eq!(seen["unread"]["line"], 2, "{seen}");
        let readings = seen["unread"]["readings"].as_array().expect("a list");
        let right = json!({"label": "windows-1251", "names": ["Команда"]});
        assert!(readings.contains(&right), "{readings:?}");
        let path = "/imports/preview?encoding=windows-1251";
        let seen = send(&app, &session, path, &cyrillic[..]).await.json();
        assert_eq!(seen["rows"][0]["teamName"], "Команда", "{seen}");
        // The seal is valid only with the preview's encoding.
        let path = format!("/imports?encoding=windows-1252&seal={}", seal(&seen));
        is(&send(&app, &session, &path, &cyrillic[..]).await, 409, "import_changed");
        let path = "/imports/preview?encoding=martian";
        is(&send(&app, &session, path, FILE).await, 422, "encoding_unknown");
        let large = vec![b' '; FILE_BYTES_MAX + 1];
        is(&send(&app, &session, "/imports/preview", large).await, 413, "body_too_large");
        let text = Call::organize("POST", "/imports/preview").session(&session).json(FILE);
        is(&text.send(&app).await, 415, "file_type_unsupported");
        assert_eq!(names(&app).await, ["The Harbour"]);
    }
}
