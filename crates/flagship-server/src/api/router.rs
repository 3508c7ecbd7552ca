//! The routes of the API, the site and the monitoring listener, and their OpenAPI description.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::accounts::{captcha, change, links, login, other_address, own, signup};
use super::error::ApiError;
use super::routes::{Routes, routes};
use super::schema::LiveMessage;
use super::{
    brand, calendar, event, files, headers, health, live, organize, play, questions, scoreboard,
    site,
};
use crate::node::state::App;

const ABOUT: &str = r#"The API of a Flagship event. Errors are {"code": "...", "message": "..."}."#;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Flagship",
        description = ABOUT,
        license(name = "AGPL-3.0-only", identifier = "AGPL-3.0-only")
    ),
    components(schemas(LiveMessage))
)]
struct Description;

routes! {
    /// The calls of players and their pages, below `/api`.
    routes, routes_described:
    event::ctf,
    event::notices,
    event::rules,
    brand::own_page,
    play::challenges,
    play::solve,
    questions::ask,
    questions::own,
    scoreboard::snapshot,
    scoreboard::own_solves,
    scoreboard::team,
    scoreboard::ctftime,
    files::attachment,
    live::live,
    captcha::challenge,
    signup::signup,
    other_address::other_address,
    login::login,
    login::logout,
    links::confirm,
    links::resend,
    links::forgot,
    links::reset,
    links::stop,
    own::account,
    own::country,
    own::members,
    own::end_session,
    change::password,
    change::email,
    change::address,
}

routes! {
    /// The calls for monitoring, outside the API.
    watchers, watchers_described:
    health::healthz,
    health::readyz,
}

routes! {
    /// What people fetch beside the site's pages, outside the API.
    beside, beside_described:
    calendar::calendar,
    brand::file,
    brand::manifest,
}

/// The path templates of all routes.
pub fn templates() -> Vec<String> {
    let outside = watchers().merge(beside());
    let all = [("", outside), ("/api", routes()), (organize::PATH, organize::routes())];
    let mut templates = BTreeSet::new();
    for (prefix, Routes { templates: below, .. }) in all {
        templates.extend(below.iter().map(|path| format!("{prefix}{path}")));
    }
    templates.into_iter().collect()
}

/// Makes the HTTP description of all routes, as JSON. `web/openapi.json` is what it made last.
pub fn openapi() -> String {
    let (_, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .merge(watchers_described())
        .merge(beside_described())
        .nest("/api", routes_described())
        .nest(organize::PATH, organize::described())
        .split_for_parts();
    for item in description.paths.paths.values_mut() {
        for (operation, takes_body) in [(&mut item.get, false), (&mut item.post, true)] {
            if let Some(operation) = operation {
                describe_failures(operation, takes_body);
            }
        }
    }
    description.to_pretty_json().expect("the description is plain data") + "\n"
}

/// Adds the failures that any call may respond with.
fn describe_failures(operation: &mut Operation, takes_body: bool) {
    for (status, words) in [
        ("408", "The request took too long"),
        ("413", "The body is too large"),
        ("500", "Our own fault"),
        ("503", "Too much to do; `Retry-After` says when to come back"),
    ] {
        if status == "413" && !takes_body {
            continue;
        }
        let error = Content::new(Some(Ref::from_schema_name("Error")));
        let response = ResponseBuilder::new().description(words);
        let response = response.content("application/json", error).build();
        operation.responses.responses.entry(status.to_owned()).or_insert(response.into());
    }
}

/// All routes: the API under `/api`, the description, the site.
pub fn app(app: App) -> Router {
    let api = routes().router.fallback(|| async { ApiError::NOT_FOUND });
    let api = api.method_not_allowed_fallback(|| async { ApiError::METHOD });
    let front = Arc::new(site::Front::new(&app));
    let page =
        move |state, method, uri, headers| site::page(front.clone(), state, method, uri, headers);
    let organizers = organize::routes().router.fallback(|| async { ApiError::NOT_FOUND });
    let organizers = organizers.method_not_allowed_fallback(|| async { ApiError::METHOD });
    let router = watchers()
        .merge(beside())
        .router
        .nest("/api", api)
        .nest(organize::PATH, organizers)
        .route("/api/", axum::routing::any(|| async { ApiError::NOT_FOUND }))
        .route("/openapi.json", axum::routing::get(described))
        .fallback(page)
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}

/// The routes of the monitoring listener.
pub fn watched(app: App) -> Router {
    let router = watchers()
        .router
        .route("/metrics", axum::routing::get(health::metrics))
        .fallback(|| async { ApiError::NOT_FOUND })
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}

/// The HTTP description that the program was built with, as JSON.
pub fn description() -> &'static str {
    static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
        let packed = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
        let mut plain = String::new();
        let read = GzDecoder::new(&packed[..]).read_to_string(&mut plain);
        read.expect("the build compressed it");
        plain
    });
    &DESCRIPTION
}

async fn described() -> Response {
    let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (json, description()).into_response()
}
