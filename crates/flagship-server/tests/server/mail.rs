//! Delivery of emails: to files, and to an SMTP server that is sometimes unavailable.

use std::process::Stdio;
use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_game::{Event, Reveal};
use flagship_pack::{MailTls, MailTransport};
use flagship_server::Config;
use flagship_store::ops::{Op, Plan};
use flagship_store::{Lock, mail};
use flagship_testkit::{Mail, TestApp, on_both_engines, until};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

fn signup(team: &str, email: &str) -> Value {
    json!({
        "teamName": team, "email": email, "country": "IT", "password": "correct horse battery",
        "captchaToken": "off",
    })
}

async fn sign_up(app: &TestApp, team: &str, email: &str) {
    let answer = app.player().post("/signup", &signup(team, email)).await;
    assert_eq!(answer.status, 201, "{answer:?}");
}

async fn name_event(app: &TestApp, name: &str) {
    let event = Event {
        name: name.to_owned(),
        start_ms: None,
        end_ms: None,
        freeze_ms: None,
        reveal: Reveal::Auto,
        timezone: "UTC".to_owned(),
        flag_format: String::new(),
        rules: String::new(),
        hint_debt: false,
        practice: false,
        divisions: Vec::new(),
    };
    app.run(Op::Apply(Box::new(Plan::new(event, Vec::new())))).await;
}

/// A free port, for a server that does not run yet.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

fn through_smtp(port: u16) -> impl FnOnce(&mut Config) {
    move |config| {
        let mail = &mut config.settings.mail;
        mail.transport = MailTransport::Smtp;
        mail.host = "127.0.0.1".to_owned();
        mail.port = port;
        mail.tls = MailTls::None;
    }
}

/// A running SMTP server. Dropping it stops it.
struct Smtp {
    folder: TempDir,
    _input: ChildStdin,
    _process: Child,
}

impl Smtp {
    async fn start(port: u16) -> Self {
        Self::start_with(port, &[]).await
    }

    /// Starts a server with TLS. Its certificate and key are in two files.
    async fn protected(port: u16, tls: MailTls, certificate: &Certificate) -> Self {
        let mode = if tls == MailTls::Tls { "tls" } else { "starttls" };
        let path = |name| certificate.folder.path().join(name).display().to_string();
        Self::start_with(port, &[mode, &path("server.pem"), &path("server.key")]).await
    }

    async fn start_with(port: u16, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/smtp_sink.py");
        let mut process = Command::new("/usr/bin/python3")
            .args([script, &port.to_string()])
            .arg(folder.path())
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Debian's python3 is installed");
        let input = process.stdin.take().expect("it is piped");
        let output = BufReader::new(process.stdout.take().expect("it is piped"));
        let ready = output.lines().next_line().await.expect("it is readable");
        assert_eq!(
            ready.as_deref(),
            Some("ready"),
            "the SMTP server did not start: apt-get install python3-aiosmtpd"
        );
        Self { folder, _input: input, _process: process }
    }

    fn mails(&self) -> Vec<Mail> {
        Mail::read(self.folder.path())
    }

    async fn first_mail(&self) -> Mail {
        until("the server has the mail", async || !self.mails().is_empty()).await;
        self.mails().remove(0)
    }
}

/// A private certificate authority and a certificate for one name: files made by openssl.
struct Certificate {
    folder: TempDir,
    /// The certificate of the authority, as PEM.
    ca: String,
}

impl Certificate {
    fn of(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let openssl = |words: &[&str]| {
            let done = std::process::Command::new("openssl")
                .args(words)
                .current_dir(folder.path())
                .output()
                .expect("openssl is installed: apt-get install openssl");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        let alternative = format!("subjectAltName=IP:{name}");
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];
        let own = [
            "req",
            "-x509",
            "-days",
            "2",
            "-subj",
            "/CN=The Authority",
            "-keyout",
            "ca.key",
            "-out",
            "ca.pem",
        ];
        openssl(&[&own[..], &key].concat());
        let signed = [
            "req",
            "-x509",
            "-days",
            "2",
            "-subj",
            "/CN=The Mail",
            "-keyout",
            "server.key",
            "-out",
            "server.pem",
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-addext",
            &alternative,
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ];
        openssl(&[&signed[..], &key].concat());
        let ca = std::fs::read_to_string(folder.path().join("ca.pem")).expect("openssl made it");
        Self { folder, ca }
    }
}

fn through_tls(port: u16, tls: MailTls, ca: Option<&str>) -> impl FnOnce(&mut Config) {
    let ca = ca.map(str::to_owned);
    move |config| {
        through_smtp(port)(config);
        config.settings.mail.tls = tls;
        config.settings.mail.ca = ca;
        config.settings.mail.username = Some("flagship".to_owned());
        config.smtp_password = Some(flagship_game::Secret::new("smtp secret"));
    }
}

