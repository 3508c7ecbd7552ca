//! Tokens for links in emails, and codes that people read out.

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};

/// Size of a link token, in bytes.
pub const LINK_TOKEN_BYTES: usize = 32;
/// Number of random bytes in a code.
const CODE_BYTES: usize = 10;
/// Length of a code in characters: 80 bits in base32.
const CODE_CHARS: usize = 16;
/// Number of characters per group of a code.
const GROUP: usize = 4;

/// Generates a random token for a link.
pub fn new_link_token() -> String {
    BASE64URL_NOPAD.encode(&rand::random::<[u8; LINK_TOKEN_BYTES]>())
}

/// Generates a code that people can read out, such as `abcd-efgh-ijkl-mnop`.
pub fn new_code() -> String {
    grouped(&BASE32_NOPAD.encode(&rand::random::<[u8; CODE_BYTES]>()).to_lowercase())
}

/// Adds the hyphens to a code that is stored without them.
pub fn grouped(code: &str) -> String {
    let groups: Vec<&str> =
        (0..code.len()).step_by(GROUP).map(|at| &code[at..code.len().min(at + GROUP)]).collect();
    groups.join("-")
}

/// Token of a code as typed: case, spaces and hyphens are ignored. `None` if the text is not a
/// code.
pub fn token_of_code(code: &str) -> Option<String> {
    let code: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let code = code.to_ascii_lowercase();
    let is_code = code.len() == CODE_CHARS
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte));
    is_code.then_some(code)
}
