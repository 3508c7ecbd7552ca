//! Two-factor authentication: authenticator codes and recovery codes. Secrets are sealed with the
//! event secret; recovery codes are stored as digests.

use flagship_actions::mail::token::new_code;
use flagship_store::Key;
use flagship_store::organizers::totp;
use flagship_store::organizers::{Organizer, Proof};

/// Seal purpose of a stored secret.
const SECRET: &str = "organizer factor";
/// Seal purpose of a secret during enrollment.
const ENROLMENT: &str = "organizer enrolment";

/// Number of recovery codes per organizer.
const CODES: usize = 10;
/// An authenticator secret that is not in use yet.
pub struct Secret(Vec<u8>);

impl Secret {
    /// Generates a secret.
    pub fn random() -> Self {
        Self(rand::random::<[u8; totp::SECRET_BYTES]>().to_vec())
    }

    /// Text form for typing into an authenticator.
    pub fn text(&self) -> String {
        totp::text_of(&self.0)
    }

    /// `otpauth` URI for authenticators.
    pub fn uri(&self, event: &str, name: &str) -> String {
        totp::uri_of(&self.0, event, name)
    }

    /// Time step of a code; `None` if it is incorrect.
    pub fn step_of(&self, code: &str, now_ms: i64) -> Option<i64> {
        totp::step_of(&self.0, code, now_ms)
    }

    /// Sealed form for storage with an organizer.
    pub fn seal(&self, key: &Key, organizer: i64) -> String {
        key.seal(SECRET, &organizer.to_string(), &self.0)
    }

    /// Sealed form that the browser holds until the first code is entered. Valid until a given time
    /// and while the organizer keeps the authenticator that it will replace.
    pub fn enrolment(&self, key: &Key, organizer: &Organizer, until_ms: i64) -> String {
        let plain = [&until_ms.to_be_bytes()[..], &self.0].concat();
        key.seal(ENROLMENT, &replaced(organizer), &plain)
    }

    /// Opens the result of `enrolment`, unless it has expired or belongs to another organizer or
    /// authenticator.
    pub fn of_enrolment(
        key: &Key,
        organizer: &Organizer,
        sealed: &str,
        now_ms: i64,
    ) -> Option<Self> {
        let plain = key.unseal(ENROLMENT, &replaced(organizer), sealed)?;
        let (until_ms, secret) = plain.split_first_chunk()?;
        (now_ms < i64::from_be_bytes(*until_ms)).then(|| Self(secret.to_vec()))
    }
}

/// Identifies the organizer and the authenticator that an enrollment replaces.
fn replaced(organizer: &Organizer) -> String {
    format!("{}\n{}", organizer.id, organizer.factor.as_deref().unwrap_or_default())
}

/// Time step of a code from an organizer's authenticator; `None` if it is incorrect.
pub fn step_of(key: &Key, organizer: &Organizer, code: &str, now_ms: i64) -> Option<i64> {
    let sealed = organizer.factor.as_deref()?;
    let secret = key.unseal(SECRET, &organizer.id.to_string(), sealed)?;
    totp::step_of(&secret, code, now_ms)
}

/// Generates recovery codes.
pub fn recovery_codes() -> Vec<String> {
    (0..CODES).map(|_| new_code()).collect()
}

/// Digest of an organizer's recovery code. Case, spaces and hyphens are ignored.
pub fn recovery_digest(key: &Key, organizer: i64, code: &str) -> String {
    let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    key.mac("recovery code", &[&organizer.to_string(), &code.to_ascii_lowercase()])
}

/// A code that an organizer enters as proof.
pub enum Given<'a> {
    /// Authenticator code.
    Code(&'a str),
    /// Recovery code.
    Recovery(&'a str),
}

/// Proof for the store to verify; `None` if the code is incorrect.
pub fn proof(key: &Key, organizer: &Organizer, given: &Given<'_>, now_ms: i64) -> Option<Proof> {
    match given {
        Given::Code(code) => step_of(key, organizer, code, now_ms).map(Proof::Step),
        Given::Recovery(code) => Some(Proof::Recovery(recovery_digest(key, organizer.id, code))),
    }
}

#[cfg(test)]
mod tests {
    use flagship_store::organizers::Rights;

    use super::*;

    #[test]
    fn a_recovery_code_is_read_as_people_write_it() {
        let key = Key::new(b"secret");
        let codes = recovery_codes();
        assert_eq!(codes.len(), CODES);
        for code in &codes {
            assert_eq!(code.len(), 19, "{code}");
            let written = format!(" {} ", code.to_uppercase().replace('-', " "));
            assert_eq!(recovery_digest(&key, 1, &written), recovery_digest(&key, 1, code));
            assert_ne!(recovery_digest(&key, 2, code), recovery_digest(&key, 1, code));
        }
    }

    #[test]
    fn an_enrolment_is_for_one_organizer_and_a_time() {
        let key = Key::new(b"secret");
        let secret = Secret::random();
        let organizer = |id, factor: Option<&str>| Organizer {
            id,
            name: "Ada".to_owned(),
            rights: Rights::default(),
            password_hash: None,
            factor: factor.map(str::to_owned),
            factor_step: 0,
            created_at_ms: 0,
        };
        let ada = organizer(7, Some("old"));
        let sealed = secret.enrolment(&key, &ada, 1_000);
        let read = |organizer: &Organizer, now_ms| {
            Secret::of_enrolment(&key, organizer, &sealed, now_ms).map(|secret| secret.text())
        };
        assert_eq!(read(&ada, 999), Some(secret.text()));
        assert_eq!(read(&ada, 1_000), None, "too old");
        assert_eq!(read(&organizer(8, Some("old")), 0), None, "another organizer's");
        assert_eq!(read(&organizer(7, Some("new")), 0), None, "it was used");
        assert_eq!(read(&organizer(7, None), 0), None, "the factor was reset");
        let stored = secret.seal(&key, 7);
        assert!(Secret::of_enrolment(&key, &ada, &stored, 0).is_none(), "it is for something else");
    }
}
