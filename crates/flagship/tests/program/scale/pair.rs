//! Two PostgreSQL servers as a synchronous streaming pair, and a relay with an unchanged address
//! before them.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use sqlx::Connection;
use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::{free_address, until};

/// Connections from this machine are allowed, also for replication.
const ACCESS: &str = "host all all 127.0.0.0/8 trust\nhost replication all 127.0.0.0/8 trust\n";

/// A primary and its synchronous standby.
pub struct Pair {
    pub primary: Database,
    pub standby: Database,
    // Removed after the servers have been killed.
    _folder: TempDir,
}

/// A running PostgreSQL server. Dropping it kills the server.
pub struct Database {
    pub address: SocketAddr,
    process: Child,
}

impl Pair {
    pub async fn start() -> Self {
        let folder = TempDir::new().unwrap();
        if rustix::process::geteuid().is_root() {
            done(Command::new("chown").arg("postgres:").arg(folder.path())).await;
        }
        let mut initdb = server_program("initdb", folder.path());
        initdb.args(["--pgdata=primary", "--username=flagship", "--encoding=UTF8", "--no-sync"]);
        done(initdb.args(["--auth=trust", "--locale=C.UTF-8"])).await;
        std::fs::write(folder.path().join("primary/pg_hba.conf"), ACCESS).unwrap();
        let primary = Database::start(folder.path(), "primary").await;

        let mut copy = server_program("pg_basebackup", folder.path());
        copy.args(["--pgdata=standby", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]);
        done(copy.arg(format!("--dbname={}?application_name=standby", primary.url()))).await;
        let standby = Database::start(folder.path(), "standby").await;
        // The setting is only in the primary, so the standby needs none after its promotion.
        primary.run("alter system set synchronous_standby_names = 'standby'").await;
        primary.run("select pg_reload_conf()").await;
        let is_synchronous = "select count(*) = 1 from pg_stat_replication \
                              where state = 'streaming' and sync_state = 'sync'";
        until("the standby is synchronous", async || primary.is(is_synchronous).await).await;
        Self { primary, standby, _folder: folder }
    }
}

impl Database {
    async fn start(folder: &Path, name: &str) -> Self {
        let address = free_address();
        let log = File::create(folder.join(format!("{name}.log"))).unwrap();
        let mut command = server_program("postgres", folder);
        command.args(["-D", name, "-p", &address.port().to_string()]);
        let sockets = format!("unix_socket_directories={}", folder.display());
        for setting in [&format!("listen_addresses={}", address.ip()), &sockets] {
            command.args(["-c", setting]);
        }
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let process = command.kill_on_drop(true).spawn().expect("PostgreSQL is installed");
        let server = Self { address, process };
        until("the server responds", async || {
            sqlx::PgConnection::connect(&server.url()).await.is_ok()
        })
        .await;
        server
    }

    /// The URL of the server at its own address.
    pub fn url(&self) -> String {
        url(self.address)
    }

    pub async fn run(&self, sql: &'static str) {
        let mut conn = sqlx::PgConnection::connect(&self.url()).await.unwrap();
        sqlx::query(sql).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
    }

    pub async fn is(&self, sql: &'static str) -> bool {
        let mut conn = sqlx::PgConnection::connect(&self.url()).await.unwrap();
        let is = sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        is
    }

    /// Kills all processes of the server at the same moment, as if its machine lost power.
    pub async fn kill(&mut self) {
        let postmaster = self.process.id().expect("it runs");
        // A stopped postmaster does not restart its processes.
        signal("-STOP", &[postmaster]).await;
        let mut all = children(postmaster);
        all.push(postmaster);
        signal("-KILL", &all).await;
        self.process.wait().await.unwrap();
    }
}

/// The URL of a server at an address.
pub fn url(address: SocketAddr) -> String {
    format!("postgres://flagship@{address}/postgres")
}

/// A program of PostgreSQL, which refuses to run as root. It ends with this process.
fn server_program(name: &str, folder: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if rustix::process::geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.args(["--pdeathsig=KILL"]).arg(programs().join(name)).current_dir(folder);
    command
}

/// The folder with the programs of the newest PostgreSQL.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed");
    let versions = versions.filter_map(|it| it.unwrap().file_name().to_str()?.parse::<u32>().ok());
    let newest = versions.max().expect("PostgreSQL is installed");
    PathBuf::from(format!("/usr/lib/postgresql/{newest}/bin"))
}

async fn done(command: &mut Command) {
    let output = command.output().await.expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn signal(name: &str, processes: &[u32]) {
    let mut kill = Command::new("kill");
    kill.arg(name).args(processes.iter().map(u32::to_string));
    // A process may have ended by itself.
    kill.output().await.expect("there is a kill command");
}

/// The processes that a process started.
fn children(of: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap();
    let is_child = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // The name in parentheses is followed by the state and the parent.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        parent == Some(&of.to_string())
    };
    let ids = entries.filter_map(|it| it.unwrap().file_name().to_str()?.parse().ok());
    ids.filter(is_child).collect()
}

/// Target of the relay.
#[derive(Clone, Copy, PartialEq)]
enum Route {
    To(SocketAddr),
    /// Existing connections stay open and never respond. New ones wait for a target.
    Silent,
}

/// Forwards connections from one address to the current target.
pub struct Relay {
    pub address: SocketAddr,
    route: watch::Sender<Route>,
}

impl Relay {
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind(free_address()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let route = watch::Sender::new(Route::To(target));
        let current = route.subscribe();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, current.clone()));
            }
        });
        Self { address, route }
    }

    /// Forwards new connections to another target.
    pub fn point_to(&self, target: SocketAddr) {
        self.route.send_replace(Route::To(target));
    }

    /// Lets the target disappear: it sends no byte and closes no connection.
    pub fn lose_target(&self) {
        self.route.send_replace(Route::Silent);
    }
}

async fn forward(mut client: TcpStream, mut route: watch::Receiver<Route>) {
    let target = route.wait_for(|route| *route != Route::Silent).await.map(|route| *route);
    let Ok(Route::To(target)) = target else { return };
    // Without a server, the connection is closed.
    let Ok(mut server) = TcpStream::connect(target).await else { return };
    let is_lost = async { route.wait_for(|route| *route == Route::Silent).await.is_ok() };
    let is_lost = tokio::select! {
        biased;
        is_lost = is_lost => is_lost,
        _ = copy_bidirectional(&mut client, &mut server) => false,
    };
    if is_lost {
        // Keeps both connections open.
        std::future::pending::<()>().await;
    }
}
