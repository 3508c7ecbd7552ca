//! The answer that most ask for, the public board, past the routes: what is made already is given
//! at once. Whatever asks for more than that goes the long way, and is answered alike.

use std::time::Instant;

use axum::body::Body as AnyBody;
use axum::http::{HeaderMap, Method, Request, header};
use axum::response::Response;
use bytes::Bytes;

use crate::app::App;
use crate::extract::TOKEN_HEADER;
use crate::headers::{Asked, Secured};
use crate::scoreboard;

/// The address of the board, whose answers its metrics count under the same name.
const PATH: &str = "/api/scoreboard";

/// The way past the routes.
pub struct Shortcut {
    app: App,
    /// The headers that all of its answers have.
    headers: HeaderMap,
}

impl Shortcut {
    /// None where answers differ by the site that asks: its headers are the routes' business.
    pub fn new(app: &App) -> Option<Self> {
        if !app.config().settings.site.allowed_origins.is_empty() {
            return None;
        }
        let mut response = Response::new(AnyBody::empty());
        scoreboard::insert_own(response.headers_mut());
        let asked = Asked { has_token: false, is_api: true, is_read: true };
        Secured::new(app).dress(&mut response, &asked);
        Some(Self { app: app.clone(), headers: response.into_parts().0.headers })
    }

    /// The answer, if it is ready.
    pub fn answer<B>(&self, request: &Request<B>) -> Option<Response> {
        let (method, headers) = (request.method(), request.headers());
        let is_board =
            request.uri().path() == PATH && matches!(*method, Method::GET | Method::HEAD);
        let is_anyones = headers.get(TOKEN_HEADER).is_none_or(|token| token.is_empty());
        let has_body = [header::CONTENT_LENGTH, header::TRANSFER_ENCODING]
            .iter()
            .any(|name| headers.contains_key(name));
        if !is_board || !is_anyones || has_body || tracing::enabled!(tracing::Level::DEBUG) {
            return None;
        }
        let metrics = self.app.metrics.as_ref().map(|metrics| (metrics, Instant::now()));
        let published = self.app.feed.published_already()?;
        let body = &published.body;
        let form = (!scoreboard::is_known(body, headers)).then(|| scoreboard::best_form(headers));
        let bytes = match form {
            Some(form) => body.ready(form)?.clone(),
            None => Bytes::new(),
        };
        let mut response = Response::new(AnyBody::from(bytes));
        response.headers_mut().clone_from(&self.headers);
        scoreboard::describe(&mut response, body, form);
        if let Some((metrics, begun)) = metrics {
            metrics.answered(Some(PATH), method, response.status(), begun.elapsed());
        }
        Some(response)
    }
}
