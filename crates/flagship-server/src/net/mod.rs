//! Bytes and protocols: connections, HTTP/1.1, WebSockets, compression, addresses and permits.
//! Nothing here knows the contest, and nothing imports from `node` or `api`.

pub mod address;
pub mod body;
pub mod connection;
pub mod deflate;
pub mod forwarded;
pub mod lists;
pub mod message_limiter;
pub mod permits;
pub mod serve;
pub mod shared_work;
pub mod shutdown;
pub mod socket;
pub mod tls;
