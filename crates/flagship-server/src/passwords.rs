//! Passwords: the rules for new ones, and hashing in the background. One network has only a share
//! of those whose password is hashed, so that it keeps nobody else out.

use std::collections::HashSet;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, OnceLock};

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use flagship_pack::Registration;
use rand::RngExt;
use subtle::ConstantTimeEq;

use crate::background::Background;
use crate::error::ApiError;
use crate::extract::ClientNetwork;
use crate::places::{self, Shares};

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
/// Seconds after which those who find no place may come again: when who waits now has had a turn,
/// and not all at once.
const AGAIN_S: RangeInclusive<u64> = 5..=15;

/// The passwords that anyone tries first, in lower case, one a line.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// What one password is hashed in. Kept from one to the next while others wait: to take 19 MiB from
/// the system and give them back each time holds up the threads that take a little.
type Memory = Vec<Block>;

/// A place among those whose password is hashed or waits for it, until it is dropped.
pub type Place = places::Place<IpAddr>;

/// The pool.
pub struct Passwords {
    threads: Background<Memory>,
    places: Shares,
    /// The hash of a password that nobody has, made when one is first verified: what a login is
    /// held to when there is no team.
    nobodys: Arc<OnceLock<String>>,
}

impl Passwords {
    /// A pool that leaves one core to everything else.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        Self {
            threads: Background::new("passwords", threads),
            places: Shares::new(threads * (WAITING_PER_THREAD_MAX + 1)),
            nobodys: Arc::default(),
        }
    }

    /// The PHC string of a new password.
    pub async fn hash(&self, place: Place, password: String) -> Result<String, ApiError> {
        self.threads.run(place, move |_| hash_of(password.as_bytes())).await
    }

    /// Whether a password is the one of `hash`. Without a hash it is not, in the same time.
    pub async fn verify(
        &self,
        place: Place,
        password: String,
        hash: Option<&str>,
    ) -> Result<bool, ApiError> {
        let (nobodys, hash) = (self.nobodys.clone(), hash.map(str::to_owned));
        let is_somebodys = hash.is_some();
        let is_right = move |memory: &mut Memory| {
            // Made for whoever comes first, so that its time says nothing.
            let nobodys = nobodys.get_or_init(|| hash_of(&rand::random::<[u8; 32]>()));
            let hash = hash.as_ref().unwrap_or(nobodys);
            is_of(password.as_bytes(), hash, memory).unwrap_or_default()
        };
        Ok(self.threads.run(place, is_right).await? && is_somebodys)
    }

    /// A place for a network, or what those who find none are told.
    pub fn place(&self, client: &ClientNetwork) -> Result<Place, ApiError> {
        self.places.take(client).map_err(|_| no_place())
    }

    /// How many places are taken.
    pub fn waiting(&self) -> usize {
        self.places.taken()
    }
}

/// What those who find no place are told.
fn no_place() -> ApiError {
    ApiError::overload().retry_after(rand::rng().random_range(AGAIN_S))
}

/// Whether a password is the one of a PHC string; `None` when that is none.
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
    use std::collections::BTreeSet;
    use std::net::Ipv6Addr;

    use axum::http::StatusCode;
    use axum::http::header::RETRY_AFTER;
    use axum::response::IntoResponse;
    use flagship_control::control;

    use super::*;

    fn network(number: u8) -> ClientNetwork {
        ClientNetwork { network: IpAddr::from([203, 0, 113, number]), is_trusted: false }
    }

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
        let place = || passwords.place(&network(1)).expect("there are some");
        let hash = passwords.hash(place(), "correct horse".to_owned()).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        for (password, hash, right) in [
            ("correct horse", Some(hash.as_str()), true),
            ("wrong horse", Some(hash.as_str()), false),
            ("correct horse", None, false),
            ("correct horse", Some("not a hash"), false),
        ] {
            let verified = passwords.verify(place(), password.to_owned(), hash).await;
            assert_eq!(verified, Ok(right), "{password} {hash:?}");
        }
    }

    #[test]
    fn one_network_leaves_places_to_the_others() {
        let passwords = Passwords::new();
        let take_all = |client: ClientNetwork| -> Vec<Place> {
            std::iter::from_fn(|| passwords.place(&client).ok()).collect()
        };
        let words = "a network has a quarter";
        let is_trusted = control("one_network_leaves_places_to_the_others", words);
        let rival = ClientNetwork { is_trusted, ..network(1) };
        let theirs = take_all(rival);
        assert_eq!(theirs.len(), passwords.places.max() / 4, "a network has a quarter");
        let campus = take_all(ClientNetwork { is_trusted: true, ..network(2) });
        assert_eq!(campus.len(), passwords.places.max() / 2);
        assert!(passwords.place(&network(3)).is_ok(), "others find a place beside both");
        drop(theirs);
        assert!(passwords.place(&rival).is_ok(), "places are given back");
    }

    #[test]
    fn the_networks_of_a_48_of_ipv6_have_the_share_of_one() {
        let passwords = Passwords::new();
        let words = "a /48 has a quarter";
        let apart = control("the_networks_of_a_48_of_ipv6_have_the_share_of_one", words);
        let taken = (0..4_u16).flat_map(|number| {
            let site = if apart { number } else { 0 };
            let network = Ipv6Addr::new(0x2001, 0xdb8, site, number, 0, 0, 0, 0).into();
            let client = ClientNetwork { network, is_trusted: false };
            let passwords = &passwords;
            std::iter::from_fn(move || passwords.place(&client).ok())
        });
        let taken: Vec<Place> = taken.collect();
        assert_eq!(taken.len(), passwords.places.max() / 4, "a /48 has a quarter");
    }

    #[test]
    fn more_than_may_wait_are_told_so_at_once() {
        let passwords = Passwords::new();
        let taken: Vec<_> = (1..=5)
            .flat_map(|number| {
                let place = || passwords.place(&network(number)).ok();
                std::iter::from_fn(place).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!((taken.len(), passwords.waiting()), (passwords.places.max(), taken.len()));
        let told = passwords.place(&network(6)).map(drop).map_err(ApiError::status);
        assert_eq!(told, Err(StatusCode::SERVICE_UNAVAILABLE));
        let refused = || passwords.place(&network(6)).err().expect("there is none").into_response();
        let seconds: BTreeSet<String> = (0..100)
            .map(|_| refused().headers()[RETRY_AFTER].to_str().expect("a number").to_owned())
            .collect();
        assert!(seconds.len() > 5, "they do not come all at once: {seconds:?}");
        drop(taken);
        assert!(passwords.place(&network(6)).is_ok());
    }
}
