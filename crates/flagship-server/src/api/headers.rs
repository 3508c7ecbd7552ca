//! The layers around all routes: response headers, the request time limit, and a JSON response
//! after a panic.
//!
//! All headers are written here, in the same order for every response: first the common headers,
//! then the response's own, then the length. The HTTP library adds `Date` and `Connection`.

use std::any::Any;
use std::sync::Arc;
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

use super::brand::Sandboxed;
use super::error::ApiError;
use super::extract::{TOKEN_HEADER, TimeLimit};
use super::organize;
use crate::net::connection::Rejection;
use crate::node::metrics;
use crate::node::state::App;

/// Maximum duration of a request, including its body.
const REQUEST_MAX: Duration = Duration::from_secs(30);
/// Time for which browsers may cache a preflight response.
const PREFLIGHT_AGE: Duration = Duration::from_secs(3600);

/// Content security policy for everything except pages.
const NOTHING: &str = "default-src 'none'; object-src 'none'; base-uri 'none'; \
                       form-action 'none'; frame-ancestors 'none'";

/// Content security policy of an image that could run scripts.
const SANDBOX: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; \
                       object-src 'none'; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'";

/// Marks a response as a page of the site, which gets the page policy.
#[derive(Clone, Copy)]
pub struct Page;

/// Wraps the routes in these layers.
pub fn wrap(router: Router<App>, app: &App) -> Router<App> {
    let origins = app.config().settings.site.allowed_origins.iter();
    let origins: Vec<HeaderValue> = origins.filter_map(|origin| origin.parse().ok()).collect();
    let mut router =
        router.layer(middleware::from_fn(in_time)).layer(CatchPanicLayer::custom(panicked));
    if !origins.is_empty() {
        let cors = CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(move |origin, request| {
                origins.contains(origin) && !is_organizers(request.uri.path())
            }))
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([header::CONTENT_TYPE, HeaderName::from_static(TOKEN_HEADER)])
            .expose_headers([header::ETAG, header::RETRY_AFTER])
            .max_age(PREFLIGHT_AGE);
        router = router.layer(cors);
    }
    // Each request clones the state, so it is an `Arc`.
    router.layer(middleware::from_fn_with_state(
        Arc::new(CommonHeaders::new(app)),
        add_common_headers,
    ))
}

/// Returns the response to a connection or request that never reaches the routes. It has the common
/// headers.
pub fn rejected(rejection: Rejection) -> http::Response<Bytes> {
    let error = match rejection {
        Rejection::Full => ApiError::overload(),
        Rejection::NotHttp => ApiError::NOT_HTTP,
        Rejection::LongUri => ApiError::LONG_URI,
        Rejection::LargeHead => ApiError::LARGE_HEAD,
    };
    let mut response = error.into_response();
    close_after(&mut response);
    response.map(|_| error.to_json().into())
}

/// Adds the common headers to a response after which the connection is closed.
pub fn close_after(response: &mut Response) {
    let mut first = fixed(HeaderValue::from_static(NOTHING));
    first.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    first.insert(header::CONNECTION, HeaderValue::from_static("close"));
    put_first(response, first);
}

async fn in_time(mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_upload = path.strip_prefix(organize::PATH) == Some(organize::UPLOADS);
    let max = if is_upload { organize::files::UPLOAD_MAX } else { REQUEST_MAX };
    let limit = is_organizers(path).then(TimeLimit::default);
    if let Some(limit) = &limit {
        request.extensions_mut().insert(limit.clone());
    }
    within(max, limit, next.run(request)).await
}

/// Returns the response, or a timeout error if it takes too long.
async fn within(
    max: Duration,
    limit: Option<TimeLimit>,
    response: impl Future<Output = Response>,
) -> Response {
    let mut response = std::pin::pin!(response);
    match tokio::time::timeout(max, &mut response).await {
        Ok(response) => response,
        Err(_) if limit.is_some_and(|limit| !limit.expire()) => response.await,
        Err(_) => ApiError::TOO_SLOW.into_response(),
    }
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let reason = panic.downcast_ref::<&str>().copied();
    let reason = reason.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(reason = reason.unwrap_or("unknown"), "a handler panicked");
    ApiError::INTERNAL.into_response()
}

async fn add_common_headers(
    State(common): State<Arc<CommonHeaders>>,
    request: Request,
    next: Next,
) -> Response {
    let asked = RequestTraits {
        has_token: request.headers().get(TOKEN_HEADER).is_some_and(|token| !token.is_empty()),
        is_organizers: is_organizers(request.uri().path()),
        is_api: request.uri().path().starts_with("/api"),
        is_read: matches!(*request.method(), Method::GET | Method::HEAD),
    };
    // This program cannot process a journal in a newer format.
    let is_refused = request.method() == Method::POST && common.app.judging.lane.is_read_only();
    let mut response = match is_refused {
        true => ApiError::READ_ONLY.into_response(),
        false => run_and_record(&common.app, request, next).await,
    };
    common.apply(&mut response, &asked);
    response
}

