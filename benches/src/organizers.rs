//! `organizers`: submissions of 200 teams while ten organizers watch, act and preview, at a busy
//! pace and at sixty times that pace. Measured in turns with seconds in which they only watch and
//! seconds without organizers, on both databases, with the default limits of incorrect submissions
//! and captchas.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Request, Times, expect};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::Bench;
use crate::data::{Engine, Installation, SMALL, Template, USUAL, challenge_id, flag};
use crate::flags::Flags;
use crate::postgres;
use crate::server::Server;
use crate::table::{Table, Wanted, median, short};

/// Submissions per second.
const FLAGS_PER_S: f64 = 500.0;
/// One in this many submissions of a team is incorrect. More would exceed the limit in a round.
const WRONG_OF: usize = 5;
/// Number of organizers.
const COUNT: usize = 10;
/// Actions and previews per second and organizer: without organizers, only watching, one every half
/// minute (the time to find a team, give a reason and read the rank changes), and sixty times as
/// many.
const PER_S: [Option<f64>; 4] = [None, Some(0.0), Some(BUSY_PER_S), Some(HECTIC_PER_S)];
const BUSY_PER_S: f64 = 1.0 / 30.0;
const HECTIC_PER_S: f64 = 2.0;
/// Names of the paces.
const PACES: [&str; 4] = ["without", "watching", "busy", "hectic"];
/// One in this many actions is only a preview.
const PREVIEW_OF: usize = 3;
/// Number of rounds. The p99 of windows varies by a half here, so the median of five rounds varies
/// too much.
const ROUNDS: usize = 11;
/// Duration of each pace in a round. The submissions are for 38 challenges, so that each correct
/// one is a solve.
const WINDOW: Duration = Duration::from_millis(3400);
/// Interval of the live channel's updates.
const BEAT: Duration = Duration::from_secs(1);
/// Minimum time between two reads of a list.
const AGAIN: Duration = Duration::from_secs(2);
/// Time in which the senders connect.
const OPENING: Duration = Duration::from_millis(100);
/// Limit of the p99 of an action, in milliseconds.
const ACTION_MS: f64 = 50.0;
/// Limit of the p99 of submissions with busy organizers, as a multiple of the one without.
const CALMS: f64 = 1.2;

/// Action of an organizer with their own team, challenge and notice.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Hide,
    Show,
    Ban,
    Unban,
    Award,
    Rename,
    Status,
    Post,
    Correct,
    Withdraw,
    Undo,
}

/// Actions in order, repeated.
const DEEDS: [Deed; 11] = [
    Deed::Hide,
    Deed::Show,
    Deed::Ban,
    Deed::Unban,
    Deed::Award,
    Deed::Rename,
    Deed::Status,
    Deed::Post,
    Deed::Correct,
    Deed::Withdraw,
    Deed::Undo,
];
/// Indexes of [`DEEDS`] at which organizers start: actions that do not depend on the previous one.
const FIRST: [usize; 7] = [0, 2, 4, 5, 6, 7, 9];

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let size = bench.choose(USUAL, SMALL);
    let mut table = Table::new(&[PACES[0], PACES[1], PACES[2], PACES[3], "busy ratio"]);
    for (name, engine) in
        [("SQLite", Engine::Sqlite), ("PostgreSQL", Engine::Postgres(postgres::server()?))]
    {
        let template = runtime.block_on(Template::make(&engine, size))?;
        let measured = runtime.block_on(measure(bench, &template))?;
        measured.tell(name, &mut table)?;
    }
    table.remark(format!(
        "{FLAGS_PER_S} flags a second of {} teams, each over a connection of its own, one of \
         {WRONG_OF} incorrect; {COUNT} organizers who watch, busy ones with an action each every \
         {:.0} s, hectic ones with {HECTIC_PER_S} a second, one of {PREVIEW_OF} of them a preview; \
         flags by the median of {} windows, actions of all windows together",
        size.players,
        1.0 / BUSY_PER_S,
        bench.choose(ROUNDS, 1),
    ));
    Ok(table)
}

/// Quantiles of the submissions of each window, and the actions of all windows together, since
/// there are few per window.
#[derive(Default)]
struct Measured {
    /// Quantiles by pace.
    flags: [Vec<[f64; 2]>; 4],
    actions: Times,
    previews: Times,
}

/// Displayed quantiles of submissions.
const SHARES: [(&str, f64); 2] = [("p50", 0.5), ("p99", 0.99)];

