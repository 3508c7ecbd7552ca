//! Runs the executable: commands that end, and a server that runs until it is stopped or killed.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flagship_testkit::{Engine, TestDb};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

use crate::event::EventFolder;
use crate::player::Player;
use crate::{WAIT_MAX, is_torture, until};

/// The result of a command.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Asserts that the command succeeded; returns its standard output.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Asserts that the operation failed with a message that contains `piece`.
    #[track_caller]
    pub fn fails(&self, piece: &str) {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert!(self.err.contains(piece), "{piece:?} is not in {self:?}");
    }

    /// Asserts that the command was rejected as wrong usage.
    #[track_caller]
    pub fn is_wrong_usage(&self) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(!self.err.is_empty() && self.out.is_empty(), "{self:?}");
    }
}

/// The program with these arguments, without the test's own environment variables.
pub fn program(words: &[&str]) -> Command {
    // Long tests run the release binary.
    let binary = std::env::var_os("FLAGSHIP_TEST_BINARY");
    let mut command = Command::new(binary.unwrap_or(env!("CARGO_BIN_EXE_flagship").into()));
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_ours(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    // Tests inspect the program's open files and trace it.
    command.env("FLAGSHIP_CORE_DUMPS", "1");
    command.args(words).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// The command with a umask.
pub fn under_umask(umask: &str, command: &Command) -> Command {
    after(&format!("umask {umask}"), command)
}

/// The command as an unprivileged user, because root may read and write everything.
pub fn as_stranger(mut command: Command) -> Command {
    if rustix::process::geteuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    command
}

/// The command under a resource limit.
pub fn under_limit(limit: &str, command: &Command) -> Command {
    after(&format!("ulimit {limit}"), command)
}

/// Returns the command pinned to these CPUs, counted from 0: `0,1`.
pub fn on_processors(list: &str, command: &Command) -> Command {
    after(&format!("taskset -cp {list} $$ > /dev/null"), command)
}

fn after(first: &str, command: &Command) -> Command {
    let command = command.as_std();
    let script = format!("{first}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.stdin(Stdio::null()).kill_on_drop(true);
    shell
}

fn is_ours(name: &str) -> bool {
    name.starts_with("FLAGSHIP_") || name.starts_with("PG")
}

/// Runs a command to its end.
pub async fn run(command: Command) -> Done {
    run_within(WAIT_MAX * if is_torture() { 6 } else { 1 }, command).await
}

/// Runs a command with a time limit.
pub async fn run_within(limit: Duration, mut command: Command) -> Done {
    let output = tokio::time::timeout(limit, command.output()).await;
    let output = output.expect("the command ends").expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A data folder with its database.
pub struct TestSite {
    pub test: TestDb,
}

impl TestSite {
    pub async fn new(engine: Engine) -> Self {
        Self::over(TestDb::new(engine).await).await
    }

    /// A site with the PostgreSQL database at this URL.
    pub async fn at(url: String) -> Self {
        Self::over(TestDb::at(url).await).await
    }

    async fn over(test: TestDb) -> Self {
        // The test must not hold the database open when the program is killed.
        test.db.close().await;
        Self { test }
    }

    /// An empty data folder and database.
    pub async fn bare(engine: Engine) -> Self {
        let site = Self::new(engine).await;
        for entry in std::fs::read_dir(site.data()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        if site.test.url.is_some() {
            site.test.execute("drop schema public cascade").await;
            site.test.execute("create schema public").await;
        }
        site
    }

    pub fn data(&self) -> &Path {
        self.test.data.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.data().join(name)
    }

    /// A command with `--data` and `--database`. Attachments are in the data folder on both
    /// engines, unless a test names another place.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = program(words);
        command.arg("--data").arg(self.data());
        if let Some(url) = &self.test.url {
            command.arg("--database").arg(url).env("FLAGSHIP_ATTACHMENTS", self.data());
        }
        command
    }

    /// Runs a command with `--data` and `--database`.
    pub async fn run(&self, words: &[&str]) -> Done {
        run(self.command(words)).await
    }

    /// Applies an event folder.
    pub async fn apply(&self, event: &EventFolder) -> Done {
        self.run(&["apply", "--event", event.dir()]).await
    }

    /// Applies an event folder with one destructive change.
    pub async fn apply_confirmed(&self, event: &EventFolder) -> Done {
        self.run(&["apply", "--event", event.dir(), "--confirm", "1"]).await
    }

    /// Serves an event.
    pub async fn serve(&self, event: &EventFolder) -> Server {
        self.serve_with(event, |_| {}).await
    }

    /// Serves an event while another server is already running.
    pub async fn join(&self, event: &EventFolder) -> Server {
        self.serve_with(event, |command| _ = command.arg("--join")).await
    }

    /// Serves an event with a changed command.
    pub async fn serve_with(
        &self,
        event: &EventFolder,
        change: impl FnOnce(&mut Command),
    ) -> Server {
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let mut command = self.command(&words);
        change(&mut command);
        Server::start(command).await
    }

    /// Imports teams `Team 1`, `Team 2`, ...; returns a token for each.
    pub async fn import(&self, count: usize) -> Vec<String> {
        self.import_in(count, "").await
    }

    /// Imports teams of a division; returns a token for each.
    pub async fn import_in(&self, count: usize, division: &str) -> Vec<String> {
        let mut csv = "name,email,country,student,password,divisions\n".to_owned();
        for i in 1..=count {
            csv += &format!("Team {i},team{i}@example.org,IT,{},,{division}\n", i % 2 == 1);
        }
        let tokens = self.import_csv(&csv).await;
        tokens.into_iter().map(|(_, token)| token).collect()
    }

    /// Imports teams; returns the names and tokens from the file that the command wrote.
    pub async fn import_csv(&self, csv: &str) -> Vec<(String, String)> {
        let (file, out) = (self.file("teams.csv"), self.file("tokens.csv"));
        std::fs::write(&file, csv).unwrap();
        // An import does not overwrite the tokens of an earlier one.
        drop(std::fs::remove_file(&out));
        let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
        self.run(&["team", "import", file, "--tokens", out]).await.ok();
        read_csv(&std::fs::read_to_string(out).unwrap())
            .into_iter()
            .map(|mut row| (std::mem::take(&mut row[0]), row.pop().unwrap()))
            .collect()
    }
}

/// The rows of a CSV text, without the header.
pub fn read_csv(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

type Lines = Arc<Mutex<Vec<String>>>;

/// A running server. Dropping it kills the process.
pub struct Server {
    pub url: String,
    player: Player,
    child: Child,
    out: Lines,
    err: Lines,
}

impl Server {
    /// Starts a `serve` command and waits for the line with its address.
    pub async fn start(command: Command) -> Self {
        let mut server = Self::spawn(command);
        until("the server is ready", async || {
            let ended = server.child.try_wait().expect("the child is ours");
            assert!(ended.is_none(), "the server ended: {ended:?} {:?}", server.err());
            !server.out().is_empty()
        })
        .await;
        let line = &server.out()[0];
        let url = line.strip_prefix("Flagship is ready on ").expect("the line has the address");
        server.url = url.to_owned();
        server
    }

    fn spawn(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let out = collect(child.stdout.take().expect("it is piped"));
        let err = collect(child.stderr.take().expect("it is piped"));
        Self { url: String::new(), player: Player::new(), child, out, err }
    }

    /// The lines on standard output so far.
    pub fn out(&self) -> Vec<String> {
        self.out.lock().unwrap().clone()
    }

    /// The lines on standard error so far.
    pub fn err(&self) -> Vec<String> {
        self.err.lock().unwrap().clone()
    }

    /// A client without a token.
    pub fn player(&self) -> Player {
        self.player.at(&self.url)
    }

    /// A client with a token, which must be valid at once, even if another process created it.
    pub async fn team(&self, token: &str) -> Player {
        let player = self.player().with_token(token);
        let (_, event) = player.get("/ctf").await;
        assert!(event["loggedTeam"].is_string(), "the token is not known: {event}");
        player
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Shuts the server down and waits until it has ended; returns the time it took.
    ///
    /// # Panics
    /// If the exit code is not 0.
    pub async fn stop(mut self) -> Duration {
        let start = Instant::now();
        self.terminate().await;
        let ended = tokio::time::timeout(WAIT_MAX, self.child.wait()).await;
        let status = ended.expect("it ends").expect("the child is ours");
        assert_eq!(status.code(), Some(0), "{:?}", self.err());
        start.elapsed()
    }

    /// Sends SIGTERM.
    pub async fn terminate(&self) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(sent.expect("there is a kill command").success());
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) {
        self.child.start_kill().expect("it runs");
    }

    /// Waits until the server has ended after SIGTERM; returns the exit code.
    pub async fn ended(mut self) -> Option<i32> {
        let ended = tokio::time::timeout(WAIT_MAX, self.child.wait()).await;
        ended.expect("it ends").expect("the child is ours").code()
    }

    /// The URL of the metrics listener, from the log.
    pub async fn watched(&self) -> String {
        let mut found = None;
        until("the log has the address of the metrics", async || {
            let lines = self.err();
            let link = |line: &String| Some(line.split_once("metrics are on ")?.1.to_owned());
            found = lines.iter().find_map(link);
            found.is_some()
        })
        .await;
        let (address, _) = found.as_deref().and_then(|it| it.split_once("/metrics")).unwrap();
        address.to_owned()
    }

    /// Waits until a killed server has ended.
    pub async fn gone(mut self) {
        self.child.wait().await.expect("the child is ours");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the server at {} said: {:#?}", self.url, self.err());
        }
    }
}

fn collect(from: impl AsyncRead + Unpin + Send + 'static) -> Lines {
    let lines = Lines::default();
    let kept = lines.clone();
    tokio::spawn(async move {
        let mut reader = BufReader::new(from).lines();
        while let Ok(Some(line)) = reader.next_line().await {
            kept.lock().unwrap().push(line);
        }
    });
    lines
}
