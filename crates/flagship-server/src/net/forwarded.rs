//! Limits on requests forwarded by listed proxies. Connection limits do not apply to a proxy, so
//! each of its requests counts toward the client's network, from the request head to the last byte
//! of the response.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use prometheus_client::metrics::counter::Counter;

use super::connection::ConnectionState;
use super::permits::SitePermits;

/// Returns the network of the client that a proxy forwards a request for; `None` if it is exempt.
pub type Client = Box<dyn Fn(&HeaderMap, IpAddr) -> Option<IpAddr> + Send + Sync>;

/// Limits on requests forwarded by proxies.
pub struct ForwardLimits {
    /// True for the address of a listed proxy.
    pub is_proxy: Box<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Finds the network a request counts toward.
    pub client: Client,
    /// Limits the requests in progress.
    pub permits: SitePermits,
    /// Number of rejected requests.
    pub rejected: Counter,
}

impl ForwardLimits {
    /// Acquires the permit for a request, which the connection holds until the response is written.
    /// Returns false if the client's network has none left.
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
