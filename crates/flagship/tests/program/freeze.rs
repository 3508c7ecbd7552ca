//! The freeze against timing attacks, on the real program: response times do not reveal whether
//! another team's flag was correct, a page receives its board once, and requests for boards and own
//! solves do not delay flags.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flagship_control::control;
use flagship_load as load;
use flagship_testkit::on_both_engines;
use rand::seq::SliceRandom;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocket};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::attack::at_lowest_priority;
use crate::event::{EventFolder, Times};
use crate::is_torture;
use crate::player::flag;
use crate::process::{Server, TestSite};

/// Maximum distinguishability of correct and incorrect flags by response time, as the area under
/// the ROC curve; 0.5 is chance.
const AREA_MAX: f64 = 0.6;
/// Limit in the short form of the test.
const GROSS_AREA: f64 = 0.95;
/// Minimum area if the test itself adds a delay.
const PLANTED_MIN: f64 = 0.75;
/// Number of requests that make up the added delay.
const PLANTED: usize = 3;
/// Maximum number of rounds of the short form until it detects the added delay.
const PLANTED_ROUNDS: usize = 5;
/// Number of messages that a socket may send in a row.
const SOCKET_ASKS: usize = 8;
/// Time after a flag in which the slowest response counts.
const SLOWEST: Duration = Duration::from_millis(4);
/// Time before each flag in which the poller already sends requests.
const WARM: Duration = Duration::from_millis(5);
/// Time that a watcher waits for a message before it checks for the end of the test.
const WATCH_PAUSE: Duration = Duration::from_millis(50);
/// Number of challenges; each team solves each once.
const CHALLENGES: usize = 40;
/// Number of consecutive flags of which half are correct. Of 40 calls for hints, 25 at most are
/// then refused, which is below the limit of a minute.
const BLOCK: usize = 10;
/// Sockets of the team that sends flags: a correct flag is sent to each of them.
const PAGES: usize = 20;

/// Number of connections that request the board and a team's own solves at full speed.
const ATTACKERS: usize = 64;
/// Correct flags per second of other teams, and duration of the measurement.
const FLAGS_PER_S: f64 = 50.0;
const HALF: Duration = Duration::from_secs(10);

/// An event that has started and is frozen.
const FROZEN: Times = Times { start: -60_000, freeze: Some(-30_000), end: 3_600_000 };

fn frozen_event() -> EventFolder {
    let event = EventFolder::new();
    event.set_times(FROZEN, "manual");
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    // The limits are never reached. They are set because, without any, several nodes would not
    // count together.
    let limits = "submissions_per_challenge_per_10_s = 100000\n\
                  submissions_per_team_per_minute = 100000\n";
    let division = "[[divisions]]\nid = \"human\"\nname = \"Without AI\"\njoin = \"open\"\n";
    event.write("event.toml", &(toml + limits + division));
    for i in 0..CHALLENGES {
        let text = "type: dynamic\nextra: {initial: 500, minimum: 50}\nhints:\n  \
                    - {key: cheap, content: x, cost: 1}\n  \
                    - {key: steep, content: x, cost: 100000}";
        event.challenge(&format!("c{i}"), text);
    }
    event
}

/// The same event, in which half of the challenges need a second flag, and all limit attempts.
fn limited_event() -> EventFolder {
    let event = frozen_event();
    for i in 0..CHALLENGES {
        let rest = "type: dynamic\nextra: {initial: 500, minimum: 50}\nattempts: 9";
        let text = match i % 2 {
            0 => format!("flags: [\"flag{{c{i}}}\", \"flag{{z{i}}}\"]\nlogic: all\n{rest}\n"),
            _ => format!("flags: [\"flag{{c{i}}}\"]\n{rest}\n"),
        };
        let head = format!("name: Challenge c{i}\nid: c{i}\ncategory: misc\ndescription: What?\n");
        event.write(&format!("challenges/c{i}/challenge.yml"), &(head + &text));
    }
    event
}

/// Submissions and hints of other teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Flags,
    /// Flags of `limited_event`.
    LimitedFlags,
    /// Calls for hints, taken or refused.
    Hints,
}

/// A persistent blocking connection, used by a dedicated thread.
struct Line {
    stream: TcpStream,
    host: String,
    buffer: Vec<u8>,
}

