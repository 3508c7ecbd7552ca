//! A player behind nginx and Caddy, with the configurations in `deploy/`.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;

use flagship_testkit::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::event::EventFolder;
use crate::operate::root;
use crate::process::{Server, TestSite};
use crate::{WAIT_MAX, free_address, until};

const NGINX: &str = include_str!("../../../../deploy/nginx.conf");
const CADDY: &str = include_str!("../../../../deploy/Caddyfile");

/// The line of nginx's configuration that redirects to https.
const PLAIN: &str = "plain";

/// A running proxy. Dropping it kills the process.
struct Proxy {
    url: String,
    folder: TempDir,
    _process: Child,
}

impl Proxy {
    /// Starts a proxy with the command that `command` returns for a folder and a listen address.
    async fn start(command: impl FnOnce(&Path, SocketAddr) -> Command) -> Self {
        let (folder, address) = (TempDir::new().unwrap(), free_address());
        let mut command = command(folder.path(), address);
        let process = command.stdin(Stdio::null()).kill_on_drop(true).spawn();
        let process = process.expect("the proxy is installed: apt-get install nginx-light caddy");
        until("the proxy listens", async || TcpStream::connect(address).is_ok()).await;
        Self { url: format!("http://{address}"), folder, _process: process }
    }
}

/// A configuration from `deploy/` with texts replaced; asserts that each occurs.
fn with(example: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(example.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "the example has {old}");
        text.replace(old, new)
    })
}

/// nginx with the configuration from `deploy/`, except addresses and TLS.
fn nginx(server: &Server, folder: &Path, address: SocketAddr) -> Command {
    nginx_with(NGINX, server, folder, address)
}

fn nginx_with(conf: &str, server: &Server, folder: &Path, address: SocketAddr) -> Command {
    let lines = conf.lines().filter(|line| !line.trim_start().starts_with("ssl_"));
    let plain = SocketAddr::new(address.ip(), free_address().port());
    let example = with(
        &lines.collect::<Vec<_>>().join("\n"),
        &[
            ("127.0.0.1:8080", inside(server)),
            ("listen 80", &format!("listen {plain}")),
            ("listen 443 ssl http2", &format!("listen {address}")),
            ("ctf.example.org", &address.ip().to_string()),
        ],
    );
    std::fs::write(folder.join(PLAIN), plain.to_string()).unwrap();
    let at = folder.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|it| format!("{it}_temp_path {at}/{it};\n")).concat();
    let conf = format!(
        "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log stderr warn;\n\
         events {{}}\nhttp {{\naccess_log off;\n{temporary}{example}}}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, conf).unwrap();
    let mut command = Command::new("/usr/sbin/nginx");
    command.arg("-p").arg(folder).arg("-c").arg(file);
    command
}

/// Caddy with the configuration from `deploy/`, except addresses and TLS.
fn caddy(server: &Server, folder: &Path, address: SocketAddr) -> Command {
    caddy_with(CADDY, server, folder, address)
}

fn caddy_with(conf: &str, server: &Server, folder: &Path, address: SocketAddr) -> Command {
    let example = with(
        conf,
        &[
            ("127.0.0.1:8080", inside(server)),
            ("ctf.example.org {", &format!("http://{address} {{")),
            ("\n{\n", "\n{\n\tadmin off\n"),
        ],
    );
    std::fs::write(folder.join("Caddyfile"), example).unwrap();
    let mut command = Command::new("/usr/bin/caddy");
    command.args(["run", "--adapter", "caddyfile", "--config", "Caddyfile"]).current_dir(folder);
    command.env("HOME", folder).stderr(Stdio::null());
    command
}

fn inside(server: &Server) -> &str {
    server.url.strip_prefix("http://").unwrap()
}

/// A client that connects to the proxy from its own address.
fn client(address: [u8; 4]) -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().local_address(IpAddr::from(address));
    client.build().unwrap()
}

async fn sign_up(from: &reqwest::Client, url: &str, name: &str, lie: Option<&str>) -> u16 {
    let email = format!("{}@example.org", name.len());
    let body = json!({"teamName": name, "email": email, "country": "IT",
        "password": "correct horse", "captchaToken": "off"});
    let mut request = from.post(format!("{url}/api/signup")).json(&body);
    if let Some(lie) = lie {
        request = request.header("x-forwarded-for", lie);
    }
    let answer = request.send().await.unwrap();
    answer.status().as_u16()
}

#[test]
fn caddy_accepts_the_configuration_for_two_nodes() {
    let home = tempfile::tempdir().unwrap();
    let mut caddy = std::process::Command::new("/usr/bin/caddy");
    caddy.args(["validate", "--adapter", "caddyfile", "--config"]);
    caddy.arg(root().join("deploy/Caddyfile.scale")).env("HOME", home.path());
    let done = caddy.env_remove("XDG_DATA_HOME").output();
    let done = done.expect("it is installed: apt-get install caddy");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test]
async fn the_nginx_example_serves_a_player() {
    let proxy = carries_a_player(nginx).await;
    let plain = std::fs::read_to_string(proxy.folder.path().join(PLAIN)).unwrap();
    let said = bare(&plain, &plain);
    let name = plain.split(':').next().unwrap();
    assert!(said.contains(&format!("Location: https://{name}/somewhere\r\n")), "{said}");
    let inside = proxy.url.strip_prefix("http://").unwrap();
    for address in [&plain, inside] {
        for host in ["evil.example", "ctf.example.org.evil.example", "localhost"] {
            assert_eq!(bare(address, host), "", "{host:?} is not served at {address}");
        }
    }
}

