//! The maximum number of teams, the waiting list, and every rejection of a signup.

use std::time::Duration;

use flagship_pack::{CaptchaProvider, SignupCodes, SignupField, SignupFieldType};
use flagship_store::accounts::UNCONFIRMED_MS;
use flagship_store::ops::{Caller, Op};
use flagship_store::organizers::Role;
use flagship_store::signups::waiting_list::HELD_MS;
use flagship_testkit::{
    Call, Engine, Mail, NOW_MS, Player, TestApp, TestDb, commands, on_both_engines, until,
};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{HOUR_MS, PASSWORD, but, confirmed, import, logged_team, login, signup, teams};
use crate::actions::{action, session_of};

const CHECK_MAIL: &str = "Team created, check your email for a verification link!";
const ON_THE_LIST: &str =
    "Your team is on the waiting list, check your email for a verification link!";

/// An event with at most this many teams.
async fn limited(engine: Engine, max_teams: usize, waiting_list: bool) -> TestApp {
    TestApp::with(engine, |config| {
        config.settings.registration.max_teams = max_teams;
        config.settings.registration.waiting_list = waiting_list;
    })
    .await
}

fn address(team: &str) -> String {
    format!("{}@example.org", team.to_lowercase().replace(' ', "."))
}

/// Signs up a team, from its own network; returns the status and the body.
async fn sign_up(app: &TestApp, team: &str) -> (u16, Value) {
    let answer = app.player().post("/signup", &signup(team, &address(team))).await;
    (answer.status, answer.json)
}

fn created() -> (u16, Value) {
    (201, json!({"message": CHECK_MAIL}))
}

fn waits() -> (u16, Value) {
    (201, json!({"message": ON_THE_LIST, "waiting": true}))
}

/// Confirms a team with the link that it received; returns the body.
async fn confirm(app: &TestApp, team: &str) -> Value {
    confirm_with(app, &app.mail_to(&address(team)).await).await
}

