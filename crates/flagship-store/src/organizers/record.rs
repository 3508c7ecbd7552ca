//! Audit log entries about organizers and their tokens.

use serde_json::{Value, json};

use super::Rights;

/// Adding an organizer.
pub(crate) const ADD: &str = "organizer.add";
/// Changing an organizer's roles.
pub(crate) const ROLE: &str = "organizer.role";
/// Resetting an organizer's password and second factor.
pub(crate) const RESET: &str = "organizer.reset";
/// Removing an organizer.
pub(crate) const REMOVE: &str = "organizer.remove";

/// Object name of an organizer.
pub(crate) fn object(organizer_id: i64) -> String {
    format!("organizer {organizer_id}")
}

/// Roles and challenges as arguments of an entry.
pub(super) fn rights(of: &Rights) -> Value {
    let (roles, challenges) = of.lists();
    json!({"roles": roles, "challenges": challenges})
}