impl Line {
    fn open(server: &Server) -> Self {
        let host = server.url.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(crate::WAIT_MAX)).unwrap();
        Self { stream, host, buffer: vec![0; 512 * 1024] }
    }

    /// Sends a request; returns the body of the response.
    fn ask(&mut self, request: &str) -> String {
        self.stream.write_all(request.as_bytes()).unwrap();
        let mut filled = 0;
        loop {
            let count = self.stream.read(&mut self.buffer[filled..]).unwrap();
            assert!(count > 0, "the connection was closed");
            filled += count;
            let bytes = &self.buffer[..filled];
            let Some(head) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { continue };
            let text = std::str::from_utf8(&bytes[..head]).unwrap();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.unwrap().parse().unwrap();
            if filled == head + 4 + length {
                // A refused hint gets 409.
                let is_expected = ["200", "409"].contains(&&text[9..12]);
                assert!(is_expected, "{text}");
                return String::from_utf8_lossy(&bytes[head + 4..]).into_owned();
            }
        }
    }

    fn get(&self, path: &str, token: &str) -> String {
        let token =
            if token.is_empty() { String::new() } else { format!("x-api-key: {token}\r\n") };
        format!("GET /api{path} HTTP/1.1\r\nhost: {}\r\n{token}\r\n", self.host)
    }

    /// A correct or incorrect flag of a challenge, both of the same length.
    fn flag(&mut self, token: &str, challenge: usize, is_right: bool, is_limited: bool) {
        let flag =
            if is_right { format!("flag{{c{challenge}}}") } else { format!("flag[c{challenge}]") };
        let answer = self.ask(&self.solve(token, &format!("c{challenge}"), &flag));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let expected = match (is_limited, is_right) {
            (true, true) if challenge.is_multiple_of(2) => {
                json!({"correct": false, "progress": {"found": 1, "of": 2}})
            }
            (true, false) => json!({"correct": false, "attemptsLeft": 8}),
            _ => json!({"correct": is_right}),
        };
        assert_eq!(answer, expected);
    }

    /// A call for a hint, taken or refused.
    fn hint(&mut self, token: &str, challenge: usize, is_taken: bool) {
        let hint = if is_taken { "cheap" } else { "steep" };
        let body = json!({"challengeId": format!("c{challenge}"), "hintId": hint});
        let answer = self.ask(&self.post("/hint", token, &body));
        let word = if is_taken { "\"cost\":1" } else { "points_missing" };
        assert!(answer.contains(word), "{answer}");
    }

    fn solve(&self, token: &str, challenge: &str, flag: &str) -> String {
        self.post("/solve", token, &json!({"challengeId": challenge, "flag": flag}))
    }

    fn post(&self, path: &str, token: &str, body: &Value) -> String {
        let body = body.to_string();
        format!(
            "POST /api{path} HTTP/1.1\r\nhost: {}\r\nx-api-key: {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        )
    }
}

/// A socket that requests the board repeatedly.
struct Watch(WebSocket<TcpStream>);

impl Watch {
    fn connect(server: &Server) -> Self {
        let address = server.url.trim_start_matches("http://");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let (socket, _) =
            tokio_tungstenite::tungstenite::client(format!("ws://{address}/api/live"), stream)
                .unwrap();
        let stream = socket.get_ref().try_clone().unwrap();
        Self(WebSocket::from_raw_socket(stream, Role::Client, None))
    }

    /// Requests the board as a team, or with the token "" as the public.
    fn say(&mut self, token: &str) {
        let ask = json!({"action": "getscoreboard", "token": token});
        self.0.send(Message::text(ask.to_string())).unwrap();
    }

    fn hear(&mut self) {
        while !self.0.read().unwrap().is_text() {}
    }

    /// Opens sockets that have received their board. The server reads the first message on each
    /// after a pause.
    fn open(server: &Server, count: usize, token: &str) -> Vec<Self> {
        let mut sockets: Vec<Self> = (0..count).map(|_| Self::connect(server)).collect();
        sockets.iter_mut().for_each(|socket| socket.say(token));
        sockets.iter_mut().for_each(Self::hear);
        sockets
    }
}

/// Kind of the timed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Board,
    /// The team's own additions to the board.
    OwnSolves,
    List,
    TeamPage,
    Feed,
    /// The feed of the division that the teams are in.
    DivisionFeed,
    Event,
    Frame,
    /// The teams, as an observer sees them.
    Teams,
    /// A flag that the team has already solved, answered after a database query.
    Repeated,
    /// The board, with an added delay after a correct flag.
    Planted,
}

const CHANNELS: [Channel; 11] = [
    Channel::Board,
    Channel::OwnSolves,
    Channel::List,
    Channel::TeamPage,
    Channel::Feed,
    Channel::DivisionFeed,
    Channel::Event,
    Channel::Frame,
    Channel::Teams,
    Channel::Repeated,
    Channel::Planted,
];

