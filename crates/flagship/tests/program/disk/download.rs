//! Backups that an owner downloads from the site.

use std::path::Path;

use data_encoding::BASE32_NOPAD;
use flagship_store::Clock;
use flagship_store::organizers::totp;
use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use super::backup::{entries, words};
use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

const PASSWORD: &str = "correct horse battery";
/// Size of an incompressible attachment, larger than the buffers of a connection.
const LARGE_BYTES: usize = 32 * 1024 * 1024;
/// Seed of the generator for its bytes.
const FACTOR_OFFSET: u64 = 1_442_695_040_888_963_407;

/// A browser in which an organizer is logged in.
struct Browser {
    http: reqwest::Client,
    url: String,
    cookie: String,
}

impl Browser {
    /// Adds an organizer, who accepts the invitation and so has just passed two-factor
    /// authentication.
    async fn of(site: &TestSite, server: &Server, name: &str, role: &str) -> Self {
        let link = site.run(&["organizer", "add", name, "--role", role]).await.ok();
        let token = link.trim().split_once('#').expect("a link with a token").1.to_owned();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut browser = Self { http, url: server.url.clone(), cookie: String::new() };
        let shown = browser.post("invitation", &json!({"token": token})).await;
        let shown: Value = shown.json().await.expect("JSON");
        let secret = shown["secret"].as_str().expect("a secret").as_bytes();
        let secret = BASE32_NOPAD.decode(secret).expect("base32");
        let code = totp::code(&secret, Clock::system().now_ms() / totp::STEP_MS);
        let body = json!({"token": token, "password": PASSWORD, "code": code,
            "enrolment": shown["enrolment"]});
        let done = browser.post("enrol", &body).await;
        assert_eq!(done.status().as_u16(), 200);
        let cookies = done.headers().get_all("set-cookie").iter();
        let pairs = cookies.filter_map(|it| it.to_str().ok()?.split(';').next());
        browser.cookie = pairs.collect::<Vec<_>>().join("; ");
        browser
    }

    /// The same browser after another login without two-factor authentication.
    async fn signed_in_again(&self, name: &str) -> Self {
        let body = json!({"name": name, "password": PASSWORD, "captchaToken": "off"});
        let done = self.post("session", &body).await;
        assert_eq!(done.status().as_u16(), 200);
        let cookie = done.headers()["set-cookie"].to_str().expect("text");
        let cookie = cookie.split(';').next().expect("a pair").to_owned();
        Self { http: self.http.clone(), url: self.url.clone(), cookie }
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        let call = self.http.post(format!("{}/api/organize/{path}", self.url));
        let call = call.header("sec-fetch-site", "same-origin").header("x-organize", "1");
        call.header("cookie", &self.cookie).json(body).send().await.expect("an answer")
    }

    async fn get(&self, path: &str) -> Value {
        let call = self.http.get(format!("{}/api/organize/{path}", self.url));
        let call = call.header("sec-fetch-site", "same-origin").header("cookie", &self.cookie);
        call.send().await.expect("an answer").json().await.expect("JSON")
    }

    /// The status and the error code of a refused backup.
    async fn refused(&self) -> (u16, String) {
        let response = self.post("backup", &json!({})).await;
        let status = response.status().as_u16();
        let body: Value = response.json().await.expect("JSON");
        (status, body["code"].as_str().expect("a code").to_owned())
    }
}

/// The file names in the data folder.
fn names(site: &TestSite) -> Vec<String> {
    let listed = std::fs::read_dir(site.data()).unwrap();
    listed.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
}

/// The unnamed files that a server has open.
fn nameless(server: &Server) -> usize {
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap();
    let links = open.filter_map(|it| std::fs::read_link(it.ok()?.path()).ok());
    links.filter(|link| link.to_string_lossy().ends_with(" (deleted)")).count()
}

