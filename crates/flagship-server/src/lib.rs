//! HTTP, the live channel, mail, captcha, limits and the embedded site.
//!
//! `App::open` makes the state, `app` the routes over it, `serve` runs them on a listener until
//! it is told to stop.

mod accounts;
mod app;
mod attempts;
mod background;
mod body;
mod budgets;
mod captcha;
mod cards;
mod connection;
pub mod deflate;
mod downloads;
mod error;
mod event;
mod extract;
mod files;
mod flags;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
mod headers;
mod heads;
mod health;
mod hub;
mod lane;
mod links;
mod live;
mod mailer;
mod metrics;
mod nodes;
mod passwords;
mod places;
mod play;
mod process;
mod published;
mod refusals;
mod schema;
mod scoreboard;
mod serve;
mod sessions;
mod shortcut;
mod site;
pub mod socket;

pub use accounts::{Email, is_country};
pub use app::{App, Config, app, openapi};
pub use error::ApiError;
pub use lane::LaneError;
pub use passwords::hash_of;
pub use play::Played;
pub use serve::{raise_open_files, serve, serve_metrics, serve_router};
pub use sessions::new_token;
