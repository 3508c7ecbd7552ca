//! A connection that returns responses as raw bytes.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::{TestApp, WAIT_MAX};

/// An open connection.
pub struct Raw {
    stream: TcpStream,
    host: String,
}

impl Raw {
    /// Connects to a server.
    ///
    /// # Panics
    /// If the server does not listen.
    pub async fn open(app: &TestApp) -> Self {
        let host = app.url.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).await.expect("the server listens");
        Self { stream, host }
    }

    /// Sends a request without a body; returns the bytes of the response, with the value of `Date`
    /// blanked out.
    ///
    /// # Panics
    /// If there is no complete response in time.
    pub async fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
        let lines = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let lines: String = lines.collect();
        let request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n{lines}\r\n", self.host);
        self.stream.write_all(request.as_bytes()).await.expect("the connection is open");
        let answer = timeout(WAIT_MAX, self.answer(method == "HEAD")).await;
        let mut answer = answer.expect("the answer comes in time");
        without_date(&mut answer);
        answer
    }

    async fn answer(&mut self, is_head: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            if let Some(head) = find(&bytes, b"\r\n\r\n").map(|at| at + 4)
                && is_whole(&bytes, head, is_head)
            {
                return bytes;
            }
            let read = self.stream.read_buf(&mut bytes).await.expect("the answer is read");
            assert!(read > 0, "the answer is whole: {}", bytes.escape_ascii());
        }
    }
}

fn is_whole(bytes: &[u8], head: usize, is_head: bool) -> bool {
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    if is_head || text.starts_with("http/1.1 304") {
        return true;
    }
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    match length.map(|length| length.trim().parse::<usize>().expect("a length")) {
        Some(length) => bytes.len() >= head + length,
        None => bytes.ends_with(b"0\r\n\r\n"),
    }
}

fn find(bytes: &[u8], piece: &[u8]) -> Option<usize> {
    bytes.windows(piece.len()).position(|window| window == piece)
}

fn without_date(answer: &mut [u8]) {
    const NAME: &[u8] = b"\r\ndate: ";
    let at = find(answer, NAME).expect("every answer has a date") + NAME.len();
    let length = find(&answer[at..], b"\r\n").expect("a header has an end");
    answer[at..at + length].fill(b'-');
}
