//! Actions about signup codes.

pub mod make;
pub mod revoke;

use flagship_store::token_hash;

/// Object of an action about a code: the start of its digest, because the audit log has no codes.
fn object(code: &str) -> String {
    format!("code {}", &token_hash(code)[..16])
}