/// Request properties that affect the response headers.
pub struct RequestTraits {
    /// True if the request carries a token.
    pub has_token: bool,
    /// True for organizer API requests.
    pub is_organizers: bool,
    /// True for API requests, false for pages and files of the site.
    pub is_api: bool,
    /// True for GET and HEAD.
    pub is_read: bool,
}

/// Common response headers, built once.
pub struct CommonHeaders {
    app: App,
    /// Page headers by captcha provider.
    pages: Vec<(CaptchaProvider, HeaderMap)>,
    sandbox: HeaderMap,
    nothing: HeaderMap,
}

impl CommonHeaders {
    /// Builds the headers for this configuration.
    pub fn new(app: &App) -> Self {
        let is_https = app.config().public_url.starts_with("https://");
        let of = |policy: HeaderValue| {
            let mut headers = fixed(policy);
            if is_https {
                let year = HeaderValue::from_static("max-age=31536000");
                headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
            }
            headers
        };
        let page = |provider| (provider, of(page_policy(app, provider)));
        let pages = CaptchaProvider::ALL.into_iter().map(page).collect();
        let [sandbox, nothing] =
            [SANDBOX, NOTHING].map(|policy| of(HeaderValue::from_static(policy)));
        Self { app: app.clone(), pages, sandbox, nothing }
    }

    /// Returns the page headers for the current captcha provider.
    fn page(&self) -> &HeaderMap {
        let provider = self.app.serving.services.load().config.settings.captcha.provider;
        let page = self.pages.iter().find(|(it, _)| *it == provider);
        &page.expect("each provider has its headers").1
    }

    /// Adds the common headers to a response.
    pub fn apply(&self, response: &mut Response, asked: &RequestTraits) {
        let marks = response.extensions();
        let mut first = match (marks.get::<Page>(), marks.get::<Sandboxed>()) {
            (Some(Page), _) => self.page().clone(),
            (None, Some(Sandboxed)) => self.sandbox.clone(),
            (None, None) => self.nothing.clone(),
        };
        let own = response.headers_mut();
        if asked.has_token || asked.is_organizers || (asked.is_api && !asked.is_read) {
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

/// True for the path of an organizer API request. Its responses must not be stored or read by other
/// origins.
fn is_organizers(path: &str) -> bool {
    path.starts_with(organize::PATH)
}

/// Writes `first` before the response's own headers, and the length after them.
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
    // A response to HEAD no longer has a body, but keeps its length.
    if let Some(length) = given.or(length).filter(|_| has_length) {
        headers.insert(header::CONTENT_LENGTH, length);
    }
}

/// Runs the request and records it in the metrics and the debug log. A URL can contain a secret, so
/// only its route is recorded.
async fn run_and_record(app: &App, request: Request, next: Next) -> Response {
    let is_logged = tracing::enabled!(tracing::Level::DEBUG);
    if app.serving.metrics.is_none() && !is_logged {
        return next.run(request).await;
    }
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let (took, status) = (begun.elapsed(), response.status());
    let route = route.as_ref().map(MatchedPath::as_str);
    if let Some(metrics) = &app.serving.metrics {
        metrics.responded(route, &method, status, took);
    }
    if is_logged {
        let (method, status) = (metrics::method_name(&method), status.as_u16());
        tracing::debug!(method, route, status, ms = took.as_millis() as u64, "request completed");
    }
    response
}

/// Returns the constant headers with a content security policy.
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

/// Returns the content security policy of pages. An external captcha adds exactly its own hosts and
/// rules out Trusted Types.
fn page_policy(app: &App, provider: CaptchaProvider) -> HeaderValue {
    let (hosts, trusted_types) = match provider {
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
    // The site may call the API of every origin that may call this API.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn completed_requests_never_time_out() {
        let max = Duration::from_millis(20);
        for (lifts_after, expected) in [
            (Some(Duration::ZERO), StatusCode::OK),
            (Some(5 * max), StatusCode::REQUEST_TIMEOUT),
            (None, StatusCode::REQUEST_TIMEOUT),
        ] {
            let limit = TimeLimit::default();
            let lifted = TimeLimit::default();
            let known = if lifts_after.is_some() { limit.clone() } else { lifted };
            let work = async move {
                tokio::time::sleep(lifts_after.unwrap_or_default()).await;
                known.lift();
                tokio::time::sleep(5 * max).await;
                StatusCode::OK.into_response()
            };
            let response = within(max, Some(limit), work).await;
            assert_eq!(response.status(), expected, "{lifts_after:?}");
        }
    }
}
