//! The event's secret: one key for flag digests, capability links and captcha challenges.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Bytes of a new secret.
pub const SECRET_BYTES: usize = 32;

/// A secret, as the initial state of each HMAC with it. Its `Debug` shows nothing.
#[derive(Clone)]
pub struct Key(Hmac<Sha256>);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[key]")
    }
}

impl Key {
    /// Uses the bytes of a secret as they are.
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("HMAC takes any key length"))
    }

    /// HMAC-SHA256 over `purpose` and `parts`, each with its length before it, in hex.
    pub fn mac(&self, purpose: &str, parts: &[&str]) -> String {
        HEXLOWER.encode(&self.hmac(purpose, parts).finalize().into_bytes())
    }

    /// Whether `mac` is the MAC over these parts, in constant time.
    pub fn is_mac(&self, mac: &str, purpose: &str, parts: &[&str]) -> bool {
        let Ok(bytes) = HEXLOWER_PERMISSIVE.decode(mac.as_bytes()) else { return false };
        self.hmac(purpose, parts).verify_slice(&bytes).is_ok()
    }

    /// Derives a key for one purpose.
    pub fn subkey(&self, purpose: &str, parts: &[&str]) -> Self {
        Self::new(&self.hmac(purpose, parts).finalize().into_bytes())
    }

    /// The digest by which an exact flag of a challenge is stored and compared.
    pub fn flag_digest(&self, challenge: &str, flag: &str) -> String {
        self.mac("flag", &[challenge, flag])
    }

    fn hmac(&self, purpose: &str, parts: &[&str]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        for part in std::iter::once(&purpose).chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

/// SHA-256 in hex: how tokens are stored.
pub fn token_hash(token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(token))
}
