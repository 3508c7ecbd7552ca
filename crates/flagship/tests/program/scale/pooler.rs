//! Nodes behind Debian's pgbouncer: session mode works, other modes are rejected at the start.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::Duration;

use flagship_testkit::Engine;
use serde_json::json;
use sqlx::ConnectOptions;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::event::EventFolder;
use crate::process::TestSite;
use crate::{free_address, until};

/// Maximum time until a node shows changes made on another.
const KNOWN_MAX: Duration = Duration::from_secs(1);
/// Settings of the pooler, in its folder.
const SETTINGS: &str = "pgbouncer.ini";

/// A running pgbouncer. Dropping it kills the process.
struct Pooler {
    /// The URL of the site's database behind the pooler.
    url: String,
    folder: TempDir,
    process: Child,
}

impl Pooler {
    /// Starts a pooler before the database of a site.
    async fn start(site: &TestSite, mode: &str) -> Self {
        let (address, folder) = (free_address(), TempDir::new().unwrap());
        let (before, name) = site.test.url.as_deref().unwrap().rsplit_once('/').unwrap();
        let (user, server) = before.rsplit_once('@').unwrap();
        let (_, user) = user.rsplit_once('/').unwrap();
        let (host, port) = server.rsplit_once(':').unwrap();
        let settings = format!(
            "[databases]\n* = host={host} port={port} user={user}\n\
             [pgbouncer]\nlisten_addr = {}\nlisten_port = {}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = {mode}\ndefault_pool_size = 40\n",
            address.ip(),
            address.port(),
        );
        std::fs::write(folder.path().join(SETTINGS), settings).unwrap();
        // The pooler runs as another user.
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let url = format!("postgres://{user}@{address}/{name}");
        let process = run(&folder);
        let pooler = Self { url, folder, process };
        pooler.is_ready().await;
        pooler
    }

    async fn is_ready(&self) {
        until("the pooler responds", async || {
            let options: sqlx::postgres::PgConnectOptions = self.url.parse().unwrap();
            let options = options.extra_float_digits(None);
            options.connect().await.is_ok()
        })
        .await;
    }

    /// Kills the pooler with its connections, and starts it again.
    async fn restart(&mut self) {
        self.process.kill().await.unwrap();
        self.process = run(&self.folder);
        self.is_ready().await;
    }
}

/// Runs pgbouncer, which refuses to run as root.
fn run(folder: &TempDir) -> Child {
    let mut command = Command::new("setpriv");
    if rustix::process::geteuid().is_root() {
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
    }
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    command.args(["--pdeathsig=KILL", "/usr/sbin/pgbouncer"]).arg(folder.path().join(SETTINGS));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).kill_on_drop(true);
    command.spawn().expect("pgbouncer is installed: apt-get install pgbouncer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_work_behind_a_pooler_in_session_mode() {
    let mut site = TestSite::new(Engine::Postgres).await;
    let mut pooler = Pooler::start(&site, "session").await;
    site.test.url = Some(pooler.url.clone());
    let event = EventFolder::new();
    let (a, b) = (site.serve(&event).await, site.join(&event).await);
    let tokens = site.import(20).await;
    let (mut on_b, _) = b.player().watch().await;
    a.team(&tokens[0]).await.solves("one").await;
    assert_eq!(on_b.solve().await, ("Team 1".to_owned(), "one".to_owned()));
    let again = b.team(&tokens[0]).await.solve("one").await;
    assert_eq!(again.1, json!({"correct": true}), "the other node knows the solve");

    // Concurrent solves on both nodes.
    let mut sent = tokio::task::JoinSet::new();
    for (i, token) in tokens.iter().enumerate() {
        let team = if i % 2 == 0 { a.team(token).await } else { b.team(token).await };
        sent.spawn(async move { team.solves("three").await });
    }
    sent.join_all().await;
    for node in [&a, &b] {
        let board = node.player().board().await;
        let solves = board.values().filter(|row| row.solves.contains_key("three"));
        assert_eq!(solves.count(), 20);
    }

    // Commands use the pooler too, and nodes follow them.
    site.run(&["team", "ban", "Team 20"]).await.ok();
    for node in [&a, &b] {
        let banned = node.player().with_token(&tokens[19]);
        let took = until("the ban is known", async || banned.solve("one").await.0 == 401).await;
        assert!(took < KNOWN_MAX, "{took:?}");
    }

    // The nodes reconnect to a restarted pooler by themselves.
    pooler.restart().await;
    let team = a.player().with_token(&tokens[1]);
    let took = until("the flag is accepted", async || team.tries("one").await).await;
    eprintln!("figures: a flag is accepted {took:.1?} after the pooler was restarted");
    let solved = ("Team 2".to_owned(), "one".to_owned());
    while on_b.solve().await != solved {}
    tokio::join!(a.stop(), b.stop());
    site.run(&["journal", "verify"]).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_another_mode_is_rejected() {
    for mode in ["transaction", "statement"] {
        let mut site = TestSite::new(Engine::Postgres).await;
        let pooler = Pooler::start(&site, mode).await;
        site.test.url = Some(pooler.url.clone());
        let event = EventFolder::new();
        let serve = site.run(&["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"]).await;
        serve.fails("pooler in transaction or statement mode");
        serve.fails("`pool_mode = session`");
        site.apply(&event).await.fails("pooler in transaction or statement mode");
    }
}
