//! The answers that most ask for, the board and a team's list of challenges, past the routes: what
//! is made already is given at once. Whatever asks for more than that goes the long way, and is
//! answered by the same functions, byte for byte alike.

use std::time::Instant;

use axum::http::{HeaderMap, Method, Request, header};
use axum::response::Response;

use crate::app::App;
use crate::extract::TOKEN_HEADER;
use crate::headers::{Asked, Secured};
use crate::{play, scoreboard};

/// The address of the board, whose answers its metrics count under the same name.
const BOARD: &str = "/api/scoreboard";
/// That of the list.
const LIST: &str = "/api/challenge";

/// The way past the routes.
pub struct Shortcut {
    app: App,
    secured: Secured,
}

impl Shortcut {
    /// None where answers differ by the site that asks: its headers are the routes' business.
    pub fn new(app: &App) -> Option<Self> {
        let is_alone = app.config().settings.site.allowed_origins.is_empty();
        is_alone.then(|| Self { app: app.clone(), secured: Secured::new(app) })
    }

    /// The answer, if it is ready.
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
        self.secured.dress(&mut response, &Asked { has_token, is_api: true, is_read: true });
        if let Some((metrics, begun)) = metrics {
            metrics.answered(Some(path), method, response.status(), begun.elapsed());
        }
        Some(response)
    }

    /// The board that is anyone's.
    fn board(&self, asked: &HeaderMap) -> Option<Response> {
        if asked.get(TOKEN_HEADER).is_some_and(|token| !token.is_empty()) {
            return None;
        }
        let body = &self.app.feed.view_already(None)?.published.body;
        scoreboard::respond_already(body, &body.end, asked)
    }

    /// The list of a team that is known to be logged in.
    fn list(&self, asked: &HeaderMap) -> Option<Response> {
        let team = self.app.team_already(asked.get(TOKEN_HEADER)?.to_str().ok()?)?;
        let view = self.app.feed.view_already(Some(team))?;
        Some(play::list(&view, &self.app.links, team))
    }
}