/// Waits until the only email has failed this many times and is due again after `pause_ms`.
async fn until_failed(app: &TestApp, times: i64, pause_ms: i64) {
    let (db, now_ms) = (app.test.reopen().await, app.now_ms());
    let due =
        async |at_ms| mail::due(&db, at_ms, i64::MAX, 10).await.expect("the outbox is readable");
    until("the mail has failed", async || {
        let is_due = due(now_ms + pause_ms).await.iter().any(|mail| mail.attempts == times);
        is_due && due(now_ms + pause_ms - 1).await.is_empty()
    })
    .await;
}

/// The error of a login to the configured mail server, in the words of `flagship doctor`.
async fn login_fails(change: impl FnOnce(&mut Config)) -> String {
    let mut config = Config {
        settings: flagship_pack::Settings::default(),
        public_url: "https://ctf.example.org".to_owned(),
        data: std::path::PathBuf::new(),
        attachments: flagship_server::storage::Location::Database,
        secret_file: std::path::PathBuf::new(),
        key: flagship_store::Key::new(b"the secret of the test"),
        captcha_secret: None,
        smtp_password: None,
        print_links: false,
        metrics: false,
        certificates: None,
    };
    change(&mut config);
    let failed = flagship_server::log_in_to_mail(&config).await.expect_err("no login succeeds");
    format!("{failed:#}")
}

#[tokio::test]
async fn wrong_mail_settings_are_reported_with_the_setting_to_change() {
    let certificate = Certificate::of("127.0.0.1");
    let ca = Some(certificate.ca.as_str());
    let [plain, encrypted, nobody] = [free_port(), free_port(), free_port()];
    let _plain = Smtp::start(plain).await;
    let _encrypted = Smtp::protected(encrypted, MailTls::Tls, &certificate).await;
    let password = |config: &mut Config| {
        through_smtp(plain)(config);
        config.settings.mail.username = Some("flagship".to_owned());
        config.smtp_password = Some(flagship_game::Secret::new("wrong"));
    };
    for (failed, port, words) in [
        (login_fails(through_smtp(nobody)).await, nobody, "connection refused"),
        (login_fails(password).await, plain, "rejected the login: check `username`"),
        (
            login_fails(through_tls(plain, MailTls::Starttls, ca)).await,
            plain,
            "does not offer STARTTLS: set `tls`",
        ),
        (
            login_fails(through_tls(plain, MailTls::Tls, ca)).await,
            plain,
            "does not start with TLS: set `tls` in [mail] to \"starttls\"",
        ),
        (login_fails(through_smtp(encrypted)).await, encrypted, "often 465"),
        (
            login_fails(through_tls(encrypted, MailTls::Tls, None)).await,
            encrypted,
            "is not trusted for this name: check `host`",
        ),
    ] {
        assert!(failed.starts_with(&format!("`127.0.0.1:{port}` ")), "{failed}");
        assert!(failed.contains(words), "{words}: {failed}");
        // The library's message appears once, at the end.
        let library = failed.rsplit_once(" (").map_or("", |(_, text)| text).trim_end_matches(')');
        let last = library.rsplit(": ").next().unwrap_or_default();
        assert!(last.is_empty() || failed.matches(last).count() == 1, "{failed}");
    }
}

