//! Limits the requests that listed proxies forward. The limits on connections do not apply to a
//! proxy, so each of its requests counts for the network of its client, from the request's head to
//! the last byte of its response.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use prometheus_client::metrics::counter::Counter;

use super::connection::ConnectionState;
use super::permits::SitePermits;

/// The network of the client that a proxy forwards a request for; `None` if it has no limit.
pub type Client = Box<dyn Fn(&HeaderMap, IpAddr) -> Option<IpAddr> + Send + Sync>;

/// The requests that proxies forward.
pub struct Forwarded {
    /// True for the address of a listed proxy.
    pub is_proxy: Box<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Whom a request counts for.
    pub client: Client,
    /// Limits the requests in progress.
    pub permits: SitePermits,
    /// Counts the requests beyond the limit.
    pub rejected: Counter,
}

impl Forwarded {
    /// Acquires the permit of a request, which the connection holds until the response is written;
    /// false if the client's network has none left.
    pub fn admit(&self, headers: &HeaderMap, proxy: SocketAddr, state: &ConnectionState) -> bool {
        let Some(network) = (self.client)(headers, proxy.ip()) else { return true };
        match self.permits.acquire(Some(network)) {
            Ok(permit) => {
                state.hold(permit);
                true
            }
            Err(_) => {
                self.rejected.inc();
                false
            }
        }
    }
}