/// The timed response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// The response to the first request after the server answered the flag.
    After,
    /// The response to the first request after the flag was sent.
    During,
    /// The slowest response in some time after the flag was sent.
    Slowest,
}

/// The attacker, who sends timed requests.
struct Poller {
    line: Line,
    sockets: Vec<Watch>,
    asked: usize,
    request: String,
    channel: Channel,
}

impl Poller {
    fn new(server: &Server, channel: Channel, token: &str, samples: usize) -> Self {
        let sockets = if channel == Channel::Frame { 2 * samples / SOCKET_ASKS + 1 } else { 0 };
        let sockets = Watch::open(server, sockets, "");
        // The line is opened last, because a new connection must send a message within some
        // seconds.
        let line = Line::open(server);
        let request = match channel {
            Channel::Board | Channel::Planted | Channel::Frame => line.get("/scoreboard", ""),
            Channel::OwnSolves => line.get("/scoreboard/own", token),
            Channel::List => line.get("/challenge", token),
            Channel::TeamPage => line.get("/team/Team%201", ""),
            Channel::Feed => line.get("/ctftime", ""),
            Channel::DivisionFeed => line.get("/ctftime?division=human", ""),
            Channel::Event => line.get("/ctf", ""),
            Channel::Teams => line.get("/organize/teams", token),
            Channel::Repeated => line.solve(token, "one", "flag{one}"),
        };
        Self { line, sockets, asked: 0, request, channel }
    }

    /// Sends `planted` extra requests as an artificial delay, then one request. Returns the time
    /// until the last response.
    fn ask(&mut self, planted: usize) -> Duration {
        let begun = Instant::now();
        if self.channel == Channel::Frame {
            let socket = &mut self.sockets[self.asked / SOCKET_ASKS];
            socket.say("");
            socket.hear();
            self.asked += 1;
        } else {
            for _ in 0..planted {
                self.line.ask(&self.request);
            }
            self.line.ask(&self.request);
        }
        begun.elapsed()
    }
}

/// Distinguishability of the two kinds by time, as the area under the ROC curve in either
/// direction: the probability that a time of the first kind is longer than one of the second.
fn area(right: &[Duration], wrong: &[Duration]) -> f64 {
    let mut longer = 0.0;
    for one in right {
        for other in wrong {
            longer += if one > other {
                1.0
            } else if one == other {
                0.5
            } else {
                0.0
            };
        }
    }
    let area = longer / (right.len() * wrong.len()) as f64;
    area.max(1.0 - area)
}

/// Minimum area with an added delay. In the short form it is the area that equal times exceed once
/// in a thousand cases (three standard deviations), since a busy machine adds noise to each time.
/// More samples, not longer ones, make it stricter.
fn planted_min(count: usize) -> f64 {
    if is_torture() {
        return PLANTED_MIN;
    }
    let count = count as f64;
    let deviation = ((2.0 * count + 1.0) / 12.0).sqrt() / count;
    PLANTED_MIN.min(0.5 + 3.0 * deviation)
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2]
}

/// Flags of other teams that were not submitted yet.
struct Flags<'a> {
    line: Line,
    tokens: &'a [String],
    sent: usize,
    /// The server to which the sockets are connected.
    watched: &'a Server,
    /// The sockets of the team that sends the next flag. The test does not read them.
    pages: Vec<Watch>,
    kind: Sent,
}

impl<'a> Flags<'a> {
    /// Creates flags for one server. The teams' sockets are connected to another server or to the
    /// same one.
    fn new(server: &Server, watched: &'a Server, tokens: &'a [String]) -> Self {
        Self {
            line: Line::open(server),
            tokens,
            sent: 0,
            watched,
            pages: Vec::new(),
            kind: Sent::Flags,
        }
    }

    /// Opens the sockets of the team that sends the next flag.
    fn open_pages(&mut self) {
        if self.sent.is_multiple_of(CHALLENGES) {
            let token = &self.tokens[self.sent / CHALLENGES];
            self.pages = Watch::open(self.watched, PAGES, token);
        }
    }

    fn send(&mut self, is_right: bool) {
        let (team, challenge) = (self.sent / CHALLENGES, self.sent % CHALLENGES);
        let token = &self.tokens[team];
        match self.kind {
            Sent::Hints => self.line.hint(token, challenge, is_right),
            Sent::Flags => self.line.flag(token, challenge, is_right, false),
            Sent::LimitedFlags => self.line.flag(token, challenge, is_right, true),
        }
        self.sent += 1;
    }
}

