//! Trusted browsers: those in which an organizer has passed two-factor authentication. Each holds a
//! cookie with its own rate limit for incorrect passwords and codes, so that others in the same
//! network cannot lock the organizer out. The cookie does not authenticate anyone.
//!
//! The server stores nothing: the cookie contains a MAC over the organizer, the password hash and a
//! random number. A new password, a reset and a removal invalidate it.

use flagship_store::Key;
use flagship_store::organizers::Organizer;

/// Purpose of the cookie's MACs.
const DEVICE: &str = "organizer device";
const PASSWORD: &str = "organizer device password";
/// Number of random bytes in a cookie.
const NUMBER_BYTES: usize = 16;
/// Length of the part that depends on the password, in characters.
const PASSWORD_CHARS: usize = 32;
/// Lifetime of a cookie, in milliseconds.
pub const DEVICE_MS: i64 = 180 * 24 * 3_600_000;

/// A valid cookie of this event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    organizer: String,
    expires_at_ms: String,
    number: String,
    password: String,
}

impl Device {
    /// Creates a cookie for an organizer and password.
    pub fn new(key: &Key, organizer: i64, password_hash: &str, now_ms: i64) -> Self {
        Self {
            organizer: organizer.to_string(),
            expires_at_ms: (now_ms + DEVICE_MS).to_string(),
            number: data_encoding::HEXLOWER.encode(&rand::random::<[u8; NUMBER_BYTES]>()),
            password: password_part(key, organizer, password_hash),
        }
    }

    /// Cookie value.
    pub fn value(&self, key: &Key) -> String {
        let parts = self.parts();
        format!("{}.{}", parts.join("."), key.mac(DEVICE, &parts))
    }

    /// Parses a cookie value. Returns `None` if this event did not issue it, or if it has expired.
    /// Does not query the database.
    pub fn read(key: &Key, value: &str, now_ms: i64) -> Option<Self> {
        let parts: Vec<&str> = value.split('.').collect();
        let [organizer, expires_at_ms, number, password, mac] = parts[..] else { return None };
        let [organizer, expires_at_ms, number, password] =
            [organizer, expires_at_ms, number, password].map(str::to_owned);
        let device = Self { organizer, expires_at_ms, number, password };
        let is_ours = key.is_mac(mac, DEVICE, &device.parts());
        let is_current = || device.expires_at_ms.parse::<i64>().is_ok_and(|at_ms| now_ms < at_ms);
        (is_ours && is_current()).then_some(device)
    }

    /// True if the cookie was issued for this organizer and current password.
    pub fn is_of(&self, key: &Key, organizer: &Organizer) -> bool {
        let password = organizer.password_hash.as_deref();
        self.organizer == organizer.id.to_string()
            && password.is_some_and(|hash| self.password == password_part(key, organizer.id, hash))
    }

    /// Key of the cookie's rate limit.
    pub fn budget(&self) -> String {
        format!("organizer device\n{}", self.number)
    }

    fn parts(&self) -> [&str; 4] {
        [&self.organizer, &self.expires_at_ms, &self.number, &self.password]
    }
}

/// Fingerprint of the password hash in a cookie. Reveals nothing about the hash.
fn password_part(key: &Key, organizer: i64, password_hash: &str) -> String {
    let mut mac = key.mac(PASSWORD, &[&organizer.to_string(), password_hash]);
    mac.truncate(PASSWORD_CHARS);
    mac
}

#[cfg(test)]
mod tests {
    use flagship_store::organizers::Rights;

    use super::*;

    fn organizer(id: i64, hash: Option<&str>) -> Organizer {
        Organizer {
            id,
            name: "Ada".to_owned(),
            rights: Rights::default(),
            password_hash: hash.map(str::to_owned),
            factor: None,
            factor_step: 0,
            created_at_ms: 0,
        }
    }

    #[test]
    fn a_device_is_of_one_organizer_with_one_password_for_a_time() {
        let key = Key::new(b"secret");
        let device = Device::new(&key, 7, "hash", 1_000);
        let value = device.value(&key);
        let read = |value: &str, now_ms| Device::read(&key, value, now_ms);
        assert_eq!(read(&value, 1_000 + DEVICE_MS - 1).as_ref(), Some(&device));
        assert_eq!(read(&value, 1_000 + DEVICE_MS), None, "too old");
        assert_eq!(Device::read(&Key::new(b"another"), &value, 0), None, "another event's");
        for place in 0..value.len() {
            let mut altered = value.clone().into_bytes();
            altered[place] ^= 1;
            let altered = String::from_utf8(altered).expect("it is ASCII");
            assert_eq!(read(&altered, 0), None, "{altered}");
        }
        for odd in ["", ".", "....", &value[1..], &format!("{value}."), &format!("{value}.a")] {
            assert_eq!(read(odd, 0), None, "{odd}");
        }
        assert!(device.is_of(&key, &organizer(7, Some("hash"))));
        for other in [organizer(8, Some("hash")), organizer(7, Some("new")), organizer(7, None)] {
            assert!(!device.is_of(&key, &other), "{}", other.id);
        }
        let second = Device::new(&key, 7, "hash", 1_000);
        assert_ne!(second.budget(), device.budget(), "each browser has a budget");
        assert!(!value.contains("hash"));
    }
}
