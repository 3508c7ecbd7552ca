//! The load: what plays, watches and measures over real connections. `flagship rehearse` and the
//! benchmarks are made of it; what is played, and what is judged, is theirs. It knows the program
//! by its address alone.

mod http;
mod live;
mod part;
mod send;
mod site;
mod times;

pub use http::{
    Answer, Ask, BROWSER_TAKES, Connection, expect, get, is_unsent, plain, post, solve,
};
pub use live::{Frame, Watch};
pub use part::Part;
pub use send::{flood, pace};
pub use site::{Duplex, Site, Stream, loopback};
pub use times::Times;
