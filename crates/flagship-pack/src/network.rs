//! IP address ranges as written in `[limits]`: `10.0.0.0/8`, `2001:db8::/32` or a single address.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A network in CIDR notation: all addresses that share their first `prefix_bits` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    address: IpAddr,
    prefix_bits: u8,
}

/// Error returned when a text is not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The address or the prefix length is invalid.
    #[error("use `10.0.0.0/8`, `2001:db8::/32` or a single address")]
    Unreadable,
    /// The address has bits set beyond the prefix, so a different network was probably intended.
    #[error("the address has bits set beyond its prefix length")]
    StrayBits,
}

impl Network {
    /// Returns the first address and the prefix length.
    pub fn parts(&self) -> (IpAddr, u8) {
        (self.address, self.prefix_bits)
    }

    /// True if the network is too wide for proxies: an IPv4 network larger than a private one
    /// (`10.0.0.0/8`), or an IPv6 network larger than a provider's (`/32`), except the private
    /// `fc00::/7`.
    pub fn is_wide(&self) -> bool {
        match self.address {
            IpAddr::V4(_) => self.prefix_bits < 8,
            IpAddr::V6(address) => {
                self.prefix_bits < 32 && !(address.is_unique_local() && self.prefix_bits >= 7)
            }
        }
    }

    /// True if `address` is in this network. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let (ours, length) = bits(self.address);
        let (theirs, their_length) = bits(address.to_canonical());
        length == their_length && cut(ours, self.prefix_bits) == cut(theirs, self.prefix_bits)
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unreadable = |_| NetworkError::Unreadable;
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(unreadable)?;
        let (value, length) = bits(address);
        let prefix_bits = match prefix {
            None => length,
            Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse().map_err(|_| NetworkError::Unreadable)?
            }
            Some(_) => return Err(NetworkError::Unreadable),
        };
        if prefix_bits > length {
            return Err(NetworkError::Unreadable);
        }
        if cut(value, prefix_bits) != value {
            return Err(NetworkError::StrayBits);
        }
        Ok(Self { address, prefix_bits })
    }
}

impl TryFrom<String> for Network {
    type Error = NetworkError;
    fn try_from(text: String) -> Result<Self, NetworkError> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix_bits)
    }
}

/// The address in the upper bits of a `u128`, and its length in bits.
fn bits(address: IpAddr) -> (u128, u8) {
    match address {
        IpAddr::V4(v4) => (u128::from(u32::from(v4)) << 96, 32),
        IpAddr::V6(v6) => (u128::from(v6), 128),
    }
}

fn cut(value: u128, prefix_bits: u8) -> u128 {
    match prefix_bits {
        0 => 0,
        bits => value & (u128::MAX << (128 - u32::from(bits))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_their_addresses_and_no_others() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.6", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "::1", true),
        ] {
            let parsed: Network = network.parse().unwrap();
            assert_eq!(parsed.contains(address.parse().unwrap()), inside, "{network} {address}");
        }
    }

    #[test]
    fn invalid_networks_are_refused() {
        for text in ["", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "::/129", "campus", "10.0/8"] {
            assert_eq!(text.parse::<Network>(), Err(NetworkError::Unreadable), "{text}");
        }
        assert_eq!("10.0.0.1/8".parse::<Network>(), Err(NetworkError::StrayBits));
        assert_eq!("10.0.0.0/8".parse::<Network>().unwrap().to_string(), "10.0.0.0/8");
    }
}
