//! Request smuggling and invalid HTTP: the server reads each request in exactly one way or refuses
//! it with JSON, and closes the connection after an ambiguous one.

use flagship_testkit::Engine;

use super::raw::{ask, stranger};
use crate::event::EventFolder;
use crate::process::TestSite;

const BODY: &str = r#"{"challengeId":"one","flag":"x"}"#;

/// The expected result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Comes {
    /// The server refuses with this status and closes the connection.
    Refused(u16),
    /// The server reads one request; the connection may stay open.
    Once(u16),
    /// The server reads one request and closes the connection, as the standard requires.
    Last(u16),
    /// The server sends this number of responses.
    Each(usize),
    /// The server closes the connection without a response.
    Nothing,
}

use Comes::{Each, Last, Nothing, Once, Refused};

/// A submission with these header lines and this body. Without a token a valid one gets 401.
fn post(lines: &str, body: &str) -> Vec<u8> {
    let start = "POST /api/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    format!("{start}{lines}\r\n{body}").into_bytes()
}

fn chunked(body: &str) -> String {
    format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len())
}

fn get(path: &str, lines: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\n{lines}\r\n").into_bytes()
}

fn lengths() -> Vec<(&'static str, Vec<u8>, Comes)> {
    let n = BODY.len();
    let coded = chunked(BODY);
    let te = "Transfer-Encoding: chunked\r\n";
    let length = format!("Content-Length: {n}\r\n");
    vec![
        ("a length and a coding", post(&format!("Content-Length: 4\r\n{te}"), &coded), Last(401)),
        ("a coding and a length", post(&format!("{te}Content-Length: 4\r\n"), &coded), Last(401)),
        ("two lengths", post(&format!("{length}Content-Length: 3\r\n"), BODY), Refused(400)),
        ("a list of lengths", post(&format!("Content-Length: {n}, {n}\r\n"), BODY), Refused(400)),
        ("a signed length", post(&format!("Content-Length: +{n}\r\n"), BODY), Refused(400)),
        ("a negative length", post("Content-Length: -1\r\n", BODY), Refused(400)),
        ("a length in hex", post("Content-Length: 0x10\r\n", BODY), Refused(400)),
        (
            "too long a length",
            post(&format!("Content-Length: {}\r\n", "9".repeat(30)), BODY),
            Refused(400),
        ),
        ("no coding", post("Transfer-Encoding: identity\r\n", BODY), Refused(400)),
        ("an unknown coding", post("Transfer-Encoding: xchunked\r\n", &coded), Refused(400)),
        (
            "chunked not last",
            post("Transfer-Encoding: chunked, identity\r\n", &coded),
            Refused(400),
        ),
        ("packed and chunked", post("Transfer-Encoding: gzip, chunked\r\n", &coded), Refused(400)),
        ("chunked twice", post(&format!("{te}{te}"), &coded), Refused(400)),
        ("a space before the colon", post("Transfer-Encoding : chunked\r\n", &coded), Refused(400)),
        ("a vertical tab", post("Transfer-Encoding: \x0bchunked\r\n", &coded), Refused(400)),
        ("a folded coding", post("Transfer-Encoding:\r\n chunked\r\n", &coded), Refused(400)),
        ("an extension", post(te, &format!("{n:x};a=b\r\n{BODY}\r\n0\r\n\r\n")), Once(401)),
        (
            "a long extension",
            post(te, &format!("{n:x};{}\r\n{BODY}", "a".repeat(100_000))),
            Refused(400),
        ),
        (
            "a line end in an extension",
            post(te, &format!("{n:x};a\nb\r\n{BODY}\r\n0\r\n\r\n")),
            Refused(400),
        ),
        ("bare line ends in chunks", post(te, &format!("{n:x}\n{BODY}\n0\n\n")), Refused(400)),
        ("a negative chunk", post(te, "-1\r\n"), Refused(400)),
        ("a chunk in 0x", post(te, &format!("0x{n:x}\r\n{BODY}\r\n0\r\n\r\n")), Refused(400)),
        ("too large a chunk", post(te, &format!("1ffffffffffffffff\r\n{BODY}")), Refused(400)),
        (
            "many trailers",
            post(te, &format!("{n:x}\r\n{BODY}\r\n0\r\n{}", "X: y\r\n".repeat(9000))),
            Refused(400),
        ),
    ]
}

