//! What handlers ask for: a JSON body, the team behind a token, the network of a client. Naming
//! an extractor in a handler's arguments is the permission check.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::{
    FromRef, FromRequest, FromRequestParts, OptionalFromRequestParts, Request, State,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use bytes::BytesMut;
use flagship_actions::mail::language::Language;
use http_body_util::BodyExt;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::error::ApiError;
use crate::net::address::{ClientNetwork, TrustedNetwork};
use crate::net::socket::Upgrade;
use crate::node::accounts::Accounts;
use crate::node::board::Board;
use crate::node::judging::Judging;
use crate::node::organizers::Organizers;
use crate::node::organizers::renderer::Renderer;
use crate::node::serving::Serving;
use crate::node::sessions::Team;
use crate::node::settings::LiveSettings;
use crate::node::state::App;

/// Largest body of a request, in bytes. A solved captcha may have 8 KiB, and all other fields of a
/// form are short. Any stranger can make the server hold as much for each connection.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// Largest body of an action, in bytes: it may have the text of a challenge.
const LARGE_BODY_BYTES_MAX: usize = 1024 * 1024;
/// Most bytes that are read of a larger body.
const DISCARDED_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The header that carries a token.
pub const TOKEN_HEADER: &str = "x-api-key";

/// A part of the node, for handlers that use no other.
pub type Part<T> = State<Arc<T>>;

macro_rules! parts {
    ($($part:ident: $Part:ty;)*) => {
        $(impl FromRef<App> for Arc<$Part> {
            fn from_ref(app: &App) -> Self {
                app.$part.clone()
            }
        })*
    };
}

parts! {
    board: Board;
    judging: Judging;
    accounts: Accounts;
    organizers: Organizers;
    serving: Serving;
}

/// A JSON body; anything else is refused with the right status and sentence.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let body = read(request.into_body(), BODY_BYTES_MAX).await?;
        parse(is_json, &body).map(Self)
    }
}

/// The same, of at most [`LARGE_BODY_BYTES_MAX`], for those who are signed in: an argument before
/// it has to check that. It is parsed by `parsed`.
pub struct LargeJson<T> {
    body: BytesMut,
    is_json: bool,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> FromRequest<App> for LargeJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let body = read(request.into_body(), LARGE_BODY_BYTES_MAX).await?;
        Ok(Self { body, is_json, of: PhantomData })
    }
}

impl<T: DeserializeOwned + Send + 'static> LargeJson<T> {
    /// The length of the body, in bytes.
    pub fn bytes(&self) -> usize {
        self.body.len()
    }

    /// What was sent by the organizer with this id. Parsing a large body takes milliseconds, which
    /// other requests must not wait for.
    pub async fn parsed(self, renderer: &Renderer, organizer: i64) -> Result<T, ApiError> {
        let Self { body, is_json, .. } = self;
        match body.len() <= BODY_BYTES_MAX {
            true => parse(is_json, &body),
            false => renderer.run(organizer, async move { parse(is_json, &body) }).await?,
        }
    }
}

/// The query of an address; a field that is unknown or of the wrong type is refused.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        query_of(&parts.uri).map(Self)
    }
}

fn query_of<T: DeserializeOwned>(uri: &Uri) -> Result<T, ApiError> {
    let query = axum::extract::Query::try_from_uri(uri);
    query.map(|axum::extract::Query(it)| it).map_err(|_| ApiError::WRONG_SHAPE)
}

/// The query of an address, of which each part is read by itself; what is left at the end is
/// refused.
pub struct QueryParts(Vec<String>);

impl FromRequestParts<App> for QueryParts {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let pairs = parts.uri.query().unwrap_or_default().split('&');
        Ok(Self(pairs.filter(|pair| !pair.is_empty()).map(str::to_owned).collect()))
    }
}

impl QueryParts {
    /// Reads the fields with these names.
    pub fn take<T: DeserializeOwned>(&mut self, names: &[&str]) -> Result<T, ApiError> {
        let is_named = |pair: &String| pair.split('=').next().is_some_and(|it| names.contains(&it));
        let (taken, left) = std::mem::take(&mut self.0).into_iter().partition(is_named);
        self.0 = left;
        Self(taken).rest()
    }

