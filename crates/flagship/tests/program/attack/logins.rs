//! Floods of requests to the account endpoints: reused captchas, invalid tokens and links, logins
//! from one network, captcha requests. Honest teams play and log in at the same time. Runs on both
//! databases.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flagship_load::{self as load, Times, pace};
use flagship_store::Key;
use flagship_testkit::{Engine, on_both_engines, solved_captcha};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::raw::{connect, stranger};
use super::{LOWEST, at_priority, is_long};
use crate::event::EventFolder;
use crate::process::{Server, TestSite, read_csv};

const TEAMS: usize = 40;
const CHALLENGES: usize = 20;
/// Correct flags per second, and the number of connections for them.
const FLAGS_PER_S: f64 = 40.0;
const CONNECTIONS: usize = 8;
/// Number of teams that log in, and the time between two logins.
const LOGINS: usize = 4;
const LOGIN_EVERY: Duration = Duration::from_millis(500);
const PASSWORD: &str = "correct horse battery";
/// Number of the attackers' connections.
const ATTACKERS: usize = 260;
/// Maximum login latency while attackers run at the program's priority, and maximum median login
/// latency in the long form.
const LOGIN_MAX: Duration = Duration::from_secs(30);
const LOGIN_P50_MAX_MS: f64 = 1_500.0;
/// Number of requests that are prepared before a flood and sent repeatedly.
const REQUESTS: usize = 2_000;
/// Maximum ratio of the median latency of correct flags under attack to that without an attack.
const RATIO_MAX: f64 = 3.0;
/// Additional latency allowed in the short form, for a busy machine.
const MARGIN_MS: f64 = 150.0;
/// Maximum number of rounds in the short form: load from other tests is temporary, but a flood is
/// not.
const ROUNDS: usize = 3;

/// A served event with teams.
struct Arena {
    site: TestSite,
    server: Server,
    tokens: Arc<[String]>,
    key: Key,
    /// Number of correct flags submitted so far.
    sent: usize,
}

/// A flood of requests.
struct Flood {
    what: &'static str,
    requests: Vec<Vec<u8>>,
    /// Client addresses, used in turn.
    from: &'static [u8],
    /// Statuses that must not occur.
    never: &'static [u16],
}

impl Arena {
    async fn new(engine: Engine) -> Self {
        Self::with_captcha(engine, "altcha").await
    }

