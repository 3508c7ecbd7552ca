//! Routes of the API, the site and the monitoring listener, with their OpenAPI description.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::accounts::{captcha, change, divisions, join, links, login, other_address, own, signup};
use super::error::ApiError;
use super::routes::{Routes, routes};
use super::schema::LiveMessage;
use super::{
    brand, calendar, event, files, headers, health, live, organize, passes, play, questions,
    scoreboard, site,
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
    /// Player endpoints and their pages, below `/api`.
    routes, routes_described:
    event::ctf,
    event::notices,
    event::rules,
    brand::own_page,
    play::challenges,
    play::solve,
    play::hint,
    passes::verification,
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
    join::join,
    links::confirm,
    links::resend,
    links::forgot,
    links::reset,
    links::stop,
    own::account,
    own::country,
    divisions::divisions,
    own::members,
    own::end_session,
    change::password,
    change::email,
    change::address,
}

routes! {
    /// Monitoring endpoints, outside the API.
    watchers, watchers_described:
    health::healthz,
    health::readyz,
}

routes! {
    /// Resources outside the API and besides the site's pages.
    beside, beside_described:
    calendar::calendar,
    brand::file,
    brand::manifest,
}

/// Returns the path templates of all routes.
pub fn templates() -> Vec<String> {
    let outside = watchers().merge(beside());
    let all = [("", outside), ("/api", routes()), (organize::PATH, organize::routes())];
    let templates = all.iter().flat_map(|(prefix, Routes { templates, .. })| {
        templates.iter().map(move |path| format!("{prefix}{path}"))
    });
    BTreeSet::from_iter(templates).into_iter().collect()
}

/// Generates the OpenAPI description of all routes as JSON. `web/openapi.json` is its last output.
pub fn openapi() -> String {
    let (_, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .merge(watchers_described())
        .merge(beside_described())
        .nest("/api", routes_described())
        .nest(organize::PATH, organize::described())
        .split_for_parts();
    for (path, item) in &mut description.paths.paths {
        for (operation, is_post) in [(&mut item.get, false), (&mut item.post, true)] {
            if let Some(operation) = operation {
                describe_failures(path, operation, is_post);
            }
        }
    }
    description.to_pretty_json().expect("the description is plain data") + "\n"
}

/// Adds the errors that follow from an operation's input and permissions, and the response body of
/// every error.
fn describe_failures(path: &str, operation: &mut Operation, is_post: bool) {
    let is_organizers = path.starts_with(organize::PATH);
    if is_organizers {
        operation.tags = Some(vec!["organizers".to_owned()]);
    }
    let has = |is_it: fn(&Parameter) -> bool| {
        let mut all = operation.parameters.iter().flatten();
        all.any(|parameter| matches!(parameter, RefOr::T(it) if is_it(it)))
    };
    let has_query = has(|it| it.parameter_in == ParameterIn::Query);
    let is_teams = has(|it| it.name == "X-Api-Key" && it.required == Required::True);
    let is_invited = path.ends_with("/invitation") || path.ends_with("/enrol");
    let takes_file = matches!(&operation.request_body,
        Some(RefOr::T(body)) if body.content.contains_key("application/octet-stream"));
    let responses = &mut operation.responses.responses;
    for (status, words, may_fail) in [
        ("400", "", is_post),
        ("401", "", is_teams || (is_organizers && !is_invited)),
        ("403", "", is_organizers),
        ("404", "", is_organizers),
        ("408", "The request timed out", true),
        ("413", "The request body is too large", is_post),
        ("415", "", is_post),
        ("422", "", has_query || (is_post && !takes_file)),
        ("500", "Internal server error", true),
        ("503", "Overloaded. Retry after the time in `Retry-After`", true),
    ] {
        if may_fail {
            let failure = ResponseBuilder::new().description(words).build();
            responses.entry(status.to_owned()).or_insert(failure.into());
        }
    }
    for (status, response) in responses {
        if let RefOr::T(response) = response
            && status.as_str() >= "400"
            && response.content.is_empty()
        {
            let error = Content::new(Some(Ref::from_schema_name("Error")));
            response.content.insert("application/json".to_owned(), error.into());
        }
    }
}

/// Builds all routes: the API under `/api`, its description and the site.
pub fn app(app: App) -> Router {
    let front = Arc::new(site::Front::new(&app));
    let page =
        move |state, method, uri, headers| site::page(front.clone(), state, method, uri, headers);
    let router = watchers()
        .merge(beside())
        .router
        .nest("/api", closed(routes().router))
        .nest(organize::PATH, closed(organize::routes().router))
        .route("/api/", axum::routing::any(|| async { ApiError::NOT_FOUND }))
        .route("/openapi.json", axum::routing::get(described))
        .fallback(page)
        .method_not_allowed_fallback(|| async { ApiError::METHOD });
    headers::wrap(router, &app).with_state(app)
}

/// Builds the routes of the monitoring listener.
pub fn monitoring(app: App) -> Router {
    let router = watchers().router.route("/metrics", axum::routing::get(health::metrics));
    headers::wrap(closed(router), &app).with_state(app)
}

/// Adds catalog errors for unknown paths and methods.
fn closed(router: Router<App>) -> Router<App> {
    let router = router.fallback(|| async { ApiError::NOT_FOUND });
    router.method_not_allowed_fallback(|| async { ApiError::METHOD })
}

/// Returns the OpenAPI description embedded at build time, as JSON.
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
    ([(header::CONTENT_TYPE, "application/json")], description()).into_response()
}
