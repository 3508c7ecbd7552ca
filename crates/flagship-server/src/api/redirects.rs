//! The plain HTTP listener of a server with its own TLS: redirects to the site, and answers to the
//! challenges of the certificate authority.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::error::ApiError;
use super::headers::close_after;
use crate::node::certificate::Certificates;

/// Folder of the answers to challenges (RFC 8555, section 8.3).
const CHALLENGES: &str = "/.well-known/acme-challenge/";
/// Time after which a client may try again while there is no certificate, in seconds.
const RETRY_S: &str = "60";
const NO_CERTIFICATE: &str =
    "This site has no TLS certificate yet. The server is requesting one: try again in a minute.\n";

/// Builds the routes of the listener. The `Host` header has no effect on them.
pub fn redirects(certificates: Arc<Certificates>) -> Router {
    Router::new().fallback(answer).with_state(certificates)
}

async fn answer(State(certificates): State<Arc<Certificates>>, request: Request) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = match request.uri().path().strip_prefix(CHALLENGES) {
        Some(token) if is_read => match certificates.challenge_answer(token) {
            Some(text) => {
                ([(header::CONTENT_TYPE, "application/octet-stream")], text).into_response()
            }
            None => ApiError::NOT_FOUND.into_response(),
        },
        _ if !certificates.has_certificate() => {
            let headers = [(header::RETRY_AFTER, RETRY_S)];
            (StatusCode::SERVICE_UNAVAILABLE, headers, NO_CERTIFICATE).into_response()
        }
        _ => redirect(certificates.domain(), &request, is_read),
    };
    close_after(&mut response);
    response
}

/// Returns the redirect to the same path of the site.
fn redirect(domain: &str, request: &Request, is_read: bool) -> Response {
    // A client that sends another method must repeat it, with its body.
    let status = match is_read {
        true => StatusCode::MOVED_PERMANENTLY,
        false => StatusCode::PERMANENT_REDIRECT,
    };
    let path = request.uri().path_and_query().map(|it| it.as_str());
    // Requests such as `OPTIONS *` have no path.
    let path = path.filter(|it| it.starts_with('/')).unwrap_or("/");
    match HeaderValue::try_from(format!("https://{domain}{path}")) {
        Ok(location) => (status, [(header::LOCATION, location)]).into_response(),
        Err(_) => ApiError::NOT_HTTP.into_response(),
    }
}