#[tokio::test]
async fn the_caddy_example_serves_a_player() {
    let proxy = carries_a_player(caddy).await;
    let said = bare(proxy.url.strip_prefix("http://").unwrap(), "evil.example");
    assert!(
        !said.contains("Location") && said.ends_with("\r\n\r\n"),
        "the host is not served: {said}"
    );
}

/// Sends a request with an arbitrary `Host`; returns the response.
fn bare(address: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT_MAX)).unwrap();
    let ask = format!("GET /somewhere HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).unwrap();
    String::from_utf8_lossy(&said).into_owned()
}

async fn carries_a_player(command: fn(&Server, &Path, SocketAddr) -> Command) -> Proxy {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let before = "per_hour = 0";
    let after = "per_hour = 1\ntrusted_proxies = [\"127.0.0.1\"]";
    assert!(toml.contains(before), "{toml}");
    event.write("event.toml", &toml.replace(before, after));
    let server = site.serve(&event).await;
    let proxy = Proxy::start(|folder, address| command(&server, folder, address)).await;
    let tokens = site.import(2).await;
    let player = server.player().at(&proxy.url);
    let team = player.with_token(&tokens[0]);
    let (mut socket, _) = player.watch().await;
    until("the team is known", async || team.get("/ctf").await.1["loggedTeam"].is_string()).await;
    team.solves("one").await;
    assert_eq!(socket.solve().await, ("Team 1".to_owned(), "one".to_owned()));
    assert_eq!(team.challenges().await.len(), 3);

    // Limits apply to the client's address, not to the proxy's address or to a forged header.
    let (one, other) = (client([127, 0, 0, 2]), client([127, 0, 0, 3]));
    assert_eq!(sign_up(&one, &proxy.url, "The Ants", None).await, 201);
    let status = sign_up(&one, &proxy.url, "The Bees", None).await;
    assert_eq!(status, 429, "the client has reached its limit");
    assert_eq!(sign_up(&one, &proxy.url, "The Bees", Some("192.0.2.7")).await, 429);
    assert_eq!(sign_up(&other, &proxy.url, "The Hornets", None).await, 201);

    // Flagship, not the proxy, refuses requests that are too large.
    let large = one.post(format!("{}/api/login", proxy.url));
    let large = large.header("content-type", "application/json").body("x".repeat(100 * 1024));
    let large = large.send().await.unwrap();
    assert_eq!(large.status(), 413);
    assert!(large.json::<Value>().await.unwrap()["message"].is_string());

    forwards_an_upload(&site, &proxy.url).await;

    server.terminate().await;
    assert_eq!(socket.end().await, Some(1001), "the close frame passes the proxy");
    assert_eq!(server.ended().await, Some(0));
    proxy
}

/// An organizer's file of 2 MB reaches the server, and `doctor` confirms it.
async fn forwards_an_upload(site: &TestSite, url: &str) {
    let added = site.run(&["organizer", "add", "Ada", "--role", "organizer"]).await;
    assert_eq!(added.code, Some(0), "{added:?}");
    let token = site.run(&["organizer", "token", "Ada"]).await;
    let upload = reqwest::Client::builder().no_proxy().build().unwrap();
    let upload = upload.post(format!("{url}/api/organize/files"));
    let upload = upload.header("x-api-key", token.out.trim());
    let upload = upload.header("content-type", "application/octet-stream");
    let uploaded = upload.body(vec![7; 2_000_000]).send().await.unwrap();
    assert_eq!(uploaded.status(), 201);
    assert_eq!(uploaded.json::<Value>().await.unwrap()["bytes"], 2_000_000);
    let doctor = site.run(&["doctor", "--public-url", url]).await;
    let line = "ok       uploads: files of up to 1 GiB reach the server";
    assert!(doctor.out.contains(line), "{doctor:?}");
}

#[tokio::test]
async fn doctor_names_a_proxy_that_refuses_uploads() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let small = |folder: &Path, address| {
        let conf = with(NGINX, &[("client_max_body_size    1025m", "client_max_body_size 100m")]);
        nginx_with(&conf, &server, folder, address)
    };
    let nginx = Proxy::start(small).await;
    let small = |folder: &Path, address| {
        let conf = with(CADDY, &[("max_size 1025MiB", "max_size 128KB")]);
        caddy_with(&conf, &server, folder, address)
    };
    let caddy = Proxy::start(small).await;
    for proxy in [nginx, caddy] {
        let doctor = site.run(&["doctor", "--public-url", &proxy.url]).await;
        let line = "problem  uploads: a proxy rejects a 1 GiB file with";
        assert!(doctor.out.contains(line), "{doctor:?}");
    }
    let stores = |folder: &Path, address| {
        let conf = with(NGINX, &[("proxy_request_buffering off", "proxy_request_buffering on")]);
        nginx_with(&conf, &server, folder, address)
    };
    let proxy = Proxy::start(stores).await;
    let doctor = site.run(&["doctor", "--public-url", &proxy.url]).await;
    assert!(doctor.out.contains("warning  uploads: a proxy buffers uploads"), "{doctor:?}");
    server.stop().await;
}