/// Response times, by correctness of the flag. The poller never pauses: after a pause, its response
/// times would depend on the duration of the flag's request.
fn measure(
    poller: &mut Poller,
    flags: &mut Flags<'_>,
    moment: Moment,
    samples: usize,
    random: &mut impl rand::Rng,
) -> (Vec<Duration>, Vec<Duration>) {
    let mut order: Vec<bool> = (0..2 * samples).map(|i| i % 2 == 0).collect();
    order.chunks_mut(BLOCK).for_each(|block| block.shuffle(random));
    let mut right = Vec::new();
    let mut wrong = Vec::new();
    for is_right in order {
        flags.open_pages();
        let planted = match moment {
            _ if !is_right || poller.channel != Channel::Planted => 0,
            Moment::During | Moment::After => PLANTED,
            // The added delay must exceed the slowest of some 40 responses.
            Moment::Slowest => 8 * PLANTED,
        };
        let is_sent = AtomicBool::new(false);
        let is_answered = AtomicBool::new(false);
        let is_time = match moment {
            Moment::During | Moment::Slowest => &is_sent,
            Moment::After => &is_answered,
        };
        let took = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(WARM);
                is_sent.store(true, Ordering::SeqCst);
                flags.send(is_right);
                is_answered.store(true, Ordering::SeqCst);
            });
            while !is_time.load(Ordering::SeqCst) {
                poller.line.ask(&poller.request);
            }
            let begun = Instant::now();
            let mut took = poller.ask(planted);
            while moment == Moment::Slowest && begun.elapsed() < SLOWEST {
                took = took.max(poller.ask(0));
            }
            took
        });
        if is_right { right.push(took) } else { wrong.push(took) }
    }
    (right, wrong)
}

/// An organizer who repeats the same actions.
struct Busy {
    is_done: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<usize>,
    /// Minimum number of repetitions.
    least: usize,
}

impl Busy {
    /// Reads the teams in the unfrozen view.
    fn reading(server: &Server, token: &str) -> Self {
        let line = Line::open(server);
        let request = line.get("/organize/teams", token);
        Self::start(line, vec![request], SLOWEST, "\"truth\":{")
    }

    /// Runs actions that do not affect the flags and challenges of other teams, on a team that has
    /// solved `c0` during the freeze.
    fn acting(server: &Server, token: &str, team: &str) -> Self {
        let line = Line::open(server);
        let now = jiff::Timestamp::now().to_string();
        let actions = [
            json!({"action": "team.hide"}),
            json!({"action": "team.show"}),
            json!({"action": "team.award", "points": 5}),
            json!({"action": "team.ban"}),
            json!({"action": "team.unban"}),
            json!({"action": "team.award", "points": -5}),
            json!({"action": "team.country", "country": "FR"}),
            json!({"action": "team.note", "text": "x"}),
            json!({"action": "solve.withdraw", "challenge": "c0"}),
            json!({"action": "solve.count", "challenge": "c0", "at": now}),
            json!({"action": "team.country", "country": "IT"}),
            json!({"action": "challenge.status", "challenge": "c0", "status": "broken"}),
            json!({"action": "challenge.release", "challenge": "spare"}),
            json!({"action": "notice.post", "title": "x", "text": "y"}),
            json!({"action": "challenge.hide", "challenge": "spare"}),
            json!({"action": "challenge.status", "challenge": "c0", "status": "works"}),
        ];
        let actions = actions.map(|mut action| {
            let name = action["action"].as_str().expect("a name");
            if name.starts_with("team.") || name.starts_with("solve.") {
                action["team"] = json!(team);
            }
            action["reason"] = json!("x");
            line.post("/organize/actions", token, &action)
        });
        Self::start(line, actions.to_vec(), 5 * SLOWEST, "\"effect\":{")
    }

    /// Watches the unfrozen view on the organizers' live channel and, like the site, reads the
    /// lists that the hints name.
    fn watching(server: &Server, token: &str) -> Self {
        let address = server.url.trim_start_matches("http://");
        let stream = TcpStream::connect(address).unwrap();
        let url = format!("ws://{address}/api/organize/live");
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("x-api-key", token.parse().unwrap());
        let (mut socket, _) = tokio_tungstenite::tungstenite::client(request, stream).unwrap();
        socket.get_ref().set_read_timeout(Some(WATCH_PAUSE)).unwrap();
        let mut line = Line::open(server);
        let lists = ["teams", "flags", "challenges"];
        let reads = lists.map(|list| (list, line.get(&format!("/organize/{list}"), token)));
        let idle = line.get("/organize/me", token);
        let is_done = Arc::new(AtomicBool::new(false));
        let stopped = is_done.clone();
        let thread = std::thread::spawn(move || {
            let mut hints = 0;
            while !stopped.load(Ordering::SeqCst) {
                match socket.read() {
                    Ok(told) => {
                        let text = told.into_text().unwrap_or_default();
                        let is_named = |list: &str| text.contains(&format!("\"{list}\""));
                        for (_, request) in reads.iter().filter(|(list, _)| is_named(list)) {
                            line.ask(request);
                        }
                        hints += usize::from(is_named("flags"));
                        if text.contains("\"lists\":[]") {
                            // The server would close an idle connection.
                            line.ask(&idle);
                        }
                    }
                    Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(error) => panic!("the channel stays open: {error}"),
                }
            }
            hints
        });
        // The first hint comes at the beginning.
        Self { is_done, thread, least: 2 }
    }

