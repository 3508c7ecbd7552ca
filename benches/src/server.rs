//! The program as a child process, and its CPU time and memory.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, kill_process};

use crate::data::Installation;

/// Indexes of user time and system time among the fields after the name in `/proc/PID/stat`.
const TIMES_AT: (usize, usize) = (11, 12);

/// A `flagship serve` process on the loopback interface. Dropping it kills the process.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

/// The command that starts the program.
pub struct Start<'a> {
    pub binary: &'a Path,
    pub installation: &'a Installation,
    /// A wrapper program and its arguments, put before the command.
    pub under: &'a [&'a str],
}

impl Server {
    /// Starts the program and waits until it is ready.
    pub fn start(binary: &Path, installation: &Installation) -> Result<Self> {
        Start { binary, installation, under: &[] }.run()
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Shuts the program down gracefully and waits until it has ended.
    pub fn stop(mut self) -> Result<()> {
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the program ended with {status}");
        Ok(())
    }

    /// CPU seconds used so far.
    pub fn cpu_s(&self) -> Result<f64> {
        cpu_s(self.pid())
    }
}

impl Start<'_> {
    /// Starts the program and waits until it is ready.
    pub fn run(&self) -> Result<Server> {
        let mut words = self.under.iter();
        let mut command = match words.next() {
            None => Command::new(self.binary),
            Some(program) => {
                let mut command = Command::new(program);
                command.args(words).arg(self.binary);
                command
            }
        };
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--event"]);
        command.arg(&self.installation.event).arg("--data").arg(self.installation.data());
        if let Some(url) = &self.installation.database {
            command.args(["--database", url]);
        }
        let log = self.installation.data().join("log");
        // The benchmarks read its open files and maps.
        command.env("FLAGSHIP_CORE_DUMPS", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(std::fs::File::create(&log)?);
        let started = command.spawn();
        let mut child = started.with_context(|| format!("start {}", self.binary.display()))?;
        let out = child.stdout.take().context("standard output is piped")?;
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().rsplit('/').next().unwrap_or_default();
        let Ok(address) = address.parse() else {
            child.kill().ok();
            child.wait().ok();
            bail!("the program did not start: {}", std::fs::read_to_string(log)?);
        };
        Ok(Server { child, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// CPU seconds that a process used so far, by all its threads: user and system time of proc(5), in
/// steps of a hundredth.
pub fn cpu_s(pid: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    let stat = stat.with_context(|| format!("the process {pid} runs"))?;
    // The name may contain any character; it ends with the last bracket.
    let (_, fields) = stat.rsplit_once(") ").context("proc(5) has a name")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks = |at: usize| anyhow::Ok(fields.get(at).context("proc(5)")?.parse::<u64>()?);
    let ticks = ticks(TIMES_AT.0)? + ticks(TIMES_AT.1)?;
    Ok(ticks as f64 / clock_ticks_per_second() as f64)
}

/// CPU seconds of a process and its running children.
pub fn family_cpu_s(pid: u32) -> Result<f64> {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    let mut sum = cpu_s(pid)?;
    for child in children.split_whitespace() {
        // A child that has just ended counts as 0.
        sum += cpu_s(child.parse()?).unwrap_or_default();
    }
    Ok(sum)
}

/// Resident memory of a process in MiB: `VmRSS` of proc(5).
pub fn memory_mib(pid: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).context("find VmRSS")?;
    let kib: f64 = kib.trim().parse()?;
    ensure!(kib > 0.0, "a process that runs has memory");
    Ok(kib / 1024.0)
}
