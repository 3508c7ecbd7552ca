//! Cached responses that bypass the router: the scoreboard and a team's challenge list. All other
//! requests go through the router, whose handlers produce byte-identical responses.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Instant;

use axum::body::Body as AnyBody;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use axum::response::Response;

use super::extract::{TOKEN_HEADER, client_network};
use super::headers::{CommonHeaders, RequestTraits};
use super::play;
use super::scoreboard::{self, FormChoice};
use crate::net::body::{Body, Pieces};
use crate::node::state::App;

/// The team token header, as a name that does not need parsing for each request.
static TOKEN: HeaderName = HeaderName::from_static(TOKEN_HEADER);
/// Path of the scoreboard, also used as its metrics label.
const BOARD: &str = "/api/scoreboard";
/// Path of the challenge list.
const LIST: &str = "/api/challenge";

/// Finds cached responses.
pub struct Shortcut {
    app: App,
    common: CommonHeaders,
    /// Scoreboard headers by form, for full and 304 responses, kept from the first response of each
    /// kind. Only the ETag and the length differ between responses.
    board_headers: [[OnceLock<HeaderMap>; 2]; 3],
    /// Headers of a challenge list, where only the length differs.
    list_headers: OnceLock<HeaderMap>,
}

impl Shortcut {
    /// Returns `None` if other origins are allowed, because only the routes write their headers.
    pub fn new(app: &App) -> Option<Self> {
        let is_alone = app.config().settings.site.allowed_origins.is_empty();
        is_alone.then(|| Self {
            app: app.clone(),
            common: CommonHeaders::new(app),
            board_headers: Default::default(),
            list_headers: OnceLock::new(),
        })
    }

    /// Returns the response to a peer's request if it is cached.
    pub fn answer<B>(&self, request: &Request<B>, peer: SocketAddr) -> Option<Response> {
        let (method, headers) = (request.method(), request.headers());
        let path = request.uri().path();
        let is_known =
            matches!(path, BOARD | LIST) && matches!(*method, Method::GET | Method::HEAD);
        let has_body = [header::CONTENT_LENGTH, header::TRANSFER_ENCODING]
            .iter()
            .any(|name| headers.contains_key(name));
        if !is_known || has_body || tracing::enabled!(tracing::Level::DEBUG) {
            return None;
        }
        let metrics = self.app.serving.metrics.as_ref().map(|metrics| (metrics, Instant::now()));
        let response = if path == BOARD { self.board(headers) } else { self.list(request, peer) }?;
        if let Some((metrics, begun)) = metrics {
            metrics.responded(Some(path), method, response.status(), begun.elapsed());
        }
        Some(response)
    }

    /// Returns the public scoreboard.
    fn board(&self, asked: &HeaderMap) -> Option<Response> {
        if asked.get(&TOKEN).is_some_and(|token| !token.is_empty()) {
            return None;
        }
        let body = &self.app.board.feed.cached_view(None)?.published.body;
        let choice = scoreboard::choose(&body.etags, asked);
        let kept = &self.board_headers[choice.form as usize][usize::from(choice.is_known)];
        if let Some(headers) = kept.get() {
            return with_headers(headers, body, choice);
        }
        let mut response = scoreboard::cached_response(body, asked)?;
        self.common.apply(&mut response, &RequestTraits { has_token: false, ..READ });
        // Another request may already have stored the same headers.
        drop(kept.set(response.headers().clone()));
        Some(response)
    }

    /// Returns the challenge list of a team whose session is in memory.
    fn list<B>(&self, request: &Request<B>, peer: SocketAddr) -> Option<Response> {
        let (app, asked) = (&self.app, request.headers());
        let team = app.accounts.known_team_of(asked.get(&TOKEN)?.to_str().ok()?)?;
        let view = app.board.feed.cached_view(Some(team))?;
        let copies = app.serving.copies.known_own(&view.contest, team)?;
        let client = client_network(asked, peer.ip(), &app.serving.settings);
        let list = play::list(app, &view, (team, &copies), &client, request.method());
        if let Some(headers) = self.list_headers.get() {
            return Some(with_body(headers.clone(), list));
        }
        let mut response = play::list_response(list);
        self.common.apply(&mut response, &RequestTraits { has_token: true, ..READ });
        drop(self.list_headers.set(response.headers().clone()));
        Some(response)
    }
}

/// Properties shared by all requests with a cached response.
const READ: RequestTraits =
    RequestTraits { has_token: false, is_organizers: false, is_api: true, is_read: true };

/// Returns the scoreboard with headers kept from an earlier response.
fn with_headers(headers: &HeaderMap, body: &Body, choice: FormChoice) -> Option<Response> {
    let mut headers = headers.clone();
    // Replaced values keep their position among the headers.
    headers.insert(header::ETAG, body.etags.tag(choice.form).clone());
    if !choice.is_known {
        return Some(with_body(headers, body.get(choice.form)?.into()));
    }
    let mut response = Response::new(AnyBody::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.headers_mut() = headers;
    Some(response)
}

fn with_body(mut headers: HeaderMap, body: Pieces) -> Response {
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.bytes()));
    let mut response = Response::new(AnyBody::new(body));
    *response.headers_mut() = headers;
    response
}
