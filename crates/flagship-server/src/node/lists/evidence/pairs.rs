//! Computes evidence from the accumulated input and the solves. Returns dated signals and makes no
//! decisions.

use std::collections::{BTreeMap, HashMap};

use flagship_game::{ChallengeId, Contest, TeamId};

use super::facts::{CAMPUS_TEAMS, EvidenceChallenge, EvidenceFact, Item};
use super::known::{Known, MatchingPair, Times};

/// Maximum delay for a solve to count as following another team's, in milliseconds.
const FOLLOWS_MS: i64 = 5 * 60_000;
/// Maximum number of teams that solved a challenge shortly before another team. With more, none of
/// them counts as followed.
const LEADERS_MAX: usize = 8;
/// Minimum number of challenges in the same order.
const FOLLOWED_MIN: usize = 4;
/// Minimum share of a team's solves that follow the other team's, in percent.
const FOLLOWED_PERCENT: usize = 60;
/// A file counts as needed if at least this many of the solving teams downloaded it ...
const FETCHED_MIN: usize = 3;
/// ... and at least this percentage of them.
const FETCHED_PERCENT: usize = 80;
/// Maximum number of networks listed per pair.
const NETWORKS_MAX: usize = 3;

/// A solve: team, and time in epoch milliseconds.
type Solved = (TeamId, i64);

/// A pair of teams, lower ID first, or a single team.
type Pair = (TeamId, Option<TeamId>);

/// All solves of teams that are not hidden, by challenge, in chronological order.
type Solves<'a> = BTreeMap<&'a ChallengeId, Vec<Solved>>;

fn pair(a: TeamId, b: TeamId) -> Pair {
    (a.min(b), Some(a.max(b)))
}

fn did(challenge: impl ToString, at: i64, other_at: Option<i64>) -> EvidenceChallenge {
    EvidenceChallenge { challenge_id: challenge.to_string(), at, other_at }
}

/// Computes all evidence, newest first.
pub fn find(known: &Known, contest: &Contest) -> Vec<Item> {
    let mut solves = Solves::new();
    for (challenge, team, solve) in contest.all_solves().filter(|(_, team, _)| !team.hidden) {
        solves.entry(challenge).or_default().push((team.id, solve.at_ms));
    }
    solves.values_mut().for_each(|of| of.sort_by_key(|(team, at_ms)| (*at_ms, *team)));
    let is_shown = |team: &TeamId| contest.team(*team).is_some_and(|team| !team.hidden);
    let mut found = Found { known, pairs: BTreeMap::new(), networks: networks(known) };
    found.add_team_flags();
    found.add_orders(&solves);
    found.add_texts();
    found.add_downloads(contest, &solves);
    found.pairs.retain(|(one, other), _| is_shown(one) && other.as_ref().is_none_or(is_shown));
    let mut items = found.finish();
    items.sort_by_key(|item| (std::cmp::Reverse(item.last_ms), item.team, item.other));
    items
}

/// Networks of each team.
fn networks(known: &Known) -> HashMap<i64, Vec<&str>> {
    let mut networks = HashMap::<i64, Vec<&str>>::new();
    for (network, teams) in &known.networks.0 {
        for team in teams.keys() {
            networks.entry(*team).or_default().push(network);
        }
    }
    networks
}

struct Found<'a> {
    known: &'a Known,
    pairs: BTreeMap<Pair, Vec<EvidenceFact>>,
    networks: HashMap<i64, Vec<&'a str>>,
}

impl<'a> Found<'a> {
    fn add(&mut self, of: Pair, fact: EvidenceFact) {
        self.pairs.entry(of).or_default().push(fact);
    }

    /// Adds signals for submissions of another team's flag.
    fn add_team_flags(&mut self) {
        let known = self.known;
        let senders = known.senders();
        for ((by, of, challenge), Times { first_ms, count }) in &known.team_flags {
            let teams = senders.get(&(*of, challenge.as_str())).map_or(1, |teams| teams.len());
            let by = TeamId(*by);
            let what = did(challenge, *first_ms, None);
            self.add(pair(by, TeamId(*of)), EvidenceFact::team_flag(by, what, *count, teams));
        }
    }

    /// Adds signals for matching rare texts within minutes: several texts, or one within a small
    /// network.
    fn add_texts(&mut self) {
        let mut texts = BTreeMap::<Pair, Vec<EvidenceFact>>::new();
        for ((challenge, _), sends) in self.known.rare() {
            for MatchingPair { first, second } in &sends.met {
                let by = TeamId(second.0);
                let what = did(challenge, second.1, Some(first.1));
                let teams = sends.teams.unwrap_or(2);
                let fact = EvidenceFact::same_text(by, what, teams, sends.is_decoy);
                texts.entry(pair(TeamId(first.0), by)).or_default().push(fact);
            }
        }
        for (of, mut facts) in texts {
            let is_enough = facts.len() > 1 || self.pairs.contains_key(&of);
            if is_enough || self.are_neighbours(of.0, of.1) {
                facts.sort_by_key(|fact| fact.at);
                self.pairs.entry(of).or_default().append(&mut facts);
            }
        }
    }

