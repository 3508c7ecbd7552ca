//! Time-based one-time codes (TOTP, RFC 6238): SHA-1, six digits, 30 seconds, as supported by all
//! authenticator apps.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use sha1::Sha1;
use subtle::ConstantTimeEq;

/// Bytes of a new secret, as RFC 4226 recommends.
pub const SECRET_BYTES: usize = 20;
/// Digits of a code.
const DIGITS: usize = 6;
/// Duration of a time step, in milliseconds.
pub const STEP_MS: i64 = 30_000;
/// Maximum clock drift in either direction, in steps.
const DRIFT: i64 = 1;

/// Returns the code of a time step (RFC 4226, section 5.3).
pub fn code(secret: &[u8], step: i64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("HMAC takes any key length");
    mac.update(&step.to_be_bytes());
    let digest = mac.finalize().into_bytes();
    let at = usize::from(digest[digest.len() - 1] & 0xf);
    let bytes = [digest[at] & 0x7f, digest[at + 1], digest[at + 2], digest[at + 3]];
    let number = u32::from_be_bytes(bytes) % 10_u32.pow(DIGITS as u32);
    format!("{number:0DIGITS$}")
}

/// Returns the time step of an entered code: the current one, the previous or the next. Ignores
/// spaces. Takes the same time for all codes of six digits.
pub fn step_of(secret: &[u8], typed: &str, now_ms: i64) -> Option<i64> {
    let typed: String = typed.chars().filter(|c| !c.is_whitespace()).take(DIGITS + 1).collect();
    let now = now_ms.div_euclid(STEP_MS);
    let mut found = None;
    for step in now - DRIFT..=now + DRIFT {
        if code(secret, step).as_bytes().ct_eq(typed.as_bytes()).into() {
            found = Some(step);
        }
    }
    found
}

/// Returns the secret in the form that is typed into an app.
pub fn text_of(secret: &[u8]) -> String {
    BASE32_NOPAD.encode(secret)
}

/// Returns the URI with the secret for a QR code
/// (<https://github.com/google/google-authenticator/wiki/Key-Uri-Format>).
pub fn uri_of(secret: &[u8], issuer: &str, account: &str) -> String {
    let encoded = |text: &str| percent_encode(text.as_bytes(), NON_ALPHANUMERIC).to_string();
    let (issuer, account, secret) = (encoded(issuer), encoded(account), text_of(secret));
    format!("otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B; the last six of its eight digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = b"12345678901234567890";
        for (seconds, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code(secret, seconds / 30), expected);
        }
    }

    #[test]
    fn a_code_counts_one_step_early_or_late() {
        let secret = b"12345678901234567890";
        let step = 37_037_037;
        let typed = code(secret, step);
        for (late, expected) in [(-2, None), (-1, Some(step)), (0, Some(step)), (1, Some(step))] {
            assert_eq!(step_of(secret, &typed, (step + late) * STEP_MS), expected);
        }
        assert_eq!(step_of(secret, &typed, (step + 2) * STEP_MS), None);
        let now_ms = step * STEP_MS + 29_999;
        let spaced = format!(" {} {}", &typed[..3], &typed[3..]);
        assert_eq!(step_of(secret, &spaced, now_ms), Some(step));
        for other in ["", &typed[1..], &format!("{typed}0"), "abcdef", "\u{661}23456"] {
            assert_eq!(step_of(secret, other, now_ms), None, "{other}");
        }
    }

    #[test]
    fn a_secret_is_written_in_base32() {
        assert_eq!(text_of(b"12345678901234567890"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    }
    #[test]
    fn names_are_encoded_in_the_address_of_a_secret() {
        let uri = uri_of(b"12345678901234567890", "A CTF", "Ada&Co");
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let expected = format!("otpauth://totp/A%20CTF:Ada%26Co?secret={secret}&issuer=A%20CTF");
        assert_eq!(uri, expected);
    }
}
