//! How long the program takes from its start to its first answer, with the example event on
//! SQLite. Prints figures and judges nothing: `cargo bench -p flagship --bench start`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 5;

fn main() {
    let event = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/beginner");
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let data = tempfile::tempdir().expect("a temporary folder");
        first.push(start(&event, data.path()));
        later.push(start(&event, data.path()));
    }
    print("first start, which makes the database and reads the event in", first);
    print("later start", later);
}

/// Starts the program, asks it one thing, and kills it; gives the time until the whole answer.
fn start(event: &Path, data: &Path) -> Duration {
    let begin = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_flagship"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--event"])
        .arg(event)
        .arg("--data")
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("it is piped");
    BufReader::new(out).read_line(&mut line).expect("the program speaks");
    let address = line.trim().rsplit('/').next().expect("the line ends with the address");
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream
        .write_all(b"GET /api/ctf HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let took = begin.elapsed();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    child.kill().expect("it runs");
    child.wait().expect("the child is ours");
    took
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{what}: {:.0} ms (median of {RUNS}; {:.0} to {:.0})",
        ms(times[RUNS / 2]),
        ms(times[0]),
        ms(times[RUNS - 1])
    );
}
