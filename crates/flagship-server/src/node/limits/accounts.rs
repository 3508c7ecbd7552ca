//! Rate limits by network for signups, requested emails and failed logins to a team.
//!
//! Each attempt is counted before its outcome is known, so that parallel attempts cannot exceed the
//! limit, and refunded if it turns out not to count.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

use flagship_game::name::{self, NAME_CHARS_MAX};
use flagship_game::{TeamId, TeamKey};
use parking_lot::Mutex;

use super::swept::SweptMap;
use super::window::{Limit, Window, seconds_until};
use crate::net::address::{ClientNetwork, TrustedNetwork, containing_network, site_of};
use crate::node::error::NodeError;
use crate::node::settings::LiveSettings;

/// Window for signups and requested emails, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// Window for failed logins, in milliseconds.
const MINUTE_MS: i64 = 60_000;
/// Maximum incorrect two-factor codes per organizer and hour, across all networks. Three of a
/// million codes are correct, so a guess succeeds once in two years.
const WRONG_CODES_PER_HOUR_MAX: u32 = 20;
/// Maximum changes per hour of a team's own country and members. Each change uses the journal
/// writer.
const CHANGES_PER_HOUR_MAX: u32 = 10;
/// Prefix lengths of IPv6 networks, each with the multiple of the hourly limit that applies. The
/// owner of a /64 often has a whole /48.
const SIZES: [(u32, u32); 3] = [(64, 1), (56, 2), (48, 4)];
/// Multiple of the limit on requested emails for one address in a trusted network.
const TRUSTED_ADDRESS_TIMES: u32 = 25;
/// Multiple of the limit on requested emails for a whole trusted network. Trusted networks need no
/// captcha, and all their emails count toward the event's hourly limit.
const TRUSTED_NETWORK_TIMES: u32 = 50;
/// Maximum time for which a node rejects attempts because other nodes have used up a budget,
/// without reading the database again, in milliseconds.
const REFUSAL_MS: i64 = 1_000;

pub struct Limits {
    settings: LiveSettings,
    signups: [Windows; 3],
    mails: [Windows; 3],
    mails_per_trusted_address: Windows,
    mails_per_trusted_network: Windows,
    /// Changes of a team's own country and members, by team.
    changes: Windows,
    /// Failed logins by account and network.
    logins: Windows,
    /// Incorrect two-factor proofs by organizer and network. Sessions that gave a correct proof
    /// before are counted separately.
    factors: Windows,
    /// Incorrect codes by organizer. Sessions that gave a correct proof before are counted
    /// separately.
    codes: Windows,
    /// Time until which logins are rejected, by the hash of the entered text and the network.
    /// Repeated logins thus cost neither the computation of name keys nor a database read.
    rejected: Mutex<SweptMap<(u64, IpAddr), i64>>,
    hasher: RandomState,
}

/// A limit on attempts of one kind by one account or network. All nodes count together.
pub struct Budget<'a> {
    windows: &'a Windows,
    /// The kind of attempt, and the account or network that makes it.
    pub key_parts: Vec<String>,
    pub limit: Limit,
}

impl<'a> Budget<'a> {
    fn new(windows: &'a Windows, parts: &[&str], count_max: u32, window_ms: i64) -> Self {
        let key_parts = parts.iter().map(|&it| it.to_owned()).collect();
        Self { windows, key_parts, limit: Limit::new(count_max, window_ms) }
    }

    /// Records that other nodes have used up the budget until `free_at_ms`. Further attempts are
    /// rejected without reading the database, for at most [`REFUSAL_MS`] because an attempt of
    /// another node may be refunded.
    pub fn note_refusal(&self, free_at_ms: i64, now_ms: i64) {
        let mut by_key = self.windows.by_key.lock();
        let counted = by_key.entries().entry(self.windows.key(self)).or_default();
        let until_ms = free_at_ms.min(now_ms + REFUSAL_MS);
        counted.refusal = Some(Refusal { until_ms, free_at_ms });
    }
}

