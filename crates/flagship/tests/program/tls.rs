//! `serve --tls` against pebble, an ACME server for tests: certificates are obtained, stored,
//! served and renewed.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use flagship_testkit::Engine;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Method};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::event::EventFolder;
use crate::process::{Server, TestSite, run};
use crate::{free_address, until};

const DOMAIN: &str = "ctf.example.org";
/// Directory of a server that does not exist.
const NOWHERE: &str = "https://127.0.0.1:1/dir";

/// A certificate authority made by openssl, and a certificate of it for a domain or an address.
struct Authority {
    folder: TempDir,
}

impl Authority {
    fn of(name: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let openssl = |words: &str| {
            let done = std::process::Command::new("openssl")
                .args(words.split_whitespace())
                .current_dir(folder.path())
                .output()
                .expect("openssl is installed: apt-get install openssl");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc";
        openssl(&format!("req -x509 -days 2 -subj /CN=Root -keyout ca.key -out ca.pem {key}"));
        openssl(&format!(
            "req -x509 -days 2 -subj /CN=Server -keyout key.pem -out own.pem -CA ca.pem \
             -CAkey ca.key -addext subjectAltName={name} \
             -addext basicConstraints=critical,CA:FALSE {key}"
        ));
        Self { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    /// The root certificate, as PEM.
    fn root(&self) -> String {
        self.text("ca.pem")
    }

    /// Stores its certificate in a data folder, as if another ACME server had issued it.
    fn keep_in(&self, data: &Path) {
        let folder = data.join("tls");
        std::fs::create_dir(&folder).unwrap();
        let [key, own] = ["key.pem", "own.pem"].map(|name| self.text(name));
        let text = format!("# Issued by https://former.example/dir\n{key}{own}");
        std::fs::write(folder.join("certificate.pem"), text).unwrap();
    }
}

/// An ACME server and its name server. The domain points to the address of the servers under test.
struct Pebble {
    authority: Authority,
    address: SocketAddr,
    management: SocketAddr,
    _name_server: Child,
    running: Option<Child>,
}

impl Pebble {
    /// Prepares a server whose certificates are valid for `validity_s` seconds and that validates
    /// domains at the port of `http`.
    fn new(http: SocketAddr, validity_s: u32) -> Self {
        let [address, management, names, others] = std::array::from_fn(|_| free_address());
        let authority = Authority::of(&format!("IP:{}", address.ip()));
        let config = json!({"pebble": {
            "listenAddress": address.to_string(),
            "managementListenAddress": management.to_string(),
            "certificate": authority.file("own.pem"),
            "privateKey": authority.file("key.pem"),
            "httpPort": http.port(),
            "tlsPort": 1,
            "certificateValidityPeriod": validity_s,
        }});
        std::fs::write(authority.file("config.json"), config.to_string()).unwrap();
        std::fs::write(authority.file("names"), names.to_string()).unwrap();
        let [names, others] = [names, others].map(|it| it.to_string());
        let ip = http.ip().to_string();
        let mut name_server = Command::new("/usr/bin/pebble-challtestsrv");
        name_server.args(["-dns01", &names, "-management", &others, "-defaultIPv4", &ip]);
        name_server.args(["-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""]);
        Self { authority, address, management, _name_server: quiet(name_server), running: None }
    }

    /// Starts the server. Some nonces are rejected, and each validation takes up to a second.
    async fn start(&mut self) {
        let names = self.authority.text("names");
        let mut pebble = Command::new("/usr/bin/pebble");
        pebble.arg("-config").arg(self.authority.file("config.json"));
        pebble.args(["-dnsserver", &names]);
        pebble.env("PEBBLE_WFE_NONCEREJECT", "10").env("PEBBLE_VA_SLEEPTIME", "1");
        self.running = Some(quiet(pebble));
        let listens = async || TcpStream::connect(self.address).await.is_ok();
        until("pebble listens", listens).await;
    }

    async fn stop(&mut self) {
        self.running.take().expect("it runs").kill().await.unwrap();
    }

    fn directory(&self) -> String {
        format!("https://{}/dir", self.address)
    }

    /// The root of the certificates that it issues, as PEM.
    async fn issuer(&self) -> String {
        let root = Certificate::from_pem(self.authority.root().as_bytes()).unwrap();
        let client = Client::builder().no_proxy().tls_certs_only([root]).build().unwrap();
        let url = format!("https://{}/roots/0", self.management);
        client.get(url).send().await.unwrap().text().await.unwrap()
    }
}

fn quiet(mut command: Command) -> Child {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = quiet.kill_on_drop(true).spawn();
    child.expect("it is installed: apt-get install pebble")
}

/// An installation with its own TLS.
struct TlsSite {
    site: TestSite,
    event: EventFolder,
    https: SocketAddr,
    http: SocketAddr,
}

impl TlsSite {
    async fn new() -> Self {
        // An error means that another test has already installed the provider.
        drop(tokio_rustls::rustls::crypto::ring::default_provider().install_default());
        let site = TestSite::new(Engine::Sqlite).await;
        Self { site, event: EventFolder::new(), https: free_address(), http: free_address() }
    }

    fn command(&self, directory: &str) -> Command {
        let (https, http) = (self.https.to_string(), self.http.to_string());
        let words = ["serve", "--event", self.event.dir(), "--tls", DOMAIN, "--acme", directory];
        let addresses = ["--listen", &https, "--listen-http", &http];
        let mut command = self.site.command(&[&words[..], &addresses].concat());
        command.args(["--metrics", "127.0.0.1:0"]);
        command
    }

    async fn serve(&self, pebble: &Pebble) -> Server {
        let mut command = self.command(&pebble.directory());
        command.arg("--acme-root").arg(pebble.authority.file("ca.pem"));
        Server::start(command).await
    }

    /// Opens a connection that accepts certificates of one root only.
    async fn connect(&self, root: &str) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(root.as_bytes()).unwrap()).unwrap();
        let mut config =
            ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let stream = TcpStream::connect(self.https).await?;
        let name = ServerName::try_from(DOMAIN).unwrap();
        TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }

    /// Waits until the certificate of a root is served.
    async fn serves_certificate_of(&self, root: &str) {
        until("the certificate is served", async || self.connect(root).await.is_ok()).await;
    }

    /// A client of the site that accepts certificates of one root only.
    fn client(&self, root: &str) -> Client {
        let root = Certificate::from_pem(root.as_bytes()).unwrap();
        let client = Client::builder().no_proxy().redirect(Policy::none());
        client.resolve(DOMAIN, self.https).tls_certs_only([root]).build().unwrap()
    }

    fn url(&self, path: &str) -> String {
        format!("https://{DOMAIN}:{}{path}", self.https.port())
    }

    /// Sends a request to the plain port; returns the whole response.
    async fn plain(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.http).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut said = Vec::new();
        stream.read_to_end(&mut said).await.unwrap();
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Codes of the warnings on Overview, read over TLS.
    async fn warnings(&self, client: &Client, token: &str) -> Vec<String> {
        let overview = client.get(self.url("/api/organize/overview")).header("x-api-key", token);
        let overview: Value = overview.send().await.unwrap().json().await.unwrap();
        let warnings = overview["warnings"].as_array().expect("a list").iter();
        warnings.map(|it| it["code"].as_str().unwrap().to_owned()).collect()
    }
}

/// Sends a request on an open connection; returns the head of the response.
async fn ask(stream: &mut TlsStream<TcpStream>) -> String {
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {DOMAIN}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    let mut said = Vec::new();
    while !said.ends_with(b"}") {
        let read = stream.read_buf(&mut said).await.unwrap();
        assert!(read > 0, "it is open: {}", String::from_utf8_lossy(&said));
    }
    String::from_utf8(said).unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_certificate_is_obtained_and_served_again_without_the_acme_server() {
    let here = TlsSite::new().await;
    let mut pebble = Pebble::new(here.http, 3600);
    pebble.start().await;
    let server = here.serve(&pebble).await;
    assert_eq!(server.url, format!("https://{DOMAIN}"));
    let issuer = pebble.issuer().await;
    here.serves_certificate_of(&issuer).await;
    let mut open = here.connect(&issuer).await.unwrap();
    assert_eq!(open.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    assert!(ask(&mut open).await.starts_with("HTTP/1.1 200 OK\r\n"));
    let client = here.client(&issuer);
    let answer = client.get(here.url("/")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=31536000");
    let event: Value = client.get(here.url("/api/ctf")).send().await.unwrap().json().await.unwrap();
    assert_eq!(event["name"], "Small CTF");

    let folder = here.site.file("tls");
    assert_eq!(mode(&folder), 0o700);
    for name in ["certificate.pem", "account.json"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    let doctor = here.site.run(&["doctor", "--event", here.event.dir(), "--tls", DOMAIN]).await;
    assert!(doctor.out.contains("ok       certificate: valid until "), "{doctor:?}");
    assert!(doctor.out.contains("ok       proxies: "), "{doctor:?}");

    let served = std::fs::read(folder.join("certificate.pem")).unwrap();
    server.stop().await;
    pebble.stop().await;
    let server = here.serve(&pebble).await;
    here.connect(&issuer).await.expect("the stored certificate is served at once");
    server.stop().await;
    assert_eq!(std::fs::read(folder.join("certificate.pem")).unwrap(), served);
}

#[tokio::test]
async fn plain_http_is_redirected_to_the_own_domain_only() {
    let here = TlsSite::new().await;
    let authority = Authority::of(&format!("DNS:{DOMAIN}"));
    authority.keep_in(here.site.data());
    let server = Server::start(here.command(NOWHERE)).await;
    for (request, status, path) in [
        ("GET /scoreboard?a=b HTTP/1.1", "301 Moved Permanently", "/scoreboard?a=b"),
        ("HEAD / HTTP/1.1", "301 Moved Permanently", "/"),
        ("POST /api/login HTTP/1.1", "308 Permanent Redirect", "/api/login"),
        ("GET http://evil.example/x HTTP/1.1", "301 Moved Permanently", "/x"),
        ("GET //evil.example HTTP/1.1", "301 Moved Permanently", "//evil.example"),
        ("OPTIONS * HTTP/1.1", "308 Permanent Redirect", "/"),
    ] {
        let said = here.plain(&format!("{request}\r\nHost: evil.example\r\n\r\n")).await;
        let head = said.to_ascii_lowercase();
        assert!(said.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request}: {said}");
        let location = format!("\r\nlocation: https://{DOMAIN}{path}\r\n");
        assert!(head.contains(&location), "{request}: {said}");
        assert!(head.contains("\r\nconnection: close\r\n"), "{request}: {said}");
        assert!(!head.contains("strict-transport-security"), "{request}: {said}");
    }
    let challenge = "GET /.well-known/acme-challenge/x HTTP/1.1\r\nHost: x\r\n\r\n";
    let said = here.plain(challenge).await;
    assert!(said.starts_with("HTTP/1.1 404 Not Found\r\n"), "{said}");
    // Other names get no certificate.
    let client = Client::builder().no_proxy().resolve("evil.example", here.https);
    let client = client.tls_danger_accept_invalid_certs(true).build().unwrap();
    let url = format!("https://evil.example:{}/", here.https.port());
    assert!(client.get(url).send().await.is_err(), "another domain is refused");
    let client = here.client(&authority.root());
    let posted = client.request(Method::POST, here.url("/api/login")).send().await.unwrap();
    assert_ne!(posted.status(), 200);
    server.stop().await;
}

#[tokio::test]
async fn a_first_start_retries_until_the_acme_server_responds() {
    let here = TlsSite::new().await;
    let mut pebble = Pebble::new(here.http, 3600);
    let server = here.serve(&pebble).await;
    let is_told = async || {
        let reason = "no certificate for ctf.example.org, so https connections are refused: the \
                      ACME server cannot be reached";
        server.err().iter().any(|line| line.contains(reason))
    };
    until("the reason is logged", is_told).await;
    assert!(here.connect(&pebble.authority.root()).await.is_err(), "there is no certificate");
    let said = here.plain("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(said.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{said}");
    assert!(said.contains("has no TLS certificate yet"), "{said}");
    let watched = server.watched().await;
    let metrics =
        async || reqwest::get(format!("{watched}/metrics")).await.unwrap().text().await.unwrap();
    assert!(metrics().await.contains("\nflagship_certificate_fails 1\n"));
    pebble.start().await;
    let issuer = pebble.issuer().await;
    here.serves_certificate_of(&issuer).await;
    let is_reset = async || metrics().await.contains("\nflagship_certificate_fails 0\n");
    until("the metric is reset", is_reset).await;
    assert!(!metrics().await.contains("\nflagship_certificate_expiry_seconds 0\n"));
    server.stop().await;
}

#[tokio::test]
async fn the_old_certificate_is_served_with_a_warning_while_renewal_fails() {
    let here = TlsSite::new().await;
    let mut pebble = Pebble::new(here.http, 3600);
    let former = Authority::of(&format!("DNS:{DOMAIN}"));
    former.keep_in(here.site.data());
    let server = here.serve(&pebble).await;
    let mut open = here.connect(&former.root()).await.expect("the old certificate is served");
    let added = here.site.run(&["organizer", "add", "Ada", "--role", "organizer"]).await;
    assert_eq!(added.code, Some(0), "{added:?}");
    let token = here.site.run(&["organizer", "token", "Ada"]).await.out.trim().to_owned();
    let client = here.client(&former.root());
    let fails = |codes: Vec<String>| codes.contains(&"certificate_fails".to_owned());
    let is_warned = async || fails(here.warnings(&client, &token).await);
    until("Overview shows the warning", is_warned).await;
    assert!(here.connect(&former.root()).await.is_ok(), "the old one is still served");

    pebble.start().await;
    let issuer = pebble.issuer().await;
    here.serves_certificate_of(&issuer).await;
    assert!(here.connect(&former.root()).await.is_err(), "the old one is no longer served");
    assert!(ask(&mut open).await.starts_with("HTTP/1.1 200 OK\r\n"), "it stayed open");
    let client = here.client(&issuer);
    let is_over = async || !fails(here.warnings(&client, &token).await);
    until("the warning is gone", is_over).await;
    server.stop().await;
}

#[tokio::test]
async fn a_certificate_is_renewed_when_a_third_of_its_lifetime_is_left() {
    let here = TlsSite::new().await;
    let mut pebble = Pebble::new(here.http, 15);
    pebble.start().await;
    let server = here.serve(&pebble).await;
    let issuer = pebble.issuer().await;
    here.serves_certificate_of(&issuer).await;
    // A client that does not finish its handshake is disconnected after 10 s.
    let mut silent = TcpStream::connect(here.https).await.unwrap();
    silent.write_all(b"\x16\x03\x01").await.unwrap();
    let own = |stream: &TlsStream<TcpStream>| {
        stream.get_ref().1.peer_certificates().expect("there is one")[0].clone()
    };
    let mut open = here.connect(&issuer).await.unwrap();
    let first = own(&open);
    let is_renewed = async || match here.connect(&issuer).await {
        Ok(stream) => own(&stream) != first,
        Err(error) => panic!("a valid certificate is served at all times: {error}"),
    };
    until("another certificate is served", is_renewed).await;
    assert!(ask(&mut open).await.starts_with("HTTP/1.1 200 OK\r\n"), "it stayed open");
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(crate::WAIT_MAX, silent.read_to_end(&mut rest)).await;
    assert!(closed.is_ok(), "the silent client is disconnected");
    server.stop().await;
}

#[tokio::test]
async fn options_that_contradict_tls_are_explained() {
    let here = TlsSite::new().await;
    let fails = async |more: &[&str], words: &str| {
        let mut command = here.command(NOWHERE);
        command.args(more);
        run(command).await.fails(words);
    };
    let foreign = "but with --tls the site is `https://ctf.example.org`: omit --public-url";
    fails(&["--public-url", "https://other.example.org"], foreign).await;
    fails(&["--public-url", "http://ctf.example.org"], foreign).await;
    fails(&["--join"], "--tls works with one server only").await;
    fails(&["--acme-root", "/nowhere.pem"], "read the certificates in --acme-root").await;
    let empty = here.site.file("empty.pem");
    std::fs::write(&empty, "").unwrap();
    fails(&["--acme-root", empty.to_str().unwrap()], "has no certificate").await;
    let mut same = here.command(NOWHERE);
    same.args(["--public-url", "https://ctf.example.org/"]);
    Server::start(same).await.stop().await;
}

#[tokio::test]
async fn a_second_node_on_postgresql_cannot_have_tls() {
    let mut here = TlsSite::new().await;
    here.site = TestSite::new(Engine::Postgres).await;
    let other = here.site.serve(&here.event).await;
    let words = "another server uses this database, and --tls works with one server only";
    run(here.command(NOWHERE)).await.fails(words);
    other.stop().await;
    let mut alone = Server::start(here.command(NOWHERE)).await;
    alone.kill();
    alone.gone().await;
    // The list still has the killed node.
    Server::start(here.command(NOWHERE)).await.stop().await;
}

#[tokio::test]
async fn sockets_from_systemd_are_used() {
    let here = TlsSite::new().await;
    let authority = Authority::of(&format!("DNS:{DOMAIN}"));
    authority.keep_in(here.site.data());
    let [https, http] = [here.https, here.http].map(|it| it.to_string());
    let serve = here.site.command(&["serve", "--event", here.event.dir(), "--tls", DOMAIN]);
    let mut command = Command::new("/usr/bin/systemd-socket-activate");
    command.args(["-l", &https, "-l", &http]);
    command.arg(serve.as_std().get_program()).args(serve.as_std().get_args());
    command.args(["--acme", NOWHERE]).stdin(Stdio::null()).kill_on_drop(true);
    // The first connection starts the server.
    let connects = until("systemd listens", async || TcpStream::connect(here.https).await.is_ok());
    let (server, _) = tokio::join!(Server::start(command), connects);
    let mut open = here.connect(&authority.root()).await.expect("it serves the first socket");
    assert!(ask(&mut open).await.starts_with("HTTP/1.1 200 OK\r\n"));
    let said = here.plain("GET /rules HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(said.contains(&format!("https://{DOMAIN}/rules\r\n")), "{said}");
    server.stop().await;
}
