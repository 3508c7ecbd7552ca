//! The HTTP API, the live channel and the embedded site: handlers over the node's state.

mod accounts;
mod brand;
mod calendar;
mod error;
mod event;
mod extract;
mod files;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
mod headers;
mod health;
mod html;
mod live;
mod organize;
mod passes;
mod play;
mod questions;
mod redirects;
mod router;
mod routes;
mod schema;
mod scoreboard;
mod serve;
mod shortcut;
mod site;

pub use error::ApiError;
pub use router::{app, description, openapi};
pub use serve::{serve, serve_metrics, serve_redirects, serve_router};
