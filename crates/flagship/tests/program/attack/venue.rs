//! Someone guesses an organizer's password from the same network in which the organizer logs in
//! with a known browser. Honest clients play at the same time. Runs on both databases.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flagship_store::Clock;
use flagship_store::organizers::totp;
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use super::{Honest, at_lowest_priority, is_long};
use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

const NAME: &str = "Ada";
const PASSWORD: &str = "correct horse battery";
/// The cookie of a browser that has logged in before.
const DEVICE: &str = "__Host-organizer-device=";
/// Pause between two guesses: far more guesses than the network's limit of ten a minute.
const GUESS_EVERY: Duration = Duration::from_millis(100);
/// Pause between two logins.
const SIGN_IN_EVERY: Duration = Duration::from_millis(500);
/// Maximum duration of a login; the second constant is for the short form.
const SIGN_IN_MAX: Duration = Duration::from_secs(2);
const SIGN_IN_MAX_SHORT: Duration = Duration::from_secs(15);

/// A browser of the venue.
#[derive(Clone)]
struct Browser {
    http: reqwest::Client,
    url: String,
    cookies: String,
}

impl Browser {
    fn new(server: &Server) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { http, url: server.url.clone(), cookies: String::new() }
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        let call = self.http.post(format!("{}/api/organize/{path}", self.url));
        let call = call.header("sec-fetch-site", "same-origin").header("x-organize", "1");
        call.header("cookie", &self.cookies).json(body).send().await.expect("an answer")
    }

    /// Logs in; returns the status.
    async fn sign_in(&self, password: &str) -> u16 {
        let body = json!({"name": NAME, "password": password, "captchaToken": "off"});
        self.post("session", &body).await.status().as_u16()
    }

    /// Accepts an invitation, and keeps the cookie that identifies the browser.
    async fn enrol(mut self, link: &str) -> Self {
        let token = link.trim().split_once('#').expect("a link with a token").1;
        let shown = self.post("invitation", &json!({"token": token})).await;
        let shown: Value = shown.json().await.expect("JSON");
        let secret = shown["secret"].as_str().expect("a secret").as_bytes();
        let secret = data_encoding::BASE32_NOPAD.decode(secret).expect("base32");
        let code = totp::code(&secret, Clock::system().now_ms() / totp::STEP_MS);
        let body = json!({"token": token, "password": PASSWORD, "code": code,
            "enrolment": shown["enrolment"]});
        let done = self.post("enrol", &body).await;
        assert_eq!(done.status().as_u16(), 200);
        let cookies = done.headers().get_all("set-cookie").iter();
        let mut cookies = cookies.filter_map(|it| it.to_str().ok());
        let device = cookies.find(|it| it.starts_with(DEVICE)).expect("the browser is known");
        device.split(';').next().expect("a pair").clone_into(&mut self.cookies);
        self
    }
}

/// Continuous guesses, on their own thread.
struct Guesses {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Guesses {
    /// Starts guessing, and waits until the rate limit of the network is reached.
    async fn begin(server: &Server) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let refused = Arc::<AtomicUsize>::default();
        let (stopping, counted) = (stop.clone(), refused.clone());
        let url = server.url.clone();
        let thread = at_lowest_priority(async move {
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            let guesser = Browser { http, url, cookies: String::new() };
            while !stopping.load(Ordering::Relaxed) {
                let status = guesser.sign_in("a wrong password").await;
                assert!([401, 429, 503].contains(&status), "{status}");
                counted.fetch_add(usize::from(status == 429), Ordering::Relaxed);
                tokio::time::sleep(GUESS_EVERY).await;
            }
        });
        let guesses = Self { stop, thread };
        until("the limit is reached", async || refused.load(Ordering::Relaxed) > 0).await;
        guesses
    }

    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("each guess is refused");
    }
}

on_both_engines! {
    async fn wrong_passwords_from_the_venue_keep_no_known_browser_out(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let server = site.serve(&event).await;
        let link = site.run(&["organizer", "add", NAME, "--role", "owner"]).await.ok();
        let known = Browser::new(&server).enrol(&link).await;
        let unknown = Browser::new(&server);
        let guesses = Guesses::begin(&server).await;
        assert_eq!(unknown.sign_in(PASSWORD).await, 429, "another browser of the network waits");
        let honest = Honest::play(server.player());
        // The long form lasts longer than the minute after which the limit resets.
        let (times, max) = if is_long() { (150, SIGN_IN_MAX) } else { (4, SIGN_IN_MAX_SHORT) };
        let mut worst = Duration::ZERO;
        for _ in 0..times {
            let begun = Instant::now();
            assert_eq!(known.sign_in(PASSWORD).await, 200, "a known browser signs in");
            worst = worst.max(begun.elapsed());
            tokio::time::sleep(SIGN_IN_EVERY).await;
        }
        println!("figures: {engine:?}: {times} logins during guesses, worst {worst:?}");
        assert!(worst <= max, "a sign-in takes {worst:?}, {max:?} at most");
        honest.p99("during guesses of a password").await;
        guesses.end();
        server.stop().await;
    }
}
