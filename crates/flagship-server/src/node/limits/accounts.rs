//! Limits by network on signups, requested mails, and failed logins to a team.
//!
//! An attempt is counted before its outcome is known, so that parallel attempts cannot exceed the
//! limit, and given back if it turns out not to count.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

use flagship_game::name::{self, NAME_CHARS_MAX};
use flagship_game::{TeamId, TeamKey};
use parking_lot::Mutex;

use super::swept::SweptMap;
use super::window::{Limit, Window, seconds_until};
use crate::net::address::{ClientNetwork, TrustedNetwork, site_of, wider};
use crate::node::error::NodeError;
use crate::node::settings::LiveSettings;

/// The window of signups and requested mails, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// The window of failed logins, in milliseconds.
pub const MINUTE_MS: i64 = 60_000;

/// Most wrong codes of an organizer's second factor in an hour, from all networks: of a million
/// codes three are right, so a guess succeeds once in two years.
pub const WRONG_CODES_PER_HOUR_MAX: u32 = 20;

/// Most changes of a team's own country and people in an hour: each takes the writer.
const CHANGES_PER_HOUR_MAX: u32 = 10;

/// Refused texts that are remembered. With more, all are forgotten and refused later.
const REFUSED_MAX: usize = 10_000;

/// Prefix lengths of wider IPv6 networks, and how many times the limit of a /64 applies to each:
/// the owner of a /64 often has a whole /48.
const WIDER: [(u32, u32); 2] = [(56, 2), (48, 4)];

/// How many times the limit on requested mails applies to an address in a trusted network ...
const OF_TRUSTED_TIMES: u32 = 25;
/// ... and to a trusted network. They need no captcha, and all count in the event's mails of an
/// hour.
const TRUSTED_TIMES: u32 = 50;

/// All limits on accounts.
pub struct Limits {
    signups: Networks,
    mails: Networks,
    mails_from_trusted: Windows<IpAddr>,
    mails_of_trusted: Windows<TrustedNetwork>,
    /// Changes of the own country and people, by the team.
    changes: Windows<TeamId>,
    /// By the hash of whose password is tried, and the network.
    logins: Windows<(u64, IpAddr)>,
    /// Wrong proofs of a second factor, by the organizer and the network, apart for sessions that
    /// gave a right one before ...
    factors: Windows<(i64, bool, IpAddr)>,
    /// ... and wrong codes by the organizer, likewise.
    codes: Windows<(i64, bool)>,
    /// Until when logins are refused, by the hash of the typed text and the network, so that a
    /// repeated login costs neither the keys of a name nor a read of the database.
    refused: Mutex<HashMap<(u64, IpAddr), i64>>,
    hasher: RandomState,
}

