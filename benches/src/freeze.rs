//! `freeze`: logged-in browsers during the freeze, each of a team with a hidden solve, after a
//! change of a team that makes all of them fetch a new board; and the cost of a board and of own
//! solves.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Site, Times, Watch, expect, loopback};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::Bench;
use crate::data::{Installation, SEED, SMALL, Size, Template, USUAL, challenge_id, flag};
use crate::server::Server;
use crate::table::{Table, Wanted, median, short};

/// The time within which the site fetches a changed board.
const JITTER_S: f64 = 0.5;
/// Number of requests for boards and for own solves, and of connections for them.
const BOARDS: usize = 4000;
const CONNECTIONS: usize = 64;

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    // Half of the teams play: they have solves that the others do not see.
    let usual = Size { teams: 2000, players: 1000, logged_in: 1000, ..USUAL };
    let size = bench.choose(usual, Size { logged_in: 20, ..SMALL });
    let template = runtime.block_on(Template::make_frozen(&bench.engine, size))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let server = Server::start(&bench.server, &installation)?;
    let browsers = runtime.block_on(come(&server, &template))?;
    let mut cpu_ms = Vec::new();
    let mut p99_ms = Vec::new();
    let mut last_s = Vec::new();
    let mut browsers = Some(browsers);
    for round in 0..bench.rounds() {
        let before = server.cpu_s()?;
        let country = if round.is_multiple_of(2) { "FR" } else { "DE" };
        set_country(bench, &installation, &template.names[0], country)?;
        let fetched = fetch_all(server.address, browsers.take().context("they are there")?);
        let (times, back) = runtime.block_on(fetched)?;
        cpu_ms.push((server.cpu_s()? - before) * 1000.0 / back.len() as f64);
        p99_ms.push(times.p99_ms());
        last_s.push(times.elapsed.as_secs_f64());
        browsers = Some(back);
    }
    let count = browsers.map_or(0, |browsers| browsers.len());
    let mut table = Table::new(&["flagship"]);
    let all = short(count as f64);
    let what = format!("{all} browsers after a change, CPU ms each");
    table.judged(&what, &[short(median(&cpu_ms))], median(&cpu_ms), Wanted::AtMost(2.0));
    let what = format!("{all} browsers after a change, p99 in ms");
    table.judged(&what, &[short(median(&p99_ms))], median(&p99_ms), Wanted::AtMost(250.0));
    table.row(&format!("{all} browsers after a change, seconds"), &[short(median(&last_s))]);
    own_boards(bench, &runtime, &server, &template, &mut table)?;
    table.remark(format!(
        "{} teams, {} challenges, {} solves before the freeze; each browser's team has one more, \
         watches, and fetches board, own solves and list within {JITTER_S} s of the change",
        size.teams, size.challenges, size.solves
    ));
    Ok(table)
}

/// A logged-in page.
struct Browser {
    token: String,
    watch: Watch,
}

/// Each logged-in team solves a challenge and opens the site.
async fn come(server: &Server, template: &Template) -> Result<Vec<Browser>> {
    let solve = |token: &String| load::solve(token, &challenge_id(0), &flag(0));
    let asks = template.tokens.iter().map(solve).collect::<Result<Vec<_>>>()?;
    load::flood(server.address, CONNECTIONS, asks, "true").await?;
    let site = Site::local(server.address, Some(loopback(std::process::id())))?;
    // Sequentially, they would take minutes, and the first would be closed for inactivity.
    let mut coming = JoinSet::new();
    for tokens in template.tokens.chunks(template.tokens.len().div_ceil(CONNECTIONS)) {
        let (site, tokens) = (site.clone(), tokens.to_vec());
        coming.spawn(async move {
            let mut browsers = Vec::with_capacity(tokens.len());
            for token in tokens {
                browsers.push(Browser { watch: open(&site, &token).await?, token });
            }
            anyhow::Ok(browsers)
        });
    }
    let mut browsers = Vec::with_capacity(template.tokens.len());
    while let Some(some) = coming.join_next().await {
        browsers.extend(some??);
    }
    Ok(browsers)
}

/// A socket that was resumed, which receives `changed` messages instead of snapshots.
async fn open(site: &Site, token: &str) -> Result<Watch> {
    let mut watch = Watch::open(site, token).await?;
    watch.disconnect();
    watch.connect(site, token).await?;
    while watch.next().await?.event != "scoreboard" {}
    Ok(watch)
}

/// Sets the country of a team.
fn set_country(
    bench: &Bench,
    installation: &Installation,
    team: &str,
    country: &str,
) -> Result<()> {
    let mut command = Command::new(&bench.server);
    command.args(["action", "team.country", "--team", team, "--country", country]);
    command.args(["--reason", "a benchmark", "--data"]);
    command.arg(installation.data());
    if let Some(url) = &installation.database {
        command.args(["--database", url]);
    }
    let done = command.output().context("set a country")?;
    ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}

/// Waits until every browser has received `changed` and has fetched the board, its own solves and
/// its challenges.
async fn fetch_all(address: SocketAddr, browsers: Vec<Browser>) -> Result<(Times, Vec<Browser>)> {
    let mut random = StdRng::seed_from_u64(SEED);
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for mut browser in browsers {
        let jitter = Duration::from_secs_f64(random.random::<f64>() * JITTER_S);
        all.spawn(async move {
            while browser.watch.next().await?.event != "changed" {}
            tokio::time::sleep(jitter).await;
            // An idle connection may already be closed.
            let mut connection = Connection::open(address).await?;
            let mut times = Times::default();
            for (path, says) in [
                ("/api/scoreboard", ""),
                ("/api/scoreboard/own", "challengeId"),
                ("/api/challenge", "challenges"),
            ] {
                let asked = Instant::now();
                let answer = connection.send(load::get(path, &browser.token)?).await?;
                times.record(asked.elapsed());
                expect(&answer, says)?;
            }
            anyhow::Ok((times, browser))
        });
    }
    let mut times = Times::default();
    let mut back = Vec::new();
    while let Some(done) = all.join_next().await {
        let (some, browser) = done??;
        times.add(&some)?;
        back.push(browser);
    }
    times.elapsed = begun.elapsed();
    Ok((times, back))
}

/// Compares the cost of a team's own solves with that of the board.
fn own_boards(
    bench: &Bench,
    runtime: &Runtime,
    server: &Server,
    template: &Template,
    table: &mut Table,
) -> Result<()> {
    let count = bench.choose(BOARDS, 40);
    let asked = [
        ("a team's own solves", "/api/scoreboard/own", true),
        ("a team's board", "/api/scoreboard", true),
        ("anybody's board", "/api/scoreboard", false),
    ];
    for (what, path, is_team) in asked {
        let mut cpu_ms = Vec::new();
        for _ in 0..bench.rounds() {
            let ask = |number: usize| {
                let token = &template.tokens[number % template.tokens.len()];
                load::get(path, if is_team { token } else { "" })
            };
            let asks = (0..count).map(ask).collect::<Result<Vec<_>>>()?;
            let before = server.cpu_s()?;
            runtime.block_on(load::flood(server.address, CONNECTIONS, asks, ""))?;
            cpu_ms.push((server.cpu_s()? - before) * 1000.0 / count as f64);
        }
        table.row(&format!("{what}, CPU ms each"), &[short(median(&cpu_ms))]);
    }
    Ok(())
}
