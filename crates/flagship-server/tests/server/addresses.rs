//! Strangers who use another person's address learn nothing about it and cannot prevent its owner
//! from using it.

use flagship_control::control;
use flagship_game::TeamName;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::signups::waiting_list::Admission;
use flagship_store::signups::{self, SignupDetails};
use flagship_store::{Lock, Tx};
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Answer, Mail, Player, TestApp, TestDb, on_both_engines, until};
use serde_json::{Value, json};

const HOUR_MS: i64 = 3_600_000;
const PASSWORD: &str = "correct horse battery";

fn signup(team: &str, email: &str) -> Value {
    signup_by(team, email, PASSWORD)
}

fn signup_by(team: &str, email: &str, password: &str) -> Value {
    json!({
        "teamName": team, "email": email, "country": "IT", "password": password,
        "captchaToken": "off",
    })
}

fn login(team: &str, password: &str) -> Value {
    json!({"team": team, "password": password, "captchaToken": "off"})
}

async fn confirmed(app: &TestApp, team: &str, email: &str) -> Player {
    let player = app.player();
    assert_eq!(player.post("/signup", &signup(team, email)).await.status, 201);
    let token = app.mail_to(email).await.token("confirm");
    assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
    player.log_in(team, PASSWORD).await
}

/// Status and body: everything that a stranger can compare.
fn seen(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json.to_string())
}

/// The link for the team `team` in an email about several teams.
fn link_of(mail: &Mail, kind: &str, team: &str) -> Option<String> {
    let (_, after) = mail.body.split_once(&format!("Team \"{team}\""))?;
    let section = after.split("\nTeam \"").next().expect("the mail has a section for the team");
    let line = section.lines().find_map(|line| line.split_once(&format!("/{kind}#")));
    line.map(|(_, token)| token.to_owned())
}

