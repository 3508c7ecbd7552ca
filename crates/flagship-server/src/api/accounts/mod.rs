//! Accounts: signup, login, logout, emailed links, join cards and a team's own account.

mod admission;
mod browser;
pub mod captcha;
pub mod change;
pub mod divisions;
pub mod join;
pub mod links;
pub mod login;
pub mod other_address;
pub mod own;
pub mod signup;

pub use admission::admit;