    fn start(mut line: Line, requests: Vec<String>, pause: Duration, said: &'static str) -> Self {
        let is_done = Arc::new(AtomicBool::new(false));
        let stopped = is_done.clone();
        let thread = std::thread::spawn(move || {
            let mut done = 0;
            while !stopped.load(Ordering::SeqCst) {
                let answer = line.ask(&requests[done % requests.len()]);
                assert!(answer.contains(said), "{answer}");
                done += 1;
                std::thread::sleep(pause);
            }
            done
        });
        Self { is_done, thread, least: 10 }
    }

    fn stop(self) {
        self.is_done.store(true, Ordering::SeqCst);
        let done = self.thread.join().expect("the thread ends normally");
        assert!(done >= self.least, "the work ran continuously: {done}");
    }
}

/// The token of a new organizer with a role.
async fn organizer_token(site: &TestSite, name: &str, role: &str) -> String {
    let url = ["--public-url", "https://ctf.example.org"];
    let add = ["organizer", "add", name, "--role", role];
    site.run(&[&add[..], &url].concat()).await.ok();
    site.run(&["organizer", "token", name]).await.ok().trim().to_owned()
}

/// Response times of one server while flags are sent to the same or to another one.
struct Timing<'a> {
    /// The engine and the servers, for the output.
    about: String,
    polled: &'a Server,
    /// The team whose own solves, challenge list and flags the poller requests.
    token: &'a str,
    /// The token of an observer.
    observer: &'a str,
    flags: Flags<'a>,
    samples: usize,
    /// Maximum distinguishability of the flags by time.
    limit: f64,
    random: rand::rngs::StdRng,
}

impl Timing<'_> {
    /// The channels and moments at which times distinguish the flags better than the limit allows.
    fn telling(&mut self, channels: &[Channel], is_leaking: bool) -> Vec<(Channel, Moment, f64)> {
        let mut telling = Vec::new();
        for &channel in channels {
            for moment in [Moment::After, Moment::During, Moment::Slowest] {
                if moment == Moment::Slowest && channel == Channel::Frame {
                    // The server rejects a socket that sends requests at full speed.
                    continue;
                }
                let (area, count) = self.area(channel, moment);
                if channel == Channel::Planted {
                    let min = planted_min(count);
                    assert!(area > min, "a planted detour is not seen: {area}, not above {min}");
                    telling.extend(is_leaking.then_some((channel, moment, area)));
                } else if area > self.limit {
                    telling.push((channel, moment, area));
                }
            }
        }
        telling
    }

    /// Measures how well times distinguish the flags; also returns the number of samples per sort.
    fn area(&mut self, channel: Channel, moment: Moment) -> (f64, usize) {
        let (mut right, mut wrong) = self.measure(channel, moment);
        for round in 1..PLANTED_ROUNDS {
            let found = area(&right, &wrong);
            let is_unclear = match channel {
                Channel::Planted if !is_torture() => found <= planted_min(right.len()),
                // With 300 samples of each kind, the area is wrong by 0.05 one time in twenty.
                _ => round == 1 && (self.limit..PLANTED_MIN).contains(&found),
            };
            if !is_unclear {
                break;
            }
            let more = self.measure(channel, moment);
            right.extend(more.0);
            wrong.extend(more.1);
        }
        let area = area(&right, &wrong);
        eprintln!(
            "figures: {} {channel:?} {moment:?}: area {area:.3}, {} right and wrong, medians {:?} \
             and {:?}",
            self.about,
            right.len(),
            median(&right),
            median(&wrong)
        );
        (area, right.len())
    }

    fn measure(&mut self, channel: Channel, moment: Moment) -> (Vec<Duration>, Vec<Duration>) {
        let token = if channel == Channel::Teams { self.observer } else { self.token };
        let mut poller = Poller::new(self.polled, channel, token, self.samples);
        measure(&mut poller, &mut self.flags, moment, self.samples, &mut self.random)
    }
}

