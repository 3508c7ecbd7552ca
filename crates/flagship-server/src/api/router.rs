//! The routes of the API, the site and the monitoring listener, and their OpenAPI description.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, Ref, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accounts::{captcha, change, links, login, other_address, own, signup};
use super::error::ApiError;
use super::{
    brand, calendar, event, files, headers, health, live, organize, play, questions, scoreboard,
    site,
};
use crate::node::state::App;

#[derive(OpenApi)]
#[openapi(info(
    title = "Flagship",
    description = r#"The API of a Flagship event. Errors are {"code": "...", "message": "..."}."#,
    license(name = "AGPL-3.0-only", identifier = "AGPL-3.0-only")
))]
struct Description;

fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(event::ctf))
        .routes(routes!(event::notices))
        .routes(routes!(event::rules))
        .routes(routes!(brand::own_page))
        .routes(routes!(play::challenges))
        .routes(routes!(play::solve))
        .routes(routes!(questions::ask))
        .routes(routes!(questions::own))
        .routes(routes!(scoreboard::snapshot))
        .routes(routes!(scoreboard::team))
        .routes(routes!(scoreboard::ctftime))
        .routes(routes!(files::attachment))
        .routes(routes!(live::live))
        .routes(routes!(captcha::challenge))
        .routes(routes!(signup::signup))
        .routes(routes!(other_address::other_address))
        .routes(routes!(login::login))
        .routes(routes!(login::logout))
        .routes(routes!(links::confirm))
        .routes(routes!(links::resend))
        .routes(routes!(links::forgot))
        .routes(routes!(links::reset))
        .routes(routes!(links::stop))
        .routes(routes!(own::account))
        .routes(routes!(own::country))
        .routes(routes!(own::members))
        .routes(routes!(own::end_session))
        .routes(routes!(change::password))
        .routes(routes!(change::email))
        .routes(routes!(change::address))
}

/// The calls for monitoring, outside the API.
fn watchers() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
}

/// What people fetch beside the site's pages, outside the API.
fn beside() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(calendar::calendar))
        .routes(routes!(brand::file))
        .routes(routes!(brand::manifest))
}

fn described() -> (Router<App>, utoipa::openapi::OpenApi) {
    let organizers = OpenApiRouter::new().nest(organize::PATH, organize::routes());
    watchers().merge(beside()).nest("/api", routes()).merge(organizers).split_for_parts()
}

/// The path templates of all routes.
pub fn templates() -> Vec<String> {
    described().1.paths.paths.into_keys().collect()
}

/// The HTTP description, as JSON.
pub fn openapi() -> String {
    let (_, mut description) = described();
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
    let (api, _) = routes().split_for_parts();
    let api = api.fallback(|| async { ApiError::NOT_FOUND });
    let api = api.method_not_allowed_fallback(|| async { ApiError::METHOD });
    let front = Arc::new(site::Front::new(&app));
    let page =
        move |state, method, uri, headers| site::page(front.clone(), state, method, uri, headers);
    let (organizers, _) = organize::routes().split_for_parts();
    let organizers = organizers.fallback(|| async { ApiError::NOT_FOUND });
    let organizers = organizers.method_not_allowed_fallback(|| async { ApiError::METHOD });
    let router = watchers()
        .merge(beside())
        .split_for_parts()
        .0
        .nest("/api", api)
        .nest(organize::PATH, organizers)
        .route("/api/", axum::routing::any(|| async { ApiError::NOT_FOUND }))
        .route("/openapi.json", axum::routing::get(description))
        .fallback(page)
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}

/// The routes of the monitoring listener.
pub fn watched(app: App) -> Router {
    let (router, _) = watchers().split_for_parts();
    let router = router
        .route("/metrics", axum::routing::get(health::metrics))
        .fallback(|| async { ApiError::NOT_FOUND })
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::around(router, &app).with_state(app)
}

/// The HTTP description.
async fn description() -> Response {
    static DESCRIPTION: LazyLock<String> = LazyLock::new(openapi);
    let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (json, DESCRIPTION.as_str()).into_response()
}