fn heads() -> Vec<(&'static str, Vec<u8>, Comes)> {
    let old = |text: &str| text.as_bytes().to_vec();
    let many = |count: usize| (0..count).map(|i| format!("X{i}: a\r\n")).collect::<String>();
    vec![
        ("a folded header", get("/api/ctf", "X-A: b\r\n c\r\n"), Refused(400)),
        ("a bare carriage return", get("/api/ctf", "X-A: b\rX-B: c\r\n"), Refused(400)),
        ("a null in a name", get("/api/ctf", "X\0A: b\r\n"), Refused(400)),
        ("a null in a value", get("/api/ctf", "XA: b\0c\r\n"), Refused(400)),
        ("a null in a path", get("/api/\0ctf", ""), Refused(400)),
        ("a space in a path", get("/api/c tf", ""), Refused(400)),
        ("two hosts", get("/api/ctf", "Host: y\r\n"), Refused(400)),
        ("no version", old("GET /api/ctf\r\n\r\n"), Refused(400)),
        ("an unknown version", old("GET /api/ctf HTTP/1.2\r\nHost: x\r\n\r\n"), Refused(400)),
        ("HTTP/2 in words", old("GET /api/ctf HTTP/2.0\r\nHost: x\r\n\r\n"), Refused(400)),
        ("HTTP/2", old("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"), Nothing),
        ("a broken method", old("G@T /api/ctf HTTP/1.1\r\nHost: x\r\n\r\n"), Refused(400)),
        ("TLS", [&b"\x16\x03\x01\0\xf4\x01\0\0\xf0\x03\x03"[..], &[1; 240]].concat(), Refused(400)),
        ("garbage", [&[0, 255].repeat(500)[..], b"\r\n\r\n"].concat(), Refused(400)),
        ("a huge head", get("/api/ctf", &format!("X: {}\r\n", "a".repeat(600_000))), Refused(431)),
        ("a huge address", get(&format!("/api/ctf?{}", "a".repeat(70_000)), ""), Refused(431)),
        ("too many headers", get("/api/ctf", &many(200)), Refused(431)),
        ("many headers", get("/api/ctf", &many(90)), Once(200)),
        ("an absolute address", get("http://elsewhere.example/api/ctf", ""), Once(200)),
        ("bare line ends", old("GET /api/ctf HTTP/1.1\nHost: x\n\n"), Once(200)),
        ("blank lines before", [b"\r\n".repeat(100), get("/api/ctf", "")].concat(), Once(200)),
        ("another protocol", get("/api/ctf", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), Once(200)),
        ("a tunnel", old("CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n"), Once(405)),
        (
            "a request in a body",
            get("/api/ctf", "Content-Length: 36\r\n\r\nGET /api/rules HTTP/1.1\r\nHost: x\r\n\r\n"),
            Once(200),
        ),
        ("three in a row", get("/api/ctf", "").repeat(3), Each(3)),
        ("garbage after one", [get("/api/ctf", ""), b"GARBAGE\r\n\r\n".to_vec()].concat(), Each(2)),
        ("a dance of dots", get("/api/../../etc/passwd", ""), Once(404)),
        ("hidden dots", get("/api/%2e%2e/%2e%2e/etc/passwd", ""), Once(404)),
    ]
}

#[tokio::test]
async fn smuggled_or_invalid_requests_are_refused_or_read_once() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let server = site.serve(&event).await;
    let cases: Vec<_> = lengths().into_iter().chain(heads()).collect();
    let total = cases.len();
    for (what, bytes, comes) in cases {
        let got = ask(server.address(), stranger(1), &bytes).await;
        let statuses = got.statuses();
        let start: String = got.text.chars().take(300).collect();
        let said = format!("{what}: {statuses:?} {start}");
        match comes {
            Refused(status) => assert!(statuses == [status] && got.is_closed, "{said}"),
            Once(status) => assert!(statuses == [status], "{said}"),
            Last(status) => assert!(statuses == [status] && got.is_closed, "{said}"),
            Each(count) => assert!(statuses.len() == count, "{said}"),
            Nothing => assert!(got.text.is_empty() && got.is_closed, "{said}"),
        }
        if comes == Nothing {
            continue;
        }
        assert!(statuses.iter().all(|status| *status < 500), "{said}");
        assert_eq!(got.header("content-type"), Some("application/json"), "{said}");
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"), "{said}");
        let policy = got.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'"), "{said}");
        let body: serde_json::Value = serde_json::from_str(got.body()).expect(&said);
        assert!(body["message"].is_string() || body["name"].is_string(), "{said}");
    }
    println!("figures: {total} shapes: each refused or read once, none with a 5xx");
    server.stop().await;
}
