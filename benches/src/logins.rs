//! `logins`: boards and submissions while all teams log in at the same time, with captchas solved
//! in advance, on both databases, with and without a disk that takes 4 ms longer for each sync.
//! Logins that a busy server rejects are repeated after the time in `Retry-After`.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use flagship_load::{self as load, Connection, Times, Worker, pace};
use flagship_store::Key;
use flagship_testkit::solved_captcha;
use http::StatusCode;
use jiff::Timestamp;
use rustix::process::setpriority_process;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::Bench;
use crate::data::{
    Engine, Installation, PASSWORD, SECRET, SMALL, Size, Template, USUAL, challenge_id, flag,
};
use crate::server::{Server, Start};
use crate::table::{Table, Wanted, median, ratio, short};
use crate::{play, postgres};

/// Boards, incorrect and correct submissions per second.
const PER_S: [f64; 3] = [300.0, 300.0, 100.0];
const WHAT: [&str; 3] = ["board", "incorrect flag", "correct flag"];
const CONNECTIONS: usize = 16;
/// Duration of each half of a round: without and with logins.
const HALF: Duration = Duration::from_secs(5);
/// Time in which the players connect.
const OPENING: Duration = Duration::from_millis(200);
/// Scheduling priority of the process that logs in: in an event it runs on other machines.
const LOWEST: i32 = 19;

/// Validity of a solved captcha, in milliseconds.
const CAPTCHA_MS: i64 = 15 * 60_000;

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let size = bench.choose(Size { teams: 2000, logged_in: 200, ..USUAL }, SMALL);
    let slow_disk = play::compile(&bench.work)?;
    let mut table = Table::new(&["storm", "calm", "ratio"]);
    for engine in [Engine::Sqlite, Engine::Postgres(postgres::server()?)] {
        let name = match engine {
            Engine::Sqlite => "SQLite",
            Engine::Postgres(_) => "PostgreSQL",
        };
        let template = runtime.block_on(Template::make(&engine, size))?;
        for (disk, is_slow) in [("", false), (", 4 ms a sync", true)] {
            let slow_disk = is_slow.then_some(slow_disk.as_str());
            let scene = Scene { bench, runtime: &runtime, template: &template, slow_disk };
            scene.measure(&format!("{name}{disk}"), &mut table)?;
        }
    }
    let [boards, wrong, right] = PER_S;
    table.remark(format!(
        "{} logins at once, each over a connection of its own and with a solved captcha; meanwhile \
         {boards} boards, {wrong} incorrect and {right} correct flags a second",
        size.teams
    ));
    Ok(table)
}

/// A combination of database and disk.
struct Scene<'a> {
    bench: &'a Bench,
    runtime: &'a Runtime,
    template: &'a Template,
    /// Library that delays syncs; `None` for no delay.
    slow_disk: Option<&'a str>,
}

impl Scene<'_> {
    fn measure(&self, name: &str, table: &mut Table) -> Result<()> {
        let Self { bench, runtime, template, .. } = self;
        let half = bench.choose(HALF, HALF / 20);
        let mut calm = [vec![], vec![], vec![]];
        let mut storm = [vec![], vec![], vec![]];
        let mut let_in = Vec::new();
        let mut retried = Vec::new();
        for _ in 0..bench.rounds() {
            let installation = runtime.block_on(self.installation())?;
            let server = self.start(&installation)?;
            let mut probe = Probe { address: server.address, template, first: 0 };
            let (times, ()) = runtime.block_on(probe.p99s_ms(half, async || Ok(())))?;
            calm.iter_mut().zip(times).for_each(|(kept, p99_ms)| kept.push(p99_ms));
            let crowd: Vec<_> = template.names.iter().map(|name| (name, captcha())).collect();
            let logins = async || {
                let mut logins = Worker::start(&["storm", &server.address.to_string()])?;
                logins.send(&crowd).await?;
                Ok(logins)
            };
            let (times, mut logins) = runtime.block_on(probe.p99s_ms(half, logins))?;
            storm.iter_mut().zip(times).for_each(|(kept, p99_ms)| kept.push(p99_ms));
            runtime.block_on(logins.send(&"enough"))?;
            let [in_, later]: [f64; 2] = runtime.block_on(logins.receive())?;
            let_in.push(in_ / half.as_secs_f64());
            retried.push(later / half.as_secs_f64());
        }
        for ((what, storm), calm) in WHAT.iter().zip(&storm).zip(&calm) {
            let share = ratio(storm, calm);
            let cells = [median(storm), median(calm), share].map(short);
            let what = format!("{name}: {what}, p99 in ms");
            table.judged(&what, &cells, share, Wanted::AtMost(2.0));
        }
        table.row(&format!("{name}: logins accepted a second"), &[short(median(&let_in))]);
        table.row(&format!("{name}: rejected for now, a second"), &[short(median(&retried))]);
        Ok(())
    }

    /// A copy of the data with captchas enabled.
    async fn installation(&self) -> Result<Installation> {
        let installation = self.template.copy(&self.bench.work).await?;
        let file = installation.event.join("event.toml");
        let settings = std::fs::read_to_string(&file)?;
        std::fs::write(file, settings.replace("\"off\"", "\"altcha\""))?;
        if self.slow_disk.is_some() {
            installation.delay_commits().await?;
        }
        Ok(installation)
    }

    fn start(&self, installation: &Installation) -> Result<Server> {
        let binary: &Path = &self.bench.server;
        let Some(library) = self.slow_disk.filter(|_| installation.database.is_none()) else {
            return Server::start(binary, installation);
        };
        let preload = format!("LD_PRELOAD={library}");
        Start { binary, installation, under: &["env", &preload] }.run()
    }
}

