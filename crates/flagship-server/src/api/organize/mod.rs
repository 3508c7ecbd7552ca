//! What organizers call, under `/api/organize`: the only routes that read a cookie.

mod acts;
mod by;
mod challenges;
mod cursor;
mod desk;
mod edits;
mod effect;
mod evidence;
mod exports;
mod factor;
pub mod files;
mod flags;
mod live;
mod mail_test;
pub mod orders;
mod overview;
mod people;
mod session;
mod settings;
mod sources;
mod story;
mod submissions;
mod teams;

pub use edits::flags_of;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::node::state::App;

/// Where the routes are.
pub const PATH: &str = "/api/organize";

/// Where files are uploaded, below it.
pub const UPLOADS: &str = "/files";

/// The routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session::invitation))
        .routes(routes!(session::enrol))
        .routes(routes!(session::sign_in))
        .routes(routes!(session::sign_out))
        .routes(routes!(session::me))
        .routes(routes!(session::sessions))
        .routes(routes!(session::end_session))
        .routes(routes!(factor::prove))
        .routes(routes!(factor::new))
        .routes(routes!(factor::replace))
        .routes(routes!(people::list))
        .routes(routes!(people::add))
        .routes(routes!(people::role))
        .routes(routes!(people::reset))
        .routes(routes!(people::remove))
        .routes(routes!(overview::overview))
        .routes(routes!(live::live))
        .routes(routes!(exports::teams))
        .routes(routes!(exports::challenges))
        .routes(routes!(exports::flags))
        .routes(routes!(exports::overview))
        .routes(routes!(exports::evidence))
        .routes(routes!(exports::standings))
        .routes(routes!(exports::solves))
        .routes(routes!(exports::winners))
        .routes(routes!(exports::journal))
        .routes(routes!(evidence::list))
        .routes(routes!(teams::list))
        .routes(routes!(story::story))
        .routes(routes!(challenges::list))
        .routes(routes!(acts::act, acts::list))
        .routes(routes!(acts::undo))
        .routes(routes!(settings::read))
        .routes(routes!(mail_test::test))
        .routes(routes!(desk::list_questions))
        .routes(routes!(desk::list_notices))
        .routes(routes!(sources::read))
        .routes(routes!(sources::preview))
        .routes(routes!(files::upload))
        .routes(routes!(flags::attempt))
        .routes(routes!(submissions::list))
}
