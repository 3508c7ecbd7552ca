//! Tokens of mailed links, and codes that people tell each other.

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};

/// Bytes of the token of a mailed link.
pub const LINK_TOKEN_BYTES: usize = 32;
/// Random bytes of a code.
const CODE_BYTES: usize = 10;
/// Characters of a code: 80 bits in base32.
const CODE_CHARS: usize = 16;
/// Characters of a group of a code.
const GROUP: usize = 4;

/// A random token for a link.
pub fn new_link_token() -> String {
    BASE64URL_NOPAD.encode(&rand::random::<[u8; LINK_TOKEN_BYTES]>())
}

/// A new code that people can read out, as `abcd-efgh-ijkl-mnop`.
pub fn new_code() -> String {
    let text = BASE32_NOPAD.encode(&rand::random::<[u8; CODE_BYTES]>()).to_lowercase();
    let groups: Vec<&str> =
        (0..text.len()).step_by(GROUP).map(|at| &text[at..at + GROUP]).collect();
    groups.join("-")
}

/// The token of a code as people write it: case, blanks and hyphens do not count. `None` if the
/// text is no code.
pub fn token_of_code(code: &str) -> Option<String> {
    let code: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let code = code.to_ascii_lowercase();
    let is_code = code.len() == CODE_CHARS
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(&byte));
    is_code.then_some(code)
}