impl Measured {
    fn tell(&self, name: &str, table: &mut Table) -> Result<()> {
        for (i, wanted) in [Wanted::Any, Wanted::AtMost(CALMS)].into_iter().enumerate() {
            let (what, _) = SHARES[i];
            // By window, so that a single window with a stall does not decide.
            let of_windows = |windows: &[[f64; 2]]| {
                median(&windows.iter().map(|window| window[i]).collect::<Vec<_>>())
            };
            let paces = [0, 1, 2, 3].map(|pace| of_windows(&self.flags[pace]));
            let ratio = paces[2] / paces[0];
            let cells = [&paces[..], &[ratio]].concat().into_iter().map(short).collect::<Vec<_>>();
            table.judged(&format!("{name}: flag, {what} in ms"), &cells, ratio, wanted);
        }
        for (what, times, wanted) in [
            ("action", &self.actions, Wanted::AtMost(ACTION_MS)),
            ("preview", &self.previews, Wanted::Any),
        ] {
            ensure!(times.count() > 0, "no {what} was measured");
            table.row(&format!("{name}: {what}, p50 in ms"), &[short(times.quantile_ms(0.5))]);
            let p99_ms = times.p99_ms();
            table.judged(&format!("{name}: {what}, p99 in ms"), &[short(p99_ms)], p99_ms, wanted);
        }
        Ok(())
    }
}

async fn measure(bench: &Bench, template: &Template) -> Result<Measured> {
    let mut measured = Measured::default();
    for round in 0..bench.choose(ROUNDS, 1) {
        let installation = template.copy(&bench.work).await?;
        limit(&installation)?;
        let tokens = invite(&bench.server, &installation, bench.choose(COUNT, FIRST.len()))?;
        let server = Server::start(&bench.server, &installation)?;
        let organizers = come(&server, template, &tokens).await?;
        let window = bench.choose(WINDOW, WINDOW / 12);
        let faster = bench.choose(1.0, 5.0);
        let mut probe = Probe { server, template, organizers, sent: 0 };
        // Warm up: prepare statements and build boards.
        probe.flags(Some(faster * HECTIC_PER_S), window / 6, &mut Measured::default()).await?;
        for at in 0..PER_S.len() {
            let pace = if round % 2 == 0 { at } else { PER_S.len() - 1 - at };
            let per_s = PER_S[pace].map(|per_s| faster * per_s);
            let times = probe.flags(per_s, window, &mut measured).await?;
            measured.flags[pace].push(SHARES.map(|(_, share)| times.quantile_ms(share)));
        }
    }
    Ok(measured)
}

/// Enables the default limits of incorrect submissions and the captcha in a copy.
fn limit(installation: &Installation) -> Result<()> {
    let file = installation.event.join("event.toml");
    let settings = std::fs::read_to_string(&file)?.replace("\"off\"", "\"altcha\"");
    let lines = settings.lines().filter(|line| !line.starts_with("submissions_per_"));
    Ok(std::fs::write(file, lines.collect::<Vec<_>>().join("\n"))?)
}

/// Adds organizers with the program's commands; returns their tokens.
fn invite(program: &Path, installation: &Installation, count: usize) -> Result<Vec<String>> {
    let run = |words: &[&str]| {
        let mut command = Command::new(program);
        command.arg("organizer").args(words).arg("--data").arg(installation.data());
        if let Some(url) = &installation.database {
            command.args(["--database", url]);
        }
        let done = command.output().context("run a command about organizers")?;
        ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        Ok(String::from_utf8(done.stdout)?.trim().to_owned())
    };
    let site = ["--public-url", "http://localhost"];
    let invite = |number| {
        let name = format!("Organizer {number}");
        run(&["add", &name, "--role", "organizer", site[0], site[1]])?;
        run(&["token", &name])
    };
    (0..count).map(invite).collect()
}

/// The organizers. The team of each has solved the organizer's challenge.
async fn come(server: &Server, template: &Template, tokens: &[String]) -> Result<Vec<Organizer>> {
    let mut connection = Connection::open(server.address).await?;
    let mut organizers = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        let solve = load::solve(&template.tokens[number], &challenge_id(number), &flag(number))?;
        expect(&connection.send(solve).await?, "true")?;
        organizers.push(Organizer {
            number,
            token: token.clone(),
            team: template.names[number].clone(),
            at: FIRST[number % FIRST.len()],
            ..Organizer::default()
        });
    }
    Ok(organizers)
}

