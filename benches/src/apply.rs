//! `apply`: correct submissions while an organizer applies and reloads the event files, in turns
//! with calm seconds, on both databases. Two controls show the effect of sharing processors: `apply
//! --dry-run`, which writes nothing, and a program unrelated to the event.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, Connection, Times};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use tokio::runtime::Runtime;

use crate::Bench;
use crate::data::{Engine, Installation, SMALL, Size, Template, USUAL, challenge_id, flag};
use crate::flags::Flags;
use crate::postgres;
use crate::server::Server;
use crate::table::{Table, Wanted, short};

/// Correct submissions per second.
const FLAGS_PER_S: f64 = 500.0;
/// Duration of submissions around each action.
const WINDOW: Duration = Duration::from_secs(1);
/// Time in which the senders connect.
const OPENING: Duration = Duration::from_millis(100);
/// Repetitions of each action per round.
const TURNS: usize = 4;
/// Limit of the p99 of submissions during a change, as a multiple of the calm one.
const CALMS: f64 = 1.2;

/// A lowest-priority program that uses a processor for as long as an `apply` does.
const BUSY: [&str; 6] =
    ["nice", "-n", "19", "sh", "-c", "timeout 0.1 sh -c 'while :; do :; done' || true"];

/// Action of the organizer while submissions arrive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Nothing,
    Busy,
    DryRun,
    Apply,
    Reload,
}

/// The actions of a turn; a calm second follows each.
const ACTIONS: [(Action, &str); 4] = [
    (Action::Busy, "during 0.1 s of another program's work"),
    (Action::DryRun, "during `apply --dry-run`"),
    (Action::Apply, "during `apply`"),
    (Action::Reload, "during a reload by SIGHUP"),
];

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = Runtime::new()?;
    let size = bench.choose(Size { players: 500, ..USUAL }, SMALL);
    let mut table = Table::new(&["with it", "calm", "ratio"]);
    for (name, engine) in
        [("SQLite", Engine::Sqlite), ("PostgreSQL", Engine::Postgres(postgres::server()?))]
    {
        let template = runtime.block_on(Template::make(&engine, size))?;
        runtime.block_on(measure(bench, &template, name, &mut table))?;
    }
    table.remark(format!(
        "{FLAGS_PER_S} correct flags a second, {} challenges; p99 of the second in which it \
         happens, all rounds together",
        size.challenges
    ));
    Ok(table)
}

async fn measure(bench: &Bench, template: &Template, name: &str, table: &mut Table) -> Result<()> {
    // Over all rounds together: the p99 of a single round varies by a half.
    let mut times: [Times; 5] = Default::default();
    for _ in 0..bench.rounds() {
        let installation = template.copy(&bench.work).await?;
        let organizer = Organizer { program: &bench.server, installation: &installation };
        organizer.write_challenges(template.size.challenges)?;
        let server = Server::start(&bench.server, &installation)?;
        organizer.prepare(Action::Apply, &server)?.run().await?;
        let mut probe = Probe { organizer, server, template, bench, sent: 0, changes: 0 };
        for _ in 0..bench.choose(TURNS, 1) {
            for (at, (action, _)) in ACTIONS.iter().enumerate() {
                times[at].add(&probe.times(*action).await?)?;
                times[ACTIONS.len()].add(&probe.times(Action::Nothing).await?)?;
            }
        }
    }
    let calm = times[ACTIONS.len()].p99_ms();
    for ((action, what), during) in ACTIONS.iter().zip(&times) {
        let (during, share) = (during.p99_ms(), during.p99_ms() / calm);
        let cells = [during, calm, share].map(short);
        let is_control = matches!(action, Action::Busy | Action::DryRun);
        let wanted = if is_control { Wanted::Any } else { Wanted::AtMost(CALMS) };
        table.judged(&format!("{name}: {what}, p99 in ms"), &cells, share, wanted);
    }
    Ok(())
}

/// The timed submissions.
struct Probe<'a> {
    organizer: Organizer<'a>,
    server: Server,
    template: &'a Template,
    bench: &'a Bench,
    /// Number of earlier submissions.
    sent: usize,
    /// Number of earlier changes.
    changes: usize,
}