on_both_engines! {
    async fn the_time_of_an_answer_tells_nothing_of_others_flags(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let samples = if is_torture() { 300 } else { 20 };
        let tokens = site.import_in(if is_torture() { 610 } else { 46 }, "human").await;
        let server = site.serve(&event).await;
        for token in &tokens {
            server.team(token).await;
        }
        let viewer = server.team(&tokens[0]).await;
        viewer.solves("one").await;
        let observer = organizer_token(&site, "Eve", "observer").await;
        let organizer = organizer_token(&site, "Ada", "organizer").await;
        let words = "distinguishes correct flags from incorrect ones";
        let is_leaking =
            control("the_time_of_an_answer_tells_nothing_of_others_flags", words);
        tokio::task::block_in_place(|| {
            let reader = Busy::reading(&server, &organizer);
            let watcher = Busy::watching(&server, &organizer);
            let mut timing = Timing {
                about: format!("{engine:?}"),
                polled: &server,
                token: &tokens[0],
                observer: &observer,
                flags: Flags::new(&server, &server, &tokens[1..]),
                samples,
                // With few samples on a busy machine, only large differences are significant.
                limit: if is_torture() { AREA_MAX } else { GROSS_AREA },
                random: crate::seeded(),
            };
            let telling = timing.telling(&CHANNELS, is_leaking);
            reader.stop();
            watcher.stop();
            let limit = timing.limit;
            assert!(telling.is_empty(), "the time {words}: {telling:?}, {limit} at most");
        });
        server.stop().await;
    }

    async fn the_time_of_an_answer_tells_nothing_of_others_hints(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let samples = if is_torture() { 300 } else { 20 };
        let tokens = site.import_in(if is_torture() { 610 } else { 46 }, "human").await;
        let server = site.serve(&event).await;
        for token in &tokens {
            // Points for the cheap hints.
            server.team(token).await.solves("one").await;
        }
        let observer = organizer_token(&site, "Eve", "observer").await;
        let words = "distinguishes hints that are taken from refused ones";
        let is_leaking = control("the_time_of_an_answer_tells_nothing_of_others_hints", words);
        tokio::task::block_in_place(|| {
            let flags = Flags::new(&server, &server, &tokens[1..]);
            let mut timing = Timing {
                about: format!("hints, {engine:?}"),
                polled: &server,
                token: &tokens[0],
                observer: &observer,
                flags: Flags { kind: Sent::Hints, ..flags },
                samples,
                limit: if is_torture() { AREA_MAX } else { GROSS_AREA },
                random: crate::seeded(),
            };
            let telling = timing.telling(&CHANNELS, is_leaking);
            let limit = timing.limit;
            assert!(telling.is_empty(), "the time {words}: {telling:?}, {limit} at most");
        });
        server.stop().await;
    }

    async fn the_time_of_an_answer_tells_nothing_of_others_parts_and_attempts(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = limited_event();
        site.apply(&event).await.ok();
        let samples = if is_torture() { 300 } else { 20 };
        let tokens = site.import(if is_torture() { 300 } else { 30 }).await;
        let channels: &[Channel] = match is_torture() {
            true => &[Channel::Board, Channel::OwnSolves, Channel::List, Channel::Planted],
            false => &[Channel::Board, Channel::List, Channel::Planted],
        };
        let server = site.serve(&event).await;
        for token in &tokens {
            server.team(token).await;
        }
        server.team(&tokens[0]).await.solves("one").await;
        let words = "distinguishes parts and solves from used attempts";
        let is_leaking =
            control("the_time_of_an_answer_tells_nothing_of_others_parts_and_attempts", words);
        tokio::task::block_in_place(|| {
            let flags = Flags::new(&server, &server, &tokens[1..]);
            let mut timing = Timing {
                about: format!("parts and attempts, {engine:?}"),
                polled: &server,
                token: &tokens[0],
                observer: "",
                flags: Flags { kind: Sent::LimitedFlags, ..flags },
                samples,
                limit: if is_torture() { AREA_MAX } else { GROSS_AREA },
                random: crate::seeded(),
            };
            let telling = timing.telling(channels, is_leaking);
            let limit = timing.limit;
            assert!(telling.is_empty(), "the time {words}: {telling:?}, {limit} at most");
        });
        server.stop().await;
    }

    async fn the_time_of_an_answer_tells_nothing_while_organizers_act(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let (samples, teams) = if is_torture() { (300, 300) } else { (20, 20) };
        let channels: &[Channel] = match is_torture() {
            true => &[Channel::Board, Channel::OwnSolves, Channel::List, Channel::Planted],
            false => &[Channel::OwnSolves, Channel::Planted],
        };
        let tokens = site.import(teams).await;
        let server = site.serve(&event).await;
        for token in &tokens {
            server.team(token).await;
        }
        server.team(&tokens[0]).await.solves("one").await;
        let touched = server.team(&tokens[teams - 1]).await;
        assert_eq!(touched.post("/solve", &flag("c0", "flag{c0}")).await.0, 200);
        let organizer = organizer_token(&site, "Ada", "organizer").await;
        let words = "distinguishes correct flags from incorrect ones while organizers act";
        let is_leaking = control("the_time_of_an_answer_tells_nothing_while_organizers_act", words);
        tokio::task::block_in_place(|| {
            let acting = Busy::acting(&server, &organizer, &format!("Team {teams}"));
            let mut timing = Timing {
                about: format!("{engine:?}, while organizers act,"),
                polled: &server,
                token: &tokens[0],
                observer: "",
                flags: Flags::new(&server, &server, &tokens[1..teams - 1]),
                samples,
                limit: if is_torture() { AREA_MAX } else { GROSS_AREA },
                random: crate::seeded(),
            };
            let telling = timing.telling(channels, is_leaking);
            acting.stop();
            let limit = timing.limit;
            assert!(telling.is_empty(), "the time {words}: {telling:?}, {limit} at most");
        });
        server.stop().await;
    }

    async fn the_time_of_an_answer_tells_nothing_of_flags_of_another_node(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let samples = if is_torture() { 300 } else { 20 };
        let channels: &[Channel] = match is_torture() {
            true => &[Channel::Board, Channel::OwnSolves, Channel::Feed, Channel::Planted],
            false => &[Channel::Board, Channel::Planted],
        };
        let tokens = site.import(if is_torture() { 700 } else { 38 }).await;
        let servers = [site.serve(&event).await, site.join(&event).await];
        for server in &servers {
            for token in &tokens {
                server.team(token).await;
            }
        }
        servers[0].team(&tokens[0]).await.solves("one").await;
        let words = "distinguishes correct flags of another node from incorrect ones";
        let is_leaking =
            control("the_time_of_an_answer_tells_nothing_of_flags_of_another_node", words);
        let (half, limit) = (tokens.len() / 2, if is_torture() { AREA_MAX } else { GROSS_AREA });
        tokio::task::block_in_place(|| {
            for (at, tokens_of) in [(0, &tokens[1..half]), (1, &tokens[half..])] {
                let mut timing = Timing {
                    about: format!("{engine:?}, two nodes, flags at node {at}, node 0 polled,"),
                    polled: &servers[0],
                    token: &tokens[0],
                    observer: "",
                    flags: Flags::new(&servers[at], &servers[0], tokens_of),
                    samples,
                    limit,
                    random: crate::seeded(),
                };
                let telling = timing.telling(channels, is_leaking);
                assert!(telling.is_empty(), "the time {words}: {telling:?}, {limit} at most");
            }
        });
        for server in servers {
            server.stop().await;
        }
    }

    async fn in_the_freeze_a_socket_is_sent_its_board_once(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        let server = site.serve(&event).await;
        let tokens = site.import(2).await;
        let (team, other) = (server.team(&tokens[0]).await, server.team(&tokens[1]).await);
        team.solves("one").await;
        other.solves("one").await;
        let (mut socket, snapshot) = team.watch().await;
        let (_, shared) = server.player().watch().await;
        assert_eq!(snapshot, shared, "the board that all are sent");
        assert_eq!(socket.solve().await, ("Team 1".to_owned(), "one".to_owned()), "its own after");
        let (seq, generation) = (&snapshot["seq"], &snapshot["generation"]);
        let ask = json!({"action": "getscoreboard", "token": tokens[0], "since": seq,
            "generation": generation});
        let nothing = json!({"action": "none"});
        for _ in 0..2 {
            socket.say(&ask).await;
            socket.say(&nothing).await;
            let answer = socket.next().await.unwrap();
            assert_eq!(answer["event"], "error", "nothing is sent again");
        }
        team.solves("three").await;
        assert_eq!(socket.solve().await.1, "three", "new solves arrive");
        // A new connection has no state, so the team's own solves follow the snapshot.
        let (mut again, _) = server.player().watch().await;
        again.say(&ask).await;
        assert_eq!(again.next().await.unwrap(), shared);
        assert_eq!((again.solve().await.1, again.solve().await.1), ("one".into(), "three".into()));
        // Over HTTP, a team's own solves are separate from the scoreboard.
        assert_eq!(team.get("/scoreboard").await.1, shared);
        let (_, own) = team.get("/scoreboard/own").await;
        let own = own["own"].as_array().unwrap();
        let ids: Vec<_> = own.iter().map(|it| &it["challengeId"]).collect();
        assert_eq!(ids, ["one", "three"]);
        server.stop().await;
    }

    async fn a_team_page_with_own_solves_costs_little_more_than_without(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let tokens = site.import(2_000).await;
        let server = site.serve(&event).await;
        let team = server.team(&tokens[0]).await;
        team.solves("one").await;
        let address: SocketAddr = server.url.trim_start_matches("http://").parse().unwrap();
        let mut connection = load::Connection::open(address).await.unwrap();
        let words = "and without it";
        let slow = control("a_team_page_with_own_solves_costs_little_more_than_without", words);
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..200 {
            let token = if round % 2 == 0 { "" } else { &tokens[0] };
            let ask = load::get("/api/team/Team%201", token).unwrap();
            let begun = Instant::now();
            let asked = if slow && round % 2 == 1 { 10 } else { 1 };
            for _ in 0..asked {
                let answer = connection.send(ask.clone()).await.unwrap();
                assert_eq!(answer.status, 200);
            }
            times[round % 2].push(begun.elapsed());
        }
        let [without, with] = times.map(|mut times| {
            times.sort();
            times[times.len() / 2]
        });
        eprintln!("figures: {engine:?}, a team page of 2,000 teams: {without:?}, own {with:?}");
        let max = without * 2 + Duration::from_micros(300);
        assert!(with <= max, "{with:?} with an own solve, {without:?} and without it");
        server.stop().await;
    }

    async fn who_asks_for_boards_of_its_own_slows_nobodys_flags(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = frozen_event();
        site.apply(&event).await.ok();
        let teams = if is_torture() { 1000 } else { 100 };
        let tokens = site.import(teams).await;
        let server = site.serve(&event).await;
        let attacker = server.team(&tokens[0]).await;
        attacker.solves("one").await;
        let address: SocketAddr = server.url.trim_start_matches("http://").parse().unwrap();
        let half = async |first: usize| {
            let (tokens, (stop, stopped)) = (tokens.clone(), watch::channel(false));
            let flag = move |number: usize| {
                let others = &tokens[1..];
                let id = format!("c{}", first + number / others.len());
                load::solve(&others[number % others.len()], &id, &format!("flag{{{id}}}"))
            };
            let asking = tokio::spawn(load::pace(address, 8, FLAGS_PER_S, flag, stopped));
            tokio::time::sleep(if is_torture() { HALF } else { HALF / 5 }).await;
            stop.send_replace(true);
            asking.await.unwrap().unwrap()
        };
        let calm = half(0).await;
        let (stop, stopped) = watch::channel(false);
        let asked = Arc::new(AtomicU64::new(0));
        let attackers = (0..ATTACKERS).map(|_| {
            let (token, stopped, asked) = (tokens[0].clone(), stopped.clone(), asked.clone());
            async move {
                let mut connection = load::Connection::open(address).await.unwrap();
                let asks = ["/api/scoreboard", "/api/scoreboard/own"];
                let asks = asks.map(|path| load::get(path, &token).unwrap());
                while !*stopped.borrow() {
                    for ask in &asks {
                        let answer = connection.send(ask.clone()).await.unwrap();
                        assert_eq!(answer.status, 200);
                        asked.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        });
        let attackers: Vec<_> = attackers.collect();
        let attack = at_lowest_priority(async {
            tokio::task::JoinSet::from_iter(attackers).join_all().await;
        });
        let begun = Instant::now();
        let beside = half(CHALLENGES / 2).await;
        let per_s = asked.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
        stop.send_replace(true);
        tokio::task::block_in_place(|| attack.join()).expect("the attackers are answered");
        let [calm, beside] = [calm, beside].map(|it| (it.quantile_ms(0.5), it.p99_ms()));
        eprintln!(
            "figures: {engine:?}, correct flags during {ATTACKERS} connections that request boards \
             and own solves, {per_s:.0} times a second: p50 {:.1} ms, p99 {:.1} ms; calm {:.1} and \
             {:.1}",
            beside.0, beside.1, calm.0, calm.1
        );
        let p50_ms = beside.0;
        // On a busy machine, only a large slowdown is significant.
        let (times, p99_max_ms) = if is_torture() { (3.0, 250.0) } else { (1000.0, 10_000.0) };
        assert!(p50_ms <= times * calm.0.max(1.0), "correct flags take {p50_ms} ms");
        assert!(beside.1 <= p99_max_ms, "correct flags wait {} ms at p99", beside.1);
        server.stop().await;
    }
}