on_both_engines! {
    async fn signups_with_a_known_and_a_new_address_get_the_same_response(
        engine: Engine
    ) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        let words = "known and new are distinguished";
        let is_open = control(
            "signups_with_a_known_and_a_new_address_get_the_same_response",
            words,
        );
        let player = app.player();
        let signups = [("Known One", "ada@example.org"), ("Other One", "new@example.org")];
        let both = async |path: &str, bodies: [Value; 2]| {
            let [known, new] = bodies;
            let (known, new) = (player.post(path, &known).await, player.post(path, &new).await);
            assert_eq!(seen(&known), seen(&new), "{path}: {words}");
            known.status
        };
        let again = || signups.map(|(team, _)| signup(team, "third@example.org"));
        assert_eq!(both("/signup", signups.map(|(team, email)| signup(team, email))).await, 201);
        if is_open {
            app.mail_to("ada@example.org").await;
            let token = app.mail_to("new@example.org").await.token("confirm");
            player.post("/confirm", &json!({"token": token})).await;
        }
        for hour in [0, 12, 23] {
            app.advance(hour * HOUR_MS - (app.now_ms() - flagship_testkit::NOW_MS));
            assert_eq!(both("/login", signups.map(|(team, _)| login(team, PASSWORD))).await, 403);
            assert_eq!(both("/login", signups.map(|(team, _)| login(team, "a guess"))).await, 401);
            assert_eq!(both("/signup", again()).await, 409, "a signup's name is taken");
            for path in ["/resend", "/forgot"] {
                let bodies = signups.map(|(_, email)| json!({"email": email}));
                assert_eq!(both(path, bodies).await, 200);
            }
        }
        app.advance(HOUR_MS);
        assert_eq!(both("/login", signups.map(|(team, _)| login(team, PASSWORD))).await, 401);
        assert_eq!(both("/signup", again()).await, 201, "the name is free after a day");
        // The owner of the address got an email without a link that confirms the stranger's team.
        let mails = app.mails();
        let owner: Vec<&Mail> = mails.iter().filter(|mail| mail.to == "ada@example.org").collect();
        let notices = owner.iter().filter(|mail| mail.words().contains("log in as \"The Team\""));
        assert_eq!(notices.count(), 1);
        let links: usize = owner.iter().map(|mail| mail.tokens("confirm").len()).sum();
        assert_eq!(links, 1, "the link of the owner's own team");
    }

    async fn a_link_confirms_the_signup_that_it_was_mailed_for(engine: Engine) {
        let app = TestApp::new(engine).await;
        let stranger = app.player().from_address("198.51.100.7");
        let body = signup_by("Evil Team", "ada@example.org", "the strangers own");
        assert_eq!(stranger.post("/signup", &body).await.status, 201);
        let strangers = app.mail_to("ada@example.org").await;
        assert!(strangers.words().contains("\"Evil Team\""), "{strangers:?}");
        let owner = app.player();
        let body = signup("Adas Team", "ada@example.org");
        assert_eq!(owner.post("/signup", &body).await.status, 201);
        let own = app.mail_to("ada@example.org").await;
        assert!(own.words().contains("\"Adas Team\""), "the link is for her own team: {own:?}");
        let confirm = json!({"token": own.token("confirm")});
        assert_eq!(owner.post("/confirm", &confirm).await.status, 200);
        owner.log_in("Adas Team", PASSWORD).await;
        // Each address has at most one confirmed team: the stranger's link is now invalid, and no
        // response reveals why.
        let late = json!({"token": strangers.token("confirm")});
        assert_eq!(owner.post("/confirm", &late).await.status, 410);
        let evil = login("Evil Team", "the strangers own");
        assert_eq!(stranger.post("/login", &evil).await.status, 403);
        for path in ["/resend", "/forgot"] {
            owner.post(path, &json!({"email": "ada@example.org"})).await;
        }
        let mail = app.mail_to("ada@example.org").await;
        assert!(!mail.words().contains("Evil Team"), "{mail:?}");
        assert_eq!((mail.tokens("reset").len(), mail.tokens("confirm").len()), (1, 0));
    }

    async fn strangers_cannot_exhaust_the_links_of_a_signup(engine: Engine) {
        let mut app = TestApp::new(engine).await;
        for hour in 0..3 {
            for i in 0..6 {
                let stranger = app.player().from_address(&format!("198.51.100.{i}"));
                let body = signup(&format!("Junk {hour} {i}"), "ada@example.org");
                assert_eq!(stranger.post("/signup", &body).await.status, 201);
                for path in ["/resend", "/forgot"] {
                    stranger.post(path, &json!({"email": "ada@example.org"})).await;
                }
            }
            let team = format!("Adas Team {hour}");
            let owner = app.player().from_address("203.0.113.9");
            let body = signup(&team, "ada@example.org");
            assert_eq!(owner.post("/signup", &body).await.status, 201);
            owner.post("/resend", &json!({"email": "ada@example.org"})).await;
            app = app.with_all_mail_written().await;
            let mails = app.mails();
            let first = |mail: &Mail| mail.words().contains(&format!("Your team \"{team}\""));
            assert!(mails.iter().any(first), "the owner has the link of her signup");
            let again = mails.iter().any(|mail| link_of(mail, "confirm", &team).is_some());
            assert!(again, "the owner gets a second one on request");
            app.advance(HOUR_MS);
        }
        // Each stranger's network triggers one email of each kind per hour; three more are shared
        // by all networks.
        let count = app.mails().iter().filter(|mail| mail.to == "ada@example.org").count();
        assert!(count <= 3 * 3 * (7 + 3), "{count} mails");
    }

    async fn links_for_signups_from_the_asking_network_come_first_then_the_oldest(engine: Engine) {
        let test = TestDb::new(engine).await;
        let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
        // Stands for the digests of a sharer and a network.
        let digests = |network: &str| format!("{network:>64}");
        let signups =
            [("Junk 1", "there"), ("Junk 2", "there"), ("Adas Team", "here"), ("Junk 3", "there")];
        for ((name, network), now_ms) in signups.into_iter().zip(1..) {
            let new = NewAccount {
                name: TeamName::parse(name).expect("a name"),
                email: "ada@example.org".to_owned(),
                country: "IT".to_owned(),
                password_hash: None,
                student: false,
                divisions: Vec::new(),
                language: None,
            };
            let details =
                SignupDetails { network: digests(network), ..SignupDetails::default() };
            let place = Admission::Place;
            let signed_up = signups::sign_up(&mut tx, &new, &details, place, now_ms).await;
            signed_up.expect("it signs up");
        }
        let names = async |tx: &mut Tx, network: &str| -> Vec<String> {
            let found = accounts::for_address(tx, "ada@example.org", &digests(network), 5).await;
            found.expect("readable").waiting.into_iter().map(|account| account.name).collect()
        };
        assert_eq!(names(&mut tx, "here").await, ["Adas Team", "Junk 1", "Junk 2", "Junk 3"]);
        assert_eq!(names(&mut tx, "else").await, ["Junk 1", "Junk 2", "Adas Team", "Junk 3"]);
    }

    async fn an_unconfirmed_address_gets_links_of_its_oldest_teams(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.confirm_email = false;
        })
        .await;
        let owner = app.player();
        let first = signup("The Team", "ada@example.org");
        assert_eq!(owner.post("/signup", &first).await.status, 201);
        let mut statuses = Vec::new();
        for i in 0..101 {
            app.advance(1);
            let stranger = app.player().from_address(&format!("198.51.100.{}", i / 20));
            let body = signup(&format!("Junk number {i}"), "ada@example.org");
            statuses.push(stranger.post("/signup", &body).await.status);
        }
        owner.post("/forgot", &json!({"email": "ada@example.org"})).await;
        let mail = app.mail_to("ada@example.org").await;
        let link = link_of(&mail, "reset", "The Team");
        assert!(link.is_some(), "the owner's link is in the mail: {mail:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 19, "{statuses:?}");
        assert!(statuses[19..].iter().all(|status| [409, 429].contains(status)), "{statuses:?}");
    }

    async fn a_signup_without_confirmation_is_one_commit(engine: Engine) {
        let test = std::sync::Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), vec![draft("one")], |config| {
            config.settings.registration.confirm_email = false;
        })
        .await;
        // The lane cannot write while the last row of the journal is invalid.
        app.test.execute(
            "insert into journal (seq, at_ms, salt, body, hash) \
             select max(seq) + 1, 0, '', '', '' from journal",
        )
        .await;
        let body = signup("The Team", "ada@example.org");
        assert_eq!(app.player().post("/signup", &body).await.status, 503);
        app.test.execute("delete from journal where body = ''").await;
        let again = app.player().post("/signup", &body).await;
        assert_eq!(again.status, 201, "the failed signup left nothing: {again:?}");
        let team = app.player().log_in("The Team", PASSWORD).await;
        assert_eq!(team.get("/ctf").await.json["loggedTeam"], "The Team");
    }

    async fn the_networks_of_a_48_of_ipv6_have_a_budget_together(engine: Engine) {
        let app = TestApp::new(engine).await;
        let mut counts = [0, 0];
        for i in 0..150_u32 {
            let at = format!("2001:db8:0:{i:x}00::1");
            let player = app.player().from_address(&at);
            let body = signup(&format!("Team no {i}"), &format!("{i}@example.org"));
            counts[0] += u32::from(player.post("/signup", &body).await.status == 201);
            let mail = json!({"email": format!("{i}@example.net")});
            counts[1] += u32::from(player.post("/forgot", &mail).await.status == 200);
        }
        assert_eq!(counts, [80, 80], "of 150 networks of one /48");
        let mut home = 0;
        for i in 0..60 {
            let player = app.player().from_address(&format!("2001:db8:77:4{:02x}::1", i));
            let body = signup(&format!("Home no {i}"), &format!("home{i}@example.org"));
            home += u32::from(player.post("/signup", &body).await.status == 201);
        }
        assert_eq!(home, 40, "of 60 networks of one /56");
    }

    async fn names_are_not_links_in_mails(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 0;
        })
        .await;
        let names = [
            "https://evil.example/x",
            "www.evil.example",
            "evil.example",
            "free flags: evil.example",
            "ftp：／／evil。example",
            "eve@evil.example",
        ];
        for (i, name) in names.into_iter().enumerate() {
            let email = format!("{i}@example.org");
            let answer = app.player().post("/signup", &signup(name, &email)).await;
            assert_eq!(answer.status, 201, "{name}: {answer:?}");
            app.player().post("/forgot", &json!({"email": email})).await;
            for mail in app.mails_to(&email, 2).await {
                let text = mail.body.replace(&app.url, "");
                for piece in ["://", "：／", "evil.ex", "evil。ex", "www.", "@evil"] {
                    assert!(!text.contains(piece), "{piece} is a link in {text}");
                }
            }
        }
    }

    async fn addresses_of_the_machine_itself_are_refused(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 0;
        })
        .await;
        let emails = [
            "w@localhost", "w@LOCALHOST", "w@a.localhost", "w@localhost.localdomain", "w@intranet",
            "w@nas.lan", "w@router.home.arpa", "synthetic@example.invalid",
            "w@[127.0.0.1]", "w@127.0.0.1", "w@[IPv6:::1]", "w@[::1]", "w@[10.0.0.1]",
            "w@0x7f.1", "w@127.1", "w@printer.local", "w@db.internal", "w@１２７.０.０.１",
        ];
        for (i, email) in emails.into_iter().enumerate() {
            let body = signup(&format!("Team no {i}"), email);
            let answer = app.player().post("/signup", &body).await;
            assert_eq!(answer.status, 422, "{email} is refused");
        }
        let intranet = TestApp::with(engine, |config| {
            config.settings.registration.local_addresses = true;
        })
        .await;
        for (i, email) in ["w@intranet", "w@localhost"].into_iter().enumerate() {
            let body = signup(&format!("Team no {i}"), email);
            assert_eq!(intranet.player().post("/signup", &body).await.status, 201, "{email}");
            intranet.mail_to(email).await;
        }
    }

    async fn both_forms_of_an_international_domain_are_one_address(engine: Engine) {
        let app = TestApp::new(engine).await;
        let first = app.player().post("/signup", &signup("First", "Ada@Bücher.example")).await;
        assert_eq!(first.status, 201);
        let ascii = "ada@xn--bcher-kva.example";
        let token = app.mail_to(ascii).await.token("confirm");
        assert_eq!(app.player().post("/confirm", &json!({"token": token})).await.status, 200);
        let forms = [ascii, "ADA@BÜCHER.example", "ada@bu\u{308}cher.example"];
        for (i, form) in forms.into_iter().enumerate() {
            let player = app.player().from_address(&format!("198.51.100.{i}"));
            player.post("/signup", &signup(&format!("Again {i}"), form)).await;
            until("the mail is there", async || app.mails().len() > i + 1).await;
        }
        let known = app.mails().into_iter().filter(|mail| mail.words().contains("\"First\""));
        let known = known.filter(|mail| mail.to == ascii).count();
        assert_eq!(known, 4, "all forms are the same address");
    }
}
