//! What tests of several crates share. Never part of the product.

mod db;

pub use db::{Engine, TestDb};