/// The timed submissions.
struct Probe<'a> {
    server: Server,
    template: &'a Template,
    organizers: Vec<Organizer>,
    /// Number of earlier submissions.
    sent: usize,
}

impl Probe<'_> {
    /// Returns the latencies of submissions in a window in which each organizer acts at this rate;
    /// `None` for no organizers.
    async fn flags(
        &mut self,
        per_s: Option<f64>,
        window: Duration,
        measured: &mut Measured,
    ) -> Result<Times> {
        let players: Arc<[String]> = self.template.players().into();
        let (connections, challenges) = (players.len(), self.template.size.challenges);
        let address = self.server.address;
        let mut watching = JoinSet::new();
        for organizer in self.organizers.iter().filter(|_| per_s.is_some()) {
            let token = organizer.token.clone();
            let socket = open(address, &token).await?;
            watching.spawn(watch(socket, address, token));
        }
        // Read the first hints, as when a page is opened. Without organizers, pause for the same
        // time: leftover work of the previous window would otherwise be measured.
        tokio::time::sleep(BEAT).await;
        let first = self.sent;
        let ask = move |number| ask(&players, challenges, first + number);
        let flags = Flags::send(address, connections, FLAGS_PER_S, ask);
        tokio::time::sleep(OPENING).await;
        let (stop, stopped) = watch::channel(false);
        let mut acting = JoinSet::new();
        if let Some(per_s) = per_s.filter(|per_s| *per_s > 0.0) {
            let pace = Pace { begun: Instant::now(), per_s, stopped };
            for mut organizer in std::mem::take(&mut self.organizers) {
                let pace = pace.clone();
                acting.spawn(async move {
                    let mut connection = Connection::open(address).await?;
                    let times = organizer.action(&mut connection, pace).await?;
                    anyhow::Ok((organizer, times))
                });
            }
        }
        tokio::time::sleep(window).await;
        stop.send_replace(true);
        let times = flags.stop().await?;
        ensure!(watching.try_join_next().is_none(), "a live channel was closed");
        self.sent += times.count() as usize;
        while let Some(acted) = acting.join_next().await {
            let (organizer, [actions, previews]) = acted??;
            self.organizers.push(organizer);
            measured.actions.add(&actions)?;
            measured.previews.add(&previews)?;
        }
        Ok(times)
    }
}

/// Opens the live channel of an organizer.
async fn open(address: SocketAddr, token: &str) -> Result<WebSocketStream<TcpStream>> {
    let mut asks = format!("ws://{address}/api/organize/live").into_client_request()?;
    asks.headers_mut().insert("x-api-key", token.parse()?);
    let (mut socket, _) = client_async(asks, TcpStream::connect(address).await?).await?;
    socket.next().await.context("it says which lists there are")??;
    Ok(socket)
}

/// Reads lists after hints, as the site does on its first page, until the channel ends.
async fn watch(
    mut socket: WebSocketStream<TcpStream>,
    address: SocketAddr,
    token: String,
) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let mut read_at: Option<Instant> = None;
    while let Some(told) = socket.next().await {
        let told = told?;
        let is_named = told.to_text().is_ok_and(|text| text.contains("\"flags\""));
        if !is_named || read_at.is_some_and(|at| at.elapsed() < AGAIN) {
            continue;
        }
        read_at = Some(Instant::now());
        for list in ["flags?verdict=right", "challenges"] {
            let request = load::plain(&format!("/api/organize/{list}"), &token)?;
            expect(&connection.send(request).await?, "")?;
        }
    }
    Ok(())
}

/// A submission by its number: each team makes one for each challenge, some of them incorrect.
fn ask(players: &[String], challenges: usize, number: usize) -> Result<Request> {
    let (team, turn) = (number % players.len(), number / players.len());
    let challenge = turn % challenges;
    let is_wrong = (team + turn).is_multiple_of(WRONG_OF);
    let flag = if is_wrong { format!("flag{{{number}}}") } else { flag(challenge) };
    load::solve(&players[team], &challenge_id(challenge), &flag)
}

/// Schedule of the organizers' actions.
#[derive(Clone)]
struct Pace {
    begun: Instant,
    per_s: f64,
    stopped: watch::Receiver<bool>,
}

/// An organizer with a session.
#[derive(Default)]
struct Organizer {
    number: usize,
    token: String,
    /// Current name of the organizer's team.
    team: String,
    /// Index of the next action in [`DEEDS`].
    at: usize,
    /// Result of the last preview.
    head: Option<i64>,
    /// Actions and previews so far.
    asked: usize,
    /// Actions so far.
    done: usize,
    /// Id of the last notice.
    notice: i64,
    /// Id of the last action.
    last: i64,
}

