//! Extractors: a JSON body, the team of a token, the network of a client. A handler that takes an
//! extractor as an argument thereby performs its permission check.

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

/// Maximum size of a request body, in bytes. A solved captcha can have 8 KiB; all other form fields
/// are short. Anyone can make the server hold this much for each connection.
const BODY_BYTES_MAX: usize = 16 * 1024;
/// Maximum size of the body of an action, in bytes. It can contain a challenge source.
const LARGE_BODY_BYTES_MAX: usize = 1024 * 1024;
/// Maximum number of bytes that are read of a body that exceeds its limit.
const DISCARDED_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Header that carries a token.
pub const TOKEN_HEADER: &str = "x-api-key";

/// A single component of the node, for handlers that need no other.
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

/// A JSON body. Anything else is rejected with the matching error.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let is_json = is_json(request.headers());
        let body = read(request.into_body(), BODY_BYTES_MAX).await?;
        parse(is_json, &body).map(Self)
    }
}

/// A JSON body of at most [`LARGE_BODY_BYTES_MAX`], for authenticated callers only: an extractor
/// before it must check that. `parsed` parses it.
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
    /// Returns the size of the body, in bytes.
    pub fn bytes(&self) -> usize {
        self.body.len()
    }

    /// Parses the body sent by the organizer with this ID. Parsing a large body takes milliseconds,
    /// so it must not block other requests.
    pub async fn parsed(self, renderer: &Renderer, organizer: i64) -> Result<T, ApiError> {
        let Self { body, is_json, .. } = self;
        match body.len() <= BODY_BYTES_MAX {
            true => parse(is_json, &body),
            false => renderer.run(organizer, async move { parse(is_json, &body) }).await?,
        }
    }
}

/// The query string of a request. Unknown or invalid fields are rejected.
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

/// A query string that is parsed in parts. Fields left at the end are rejected.
pub struct QueryParts(Vec<String>);

impl FromRequestParts<App> for QueryParts {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let pairs = parts.uri.query().unwrap_or_default().split('&');
        Ok(Self(pairs.filter(|pair| !pair.is_empty()).map(str::to_owned).collect()))
    }
}

impl QueryParts {
    /// Parses the fields with these names.
    pub fn take<T: DeserializeOwned>(&mut self, names: &[&str]) -> Result<T, ApiError> {
        let is_named = |pair: &String| pair.split('=').next().is_some_and(|it| names.contains(&it));
        let (taken, left) = std::mem::take(&mut self.0).into_iter().partition(is_named);
        self.0 = left;
        Self(taken).rest()
    }

    /// Parses the remaining fields.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T, ApiError> {
        let uri = format!("/?{}", self.0.join("&")).parse();
        query_of(&uri.map_err(|_| ApiError::WRONG_SHAPE)?)
    }
}

/// The time limit of an organizer's request. Once it expires, the request is dropped and fails with
/// a timeout. A completed request must not time out, because the client would send it again.
#[derive(Clone, Default)]
pub struct TimeLimit {
    /// True if the limit was lifted, false if it expired; empty while it applies.
    lifted: Arc<OnceLock<bool>>,
}

impl TimeLimit {
    /// Lifts the limit right before the request changes anything. The rest of the request has
    /// its own limits. Returns false if the request already timed out and must not change anything.
    pub fn lift(&self) -> bool {
        *self.lifted.get_or_init(|| true)
    }

    /// Expires the limit unless it was lifted. Returns true if the request timed out.
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
pub struct EmptyBody;

impl FromRequest<App> for EmptyBody {
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
    // The parser does not check the encoding of skipped parts, such as unknown members.
    if std::str::from_utf8(body).is_err() {
        return Err(ApiError::NOT_JSON);
    }
    // The parser can report a type error before it detects that the rest is not JSON.
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

/// True if the text can be a JSON object. The parser would also accept an array for a struct.
pub fn is_object(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"{")
}

/// Reads a body. Bytes beyond the limit are read and discarded, up to a second limit, because a
/// client whose connection is closed while it sends never reads the response.
pub(crate) async fn read(mut body: Body, bytes_max: usize) -> Result<BytesMut, ApiError> {
    let mut kept = BytesMut::new();
    let mut received = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| ApiError::BROKEN_BODY)?.into_data() else { continue };
        received += data.len();
        if received <= bytes_max {
            kept.extend_from_slice(&data);
            continue;
        }
        kept = BytesMut::new();
        if received > DISCARDED_BYTES_MAX {
            break;
        }
    }
    if received > bytes_max { Err(ApiError::TOO_LARGE) } else { Ok(kept) }
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

/// Returns the network of the client that `peer` acts for.
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

/// The client's preferred language, if emails exist in it.
pub struct ClientLanguage(pub Option<Language>);

impl<S: Sync> FromRequestParts<S> for ClientLanguage {
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
