//! Client addresses: the client a request comes from, and the networks that count as one client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use http::HeaderMap;

/// Prefix length of an IPv6 network assigned to one customer.
const SITE_BITS: u32 = 48;
/// Prefix length of an IPv6 network that counts as one client.
const NETWORK_BITS: u32 = 64;

/// The network that a request comes from: an IPv4 address or an IPv6 /64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork {
    /// The address, with the last 64 bits of IPv6 cleared.
    pub network: IpAddr,
    /// The trusted network that contains it, if one does.
    pub trusted: Option<TrustedNetwork>,
}

/// A network that the organizers trust: its first address and its prefix length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrustedNetwork(pub IpAddr, pub u8);

/// The unit that gets one share of a resource used by all clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareKey {
    /// An IPv4 address or an IPv6 /48.
    Site(IpAddr),
    Trusted(TrustedNetwork),
}

impl ClientNetwork {
    /// Returns the network of the client that `peer` acts for. Only trusted proxies may name
    /// another client, in `X-Forwarded-For`.
    pub fn of_request(
        headers: &HeaderMap,
        peer: IpAddr,
        is_proxy: impl Fn(IpAddr) -> bool,
        trusted: impl FnOnce(IpAddr) -> Option<TrustedNetwork>,
    ) -> Self {
        let client = client_address(headers, peer.to_canonical(), is_proxy);
        Self { network: network_of(client), trusted: trusted(client) }
    }

    pub fn is_trusted(&self) -> bool {
        self.trusted.is_some()
    }

    /// Returns the unit this network belongs to when a resource is shared among all clients.
    pub fn share_key(&self) -> ShareKey {
        self.trusted.map_or_else(|| ShareKey::Site(site_of(self.network)), ShareKey::Trusted)
    }

    /// Returns the network to count for connection limits; `None` if it is exempt.
    pub fn holder(&self) -> Option<IpAddr> {
        (!self.is_trusted() && !is_loopback(self.network)).then_some(self.network)
    }
}

/// True for the loopback network: a proxy or a user on this machine.
pub fn is_loopback(network: IpAddr) -> bool {
    network == IpAddr::V4(Ipv4Addr::LOCALHOST) || network == network_of(Ipv6Addr::LOCALHOST.into())
}

/// Returns the client's address: the last forwarded address that is not a trusted proxy.
fn client_address(headers: &HeaderMap, peer: IpAddr, is_proxy: impl Fn(IpAddr) -> bool) -> IpAddr {
    let mut client = peer;
    let values = headers.get_all("x-forwarded-for").iter().rev();
    for hop in values.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
        if !is_proxy(client) {
            break;
        }
        // An unreadable entry ends the list: no trusted proxy vouches for the entries before it.
        let Some(address) = hop_address(hop) else { break };
        client = address.to_canonical();
    }
    client
}

/// Parses one forwarded address. Some proxies include the port.
fn hop_address(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    hop.parse().ok().or_else(|| hop.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

/// Returns the network with this prefix length that contains an IPv6 address. IPv4 addresses are
/// returned unchanged.
pub fn containing_network(network: IpAddr, bits: u32) -> IpAddr {
    match network {
        IpAddr::V4(_) => network,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << (128 - bits))).into(),
    }
}

/// Returns the network of one customer: an IPv4 address or an IPv6 /48.
pub fn site_of(network: IpAddr) -> IpAddr {
    containing_network(network, SITE_BITS)
}

/// Returns the network of one client: an IPv4 address or an IPv6 /64.
pub fn network_of(address: IpAddr) -> IpAddr {
    containing_network(address, NETWORK_BITS)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn seen(forwarded: &[&'static str]) -> IpAddr {
        let values = forwarded.iter().map(|value| value.as_bytes());
        seen_bytes(&values.collect::<Vec<_>>())
    }

    fn seen_bytes(forwarded: &[&[u8]]) -> IpAddr {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_bytes(value).expect("a header"));
        }
        let proxy: IpAddr = "10.0.0.1".parse().expect("an address");
        client_address(&headers, proxy, |ip| ip == proxy)
    }

    #[test]
    fn only_addresses_from_trusted_proxies_are_believed() {
        let of = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert_eq!(seen(&[]), of("10.0.0.1"));
        assert_eq!(seen(&["1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen(&["6.6.6.6, 1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen(&["6.6.6.6", "1.2.3.4, 10.0.0.1"]), of("1.2.3.4"));
        assert_eq!(seen(&["1.2.3.4, nonsense"]), of("10.0.0.1"));
        assert_eq!(seen(&["6.6.6.6, nonsense, 1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen(&["1.2.3.4:5678"]), of("1.2.3.4"));
        assert_eq!(seen(&["[2001:db8::1]:443"]), of("2001:db8::1"));
        assert_eq!(seen(&["::ffff:1.2.3.4"]), of("1.2.3.4"));
        for empty in ["", ",", " , ", "unknown", "_hidden", "1.2.3.4.5", "0x1020304"] {
            assert_eq!(seen(&["6.6.6.6", empty]), of("10.0.0.1"), "{empty}");
        }
        // An unreadable header does not fall back to the one before it, which the client controls.
        assert_eq!(seen_bytes(&[b"6.6.6.6", b"\xff, 1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen_bytes(&[b"6.6.6.6", b"1.2.3.4, \xff"]), of("10.0.0.1"));
        let stranger = of("9.9.9.9");
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.2.3.4".parse().expect("a header"));
        assert_eq!(client_address(&headers, stranger, |_| false), stranger);
    }

    #[test]
    fn a_trusted_network_has_its_own_share() {
        let of = |text: &str| text.parse::<IpAddr>().expect("an address");
        let campus = TrustedNetwork(of("2001:db8:1::"), 64);
        let house = TrustedNetwork(of("10.0.0.0"), 16);
        let trusted = |client: IpAddr| match client {
            IpAddr::V6(_) => (network_of(client) == campus.0).then_some(campus),
            IpAddr::V4(v4) => (v4.octets()[..2] == [10, 0]).then_some(house),
        };
        let sharer = |text: &str| {
            ClientNetwork::of_request(&HeaderMap::new(), of(text), |_| false, trusted).share_key()
        };
        assert_eq!(sharer("2001:db8:1::7"), sharer("2001:db8:1::8"));
        assert_ne!(sharer("2001:db8:1::7"), sharer("2001:db8:1:1::7"), "of the same /48");
        assert_eq!(sharer("10.0.0.1"), sharer("10.0.9.9"));
        assert_ne!(sharer("10.0.0.1"), sharer("10.1.0.1"));
    }

    #[test]
    fn ipv6_clients_count_by_their_64_bits() {
        let of = |text: &str| network_of(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
    }
}
