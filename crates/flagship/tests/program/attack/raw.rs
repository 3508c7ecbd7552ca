//! A client that sends arbitrary bytes from any loopback address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Timeout of a response.
const ANSWER_MAX: Duration = Duration::from_secs(20);

/// A loopback address for a client; the server treats each number as a separate network.
pub fn stranger(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, number)
}

/// Connects from an address of this machine.
pub async fn connect(address: &str, from: Ipv4Addr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(IpAddr::V4(from), 0)).unwrap();
    socket.connect(address.parse().unwrap()).await.expect("the server listens")
}

/// Connects with the smallest possible receive buffer.
pub async fn connect_small(address: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(2048).unwrap();
    socket.connect(address.parse().unwrap()).await.expect("the server listens")
}

/// The bytes that were received, and whether the connection was closed.
#[derive(Debug)]
pub struct Got {
    pub text: String,
    /// True if the server closed the connection.
    pub is_closed: bool,
}

impl Got {
    /// The statuses of all responses.
    pub fn statuses(&self) -> Vec<u16> {
        let heads = self.text.split("HTTP/1.1 ").skip(1);
        heads.map(|head| head[..3].parse().unwrap()).collect()
    }

    /// A header of the first response.
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body of the last response.
    pub fn body(&self) -> &str {
        self.text.rsplit("\r\n\r\n").next().unwrap_or_default()
    }
}

/// Sends bytes and reads until the server closes the connection or is silent after a response.
pub async fn ask(address: &str, from: Ipv4Addr, bytes: &[u8]) -> Got {
    let mut stream = connect(address, from).await;
    // The server may refuse the request before reading all of it; the response is still readable.
    stream.write_all(bytes).await.ok();
    read(&mut stream).await
}

/// Reads until the server closes the connection or is silent after a response.
pub async fn read(stream: &mut TcpStream) -> Got {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let wait = if bytes.is_empty() { ANSWER_MAX } else { Duration::from_millis(300) };
        let read = tokio::time::timeout(wait, stream.read(&mut buffer)).await;
        let is_closed = match read {
            Ok(Ok(0) | Err(_)) => true,
            Ok(Ok(n)) => {
                bytes.extend_from_slice(&buffer[..n]);
                continue;
            }
            Err(_) => false,
        };
        return Got { text: String::from_utf8_lossy(&bytes).into_owned(), is_closed };
    }
}

/// Waits until the server closes an idle connection; returns the time it took.
pub async fn closed(stream: &mut TcpStream, max: Duration) -> Option<Duration> {
    let start = tokio::time::Instant::now();
    let mut buffer = vec![0; 64 * 1024];
    let closing = async { while matches!(stream.read(&mut buffer).await, Ok(n) if n > 0) {} };
    tokio::time::timeout(max, closing).await.ok().map(|()| start.elapsed())
}
