//! Cached responses bypass the router: the board, and a team's list of challenges. Other requests
//! go through the router, whose handlers make the same responses, byte for byte.

use std::time::Instant;

use axum::http::{HeaderMap, Method, Request, header};
use axum::response::Response;

use super::extract::TOKEN_HEADER;
use super::headers::{Asked, Secured};
use super::{play, scoreboard};
use crate::node::state::App;

/// The path of the board, which is also its label in the metrics.
const BOARD: &str = "/api/scoreboard";
/// The path of the list of challenges.
const LIST: &str = "/api/challenge";

/// Finds cached responses.
pub struct Shortcut {
    app: App,
    secured: Secured,
}

impl Shortcut {
    /// `None` if other origins are allowed: only the routes write their headers.
    pub fn new(app: &App) -> Option<Self> {
        let is_alone = app.config().settings.site.allowed_origins.is_empty();
        is_alone.then(|| Self { app: app.clone(), secured: Secured::new(app) })
    }

    /// The response, if it is cached.
    pub fn answer<B>(&self, request: &Request<B>) -> Option<Response> {
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
        let metrics = self.app.metrics.as_ref().map(|metrics| (metrics, Instant::now()));
        let mut response = if path == BOARD { self.board(headers) } else { self.list(headers) }?;
        let has_token = headers.get(TOKEN_HEADER).is_some_and(|token| !token.is_empty());
        self.secured.apply(&mut response, &Asked { has_token, is_api: true, is_read: true });
        if let Some((metrics, begun)) = metrics {
            metrics.responded(Some(path), method, response.status(), begun.elapsed());
        }
        Some(response)
    }

    /// The public board.
    fn board(&self, asked: &HeaderMap) -> Option<Response> {
        if asked.get(TOKEN_HEADER).is_some_and(|token| !token.is_empty()) {
            return None;
        }
        let body = &self.app.feed.cached_view(None)?.published.body;
        scoreboard::cached_response(body, &body.end, asked)
    }

    /// The list of a team whose session is in memory.
    fn list(&self, asked: &HeaderMap) -> Option<Response> {
        let team = self.app.known_team_of(asked.get(TOKEN_HEADER)?.to_str().ok()?)?;
        let view = self.app.feed.cached_view(Some(team))?;
        Some(play::list(&view, &self.app.links, team))
    }
}
