//! `instructions`: the number of processor instructions of the hot paths, which hardly depends on
//! noise. The program runs under callgrind and receives requests over one connection; the
//! instructions of an idle process are subtracted. Compared with a committed baseline.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Request, expect};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::crowd;
use crate::data::{SMALL, Template, USUAL, challenge_id, flag};
use crate::server::{Server, Start};
use crate::table::{Table, Wanted, median, short};

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");
/// Share above the baseline from which a change is a regression.
const SHARE_MAX: f64 = 1.05;
/// Figures without a limit: they depend on how often batches are written and sockets woken. On a
/// busy machine, two runs differed by a tenth.
const UNLIMITED: [&str; 3] = [WRONG, OPENED, HEARD];
const WRONG: &str = "incorrect flag";
const OPENED: &str = "socket opened, its message read, its board sent";
const HEARD: &str = "frame of a solve to one socket";
/// Requests of each kind in one round.
const ASKS: usize = 200;
/// Number of solves that are each followed by a snapshot.
const SNAPSHOTS: usize = 5;
/// Age at which a requested board is rebuilt.
const STALE: Duration = Duration::from_millis(120);
/// Number of open sockets.
const SOCKETS: usize = 50;
const IDLE: Duration = Duration::from_secs(3);

/// The program under callgrind.
struct Counted {
    runtime: Runtime,
    server: Server,
    folder: PathBuf,
    dumps: usize,
    /// Instructions per second of the idle process.
    idle_per_s: f64,
    players: Vec<String>,
    solved: usize,
}

/// Instructions by kind of work.
type Counts = BTreeMap<String, f64>;

/// The benchmark. With `--baseline`, saves the counts as the new baseline.
pub fn run(bench: &Bench) -> Result<Table> {
    let counts = count(bench)?;
    let baseline = Baseline::read()?;
    let machine = machine(bench)?;
    let mut table = Table::new(&["instructions", "baseline", "ratio"]);
    let is_same = baseline.machine == machine;
    for (what, count) in &counts {
        let Some(before) = baseline.counts.get(what) else {
            table.row(what, &[short(*count)]);
            continue;
        };
        let share = count / before;
        let is_judged = is_same && !UNLIMITED.contains(&what.as_str());
        let wanted = if is_judged { Wanted::AtMost(SHARE_MAX) } else { Wanted::Any };
        table.judged(what, &[*count, *before, share].map(short), share, wanted);
        if is_judged && share > SHARE_MAX {
            table.fail(format!("{what}: {} of the instructions before", short(share)));
        }
    }
    table.remark(format!("here: {machine}; the baseline: {}", baseline.machine));
    if bench.baseline {
        Baseline { machine, counts }.write()?;
        table.remark("these are the baseline from now on");
    }
    Ok(table)
}

fn count(bench: &Bench) -> Result<Counts> {
    let runtime = Runtime::new()?;
    let template = runtime.block_on(Template::make(&bench.engine, bench.choose(USUAL, SMALL)))?;
    let installation = runtime.block_on(template.copy(&bench.work))?;
    let folder = tempfile::Builder::new().prefix("callgrind-").tempdir_in(&bench.work)?;
    let folder = std::path::absolute(folder.path())?;
    let out = format!("--callgrind-out-file={}", folder.join("out").display());
    // One worker thread, because wake-ups between several threads vary between runs.
    let under = ["env", "TOKIO_WORKER_THREADS=1", "valgrind", "-q", "--tool=callgrind", &out];
    let server =
        Start { binary: &bench.server, installation: &installation, under: &under }.run()?;
    let players = template.players().to_vec();
    let dumps = 0;
    let idle_per_s = 0.0;
    let solved = 0;
    let mut counted = Counted { runtime, server, folder, dumps, idle_per_s, players, solved };
    let mut counts = Counts::new();
    let size = template.size;
    let entries = size.teams + size.challenges + size.solves;
    counts.insert(format!("start with {} entries", short(entries as f64)), counted.dump()?);
    counted.play(&mut BTreeMap::new(), 1)?;
    counted.dump()?;
    std::thread::sleep(bench.choose(IDLE, IDLE / 10));
    counted.idle_per_s = counted.dump()? / bench.choose(IDLE, IDLE / 10).as_secs_f64();
    let mut rounds = BTreeMap::new();
    for _ in 0..bench.rounds() {
        counted.play(&mut rounds, bench.choose(ASKS, 4))?;
    }
    counts.extend(rounds.into_iter().map(|(what, counts)| (what.to_owned(), median(&counts))));
    Ok(counts)
}

impl Counted {
    /// Instructions since the last dump.
    fn dump(&mut self) -> Result<f64> {
        self.dumps += 1;
        let pid = self.server.pid().to_string();
        let mut command = Command::new("callgrind_control");
        let done = command.args(["--dump", &pid]).output().context("start callgrind_control")?;
        ensure!(done.status.success(), "callgrind_control: {done:?}");
        let file = self.folder.join(format!("out.{}", self.dumps));
        let text = std::fs::read_to_string(&file).context("read callgrind's counts")?;
        let totals = text.lines().find_map(|line| line.strip_prefix("totals: "));
        Ok(totals.context("callgrind counts")?.trim().parse()?)
    }

