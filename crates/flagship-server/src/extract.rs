//! What handlers ask for: a JSON body, the team behind a token, the network of a client. Asking
//! is the check.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bytes::BytesMut;
use flagship_game::TeamId;
use http_body_util::BodyExt;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::app::App;
use crate::error::ApiError;

/// Largest body of a request, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Most that is read of a larger one, in bytes.
const DISCARDED_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Bits of the IPv6 networks that one customer may have.
const SITE_BITS: u32 = 48;

/// The header that carries a token.
pub const TOKEN_HEADER: &str = "x-api-key";

/// A JSON body; anything else is refused with the right status and sentence.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let body = read(request.into_body()).await?;
        parse(is_json, &body).map(Self)
    }
}

/// A body that says nothing: none at all, or an empty JSON object.
pub struct Nothing;

impl FromRequest<App> for Nothing {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Empty {}
        let is_json = is_json(request.headers());
        let body = read(request.into_body()).await?;
        if !body.is_empty() {
            let Empty {} = parse(is_json, &body)?;
        }
        Ok(Self)
    }
}

pub(crate) fn parse<T: DeserializeOwned>(is_json: bool, body: &[u8]) -> Result<T, ApiError> {
    if !is_json {
        return Err(ApiError::NOT_JSON_TYPE);
    }
    // What is skipped, such as an unknown member, is not looked at by the parser.
    if std::str::from_utf8(body).is_err() {
        return Err(ApiError::NOT_JSON);
    }
    // A wrong shape is found before the end of the text is read.
    let misfit = || match serde_json::from_slice::<IgnoredAny>(body) {
        Ok(IgnoredAny) => ApiError::WRONG_SHAPE,
        Err(_) => ApiError::NOT_JSON,
    };
    if !is_object(body) {
        return Err(misfit());
    }
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => misfit(),
        _ => ApiError::NOT_JSON,
    })
}

/// Whether a text can be a JSON object: a list of the right length would fill a struct, too.
pub fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

/// Reads a body. What is beyond the limit is read too, up to a second one, and thrown away: a
/// client that is cut off while it sends never sees the answer.
async fn read(mut body: Body) -> Result<BytesMut, ApiError> {
    let (mut kept, mut seen) = (BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| ApiError::BROKEN_BODY)?.into_data() else { continue };
        seen += data.len();
        if seen <= BODY_BYTES_MAX {
            kept.extend_from_slice(&data);
        } else if seen > DISCARDED_BYTES_MAX {
            break;
        }
    }
    if seen > BODY_BYTES_MAX { Err(ApiError::TOO_LARGE) } else { Ok(kept) }
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

impl ClientNetwork {
    /// Who counts for the limits on connections; those that are spared do not.
    pub fn holder(&self) -> Option<IpAddr> {
        (!self.is_trusted && !is_own_machine(self.network)).then_some(self.network)
    }
}

/// Whether a network is the address at which a machine calls itself: a proxy on it, or its owner.
pub fn is_own_machine(network: IpAddr) -> bool {
    network == IpAddr::V4(Ipv4Addr::LOCALHOST) || network == network_of(Ipv6Addr::LOCALHOST.into())
}

impl FromRequestParts<App> for ClientNetwork {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<SocketAddr>().map(|peer| peer.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)).to_canonical();
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
    for hop in values.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
        if !is_proxy(client) {
            break;
        }
        // What cannot be read ends the list: beyond it, nobody vouches for anything.
        let Some(address) = hop_address(hop) else { break };
        client = address.to_canonical();
    }
    client
}

/// One forwarded address; some proxies write the port too.
fn hop_address(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    hop.parse().ok().or_else(|| hop.parse().ok().map(|socket: SocketAddr| socket.ip()))
}

/// The wider network of so many bits that an IPv6 network lies in; an IPv4 address as it is.
pub fn wider(network: IpAddr, bits: u32) -> IpAddr {
    match network {
        IpAddr::V4(_) => network,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << (128 - bits))).into(),
    }
}

/// What one customer may have: an IPv4 address or an IPv6 /48.
pub fn site_of(network: IpAddr) -> IpAddr {
    wider(network, SITE_BITS)
}

/// What counts as one network: an IPv4 address or an IPv6 /64.
pub fn network_of(address: IpAddr) -> IpAddr {
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
    use axum::http::HeaderValue;

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
    fn only_what_trusted_proxies_say_is_believed() {
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
        // A line that is no text is not passed over for the one before, which the client wrote.
        assert_eq!(seen_bytes(&[b"6.6.6.6", b"\xff, 1.2.3.4"]), of("1.2.3.4"));
        assert_eq!(seen_bytes(&[b"6.6.6.6", b"1.2.3.4, \xff"]), of("10.0.0.1"));
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