impl Probe<'_> {
    /// Returns the latencies of submissions in a window in which `action` is performed.
    async fn times(&mut self, action: Action) -> Result<Times> {
        if action != Action::Nothing {
            self.changes += 1;
            self.organizer.edit(self.changes)?;
        }
        let action_at_once = self.organizer.prepare(action, &self.server)?;
        let flags = Flags::start(self.server.address, self.template, FLAGS_PER_S, self.sent);
        tokio::time::sleep(OPENING).await;
        let begun = Instant::now();
        action_at_once.run().await?;
        let window = self.bench.choose(WINDOW, WINDOW / 20);
        tokio::time::sleep(window.saturating_sub(begun.elapsed())).await;
        let times = flags.stop().await?;
        self.sent += times.count() as usize;
        if matches!(action, Action::Apply | Action::Reload) {
            self.wait_for(&banner(self.changes)).await?;
        }
        Ok(times)
    }

    /// Waits until the site has a banner.
    async fn wait_for(&self, banner: &str) -> Result<()> {
        let begun = Instant::now();
        let mut connection = Connection::open(self.server.address).await?;
        loop {
            let answer = connection.send(load::get("/api/ctf", "")?).await?;
            let about: Value = serde_json::from_slice(&answer.body)?;
            if about["site"]["banner"] == banner {
                return Ok(());
            }
            ensure!(begun.elapsed() < Duration::from_secs(5), "the banner is {about}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The organizer who changes the event files.
struct Organizer<'a> {
    program: &'a Path,
    installation: &'a Installation,
}

impl Organizer<'_> {
    /// Writes the files of the challenges in the database.
    fn write_challenges(&self, count: usize) -> Result<()> {
        for number in 0..count {
            let (id, flag) = (challenge_id(number), flag(number));
            let value = "extra: {initial: 500, minimum: 50, decay: 15}";
            self.write_challenge(&id, &format!("type: dynamic\n{value}\nflags: [\"{flag}\"]\n"))?;
        }
        self.edit(0)
    }

    fn write_challenge(&self, id: &str, rest: &str) -> Result<()> {
        let folder = self.installation.event.join("challenges").join(id);
        std::fs::create_dir_all(&folder)?;
        let description = "Somebody left this behind. Find out what it was meant for. ".repeat(8);
        let text = format!("name: {id}\nid: {id}\ndescription: {description}\n{rest}");
        Ok(std::fs::write(folder.join("challenge.yml"), text)?)
    }

    /// Changes the banner, and the points of a challenge.
    fn edit(&self, change: usize) -> Result<()> {
        let file = self.installation.event.join("event.toml");
        let text = std::fs::read_to_string(&file)?;
        let (text, _) = text.split_once("[site]").unwrap_or((&text, ""));
        std::fs::write(&file, format!("{text}[site]\nbanner = \"{}\"\n", banner(change)))?;
        let rest = format!("type: standard\nvalue: {change}\nflags: [\"flag{{spare}}\"]\n");
        self.write_challenge("spare", &rest)
    }

    fn prepare(&self, action: Action, server: &Server) -> Result<Prepared> {
        Ok(match action {
            Action::Nothing => Prepared::Nothing,
            Action::Busy => Prepared::Shell(waiting_shell(BUSY)?),
            Action::DryRun => Prepared::Shell(self.apply(&["--dry-run"])?),
            Action::Apply => Prepared::Shell(self.apply(&[])?),
            Action::Reload => {
                Prepared::Signal(Pid::from_raw(server.pid() as i32).context("it is a process")?)
            }
        })
    }

    fn apply(&self, options: &[&str]) -> Result<Child> {
        let (event, data) = (self.installation.event.as_os_str(), self.installation.data());
        let mut words = vec![self.program.as_os_str()];
        words.extend(["--log", "error", "apply", "--event"].map(OsStr::new));
        words.extend([event, OsStr::new("--data"), data.as_os_str()]);
        words.extend(options.iter().map(OsStr::new));
        if let Some(url) = &self.installation.database {
            words.extend(["--database", url].map(OsStr::new));
        }
        waiting_shell(words)
    }
}

/// A shell that replaces itself with a command when it reads a line. Like an organizer's shell it
/// is already running, so that the measuring process is not stopped to start it.
fn waiting_shell<T: AsRef<OsStr>>(words: impl IntoIterator<Item = T>) -> Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", "read line; exec \"$@\"", "sh"]).args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().context("start a shell")
}

/// Command to run at once.
enum Prepared {
    Nothing,
    Shell(Child),
    Signal(Pid),
}

impl Prepared {
    async fn run(self) -> Result<()> {
        match self {
            Self::Nothing => {}
            Self::Signal(server) => kill_process(server, Signal::HUP)?,
            Self::Shell(mut shell) => {
                let mut input = shell.stdin.take().context("standard input is piped")?;
                input.write_all(b"\n").await?;
                let done = shell.wait_with_output().await?;
                ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            }
        }
        Ok(())
    }
}

fn banner(change: usize) -> String {
    format!("Round {change}")
}
