//! What handlers ask for: a JSON body, the team behind a token, the network of a client. Asking
//! is the check.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use flagship_game::TeamId;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::ApiError;

/// The header that carries a token.
pub const TOKEN_HEADER: &str = "x-api-key";

/// A JSON body; anything else is refused with the right status and sentence.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::NOT_JSON_TYPE);
        }
        let body = Bytes::from_request(request, app).await.map_err(|rejection| match rejection
            .status()
        {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::TOO_LARGE,
            _ => ApiError::TOO_SLOW,
        })?;
        serde_json::from_slice(&body).map(Self).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => ApiError::WRONG_SHAPE,
            _ => ApiError::NOT_JSON,
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

/// A logged-in team. `Option<Team>` takes anonymous and unrecognised tokens too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Its identity.
    pub id: TeamId,
    /// SHA-256 of its token, in hex.
    pub token_hash: String,
}

impl FromRequestParts<App> for Team {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let token = parts.headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        app.team_of(token.unwrap_or_default()).await?.ok_or(ApiError::UNAUTHORIZED)
    }
}

impl OptionalFromRequestParts<App> for Team {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        let token = parts.headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        app.team_of(token.unwrap_or_default()).await
    }
}

/// Where a request comes from: an IPv4 address or an IPv6 /64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork {
    /// The address, with the last 64 bits of IPv6 cleared.
    pub network: IpAddr,
    /// Whether the organizers trust it.
    pub is_trusted: bool,
}

impl FromRequestParts<App> for ClientNetwork {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<SocketAddr>().map(|peer| peer.ip());
        let peer = peer.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED)).to_canonical();
        let limits = &app.config().settings.limits;
        let is_proxy = |ip: IpAddr| limits.trusted_proxies.iter().any(|net| net.contains(ip));
        let client = client_address(&parts.headers, peer, is_proxy);
        let is_trusted = limits.trusted_networks.iter().any(|net| net.contains(client));
        Ok(Self { network: network_of(client), is_trusted })
    }
}

/// The address of the client, as far as trusted proxies vouch for it: the last forwarded one that
/// is not itself a proxy's.
fn client_address(headers: &HeaderMap, peer: IpAddr, is_proxy: impl Fn(IpAddr) -> bool) -> IpAddr {
    let mut client = peer;
    let values = headers.get_all("x-forwarded-for").iter().rev();
    let hops = values.filter_map(|value| value.to_str().ok()).flat_map(|v| v.rsplit(','));
    for hop in hops {
        if !is_proxy(client) {
            break;
        }
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
        client = address.to_canonical();
    }
    client
}

fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(forwarded: &[&'static str]) -> IpAddr {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().expect("a header"));
        }
        let proxy: IpAddr = "10.0.0.1".parse().expect("an address");
        client_address(&headers, proxy, |ip| ip == proxy)
    }

    #[test]
    fn only_what_trusted_proxies_say_is_believed() {
        let of = |text: &str| text.parse::<IpAddr>().expect("an address");
        assert_eq!(seen(&[]), of("10.0.0.1"));
        assert_eq!(seen(&["1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen(&["6.6.6.6, 1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen(&["6.6.6.6", "1.2.3.4, 10.0.0.1"]), of("1.2.3.4"));
        assert_eq!(seen(&["1.2.3.4, nonsense"]), of("10.0.0.1"));
        let stranger = of("9.9.9.9");
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.2.3.4".parse().expect("a header"));
        assert_eq!(client_address(&headers, stranger, |_| false), stranger);
    }

    #[test]
    fn ipv6_clients_count_by_their_64_bits() {
        let of = |text: &str| network_of(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
    }
}
