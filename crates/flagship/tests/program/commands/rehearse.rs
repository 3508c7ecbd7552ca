//! `flagship rehearse`: simulated players on a temporary copy, or on a running site.

use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Duration;

use flagship_testkit::{Engine, on_both_engines};
use sqlx::Connection;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::event::EventFolder;
use crate::process::{Done, Server, TestSite, program, run, run_within};
use crate::until;

/// Maximum duration of the shortest rehearsal on a busy machine.
const REHEARSAL_MAX: Duration = Duration::from_secs(90);
/// Maximum time until an interrupted rehearsal ends.
const INTERRUPTED_MAX: Duration = Duration::from_secs(5);
/// Enough teams that some submit a correct flag within seconds.
const CROWD: [&str; 6] = ["--teams", "120", "--spectators", "20", "--minutes", "0.1"];

/// Asserts that the figures are complete, and that all reported problems are about the machine's
/// speed.
#[track_caller]
fn assert_played(done: &Done) {
    let lines: Vec<&str> = done.out.lines().collect();
    let solved = lines.iter().find_map(|line| line.strip_suffix(" solves acknowledged, 0 lost"));
    assert!(solved.is_some_and(|count| count.parse::<u32>().unwrap() > 0), "{done:?}");
    let measured =
        ["page load", "scoreboard on live channel", "incorrect flag", "solve to live update"];
    for what in measured {
        assert!(lines.iter().any(|line| line.starts_with(what)), "{what} {done:?}");
    }
    let problems = lines.iter().filter(|line| line.starts_with("problem: ")).collect::<Vec<_>>();
    let is_speed = |line: &&&str| line.contains(", limit ") || line.contains("% busy");
    assert!(problems.iter().all(is_speed), "{done:?}");
    let (code, word) = if problems.is_empty() { (0, "GO") } else { (1, "NO-GO") };
    assert_eq!((done.code, lines.last().copied()), (Some(code), Some(word)), "{done:?}");
}

/// Folders and databases that a rehearsal created and did not remove.
async fn left_behind(site: &TestSite) -> Vec<String> {
    if let Some(url) = &site.test.url {
        let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
        let sql = "select datname from pg_database where datname like 'flagship_rehearsal_%'";
        return sqlx::query_scalar(sql).fetch_all(&mut conn).await.unwrap();
    }
    let names = std::fs::read_dir(site.data()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.contains("rehearsal")).collect()
}

on_both_engines! {
    async fn a_rehearsal_plays_a_copy_and_removes_it(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let before = std::fs::read_dir(site.data()).unwrap().count();
        let mut command = site.command(&["rehearse", "--event", event.dir()]);
        command.args(CROWD);
        assert_played(&run_within(REHEARSAL_MAX, command).await);

        // An interrupted rehearsal also removes its copy.
        let mut command = site.command(&["rehearse", "--event", event.dir()]);
        command.args(CROWD).stdout(Stdio::null()).stderr(Stdio::null());
        let mut broken = command.spawn().unwrap();
        until("the copy is made", async || !left_behind(&site).await.is_empty()).await;
        let id = broken.id().unwrap().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert_eq!(broken.wait().await.unwrap().code(), Some(1));

        // The interruption also works during the slow creation of the teams.
        let mut command = site.command(&["rehearse", "--event", event.dir()]);
        command.args(["--teams", "40000"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut broken = command.spawn().unwrap();
        until("the copy is made", async || !left_behind(&site).await.is_empty()).await;
        let id = broken.id().unwrap().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let ended = tokio::time::timeout(INTERRUPTED_MAX, broken.wait()).await;
        assert_eq!(ended.expect("it ends soon").unwrap().code(), Some(1));

        until("nothing is left", async || left_behind(&site).await.is_empty()).await;
        assert_eq!(std::fs::read_dir(site.data()).unwrap().count(), before);
    }
}

#[tokio::test]
async fn teams_of_a_rehearsal_find_each_flag_of_a_challenge_that_needs_several() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    // The only challenge at the start, so that each solve has found all of its flags.
    let text = "name: Challenge one\nid: one\ncategory: misc\ndescription: What?\ntype: standard\n\
                value: 100\nlogic: all\nattempts: 9\nflags: [\"flag{a}\", \"flag{b}\",\n  \
                {type: decoy, content: \"flag{c}\"}]\n";
    event.write("challenges/one/challenge.yml", text);
    event.challenge("three", "type: standard\nvalue: 10\nstate: hidden");
    let mut command = site.command(&["rehearse", "--event", event.dir()]);
    // Enough submissions that some teams submit two correct flags.
    command.args(["--teams", "600", "--spectators", "20", "--minutes", "0.3"]);
    assert_played(&run_within(REHEARSAL_MAX, command).await);
}

#[tokio::test]
async fn a_rehearsal_can_be_interrupted_while_teams_are_created() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let mut command = site.command(&["rehearse", "--event", event.dir(), "--teams", "60000"]);
    let making = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until("the copy is made", async || !left_behind(&site).await.is_empty()).await;
    let id = making.id().unwrap().to_string();
    std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(3), making.wait_with_output()).await;
    let done = ended.expect("it ends").unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{err}");
    assert!(err.contains("was interrupted; temporary data was removed"), "{err}");
    assert!(left_behind(&site).await.is_empty(), "nothing is left");
}

