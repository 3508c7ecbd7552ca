//! A temporary PostgreSQL cluster with its own folder and port, reachable from this machine only.
//! It stops when its value is dropped, and also when this process is killed.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{is_root, run};
use crate::setup::postgres_folder;

/// The environment variable with the URL of the cluster, for tests.
pub const VARIABLE: &str = "FLAGSHIP_TEST_POSTGRES";

const PREFIX: &str = "flagship-postgres-";
const START_SECONDS_MAX: u64 = 30;

const SETTINGS: [&str; 4] = [
    "max_connections=400",
    "max_wal_size=4GB",
    "listen_addresses=127.0.0.1",
    "log_min_messages=error",
];
/// Faster, without durability.
const NOT_DURABLE: [&str; 4] =
    ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off"];

/// A running cluster; dropping it stops the server and removes its files.
pub struct Postgres {
    folder: PathBuf,
    port: u16,
    server: Child,
}

impl Postgres {
    /// Creates a cluster that is fast instead of durable, and waits until it accepts connections.
    pub fn start() -> Result<Self> {
        Self::start_with(&[&SETTINGS[..], &NOT_DURABLE].concat())
    }

    /// Creates a cluster with durable commits, as in production.
    pub fn start_durable() -> Result<Self> {
        Self::start_with(&SETTINGS)
    }

    fn start_with(settings: &[&str]) -> Result<Self> {
        remove_leftovers();
        let programs = postgres_folder().context("PostgreSQL's initdb was not found")?;
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        std::fs::create_dir(&folder).with_context(|| format!("create {}", folder.display()))?;
        let started = start_in(&folder, &programs, settings);
        if started.is_err() {
            std::fs::remove_dir_all(&folder).ok();
        }
        started
    }

    /// The URL of the cluster; the user is a superuser.
    pub fn url(&self) -> String {
        format!("postgres://flagship@127.0.0.1:{}/postgres", self.port)
    }
}

impl Postgres {
    /// Prints the log's lines about crashes, which explain why tests lost their connections.
    fn print_crashes(&self) {
        let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let signs = ["terminated by signal", "PANIC", "No space left"];
        for line in log.lines().filter(|line| signs.iter().any(|sign| line.contains(sign))) {
            println!("PostgreSQL: {line}");
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGINT asks for a fast shutdown: open transactions are rolled back.
        let pid = self.server.id().to_string();
        let asked = Command::new("kill").args(["-INT", &pid]).status();
        if !asked.is_ok_and(|status| status.success()) {
            self.server.kill().ok();
        }
        self.server.wait().ok();
        self.print_crashes();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn start_in(folder: &Path, programs: &Path, settings: &[&str]) -> Result<Postgres> {
    if is_root() {
        run(Command::new("chown").arg("postgres:").arg(folder))?;
    }
    let data = folder.join("data");
    let mut initdb = as_server_user(&programs.join("initdb"), folder);
    initdb.arg("--pgdata").arg(&data);
    initdb.args(["--username=flagship", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]);
    run(initdb.arg("--no-sync").stdout(Stdio::null()))?;

    let port = free_port()?;
    let log = std::fs::File::create(folder.join("log")).context("create the server's log")?;
    let mut server = as_server_user(&programs.join("postgres"), folder);
    server.arg("-D").arg(&data).arg("-p").arg(port.to_string());
    for setting in settings {
        server.args(["-c", *setting]);
    }
    server.arg("-c").arg(format!("unix_socket_directories={}", folder.display()));
    let stderr = log.try_clone().context("share the server's log")?;
    server.stdin(Stdio::null()).stdout(log).stderr(stderr);
    let server = server.spawn().context("start postgres")?;
    let mut postgres = Postgres { folder: folder.to_owned(), port, server };
    postgres.wait_until_ready(programs)?;
    Ok(postgres)
}

impl Postgres {
    fn wait_until_ready(&mut self, programs: &Path) -> Result<()> {
        let deadline = Instant::now() + Duration::from_secs(START_SECONDS_MAX);
        let port = self.port.to_string();
        while Instant::now() < deadline {
            let answers = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok();
            let mut ready = Command::new(programs.join("pg_isready"));
            ready.args(["--quiet", "--host=127.0.0.1", "--port", &port]);
            if answers && run(&mut ready).is_ok() {
                return Ok(());
            }
            if self.server.try_wait().context("look at postgres")?.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        bail!("PostgreSQL did not start:\n{log}");
    }
}

/// Runs a program of PostgreSQL, which refuses to run as root. The parent death signal stops it if
/// this process is killed.
fn as_server_user(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg("--pdeathsig=INT").arg(program).current_dir(folder);
    command
}

/// A port that no program listens on.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("find a free port")?;
    Ok(listener.local_addr().context("read the free port")?.port())
}

/// Removes the folders of clusters whose parent process has ended.
fn remove_leftovers() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        if !Path::new("/proc").join(pid).exists() {
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}