    async fn with_captcha(engine: Engine, provider: &str) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for i in 0..CHALLENGES {
            event.challenge(&format!("c{i}"), "type: dynamic\nextra: {initial: 500, minimum: 50}");
        }
        let settings = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let settings = settings.replace("\"off\"", &format!("\"{provider}\""));
        // The last address is in a trusted network: a campus that contains an attacker.
        event.write("event.toml", &format!("{settings}trusted_networks = [\"127.0.0.9\"]\n"));
        site.apply(&event).await.ok();
        let mut csv = "name,email,country,student,password\n".to_owned();
        for i in 0..TEAMS {
            let password = if i < LOGINS { PASSWORD } else { "" };
            csv += &format!("Team {i},team{i}@example.org,IT,false,{password}\n");
        }
        let (file, out) = (site.file("teams.csv"), site.file("tokens.csv"));
        std::fs::write(&file, csv).unwrap();
        let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
        site.run(&["team", "import", file, "--tokens", out]).await.ok();
        let rows = read_csv(&std::fs::read_to_string(out).unwrap());
        let tokens = rows.into_iter().map(|mut row| row.pop().unwrap()).collect();
        let key = Key::new(std::fs::read(site.file("secret")).unwrap().trim_ascii());
        let server = site.serve(&event).await;
        Self { site, server, tokens, key, sent: 0 }
    }

    /// A solved captcha that was not used before.
    fn captcha(&self) -> String {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        solved_captcha(&self.key, now.as_millis() as i64 + 600_000)
    }

    /// Submits correct flags and logs in for the duration `time`; returns the latencies of both.
    async fn play(&mut self, time: Duration, captchas: Vec<String>) -> [Times; 2] {
        let address = self.server.address().parse().unwrap();
        let (stop, stopped) = watch::channel(false);
        let (tokens, first) = (self.tokens.clone(), self.sent);
        let right = move |number: usize| {
            let (team, challenge) = ((first + number) % TEAMS, (first + number) / TEAMS);
            load::solve(&tokens[team], &format!("c{challenge}"), &format!("flag{{c{challenge}}}"))
        };
        let flags = tokio::spawn(pace(address, CONNECTIONS, FLAGS_PER_S, right, stopped.clone()));
        let logins = tokio::spawn(async move {
            let mut connection = load::Connection::open(address).await.unwrap();
            let mut times = Times::default();
            for (i, captcha) in captchas.into_iter().enumerate() {
                if *stopped.borrow() {
                    break;
                }
                let took = log_in(&mut connection, i % LOGINS, &captcha).await;
                times.record(took);
                tokio::time::sleep(LOGIN_EVERY.saturating_sub(took)).await;
            }
            times
        });
        tokio::time::sleep(time).await;
        stop.send_replace(true);
        let flags = flags.await.unwrap().expect("correct flags are accepted");
        self.sent += flags.count() as usize;
        [flags, logins.await.expect("an honest login was refused")]
    }

    /// Plays without and with a flood, and asserts that the difference is small.
    async fn stands(mut self, flood: Flood) {
        let time = Duration::from_secs(if is_long() { 8 } else { 2 });
        let captchas = |arena: &Self| -> Vec<String> {
            let count = time.as_millis() / LOGIN_EVERY.as_millis();
            (0..count).map(|_| arena.captcha()).collect()
        };
        let fresh = captchas(&self);
        let [calm, _] = self.play(time, fresh).await;
        let attack = Attack::begin(&self.server, &flood, Some(LOWEST));
        let margin_ms = if is_long() { 0.0 } else { MARGIN_MS };
        let p50_max = calm.quantile_ms(0.5) * RATIO_MAX + margin_ms;
        let fresh = captchas(&self);
        let [mut flags, mut logins] = self.play(time, fresh).await;
        for _ in 1..if is_long() { 1 } else { ROUNDS } {
            if flags.quantile_ms(0.5) <= p50_max {
                break;
            }
            let fresh = captchas(&self);
            [flags, logins] = self.play(time, fresh).await;
        }
        let answers = attack.end(&flood);
        let quantiles = |times: &Times| [times.quantile_ms(0.5), times.p99_ms()];
        let ([calm_p50, calm_p99], [p50, p99]) = (quantiles(&calm), quantiles(&flags));
        println!(
            "figures: {}, {}: correct flags' p50 {p50:.1} ms, p99 {p99:.1} ms (calm {calm_p50:.1} \
             and {calm_p99:.1}); {} honest logins, the slowest {:.0} ms; {answers}",
            flood.what,
            if self.site.test.url.is_some() { "PostgreSQL" } else { "SQLite" },
            logins.count(),
            logins.quantile_ms(1.0),
        );
        assert!(p50 <= p50_max, "p50 of correct flags is {p50:.1} ms, limit {p50_max:.1} ms");
        let p99_max = super::honest_max().as_secs_f64() * 1_000.0;
        assert!(p99 <= p99_max, "correct flags' p99 is {p99:.1} ms, the maximum is {p99_max:.1}");
        self.server.stop().await;
    }

    /// Logs in while attackers compete for all processors at the program's priority.
    async fn lets_log_in(self, flood: Flood) {
        let address = self.server.address().parse().unwrap();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let begin = |_| Attack::begin(&self.server, &flood, None);
        let attacks: Vec<Attack> = (0..cores).map(begin).collect();
        for attack in &attacks {
            attack.has_answers(ATTACKERS as u64).await;
        }
        let mut connection = load::Connection::open(address).await.unwrap();
        let mut times = Times::default();
        for team in 0..LOGINS {
            let captcha = self.captcha();
            let login = log_in(&mut connection, team, &captcha);
            let took = tokio::time::timeout(LOGIN_MAX, login).await;
            times.record(took.expect("an honest login is answered in time"));
        }
        let answers: Vec<String> = attacks.into_iter().map(|attack| attack.end(&flood)).collect();
        println!(
            "figures: {}, {}, at the program's priority: {} honest logins, p50 {:.0} ms, the \
             slowest {:.0} ms; {}",
            flood.what,
            if self.site.test.url.is_some() { "PostgreSQL" } else { "SQLite" },
            times.count(),
            times.quantile_ms(0.5),
            times.quantile_ms(1.0),
            answers.join("; "),
        );
        let p50_max = if is_long() { LOGIN_P50_MAX_MS } else { LOGIN_MAX.as_secs_f64() * 1_000.0 };
        let p50 = times.quantile_ms(0.5);
        assert!(p50 <= p50_max, "honest logins' p50 is {p50:.0} ms, {p50_max:.0} at most");
        self.server.stop().await;
    }
}

