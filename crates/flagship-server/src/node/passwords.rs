//! Passwords: the rules for new ones, and hashing in the background. The memory of a hash is wiped
//! afterwards. One network can hold only a share of the hashing permits, so that it cannot lock out
//! everybody else.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, OnceLock};

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use flagship_pack::Registration;
use rand::RngExt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::background::Background;
use super::error::NodeError;
use crate::net::address::{ClientNetwork, ShareKey};
use crate::net::permits::{self, NetworkPermits};

/// Maximum length of a password, in characters.
pub const PASSWORD_CHARS_MAX: usize = 128;
/// Memory of one hash, in KiB. This and the two values below are OWASP's minimum for Argon2id.
const MEMORY_KIB: u32 = 19_456;
/// Passes over the memory.
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// Maximum queued hashes per thread of the pool: about five seconds of work.
const WAITING_PER_THREAD_MAX: usize = 200;
/// Seconds after which a client without a permit may retry. The current queue is finished by then.
/// The value is random, so that clients do not all return at once.
const RETRY_AFTER_S: RangeInclusive<u64> = 5..=15;

/// The most common passwords, in lower case, one per line.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Memory of one hash. The next hash reuses it while the queue is not empty: allocating and freeing
/// 19 MiB each time would slow down other threads.
type Memory = Vec<Block>;

pub type Permit = permits::Permit<ShareKey>;

/// The pool of hashing threads.
pub struct Passwords {
    threads: Background<Memory>,
    permits: NetworkPermits,
    /// Hash of a random password, computed at the first verification. Logins to nonexistent teams
    /// verify against it.
    dummy_hash: Arc<OnceLock<String>>,
}

impl Passwords {
    /// Creates a pool that leaves one core free.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        Self {
            threads: Background::new("passwords", threads),
            permits: NetworkPermits::new(threads * (WAITING_PER_THREAD_MAX + 1)),
            dummy_hash: Arc::default(),
        }
    }

    /// Returns the PHC string of a new password.
    pub async fn hash(&self, permit: Permit, password: String) -> Result<String, NodeError> {
        let password = Zeroizing::new(password);
        self.threads.run(permit, move |_| hash_of(password.as_bytes())).await
    }

    /// True if a password matches `hash`. Without a hash, takes the same time and returns false.
    pub async fn verify(
        &self,
        permit: Permit,
        password: String,
        hash: Option<&str>,
    ) -> Result<bool, NodeError> {
        let password = Zeroizing::new(password);
        let (dummy_hash, hash) = (self.dummy_hash.clone(), hash.map(str::to_owned));
        let has_hash = hash.is_some();
        let is_right = move |memory: &mut Memory| {
            // Computed by the first call, with or without a hash, so that its duration reveals
            // nothing.
            let dummy_hash = dummy_hash.get_or_init(|| hash_of(&rand::random::<[u8; 32]>()));
            let hash = hash.as_ref().unwrap_or(dummy_hash);
            is_of(password.as_bytes(), hash, memory).unwrap_or_default()
        };
        Ok(self.threads.run(permit, is_right).await? && has_hash)
    }

    pub fn permit(&self, client: &ClientNetwork) -> Result<Permit, NodeError> {
        self.permits.acquire(client).map_err(|_| {
            let retry_after_s = rand::rng().random_range(RETRY_AFTER_S);
            NodeError::PasswordsFull { retry_after_s }
        })
    }

    /// Returns the number of permits in use.
    pub fn waiting(&self) -> usize {
        self.permits.held()
    }
}

/// Reason why a password is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer characters than the settings require.
    #[error("the password is too short")]
    Short,
    /// More than `PASSWORD_CHARS_MAX` characters.
    #[error("the password is too long")]
    Long,
    /// A common password, or the team's name.
    #[error("the password is too common")]
    Common,
}