impl Limits {
    pub fn new(settings: &LiveSettings) -> Self {
        Self {
            settings: settings.clone(),
            signups: Default::default(),
            mails: Default::default(),
            mails_per_trusted_address: Windows::default(),
            mails_per_trusted_network: Windows::default(),
            changes: Windows::default(),
            logins: Windows::default(),
            factors: Windows::default(),
            codes: Windows::default(),
            rejected: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// Returns the budgets for a signup. Trusted networks are exempt.
    pub fn signup(&self, client: &ClientNetwork) -> Vec<Budget<'_>> {
        if client.is_trusted() {
            return Vec::new();
        }
        self.network_budgets(&self.signups, "signup", client.network)
    }

    /// Returns the hourly budgets of a network and of the wider networks that contain it.
    fn network_budgets<'a>(
        &self,
        windows: &'a [Windows; 3],
        what: &str,
        network: IpAddr,
    ) -> Vec<Budget<'a>> {
        let sizes = if network.is_ipv6() { &SIZES[..] } else { &SIZES[..1] };
        let budgets = sizes.iter().zip(windows).map(|((bits, times), windows)| {
            let mut name = containing_network(network, *bits).to_string();
            if *times > 1 {
                // Networks of different sizes can begin with the same address.
                name += &format!("/{bits}");
            }
            Budget::new(windows, &[what, &name], self.per_hour(*times), HOUR_MS)
        });
        budgets.collect()
    }

    /// Returns the hourly limit per network, multiplied by `times`.
    fn per_hour(&self, times: u32) -> u32 {
        self.settings.load().limits.signups_per_network_per_hour.saturating_mul(times)
    }

    fn failed_logins_max(&self) -> u32 {
        self.settings.load().limits.failed_logins_per_team_per_minute
    }

    /// Returns the budgets for a requested email. The limit equals the limit on signups, because
    /// each signup sends one email.
    pub fn requested_mail(&self, client: &ClientNetwork) -> Vec<Budget<'_>> {
        let trusted_budget = |windows, parts: &dyn ToString, times| {
            Budget::new(windows, &["mail", &parts.to_string()], self.per_hour(times), HOUR_MS)
        };
        match client.trusted {
            None => self.network_budgets(&self.mails, "mail", client.network),
            Some(TrustedNetwork(first, bits)) => vec![
                trusted_budget(
                    &self.mails_per_trusted_address,
                    &client.network,
                    TRUSTED_ADDRESS_TIMES,
                ),
                trusted_budget(
                    &self.mails_per_trusted_network,
                    &format!("{first}/{bits}"),
                    TRUSTED_NETWORK_TIMES,
                ),
            ],
        }
    }

    /// Returns the budget for changes of a team's own country and members.
    pub fn account_change(&self, team: TeamId) -> Budget<'_> {
        let parts = ["change", &team.0.to_string()];
        Budget::new(&self.changes, &parts, CHANGES_PER_HOUR_MAX, HOUR_MS)
    }

    /// Returns the budget for failed logins. All networks of an IPv6 /48 count as one, since each
    /// would add its own guesses. Trusted networks are not exempt, because attackers can be there
    /// too. `who` is the result of [`login_subject`].
    pub fn login(&self, who: &str, client: &ClientNetwork) -> Budget<'_> {
        let parts = ["login", who, &site_of(client.network).to_string()];
        Budget::new(&self.logins, &parts, self.failed_logins_max(), MINUTE_MS)
    }

    /// Returns the budgets for incorrect two-factor proofs of an organizer. Codes also count across
    /// all networks. Recovery codes are too long to guess, so organizers can still use them if an
    /// attacker in another network has used up their codes. Sessions and browsers that gave a
    /// correct code before have separate budgets, which attackers cannot use up.
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
        let scope = ["factor", &who, sessions, &site];
        let all_networks = &scope[..3];
        let count_max = self.failed_logins_max();
        let mut budgets = vec![Budget::new(&self.factors, &scope, count_max, MINUTE_MS)];
        if is_code {
            let budget = Budget::new(&self.codes, all_networks, WRONG_CODES_PER_HOUR_MAX, HOUR_MS);
            budgets.push(budget);
        }
        budgets
    }

    /// Rejects a login if the same text from the same network must still wait.
    pub fn check_recent_rejection(
        &self,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<(), NodeError> {
        let key = (self.hasher.hash_one(typed), site_of(client.network));
        let free_at_ms = self.rejected.lock().entries().get(&key).copied().unwrap_or(now_ms);
        if free_at_ms <= now_ms {
            return Ok(());
        }
        Err(NodeError::Throttled { retry_after_s: seconds_until(free_at_ms, now_ms) })
    }

    /// Rejects further logins with the same text from the same network until the login budget has
    /// room.
    pub fn reject_repeats(
        &self,
        login: &Budget<'_>,
        typed: &str,
        client: &ClientNetwork,
        now_ms: i64,
    ) {
        let free_at_ms = login.windows.free_at_ms(login);
        let Some(free_at_ms) = free_at_ms.filter(|free_at_ms| *free_at_ms > now_ms) else { return };
        let mut rejected = self.rejected.lock();
        rejected.sweep_or_clear(|free_at_ms| *free_at_ms > now_ms);
        rejected
            .entries()
            .insert((self.hasher.hash_one(typed), site_of(client.network)), free_at_ms);
    }
}

/// Returns the text entered as a team name, or an empty string if it is too long for a name. All
/// overlong texts thus share one limit and need no name keys.
pub fn login_name(text: &str) -> &str {
    let name = name::normalize(text);
    let is_short = name.is_some_and(|name| name.chars().nth(NAME_CHARS_MAX).is_none());
    if is_short { text } else { "" }
}