impl Organizer {
    /// Performs actions until stopped; returns the latencies of actions and of previews, each from
    /// the time at which it was due.
    async fn action(&mut self, connection: &mut Connection, mut pace: Pace) -> Result<[Times; 2]> {
        let mut times = [Times::default(), Times::default()];
        for number in 0.. {
            let turn = number as f64 + self.number as f64 / COUNT as f64;
            let due = pace.begun + Duration::from_secs_f64(turn / pace.per_s);
            tokio::select! {
                // Stops only once.
                _ = pace.stopped.changed() => break,
                () = tokio::time::sleep_until(due.into()) => {}
            }
            let is_preview = self.asked.is_multiple_of(PREVIEW_OF);
            let (path, body) = self.request(is_preview);
            let answer = connection.send(load::post(&path, &self.token, &body)?).await?;
            times[usize::from(is_preview)].record(due.elapsed());
            let text = if is_preview { "\"id\":null" } else { "\"head\":null" };
            expect(&answer, text).with_context(|| body.to_string())?;
            self.follow(is_preview, &serde_json::from_slice(&answer.body)?, connection).await?;
        }
        Ok(times)
    }

    fn request(&self, is_preview: bool) -> (String, Value) {
        let (team, challenge) = (&self.team, challenge_id(self.number));
        let (name, title, done) = (self.new_name(), self.title(), self.done);
        let of_team = |action: &str| json!({"action": action, "team": team});
        let text = "The service was started again: the flag is as it was.";
        let mut body = match DEEDS[self.at] {
            Deed::Hide => of_team("team.hide"),
            Deed::Show => of_team("team.show"),
            Deed::Ban => of_team("team.ban"),
            Deed::Unban => of_team("team.unban"),
            Deed::Award => json!({"action": "team.award", "team": team, "points": 10}),
            Deed::Rename => json!({"action": "team.rename", "team": team, "name": name}),
            Deed::Status => json!({
                "action": "challenge.status", "challenge": challenge, "status": "looked_at",
                "note": format!("Since change {done}"),
            }),
            Deed::Post => json!({"action": "notice.post", "title": title, "text": text}),
            Deed::Correct => json!({
                "action": "notice.correct", "notice": self.notice, "title": title,
                "text": format!("{text} It is *new*."),
            }),
            Deed::Withdraw => {
                json!({"action": "solve.withdraw", "team": team, "challenge": challenge})
            }
            Deed::Undo => json!({}),
        };
        body["reason"] = json!("a benchmark");
        body["preview"] = json!(is_preview);
        body["head"] = json!(self.head);
        let path = match DEEDS[self.at] {
            Deed::Undo => format!("/api/organize/actions/{}/undo", self.last),
            _ => "/api/organize/actions".to_owned(),
        };
        (path, body)
    }

    /// Stores ids from the response.
    async fn follow(
        &mut self,
        is_preview: bool,
        answer: &Value,
        connection: &mut Connection,
    ) -> Result<()> {
        self.asked += 1;
        if is_preview {
            self.head = Some(answer["head"].as_i64().context("a preview gives it")?);
            return Ok(());
        }
        match DEEDS[self.at] {
            Deed::Rename => self.team = self.new_name(),
            Deed::Post => self.notice = self.find_notice(connection).await?,
            _ => {}
        }
        self.last = answer["id"].as_i64().context("an action has an id")?;
        self.head = None;
        self.at = (self.at + 1) % DEEDS.len();
        self.done += 1;
        Ok(())
    }

    /// The id of the notice that was just posted.
    async fn find_notice(&self, connection: &mut Connection) -> Result<i64> {
        let answer = connection.send(load::plain("/api/organize/notices", &self.token)?).await?;
        expect(&answer, "")?;
        let list: Value = serde_json::from_slice(&answer.body)?;
        let title = self.title();
        let notice = list["notices"].as_array().into_iter().flatten();
        let notice = notice.into_iter().find(|it| it["title"] == title.as_str());
        notice.and_then(|it| it["id"].as_i64()).context("the notice is listed")
    }

    fn new_name(&self) -> String {
        format!("Renamed {}", self.number + COUNT * self.done)
    }

    fn title(&self) -> String {
        format!("Notice {} of organizer {}", self.done, self.number)
    }
}