/// True if a password matches a PHC string; `None` if the string is not valid.
fn is_of(password: &[u8], hash: &str, memory: &mut Memory) -> Option<bool> {
    let hash = PasswordHash::new(hash).ok()?;
    let (salt, right) = (hash.salt.as_ref()?, hash.hash.as_ref()?);
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let params = Params::try_from(&hash).ok()?;
    memory.resize(params.block_count(), Block::new());
    let mut output = [0; Output::MAX_LENGTH];
    let output = output.get_mut(..right.len())?;
    let argon2 = Argon2::new(algorithm, version, params);
    argon2.hash_password_into_with_memory(password, salt, output, memory).ok()?;
    Some(output.ct_eq(right.as_bytes()).into())
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Returns the PHC string of a password. Blocks for a long time, so handlers use `Passwords`.
pub fn hash_of(password: &[u8]) -> String {
    argon2().hash_password(password).expect("the salt is valid").to_string()
}

pub fn check(rules: &Registration, password: &str, team: &str) -> Result<(), PasswordError> {
    let chars = password.chars().count();
    if chars < rules.password_min {
        return Err(PasswordError::Short);
    }
    if chars > PASSWORD_CHARS_MAX {
        return Err(PasswordError::Long);
    }
    let lower = password.to_lowercase();
    let is_name = lower.trim() == team.to_lowercase();
    if rules.refuse_common_passwords && (is_name || COMMON.contains(lower.trim())) {
        return Err(PasswordError::Common);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::net::{IpAddr, Ipv6Addr};

    use super::*;
    use crate::net::address::TrustedNetwork;

    fn network(number: u8) -> ClientNetwork {
        ClientNetwork { network: IpAddr::from([203, 0, 113, number]), trusted: None }
    }

    #[test]
    fn passwords_must_follow_the_rules() {
        let rules = Registration::default();
        let check = |password: &str| check(&rules, password, "The Team");
        assert_eq!(check("qx7!k"), Err(PasswordError::Short), "five are too few");
        assert_eq!(check("qx7!kz"), Ok(()));
        assert_eq!(check("éééééé"), Ok(()));
        assert_eq!(check(&"xyz".repeat(43)), Err(PasswordError::Long));
        assert_eq!(check(&"é".repeat(128)), Ok(()));
        for common in ["123456", "Password", "QWERTY", "the team", "iloveyou ", "111111"] {
            assert_eq!(check(common), Err(PasswordError::Common), "{common}");
        }
    }

    #[test]
    fn organizers_may_set_the_rules() {
        let lax = Registration { refuse_common_passwords: false, ..Registration::default() };
        assert_eq!(check(&lax, "123456", "name"), Ok(()));
        let strict = Registration { password_min: 12, ..Registration::default() };
        let checked = check(&strict, "elevenchars", "name");
        assert_eq!(checked, Err(PasswordError::Short), "eleven are fewer than asked for");
    }

    #[test]
    fn the_list_has_only_passwords_that_could_be_chosen() {
        assert!(COMMON.len() > 1000);
        for line in COMMON.iter() {
            assert!(line.chars().count() >= 6 && *line == line.trim().to_lowercase(), "{line}");
        }
    }

    #[tokio::test]
    async fn a_password_verifies_only_against_its_own_hash() {
        let passwords = Passwords::new();
        let permit = || passwords.permit(&network(1)).expect("there are some");
        let hash = passwords.hash(permit(), "correct horse".to_owned()).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        for (password, hash, right) in [
            ("correct horse", Some(hash.as_str()), true),
            ("wrong horse", Some(hash.as_str()), false),
            ("correct horse", None, false),
            ("correct horse", Some("not a hash"), false),
        ] {
            let verified = passwords.verify(permit(), password.to_owned(), hash).await;
            assert_eq!(verified, Ok(right), "{password} {hash:?}");
        }
    }

    #[test]
    fn one_network_leaves_permits_to_the_others() {
        let passwords = Passwords::new();
        let take_all = |client: ClientNetwork| -> Vec<Permit> {
            std::iter::from_fn(|| passwords.permit(&client).ok()).collect()
        };
        let campus = Some(TrustedNetwork([203, 0, 113, 0].into(), 24));
        let rival = network(1);
        let theirs = take_all(rival);
        assert_eq!(theirs.len(), passwords.permits.max() / 4, "a network has a quarter");
        // One address can hold half of the permits. Another address of the same trusted network
        // then gets none.
        let of_campus = |number| take_all(ClientNetwork { trusted: campus, ..network(number) });
        let halves = [of_campus(2), of_campus(4)];
        assert_eq!(halves.map(|it| it.len()), [passwords.permits.max() / 2, 0]);
        assert!(passwords.permit(&network(3)).is_ok(), "others have permits too");
        drop(theirs);
        assert!(passwords.permit(&rival).is_ok(), "permits are returned");
    }

    #[test]
    fn the_networks_of_a_48_of_ipv6_have_the_share_of_one() {
        let passwords = Passwords::new();
        let taken = (0..4_u16).flat_map(|number| {
            let network = Ipv6Addr::new(0x2001, 0xdb8, 0, number, 0, 0, 0, 0).into();
            let client = ClientNetwork { network, trusted: None };
            let passwords = &passwords;
            std::iter::from_fn(move || passwords.permit(&client).ok())
        });
        let taken: Vec<Permit> = taken.collect();
        assert_eq!(taken.len(), passwords.permits.max() / 4, "a /48 has a quarter");
    }

    #[test]
    fn a_full_password_queue_refuses_at_once() {
        let passwords = Passwords::new();
        let taken: Vec<_> = (1..=5)
            .flat_map(|number| {
                let permit = || passwords.permit(&network(number)).ok();
                std::iter::from_fn(permit).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!((taken.len(), passwords.waiting()), (passwords.permits.max(), taken.len()));
        let retry_after_s = || match passwords.permit(&network(6)).map(drop) {
            Err(NodeError::PasswordsFull { retry_after_s }) => retry_after_s,
            other => panic!("{other:?}"),
        };
        let seconds: BTreeSet<u64> = (0..100).map(|_| retry_after_s()).collect();
        assert!(seconds.len() > 5, "they do not come all at once: {seconds:?}");
        drop(taken);
        assert!(passwords.permit(&network(6)).is_ok());
    }
}
