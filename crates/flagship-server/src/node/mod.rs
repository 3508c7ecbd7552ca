//! The state of one node and the tasks that keep it up to date. No HTTP framework and no handler:
//! errors are values, which the API puts into words. Nothing here imports from `api`.

pub mod activity;
pub mod background;
pub mod backup;
pub mod board;
pub mod brand;
pub mod captcha;
pub mod check;
pub mod config;
pub mod downloads;
pub mod error;
pub mod flags;
pub mod follow;
pub mod heads;
pub mod housekeeping;
pub mod imports;
pub mod lane;
pub mod limits;
pub mod links;
pub mod lists;
pub mod mail;
pub mod metrics;
pub mod nodes;
pub mod organizers;
pub mod passwords;
pub mod readiness;
pub mod report;
pub mod reserved;
pub mod services;
pub mod sessions;
pub mod settings;
pub mod sightings;
pub mod sockets;
pub mod state;
pub mod uploads;
