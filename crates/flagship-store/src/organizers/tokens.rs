//! Tokens of passes: random bytes and a MAC under the event's secret. Forged tokens are rejected
//! without a read of the database, so that guesses need no rate limit.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};

use super::passes::Kind;
use crate::Key;

/// Random bytes of a token.
const RANDOM_BYTES: usize = 24;
/// Bytes of the MAC of a token.
const MAC_BYTES: usize = 32;
/// Prefix of API tokens.
pub const SCRIPT_PREFIX: &str = "fso_";

/// Returns a new token and its digest.
pub fn create(key: &Key, kind: Kind) -> (String, String) {
    let random: [u8; RANDOM_BYTES] = rand::random();
    let mac = key.mac(PURPOSE, &[kind.as_str(), &HEXLOWER.encode(&random)]);
    let mac = HEXLOWER.decode(mac.as_bytes()).expect("a MAC is in hex");
    let token = prefix(kind).to_owned() + &BASE64URL_NOPAD.encode(&[&random[..], &mac].concat());
    let digest = digest_of(key, &token);
    (token, digest)
}

/// Returns the digest of a token; `None` if the token was not issued for this kind.
pub fn digest(key: &Key, kind: Kind, token: &str) -> Option<String> {
    let bytes = BASE64URL_NOPAD.decode(token.strip_prefix(prefix(kind))?.as_bytes()).ok()?;
    let (random, mac) = bytes.split_first_chunk::<RANDOM_BYTES>()?;
    let parts = [kind.as_str(), &HEXLOWER.encode(random)];
    let is_ours = mac.len() == MAC_BYTES && key.is_mac(&HEXLOWER.encode(mac), PURPOSE, &parts);
    is_ours.then(|| digest_of(key, token))
}

fn digest_of(key: &Key, token: &str) -> String {
    key.mac("organizer pass digest", &[token])
}

const PURPOSE: &str = "organizer pass";

fn prefix(kind: Kind) -> &'static str {
    if kind == Kind::Token { SCRIPT_PREFIX } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_of_this_event_have_a_digest() {
        let key = Key::new(b"one");
        let other = Key::new(b"two");
        for kind in Kind::ALL {
            let (token, digest_of) = create(&key, kind);
            assert_ne!(token, create(&key, kind).0);
            assert_eq!(token.starts_with(SCRIPT_PREFIX), kind == Kind::Token);
            assert_eq!(digest(&key, kind, &token), Some(digest_of), "always the same");
            assert_eq!(digest(&other, kind, &token), None, "of another event");
            let others = Kind::ALL.into_iter().filter(|other| *other != kind);
            for other in others {
                assert_eq!(digest(&key, other, &token), None, "{kind:?} as {other:?}");
            }
            let last = token.len() - 1;
            for bad in ["", &token[..last], &format!("{token}A"), &token.to_uppercase()] {
                assert_eq!(digest(&key, kind, bad), None, "{bad}");
            }
        }
    }
}
