//! What surrounds every route: the headers of every answer, the size and time of every request,
//! and an answer in JSON whatever happens.
//!
//! Headers are written here alone, in one order whatever made the answer: those of every answer,
//! then the answer's own, then its length. The HTTP library adds the date, and whether the
//! connection closes.

use std::any::Any;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flagship_pack::CaptchaProvider;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::TOKEN_HEADER;
use crate::metrics;

/// How long a request may take, its body included.
const REQUEST_MAX: Duration = Duration::from_secs(30);
/// How long browsers may remember a preflight's answer.
const PREFLIGHT_AGE: Duration = Duration::from_secs(3600);

/// The policy of everything that is not a page.
const NOTHING: &str = "default-src 'none'; object-src 'none'; base-uri 'none'; \
                       form-action 'none'; frame-ancestors 'none'";

/// Marks a response as a page of the site, so that it gets the pages' policy.
#[derive(Clone, Copy)]
pub struct Page;

/// Puts the layers around the routes.
pub fn around(router: Router<App>, app: &App) -> Router<App> {
    let origins = app.config().settings.site.allowed_origins.iter();
    let origins: Vec<HeaderValue> = origins.filter_map(|origin| origin.parse().ok()).collect();
    let mut router =
        router.layer(middleware::from_fn(in_time)).layer(CatchPanicLayer::custom(panicked));
    if !origins.is_empty() {
        let cors = CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins))
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([header::CONTENT_TYPE, HeaderName::from_static(TOKEN_HEADER)])
            .expose_headers([header::ETAG, header::RETRY_AFTER])
            .max_age(PREFLIGHT_AGE);
        router = router.layer(cors);
    }
    router.layer(middleware::from_fn_with_state(Secured::new(app), secured))
}

/// The answer to who is not let in: it has the headers of every answer.
pub fn refusal(error: ApiError) -> Response {
    let mut response = error.into_response();
    let mut first = fixed(HeaderValue::from_static(NOTHING));
    first.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    first.insert(header::CONNECTION, HeaderValue::from_static("close"));
    put_first(&mut response, first);
    response
}

/// What is sent in place of the HTTP library's own bare refusal of what is no request, which
/// begins with `start`; `None` when it is no refusal.
pub fn in_place_of(start: &[u8]) -> Option<Bytes> {
    let (error, message) = match start.strip_prefix(b"HTTP/1.1 ")?.first_chunk()? {
        b"400" => (ApiError::NOT_HTTP, "Bad Request"),
        b"414" => (ApiError::LONG_ADDRESS, "URI Too Long"),
        b"431" => (ApiError::LARGE_HEAD, "Request Header Fields Too Large"),
        _ => return None,
    };
    let response = refusal(error);
    let body = error.to_json();
    let mut text = format!("HTTP/1.1 {} {message}\r\n", response.status().as_str());
    for (name, value) in response.headers() {
        let value = value.to_str().expect("our headers are text");
        text += &format!("{name}: {value}\r\n");
    }
    Some((text + "\r\n" + &body).into())
}

async fn in_time(request: Request, next: Next) -> Response {
    let timed = tokio::time::timeout(REQUEST_MAX, next.run(request)).await;
    timed.unwrap_or_else(|_| ApiError::TOO_SLOW.into_response())
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let reason = panic.downcast_ref::<&str>().copied();
    let reason = reason.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(reason = reason.unwrap_or("unknown"), "a handler panicked");
    ApiError::INTERNAL.into_response()
}

async fn secured(State(secured): State<Secured>, request: Request, next: Next) -> Response {
    let asked = Asked {
        has_token: request.headers().get(TOKEN_HEADER).is_some_and(|token| !token.is_empty()),
        is_api: request.uri().path().starts_with("/api"),
        is_read: matches!(*request.method(), Method::GET | Method::HEAD),
    };
    // What is written in a newer format cannot be judged, nor what else it means.
    let is_refused = request.method() == Method::POST && secured.app.lane.is_read_only();
    let mut response = match is_refused {
        true => ApiError::READ_ONLY.into_response(),
        false => counted(&secured.app, request, next).await,
    };
    secured.dress(&mut response, &asked);
    response
}

/// What the headers of an answer follow of its request.
pub struct Asked {
    /// Whether it says whose it is.
    pub has_token: bool,
    /// Whether it is a call, and no page or file of the site.
    pub is_api: bool,
    /// Whether it changes nothing.
    pub is_read: bool,
}