/// Identifies the account whose password is tried. For a name without an account, this is a key
/// shared by all spellings of the name.
pub fn login_subject(account: Option<i64>, keys: &BTreeSet<TeamKey>) -> String {
    let nobody = || keys.first().map_or_else(String::new, |key| key.as_str().to_owned());
    account.map_or_else(nobody, |id| format!("#{id}"))
}

/// Sliding windows by the hash of their key.
type WindowsByKey = Arc<Mutex<SweptMap<u64, Counter>>>;

#[derive(Default)]
struct Windows {
    by_key: WindowsByKey,
    hasher: RandomState,
}

#[derive(Default)]
struct Counter {
    /// Attempts that counted.
    window: Window,
    /// Number of attempts in progress.
    open: usize,
    refusal: Option<Refusal>,
}

/// Attempts on other nodes that have used up a budget.
struct Refusal {
    /// Time until which this node asks no further.
    until_ms: i64,
    /// Time at which there is room again.
    free_at_ms: i64,
}

/// An attempt in progress, held in the windows of its budgets. Counts when dropped.
pub struct LocalAttempt {
    windows: Vec<(WindowsByKey, u64)>,
    at_ms: i64,
    counts: bool,
}

/// Begins an attempt under all budgets. If one has no room, none is used and the error has the
/// whole seconds until there may be room.
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
        self.hasher.hash_one(&budget.key_parts)
    }

    /// Counts an attempt as in progress and returns its key. The error is the number of whole
    /// seconds until there may be room.
    fn begin(&self, budget: &Budget<'_>, now_ms: i64) -> Result<u64, u64> {
        let Limit { count_max, window_ms } = budget.limit;
        let mut by_key = self.by_key.lock();
        by_key.sweep_or_clear(|counted| {
            counted.window.forget(window_ms, now_ms);
            let is_refused = counted.refusal.as_ref().is_some_and(|it| it.until_ms > now_ms);
            counted.open > 0 || is_refused || !counted.window.is_empty()
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
        if let Some(refusal) = counted.refusal.as_ref().filter(|it| it.until_ms > now_ms) {
            return Err(seconds_until(refusal.free_at_ms, now_ms));
        }
        counted.open += 1;
        Ok(key)
    }

    /// Time at which there is room for another attempt; `None` if there is room now.
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

    /// Begins an attempt in a one-minute window, or returns the seconds until there is room.
    fn begin_in(
        windows: &Windows,
        parts: &str,
        count_max: u32,
        now_ms: i64,
    ) -> Result<LocalAttempt, u64> {
        waited(begin(&[Budget::new(windows, &[parts], count_max, 60_000)], now_ms))
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
        let begin = |parts, now_ms| begin_in(&windows, parts, 2, now_ms);
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
            assert_eq!(login_name(text), text);
        }
        for text in ["x".repeat(26), "e\u{301}".repeat(26), "\u{fdfa}".repeat(94)] {
            assert_eq!(login_name(&text), "", "{text}");
        }
    }

    #[test]
    fn trusted_networks_have_separate_email_limits() {
        let limits = Limits::new(&LiveSettings::new(Live::default()));
        let ask = |of: u16, count: usize| -> usize {
            let subnet = |number| Ipv6Addr::new(0x2001, 0xdb8, 1, number, 0, 0, 0, 0).into();
            let asked = |number: usize| {
                let network = subnet(of + (number % 16) as u16);
                let trusted = Some(TrustedNetwork(subnet(of), 60));
                begin(&limits.requested_mail(&ClientNetwork { network, trusted }), 0).is_ok()
            };
            (0..count).filter(|number| asked(*number)).count()
        };
        // Both subnets are in one /56; the default limit is 20.
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
    fn attempts_rejected_by_a_wide_network_do_not_count() {
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
    fn networks_of_different_sizes_have_different_budgets() {
        let limits = Limits::new(&LiveSettings::new(Live::default()));
        let network = "2001:db8::".parse().expect("an address");
        let budgets = limits.signup(&ClientNetwork { network, trusted: None });
        let parts: BTreeSet<_> = budgets.iter().map(|budget| &budget.key_parts).collect();
        assert_eq!(parts.len(), 3, "{parts:?}");
    }

    #[test]
    fn a_refusal_by_other_nodes_holds_for_a_second() {
        let windows = Windows::default();
        let budget = Budget::new(&windows, &["a"], 2, 60_000);
        let begin = |now_ms| waited(begin(&[Budget::new(&windows, &["a"], 2, 60_000)], now_ms));
        budget.note_refusal(30_000, 0);
        assert_eq!(begin(999).err(), Some(30));
        assert!(begin(1_000).is_ok());
        budget.note_refusal(1_500, 1_000);
        assert_eq!(begin(1_499).err(), Some(1));
        assert!(begin(1_500).is_ok(), "there is room again");
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
