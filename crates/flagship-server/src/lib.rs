//! The server: HTTP, live channel, email, captcha, rate limits and the embedded site.
//!
//! Three layers, each of which imports only from the ones before it: `net` (bytes and protocols),
//! `node` (the state and its tasks) and `api` (handlers). `App::open` builds the state, `app` the
//! routes over it, and `serve` serves them on a listener until shutdown.

mod api;
mod net;
mod node;

#[cfg(any(test, feature = "fuzz"))]
pub use api::fuzz;
pub use api::{
    ApiError, app, description, openapi, serve, serve_metrics, serve_redirects, serve_router,
};
pub use net::serve::raise_open_files;
pub use net::{deflate, socket};
pub use node::apply;
pub use node::backup;
pub use node::certificate::{CertificateTimes, Certificates, stored_certificate};
pub use node::config::Config;
pub use node::error::{LaneError, NodeError};
pub use node::imports;
pub use node::join_cards;
pub use node::judging::judge::SubmissionResult;
pub use node::lists;
pub use node::organizers::{Organizers, invitation_link};
pub use node::passwords::hash_of;
pub use node::services::check_settings;
pub use node::services::transport::log_in as log_in_to_mail;
pub use node::services::with_stored_secrets;
pub use node::sessions::new_token;
pub use node::settings::{
    at_start_in, left_by_files, live_over_site, over_site, settings_in, settings_of_site,
};
pub use node::state::App;
pub use node::storage;
pub use node::uploads::Uploads;