    /// Adds signals for challenges solved in another team's order, minutes later.
    fn add_orders(&mut self, solves: &Solves<'_>) {
        let mut counts = HashMap::<_, usize>::new();
        let mut totals = HashMap::<_, usize>::new();
        for of in solves.values() {
            for (at, (follower, _)) in of.iter().enumerate() {
                *totals.entry(*follower).or_default() += 1;
                for (leader, _) in leaders(of, at) {
                    *counts.entry((*leader, *follower)).or_default() += 1;
                }
            }
        }
        let follows = |(leader, follower): &(TeamId, TeamId), count: usize| {
            let back = counts.get(&(*follower, *leader)).copied().unwrap_or_default();
            let total = totals.get(follower).copied().unwrap_or_default();
            count >= FOLLOWED_MIN
                && count * 100 >= total * FOLLOWED_PERCENT
                && back * FOLLOWED_MIN <= count
        };
        let close = counts.iter().filter(|(of, count)| follows(of, **count));
        let mut close: BTreeMap<_, Vec<_>> = close.map(|(of, _)| (*of, Vec::new())).collect();
        for (challenge, of) in solves {
            for (at, (follower, at_ms)) in of.iter().enumerate() {
                for (leader, led_ms) in leaders(of, at) {
                    if let Some(all) = close.get_mut(&(*leader, *follower)) {
                        all.push(did(challenge, *at_ms, Some(*led_ms)));
                    }
                }
            }
        }
        for ((leader, follower), mut challenges) in close {
            challenges.sort_by_key(|it| it.other_at);
            if challenges.is_sorted_by_key(|it| it.at) {
                let solved = totals.get(&follower).copied().unwrap_or_default();
                let fact = EvidenceFact::same_order(follower, challenges, solved);
                self.add(pair(leader, follower), fact);
            }
        }
    }

    /// Adds signals for challenges solved without downloading a file that nearly all other teams
    /// downloaded.
    fn add_downloads(&mut self, contest: &Contest, solves: &Solves<'_>) {
        for (challenge, of) in solves {
            let challenge_now = contest.challenge(challenge);
            let has_files = challenge_now.is_some_and(|it| it.listed().next().is_some());
            let Some(fetched) = self.known.downloads.0.get(challenge.as_str()) else { continue };
            let has_fetched = |team: &TeamId| fetched.contains_key(&team.0);
            let count = of.iter().filter(|(team, _)| has_fetched(team)).count();
            let is_needed = count >= FETCHED_MIN && count * 100 >= of.len() * FETCHED_PERCENT;
            if !has_files || !is_needed {
                continue;
            }
            for (at, (team, at_ms)) in of.iter().enumerate() {
                if has_fetched(team) {
                    continue;
                }
                let what = did(challenge, *at_ms, None);
                let fact = EvidenceFact::no_download(*team, what, count, of.len());
                let before = of[..at].iter().map(|(other, _)| (*other, pair(*team, *other)));
                let beside = before.filter(|(other, of)| {
                    self.pairs.contains_key(of)
                        || (has_fetched(other) && self.are_neighbours(of.0, of.1))
                });
                let beside: Vec<Pair> = beside.map(|(_, of)| of).collect();
                match beside.is_empty() {
                    true => self.add((*team, None), fact),
                    false => beside.into_iter().for_each(|of| self.add(of, fact.clone())),
                }
            }
        }
    }

    /// Networks that both teams used, smallest first: the time of the second team's first use, and
    /// the number of teams.
    fn shared(&self, one: TeamId, other: TeamId) -> Vec<(&'a str, i64, usize)> {
        let none = Vec::new();
        let own = self.networks.get(&one.0).unwrap_or(&none);
        let mut shared: Vec<_> = own
            .iter()
            .filter_map(|network| {
                let teams = self.known.networks.0.get(*network)?;
                let since_ms = *teams.get(&one.0)?.max(teams.get(&other.0)?);
                Some((*network, since_ms, teams.len()))
            })
            .collect();
        shared.sort_by_key(|(network, _, teams)| (*teams, *network));
        shared
    }

    /// True if both teams used the same network and few other teams did.
    fn are_neighbours(&self, one: TeamId, other: Option<TeamId>) -> bool {
        let shared = other.map(|other| self.shared(one, other)).unwrap_or_default();
        shared.first().is_some_and(|(_, _, teams)| *teams <= CAMPUS_TEAMS)
    }

    /// Adds networks to the pairs. A shared network is not evidence by itself.
    fn finish(mut self) -> Vec<Item> {
        let pairs = std::mem::take(&mut self.pairs);
        let finished = pairs.into_iter().filter_map(|((team, other), mut facts)| {
            let last_ms = facts.iter().flat_map(|it| &it.challenges).map(|it| it.at).max()?;
            let shared = other.map(|other| self.shared(team, other)).unwrap_or_default();
            for (network, since_ms, teams) in shared.into_iter().take(NETWORKS_MAX) {
                facts.push(EvidenceFact::same_network(network, since_ms, teams));
            }
            Some(Item { team, other, facts, last_ms })
        });
        finished.collect()
    }
}

/// Teams that solved a challenge shortly before the given solve; empty if there are too many.
fn leaders(of: &[Solved], at: usize) -> &[Solved] {
    let (_, at_ms) = of[at];
    let is_close = |(_, led_ms): &&Solved| at_ms - *led_ms <= FOLLOWS_MS;
    let count = of[..at].iter().rev().take_while(is_close).take(LEADERS_MAX + 1).count();
    if count > LEADERS_MAX { &[] } else { &of[at - count..at] }
}