/// A solved captcha, made with the event's secret without the work of solving it.
fn captcha() -> String {
    let expires_at_ms = Timestamp::now().as_millisecond() + CAPTCHA_MS;
    solved_captcha(&Key::new(SECRET.as_bytes()), expires_at_ms)
}

/// The requests whose latency is measured.
struct Probe<'a> {
    address: SocketAddr,
    template: &'a Template,
    /// Number of earlier correct submissions.
    first: usize,
}

impl Probe<'_> {
    /// Starts the requests, calls `begin`, and continues for the duration `time`. Returns the p99
    /// of boards, incorrect and correct submissions.
    async fn p99s_ms<T>(
        &mut self,
        time: Duration,
        begin: impl AsyncFnOnce() -> Result<T>,
    ) -> Result<([f64; 3], T)> {
        let (stop, stopped) = watch::channel(false);
        let players: Arc<[String]> = self.template.players().into();
        let (wrong, right, first) = (players.clone(), players, self.first);
        let right = move |number: usize| {
            let number = first + number;
            let (player, challenge) = (&right[number % right.len()], number / right.len());
            load::solve(player, &challenge_id(challenge), &flag(challenge))
        };
        let wrong = move |number: usize| {
            let player = &wrong[number % wrong.len()];
            load::solve(player, &challenge_id(number % 8), &format!("flag{{{number}}}"))
        };
        let board = |_| load::get("/api/scoreboard", "");
        let asked =
            |per_s, stop: &watch::Receiver<bool>| (self.address, CONNECTIONS, per_s, stop.clone());
        let [boards, wrongs, rights] = PER_S.map(|per_s| asked(per_s, &stopped));
        let boards = tokio::spawn(pace(boards.0, boards.1, boards.2, board, boards.3));
        let wrongs = tokio::spawn(pace(wrongs.0, wrongs.1, wrongs.2, wrong, wrongs.3));
        let rights = tokio::spawn(pace(rights.0, rights.1, rights.2, right, rights.3));
        tokio::time::sleep(OPENING).await;
        let begun = begin().await?;
        tokio::time::sleep(time).await;
        stop.send_replace(true);
        let times: [Times; 3] = [boards.await??, wrongs.await??, rights.await??];
        self.first += times[2].count() as usize;
        Ok((times.map(|times| times.p99_ms()), begun))
    }
}

/// Runs the worker process that logs in: receives names and captchas, logs all teams in until it
/// receives a second line, then reports the number of successful logins and of repeated attempts.
pub fn storm(address: &str) -> Result<()> {
    setpriority_process(None, LOWEST)?;
    let address: SocketAddr = address.parse()?;
    let mut crowd = String::new();
    std::io::stdin().read_line(&mut crowd)?;
    let crowd: Vec<(String, String)> = serde_json::from_str(&crowd)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (stop, stopped) = watch::channel(false);
    std::thread::spawn(move || {
        drop(std::io::stdin().read_line(&mut String::new()));
        stop.send_replace(true);
    });
    let all = async {
        let log_in = |(name, captcha)| log_in(address, name, captcha, stopped.clone());
        let mut all: JoinSet<_> = crowd.into_iter().map(log_in).collect();
        let mut let_in = 0.0;
        let mut retried = 0.0;
        while let Some(done) = all.join_next().await {
            let done = done??;
            (let_in, retried) = (let_in + done.0, retried + done.1);
        }
        anyhow::Ok([let_in, retried])
    };
    println!("{}", serde_json::to_string(&runtime.block_on(all)?)?);
    Ok(())
}

async fn log_in(
    address: SocketAddr,
    name: String,
    captcha: String,
    mut stop: watch::Receiver<bool>,
) -> Result<(f64, f64)> {
    let body = json!({"team": name, "password": PASSWORD, "captchaToken": captcha});
    let mut connection = Connection::open(address).await?;
    let mut retried = 0.0;
    loop {
        let ask = connection.send(load::post("/api/login", "", &body)?);
        let answer = tokio::select! {
            answer = ask => answer?,
            _ = stop.wait_for(|stop| *stop) => return Ok((0.0, retried)),
        };
        match answer.status {
            StatusCode::OK => return Ok((1.0, retried)),
            StatusCode::SERVICE_UNAVAILABLE => retried += 1.0,
            status => bail!("a login was answered with {status}"),
        }
        let after = answer.headers.get("retry-after").and_then(|after| after.to_str().ok());
        let after = Duration::from_secs(after.and_then(|it| it.parse().ok()).unwrap_or(1));
        tokio::select! {
            () = tokio::time::sleep(after) => {}
            _ = stop.wait_for(|stop| *stop) => return Ok((0.0, retried)),
        }
    }
}
