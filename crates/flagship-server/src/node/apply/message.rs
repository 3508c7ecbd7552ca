//! Messages about applied and rejected plans.

use flagship_store::ops::{Apply, ApplyError};

use super::difference::counted;

/// Reason for rejecting a plan that needs two-factor authentication.
pub const FACTOR: &str = "the change of the event's times or of its reveal needs two-factor \
                          authentication, which a token does not have; make it on the site, or \
                          apply the files on the server's machine";

/// Message for an applied plan.
pub fn applied_message(Apply { changes }: Apply) -> String {
    match changes {
        0 => "nothing to change".to_owned(),
        changes => counted(changes, "change applied", "changes applied"),
    }
}

/// Message for a rejected plan.
pub fn apply_error_message(error: ApplyError) -> String {
    let destructions = match error {
        ApplyError::Unconfirmed { destructions } => destructions,
        ApplyError::LiveConflict { .. } => {
            return "nothing was applied: challenges were changed in the meantime; try again"
                .to_owned();
        }
        ApplyError::Ended => return "nothing was applied: the session has ended".to_owned(),
        ApplyError::Factor => return format!("nothing was applied: {FACTOR}"),
    };
    let changes = counted(destructions, "change is destructive", "changes are destructive");
    format!("nothing was applied: {changes}; add `--confirm {destructions}` to apply them")
}