on_both_engines! {
    async fn an_owner_downloads_a_backup_that_restores(engine: Engine) {
        let words_then = "what was downloaded is what the command writes";
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.write("challenges/one/dist/page.html", "<h1>Hello</h1>");
        event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/page.html]");
        let server = site.serve(&event).await;
        let token = site.import(1).await.remove(0);
        server.team(&token).await.solves("one").await;
        let owner = Browser::of(&site, &server, "Ada", "owner").await;
        let before = owner.get("overview").await;
        assert!(before["health"]["lastBackupAt"].is_null(), "{before}");
        let response = owner.post("backup", &json!({})).await;
        assert_eq!(response.status().as_u16(), 200);
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "application/octet-stream");
        assert_eq!(header("cache-control"), "no-store");
        let disposition = header("content-disposition");
        assert!(disposition.starts_with("attachment; filename=\""), "{disposition}");
        assert!(disposition.ends_with(".backup\""), "{disposition}");
        let bytes = response.bytes().await.expect("the whole file");
        let after = owner.get("overview").await;
        assert!(after["health"]["lastBackupAt"].is_i64(), "it is the last backup: {after}");
        let actions = owner.get("actions").await;
        let said = &actions["actions"][0]["sentence"];
        assert_eq!(said, "Ada downloaded a backup, which contains the event secret.");
        // The server is stopped so that the command reads the same rows.
        server.stop().await;
        let folder = tempfile::tempdir().unwrap();
        let (sent, made) = (folder.path().join("sent"), folder.path().join("made"));
        std::fs::write(&sent, &bytes).unwrap();
        let copy = TestSite::bare(engine).await;
        copy.run(&["restore", words(&sent)]).await.ok();
        copy.run(&["journal", "verify"]).await.ok();
        site.run(&["backup", words(&made)]).await.ok();
        let (sent, made) = (entries(&sent), entries(&made));
        let same = |name: &str| sent.get(name) == made.get(name);
        let tables = ["tables/journal.jsonl", "tables/actions.jsonl", "tables/flags.jsonl"];
        for name in ["secret"].into_iter().chain(tables) {
            assert!(sent.contains_key(name) && same(name), "{words_then}: {name}");
        }
        assert!(sent.keys().eq(made.keys()), "{words_then}");
        assert!(sent.keys().any(|name| name.starts_with("files/")), "with the attachment");
    }

    async fn a_backup_is_for_owners_with_the_second_factor(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let owner = Browser::of(&site, &server, "Ada", "owner").await;
        for role in ["observer", "support", "organizer"] {
            let other = Browser::of(&site, &server, role, role).await;
            assert_eq!(other.refused().await, (404, "not_found".to_owned()), "{role}");
        }
        let again = owner.signed_in_again("Ada").await;
        let response = again.post("backup", &json!({})).await;
        assert_eq!(response.status().as_u16(), 403, "the second factor is needed");
        let token = site.run(&["organizer", "token", "Ada"]).await.ok();
        let script = server.player().with_token(token.trim());
        let (status, refused) = script.post("/organize/backup", &json!({})).await;
        assert_eq!((status, &refused["code"]), (403, &json!("factor_needed")), "a token");
        let elsewhere = owner.http.post(format!("{}/api/organize/backup", owner.url));
        let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").header("x-organize", "1");
        let elsewhere = elsewhere.header("cookie", &owner.cookie).send().await.unwrap();
        assert_eq!(elsewhere.status().as_u16(), 403, "another site");
        let actions = owner.get("actions").await;
        let all = actions["actions"].as_array().expect("a list");
        let is_made = all.iter().any(|action| action["action"] == "event.backup");
        assert!(!is_made, "none was made: {actions}");
    }

    async fn a_download_that_breaks_off_leaves_no_file(engine: Engine) {
        let words_then = "an interrupted download does not count as a backup";
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let mut state = 1_u64;
        let noise = (0..LARGE_BYTES).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(FACTOR_OFFSET);
            (state >> 56) as u8
        });
        let noise: Vec<u8> = noise.collect();
        std::fs::create_dir_all(Path::new(event.dir()).join("challenges/one/dist")).unwrap();
        std::fs::write(Path::new(event.dir()).join("challenges/one/dist/noise"), noise).unwrap();
        event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/noise]");
        let server = site.serve(&event).await;
        let owner = Browser::of(&site, &server, "Ada", "owner").await;
        let (before, open) = (names(&site).len(), nameless(&server));
        let mut response = owner.post("backup", &json!({})).await;
        assert_eq!(response.status().as_u16(), 200);
        assert!(response.chunk().await.expect("some bytes").is_some());
        assert_eq!(names(&site).len(), before, "its file has no name");
        assert!(nameless(&server) > open, "it is open as long as it is sent");
        assert_eq!(owner.refused().await, (429, "backup_running".to_owned()), "one at a time");
        drop(response);
        until("the file is closed", async || nameless(&server) <= open).await;
        let overview = owner.get("overview").await;
        assert!(overview["health"]["lastBackupAt"].is_null(), "{words_then}: {overview}");
        until("another backup is made", async || {
            let response = owner.post("backup", &json!({})).await;
            let status = response.status().as_u16();
            status == 200 && response.bytes().await.is_ok_and(|it| it.len() > LARGE_BYTES)
        })
        .await;
        assert_eq!(names(&site).len(), before, "nothing is left");
        server.stop().await;
    }
}
