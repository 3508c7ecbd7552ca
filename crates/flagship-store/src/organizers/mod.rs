//! Organizers: people with roles, apart from teams. What a role may do is not decided here.

/// The value of a [`Done`]; its error is what the function returns.
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
    Changer, NewFactor, Organizer, OrganizerError, Proof, Standing, add, all, by_name, by_pass,
    codes_left, create_token, enrol, prove, remove, replace_factor, reset, rights_by_pass,
    set_rights, sign_in,
};
pub(crate) use people::{Done, by_name_in};
pub use rights::{NoRole, Rights, Role};
