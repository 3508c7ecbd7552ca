//! Budgets by network: signups, mails asked for, and failed logins of a team.
//!
//! An attempt takes its place before its outcome is known, so that parallel ones cannot pass,
//! and gives it back if it turns out not to count.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

use flagship_game::TeamName;
use flagship_pack::Limits as Settings;
use parking_lot::Mutex;

use crate::error::ApiError;
use crate::extract::{ClientNetwork, site_of, wider};

/// The window of signups and of mails asked for, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// The window of failed logins, in milliseconds.
pub const MINUTE_MS: i64 = 60_000;
/// Keys that a window holds. Beyond, it forgets all: to throttle nobody for a moment is better
/// than to lock everybody out.
const KEYS_MAX: usize = 100_000;
/// Keys at which a window first looks for those it need not hold.
const KEYS_SWEEP_MIN: usize = 1_024;

/// Texts whose logins are refused at once. Beyond, all are forgotten, and refused a little later.
const REFUSED_MAX: usize = 10_000;
/// Code points of a text that may be a team's name, blanks around it and accents apart included.
const TYPED_CHARS_MAX: usize = 100;

/// Bits of an IPv6 network, and how many times the budget of a /64 all its networks have together:
/// who has one /64 often has all of a /48.
const WIDER: [(u32, u32); 2] = [(56, 2), (48, 4)];

/// All budgets of accounts.
pub struct Limits {
    signups: Networks,
    mails: Networks,
    logins: Window<(Who, IpAddr)>,
    /// Until when logins are refused, by the hash of the text that was typed and its network: the
    /// next one with the same text costs neither a name's keys nor a look at the database.
    refused: Mutex<HashMap<(u64, IpAddr), i64>>,
    hasher: RandomState,
}

/// Whose password is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// A team.
    Account(i64),
    /// A name that no team has: its hash.
    Nobody(u64),
}

