//! The answers that most ask for, the public board and a team's list of challenges, past the
//! routes: what is made already is given at once. Whatever asks for more than that goes the long
//! way, and is answered alike.

use std::time::Instant;

use axum::body::Body as AnyBody;
use axum::http::{HeaderMap, HeaderValue, Method, Request, header};
use axum::response::Response;
use bytes::Bytes;

use crate::app::App;
use crate::extract::TOKEN_HEADER;
use crate::headers::{Asked, Secured};
use crate::scoreboard;

/// The address of the board, whose answers its metrics count under the same name.
const BOARD: &str = "/api/scoreboard";
/// That of the list.
const LIST: &str = "/api/challenge";

/// The way past the routes.
pub struct Shortcut {
    app: App,
    /// The headers that all boards have.
    board: HeaderMap,
    /// Those of the lists.
    list: HeaderMap,
}

impl Shortcut {
    /// None where answers differ by the site that asks: its headers are the routes' business.
    pub fn new(app: &App) -> Option<Self> {
        if !app.config().settings.site.allowed_origins.is_empty() {
            return None;
        }
        let secured = Secured::new(app);
        let dressed = |own: HeaderMap, has_token| {
            let mut response = Response::new(AnyBody::empty());
            *response.headers_mut() = own;
            secured.dress(&mut response, &Asked { has_token, is_api: true, is_read: true });
            response.into_parts().0.headers
        };
        let (mut board, mut list) = (HeaderMap::new(), HeaderMap::new());
        scoreboard::insert_own(&mut board);
        list.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let (board, list) = (dressed(board, false), dressed(list, true));
        Some(Self { app: app.clone(), board, list })
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
        let response = if path == BOARD { self.board(headers) } else { self.list(headers) }?;
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
        let published = self.app.feed.published_already()?;
        let body = &published.body;
        let form = (!scoreboard::is_known(body, asked)).then(|| scoreboard::best_form(asked));
        let bytes = match form {
            Some(form) => body.ready(form)?.clone(),
            None => Bytes::new(),
        };
        let mut response = Response::new(AnyBody::from(bytes));
        response.headers_mut().clone_from(&self.board);
        scoreboard::describe(&mut response, body, form);
        Some(response)
    }

    /// The list of a team that is known to be logged in.
    fn list(&self, asked: &HeaderMap) -> Option<Response> {
        let team = self.app.team_already(asked.get(TOKEN_HEADER)?.to_str().ok()?)?;
        let published = self.app.feed.published_already_for(team)?;
        let json = published.cards.list(&published, &self.app.links, team);
        let mut response = Response::new(AnyBody::from(json));
        response.headers_mut().clone_from(&self.list);
        Some(response)
    }
}
