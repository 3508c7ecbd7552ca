//! A complete server with its own database, and clients that send HTTP requests to it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flagship_game::chain;
use flagship_game::facts::Fact;
use flagship_pack::{CaptchaProvider, Settings};
use flagship_server::storage::Location;
use flagship_server::{App, Config};
use flagship_store::mail::{self, Purpose, Token};
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::signups::waiting_list::Capacity;
use flagship_store::{Clock, Key, Lock};
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{Engine, Mail, NOW_MS, TestDb};

/// The event's secret, which is also in its file.
const SECRET: &[u8] = b"the secret of the tests";
/// Time limit of a condition.
pub const WAIT_MAX: Duration = Duration::from_secs(20);
/// Pause between two checks of a condition.
const LOOK: Duration = Duration::from_millis(10);

/// A running server.
pub struct TestApp {
    /// The server's state.
    pub app: App,
    /// The database and the data folder.
    pub test: Arc<TestDb>,
    /// `http://127.0.0.1:port`
    pub url: String,
    clock: Clock,
    pub(crate) http: reqwest::Client,
    /// Emails already returned to the test.
    given: Mutex<Vec<Mail>>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl TestApp {
    /// A server without a captcha, with a manual clock.
    pub async fn new(engine: Engine) -> Self {
        Self::with(engine, |_| {}).await
    }

    /// A server with a changed configuration.
    pub async fn with(engine: Engine, change: impl FnOnce(&mut Config)) -> Self {
        let test = Arc::new(TestDb::new(engine).await);
        Self::on(test, Clock::manual(NOW_MS), change).await
    }

    /// Another node of the same event.
    pub async fn second_node(&self, change: impl FnOnce(&mut Config)) -> Self {
        Self::on(self.test.clone(), self.clock.clone(), change).await
    }

    /// A server with a given database and clock, which several nodes may share.
    ///
    /// # Panics
    /// If the server does not start.
    pub async fn on(test: Arc<TestDb>, clock: Clock, change: impl FnOnce(&mut Config)) -> Self {
        // Fails if another test of this process has installed it.
        drop(rustls::crypto::ring::default_provider().install_default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address: SocketAddr = listener.local_addr().expect("it is bound");
        let url = format!("http://{address}");
        let mut config = config(&test, &url);
        change(&mut config);
        let db = test.reopen().await;
        let app = App::open(db, config, clock.clone()).await.expect("the server opens");
        let (stop, stopped) = oneshot::channel();
        let serving = flagship_server::serve(listener, app.clone(), async {
            // Shuts down also when the sender is dropped.
            drop(stopped.await);
        });
        let running = Some((stop, tokio::spawn(serving)));
        let http = reqwest::Client::builder().no_proxy().redirect(Policy::none());
        let http = http.build().expect("a client");
        Self { app, test, url, clock, http, given: Mutex::default(), running }
    }

    /// Shuts the server down as SIGTERM does; returns its database.
    pub async fn stop(mut self) -> Arc<TestDb> {
        if let Some((stop, serving)) = self.running.take() {
            stop.send(()).expect("it serves");
            serving.await.expect("it ends in order");
        }
        self.test
    }

    /// Restarts the server with the same database, clock and configuration, and waits until all
    /// queued mail is sent.
    pub async fn with_all_mail_written(self) -> Self {
        let (clock, config) = (self.clock.clone(), self.app.config().clone());
        let test = self.stop().await;
        let app = Self::on(test, clock, |new| *new = config).await;
        until("no mail waits", async || matches!(mail::counts(&app.test.db).await, Ok((0, ..))))
            .await;
        app
    }

    /// Advances a manual clock.
    pub fn advance(&self, by_ms: i64) {
        match &self.clock {
            Clock::Manual(now) => now.fetch_add(by_ms, Ordering::SeqCst),
            Clock::System { .. } => panic!("only a manual clock can be advanced"),
        };
    }

    /// The server's clock, to share with another server.
    pub fn clock(&self) -> Clock {
        self.clock.clone()
    }

    /// The server's time.
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Performs an operation in the lane, as a command does; returns its outcome.
    ///
    /// # Panics
    /// If the operation is rejected.
    pub async fn run(&self, op: Op) -> Outcome {
        let request = op.by(Actor::CommandLine);
        let outcome = self.app.run(request).await.expect("the lane works");
        assert!(!outcome.is_refused(), "{outcome:?}");
        outcome
    }

    /// Appends a fact to the journal, chained and signed, as another program does; waits until the
    /// server has read it. It writes no table but the journal, and no entry that begins a format.
    ///
    /// # Panics
    /// If the entry is not folded.
    pub async fn record(&self, fact: impl Into<Fact>) {
        self.record_all(vec![fact.into()]).await;
    }

    /// Appends several facts, which the server reads at once.
    ///
    /// # Panics
    /// If an entry is not folded.
    pub async fn record_all(&self, facts: Vec<Fact>) {
        let rows = self.test.journal().await;
        let (last, last_at_ms, _, _, last_hash) = rows.last().expect("the journal has entries");
        let (mut seq, mut previous) = (*last, last_hash.clone());
        let at_ms = self.now_ms().max(*last_at_ms);
        let board = self.board().await;
        let generation = board["generation"].as_str().expect("a board has it");
        let key = self.app.config().key.subkey("journal entry", &[generation]);
        let mut entries = Vec::new();
        for fact in facts {
            let body = serde_json::to_string(&fact).expect("facts are plain data");
            let mut salt = key.mac(&previous, &[&at_ms.to_string(), &body]);
            salt.truncate(32);
            seq += 1;
            previous = chain::link(&previous, seq, at_ms, &chain::commitment(&salt, &body));
            let body = body.replace('\'', "''");
            entries.push(format!("({seq}, {at_ms}, '{salt}', '{body}', '{previous}')"));
        }
        let sql = format!("insert into journal values {}", entries.join(", "));
        self.test.execute(Box::leak(sql.into_boxed_str())).await;
        until("the server has the entries", async || self.app.contest().seq() >= seq).await;
    }

    /// Confirms an account in the database with the emailed link.
    ///
    /// # Panics
    /// If the link is rejected.
    pub async fn confirm(&self, account: i64) {
        let (token, until_ms) = (flagship_server::new_token(), self.now_ms() + mail::LINK_MS);
        let mut tx = self.test.db.begin(Lock::Accounts).await.expect("a transaction begins");
        let (account_id, expires_at_ms) = (account, until_ms);
        let kept = Token { token: &token, account_id, purpose: Purpose::Confirm, expires_at_ms };
        let kept = mail::keep_tokens(&mut tx, &[kept]).await;
        kept.expect("the token is written");
        tx.commit().await.expect("the token is kept");
        self.run(Op::Confirm { token, capacity: Capacity::default() }).await;
    }

    /// A client without a token.
    pub fn player(&self) -> Player {
        let (http, url) = (self.http.clone(), self.url.clone());
        Player { http, url, token: None, address: None, language: None }
    }

    /// The folder to which emails are written.
    pub fn mail_folder(&self) -> PathBuf {
        self.app.config().data.join("mail")
    }

    /// All emails written so far.
    pub fn mails(&self) -> Vec<Mail> {
        Mail::read(&self.mail_folder())
    }

    /// Waits for one new email to an address: one that was not returned before.
    pub async fn mail_to(&self, address: &str) -> Mail {
        self.mails_to(address, 1).await.remove(0)
    }

    /// Waits for `count` new emails to an address, in any order.
    ///
    /// # Panics
    /// If there are more.
    pub async fn mails_to(&self, address: &str, count: usize) -> Vec<Mail> {
        let mut new = Vec::new();
        until("the mail is there", async || {
            let given = self.given.lock().expect("no test panicked with it");
            let is_new = |mail: &Mail| mail.to == address && !given.contains(mail);
            new = self.mails().into_iter().filter(is_new).collect();
            new.len() >= count
        })
        .await;
        assert_eq!(new.len(), count, "{new:?}");
        self.given.lock().expect("no test panicked with it").extend(new.iter().cloned());
        new
    }
}

fn config(test: &TestDb, url: &str) -> Config {
    let mut settings = Settings::default();
    settings.captcha.provider = CaptchaProvider::Off;
    settings.limits.trusted_proxies = vec!["127.0.0.1".parse().expect("a network")];
    let secret_file = test.data.path().join("secret");
    std::fs::write(&secret_file, SECRET).expect("the folder is there");
    Config {
        settings,
        public_url: url.to_owned(),
        data: test.data.path().to_owned(),
        attachments: Location::Folder(test.data.path().to_owned()),
        key: Key::new(SECRET),
        secret_file,
        captcha_secret: None,
        smtp_password: None,
        print_links: false,
        metrics: false,
        certificates: None,
    }
}

/// The time limit of a condition. In the first round of negative controls, most conditions never
/// become true.
fn wait_max() -> Duration {
    if std::env::var_os("FLAGSHIP_SHORT_WAITS").is_some() { WAIT_MAX / 8 } else { WAIT_MAX }
}

/// Waits for a condition.
///
/// # Panics
/// If it is not true in time.
pub async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    let max = wait_max();
    while !is_so().await {
        assert!(start.elapsed() < max, "timed out waiting until {what}");
        tokio::time::sleep(LOOK).await;
    }
}

/// An HTTP client of the API.
#[derive(Clone)]
pub struct Player {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    address: Option<String>,
    language: Option<String>,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub json: Value,
}

impl Player {
    /// The client with a token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The client with another address, as a trusted proxy forwards it.
    #[must_use]
    pub fn from_address(&self, address: &str) -> Self {
        Self { address: Some(address.to_owned()), ..self.clone() }
    }