impl Limits {
    /// The limits in the settings.
    pub fn new(settings: &LiveSettings) -> Self {
        let hourly = |times: u32| {
            let settings = settings.clone();
            move || settings.load().limits.signups_per_network_per_hour.saturating_mul(times)
        };
        let of_trusted = |times: u32| {
            let count_max = hourly(times);
            move || Limit::new(count_max(), HOUR_MS)
        };
        let by_team = settings.clone();
        let by_team = move || by_team.load().limits.failed_logins_per_team_per_minute;
        Self {
            signups: Networks::new(hourly(1)),
            mails: Networks::new(hourly(1)),
            mails_from_trusted: Windows::new(of_trusted(OF_TRUSTED_TIMES)),
            mails_of_trusted: Windows::new(of_trusted(TRUSTED_TIMES)),
            factors: Windows::new({
                let by_team = by_team.clone();
                move || Limit::new(by_team(), MINUTE_MS)
            }),
            changes: Windows::new(|| Limit::new(CHANGES_PER_HOUR_MAX, HOUR_MS)),
            codes: Windows::new(|| Limit::new(WRONG_CODES_PER_HOUR_MAX, HOUR_MS)),
            logins: Windows::new(move || Limit::new(by_team(), MINUTE_MS)),
            refused: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// Begins a signup. Trusted networks have no limit.
    pub fn sign_up(
        &self,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Vec<Attempt<IpAddr>>, NodeError> {
        if client.is_trusted() {
            return Ok(Vec::new());
        }
        self.signups.begin(client.network, now_ms).map_err(too_many)
    }

    /// Counts a requested mail, under the limit of signups, since each signup sends one.
    pub fn ask_for_mail(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let Some(trusted) = client.trusted else {
            return self.mails.begin(client.network, now_ms).map(drop).map_err(too_many);
        };
        let own = self.mails_from_trusted.begin(client.network, now_ms).map_err(too_many)?;
        match self.mails_of_trusted.begin(trusted, now_ms) {
            Ok(_counted) => Ok(()),
            Err(retry_s) => {
                own.give_back();
                Err(too_many(retry_s))
            }
        }
    }

    /// Counts a change of a team's own country or people.
    pub fn change_account(&self, team: TeamId, now_ms: i64) -> Result<(), NodeError> {
        self.changes.begin(team, now_ms).map(drop).map_err(too_many)
    }

    /// Begins a login, which counts unless it is given back. All networks of an IPv6 /48 count as
    /// one, since each would bring its own guesses. Trusted networks are not exempt, since
    /// attackers are there too. `who` comes from [`whose`], and `typed` is what was typed.
    pub fn log_in(
        &self,
        who: &str,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Attempt<(u64, IpAddr)>, NodeError> {
        let key = (self.hasher.hash_one(who), site_of(client.network));
        self.logins.begin(key, now_ms).map_err(|retry_s| {
            if let Some(free_at_ms) = self.logins.free_at_ms(key, now_ms) {
                self.refuse(typed, client, free_at_ms, now_ms);
            }
            too_many(retry_s)
        })
    }

    /// Begins a proof of an organizer's second factor, which counts unless it is given back. Codes
    /// also count from all networks together; recovery codes are too long to be guessed, so they
    /// let an organizer in whose codes an attacker in another network has used up. A session or a
    /// browser that gave a right code before has budgets of its own: an attacker has none.
    pub fn prove(
        &self,
        organizer: i64,
        is_proven: bool,
        is_code: bool,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Proving, NodeError> {
        let key = (organizer, is_proven, site_of(client.network));
        let own = self.factors.begin(key, now_ms).map_err(too_many)?;
        if !is_code {
            return Ok(Proving { own, of_all: None });
        }
        match self.codes.begin((organizer, is_proven), now_ms) {
            Ok(of_all) => Ok(Proving { own, of_all: Some(of_all) }),
            Err(retry_s) => {
                own.give_back();
                Err(too_many(retry_s))
            }
        }
    }

    /// Refuses a login while the same text from the same network has to wait.
    pub fn refused_before(
        &self,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<(), NodeError> {
        let key = (self.hasher.hash_one(typed), site_of(client.network));
        let free_at_ms = self.refused.lock().get(&key).copied().unwrap_or(now_ms);
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(too_many(seconds_until(free_at_ms, now_ms)))
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

/// A proof of a second factor under way. It counts when it is dropped.
pub struct Proving {
    own: Attempt<(i64, bool, IpAddr)>,
    of_all: Option<Attempt<(i64, bool)>>,
}

impl Proving {
    /// Ends the proof without counting it.
    pub fn give_back(self) {
        self.own.give_back();
        self.of_all.into_iter().for_each(Attempt::give_back);
    }
}

/// A text that was typed as a team's name; empty if it is too long for one. So all such texts have
/// one limit, and cost no keys.
pub fn typed(text: &str) -> &str {
    let name = name::normalize(text);
    let is_short = name.is_some_and(|name| name.chars().nth(NAME_CHARS_MAX).is_none());
    if is_short { text } else { "" }
}

/// Whose password is tried: the account's, or that of a name that no team has, by a key that all
/// its spellings share.
pub fn whose(account: Option<i64>, keys: &BTreeSet<TeamKey>) -> String {
    let nobody = || keys.first().map_or_else(String::new, |key| key.as_str().to_owned());
    account.map_or_else(nobody, |id| format!("#{id}"))
}

fn too_many(retry_after_s: u64) -> NodeError {
    NodeError::Throttled { retry_after_s }
}

/// Hourly limits of networks, and of the wider networks that contain them.
struct Networks {
    own: Windows<IpAddr>,
    wider: Vec<(u32, Windows<IpAddr>)>,
}

impl Networks {
    /// `count_max` gives the current limit of one network.
    fn new(count_max: impl Fn() -> u32 + Clone + Send + Sync + 'static) -> Self {
        let windows = |times: u32| {
            let count_max = count_max.clone();
            Windows::new(move || Limit::new(count_max().saturating_mul(times), HOUR_MS))
        };
        let wider = WIDER.map(|(bits, times)| (bits, windows(times)));
        Self { own: windows(1), wider: wider.into() }
    }

    /// Begins an attempt in all windows, or in none and gives the seconds after which there is
    /// room.
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

/// A sliding window for each key.
struct Windows<K> {
    /// The current limit.
    limit: Box<dyn Fn() -> Limit + Send + Sync>,
    by_key: Arc<Mutex<SweptMap<K, Counted>>>,
}

#[derive(Default)]
struct Counted {
    /// The attempts that counted.
    window: Window,
    /// The number of attempts under way.
    open: usize,
}

/// An attempt under way. It counts when it is dropped.
pub struct Attempt<K: Eq + Hash> {
    key: Option<K>,
    at_ms: i64,
    counts: bool,
    by_key: Arc<Mutex<SweptMap<K, Counted>>>,
}

impl<K: Copy + Eq + Hash> Windows<K> {
    /// Windows without attempts.
    fn new(limit: impl Fn() -> Limit + Send + Sync + 'static) -> Self {
        Self { limit: Box::new(limit), by_key: Arc::default() }
    }

    /// Begins an attempt, or gives the whole seconds after which there may be room for one.
    fn begin(&self, key: K, now_ms: i64) -> Result<Attempt<K>, u64> {
        let by_key = self.by_key.clone();
        let attempt = |key| Attempt { key, at_ms: now_ms, counts: true, by_key };
        let limit = (self.limit)();
        let Limit { count_max, window_ms } = limit;
        if count_max == 0 {
            return Ok(attempt(None));
        }
        let mut by_key = self.by_key.lock();
        by_key.sweep_or_clear(|counted| {
            counted.window.forget(window_ms, now_ms);
            counted.open > 0 || !counted.window.is_empty()
        });
        let counted = by_key.entries().entry(key).or_default();
        counted.window.forget(window_ms, now_ms);
        if let Some(free_at_ms) = counted.window.free_at_ms(limit) {
            return Err(seconds_until(free_at_ms, now_ms));
        }
        if counted.window.len() + counted.open >= count_max {
            return Err(1);
        }
        counted.open += 1;
        drop(by_key);
        Ok(attempt(Some(key)))
    }

    /// When the attempts that counted leave room for another one; `None` if they do now.
    fn free_at_ms(&self, key: K, now_ms: i64) -> Option<i64> {
        let mut by_key = self.by_key.lock();
        let free_at_ms = by_key.entries().get(&key)?.window.free_at_ms((self.limit)())?;
        Some(free_at_ms).filter(|free_at_ms| *free_at_ms > now_ms)
    }
}

impl<K: Eq + Hash> Attempt<K> {
    /// Ends the attempt without counting it.
    pub fn give_back(mut self) {
        self.counts = false;
    }
}

impl<K: Eq + Hash> Drop for Attempt<K> {
    fn drop(&mut self) {
        let Some(key) = self.key.take() else { return };
        let mut by_key = self.by_key.lock();
        let counted = by_key.entries().entry(key).or_default();
        counted.open = counted.open.saturating_sub(1);
        if self.counts {
            counted.window.add(self.at_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use flagship_pack::Live;

    use super::super::swept::SWEEP_MIN;
    use super::*;

    #[test]
    fn a_window_slides_and_returns_the_exact_wait() {
        let window = Windows::new(|| Limit::new(2, 60_000));
        assert!(window.begin("a", 0).is_ok());
        assert!(window.begin("a", 10_500).is_ok());
        assert_eq!(window.begin("a", 11_000).err(), Some(49));
        assert_eq!(window.begin("a", 59_999).err(), Some(1));
        assert!(window.begin("b", 59_999).is_ok());
        assert!(window.begin("a", 60_000).is_ok());
        assert_eq!(window.begin("a", 60_000).err(), Some(11));
    }

    #[test]
    fn a_text_that_is_too_long_for_a_name_has_no_keys() {
        let accented = "e\u{301}".repeat(25);
        for text in ["a", " 25 characters and blanks ", &accented, &"\u{fdfa}".repeat(25)] {
            assert_eq!(typed(text), text);
        }
        for text in ["x".repeat(26), "e\u{301}".repeat(26), "\u{fdfa}".repeat(94)] {
            assert_eq!(typed(&text), "", "{text}");
        }
    }

    #[test]
    fn a_trusted_network_leaves_requested_mails_to_another_beside_it() {
        let limits = Limits::new(&LiveSettings::new(Live::default()));
        let ask = |of: u16, count: usize| -> usize {
            let subnet = |number| Ipv6Addr::new(0x2001, 0xdb8, 1, number, 0, 0, 0, 0).into();
            let asked = |number: usize| {
                let network = subnet(of + (number % 16) as u16);
                let trusted = Some(TrustedNetwork(subnet(of), 60));
                limits.ask_for_mail(&ClientNetwork { network, trusted }, 0).is_ok()
            };
            (0..count).filter(|number| asked(*number)).count()
        };
        // Of one /56, with the default limit of 20.
        assert_eq!(ask(0, 5_000), 1_000);
        assert_eq!(ask(0x10, 1_000), 1_000);
    }

    #[test]
    fn returned_attempts_do_not_count() {
        let window = Windows::new(|| Limit::new(1, 60_000));
        for now_ms in 0..100 {
            window.begin("a", now_ms).expect("there is room").give_back();
        }
        drop(window.begin("a", 100).expect("there is room"));
        assert_eq!(window.begin("a", 100).err(), Some(60));
    }

    #[test]
    fn running_attempts_count_against_the_limit() {
        let window = Windows::new(|| Limit::new(3, 60_000));
        let open: Vec<_> = (0..200).filter_map(|_| window.begin("a", 0).ok()).collect();
        assert_eq!(open.len(), 3);
        assert_eq!(window.begin("a", 0).err(), Some(1));
        open.into_iter().for_each(Attempt::give_back);
        assert!(window.begin("a", 0).is_ok());
    }

    #[test]
    fn a_full_wide_network_spends_nothing_of_a_narrow_one() {
        let networks = Networks::new(|| 1);
        let at = |text: &str| text.parse::<IpAddr>().expect("an address");
        for network in ["2001:db8:0:0::", "2001:db8:0:1::"] {
            assert!(networks.begin(at(network), 0).is_ok(), "{network}");
        }
        assert_eq!(networks.begin(at("2001:db8:0:2::"), 1_000).err(), Some(3_599), "of a /56");
        for network in ["2001:db8:0:100::", "2001:db8:0:200::"] {
            assert!(networks.begin(at(network), 0).is_ok(), "{network}");
        }
        assert_eq!(networks.begin(at("2001:db8:0:300::"), 1_000).err(), Some(3_599), "of a /48");
        assert!(
            networks.begin(at("2001:db8:0:2::"), HOUR_MS).is_ok(),
            "the refused attempt spent nothing"
        );
        assert!(networks.begin(at("198.51.100.7"), 0).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let window = Windows::new(|| Limit::new(0, 60_000));
        assert!((0..1000).all(|_| window.begin("a", 0).is_ok()));
    }

    #[test]
    fn idle_keys_are_removed_from_a_window() {
        let window = Windows::new(|| Limit::new(1, 60_000));
        for key in 0..10_000_i64 {
            assert!(window.begin(key, key * 1_000).is_ok());
        }
        assert!(window.by_key.lock().entries().len() <= SWEEP_MIN);
    }
}