/// Logs in as a team; returns the latency.
async fn log_in(connection: &mut load::Connection, team: usize, captcha: &str) -> Duration {
    let team = format!("Team {team}");
    let body = json!({"team": team, "password": PASSWORD, "captchaToken": captcha});
    let begun = Instant::now();
    let ask = load::post("/api/login", "", &body).unwrap();
    let answer = connection.send(ask).await.expect("an answer");
    assert_eq!(answer.status, 200, "an honest login was refused: {:?}", answer.body);
    begun.elapsed()
}

/// A running attack, on its own thread.
struct Attack {
    stop: Arc<AtomicBool>,
    /// Number of responses by the first digit of their status; the last entry counts forbidden
    /// statuses.
    answers: Arc<[AtomicU64; 7]>,
    thread: std::thread::JoinHandle<()>,
    begun: Instant,
}

impl Attack {
    /// Sends the requests of a flood over many connections, as fast as responses arrive.
    fn begin(server: &Server, flood: &Flood, niceness: Option<i32>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let answers = Arc::<[AtomicU64; 7]>::default();
        let requests: Arc<[Vec<u8>]> = flood.requests.as_slice().into();
        let attackers = if is_long() { ATTACKERS } else { ATTACKERS / 4 };
        let (address, from, never) = (server.address().to_owned(), flood.from, flood.never);
        let all = {
            let (stop, answers) = (stop.clone(), answers.clone());
            async move {
                let mut crowd = JoinSet::new();
                for i in 0..attackers {
                    let (requests, address) = (requests.clone(), address.clone());
                    let (stop, answers) = (stop.clone(), answers.clone());
                    let from = stranger(from[i % from.len()]);
                    crowd.spawn(async move {
                        let mut line = None;
                        for number in (i..).step_by(attackers) {
                            if stop.load(Ordering::Relaxed) {
                                return;
                            }
                            let request = &requests[number % requests.len()];
                            let status = ask(&mut line, &address, from, request).await;
                            let class = if never.contains(&status) { 6 } else { status / 100 };
                            answers[usize::from(class)].fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
                crowd.join_all().await;
            }
        };
        let thread = at_priority(niceness, all);
        Self { stop, answers, thread, begun: Instant::now() }
    }

    /// Waits until this many requests succeeded.
    async fn has_answers(&self, count: u64) {
        let all = async {
            while self.answers[2].load(Ordering::Relaxed) < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(LOGIN_MAX, all).await.expect("the flood is answered");
    }

    /// Ends the attack; returns a summary of the responses.
    fn end(self, flood: &Flood) -> String {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the attackers are answered");
        let count = |class: usize| self.answers[class].load(Ordering::Relaxed);
        assert_eq!(count(6), 0, "{}: none is answered with {:?}", flood.what, flood.never);
        let all: u64 = (0..7).map(count).sum();
        let per_s = all as f64 / self.begun.elapsed().as_secs_f64();
        format!("{per_s:.0} attacks a second, {} of them refused", count(4) + count(5))
    }
}

/// Sends a request over a persistent connection; returns the status, or 0 without a response.
async fn ask(line: &mut Option<TcpStream>, address: &str, from: Ipv4Addr, request: &[u8]) -> u16 {
    if line.is_none() {
        *line = Some(connect(address, from).await);
    }
    let stream = line.as_mut().expect("it is open");
    let answer = async {
        stream.write_all(request).await.ok()?;
        let mut bytes = Vec::new();
        let mut buffer = [0; 16 * 1024];
        loop {
            let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
            bytes.extend_from_slice(&buffer[..count]);
            let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&bytes[..end]).ok()?.to_ascii_lowercase();
            let (_, length) = head.split_once("content-length: ")?;
            let length: usize = length.lines().next()?.trim().parse().ok()?;
            if bytes.len() >= end + 4 + length {
                return head.get(9..12)?.parse().ok();
            }
        }
    };
    let status = answer.await;
    if status.is_none() {
        *line = None;
    }
    status.unwrap_or_default()
}

/// The bytes of a request.
fn get(path: &str, token: &str) -> Vec<u8> {
    format!("GET /api{path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: {token}\r\n\r\n").into_bytes()
}

fn post(path: &str, body: &serde_json::Value) -> Vec<u8> {
    let body = body.to_string();
    let head = "Host: x\r\nContent-Type: application/json";
    let length = body.len();
    format!("POST /api{path} HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

fn login(number: usize, captcha: &str) -> Vec<u8> {
    let team = format!("Nobody {number}");
    post("/login", &json!({"team": team, "password": "a guess", "captchaToken": captcha}))
}

/// A token of the right length: 43 characters.
fn made_up(number: usize) -> String {
    format!("{number:042}A")
}

on_both_engines! {
    async fn repeated_used_captchas_slow_nobody(engine: Engine) {
        let arena = Arena::new(engine).await;
        let captcha = arena.captcha();
        let requests = (0..REQUESTS).map(|i| login(i, &captcha)).collect();
        let what = "a used captcha sent again and again";
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[200] }).await;
    }

    async fn made_up_tokens_slow_nobody(engine: Engine) {
        let arena = Arena::new(engine).await;
        let requests = (0..REQUESTS).map(|i| get("/challenge", &format!("fsp_{}", made_up(i))));
        let what = "made-up tokens";
        let requests = requests.collect();
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[200] }).await;
    }

    async fn made_up_links_slow_nobody(engine: Engine) {
        let arena = Arena::new(engine).await;
        let link = |i| post("/confirm", &json!({"token": made_up(i)}));
        let what = "made-up links";
        let requests = (0..REQUESTS).map(link).collect();
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[200] }).await;
    }

