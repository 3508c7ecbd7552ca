//! Team passes: signed texts with which a challenge's service recognizes a team offline. A pass
//! names a team and authorizes nothing: it is in links, which people share.
//!
//! The format is `fp1.HANDLE.SIGNATURE`, with an Ed25519 signature in base64url over
//! [`signed_text`]. Each challenge has its own key, so that a pass of one challenge is invalid for
//! all others.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::Key;

/// Version of the format, the first part of a pass.
const VERSION: &str = "fp1";

/// Purpose of the signature, the first line of the signed text.
const PURPOSE: &str = "flagship-pass:1";

/// Key that signs the passes of one challenge.
pub struct PassKey {
    pair: Ed25519KeyPair,
    key: Key,
    challenge: String,
}

impl PassKey {
    /// Derives the key of a challenge.
    pub fn new(key: &Key, challenge: &str) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&key.pass_seed(challenge))
            .expect("a seed of 32 bytes is valid");
        Self { pair, key: key.clone(), challenge: challenge.to_owned() }
    }

    /// Returns the public key in base64url, which verifies passes of this challenge.
    pub fn public_key(&self) -> String {
        BASE64URL_NOPAD.encode(self.pair.public_key().as_ref())
    }

    /// Returns a team's pass. It is the same at each call.
    pub fn pass(&self, team: i64) -> String {
        let handle = self.key.team_handle(team);
        let text = signed_text(&self.key.event_id(), &self.challenge, &handle);
        let signature = BASE64URL_NOPAD.encode(self.pair.sign(text.as_bytes()).as_ref());
        format!("{VERSION}.{handle}.{signature}")
    }

    /// Returns the team of a pass; `None` if it is not a valid pass of this challenge.
    pub fn team_of(&self, pass: &str) -> Option<i64> {
        let mut parts = pass.split('.');
        let [version, handle, signature] = std::array::from_fn(|_| parts.next());
        let handle = handle?;
        if version != Some(VERSION) || parts.next().is_some() {
            return None;
        }
        let signature = BASE64URL_NOPAD.decode(signature?.as_bytes()).ok()?;
        let text = signed_text(&self.key.event_id(), &self.challenge, handle);
        let public = UnparsedPublicKey::new(&ED25519, self.pair.public_key());
        public.verify(text.as_bytes(), &signature).ok()?;
        self.key.team_of_handle(handle)
    }
}

/// Returns the text that the signature of a pass covers.
fn signed_text(event: &str, challenge: &str, handle: &str) -> String {
    format!("{PURPOSE}\n{event}\n{challenge}\n{handle}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_names_one_team_for_one_challenge_of_one_event() {
        let key = Key::new(b"secret");
        let pier = PassKey::new(&key, "pier");
        for team in [1, 2, i64::MAX] {
            let pass = pier.pass(team);
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
            assert!(pass.bytes().all(is_plain), "{pass} needs no escape in a URL");
            assert_eq!(pass, pier.pass(team));
            assert_eq!(pier.team_of(&pass), Some(team));
            assert_eq!(PassKey::new(&key, "mole").team_of(&pass), None);
            assert_eq!(PassKey::new(&Key::new(b"another"), "pier").team_of(&pass), None);
            for altered in [
                pass.replace("fp1.", "fp2."),
                format!("{pass}."),
                format!("{pass}A"),
                pass.to_uppercase(),
                pass.replace(&key.team_handle(team), &key.team_handle(3)),
                pass.rsplit_once('.').expect("it has dots").0.to_owned(),
                String::new(),
                "fp1..".to_owned(),
            ] {
                assert_eq!(pier.team_of(&altered), None, "{altered}");
            }
        }
    }
}
