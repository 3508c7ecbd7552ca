//! Accounts: signing up, logging in and out, mailed links, and a team's own account.

mod admit;
mod browser;
pub mod captcha;
pub mod change;
pub mod links;
pub mod login;
pub mod other_address;
pub mod own;
pub mod signup;

pub use admit::admit;
