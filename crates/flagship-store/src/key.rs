//! The event's secret: one key for flag digests, capability links and captcha challenges.

pub mod team_pass;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use flagship_game::team_flag::CODE_CHARS;
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Bytes of a new secret.
pub const SECRET_BYTES: usize = 32;

/// Length of the event's ID, in hex digits.
const EVENT_ID_CHARS: usize = 16;

/// Number of hex digits that authenticate a team's handle. The other half of the handle contains
/// the team's id.
const TAG_CHARS: usize = 16;

/// The event's secret, stored as initial HMAC state. `Debug` reveals nothing.
#[derive(Clone)]
pub struct Key(Hmac<Sha256>);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[key]")
    }
}

impl Key {
    /// Creates a key from the bytes of a secret.
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("HMAC takes any key length"))
    }

    /// Returns the HMAC-SHA256 of `purpose` and `parts`, each prefixed with its length, in hex.
    pub fn mac(&self, purpose: &str, parts: &[&str]) -> String {
        HEXLOWER.encode(&self.hmac(purpose, parts).finalize().into_bytes())
    }

    /// True if `mac` is the MAC of these parts. Takes constant time.
    pub fn is_mac(&self, mac: &str, purpose: &str, parts: &[&str]) -> bool {
        let Ok(bytes) = HEXLOWER_PERMISSIVE.decode(mac.as_bytes()) else { return false };
        self.hmac(purpose, parts).verify_slice(&bytes).is_ok()
    }

    /// Derives a key for one purpose.
    pub fn subkey(&self, purpose: &str, parts: &[&str]) -> Self {
        Self::new(&self.hmac(purpose, parts).finalize().into_bytes())
    }

    /// Encrypts a text for one purpose. Decrypting requires the secret and the same `owner`.
    /// ChaCha20-Poly1305 with a random nonce as prefix, in base64url.
    pub fn seal(&self, purpose: &str, owner: &str, plain: &[u8]) -> String {
        let nonce: [u8; NONCE_LEN] = rand::random();
        let mut text = plain.to_vec();
        let aad = Aad::from(owner);
        let key = self.cipher(purpose);
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text)
            .expect("the text is short");
        BASE64URL_NOPAD.encode(&[&nonce[..], &text].concat())
    }

    /// Decrypts a text sealed by [`Self::seal`] for the same purpose and owner.
    pub fn unseal(&self, purpose: &str, owner: &str, sealed: &str) -> Option<Vec<u8>> {
        let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, text) = bytes.split_first_chunk::<NONCE_LEN>()?;
        let mut text = text.to_vec();
        let aad = Aad::from(owner);
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let plain = self.cipher(purpose).open_in_place(nonce, aad, &mut text).ok()?;
        Some(plain.to_vec())
    }

    fn cipher(&self, purpose: &str) -> LessSafeKey {
        let bytes = self.hmac("seal", &[purpose]).finalize().into_bytes();
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes).expect("the key has 32 bytes");
        LessSafeKey::new(key)
    }

    /// Digest of an exact flag, for storage and comparison.
    pub fn flag_digest(&self, challenge: &str, flag: &str) -> String {
        self.mac("flag", &[challenge, flag])
    }

    /// Digest of a flag in lower case, for storing and comparing case-insensitive flags; `None` if
    /// the flag is already in lower case.
    pub fn folded_digest(&self, challenge: &str, flag: &str) -> Option<String> {
        let folded = flag.to_lowercase();
        (folded != flag).then(|| self.flag_digest(challenge, &folded))
    }

    /// Returns the event's ID, which is part of every signed team pass.
    pub fn event_id(&self) -> String {
        let mut id = self.mac("event", &[]);
        id.truncate(EVENT_ID_CHARS);
        id
    }

    /// Returns the seed of the key that signs a challenge's team passes.
    pub(crate) fn pass_seed(&self, challenge: &str) -> [u8; 32] {
        self.hmac("signature of a pass", &[challenge]).finalize().into_bytes().into()
    }

    /// Returns the secret of a challenge, which its service needs to compute per-team flags. It
    /// reveals no other challenge's secret, and signs nothing.
    pub fn challenge_secret(&self, challenge: &str) -> [u8; 32] {
        self.hmac("flags of a service", &[challenge]).finalize().into_bytes().into()
    }

    /// Returns a team's handle for passes: its id with a MAC, hidden under a mask that differs by
    /// team. It is the same for all challenges, and never changes.
    pub fn team_handle(&self, team: i64) -> String {
        let mut tag = self.mac("handle of a team", &[&team.to_string()]);
        tag.truncate(TAG_CHARS);
        let masked = team.cast_unsigned() ^ self.mask(&tag);
        format!("{tag}{masked:016x}")
    }

    /// Returns the team of a handle. Takes the same time for every team.
    pub fn team_of_handle(&self, handle: &str) -> Option<i64> {
        let (tag, masked) = handle.split_at_checked(TAG_CHARS)?;
        let masked = u64::from_str_radix(masked, 16).ok()?;
        let team = (masked ^ self.mask(tag)).cast_signed();
        let expected = self.team_handle(team);
        bool::from(expected.as_bytes().ct_eq(handle.as_bytes())).then_some(team)
    }

    /// Returns the team code for a per-team flag, the start of the HMAC of the team's handle under
    /// the challenge's secret. A challenge's service computes it in the same way.
    pub fn team_code(&self, challenge: &str, team: i64) -> String {
        code_of_handle(&self.challenge_secret(challenge), &self.team_handle(team))
    }

    fn mask(&self, tag: &str) -> u64 {
        let mac = self.hmac("mask of a handle", &[tag]).finalize().into_bytes();
        mac.iter().take(8).fold(0, |mask, byte| (mask << 8) | u64::from(*byte))
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

/// Returns the team code for a handle under a challenge's secret.
pub fn code_of_handle(secret: &[u8; 32], handle: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes any key length");
    mac.update(handle.as_bytes());
    let mut code = HEXLOWER.encode(&mac.finalize().into_bytes());
    code.truncate(CODE_CHARS);
    code
}

/// Returns the SHA-256 of a token in hex, as it is stored.
pub fn token_hash(token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handle_of_a_team_is_found_and_cannot_be_made() {
        let words = "a handle is of one team and secret";
        let key = Key::new(b"secret");
        for team in [0, 1, 2, i64::MAX, i64::MIN, -1, 6_148_914_691_236_517_205] {
            let handle = key.team_handle(team);
            assert_eq!(handle.len(), 2 * TAG_CHARS);
            assert_eq!(key.team_of_handle(&handle), Some(team));
            assert_eq!(Key::new(b"another").team_of_handle(&handle), None, "{words}");
            for at in 0..handle.len() {
                let digit = if handle.as_bytes()[at] == b'0' { "1" } else { "0" };
                let mut altered = handle.clone();
                altered.replace_range(at..=at, digit);
                assert_eq!(key.team_of_handle(&altered), None, "{words}");
            }
        }
        for nonsense in ["", "0", "é", &"0".repeat(32), &"+".repeat(32), &"0".repeat(33)] {
            assert_eq!(key.team_of_handle(nonsense), None);
        }
    }

    #[test]
    fn a_code_differs_by_team_challenge_and_secret() {
        let key = Key::new(b"secret");
        let code = key.team_code("pier", 7);
        assert!(code.len() == CODE_CHARS && code.bytes().all(|b| b.is_ascii_hexdigit()));
        assert_eq!(code, key.team_code("pier", 7));
        let others = [
            key.team_code("pier", 8),
            key.team_code("mole", 7),
            Key::new(b"x").team_code("pier", 7),
        ];
        assert!(others.iter().all(|other| *other != code));
        // The secret of one challenge is not that of another, nor a key that signs.
        assert_ne!(key.challenge_secret("pier"), key.challenge_secret("mole"));
        assert_ne!(key.challenge_secret("pier"), key.pass_seed("pier"));
        assert_eq!(key.event_id().len(), EVENT_ID_CHARS);
    }

    #[test]
    fn a_sealed_text_opens_with_its_secret_purpose_and_owner_alone() {
        let key = Key::new(b"secret");
        let sealed = key.seal("factor", "7", b"plain");
        assert_ne!(sealed, key.seal("factor", "7", b"plain"), "each has its own nonce");
        assert_eq!(key.unseal("factor", "7", &sealed).as_deref(), Some(&b"plain"[..]));
        assert_eq!(key.unseal("factor", "8", &sealed), None);
        assert_eq!(key.unseal("other", "7", &sealed), None);
        assert_eq!(Key::new(b"another").unseal("factor", "7", &sealed), None);
        let mut altered = BASE64URL_NOPAD.decode(sealed.as_bytes()).expect("it is base64url");
        altered[NONCE_LEN] ^= 1;
        assert_eq!(key.unseal("factor", "7", &BASE64URL_NOPAD.encode(&altered)), None);
        for nonsense in ["", "AAAA", "!"] {
            assert_eq!(key.unseal("factor", "7", nonsense), None);
        }
    }
}