    /// The client with an `Accept-Language`.
    #[must_use]
    pub fn reading(&self, language: &str) -> Self {
        Self { language: Some(language.to_owned()), ..self.clone() }
    }

    /// The token, if there is one.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// `GET /api{path}`
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.http.get(self.at(path))).await
    }

    /// `POST /api{path}` with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.http.post(self.at(path)).json(body)).await
    }

    /// `POST /api{path}` with any body, as `application/json`.
    pub async fn post_text(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.http.post(self.at(path)).header("content-type", "application/json");
        self.send(request.body(body)).await
    }

    /// Logs in; returns the client with the token.
    ///
    /// # Panics
    /// If the login is rejected.
    pub async fn log_in(&self, team: &str, password: &str) -> Self {
        let body = serde_json::json!({"team": team, "password": password, "captchaToken": "off"});
        let answer = self.post("/login", &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.with_token(answer.json["token"].as_str().expect("a token"))
    }

    fn at(&self, path: &str) -> String {
        format!("{}/api{path}", self.url)
    }

    async fn send(&self, mut request: reqwest::RequestBuilder) -> Answer {
        if let Some(token) = &self.token {
            request = request.header("x-api-key", token);
        }
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        if let Some(language) = &self.language {
            request = request.header("accept-language", language);
        }
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.expect("the answer is whole");
        let json = serde_json::from_slice(&body);
        let json = json.unwrap_or_else(|_| panic!("every answer is JSON: {status} {body:?}"));
        Answer { status, headers, json }
    }
}

impl Answer {
    /// The error message, or an empty text.
    pub fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_default()
    }

    /// The seconds of `Retry-After`.
    ///
    /// # Panics
    /// If the header is missing.
    pub fn retry_after(&self) -> u64 {
        let value = self.headers.get("retry-after").expect("there is a Retry-After");
        value.to_str().expect("it is text").parse().expect("it is whole seconds")
    }
}