    async fn many_logins_from_one_network_block_no_other_login(engine: Engine) {
        let arena = Arena::new(engine).await;
        let requests = (0..2 * REQUESTS).map(|i| login(i, &arena.captcha())).collect();
        let what = "logins from one network";
        arena.stands(Flood { what, requests, from: &[2], never: &[200] }).await;
    }

    async fn long_names_at_the_login_slow_nobody(engine: Engine) {
        // NFKC expands each of these to 18 characters.
        let team = "\u{fdfa}".repeat(1365);
        let login = json!({"team": team, "password": "a guess", "captchaToken": "off"});
        let arena = Arena::with_captcha(engine, "off").await;
        let what = "long names at the login";
        let requests = vec![post("/login", &login)];
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[200] }).await;
    }

    async fn repeated_captcha_requests_slow_nobody(engine: Engine) {
        let arena = Arena::new(engine).await;
        let what = "captchas asked for";
        let requests = vec![get("/captcha", "")];
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[401] }).await;
    }

    async fn a_flood_of_cheap_requests_stops_no_login(engine: Engine) {
        let arena = Arena::new(engine).await;
        let what = "the rules asked for";
        let requests = vec![get("/rules", "")];
        let flood = Flood { what, requests, from: &[2, 3, 9], never: &[401] };
        arena.lets_log_in(flood).await;
    }

    async fn repeated_feed_requests_slow_nobody(engine: Engine) {
        let arena = Arena::new(engine).await;
        let what = "the feed asked for";
        let requests = vec![get("/ctftime", "")];
        arena.stands(Flood { what, requests, from: &[2, 3, 9], never: &[401] }).await;
    }
}
