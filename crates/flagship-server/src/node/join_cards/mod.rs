//! Printable join cards: their secrets, and the sheet with their QR codes. The store contains only
//! digests of the secrets, so a sheet cannot be printed again after its response or file is gone.

mod secrets;
mod sheet;

pub use secrets::{code_digest, new_secrets};
pub use sheet::sheet;
