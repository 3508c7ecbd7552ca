//! Limits by network on signups, requested mails, and failed logins to a team.
//!
//! An attempt is counted before its outcome is known, so that parallel attempts cannot exceed the
//! limit, and given back if it turns out not to count.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
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
const MINUTE_MS: i64 = 60_000;
/// Most wrong codes of an organizer's second factor in an hour, from all networks: of a million
/// codes three are right, so a guess succeeds once in two years.
const WRONG_CODES_PER_HOUR_MAX: u32 = 20;
/// Most changes of a team's own country and people in an hour: each takes the writer.
const CHANGES_PER_HOUR_MAX: u32 = 10;
/// Prefix lengths of IPv6 networks, and how many times the hourly limit applies to each: the owner
/// of a /64 often has a whole /48.
const SIZES: [(u32, u32); 3] = [(64, 1), (56, 2), (48, 4)];
/// How many times the limit on requested mails applies to an address in a trusted network ...
const OF_TRUSTED_TIMES: u32 = 25;
/// ... and to a trusted network. They need no captcha, and all count in the event's mails of an
/// hour.
const TRUSTED_TIMES: u32 = 50;

pub struct Limits {
    settings: LiveSettings,
    signups: [Windows; 3],
    mails: [Windows; 3],
    mails_from_trusted: Windows,
    mails_of_trusted: Windows,
    /// Changes of the own country and people, by the team.
    changes: Windows,
    /// By whose password is tried, and the network.
    logins: Windows,
    /// Wrong proofs of a second factor, by the organizer and the network, apart for sessions that
    /// gave a right one before ...
    factors: Windows,
    /// ... and wrong codes by the organizer, likewise.
    codes: Windows,
    /// Until when logins are refused, by the hash of the typed text and the network, so that a
    /// repeated login costs neither the keys of a name nor a read of the database.
    refused: Mutex<SweptMap<(u64, IpAddr), i64>>,
    hasher: RandomState,
}

/// How often somebody may try something.
pub struct Budget<'a> {
    windows: &'a Windows,
    /// What is tried, and by whom.
    pub whose: Vec<String>,
    pub limit: Limit,
    /// True if several nodes count together.
    pub is_shared: bool,
}

impl<'a> Budget<'a> {
    fn new(windows: &'a Windows, whose: &[&str], count_max: u32, window_ms: i64) -> Self {
        let whose = whose.iter().map(|&it| it.to_owned()).collect();
        Self { windows, whose, limit: Limit::new(count_max, window_ms), is_shared: false }
    }

    fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }
}

