//! Organizers: people with roles, apart from teams. What a role may do is not decided here.

pub mod passes;
mod people;
mod rights;
mod script_tokens;
pub mod tokens;
pub mod totp;

pub use people::{
    Changer, NewFactor, Organizer, OrganizerError, Proof, Standing, add, all, by_name, by_pass,
    codes_left, create_token, enrol, prove, remove, replace_factor, reset, rights_by_pass,
    set_rights, sign_in,
};
pub use rights::{NoRole, Rights, Role};
pub(crate) use script_tokens::{END_OWN, OWN_TOKEN, TOKEN};
pub use script_tokens::{
    ScriptToken, TOKEN_DAYS_MAX, TOKENS_MAX, end_own, end_token, make_token,
    tokens as script_tokens,
};