on_both_engines! {
    async fn links_in_a_mail_file_can_be_copied(engine: Engine) {
        let long = format!("https://{}.example.org", "a-long-label-".repeat(4) + "x");
        let url = format!("{long}/{}", "path/".repeat(30));
        let app = TestApp::with(engine, |config| config.public_url.clone_from(&url)).await;
        for (i, event) in ["An event", "Ein größeres Ereignis"].into_iter().enumerate() {
            name_event(&app, event).await;
            let to = format!("{i}@example.org");
            sign_up(&app, &format!("Team {i}"), &to).await;
            app.mail_to(&to).await;
        }
        for file in std::fs::read_dir(app.mail_folder()).expect("there is one") {
            let text = std::fs::read_to_string(file.expect("readable").path()).expect("a mail");
            assert!(text.contains(&format!("\r\n{url}/confirm#")), "{text}");
            assert!(!text.contains("quoted-printable"), "{text}");
        }
    }

    async fn a_mail_file_is_a_complete_readable_message(engine: Engine) {
        let app = TestApp::new(engine).await;
        name_event(&app, "m0leCon\r\nBcc: eve@example.org\r\n\r\nünd 🐙").await;
        sign_up(&app, "Việt 🐙 Nam", "ada@example.org").await;
        let mail = app.mail_to("ada@example.org").await;
        assert!(mail.words().contains("\"Việt 🐙 Nam\""), "{mail:?}");
        assert!(mail.body.contains(&format!("\n{}/confirm#", app.url)),
            "the link is on its own line");
        assert!(mail.words().contains("ünd 🐙") && mail.words().contains("ignore this email"));
        let names: Vec<&str> = mail.head.lines().filter(|line| !line.starts_with(' '))
            .filter_map(|line| line.split_once(':').map(|(name, _)| name)).collect();
        for name in ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version",
            "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted"]
        {
            assert_eq!(names.iter().filter(|it| **it == name).count(), 1, "{name} {names:?}");
        }
        assert!(!names.contains(&"Bcc"), "a name does not add a header");
        assert!(mail.head.contains("Tue, 14 Nov 2023 22:13:20 +0000"), "{}", mail.head);
        let folder = std::fs::read_dir(app.mail_folder()).expect("there is one");
        let files: Vec<_> = folder.map(|file| file.expect("readable").file_name()).collect();
        assert_eq!(files.len(), 1, "nothing half-written is left: {files:?}");
    }

    async fn queued_mail_survives_a_restart(engine: Engine) {
        let port = free_port();
        let app = TestApp::with(engine, through_smtp(port)).await;
        sign_up(&app, "The Team", "ada@example.org").await;
        until_failed(&app, 1, 30_000).await;
        let clock = app.clock();
        let test = app.stop().await;
        let smtp = Smtp::start(port).await;
        let app = TestApp::on(test, clock, through_smtp(port)).await;
        app.advance(30_000);
        assert_eq!(smtp.first_mail().await.to, "ada@example.org");
    }

    async fn an_unreachable_mail_server_is_retried_with_growing_pauses(engine: Engine) {
        let port = free_port();
        let app = TestApp::with(engine, through_smtp(port)).await;
        sign_up(&app, "The Team", "ada@example.org").await;
        for (times, pause_ms) in [(1, 30_000), (2, 60_000), (3, 120_000)] {
            until_failed(&app, times, pause_ms).await;
            app.advance(pause_ms);
        }
        until_failed(&app, 4, 240_000).await;
        let smtp = Smtp::start(port).await;
        app.advance(240_000);
        let mail = smtp.first_mail().await;
        assert_eq!((mail.to.as_str(), mail.tokens("confirm").len()), ("ada@example.org", 1));
        let confirm = json!({"token": mail.token("confirm")});
        assert_eq!(app.player().post("/confirm", &confirm).await.status, 200);
        let db = app.test.reopen().await;
        until("it is noted as sent", async || {
            mail::counts(&db).await.expect("readable") == (0, 1, 0)
        })
        .await;
        assert_eq!(smtp.mails().len(), 1, "it is sent once");
    }

    async fn a_refused_recipient_is_not_retried_but_a_busy_one_is(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let app = TestApp::with(engine, through_smtp(port)).await;
        sign_up(&app, "Refused", "nobody@example.org").await;
        sign_up(&app, "Busy", "busy@example.org").await;
        sign_up(&app, "Good", "ada@example.org").await;
        assert_eq!(smtp.first_mail().await.to, "ada@example.org");
        let db = app.test.reopen().await;
        until("each is sent or given up", async || {
            mail::counts(&db).await.expect("readable") == (1, 1, 1)
        })
        .await;
    }

    async fn a_mail_server_may_require_a_password(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let login = |password: &'static str| move |config: &mut Config| {
            through_smtp(port)(config);
            config.settings.mail.username = Some("flagship".to_owned());
            config.smtp_password = Some(flagship_game::Secret::new(password));
        };
        let app = TestApp::with(engine, login("wrong")).await;
        sign_up(&app, "The Team", "ada@example.org").await;
        until_failed(&app, 1, 30_000).await;
        let clock = app.clock();
        let test = app.stop().await;
        let app = TestApp::on(test, clock, login("smtp secret")).await;
        app.advance(30_000);
        assert_eq!(smtp.first_mail().await.to, "ada@example.org");
        app.stop().await;
    }

    async fn two_nodes_send_each_mail_once(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let first = TestApp::with(engine, through_smtp(port)).await;
        let second = first.second_node(through_smtp(port)).await;
        for i in 0..10 {
            let node = if i % 2 == 0 { &first } else { &second };
            sign_up(node, &format!("team number {i}"), &format!("{i}@example.org")).await;
        }
        let db = first.test.reopen().await;
        until("all are sent", async || {
            mail::counts(&db).await.expect("readable") == (0, 10, 0)
        })
        .await;
        assert_eq!(smtp.mails().len(), 10);
    }

    async fn a_private_authority_is_trusted_only_if_configured(engine: Engine) {
        let certificate = Certificate::of("127.0.0.1");
        for tls in [MailTls::Starttls, MailTls::Tls] {
            let port = free_port();
            let smtp = Smtp::protected(port, tls, &certificate).await;
            let app = TestApp::with(engine, through_tls(port, tls, Some(&certificate.ca))).await;
            sign_up(&app, "The Team", "ada@example.org").await;
            let mail = smtp.first_mail().await;
            assert_eq!(mail.to, "ada@example.org", "the mail arrives by {tls:?}");
            app.stop().await;
        }
    }

    async fn no_mail_is_sent_to_a_server_with_a_wrong_certificate(engine: Engine) {
        let good = Certificate::of("127.0.0.1");
        let other = Certificate::of("127.0.0.1");
        let elsewhere = Certificate::of("127.0.0.9");
        let cases = [
            ("of another authority", &good, Some(other.ca.as_str())),
            ("of no public authority", &good, None),
            ("for another name", &elsewhere, Some(elsewhere.ca.as_str())),
        ];
        for tls in [MailTls::Starttls, MailTls::Tls] {
            for (what, certificate, ca) in cases {
                let port = free_port();
                let smtp = Smtp::protected(port, tls, certificate).await;
                let app = TestApp::with(engine, through_tls(port, tls, ca)).await;
                sign_up(&app, "The Team", "ada@example.org").await;
                // The email is still queued, and the mailer retries it.
                until_failed(&app, 1, 30_000).await;
                let none = smtp.mails().is_empty();
                assert!(none, "a mail for a server with a certificate {what}, by {tls:?}");
                app.stop().await;
            }
        }
    }

    async fn no_mail_is_sent_to_a_server_without_tls(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let app = TestApp::with(engine, through_tls(port, MailTls::Starttls, None)).await;
        sign_up(&app, "The Team", "ada@example.org").await;
        until_failed(&app, 1, 30_000).await;
        assert!(smtp.mails().is_empty(), "a mail for a server without TLS");
    }

    async fn an_hour_of_mail_has_a_limit_and_the_rest_waits(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.mails_per_hour = 5;
        })
        .await;
        for i in 0..8 {
            let player = app.player().from_address(&format!("198.51.100.{i}"));
            let body = signup(&format!("team number {i}"), &format!("{i}@example.org"));
            assert_eq!(player.post("/signup", &body).await.status, 201);
        }
        let db = app.test.reopen().await;
        let counts = async || mail::counts(&db).await.expect("readable");
        until("5 emails are sent and 3 queued", async || counts().await == (3, 5, 0)).await;
        let in_hour = mail::sent_in_hour(&db, app.now_ms()).await.expect("readable");
        assert_eq!((in_hour, app.mails().len()), (5, 5));
        app.advance(3_600_000);
        until("the rest is sent an hour later", async || counts().await == (0, 8, 0)).await;
    }

    async fn an_unknown_address_uses_a_mail_of_the_hour(engine: Engine) {
        let app = TestApp::with(engine, |config| config.settings.limits.mails_per_hour = 1).await;
        let db = app.test.reopen().await;
        let in_hour = async || mail::sent_in_hour(&db, app.now_ms()).await.expect("readable");
        sign_up(&app, "The Team", "ada@example.org").await;
        until("the mail of the hour is sent", async || in_hour().await == 1).await;
        let answer = app.player().post("/forgot", &json!({"email": "nobody@example.org"})).await;
        assert_eq!(answer.status, 200);
        let waiting = "select id from outbox where subject = '' and sent_at_ms is null";
        until("a blank waits", async || app.test.rows::<(i64,)>(waiting).await.len() == 1).await;
        app.advance(3_600_000);
        until("it uses the mail of the next hour", async || {
            app.test.rows::<(i64,)>(waiting).await.is_empty() && in_hour().await == 1
        })
        .await;
        // The email was queued an hour ago; its rate limit counts from the time of sending.
        let mut tx = db.begin(Lock::Accounts).await.expect("the lock is free");
        mail::forget(&mut tx, app.now_ms() + 3_599_999).await.expect("it deletes");
        tx.commit().await.expect("it commits");
        assert_eq!(in_hour().await, 1, "it counts for an hour");
    }

    async fn one_network_leaves_mails_of_the_hour_to_others(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            let campus = "198.51.100.0/24".parse().expect("a network");
            config.settings.limits.trusted_networks = vec![campus];
            config.settings.limits.mails_per_hour = 10;
        })
        .await;
        let sign_up = async |address: &str, i: usize| {
            // The emails are queued one after the other, so that their order is defined.
            app.advance(1);
            let player = app.player().from_address(address);
            let body = signup(&format!("team number {i}"), &format!("{i}@example.org"));
            assert_eq!(player.post("/signup", &body).await.status, 201);
        };
        for i in 0..15 {
            sign_up(&format!("198.51.100.{}", i % 3), i).await;
        }
        let db = app.test.reopen().await;
        let counts = async || mail::counts(&db).await.expect("readable");
        until("a half is sent, and ten wait", async || counts().await == (10, 5, 0)).await;
        let words = "those of another network are sent";
        // All addresses in an IPv6 /48 count as one network.
        let elsewhere = |i| format!("2001:db8:1:{i}::2");
        for i in 15..20 {
            sign_up(&elsewhere(i), i).await;
        }
        until(words, async || counts().await == (11, 9, 0)).await;
        sign_up("203.0.113.3", 20).await;
        sign_up("203.0.113.3", 21).await;
        until("the first of a third one is sent", async || counts().await == (12, 10, 0)).await;
        app.mail_to("20@example.org").await;
        // An hour later, networks with the fewest sent emails come first; within a network, emails
        // that the team requested do.
        let last = json!({"email": "14@example.org"});
        let player = app.player().from_address("198.51.100.2");
        assert_eq!(player.post("/resend", &last).await.status, 200);
        until("it waits too", async || counts().await.0 == 13).await;
        app.advance(3_600_000);
        app.mail_to("14@example.org").await;
        until("a half, and the others", async || counts().await.1 == 17).await;
    }

    async fn a_refused_address_does_not_delay_other_mails(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let app = TestApp::with(engine, through_smtp(port)).await;
        for i in 0..6 {
            sign_up(&app, &format!("Refused {i}"), &format!("nobody@{i}.example.org")).await;
            sign_up(&app, &format!("Good {i}"), &format!("ada@{i}.example.org")).await;
        }
        let db = app.test.reopen().await;
        until("each is sent or given up", async || {
            mail::counts(&db).await.expect("readable") == (0, 6, 6)
        })
        .await;
        let mut to: Vec<String> = smtp.mails().into_iter().map(|mail| mail.to).collect();
        to.sort();
        let good: Vec<String> = (0..6).map(|i| format!("ada@{i}.example.org")).collect();
        assert_eq!(to, good, "each mail is sent once");
    }

    async fn a_slow_delivery_delays_no_later_mail(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let app = TestApp::with(engine, through_smtp(port)).await;
        sign_up(&app, "The Snails", "slow@example.org").await;
        let claimed = "select id from outbox where attempts > 0";
        until("it is under way", async || app.test.rows::<(i64,)>(claimed).await.len() == 1).await;
        sign_up(&app, "The Hares", "ada@example.org").await;
        until("a mail arrives", async || !smtp.mails().is_empty()).await;
        assert_eq!(smtp.mails()[0].to, "ada@example.org", "the later mail arrives first");
    }

    async fn a_blank_takes_as_long_as_a_delivery(engine: Engine) {
        let port = free_port();
        let smtp = Smtp::start(port).await;
        let app = TestApp::with(engine, through_smtp(port)).await;
        let words = "a dummy email is sent at once";
        let is_quick = control("a_blank_takes_as_long_as_a_delivery", words);
        let first = if is_quick { "quick@example.org" } else { "slow@example.org" };
        sign_up(&app, "The Snails", first).await;
        smtp.first_mail().await;
        // Anyone can cause quick failures, so these do not count.
        for i in 0..16 {
            sign_up(&app, &format!("Refused {i}"), &format!("nobody@{i}.example.org")).await;
        }
        let db = app.test.reopen().await;
        until("all are refused", async || mail::counts(&db).await.expect("readable").2 == 16).await;
        let answer = app.player().post("/forgot", &json!({"email": "nobody@example.org"})).await;
        assert_eq!(answer.status, 200);
        let blanks = async |state: &'static str| app.test.rows::<(i64,)>(state).await.len();
        let claimed = "select id from outbox where subject = '' and attempts > 0";
        until("the dummy email is claimed", async || blanks(claimed).await == 1).await;
        let begun = Instant::now();
        let sent = "select id from outbox where subject = '' and sent_at_ms is not null";
        until("the blank counts as sent", async || blanks(sent).await == 1).await;
        let took = begun.elapsed();
        assert!(took > Duration::from_millis(700), "{took:?} is not {words}");
    }
}
