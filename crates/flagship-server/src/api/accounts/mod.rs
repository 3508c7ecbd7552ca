//! Accounts: signup, login, logout, emailed links and a team's own account.

mod admission;
mod browser;
pub mod captcha;
pub mod change;
pub mod links;
pub mod login;
pub mod other_address;
pub mod own;
pub mod signup;

pub use admission::admit;
