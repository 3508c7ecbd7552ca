//! The reference, nginx serving the same bytes from a file, and wrk, which sends the requests to
//! both servers.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Time limit of the start of nginx.
const START_MAX: Duration = Duration::from_secs(10);
const CONNECTIONS: usize = 64;

/// An nginx process that serves one file. Dropping it ends the process.
pub struct Nginx {
    child: Child,
    pub address: SocketAddr,
}

impl Nginx {
    /// Serves `bytes` as `/api/scoreboard` with this `Content-Encoding`, from `folder`.
    pub fn start(folder: &Path, bytes: &[u8], encoding: &str) -> Result<Self> {
        std::fs::create_dir_all(folder.join("api"))?;
        std::fs::write(folder.join("api/scoreboard"), bytes)?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let folder = std::path::absolute(folder)?;
        let conf = folder.join("nginx.conf");
        std::fs::write(&conf, configuration(&folder, address, encoding))?;
        let mut command = Command::new("/usr/sbin/nginx");
        command.arg("-c").arg(&conf).arg("-p").arg(&folder).stderr(Stdio::null());
        let child = command.spawn().context("start nginx")?;
        let nginx = Self { child, address };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            ensure!(begun.elapsed() < START_MAX, "nginx did not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(nginx)
    }

    /// The id of the main process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM ends the worker processes too; SIGKILL would not.
        let pid = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &pid]).status();
        if !asked.is_ok_and(|status| status.success()) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}

/// A configuration for speed: no access log, cached file handles, persistent connections. Workers
/// run as root because only the owner can read the folder; without root that line has no effect.
fn configuration(folder: &Path, address: SocketAddr, encoding: &str) -> String {
    let folder = folder.display();
    format!(
        "
user root root;
daemon off;
worker_processes auto;
pid {folder}/pid;
error_log {folder}/error crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=9;
  open_file_cache_valid 1h;
  default_type application/json;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen {address};
    root {folder};
    add_header Content-Encoding {encoding};
    add_header Vary Accept-Encoding;
    add_header Cache-Control no-cache;
  }}
}}
"
    )
}

/// The results of wrk.
pub struct Counted {
    pub requests: f64,
    pub per_s: f64,
}

/// Requests `/api/scoreboard` with wrk over 64 connections for `seconds`.
pub fn wrk(address: SocketAddr, seconds: u32, headers: &[String]) -> Result<Counted> {
    let mut command = Command::new("wrk");
    command.args(["-t2", &format!("-c{CONNECTIONS}"), &format!("-d{seconds}s"), "--timeout=30s"]);
    for line in headers {
        command.args(["-H", line]);
    }
    let done = command.arg(format!("http://{address}/api/scoreboard")).output();
    let said = String::from_utf8(done.context("start wrk")?.stdout)?;
    if said.contains("Non-2xx") || said.contains("Socket errors") {
        bail!("not every answer was good:\n{said}");
    }
    let line = |part| said.lines().find(|line| line.contains(part));
    let requests = line(" requests in ").and_then(|line| line.split_whitespace().next());
    let per_s = line("Requests/sec:").and_then(|line| line.split_whitespace().last());
    let parsed = |text: Option<&str>| anyhow::Ok(text.context("wrk counts")?.parse::<f64>()?);
    Ok(Counted { requests: parsed(requests)?, per_s: parsed(per_s)? })
}
