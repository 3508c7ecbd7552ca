//! Passwords: the rules for new ones, and hashing on threads of its own. The system runs these when
//! nobody else wants the processor, so that a crowd at the login takes nothing from those who play.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, OnceLock};

use argon2::password_hash::PasswordHasher;
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use flagship_pack::Registration;
use parking_lot::Mutex;
use rand::RngExt;
use rustix::process::setpriority_process;
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::error::ApiError;

/// Most characters of a password.
pub const PASSWORD_CHARS_MAX: usize = 128;
/// Memory of one hash, in KiB; with the next two, what OWASP names as the least for Argon2id.
const MEMORY_KIB: u32 = 19_456;
/// Passes over the memory.
const PASSES: u32 = 2;
/// Lanes of one hash.
const LANES: u32 = 1;
/// How much the threads give way to others, from 0 to 19.
const NICENESS: i32 = 19;
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
type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// A place among those whose password is hashed or waits for it, until it is dropped.
pub struct Place(#[expect(dead_code, reason = "it is there to be dropped")] OwnedSemaphorePermit);

/// The pool.
pub struct Passwords {
    queue: Sender<Job>,
    places: Arc<Semaphore>,
    places_max: usize,
    /// The hash of a password that nobody has, made when one is first verified: what a login is
    /// held to when there is no team.
    nobodys: Arc<OnceLock<String>>,
}

impl Passwords {
    /// A pool that leaves one core to everything else.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let (queue, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = jobs.clone();
            let thread = std::thread::Builder::new().name("passwords".to_owned());
            thread.spawn(move || work(&jobs)).expect("the system has a thread to spare");
        }
        let places_max = threads * (WAITING_PER_THREAD_MAX + 1);
        let (places, nobodys) = (Arc::new(Semaphore::new(places_max)), Arc::default());
        Self { queue, places, places_max, nobodys }
    }

    /// The PHC string of a new password.
    pub async fn hash(&self, place: Place, password: String) -> Result<String, ApiError> {
        self.work(place, move |_| hash_of(password.as_bytes())).await
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
        Ok(self.work(place, is_right).await? && is_somebodys)
    }

    /// A place, or what those who find none are told.
    pub fn place(&self) -> Result<Place, ApiError> {
        self.places.clone().try_acquire_owned().map(Place).map_err(|_| no_place())
    }

    /// How many places are taken.
    pub fn waiting(&self) -> usize {
        self.places_max - self.places.available_permits()
    }

    async fn work<T: Send + 'static>(
        &self,
        place: Place,
        job: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let job = move |memory: &mut Memory| {
            // Whoever asked may be gone by now.
            let done = (!reply.is_closed()).then(|| job(memory));
            drop(place);
            if let Some(done) = done {
                drop(reply.send(done));
            }
        };
        self.queue.send(Box::new(job)).map_err(|_| ApiError::INTERNAL)?;
        answer.await.map_err(|_| ApiError::INTERNAL)
    }
}

/// Does jobs until nobody is left to give some.
fn work(jobs: &Mutex<Receiver<Job>>) {
    // To Linux the caller is the thread, not the program.
    if let Err(error) = setpriority_process(None, NICENESS) {
        tracing::warn!(%error, "passwords are hashed at the priority of everything else");
    }
    let mut memory = Memory::new();
    loop {
        // Whoever holds the lock for longer waits for a job itself: there is none.
        let waits = jobs.try_lock().and_then(|jobs| jobs.try_recv().ok());
        let job = waits.map_or_else(
            || {
                memory = Memory::new();
                jobs.lock().recv()
            },
            Ok,
        );
        let Ok(job) = job else { return };
        // A job that breaks is a bug, which the panic's hook tells of; the others get their turn.
        drop(catch_unwind(AssertUnwindSafe(|| job(&mut memory))));
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

    use axum::http::StatusCode;
    use axum::http::header::RETRY_AFTER;
    use axum::response::IntoResponse;
    use flagship_control::control;
    use rustix::process::getpriority_process;

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
        let place = || passwords.place().expect("there are some");
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

    #[tokio::test]
    async fn hashing_gives_way_to_everything_else() {
        let own = getpriority_process(None).expect("the system tells");
        let passwords = Passwords::new();
        let place = passwords.place().expect("there are some");
        let theirs = passwords.work(place, |_| getpriority_process(None)).await.expect("it works");
        assert_eq!(theirs.expect("the system tells"), NICENESS);
        assert_eq!(getpriority_process(None), Ok(own), "nobody else's is changed");
    }

    #[tokio::test]
    async fn nothing_is_hashed_for_who_is_gone_and_the_others_get_their_turn() {
        let passwords = Arc::new(Passwords::new());
        let (go, gone) = channel::<()>();
        let gone = Arc::new(Mutex::new(gone));
        let threads = passwords.places_max / (WAITING_PER_THREAD_MAX + 1);
        let ask = |job: Box<dyn FnOnce() + Send>| {
            let passwords = passwords.clone();
            let place = passwords.place().expect("there are some");
            tokio::spawn(async move { passwords.work(place, move |_| job()).await })
        };
        let busy: Vec<_> = (0..threads)
            .map(|_| {
                let gone = gone.clone();
                ask(Box::new(move || assert!(gone.lock().recv().is_err())))
            })
            .collect();
        let done = Arc::new(Mutex::new(Vec::new()));
        let note = |name| {
            let done = done.clone();
            ask(Box::new(move || done.lock().push(name)))
        };
        let (leaves, stays) = (note("leaves"), note("stays"));
        while passwords.waiting() < threads + 2 {
            tokio::task::yield_now().await;
        }
        leaves.abort();
        assert!(leaves.await.is_err_and(|end| end.is_cancelled()));
        drop(go);
        for asked in busy.into_iter().chain([stays]) {
            assert_eq!(asked.await.expect("it ends"), Ok(()));
        }
        assert_eq!(*done.lock(), ["stays"]);
        assert_eq!(passwords.waiting(), 0);
    }

    #[tokio::test]
    async fn more_than_may_wait_are_told_so_at_once() {
        let passwords = Passwords::new();
        let all = passwords.places.available_permits();
        let taken = passwords.places.acquire_many(all as u32).await.expect("open");
        let told = passwords.place().map(drop).map_err(ApiError::status);
        assert_eq!(told, Err(StatusCode::SERVICE_UNAVAILABLE));
        let refused = || passwords.place().err().expect("there is none").into_response();
        let seconds: BTreeSet<String> = (0..100)
            .map(|_| refused().headers()[RETRY_AFTER].to_str().expect("a number").to_owned())
            .collect();
        assert!(seconds.len() > 5, "they do not come all at once: {seconds:?}");
        drop(taken);
        assert!(passwords.place().is_ok());
    }
}
