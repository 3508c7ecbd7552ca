//! Authentication and authorization of organizers. A handler that takes one of these extractors as
//! an argument thereby performs the check.

use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use flagship_actions::Rule;
use flagship_store::Key;
use flagship_store::organizers::Authorization;
use flagship_store::organizers::passes::{Kind, SESSION_MS};
use flagship_store::organizers::tokens::SCRIPT_PREFIX;

use crate::api::error::ApiError;
use crate::api::extract::{ClientLanguage, TOKEN_HEADER};
use crate::net::address::ClientNetwork;
use crate::node::organizers::device::{DEVICE_MS, Device};
use crate::node::organizers::permissions::Permission;
use crate::node::organizers::{Denied, SignedInOrganizer};
use crate::node::state::App;

/// Session cookie. Browsers accept the `__Host-` prefix only over HTTPS or on localhost, for this
/// host and all its paths.
const COOKIE: &str = "__Host-organizer";

/// Cookie of a browser in which an organizer has passed two-factor authentication before.
const DEVICE_COOKIE: &str = "__Host-organizer-device";

/// Header that neither a form nor a cross-origin request without a preflight can send.
const WRITE_HEADER: &str = "x-organize";

/// An organizer authorized for `A`.
pub struct Authorized<A> {
    /// The authenticated organizer.
    pub who: SignedInOrganizer,
    action: PhantomData<A>,
}

impl<A: Permission> FromRequestParts<App> for Authorized<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let who = who(parts, app).await?;
        check(&who, &A::RULE)?;
        Ok(Self { who, action: PhantomData })
    }
}

/// Checks that an organizer is authorized under a rule.
pub fn check(who: &SignedInOrganizer, rule: &Rule) -> Result<(), ApiError> {
    who.may(rule).map_err(|barred| match barred {
        Denied::Factor => ApiError::FACTOR_NEEDED,
        Denied::Role => ApiError::NOT_FOUND,
    })
}

impl<A: Permission> Authorized<A> {
    /// Returns the authorization for `A`.
    pub fn standing(&self) -> Authorization<'_> {
        self.who.standing(&A::RULE)
    }
}

/// An organizer with a session, with or without two-factor authentication.
pub struct SessionOrganizer(pub SignedInOrganizer);

impl FromRequestParts<App> for SessionOrganizer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let who = who(parts, app).await?;
        if who.pass.kind == Kind::Session { Ok(Self(who)) } else { Err(ApiError::FACTOR_NEEDED) }
    }
}

/// A same-site write without a token: it needs a custom header and this site's origin.
pub struct SameSite;

impl FromRequestParts<App> for SameSite {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        if token(&parts.headers).is_some() {
            return Err(ApiError::NOT_FOUND);
        }
        check_site(parts, app).map(|()| Self)
    }
}

fn check_site(parts: &Parts, app: &App) -> Result<(), ApiError> {
    let is_own = || is_own(&parts.headers, app) && parts.headers.contains_key(WRITE_HEADER);
    if parts.method != Method::POST || is_own() { Ok(()) } else { Err(ApiError::CROSS_SITE) }
}

/// True if the request came from this site.
fn is_own(headers: &HeaderMap, app: &App) -> bool {
    match headers.get("sec-fetch-site") {
        Some(site) => site == "same-origin",
        // The browser is too old to send `Sec-Fetch-Site`.
        None => {
            headers.get(header::ORIGIN).is_some_and(|it| it == app.config().public_url.as_str())
        }
    }
}

/// A WebSocket opened from this site. Other origins cannot read ordinary responses, but could read
/// the messages of a WebSocket that they open.
pub struct SameOrigin;

impl FromRequestParts<App> for SameOrigin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let headers = &parts.headers;
        let has_cookie = token(headers).is_none() && cookie(headers, COOKIE).is_some();
        if has_cookie && !is_own(headers, app) { Err(ApiError::CROSS_SITE) } else { Ok(Self) }
    }
}

/// Authenticates a request by its API token or session cookie. A team token is not accepted here.
/// Browsers send cookies automatically, so writes with a cookie need the same-site check; tokens
/// are never sent automatically.
async fn who(parts: &mut Parts, app: &App) -> Result<SignedInOrganizer, ApiError> {
    let Ok(client) = ClientNetwork::from_request_parts(parts, app).await;
    let Ok(ClientLanguage(language)) = ClientLanguage::from_request_parts(parts, app).await;
    let (kind, token) = match token(&parts.headers) {
        Some(token) if !token.starts_with(SCRIPT_PREFIX) => return Err(ApiError::NOT_FOUND),
        Some(token) => (Kind::Token, token),
        None => {
            check_site(parts, app)?;
            (Kind::Session, cookie(&parts.headers, COOKIE).unwrap_or_default())
        }
    };
    let who = app.organizers.who(&client, kind, token).await?.ok_or(ApiError::UNAUTHORIZED)?;
    Ok(who.reading(language.unwrap_or_default()))
}

/// Returns the value of the token header.
fn token(headers: &HeaderMap) -> Option<&str> {
    let token = headers.get(TOKEN_HEADER).filter(|token| !token.is_empty());
    token.map(|token| token.to_str().unwrap_or_default())
}

/// Returns the value of a cookie. Other hosts of the domain may have set cookies that are not text.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).iter();
    let mut pairs = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    let token = pairs
        .find_map(|pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    std::str::from_utf8(token).ok()
}

/// The requesting browser, if an organizer has passed two-factor authentication in it before.
pub struct KnownDevice(pub Option<Device>);

impl FromRequestParts<App> for KnownDevice {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let value = cookie(&parts.headers, DEVICE_COOKIE);
        let (key, now_ms) = (&app.organizers.key, app.now_ms());
        Ok(Self(value.and_then(|value| Device::read(key, value, now_ms))))
    }
}

/// Returns the header that marks a browser as known.
pub fn remember(key: &Key, device: &Device) -> [(header::HeaderName, HeaderValue); 1] {
    set(DEVICE_COOKIE, &device.value(key), DEVICE_MS / 1000)
}

/// Returns the header that starts a session in the browser.
pub fn begin(token: &str) -> [(header::HeaderName, HeaderValue); 1] {
    set(COOKIE, token, SESSION_MS / 1000)
}

/// Returns the header that ends the session in the browser.
pub fn end() -> [(header::HeaderName, HeaderValue); 1] {
    set(COOKIE, "", 0)
}

fn set(name: &str, token: &str, seconds: i64) -> [(header::HeaderName, HeaderValue); 1] {
    let cookie =
        format!("{name}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Strict");
    let cookie = HeaderValue::try_from(cookie).expect("a token is plain ASCII");
    [(header::SET_COOKIE, cookie)]
}