    /// Instructions of `work`, without those of an idle process in the same time.
    fn of(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<f64> {
        self.dump()?;
        let begun = Instant::now();
        work(self)?;
        let idle = self.idle_per_s * begun.elapsed().as_secs_f64();
        Ok(self.dump()? - idle)
    }

    fn ask(&mut self, asks: Vec<Request>, says: &str) -> Result<()> {
        let address = self.server.address;
        self.runtime.block_on(async {
            let mut connection = Connection::open(address).await?;
            for ask in asks {
                expect(&connection.send(ask).await?, says)?;
            }
            Ok(())
        })
    }

    fn solves(&mut self, count: usize) -> Result<()> {
        let mut asks = Vec::with_capacity(count);
        for _ in 0..count {
            let player = &self.players[self.solved % self.players.len()];
            let challenge = self.solved / self.players.len();
            asks.push(load::solve(player, &challenge_id(challenge), &flag(challenge))?);
            self.solved += 1;
        }
        self.ask(asks, "true")
    }

    /// Measures one round.
    fn play(&mut self, rounds: &mut BTreeMap<&'static str, Vec<f64>>, asks: usize) -> Result<()> {
        let token = self.players[0].clone();
        let mut keep = |what, count| rounds.entry(what).or_default().push(count);
        let board = || load::get("/api/scoreboard", "");
        let many = |ask: Request| vec![ask; asks];
        let each = |count: f64| count / asks as f64;
        self.ask(vec![board()?], "")?;
        keep("board", each(self.of(|it| it.ask(many(board()?), ""))?));
        let list = load::get("/api/challenge", &token)?;
        keep("list of challenges", each(self.of(|it| it.ask(many(list), ""))?));
        let wrong = load::solve(&token, &challenge_id(0), "flag{not this one}")?;
        keep(WRONG, each(self.of(|it| it.ask(many(wrong), "false"))?));
        let right = each(self.of(|it| it.solves(asks))?);
        keep("correct flag, alone in its transaction", right);
        let snapshots = self.of(|it| {
            for _ in 0..SNAPSHOTS {
                it.solves(1)?;
                std::thread::sleep(STALE);
                it.ask(vec![board()?], "")?;
            }
            Ok(())
        })?;
        keep("snapshot, built and packed", snapshots / SNAPSHOTS as f64 - right);
        let address = self.server.address;
        let mut worker = self.runtime.block_on(async { crowd::start(address) })?;
        let opened = self.of(|it| {
            it.runtime.block_on(worker.send(&crowd::Command::Open { count: SOCKETS }))?;
            it.runtime.block_on(worker.receive::<Vec<u64>>()).map(drop)
        })?;
        keep(OPENED, opened / SOCKETS as f64);
        self.runtime.block_on(worker.send(&crowd::Command::AwaitSolve))?;
        std::thread::sleep(STALE);
        let heard = self.of(|it| {
            it.solves(1)?;
            it.runtime.block_on(worker.receive::<Vec<u64>>()).map(drop)
        })?;
        keep(HEARD, (heard - right) / SOCKETS as f64);
        Ok(())
    }
}

/// Compiler, C library and profile. Counts are comparable if these are equal.
fn machine(bench: &Bench) -> Result<String> {
    let say = |program: &str, words: &[&str]| {
        let done = Command::new(program).args(words).output();
        let done = done.with_context(|| format!("start {program}"))?;
        anyhow::Ok(String::from_utf8(done.stdout)?.trim().to_owned())
    };
    let profile = bench.server.parent().and_then(Path::file_name).unwrap_or_default();
    let (rustc, libc) = (say("rustc", &["--version"])?, say("getconf", &["GNU_LIBC_VERSION"])?);
    let size = bench.choose("", ", in small");
    Ok(format!("{rustc}, {libc}, {}{size}", profile.display()))
}

/// The saved counts. The file has a line that names the machine, then a line for each count.
struct Baseline {
    machine: String,
    counts: Counts,
}

impl Baseline {
    fn read() -> Result<Self> {
        let text = std::fs::read_to_string(BASELINE).unwrap_or_default();
        let (machine, lines) = text.split_once('\n').unwrap_or(("none", ""));
        let mut counts = Counts::new();
        for line in lines.lines() {
            let (count, what) = line.trim().split_once(' ').context("the baseline has counts")?;
            counts.insert(what.to_owned(), count.parse()?);
        }
        Ok(Self { machine: machine.to_owned(), counts })
    }

    fn write(&self) -> Result<()> {
        let lines = self.counts.iter().map(|(what, count)| format!("{count:>12.0} {what}\n"));
        let text = format!("{}\n{}", self.machine, lines.collect::<String>());
        std::fs::write(BASELINE, text).context("write the baseline")
    }
}