    /// Reads what is left.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T, ApiError> {
        let uri = format!("/?{}", self.0.join("&")).parse();
        query_of(&uri.map_err(|_| ApiError::WRONG_SHAPE)?)
    }
}

/// The time limit of an organizer's request. Beyond it the request is dropped and answered as too
/// slow, which must not happen to one that was done: its client would send it again.
#[derive(Clone, Default)]
pub struct TimeLimit {
    /// Whether it was lifted, once it has ended.
    lifted: Arc<OnceLock<bool>>,
}

impl TimeLimit {
    /// Ends the limit, right before the request changes something. What follows has limits of its
    /// own. False if the request is dropped already, and must change nothing.
    pub fn lift(&self) -> bool {
        *self.lifted.get_or_init(|| true)
    }

    /// Ends the request, unless its limit is lifted. True if the request is over.
    pub fn expire(&self) -> bool {
        !*self.lifted.get_or_init(|| false)
    }
}

impl FromRequestParts<App> for TimeLimit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

/// An empty body or an empty JSON object.
pub struct Nothing;

impl FromRequest<App> for Nothing {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Empty {}
        let is_json = is_json(request.headers());
        let body = read(request.into_body(), BODY_BYTES_MAX).await?;
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
    // The parser does not check the encoding of what it skips, such as unknown members.
    if std::str::from_utf8(body).is_err() {
        return Err(ApiError::NOT_JSON);
    }
    // The parser may report a wrong shape before it finds that the rest is not JSON.
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

/// True if a text can be a JSON object. The parser would also fill a struct from an array.
pub fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

/// Reads a body. Bytes beyond the limit are read too, up to a second limit, and discarded: a client
/// whose connection is closed while it sends never reads the response.
pub(crate) async fn read(mut body: Body, bytes_max: usize) -> Result<BytesMut, ApiError> {
    let mut kept = BytesMut::new();
    let mut seen = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| ApiError::BROKEN_BODY)?.into_data() else { continue };
        seen += data.len();
        if seen <= bytes_max {
            kept.extend_from_slice(&data);
            continue;
        }
        kept = BytesMut::new();
        if seen > DISCARDED_BYTES_MAX {
            break;
        }
    }
    if seen > bytes_max { Err(ApiError::TOO_LARGE) } else { Ok(kept) }
}

/// True if the body has this media type, with any parameters.
pub fn is_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(media_type)
}

fn is_json(headers: &HeaderMap) -> bool {
    is_of_type(headers, "application/json")
}

impl FromRequestParts<App> for Team {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let team = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        team.ok_or(ApiError::UNAUTHORIZED)
    }
}

impl OptionalFromRequestParts<App> for Team {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        let token = parts.headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        Ok(app.accounts.team_of(token.unwrap_or_default()).await?)
    }
}

impl FromRequestParts<App> for ClientNetwork {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let peer = parts.extensions.get::<SocketAddr>().map(|peer| peer.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Ok(client_network(&parts.headers, peer, &app.serving.settings))
    }
}

/// The network of the client that `peer` speaks for in a request.
pub fn client_network(headers: &HeaderMap, peer: IpAddr, settings: &LiveSettings) -> ClientNetwork {
    let limits = &settings.load().limits;
    let is_proxy = |ip| limits.trusted_proxies.iter().any(|network| network.contains(ip));
    let trusted = |client| {
        let network = limits.trusted_networks.iter().find(|network| network.contains(client))?;
        let (first, prefix_bits) = network.parts();
        Some(TrustedNetwork(first, prefix_bits))
    };
    ClientNetwork::of_request(headers, peer, is_proxy, trusted)
}

/// The language that a client reads, if mails are written in it.
pub struct Spoken(pub Option<Language>);

impl<S: Sync> FromRequestParts<S> for Spoken {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let header = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
        Ok(Self(header.and_then(Language::of_header)))
    }
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::find(parts).ok_or(ApiError::NOT_A_SOCKET)
    }
}
