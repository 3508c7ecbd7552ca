//! Browsers with which an organizer gave the second factor before. Each keeps a cookie that is a
//! budget of its own for wrong passwords and codes, so that strangers in the same network cannot
//! lock its organizer out. The cookie authenticates nobody.
//!
//! Nothing is stored: the cookie has a MAC over the organizer, the password's hash and a random
//! number. A new password, a reset and a removal end it.

use flagship_store::Key;
use flagship_store::organizers::Organizer;

/// What the MACs of a cookie are for.
const DEVICE: &str = "organizer device";
const PASSWORD: &str = "organizer device password";
/// Random bytes of a cookie.
const NUMBER_BYTES: usize = 16;
/// Characters of the part that depends on the password.
const PASSWORD_CHARS: usize = 32;
/// How long a cookie is good, in milliseconds.
pub const DEVICE_MS: i64 = 180 * 24 * 3_600_000;

/// A cookie that this event made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    organizer: String,
    expires_at_ms: String,
    number: String,
    password: String,
}

impl Device {
    /// A new cookie for an organizer with a password.
    pub fn new(key: &Key, organizer: i64, password_hash: &str, now_ms: i64) -> Self {
        Self {
            organizer: organizer.to_string(),
            expires_at_ms: (now_ms + DEVICE_MS).to_string(),
            number: data_encoding::HEXLOWER.encode(&rand::random::<[u8; NUMBER_BYTES]>()),
            password: password_part(key, organizer, password_hash),
        }
    }

    /// The value of the cookie.
    pub fn value(&self, key: &Key) -> String {
        let parts = self.parts();
        format!("{}.{}", parts.join("."), key.mac(DEVICE, &parts))
    }

    /// Reads a value; `None` if this event did not make it, or too long ago. No database is read.
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

    /// True if it was made for this organizer, with the password of now.
    pub fn is_of(&self, key: &Key, organizer: &Organizer) -> bool {
        let password = organizer.password_hash.as_deref();
        self.organizer == organizer.id.to_string()
            && password.is_some_and(|hash| self.password == password_part(key, organizer.id, hash))
    }

    /// The name of its budget.
    pub fn budget(&self) -> String {
        format!("organizer device\n{}", self.number)
    }

    fn parts(&self) -> [&str; 4] {
        [&self.organizer, &self.expires_at_ms, &self.number, &self.password]
    }
}

/// What a cookie has of the password's hash, which it reveals nothing of.
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
