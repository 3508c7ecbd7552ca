//! Who calls, as an argument of a handler. Naming it is the check.

use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use flagship_actions::Rule;
use flagship_store::Key;
use flagship_store::organizers::Standing;
use flagship_store::organizers::passes::{Kind, SESSION_MS};
use flagship_store::organizers::tokens::SCRIPT_PREFIX;

use crate::api::error::ApiError;
use crate::api::extract::{Spoken, TOKEN_HEADER};
use crate::net::address::ClientNetwork;
use crate::node::organizers::device::{DEVICE_MS, Device};
use crate::node::organizers::permissions::Permission;
use crate::node::organizers::{Barred, Who};
use crate::node::state::App;

/// The cookie of a session. Browsers keep a name like this only from https or localhost, and only
/// for this host and all of its paths.
const COOKIE: &str = "__Host-organizer";

/// The cookie of a browser with which an organizer gave the second factor before.
const DEVICE_COOKIE: &str = "__Host-organizer-device";

/// A header that no form and no cross-origin request without a preflight can send.
const WRITE_HEADER: &str = "x-organize";

/// Somebody who may do `A`.
pub struct By<A> {
    /// Who it is.
    pub who: Who,
    action: PhantomData<A>,
}

impl<A: Permission> FromRequestParts<App> for By<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let who = who(parts, app).await?;
        check(&who, &A::RULE)?;
        Ok(Self { who, action: PhantomData })
    }
}

/// Whether somebody may do what a rule is about.
pub fn check(who: &Who, rule: &Rule) -> Result<(), ApiError> {
    who.may(rule).map_err(|barred| match barred {
        Barred::Factor => ApiError::FACTOR_NEEDED,
        Barred::Role => ApiError::NOT_FOUND,
    })
}

impl<A: Permission> By<A> {
    /// Why they may do it.
    pub fn standing(&self) -> Standing<'_> {
        self.who.standing(&A::RULE)
    }
}

/// Somebody with a session, with or without the second factor.
pub struct InSession(pub Who);

impl FromRequestParts<App> for InSession {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let who = who(parts, app).await?;
        if who.pass.kind == Kind::Session { Ok(Self(who)) } else { Err(ApiError::FACTOR_NEEDED) }
    }
}

/// A write without a token that no other site has caused: it needs a header of its own and an
/// origin that is this site.
pub struct OwnSite;

impl FromRequestParts<App> for OwnSite {
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

/// Whether this site has sent a request.
fn is_own(headers: &HeaderMap, app: &App) -> bool {
    match headers.get("sec-fetch-site") {
        Some(site) => site == "same-origin",
        // A browser that is too old to say so.
        None => {
            headers.get(header::ORIGIN).is_some_and(|it| it == app.config().public_url.as_str())
        }
    }
}

/// A WebSocket that no other site has opened. The answers of other requests are for no other
/// origin; those of a WebSocket are for whoever opens it.
pub struct OwnOrigin;

impl FromRequestParts<App> for OwnOrigin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let headers = &parts.headers;
        let has_cookie = token(headers).is_none() && cookie(headers, COOKIE).is_some();
        if has_cookie && !is_own(headers, app) { Err(ApiError::CROSS_SITE) } else { Ok(Self) }
    }
}

/// Whose token or session a request has. A team's token is none here. A browser sends the cookie by
/// itself, so its writes are checked; tokens are not sent by themselves.
async fn who(parts: &mut Parts, app: &App) -> Result<Who, ApiError> {
    let Ok(client) = ClientNetwork::from_request_parts(parts, app).await;
    let Ok(Spoken(language)) = Spoken::from_request_parts(parts, app).await;
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

/// What the header for tokens has.
fn token(headers: &HeaderMap) -> Option<&str> {
    let token = headers.get(TOKEN_HEADER).filter(|token| !token.is_empty());
    token.map(|token| token.to_str().unwrap_or_default())
}

/// The value of a cookie. Other hosts of the domain may have set cookies that are no text.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).iter();
    let mut pairs = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    let token = pairs
        .find_map(|pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    std::str::from_utf8(token).ok()
}

/// The browser that sends a request, if an organizer gave the second factor with it before.
pub struct KnownDevice(pub Option<Device>);

impl FromRequestParts<App> for KnownDevice {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let value = cookie(&parts.headers, DEVICE_COOKIE);
        let (key, now_ms) = (&app.organizers.key, app.now_ms());
        Ok(Self(value.and_then(|value| Device::read(key, value, now_ms))))
    }
}

/// The header that makes a browser known.
pub fn remember(key: &Key, device: &Device) -> [(header::HeaderName, HeaderValue); 1] {
    set(DEVICE_COOKIE, &device.value(key), DEVICE_MS / 1000)
}

/// The header that begins a session in a browser.
pub fn begin(token: &str) -> [(header::HeaderName, HeaderValue); 1] {
    set(COOKIE, token, SESSION_MS / 1000)
}

/// The header that ends it there.
pub fn end() -> [(header::HeaderName, HeaderValue); 1] {
    set(COOKIE, "", 0)
}

fn set(name: &str, token: &str, seconds: i64) -> [(header::HeaderName, HeaderValue); 1] {
    let cookie =
        format!("{name}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Strict");
    let cookie = HeaderValue::try_from(cookie).expect("a token is plain ASCII");
    [(header::SET_COOKIE, cookie)]
}
