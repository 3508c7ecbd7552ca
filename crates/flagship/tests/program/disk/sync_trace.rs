//! Each solve is synced to disk before it is acknowledged. The tests check this in a trace of the
//! program's system calls.

use std::collections::BTreeMap;
use std::path::Path;

use flagship_control::control;
use flagship_testkit::Engine;
use tokio::process::Command;

use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

/// Number of solves. Each is of another challenge, whose ID identifies the solve in the trace.
const SOLVES: usize = 48;
/// Teams that submit concurrently.
const TEAMS: usize = 8;
const CALLS: &str =
    "trace=read,recvfrom,readv,recvmsg,write,writev,sendto,sendmsg,pwrite64,fdatasync,fsync";

/// A system call, with the lines of the trace on which it begins and ends.
#[derive(Clone, Debug)]
struct Call {
    begin: usize,
    end: usize,
    name: String,
    /// The file as in the trace: `11</path>`, `15<socket:[99]>`.
    file: String,
    text: String,
}

impl Call {
    fn is_on_wal(&self) -> bool {
        self.file.contains("flagship.db-wal>")
    }

    fn is_sync(&self) -> bool {
        self.is_on_wal()
            && ["fdatasync", "fsync"].contains(&self.name.as_str())
            && self.text.trim_end().ends_with("= 0")
    }

    fn is_flag(&self) -> bool {
        let reads = ["read", "recvfrom", "readv", "recvmsg"];
        self.file.contains("<socket:")
            && reads.contains(&self.name.as_str())
            && self.text.contains("only-")
    }

    fn is_answer(&self) -> bool {
        let writes = ["write", "writev", "sendto", "sendmsg"];
        self.file.contains("<socket:")
            && writes.contains(&self.name.as_str())
            && self.text.contains(r#"{\"correct\":true}"#)
    }
}

/// The calls of a trace by `strace -f -y`, in the order in which they began.
fn parse(trace: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut open = BTreeMap::<String, usize>::new();
    for (number, line) in trace.lines().enumerate() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let rest = rest.trim_start();
        if rest.starts_with("<... ") {
            if let Some(index) = open.remove(thread) {
                let call: &mut Call = &mut calls[index];
                call.end = number;
                call.text.push_str(rest);
            }
            continue;
        }
        let Some((name, arguments)) = rest.split_once('(') else { continue };
        let file = arguments.split_inclusive('>').next().unwrap_or_default().to_owned();
        let text = arguments.to_owned();
        if arguments.ends_with("<unfinished ...>") {
            open.insert(thread.to_owned(), calls.len());
        }
        let end = if arguments.ends_with("<unfinished ...>") { usize::MAX } else { number };
        calls.push(Call { begin: number, end, name: name.to_owned(), file, text });
    }
    calls
}

/// The number of acknowledgements, and the solves that were acknowledged before their sync.
fn check(calls: &[Call]) -> (usize, Vec<String>) {
    let mut answers = 0;
    let mut early = Vec::new();
    for answer in calls.iter().filter(|call| call.is_answer()) {
        answers += 1;
        let before = calls.iter().filter(|call| call.end < answer.begin);
        let mut asked = before.clone().filter(|call| call.is_flag() && call.file == answer.file);
        let asked = asked.next_back().expect("an answer follows a request");
        let at = asked.text.find("only-").expect("the request names the challenge");
        let id = &asked.text[at..at + "only-000".len()];
        // Finds the first write of the solve to the WAL after its request.
        let mut later = before.filter(|call| call.begin > asked.end);
        let is_its = |call: &&Call| call.is_on_wal() && call.text.contains(id);
        let written = later.find(|call| call.name == "pwrite64" && is_its(call));
        // The iterator continues after the write.
        let synced = later.find(|call| call.is_sync());
        match (written, synced) {
            (Some(written), Some(synced)) if synced.begin > written.end => {}
            _ => early.push(format!("{id}: written {written:?}, synced {synced:?}")),
        }
    }
    (answers, early)
}

async fn traced(site: &TestSite, event: &EventFolder, trace: &Path) -> Server {
    let plain = site.command(&["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"]);
    let plain = plain.as_std();
    let mut strace = Command::new("strace");
    // With -D the program remains the child of the test, which stops it as usual.
    strace.args(["-D", "-f", "-y", "-qq", "-s", "5000", "-e", "signal=none", "-e", CALLS, "-o"]);
    strace.arg(trace).arg(plain.get_program()).args(plain.get_args()).kill_on_drop(true);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => strace.env(name, value),
            None => strace.env_remove(name),
        };
    }
    Server::start(strace).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledgement_follows_the_sync_of_its_write() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    for i in 0..SOLVES {
        event.challenge(&format!("only-{i:03}"), "type: standard\nvalue: 1");
    }
    site.apply(&event).await.ok();
    let tokens = site.import(TEAMS).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let server = traced(&site, &event, &file).await;
    let mut sent = tokio::task::JoinSet::new();
    for (i, token) in tokens.iter().enumerate() {
        let team = server.team(token).await;
        sent.spawn(async move {
            for number in (i..SOLVES).step_by(TEAMS) {
                team.solves(&format!("only-{number:03}")).await;
            }
        });
    }
    sent.join_all().await;
    server.stop().await;
    let mut trace = String::new();
    until("the trace is whole", async || {
        // The trace escapes non-printable bytes.
        let before = std::mem::replace(&mut trace, std::fs::read_to_string(&file).unwrap());
        before == trace && check(&parse(&trace)).0 >= SOLVES
    })
    .await;
    let mut calls = parse(&trace);
    let words = "answered before the sync";
    if control("every_acknowledgement_follows_the_sync_of_its_write", words) {
        let first_answer = calls.iter().position(Call::is_answer).unwrap();
        let its_sync = calls[..first_answer].iter().rposition(Call::is_sync).unwrap();
        calls.remove(its_sync);
    }
    let (answers, early) = check(&calls);
    let syncs = calls.iter().filter(|call| call.is_sync()).count();
    eprintln!("figures: {answers} answers, {syncs} syncs, {} early", early.len());
    assert_eq!(answers, SOLVES);
    assert!(early.is_empty(), "answered before the sync: {early:#?}");
    assert!(syncs >= SOLVES / TEAMS, "some responses share a sync, but not all");

    // The check can fail: it does without the last sync before an acknowledgement, and without any
    // sync.
    let first_answer = calls.iter().position(Call::is_answer).unwrap();
    let its_sync = calls[..first_answer].iter().rposition(Call::is_sync).unwrap();
    let mut one_less = calls.clone();
    one_less.remove(its_sync);
    assert!(!check(&one_less).1.is_empty());
    let none: Vec<Call> = calls.into_iter().filter(|call| !call.is_sync()).collect();
    assert_eq!(check(&none).1.len(), SOLVES);
}
