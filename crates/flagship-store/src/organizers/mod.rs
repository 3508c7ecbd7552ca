//! Organizers: users with roles, separate from teams. The permissions of roles are defined
//! elsewhere.

/// Unwraps an [`OrganizerResult`], or returns its error from the function.
macro_rules! done {
    ($done:expr) => {
        match $done {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        }
    };
}
pub(crate) use done;

pub mod passes;
mod people;
pub(crate) mod record;
mod rights;
pub mod tokens;
pub mod totp;

pub use people::{
    Authorization, Changer, NewFactor, Organizer, OrganizerError, Proof, add, all, by_name,
    by_pass, codes_left, create_token, enrol, prove, remove, replace_factor, reset, rights_by_pass,
    set_rights, sign_in,
};
pub(crate) use people::{OrganizerResult, by_name_in};
pub use rights::{Rights, Role, UnknownRole};
