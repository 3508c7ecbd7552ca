//! Owners of the codes in per-team flags. A code reveals its team only to a search, so the codes of
//! all teams are kept, by challenge, once a text in the form of such a flag is submitted.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::Key;
use flagship_store::key::code_of_handle;
use parking_lot::RwLock;

use crate::node::board::feed::Feed;

/// The codes of all teams.
#[derive(Default)]
pub struct TeamCodes {
    /// Source of new teams; `None` if there are no others.
    feed: Option<Arc<Feed>>,
    known: RwLock<KnownCodes>,
}

#[derive(Default)]
struct KnownCodes {
    /// The teams in the order in which they joined.
    teams: Vec<TeamId>,
    by_challenge: HashMap<ChallengeId, ChallengeCodes>,
}

/// The codes of one challenge, as numbers.
#[derive(Default)]
struct ChallengeCodes {
    teams: HashMap<u128, TeamId>,
    /// Number of teams whose codes are in the map.
    added: usize,
}

impl TeamCodes {
    /// Follows the teams of a feed.
    pub fn new(feed: Arc<Feed>) -> Self {
        Self { feed: Some(feed), known: RwLock::default() }
    }

    /// The codes of these teams only.
    #[cfg(test)]
    pub fn of(teams: &[TeamId]) -> Self {
        let known = KnownCodes { teams: teams.to_owned(), ..KnownCodes::default() };
        Self { feed: None, known: RwLock::new(known) }
    }

    /// Returns the team that a challenge's code belongs to. Takes the same time for every code,
    /// except that codes of new teams are added first.
    pub fn owner(&self, key: &Key, challenge: &ChallengeId, code: &str) -> Option<TeamId> {
        let code = u128::from_str_radix(code, 16).ok()?;
        self.add_new(key, challenge);
        self.known.read().by_challenge.get(challenge)?.teams.get(&code).copied()
    }

    /// Adds the codes of teams that joined since the last call.
    fn add_new(&self, key: &Key, challenge: &ChallengeId) {
        let contest = self.feed.as_ref().map(|feed| feed.latest());
        let count = {
            let known = self.known.read();
            let count = contest.as_ref().map_or(known.teams.len(), |it| it.team_count());
            let added = known.by_challenge.get(challenge).map(|codes| codes.added);
            if added.is_some_and(|added| added >= count) {
                return;
            }
            count
        };
        let mut known = self.known.write();
        let KnownCodes { teams, by_challenge } = &mut *known;
        if let Some(contest) = &contest {
            let new: Vec<TeamId> = contest.teams_after(teams.len()).collect();
            teams.extend(new);
        }
        let codes = by_challenge.entry(challenge.clone()).or_default();
        let secret = key.challenge_secret(challenge.as_str());
        for team in teams.iter().take(count).skip(codes.added) {
            let code = code_of_handle(&secret, &key.team_handle(team.0));
            let code = u128::from_str_radix(&code, 16).expect("a code has 32 hex digits");
            codes.teams.insert(code, *team);
        }
        codes.added = codes.added.max(count);
    }
}
