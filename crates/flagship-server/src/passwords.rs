//! Passwords: the rules for new ones, and hashing in a bounded pool of its own, so that a crowd
//! at the login never takes the processor from those who play.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use flagship_pack::Registration;
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// Most characters of a password.
pub const PASSWORD_CHARS_MAX: usize = 128;
/// Memory of one hash, in KiB; with the next two, what OWASP names as the least for Argon2id.
const MEMORY_KIB: u32 = 19_456;
/// Passes over the memory.
const PASSES: u32 = 2;
/// Lanes of one hash.
const LANES: u32 = 1;
/// Hashes that may wait for one thread of the pool: about five seconds of work.
const WAITING_PER_THREAD_MAX: usize = 200;

/// The passwords that anyone tries first, in lower case, one a line.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// The pool.
pub struct Passwords {
    threads: Arc<Semaphore>,
    places: Semaphore,
    places_max: usize,
    /// The hash of a password that nobody has: what a login is held to when there is no team.
    nobodys: Arc<str>,
}

impl Passwords {
    /// A pool that leaves one core to everything else.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let places_max = threads * (WAITING_PER_THREAD_MAX + 1);
        Self {
            threads: Arc::new(Semaphore::new(threads)),
            places: Semaphore::new(places_max),
            places_max,
            nobodys: hash_of(&rand::random::<[u8; 32]>()).into(),
        }
    }

    /// The PHC string of a new password.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        self.work(move || hash_of(password.as_bytes())).await
    }

    /// Whether a password is the one of `hash`. Without a hash it is not, in the same time.
    pub async fn verify(&self, password: String, hash: Option<&str>) -> Result<bool, ApiError> {
        let held_to: Arc<str> = hash.map_or_else(|| self.nobodys.clone(), Into::into);
        let is_somebodys = hash.is_some();
        let is_right = move || {
            let parsed = PasswordHash::new(&held_to);
            parsed.is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok())
        };
        Ok(self.work(is_right).await? && is_somebodys)
    }

    /// How many are hashed or wait for it.
    pub fn waiting(&self) -> usize {
        self.places_max - self.places.available_permits()
    }

    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let _place = self.places.try_acquire().map_err(|_| ApiError::overload())?;
        let thread = self.threads.clone().acquire_owned().await;
        let thread = thread.expect("the semaphore is never closed");
        // The job keeps its thread even when whoever asked is gone.
        let done = tokio::task::spawn_blocking(move || {
            let done = job();
            drop(thread);
            done
        });
        done.await.map_err(|_| ApiError::INTERNAL)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The PHC string of a password. Takes its time: for handlers there is the pool.
pub fn hash_of(password: &[u8]) -> String {
    argon2().hash_password(password).expect("the salt is valid").to_string()
}

/// Whether a team may have this password.
pub fn check(rules: &Registration, password: &str, team: &str) -> Result<(), ApiError> {
    let chars = password.chars().count();
    if chars < rules.password_min {
        return Err(ApiError::PASSWORD_SHORT);
    }
    if chars > PASSWORD_CHARS_MAX {
        return Err(ApiError::PASSWORD_LONG);
    }
    let lower = password.to_lowercase();
    let is_name = lower.trim() == team.to_lowercase();
    if rules.refuse_common_passwords && (is_name || COMMON.contains(lower.trim())) {
        return Err(ApiError::PASSWORD_COMMON);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn passwords_are_held_to_the_rules() {
        let mut rules = Registration::default();
        if control("passwords_are_held_to_the_rules", "five are too few") {
            rules.password_min = 5;
        }
        let check = |password: &str| check(&rules, password, "The Team");
        assert_eq!(check("qx7!k"), Err(ApiError::PASSWORD_SHORT), "five are too few");
        assert_eq!(check("qx7!kz"), Ok(()));
        assert_eq!(check("éééééé"), Ok(()));
        assert_eq!(check(&"xyz".repeat(43)), Err(ApiError::PASSWORD_LONG));
        assert_eq!(check(&"é".repeat(128)), Ok(()));
        for common in ["123456", "Password", "QWERTY", "the team", "iloveyou ", "111111"] {
            assert_eq!(check(common), Err(ApiError::PASSWORD_COMMON), "{common}");
        }
    }

    #[test]
    fn organizers_may_set_the_rules() {
        let lax = Registration { refuse_common_passwords: false, ..Registration::default() };
        assert_eq!(check(&lax, "123456", "name"), Ok(()));
        let lax = control("organizers_may_set_the_rules", "eleven are fewer than asked for");
        let password_min = if lax { 11 } else { 12 };
        let strict = Registration { password_min, ..Registration::default() };
        let checked = check(&strict, "elevenchars", "name");
        assert_eq!(checked, Err(ApiError::PASSWORD_SHORT), "eleven are fewer than asked for");
    }

    #[test]
    fn the_list_holds_what_can_be_typed() {
        assert!(COMMON.len() > 1000);
        for line in COMMON.iter() {
            assert!(line.chars().count() >= 6 && *line == line.trim().to_lowercase(), "{line}");
        }
    }

    #[tokio::test]
    async fn a_password_verifies_against_its_own_hash_alone() {
        let passwords = Passwords::new();
        let hash = passwords.hash("correct horse".to_owned()).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        for (password, hash, right) in [
            ("correct horse", Some(hash.as_str()), true),
            ("wrong horse", Some(hash.as_str()), false),
            ("correct horse", None, false),
            ("correct horse", Some("not a hash"), false),
        ] {
            let verified = passwords.verify(password.to_owned(), hash).await;
            assert_eq!(verified, Ok(right), "{password} {hash:?}");
        }
    }

    #[tokio::test]
    async fn more_than_may_wait_are_told_so_at_once() {
        let passwords = Passwords::new();
        let all = passwords.places.available_permits();
        let taken = passwords.places.acquire_many(all as u32).await.expect("open");
        assert_eq!(passwords.hash("password".to_owned()).await, Err(ApiError::overload()));
        drop(taken);
        assert!(passwords.hash("password".to_owned()).await.is_ok());
    }
}