/// What every answer is given, made once.
#[derive(Clone)]
pub struct Secured {
    app: App,
    page: HeaderMap,
    nothing: HeaderMap,
}

impl Secured {
    /// As the program was told.
    pub fn new(app: &App) -> Self {
        let (mut page, mut nothing) =
            (fixed(page_policy(app)), fixed(HeaderValue::from_static(NOTHING)));
        if app.config().public_url.starts_with("https://") {
            let year = HeaderValue::from_static("max-age=31536000");
            page.insert(header::STRICT_TRANSPORT_SECURITY, year.clone());
            nothing.insert(header::STRICT_TRANSPORT_SECURITY, year);
        }
        Self { app: app.clone(), page, nothing }
    }

    /// Gives an answer the headers of every answer.
    pub fn dress(&self, response: &mut Response, asked: &Asked) {
        let is_page = response.extensions().get::<Page>().is_some();
        let mut first = if is_page { self.page.clone() } else { self.nothing.clone() };
        let own = response.headers_mut();
        if asked.has_token || (asked.is_api && !asked.is_read) {
            own.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        } else if asked.is_api && !own.contains_key(header::CACHE_CONTROL) {
            own.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        if let Some(caching) = own.remove(header::CACHE_CONTROL) {
            first.insert(header::CACHE_CONTROL, caching);
        }
        if asked.is_api {
            first.insert(header::VARY, HeaderValue::from_static(TOKEN_HEADER));
        }
        put_first(response, first);
    }
}

/// Writes headers before an answer's own, and its length behind them.
fn put_first(response: &mut Response, first: HeaderMap) {
    let mut own = std::mem::replace(response.headers_mut(), first);
    let given = own.remove(header::CONTENT_LENGTH);
    let length = response.body().size_hint().exact().map(HeaderValue::from);
    let status = response.status();
    let has_length = !status.is_informational()
        && status != StatusCode::NO_CONTENT
        && status != StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    let mut last = None;
    for (name, value) in own {
        last = name.or(last);
        headers.append(last.clone().expect("the first has a name"), value);
    }
    // The body of a HEAD's answer is gone already; its length was given.
    if let Some(length) = given.or(length).filter(|_| has_length) {
        headers.insert(header::CONTENT_LENGTH, length);
    }
}

/// The answer, noted where somebody wants to know. An address may hold a secret: its route is all
/// that is told of it.
async fn counted(app: &App, request: Request, next: Next) -> Response {
    let is_logged = tracing::enabled!(tracing::Level::DEBUG);
    if app.metrics.is_none() && !is_logged {
        return next.run(request).await;
    }
    let (begun, method) = (Instant::now(), request.method().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let (took, status) = (begun.elapsed(), response.status());
    let route = route.as_ref().map(MatchedPath::as_str);
    if let Some(metrics) = &app.metrics {
        metrics.answered(route, &method, status, took);
    }
    if is_logged {
        let (method, status) = (metrics::method_name(&method), status.as_u16());
        tracing::debug!(method, route, status, ms = took.as_millis() as u64, "answered");
    }
    response
}

/// The headers that are the same everywhere, with a policy.
fn fixed(policy: HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers
}

/// The policy of the site's pages. It follows the captcha: a remote one adds exactly its hosts,
/// and cannot live with Trusted Types.
fn page_policy(app: &App) -> HeaderValue {
    let (hosts, trusted_types) = match app.config().settings.captcha.provider {
        CaptchaProvider::Altcha | CaptchaProvider::Off => {
            ("", "; require-trusted-types-for 'script'")
        }
        CaptchaProvider::Recaptcha => {
            (" https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/", "")
        }
        CaptchaProvider::Hcaptcha => (" https://hcaptcha.com https://*.hcaptcha.com", ""),
        CaptchaProvider::Turnstile => (" https://challenges.cloudflare.com", ""),
    };
    let frames = if hosts.is_empty() { " 'none'" } else { hosts };
    // A site of another origin that may call this API is one whose API this site may call.
    let mut apis = String::new();
    for origin in &app.config().settings.site.allowed_origins {
        apis += &format!(" {origin} {}", origin.replacen("http", "ws", 1));
    }
    let policy = format!(
        "default-src 'none'; script-src 'self'{hosts}; style-src 'self'{hosts}; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'{hosts}{apis}; \
         worker-src 'self'; manifest-src 'self'; frame-src{frames}; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'{trusted_types}"
    );
    HeaderValue::from_str(&policy).expect("the policy is plain ASCII")
}