/// Confirms a team with the link of an email; returns the body.
async fn confirm_with(app: &TestApp, mail: &Mail) -> Value {
    let token = mail.token("confirm");
    let answer = app.player().post("/confirm", &json!({"token": token})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json
}

/// Signs up and confirms a team that has to wait.
async fn waiting(app: &TestApp, team: &str) {
    assert_eq!(sign_up(app, team).await, waits(), "{team}");
    assert_eq!(confirm(app, team).await["waiting"], true, "{team}");
}

/// Status and error code of a login.
async fn log_in(app: &TestApp, team: &str) -> (u16, String) {
    let answer = app.player().post("/login", &login(team, PASSWORD)).await;
    (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned())
}

async fn is_in(app: &TestApp, team: &str) {
    let words = format!("{team} gets a place");
    until(&words, async || log_in(app, team).await.0 == 200).await;
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

async fn is_full(app: &TestApp) -> Value {
    app.player().get("/ctf").await.json["registration"]["full"].clone()
}

/// Erases the private data of a team.
async fn erase(app: &TestApp, team: &str) {
    let accounts: Vec<(i64, String)> = app.test.rows("select id, name from accounts").await;
    let (id, _) = accounts.into_iter().find(|(_, name)| name == team).expect("it has signed up");
    let account_id = Some(id);
    app.run(Op::Erase { account_id, is_confirmed: true, by: Caller::CommandLine }).await;
}

/// The standing of a team as an organizer sees it.
async fn standing(app: &TestApp, session: &str, team: &str) -> Value {
    let answer = Call::organize("GET", "/teams").session(session).send(app).await.json();
    let all = answer["teams"].as_array().expect("a list");
    let found = all.iter().find(|it| it["teamName"] == team);
    found.expect("the team is in the list")["standing"].clone()
}

on_both_engines! {
    async fn a_full_event_refuses_signups(engine: Engine) {
        let app = limited(engine, 2, false).await;
        let info = app.player().get("/ctf").await.json["registration"].clone();
        assert_eq!((&info["full"], &info["waitingList"]), (&json!(false), &json!(false)));
        confirmed(&app, "First", "first@example.org").await;
        assert_eq!(is_full(&app).await, false);
        // An unconfirmed signup holds a place.
        assert_eq!(sign_up(&app, "Second").await, created());
        assert_eq!(is_full(&app).await, true);
        let refused = app.player().post("/signup", &signup("Third", "third@example.org")).await;
        assert_eq!((refused.status, &refused.json["code"]), (403, &json!("registration_full")));
        assert_eq!(refused.message(), "All places for teams are taken.");
        // The name is checked first, and the address makes no difference.
        let taken = app.player().post("/signup", &signup("FIRST", "third@example.org")).await;
        assert_eq!((taken.status, &taken.json["code"]), (409, &json!("team_name_taken")));
        let used = app.player().post("/signup", &signup("Third", "first@example.org")).await;
        assert_eq!((used.status, used.json), (refused.status, refused.json));
        assert_eq!(app.test.rows::<(i64,)>("select id from accounts").await.len(), 2);
        confirm(&app, "Second").await;
        assert_eq!(log_in(&app, "Second").await, is(200, ""));
    }

    async fn a_signup_that_lapses_gives_its_place_back(engine: Engine) {
        let app = limited(engine, 1, false).await;
        assert_eq!(sign_up(&app, "First").await, created());
        app.advance(UNCONFIRMED_MS - 1);
        assert_eq!(sign_up(&app, "Second").await.0, 403);
        app.advance(1);
        assert_eq!(sign_up(&app, "Second").await, created());
    }

    async fn a_waiting_team_joins_when_a_place_is_free(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        assert_eq!(app.player().get("/ctf").await.json["registration"]["waitingList"], true);
        assert_eq!(is_full(&app).await, true);
        let entries = app.test.journal().await.len();
        assert_eq!(sign_up(&app, "Second").await, waits());
        let mail = app.mail_to("second@example.org").await;
        assert!(mail.words().contains("\"Second\" is on the waiting list"), "{mail:?}");
        assert_eq!(confirm_with(&app, &mail).await["waiting"], true);
        assert_eq!(sign_up(&app, "SECOND").await.0, 409, "the name is taken as usual");
        assert_eq!(log_in(&app, "Second").await, is(403, "registration_waiting"));
        assert_eq!(app.test.journal().await.len(), entries, "it is not in the journal");
        assert_eq!(teams(&app.player().get("/scoreboard").await), ["First"]);
        assert_eq!(app.player().get("/team/Second").await.status, 404);
        let session = session_of(&app, Role::Organizer).await;
        assert_eq!(standing(&app, &session, "Second").await, "waiting");

        app.run(commands::ban("First")).await;
        is_in(&app, "Second").await;
        let mail = app.mail_to("second@example.org").await;
        assert!(mail.words().contains("A place for your team \"Second\""), "{mail:?}");
        assert_eq!(teams(&app.player().get("/scoreboard").await), ["Second"]);
        assert_eq!(standing(&app, &session, "Second").await, "plays");
    }

    async fn a_hidden_or_erased_team_frees_its_place(engine: Engine) {
        let app = limited(engine, 2, true).await;
        confirmed(&app, "First", "first@example.org").await;
        confirmed(&app, "Second", "second@example.org").await;
        waiting(&app, "Third").await;
        waiting(&app, "Fourth").await;
        app.run(commands::hide_team("First")).await;
        is_in(&app, "Third").await;
        assert_eq!(log_in(&app, "Fourth").await, is(403, "registration_waiting"));
        erase(&app, "Second").await;
        is_in(&app, "Fourth").await;
        // A waiting team leaves nothing behind.
        waiting(&app, "Fifth").await;
        erase(&app, "Fifth").await;
        assert_eq!(log_in(&app, "Fifth").await.0, 401);
        assert_eq!(sign_up(&app, "Fifth").await, waits());
    }

    async fn imported_teams_count_and_hidden_test_teams_do_not(engine: Engine) {
        let app = limited(engine, 2, false).await;
        let session = session_of(&app, Role::Organizer).await;
        let made = action(&app, &session, "team.test", json!({"team": "Testers"})).await;
        assert_eq!(made.status, 200, "{}", made.text());
        import(&app, &[("Imported", "imported@example.org")]).await;
        until("one place is left", async || is_full(&app).await == false).await;
        assert_eq!(sign_up(&app, "First").await, created());
        assert_eq!(sign_up(&app, "Second").await.0, 403);
    }

    async fn places_go_to_confirmed_teams_in_the_order_of_signups(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        for team in ["Second", "Third", "Fourth"] {
            assert_eq!(sign_up(&app, team).await, waits());
        }
        for team in ["Fourth", "Third"] {
            assert_eq!(confirm(&app, team).await["waiting"], true);
        }
        app.run(commands::ban("First")).await;
        is_in(&app, "Third").await;
        assert_eq!(log_in(&app, "Fourth").await, is(403, "registration_waiting"));
        // The second team was passed over until it confirms; then it is first again.
        assert_eq!(confirm(&app, "Second").await["waiting"], true);
        app.run(commands::ban("Third")).await;
        is_in(&app, "Second").await;
        assert_eq!(log_in(&app, "Fourth").await, is(403, "registration_waiting"));
    }

    async fn a_team_that_confirms_when_a_place_is_free_joins_at_once(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        assert_eq!(sign_up(&app, "Second").await, waits());
        app.run(commands::ban("First")).await;
        until("the place is free", async || is_full(&app).await == false).await;
        let answer = confirm(&app, "Second").await;
        assert_eq!(answer.get("waiting"), None, "{answer}");
        assert_eq!(log_in(&app, "Second").await, is(200, ""));
    }

    async fn an_unconfirmed_signup_holds_its_place_for_an_hour_while_others_wait(engine: Engine) {
        let app = limited(engine, 1, true).await;
        assert_eq!(sign_up(&app, "First").await, created());
        app.advance(2 * HELD_MS);
        assert_eq!(is_full(&app).await, true, "no team waits");
        assert_eq!(sign_up(&app, "Second").await, waits());
        // Two hours have passed, so the confirmed team takes the place.
        let answer = confirm(&app, "Second").await;
        assert_eq!(answer.get("waiting"), None, "{answer}");
        assert_eq!(log_in(&app, "Second").await, is(200, ""));
        assert_eq!(confirm(&app, "First").await["waiting"], true);

        let app = limited(engine, 1, true).await;
        assert_eq!(sign_up(&app, "First").await, created());
        waiting(&app, "Second").await;
        app.advance(HELD_MS - 1);
        assert_eq!(log_in(&app, "Second").await, is(403, "registration_waiting"));
        app.advance(1);
        is_in(&app, "Second").await;
        // The first team keeps its position on the list.
        waiting(&app, "Third").await;
        assert_eq!(confirm(&app, "First").await["waiting"], true);
        app.run(commands::ban("Second")).await;
        is_in(&app, "First").await;
        assert_eq!(log_in(&app, "Third").await, is(403, "registration_waiting"));
    }

    async fn a_higher_maximum_lets_the_next_teams_in(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        for team in ["Second", "Third", "Fourth"] {
            waiting(&app, team).await;
        }
        let mut live = (*app.app.settings()).clone();
        live.registration.max_teams = 3;
        app.app.reload(&live).await.expect("the settings are stored");
        is_in(&app, "Second").await;
        is_in(&app, "Third").await;
        assert_eq!(log_in(&app, "Fourth").await, is(403, "registration_waiting"));
        live.registration.max_teams = 0;
        app.app.reload(&live).await.expect("the settings are stored");
        is_in(&app, "Fourth").await;
        assert_eq!(is_full(&app).await, false);
    }

    async fn an_organizer_gives_a_waiting_team_a_place(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        waiting(&app, "Second").await;
        waiting(&app, "Third").await;
        let session = session_of(&app, Role::Organizer).await;
        let admit = async |team: &str| {
            let answer = action(&app, &session, "team.admit", json!({"team": team})).await;
            (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(admit("First").await, is(409, "wrong_standing"));
        assert_eq!(admit("Third").await, is(200, ""));
        assert_eq!(log_in(&app, "Third").await, is(200, ""));
        let mail = app.mail_to("third@example.org").await;
        assert!(mail.words().contains("Log in here"), "{mail:?}");
        assert_eq!(log_in(&app, "Second").await, is(403, "registration_waiting"));
        for name in ["team.ban", "team.hide", "team.award"] {
            let points = if name == "team.award" { json!(1) } else { Value::Null };
            let more = but(&json!({"team": "Second"}), "points", points);
            let refused = action(&app, &session, name, more).await;
            assert_eq!(refused.status, 409, "{name}: {}", refused.text());
        }
        let support = session_of(&app, Role::Support).await;
        let refused = action(&app, &support, "team.admit", json!({"team": "Second"})).await;
        assert_eq!(refused.status, 404, "{}", refused.text());
    }

    async fn a_used_address_gets_the_same_answer_and_holds_no_place(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        let post = async |team: &str, email: &str| {
            let answer = app.player().post("/signup", &signup(team, email)).await;
            (answer.status, answer.json)
        };
        assert_eq!(post("Second", "first@example.org").await, waits());
        assert_eq!(post("Third", "third@example.org").await, waits());
        assert_eq!(confirm(&app, "Third").await["waiting"], true);
        app.run(commands::ban("First")).await;
        is_in(&app, "Third").await;
        // An address of a waiting team is used as well.
        assert_eq!(post("Fourth", "fourth@example.org").await, waits());
        assert_eq!(confirm(&app, "Fourth").await["waiting"], true);
        assert_eq!(post("Fifth", "fourth@example.org").await, waits());
        let mail = app.mail_to("fourth@example.org").await;
        assert!(mail.tokens("confirm").is_empty(), "{mail:?}");
    }

    async fn without_confirmation_a_team_waits_until_its_email(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.max_teams = 1;
            config.settings.registration.waiting_list = true;
            config.settings.registration.confirm_email = false;
        })
        .await;
        assert_eq!(sign_up(&app, "First").await.1, json!({
            "message": "Team created, you can log in now!"}));
        let (status, body) = sign_up(&app, "Second").await;
        assert_eq!((status, &body["waiting"]), (201, &json!(true)));
        assert_eq!(log_in(&app, "Second").await, is(403, "registration_waiting"));
        app.run(commands::ban("First")).await;
        is_in(&app, "Second").await;
        app.mail_to("second@example.org").await;
    }

    async fn no_card_or_link_lets_a_waiting_team_in(engine: Engine) {
        let app = limited(engine, 1, true).await;
        confirmed(&app, "First", "first@example.org").await;
        waiting(&app, "Second").await;
        let player = app.player();
        let body = json!({"email": "second@example.org"});
        assert_eq!(player.post("/forgot", &body).await.status, 200);
        let token = app.mail_to("second@example.org").await.token("reset");
        let password = "another long password";
        let body = json!({"token": token, "password": password});
        assert_eq!(player.post("/reset", &body).await.status, 200);
        let answer = player.post("/login", &login("Second", password)).await;
        assert_eq!((answer.status, &answer.json["code"]), (403, &json!("registration_waiting")));
        assert_eq!(logged_team(&player).await, Value::Null);
        assert!(app.test.rows::<(i64,)>("select account_id from sessions").await.len() <= 1);
    }

    async fn parallel_signups_on_two_nodes_share_the_places(engine: Engine) {
        let change = |config: &mut flagship_server::Config| {
            config.settings.registration.max_teams = 5;
            config.settings.registration.waiting_list = true;
            config.settings.limits.signups_per_network_per_hour = 0;
        };
        let app = TestApp::with(engine, change).await;
        let other = app.second_node(change).await;
        let all = (0..200).map(|at| {
            let node = if at % 2 == 0 { &app } else { &other };
            let player = node.player().from_address(&format!("203.0.113.{}", at % 250));
            let team = format!("Team {at}");
            async move { persistent(&player, &signup(&team, &address(&team))).await }
        });
        let answers = join_all(all).await;
        let places = answers.iter().filter(|it| it.get("waiting").is_none()).count();
        assert_eq!(places, 5, "{answers:?}");
        let sql = "select count(*) from accounts where waiting_since_ms is not null";
        assert_eq!(app.test.rows::<(i64,)>(sql).await, [(195,)]);
        let sql = "select count(distinct signup_number) from accounts";
        assert_eq!(app.test.rows::<(i64,)>(sql).await, [(200,)]);
        assert_eq!(is_full(&app).await, true);
        until("the other node knows", async || is_full(&other).await == true).await;
    }

    async fn every_bad_signup_is_refused_with_its_sentence(engine: Engine) {
        for (what, change, body, (status, code, sentence)) in bad_signups() {
            let app = prepared(engine, change).await;
            let answer = app.player().post("/signup", &body).await;
            let found = (answer.status, answer.json["code"].as_str(), answer.message());
            assert_eq!(found, (status, Some(code), sentence), "{what}");
            let sql = "select id from accounts where name not in ('Taken', 'Listed')";
            assert!(app.test.rows::<(i64,)>(sql).await.is_empty(), "{what} stores nothing");
            drop(app.stop().await);
        }
    }
}

/// Signs up, again as long as the server is overloaded: it hashes few passwords at a time.
async fn persistent(player: &Player, body: &Value) -> Value {
    loop {
        let answer = player.post("/signup", body).await;
        if ![429, 503].contains(&answer.status) {
            assert_eq!(answer.status, 201, "{answer:?}");
            return answer.json;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A change of the event before a bad signup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Nothing,
    NotOpen,
    Closed,
    Full,
    Listed,
    UsedCode,
    RevokedCode,
    WrongCode,
    Domain,
    Fields,
    Captcha,
}

/// Code in the bodies about codes.
const CODE: &str = "abcdefghijklmnop";

/// Starts an event with a change and, where the change needs them, a team and a code.
async fn prepared(engine: Engine, change: Change) -> TestApp {
    let test = std::sync::Arc::new(TestDb::new(engine).await);
    let clock = flagship_store::Clock::manual(NOW_MS);
    let app = TestApp::on(test, clock, |config| {
        let rules = &mut config.settings.registration;
        match change {
            Change::Nothing => {}
            Change::NotOpen => rules.opens = Some(NOW_MS + HOUR_MS),
            Change::Closed => rules.closes = Some(NOW_MS),
            Change::Full | Change::Listed => {
                rules.max_teams = 1;
                rules.waiting_list = change == Change::Listed;
            }
            Change::UsedCode | Change::RevokedCode | Change::WrongCode => {
                rules.codes = SignupCodes::Required;
            }
            Change::Domain => rules.email_domains = vec!["example.org".to_owned()],
            Change::Fields => rules.fields = fields(),
            Change::Captcha => config.settings.captcha.provider = CaptchaProvider::Altcha,
        }
    })
    .await;
    import(&app, &[("Taken", "taken@example.org")]).await;
    let insert = "insert into signup_codes (code, label, uses, made_at_ms, revoked_at_ms) values ";
    match change {
        Change::Listed => assert_eq!(sign_up(&app, "Listed").await, waits()),
        Change::UsedCode => {
            let code = format!("{insert} ('{CODE}', '', 1, 0, null)");
            app.test.execute(code.leak()).await;
            app.test.execute(format!("update accounts set signup_code = '{CODE}'").leak()).await;
        }
        Change::RevokedCode => {
            app.test.execute(format!("{insert} ('{CODE}', '', 1, 0, 1)").leak()).await;
        }
        _ => {}
    }
    app
}

fn fields() -> Vec<SignupField> {
    let field = |id: &str, kind, choices: &[&str]| SignupField {
        id: id.to_owned(),
        label: format!("The {id}"),
        kind,
        choices: choices.iter().map(|it| (*it).to_owned()).collect(),
        required: true,
    };
    vec![
        field("school", SignupFieldType::Text, &[]),
        field("city", SignupFieldType::Choice, &["Turin", "Milan"]),
        field("privacy", SignupFieldType::Consent, &[]),
    ]
}

type Bad = (&'static str, Change, Value, (u16, &'static str, &'static str));

const BAD_CODE: (u16, &str, &str) =
    (422, "code_invalid", "This code is not valid. Check it, or ask for another one.");
const BAD_DOMAIN: (u16, &str, &str) = (
    422,
    "email_domain",
    "Email addresses of this domain cannot be used for this event. Use another address.",
);
const BAD_FIELD: (u16, &str, &str) = (
    422,
    "field_invalid",
    "A field is missing, has the wrong type, or has a value that is not allowed.",
);
const FULL: (u16, &str, &str) = (403, "registration_full", "All places for teams are taken.");
const NOT_OPEN: (u16, &str, &str) =
    (403, "registration_not_open", "Registration has not opened yet.");
const CLOSED: (u16, &str, &str) = (403, "registration_closed", "Registration is closed.");
const CAPTCHA: (u16, &str, &str) = (400, "captcha_invalid", "Invalid captcha");
const RESERVED: (u16, &str, &str) =
    (409, "team_name_reserved", "This name is reserved. Choose another.");
const TAKEN: (u16, &str, &str) =
    (409, "team_name_taken", "A team with this name, or one that looks like it, already exists.");
const SHORT_NAME: (u16, &str, &str) =
    (422, "team_name_length", "Team names must be 3 to 25 characters long.");
const INVISIBLE: (u16, &str, &str) = (
    422,
    "team_name_invisible_character",
    "Team names cannot contain invisible or control characters.",
);
const EMAIL: (u16, &str, &str) = (422, "email_invalid", "Enter a valid email address.");
const NOT_ASCII: (u16, &str, &str) = (
    422,
    "email_not_ascii",
    "Many mail servers reject this address. Use one with only ASCII characters before the @.",
);
const COUNTRY: (u16, &str, &str) = (422, "country_unknown", "Choose a country from the list.");
const SHORT: (u16, &str, &str) = (422, "password_too_short", "The password is too short.");
const LONG: (u16, &str, &str) =
    (422, "password_too_long", "Passwords can be at most 128 characters long.");
const COMMON: (u16, &str, &str) =
    (422, "password_too_common", "This password is too common. Choose another.");

/// Invalid signups with the status, code and sentence of their rejection.
fn bad_signups() -> Vec<Bad> {
    let good = signup("The Team", "ada@example.org");
    let with = |name: &str, value: Value| but(&good, name, value);
    let text = |name: &str, value: &str| but(&good, name, json!(value));
    let answers = json!({"school": "Nautical", "city": "Turin", "privacy": true});
    let answered = |name: &str, value: Value| with("fields", but(&answers, name, value));
    let none = Change::Nothing;
    vec![
        ("a used code", Change::UsedCode, text("code", CODE), BAD_CODE),
        ("a revoked code", Change::RevokedCode, text("code", CODE), BAD_CODE),
        ("a wrong code", Change::WrongCode, text("code", CODE), BAD_CODE),
        ("another domain", Change::Domain, text("email", "ada@example.com"), BAD_DOMAIN),
        ("a subdomain", Change::Domain, text("email", "ada@sub.example.org"), BAD_DOMAIN),
        ("a full event", Change::Full, good.clone(), FULL),
        ("before the window", Change::NotOpen, good.clone(), NOT_OPEN),
        ("after the window", Change::Closed, good.clone(), CLOSED),
        ("a long answer", Change::Fields, answered("school", json!("x".repeat(201))), BAD_FIELD),
        ("an unknown field", Change::Fields, answered("other", json!("x")), BAD_FIELD),
        ("no consent", Change::Fields, answered("privacy", json!(false)), BAD_FIELD),
        ("a wrong choice", Change::Fields, answered("city", json!("Rome")), BAD_FIELD),
        ("a reserved name", none, text("teamName", "admin"), RESERVED),
        ("a taken name", none, text("teamName", "TAKEN"), TAKEN),
        ("a name on the waiting list", Change::Listed, text("teamName", "listed"), TAKEN),
        ("a short name", none, text("teamName", "ab"), SHORT_NAME),
        ("an invisible character", none, text("teamName", "The\u{200b}Team"), INVISIBLE),
        ("no address", none, text("email", "ada"), EMAIL),
        ("an address that is not ASCII", none, text("email", "ad\u{e0}@example.org"), NOT_ASCII),
        ("a local address", none, text("email", "ada@localhost"), EMAIL),
        ("an unknown country", none, text("country", "XX"), COUNTRY),
        ("a short password", none, text("password", "x7!"), SHORT),
        ("a common password", none, text("password", "password"), COMMON),
        ("a long password", none, with("password", json!("x7".repeat(65))), LONG),
        ("no captcha", Change::Captcha, text("captchaToken", ""), CAPTCHA),
    ]
}
