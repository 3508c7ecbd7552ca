//! Team passes in descriptions and connection info. A pass names its team to a challenge's service
//! and authorizes nothing.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::Key;
use flagship_store::key::team_pass::PassKey;
use parking_lot::RwLock;

/// Signs passes. Keeps the keys of the challenges that have any.
pub struct Passes {
    key: Key,
    keys: RwLock<HashMap<ChallengeId, Arc<PassKey>>>,
}

impl Passes {
    /// Creates passes under the event's secret.
    pub fn new(key: &Key) -> Self {
        Self { key: key.clone(), keys: RwLock::default() }
    }

    /// Returns the pass of a team for a challenge.
    pub fn pass(&self, team: TeamId, challenge: &ChallengeId) -> String {
        self.key_of(challenge).pass(team.0)
    }

    /// Returns the public key for the passes of a challenge.
    pub fn public_key(&self, challenge: &ChallengeId) -> String {
        self.key_of(challenge).public_key()
    }

    /// Returns the event's ID, which passes contain.
    pub fn event_id(&self) -> String {
        self.key.event_id()
    }

    fn key_of(&self, challenge: &ChallengeId) -> Arc<PassKey> {
        if let Some(key) = self.keys.read().get(challenge) {
            return key.clone();
        }
        let key = Arc::new(PassKey::new(&self.key, challenge.as_str()));
        self.keys.write().entry(challenge.clone()).or_insert(key).clone()
    }
}
