//! Organizer endpoints, under `/api/organize`: the only routes that read cookies.

mod account;
mod actions;
mod apply;
mod auth;
mod backup;
mod blocking;
mod ceremony;
mod challenges;
mod checks;
mod cursor;
mod desk;
mod effect;
mod evidence;
mod exports;
pub mod files;
mod flags;
mod live;
mod mail_test;
mod overview;
mod privacy;
mod settings;
mod site;
mod sources;
mod story;
mod submissions;
mod teams;
mod texts;

use account::{factor, people, session, tokens};
use actions::log;
use apply::pull;
use teams::{cards, codes, divisions, import};

use super::routes::routes;

/// Path prefix of the routes.
pub const PATH: &str = "/api/organize";

/// Path for file uploads, below the prefix.
pub const UPLOADS: &str = "/files";

routes! {
    /// The routes.
    routes, described:
    session::invitation,
    session::enrol,
    session::sign_in,
    session::sign_out,
    session::me,
    session::sessions,
    session::end_session,
    factor::prove,
    factor::new,
    factor::replace,
    people::list,
    people::add,
    people::role,
    people::reset,
    people::remove,
    tokens::list,
    tokens::make_own,
    tokens::make_of,
    tokens::end,
    privacy::show,
    privacy::erase,
    backup::download,
    checks::run,
    overview::overview,
    live::live,
    exports::teams,
    exports::challenges,
    exports::flags,
    exports::overview,
    exports::evidence,
    exports::team_flags,
    exports::standings,
    exports::solves,
    exports::winners,
    exports::journal,
    ceremony::ceremony,
    evidence::list,
    teams::list,
    import::preview,
    import::import,
    cards::make,
    codes::codes,
    divisions::divisions,
    story::story,
    challenges::list,
    actions::action,
    log::list,
    actions::undo,
    apply::apply,
    pull::live_event,
    pull::live_file,
    settings::read,
    mail_test::test,
    texts::preview,
    site::answers,
    desk::list_questions,
    desk::list_notices,
    sources::read,
    sources::preview,
    files::upload,
    flags::attempt,
    submissions::list,
}
