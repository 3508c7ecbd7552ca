//! Test support shared by several crates. Never part of the product.

#[cfg(feature = "app")]
mod app;
mod bucket;
#[cfg(feature = "app")]
mod call;
mod captcha;
pub mod commands;
mod db;
pub mod fixtures;
#[cfg(feature = "app")]
mod mail;
#[cfg(feature = "app")]
pub mod nasty;
#[cfg(feature = "app")]
pub mod organizer;
#[cfg(feature = "app")]
pub mod player;
#[cfg(feature = "app")]
mod raw;
mod shared_data;
#[cfg(feature = "app")]
mod socket;

#[cfg(feature = "app")]
pub use app::{Answer, Player, TestApp, WAIT_MAX, until};
pub use bucket::TestBucket;
#[cfg(feature = "app")]
pub use call::{Call, Reply};
pub use captcha::solved_captcha;
pub use db::{Engine, TestDb};
pub use fixtures::{NOW_MS, numbered_team, short_event};
pub use flagship_control::shared_data;
#[cfg(feature = "app")]
pub use mail::Mail;
#[cfg(feature = "app")]
pub use player::Team;
#[cfg(feature = "app")]
pub use raw::Raw;
pub use shared_data::{copy_folder, python_with_yaml};
#[cfg(feature = "app")]
pub use socket::Socket;
