//! Behind a real proxy, with the example that is handed out: nginx carries a player.

use std::net::{IpAddr, TcpListener, TcpStream};
use std::process::Stdio;

use flagship_control::control;
use flagship_testkit::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::event::EventFolder;
use crate::process::{Place, Server};
use crate::until;

const EXAMPLE: &str = include_str!("../../../../deploy/nginx.conf");

/// An nginx that runs. Dropped, it is killed.
struct Nginx {
    url: String,
    _folder: TempDir,
    _process: Child,
}

impl Nginx {
    /// The example, but for addresses and the certificate: TLS is nginx's own business.
    async fn before(server: &Server) -> Self {
        let folder = TempDir::new().unwrap();
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (plain, tls) = (free(), free());
        let inside = server.url.strip_prefix("http://").unwrap();
        let mut example = String::new();
        for line in EXAMPLE.lines().filter(|line| !line.trim_start().starts_with("ssl_")) {
            example += &line
                .replace("127.0.0.1:8080", inside)
                .replace("listen 80;", &format!("listen {plain};"))
                .replace("listen 443 ssl http2;", &format!("listen {tls};"));
            example.push('\n');
        }
        assert!(example.contains(inside) && example.contains(&format!("listen {tls};")));
        let at = folder.path().display();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary = temporary.map(|it| format!("{it}_temp_path {at}/{it};\n")).concat();
        let conf = format!(
            "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log stderr warn;\n\
             events {{}}\nhttp {{\naccess_log off;\n{temporary}{example}}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, conf).unwrap();
        let process = Command::new("/usr/sbin/nginx")
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("nginx is there: apt-get install nginx-light");
        until("nginx listens", async || TcpStream::connect(tls).is_ok()).await;
        Self { url: format!("http://{tls}"), _folder: folder, _process: process }
    }
}

/// A client with an address of its own, as the proxy sees it.
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

#[tokio::test]
async fn nginx_with_the_example_carries_a_player() {
    let (place, event) = (Place::new(Engine::Sqlite).await, EventFolder::new());
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    let (before, after) = ("per_hour = 0", "per_hour = 1\ntrusted_proxies = [\"127.0.0.1\"]");
    assert!(toml.contains(before), "{toml}");
    event.write("event.toml", &toml.replace(before, after));
    let server = place.serve(&event).await;
    let nginx = Nginx::before(&server).await;
    let tokens = place.import(2).await;
    let player = server.player().at(&nginx.url);
    let team = player.with_token(&tokens[0]);
    let (mut socket, _) = player.watch().await;
    until("the team is known", async || team.get("/ctf").await.1["loggedTeam"].is_string()).await;
    team.solves("one").await;
    assert_eq!(socket.solve().await, ("Team 1".to_owned(), "one".to_owned()));
    assert_eq!(team.challenges().await.len(), 3);

    // Limits count the client, not the proxy, and not what a client says of itself.
    let (one, other) = (client([127, 0, 0, 2]), client([127, 0, 0, 3]));
    assert_eq!(sign_up(&one, &nginx.url, "The Ants", None).await, 201);
    let is_other = control("nginx_with_the_example_carries_a_player", "who had its share");
    let again = if is_other { &other } else { &one };
    let status = sign_up(again, &nginx.url, "The Bees", None).await;
    assert_eq!(status, 429, "who had its share waits");
    assert_eq!(sign_up(&one, &nginx.url, "The Bees", Some("192.0.2.7")).await, 429);
    assert_eq!(sign_up(&other, &nginx.url, "The Hornets", None).await, 201);

    // What is too large for Flagship is answered by Flagship.
    let large = one.post(format!("{}/api/login", nginx.url));
    let large = large.header("content-type", "application/json").body("x".repeat(100 * 1024));
    let large = large.send().await.unwrap();
    assert_eq!(large.status(), 413);
    assert!(large.json::<Value>().await.unwrap()["message"].is_string());

    server.terminate().await;
    assert_eq!(socket.end().await, Some(1001), "a goodbye passes through");
    assert_eq!(server.ended().await, Some(0));
}
