//! Cached responses bypass the router: the board, and a team's list of challenges. Other requests
//! go through the router, whose handlers make the same responses, byte for byte.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Instant;

use axum::body::Body as AnyBody;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use axum::response::Response;

use super::extract::{TOKEN_HEADER, client_network};
use super::headers::{Asked, Secured};
use super::play;
use super::scoreboard::{self, Choice};
use crate::net::body::{Body, Pieces};
use crate::node::state::App;

/// The header with a team's token, as a name that need not be parsed for each request.
static TOKEN: HeaderName = HeaderName::from_static(TOKEN_HEADER);
/// The path of the board, which is also its label in the metrics.
const BOARD: &str = "/api/scoreboard";
/// The path of the list of challenges.
const LIST: &str = "/api/challenge";

/// Finds cached responses.
pub struct Shortcut {
    app: App,
    secured: Secured,
    /// The headers of the board by form, of whole responses and of "not modified", kept from the
    /// first response of each kind. Only the ETag and the length differ between responses.
    board_headers: [[OnceLock<HeaderMap>; 2]; 3],
    /// Those of a team's list, of which only the length differs.
    list_headers: OnceLock<HeaderMap>,
}

impl Shortcut {
    /// `None` if other origins are allowed: only the routes write their headers.
    pub fn new(app: &App) -> Option<Self> {
        let is_alone = app.config().settings.site.allowed_origins.is_empty();
        is_alone.then(|| Self {
            app: app.clone(),
            secured: Secured::new(app),
            board_headers: Default::default(),
            list_headers: OnceLock::new(),
        })
    }

    /// The response to a request from a peer, if it is cached.
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

    /// The public board.
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
        self.secured.apply(&mut response, &Asked { has_token: false, ..READ });
        // Another request may have kept the same.
        drop(kept.set(response.headers().clone()));
        Some(response)
    }

    /// The list of a team whose session is in memory.
    fn list<B>(&self, request: &Request<B>, peer: SocketAddr) -> Option<Response> {
        let (app, asked) = (&self.app, request.headers());
        let team = app.accounts.known_team_of(asked.get(&TOKEN)?.to_str().ok()?)?;
        let view = app.board.feed.cached_view(Some(team))?;
        let client = client_network(asked, peer.ip(), &app.serving.settings);
        let list = play::list(app, &view, team, &client, request.method());
        if let Some(headers) = self.list_headers.get() {
            return Some(with_body(headers.clone(), list));
        }
        let mut response = play::listed(list);
        self.secured.apply(&mut response, &Asked { has_token: true, ..READ });
        drop(self.list_headers.set(response.headers().clone()));
        Some(response)
    }
}

/// What all cached responses are asked for by.
const READ: Asked = Asked { has_token: false, is_organizers: false, is_api: true, is_read: true };

/// The board with headers that were kept from an earlier response.
fn with_headers(headers: &HeaderMap, body: &Body, choice: Choice) -> Option<Response> {
    let mut headers = headers.clone();
    // Values that are replaced keep their place among the headers.
    headers.insert(header::ETAG, body.etags.of_form(choice.form).clone());
    if !choice.is_known {
        return Some(with_body(headers, body.made(choice.form)?.into()));
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
