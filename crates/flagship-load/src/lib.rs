//! Load generation over real connections: HTTP requests, live channel clients, worker processes and
//! latency histograms. Used by `flagship rehearse` and the benchmarks, which decide what to send
//! and judge the results. This crate knows nothing about the server except its address.

mod http;
mod live;
mod send;
mod site;
mod times;
mod upload;
mod worker;

pub use http::{
    BROWSER_ENCODINGS, Connection, Request, Response, expect, get, is_unsent, plain, post, solve,
};
pub use live::{Frame, Watch};
pub use send::{flood, pace};
pub use site::{Duplex, Site, Stream, loopback};
pub use times::Times;
pub use upload::upload_part;
pub use worker::Worker;