#[tokio::test]
async fn a_rehearsal_without_teams_is_a_no_go() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let mut command = program(&["rehearse", "--against", &server.url, "--minutes", "0.1"]);
    command.args(["--spectators", "1", "--teams", "9"]);
    let done = run_within(REHEARSAL_MAX, command).await;
    done.fails("no-go");
    assert!(done.out.contains("problem: no team played: pass the team tokens"), "{done:?}");
    assert!(done.out.starts_with("0 teams, 1 spectator, 0.1 minutes\n"), "{done:?}");
    server.stop().await;
}

/// A TLS proxy in front of an event, with a self-signed certificate.
struct Encrypted {
    url: String,
    folder: TempDir,
    _nginx: Child,
}

impl Encrypted {
    async fn before(server: &Server) -> Self {
        let folder = TempDir::new().unwrap();
        let mut openssl = std::process::Command::new("openssl");
        openssl.args(["req", "-x509", "-days", "2", "-subj", "/CN=The Event", "-newkey", "ec"]);
        openssl.args(["-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-keyout", "key.pem"]);
        openssl.args(["-addext", "subjectAltName=IP:127.0.0.1"]);
        openssl.args(["-addext", "basicConstraints=critical,CA:FALSE", "-out", "own.pem"]);
        let made = openssl.current_dir(folder.path()).output().expect("openssl is there");
        assert!(made.status.success(), "{made:?}");
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let (inside, at) = (server.url.as_str(), folder.path().display());
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary = temporary.map(|it| format!("{it}_temp_path {at}/{it};\n")).concat();
        let conf = format!(
            "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log stderr warn;\n\
             events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{temporary}\
             map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}\n\
             server {{\nlisten {address} ssl;\nssl_certificate {at}/own.pem;\n\
             ssl_certificate_key {at}/key.pem;\nlocation / {{\nproxy_pass {inside};\n\
             proxy_http_version 1.1;\nproxy_set_header Upgrade $http_upgrade;\n\
             proxy_set_header Connection $connection_upgrade;\n}}\n}}\n}}\n"
        );
        std::fs::write(folder.path().join("nginx.conf"), conf).unwrap();
        let mut nginx = Command::new("/usr/sbin/nginx");
        nginx.arg("-p").arg(folder.path()).arg("-c").arg(folder.path().join("nginx.conf"));
        let nginx = nginx.stdin(Stdio::null()).kill_on_drop(true).spawn();
        let nginx = nginx.expect("nginx is there: apt-get install nginx-light");
        until("nginx listens", async || TcpStream::connect(address).is_ok()).await;
        Self { url: format!("https://{address}"), folder, _nginx: nginx }
    }
}

#[tokio::test]
async fn a_running_site_can_be_rehearsed() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let file = event.file("event.toml");
    let toml = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, toml + "trusted_networks = [\"127.0.0.0/8\"]\n").unwrap();
    let server = site.serve(&event).await;
    site.import(120).await;
    let outside = Encrypted::before(&server).await;
    let mut command = program(&["rehearse", "--event", event.dir(), "--against", &outside.url]);
    command.arg("--tokens").arg(site.file("tokens.csv")).args(CROWD);
    command.env("SSL_CERT_FILE", outside.folder.path().join("own.pem"));
    assert_played(&run_within(REHEARSAL_MAX, command).await);
    server.stop().await;
}

#[tokio::test]
async fn an_event_that_cannot_be_rehearsed_fails_at_once() {
    let event = EventFolder::new();
    run(program(&["rehearse"])).await.is_wrong_usage();
    for minutes in ["0", "-1", "inf", "soon"] {
        let words = ["rehearse", "--event", event.dir(), "--minutes", minutes];
        run(program(&words)).await.is_wrong_usage();
    }
    event.write("challenges/one/challenge.yml", "name: [");
    run(program(&["rehearse", "--event", event.dir()])).await.fails("flagship check");
}