impl Limits {
    /// As the settings say.
    pub fn new(settings: &Settings) -> Self {
        let by_network = settings.signups_per_network_per_hour;
        Self {
            signups: Networks::new(by_network),
            mails: Networks::new(by_network),
            logins: Window::new(settings.failed_logins_per_team_per_minute, MINUTE_MS),
            refused: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// Begins a signup; there is nothing to give back from a network that is not limited.
    pub fn sign_up(
        &self,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Vec<Attempt<IpAddr>>, ApiError> {
        if client.is_trusted {
            return Ok(Vec::new());
        }
        self.signups.begin(client.network, now_ms).map_err(too_many)
    }

    /// Counts a mail that is asked for; as many as signups, of which each has one.
    pub fn ask_for_mail(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), ApiError> {
        if client.is_trusted {
            return Ok(());
        }
        self.mails.begin(client.network, now_ms).map(drop).map_err(too_many)
    }

    /// Begins a login, which counts unless it is given back. All networks of an IPv6 /48 count as
    /// one: each would bring guesses of its own. Trusted networks are not exempt: attackers sit
    /// there too.
    pub fn log_in(
        &self,
        account: Option<i64>,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Attempt<(Who, IpAddr)>, ApiError> {
        let nobody = || Who::Nobody(self.hasher.hash_one(typed_key(typed)));
        let who = account.map_or_else(nobody, Who::Account);
        let key = (who, site_of(client.network));
        self.logins.begin(key, now_ms).map_err(|retry_s| {
            if let Some(free_at_ms) = self.logins.free_at_ms(key, now_ms) {
                self.refuse(typed, client, free_at_ms, now_ms);
            }
            too_many(retry_s)
        })
    }

    /// Refuses a login whose text was refused a moment ago, for as long as it was told to wait.
    pub fn refused_before(
        &self,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<(), ApiError> {
        let key = (self.hasher.hash_one(typed), site_of(client.network));
        let free_at_ms = self.refused.lock().get(&key).copied().unwrap_or(now_ms);
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(too_many((free_at_ms - now_ms).unsigned_abs().div_ceil(1000)))
    }

    fn refuse(&self, typed: &str, client: &ClientNetwork, free_at_ms: i64, now_ms: i64) {
        let mut refused = self.refused.lock();
        if refused.len() >= REFUSED_MAX {
            refused.retain(|_, free_at_ms| *free_at_ms > now_ms);
        }
        if refused.len() >= REFUSED_MAX {
            refused.clear();
        }
        refused.insert((self.hasher.hash_one(typed), site_of(client.network)), free_at_ms);
    }
}

/// A text that was typed as a team's name; what is far too long for one is none, so it is read no
/// further.
pub fn typed(text: &str) -> &str {
    if text.chars().nth(TYPED_CHARS_MAX).is_some() { "" } else { text }
}

/// What all spellings of a typed name share: they have one budget, whether a team has the name or
/// not. Empty for what is no name.
pub fn typed_key(typed: &str) -> String {
    let key = TeamName::parse(typed).ok().and_then(|name| name.keys().pop_first());
    key.map_or_else(String::new, |key| key.as_str().to_owned())
}

fn too_many(retry_s: u64) -> ApiError {
    ApiError::TOO_MANY.retry_after(retry_s)
}

/// Hourly budgets of networks, and of the wider ones that they lie in.
struct Networks {
    own: Window<IpAddr>,
    wider: Vec<(u32, Window<IpAddr>)>,
}

impl Networks {
    fn new(count_max: u32) -> Self {
        let wider = WIDER.map(|(bits, times)| (bits, Window::new(count_max * times, HOUR_MS)));
        Self { own: Window::new(count_max, HOUR_MS), wider: wider.into() }
    }

    /// Takes a place in each, or in none and says after how many whole seconds there is one.
    fn begin(&self, network: IpAddr, now_ms: i64) -> Result<Vec<Attempt<IpAddr>>, u64> {
        let mut attempts = vec![self.own.begin(network, now_ms)?];
        if network.is_ipv6() {
            for (bits, window) in &self.wider {
                match window.begin(wider(network, *bits), now_ms) {
                    Ok(attempt) => attempts.push(attempt),
                    Err(retry_s) => {
                        attempts.into_iter().for_each(Attempt::give_back);
                        return Err(retry_s);
                    }
                }
            }
        }
        Ok(attempts)
    }
}

/// At most so many in any stretch of so long, for each key.
struct Window<K> {
    count_max: usize,
    window_ms: i64,
    book: Arc<Mutex<Book<K>>>,
}

struct Book<K> {
    by_key: HashMap<K, Spent>,
    sweep_at: usize,
}

#[derive(Default)]
struct Spent {
    /// When those that counted began, oldest first.
    times: VecDeque<i64>,
    /// Attempts under way.
    open: usize,
}

/// An attempt under way. Dropped, it counts.
pub struct Attempt<K: Eq + Hash> {
    key: Option<K>,
    at_ms: i64,
    counts: bool,
    book: Arc<Mutex<Book<K>>>,
}

impl<K: Copy + Eq + Hash> Window<K> {
    /// A count of 0 is no limit.
    fn new(count_max: u32, window_ms: i64) -> Self {
        let book = Book { by_key: HashMap::new(), sweep_at: KEYS_SWEEP_MIN };
        Self { count_max: count_max as usize, window_ms, book: Arc::new(Mutex::new(book)) }
    }

    /// Takes a place, or says after how many whole seconds there is one.
    fn begin(&self, key: K, now_ms: i64) -> Result<Attempt<K>, u64> {
        let attempt = |key| Attempt { key, at_ms: now_ms, counts: true, book: self.book.clone() };
        if self.count_max == 0 {
            return Ok(attempt(None));
        }
        let mut book = self.book.lock();
        book.sweep(now_ms - self.window_ms);
        let spent = book.by_key.entry(key).or_default();
        spent.forget(now_ms - self.window_ms);
        if let Some(oldest) = spent.times.len().checked_sub(self.count_max) {
            let free_at_ms = spent.times[oldest] + self.window_ms;
            return Err((free_at_ms - now_ms).max(1).unsigned_abs().div_ceil(1000));
        }
        if spent.times.len() + spent.open >= self.count_max {
            return Err(1);
        }
        spent.open += 1;
        Ok(attempt(Some(key)))
    }
}

impl<K: Copy + Eq + Hash> Window<K> {
    /// When a key without a place has one again by what has counted; `None` where it has one, or
    /// will as soon as attempts under way do not count.
    fn free_at_ms(&self, key: K, now_ms: i64) -> Option<i64> {
        let book = self.book.lock();
        let times = &book.by_key.get(&key)?.times;
        let oldest = times.len().checked_sub(self.count_max)?;
        times
            .get(oldest)
            .map(|time| time + self.window_ms)
            .filter(|free_at_ms| *free_at_ms > now_ms)
    }
}

impl<K: Eq + Hash> Book<K> {
    fn sweep(&mut self, until_ms: i64) {
        if self.by_key.len() < self.sweep_at {
            return;
        }
        self.by_key.retain(|_, spent| {
            spent.forget(until_ms);
            spent.open > 0 || !spent.times.is_empty()
        });
        if self.by_key.len() >= KEYS_MAX {
            self.by_key.clear();
        }
        self.sweep_at = (self.by_key.len() * 2).clamp(KEYS_SWEEP_MIN, KEYS_MAX);
    }
}

impl Spent {
    fn forget(&mut self, until_ms: i64) {
        while self.times.front().is_some_and(|time| *time <= until_ms) {
            self.times.pop_front();
        }
    }
}

impl<K: Eq + Hash> Attempt<K> {
    /// It does not count.
    pub fn give_back(mut self) {
        self.counts = false;
    }
}

impl<K: Eq + Hash> Drop for Attempt<K> {
    fn drop(&mut self) {
        let Some(key) = self.key.take() else { return };
        let mut book = self.book.lock();
        let spent = book.by_key.entry(key).or_default();
        spent.open = spent.open.saturating_sub(1);
        if self.counts {
            let place = spent.times.partition_point(|time| *time <= self.at_ms);
            spent.times.insert(place, self.at_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_slides_and_says_exactly_when_there_is_room() {
        let window = Window::new(2, 60_000);
        assert!(window.begin("a", 0).is_ok());
        assert!(window.begin("a", 10_500).is_ok());
        assert_eq!(window.begin("a", 11_000).err(), Some(49));
        assert_eq!(window.begin("a", 59_999).err(), Some(1));
        assert!(window.begin("b", 59_999).is_ok());
        assert!(window.begin("a", 60_000).is_ok());
        assert_eq!(window.begin("a", 60_000).err(), Some(11));
    }

    #[test]
    fn what_is_given_back_does_not_count() {
        let window = Window::new(1, 60_000);
        for now_ms in 0..100 {
            window.begin("a", now_ms).expect("there is room").give_back();
        }
        drop(window.begin("a", 100).expect("there is room"));
        assert_eq!(window.begin("a", 100).err(), Some(60));
    }

    #[test]
    fn attempts_under_way_hold_their_places() {
        let window = Window::new(3, 60_000);
        let open: Vec<_> = (0..200).filter_map(|_| window.begin("a", 0).ok()).collect();
        assert_eq!(open.len(), 3);
        assert_eq!(window.begin("a", 0).err(), Some(1));
        open.into_iter().for_each(Attempt::give_back);
        assert!(window.begin("a", 0).is_ok());
    }

    #[test]
    fn a_wider_network_that_is_full_takes_nothing_from_a_narrower_one() {
        let networks = Networks::new(1);
        let at = |text: &str| text.parse::<IpAddr>().expect("an address");
        for network in ["2001:db8:0:0::", "2001:db8:0:1::"] {
            assert!(networks.begin(at(network), 0).is_ok(), "{network}");
        }
        assert_eq!(networks.begin(at("2001:db8:0:2::"), 1_000).err(), Some(3_599), "of a /56");
        for network in ["2001:db8:0:100::", "2001:db8:0:200::"] {
            assert!(networks.begin(at(network), 0).is_ok(), "{network}");
        }
        assert_eq!(networks.begin(at("2001:db8:0:300::"), 1_000).err(), Some(3_599), "of a /48");
        assert!(networks.begin(at("2001:db8:0:2::"), HOUR_MS).is_ok(), "it had spent nothing");
        assert!(networks.begin(at("198.51.100.7"), 0).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let window = Window::new(0, 60_000);
        assert!((0..1000).all(|_| window.begin("a", 0).is_ok()));
    }

    #[test]
    fn a_window_forgets_those_who_stay_away() {
        let window = Window::new(1, 60_000);
        for key in 0..10_000_i64 {
            assert!(window.begin(key, key * 1_000).is_ok());
        }
        assert!(window.book.lock().by_key.len() <= KEYS_SWEEP_MIN);
    }
}