impl Limits {
    pub fn new(settings: &LiveSettings) -> Self {
        Self {
            settings: settings.clone(),
            signups: Default::default(),
            mails: Default::default(),
            mails_from_trusted: Windows::default(),
            mails_of_trusted: Windows::default(),
            changes: Windows::default(),
            logins: Windows::default(),
            factors: Windows::default(),
            codes: Windows::default(),
            refused: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// The budgets of a signup. Trusted networks have no limit.
    pub fn signup(&self, client: &ClientNetwork) -> Vec<Budget<'_>> {
        if client.is_trusted() {
            return Vec::new();
        }
        let mut budgets = self.of_network(&self.signups, "signup", client.network);
        budgets[0].is_shared = true;
        budgets
    }

    /// The hourly budgets of a network, and of the wider networks that contain it.
    fn of_network<'a>(
        &self,
        windows: &'a [Windows; 3],
        what: &str,
        network: IpAddr,
    ) -> Vec<Budget<'a>> {
        let sizes = if network.is_ipv6() { &SIZES[..] } else { &SIZES[..1] };
        let budgets = sizes.iter().zip(windows).map(|((bits, times), windows)| {
            let whose = [what, &wider(network, *bits).to_string()];
            Budget::new(windows, &whose, self.per_hour(*times), HOUR_MS)
        });
        budgets.collect()
    }

    /// So many times the limit of a network in an hour.
    fn per_hour(&self, times: u32) -> u32 {
        self.settings.load().limits.signups_per_network_per_hour.saturating_mul(times)
    }

    fn failed_logins_max(&self) -> u32 {
        self.settings.load().limits.failed_logins_per_team_per_minute
    }

    /// Counts a requested mail, under the limit of signups, since each signup sends one.
    pub fn ask_for_mail(&self, client: &ClientNetwork, now_ms: i64) -> Result<(), NodeError> {
        let of_trusted = |windows, whose: &dyn ToString, times| {
            Budget::new(windows, &["mail", &whose.to_string()], self.per_hour(times), HOUR_MS)
        };
        let budgets = match client.trusted {
            None => self.of_network(&self.mails, "mail", client.network),
            Some(TrustedNetwork(first, bits)) => vec![
                of_trusted(&self.mails_from_trusted, &client.network, OF_TRUSTED_TIMES),
                of_trusted(&self.mails_of_trusted, &format!("{first}/{bits}"), TRUSTED_TIMES),
            ],
        };
        begin(&budgets, now_ms).map(drop)
    }

    /// Counts a change of a team's own country or people.
    pub fn change_account(&self, team: TeamId, now_ms: i64) -> Result<(), NodeError> {
        let whose = team.0.to_string();
        let budget = Budget::new(&self.changes, &[&whose], CHANGES_PER_HOUR_MAX, HOUR_MS);
        begin(&[budget], now_ms).map(drop)
    }

    /// The budget of failed logins. All networks of an IPv6 /48 count as one: each would bring its
    /// own guesses. Trusted networks are not exempt, since attackers are there too. `who` comes
    /// from [`whose`].
    pub fn login(&self, who: &str, client: &ClientNetwork) -> Budget<'_> {
        let whose = ["login", who, &site_of(client.network).to_string()];
        Budget::new(&self.logins, &whose, self.failed_logins_max(), MINUTE_MS).shared()
    }

    /// The budgets of wrong proofs of an organizer's second factor. Codes also count from all
    /// networks together; recovery codes are too long to be guessed, so they let an organizer in
    /// whose codes an attacker in another network has used up. A session or a browser that gave a
    /// right code before has budgets of its own: an attacker has none.
    pub fn factor(
        &self,
        organizer: i64,
        is_proven: bool,
        is_code: bool,
        client: &ClientNetwork,
    ) -> Vec<Budget<'_>> {
        let who = organizer.to_string();
        let site = site_of(client.network).to_string();
        let sessions = if is_proven { "proven" } else { "new" };
        let of_network = ["factor", &who, sessions, &site];
        let of_all = &of_network[..3];
        let count_max = self.failed_logins_max();
        let mut budgets =
            vec![Budget::new(&self.factors, &of_network, count_max, MINUTE_MS).shared()];
        if is_code {
            let budget = Budget::new(&self.codes, of_all, WRONG_CODES_PER_HOUR_MAX, HOUR_MS);
            budgets.push(budget.shared());
        }
        budgets
    }

    /// Refuses a login while the same text from the same network has to wait.
    pub fn refused_before(
        &self,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<(), NodeError> {
        let key = (self.hasher.hash_one(typed), site_of(client.network));
        let free_at_ms = self.refused.lock().entries().get(&key).copied().unwrap_or(now_ms);
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(NodeError::Throttled { retry_after_s: seconds_until(free_at_ms, now_ms) })
    }

    /// Refuses the same text from the same network while the budget of its logins is used up.
    pub fn refuse(&self, login: &Budget<'_>, typed: &str, client: &ClientNetwork, now_ms: i64) {
        let free_at_ms = login.windows.free_at_ms(login);
        let Some(free_at_ms) = free_at_ms.filter(|free_at_ms| *free_at_ms > now_ms) else { return };
        let mut refused = self.refused.lock();
        refused.sweep_or_clear(|free_at_ms| *free_at_ms > now_ms);
        refused
            .entries()
            .insert((self.hasher.hash_one(typed), site_of(client.network)), free_at_ms);
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

/// A sliding window for each hash of whose it is.
type ByHolder = Arc<Mutex<SweptMap<u64, Counted>>>;

#[derive(Default)]
struct Windows {
    by_key: ByHolder,
    hasher: RandomState,
}

#[derive(Default)]
struct Counted {
    /// The attempts that counted.
    window: Window,
    /// The number of attempts under way.
    open: usize,
}

/// An attempt under way, in the windows of some budgets. It counts when it is dropped.
pub struct LocalAttempt {
    windows: Vec<(ByHolder, u64)>,
    at_ms: i64,
    counts: bool,
}

/// Begins an attempt under all budgets, or under none and gives the whole seconds after which there
/// may be room for it.
pub fn begin(budgets: &[Budget<'_>], now_ms: i64) -> Result<LocalAttempt, NodeError> {
    let mut begun = LocalAttempt { windows: Vec::new(), at_ms: now_ms, counts: true };
    for budget in budgets.iter().filter(|budget| budget.limit.count_max > 0) {
        match budget.windows.begin(budget, now_ms) {
            Ok(key) => begun.windows.push((budget.windows.by_key.clone(), key)),
            Err(retry_after_s) => {
                begun.give_back();
                return Err(NodeError::Throttled { retry_after_s });
            }
        }
    }
    Ok(begun)
}

impl Windows {
    fn key(&self, budget: &Budget<'_>) -> u64 {
        self.hasher.hash_one(&budget.whose)
    }

    /// Counts an attempt as under way and returns its key, or the whole seconds after which there
    /// may be room for it.
    fn begin(&self, budget: &Budget<'_>, now_ms: i64) -> Result<u64, u64> {
        let Limit { count_max, window_ms } = budget.limit;
        let mut by_key = self.by_key.lock();
        by_key.sweep_or_clear(|counted| {
            counted.window.forget(window_ms, now_ms);
            counted.open > 0 || !counted.window.is_empty()
        });
        let key = self.key(budget);
        let counted = by_key.entries().entry(key).or_default();
        counted.window.forget(window_ms, now_ms);
        if let Some(free_at_ms) = counted.window.free_at_ms(budget.limit) {
            return Err(seconds_until(free_at_ms, now_ms));
        }
        if counted.window.len() + counted.open >= count_max {
            return Err(1);
        }
        counted.open += 1;
        Ok(key)
    }

    /// When the attempts that counted leave room for another one; `None` if they do.
    fn free_at_ms(&self, budget: &Budget<'_>) -> Option<i64> {
        self.by_key.lock().entries().get(&self.key(budget))?.window.free_at_ms(budget.limit)
    }
}

impl LocalAttempt {
    /// Ends the attempt without counting it.
    pub fn give_back(mut self) {
        self.counts = false;
    }
}

impl Drop for LocalAttempt {
    fn drop(&mut self) {
        for (by_key, key) in &self.windows {
            let mut by_key = by_key.lock();
            let counted = by_key.entries().entry(*key).or_default();
            counted.open = counted.open.saturating_sub(1);
            if self.counts {
                counted.window.add(self.at_ms);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use flagship_pack::Live;

    use super::super::swept::SWEEP_MIN;
    use super::*;

    /// Begins an attempt in a window of a minute, or gives the seconds until there is room.
    fn begin_in(
        windows: &Windows,
        whose: &str,
        count_max: u32,
        now_ms: i64,
    ) -> Result<LocalAttempt, u64> {
        waited(begin(&[Budget::new(windows, &[whose], count_max, 60_000)], now_ms))
    }

    fn waited(begun: Result<LocalAttempt, NodeError>) -> Result<LocalAttempt, u64> {
        begun.map_err(|error| match error {
            NodeError::Throttled { retry_after_s } => retry_after_s,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn a_window_slides_and_returns_the_exact_wait() {
        let windows = Windows::default();
        let begin = |whose, now_ms| begin_in(&windows, whose, 2, now_ms);
        assert!(begin("a", 0).is_ok());
        assert!(begin("a", 10_500).is_ok());
        assert_eq!(begin("a", 11_000).err(), Some(49));
        assert_eq!(begin("a", 59_999).err(), Some(1));
        assert!(begin("b", 59_999).is_ok());
        assert!(begin("a", 60_000).is_ok());
        assert_eq!(begin("a", 60_000).err(), Some(11));
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
        let windows = Windows::default();
        let begin = |now_ms| begin_in(&windows, "a", 1, now_ms);
        for now_ms in 0..100 {
            begin(now_ms).expect("there is room").give_back();
        }
        drop(begin(100).expect("there is room"));
        assert_eq!(begin(100).err(), Some(60));
    }

    #[test]
    fn running_attempts_count_against_the_limit() {
        let windows = Windows::default();
        let begin = || begin_in(&windows, "a", 3, 0);
        let open: Vec<_> = (0..200).filter_map(|_| begin().ok()).collect();
        assert_eq!(open.len(), 3);
        assert_eq!(begin().err(), Some(1));
        open.into_iter().for_each(LocalAttempt::give_back);
        assert!(begin().is_ok());
    }

    #[test]
    fn a_full_wide_network_spends_nothing_of_a_narrow_one() {
        let mut live = Live::default();
        live.limits.signups_per_network_per_hour = 1;
        let limits = Limits::new(&LiveSettings::new(live));
        let begin = |text: &str, now_ms| {
            let network = text.parse().expect("an address");
            let budgets = limits.signup(&ClientNetwork { network, trusted: None });
            waited(begin(&budgets, now_ms))
        };
        for network in ["2001:db8:0:0::", "2001:db8:0:1::"] {
            assert!(begin(network, 0).is_ok(), "{network}");
        }
        assert_eq!(begin("2001:db8:0:2::", 1_000).err(), Some(3_599), "of a /56");
        for network in ["2001:db8:0:100::", "2001:db8:0:200::"] {
            assert!(begin(network, 0).is_ok(), "{network}");
        }
        assert_eq!(begin("2001:db8:0:300::", 1_000).err(), Some(3_599), "of a /48");
        assert!(begin("2001:db8:0:2::", HOUR_MS).is_ok(), "the refused attempt spent nothing");
        assert!(begin("198.51.100.7", 0).is_ok());
    }

    #[test]
    fn zero_is_no_limit() {
        let windows = Windows::default();
        assert!((0..1000).all(|_| begin_in(&windows, "a", 0, 0).is_ok()));
    }

    #[test]
    fn idle_keys_are_removed_from_a_window() {
        let windows = Windows::default();
        for key in 0..10_000_i64 {
            assert!(begin_in(&windows, &key.to_string(), 1, key * 1_000).is_ok());
        }
        assert!(windows.by_key.lock().entries().len() <= SWEEP_MIN);
    }
}
