//! Networks and activities of teams. Sightings are recorded in memory and written in batches in the
//! background. No response to a team depends on them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use flagship_game::{ChallengeId, TeamId};
use flagship_store::sightings::{self, Kind, SightingKey, SightingTimes};
use flagship_store::{Clock, Db};
use foldhash::fast::RandomState;
use parking_lot::Mutex;

use super::report::report;
use super::settings::LiveSettings;
use crate::net::address::ClientNetwork;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// Pause between two batches.
const PAUSE: Duration = Duration::from_secs(2);
/// Maximum sightings in memory that include their network. Further ones are stored without it, so
/// that a team's activity is complete however many networks it uses.
const HELD_MAX: usize = 65_536;
/// Maximum rows per transaction ...
const WRITTEN_MAX: usize = 100;
/// ... and the pause between two transactions. A submission waits for at most one of them.
const WRITTEN_PAUSE: Duration = Duration::from_millis(20);
/// Maximum networks per team that are distinguished while the node runs. Without this limit, a
/// client with many addresses could fill the database.
const NETWORKS_MAX: usize = 64;

/// A sighting in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Noted {
    team: TeamId,
    kind: Kind,
    challenge: Option<ChallengeId>,
    /// Network; `None` if `HELD_MAX` is exceeded.
    network: Option<IpAddr>,
}

/// Sightings since the last batch.
pub struct Sightings {
    settings: LiveSettings,
    clock: Clock,
    held: Mutex<HashMap<Noted, SightingTimes, RandomState>>,
}

impl Sightings {
    /// Creates an empty recorder.
    pub fn new(settings: LiveSettings, clock: Clock) -> Self {
        Self { settings, clock, held: Mutex::default() }
    }

    /// Returns the network to record for a client; `None` if the event records none.
    pub fn network(&self, client: &ClientNetwork) -> Option<IpAddr> {
        (self.settings.load().privacy.sightings_days > 0).then_some(client.network)
    }

    /// Records an activity of a team, without waiting for the database.
    pub fn note(
        &self,
        team: TeamId,
        kind: Kind,
        challenge: Option<&ChallengeId>,
        network: Option<IpAddr>,
    ) {
        self.note_at(self.clock.now_ms(), team, kind, challenge, network);
    }

    /// Like `note`, for an activity at a time in epoch milliseconds.
    pub fn note_at(
        &self,
        at_ms: i64,
        team: TeamId,
        kind: Kind,
        challenge: Option<&ChallengeId>,
        network: Option<IpAddr>,
    ) {
        if network.is_none() {
            return;
        }
        let once = SightingTimes::once(at_ms);
        let mut noted = Noted { team, kind, challenge: challenge.cloned(), network };
        let mut held = self.held.lock();
        if held.len() >= HELD_MAX && !held.contains_key(&noted) {
            noted.network = None;
        }
        held.entry(noted).and_modify(|it| it.add(once)).or_insert(once);
    }

    /// Writes batches until shutdown, then the remaining sightings.
    pub async fn run(self: Arc<Self>, db: Db, mut shutdown: Shutdown) {
        let mut batch = BTreeMap::new();
        let mut networks = Networks::default();
        let mut pause = tokio::time::interval(PAUSE);
        pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let is_shutdown = tokio::select! {
                () = shutdown_requested(&mut shutdown) => true,
                _ = pause.tick() => false,
            };
            let held = std::mem::take(&mut *self.held.lock());
            networks.name(held, &mut batch);
            write(&db, &mut batch, &shutdown).await;
            if batch.len() > HELD_MAX {
                tracing::warn!("dropping network records: the database is not accepting writes");
                batch.clear();
            }
            if is_shutdown {
                return;
            }
        }
    }
}

/// Writes a batch in small parts, so that other writers do not wait long. Failed parts are retried
/// with the next batch.
async fn write(db: &Db, batch: &mut BTreeMap<SightingKey, SightingTimes>, shutdown: &Shutdown) {
    while !batch.is_empty() {
        let next = batch.keys().nth(WRITTEN_MAX).cloned();
        let mut rest = next.map(|next| batch.split_off(&next)).unwrap_or_default();
        if let Err(error) = sightings::record(db, batch).await {
            report(&error, "failed to store network records");
            batch.append(&mut rest);
            return;
        }
        *batch = rest;
        if !batch.is_empty() && !*shutdown.borrow() {
            tokio::time::sleep(WRITTEN_PAUSE).await;
        }
    }
}

/// Networks of each team that are distinguished from each other.
#[derive(Default)]
struct Networks(HashMap<TeamId, HashSet<IpAddr>>);

impl Networks {
    /// Adds the sightings in memory to a batch, with networks as text.
    fn name(
        &mut self,
        held: HashMap<Noted, SightingTimes, RandomState>,
        batch: &mut BTreeMap<SightingKey, SightingTimes>,
    ) {
        for (Noted { team, kind, challenge, network }, times) in held {
            let known = self.0.entry(team).or_default();
            let is_told = |network: &IpAddr| {
                known.contains(network) || (known.len() < NETWORKS_MAX && known.insert(*network))
            };
            let network = network.filter(is_told).map(|it| it.to_string()).unwrap_or_default();
            let object = challenge.map(|id| id.to_string()).unwrap_or_default();
            let seen = SightingKey { team_id: team.0, kind, object, network };
            batch.entry(seen).and_modify(|it| it.add(times)).or_insert(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use flagship_pack::Live;

    use super::*;

    fn noted(networks: impl Iterator<Item = u128>) -> BTreeMap<SightingKey, SightingTimes> {
        let sightings = Sightings::new(LiveSettings::new(Live::default()), Clock::manual(7));
        for bits in networks {
            let network = Some(Ipv6Addr::from_bits(bits << 64).into());
            sightings.note(TeamId(1), Kind::List, None, network);
        }
        let mut batch = BTreeMap::new();
        Networks::default().name(std::mem::take(&mut *sightings.held.lock()), &mut batch);
        batch
    }

    #[test]
    fn a_team_with_many_networks_is_held_in_little() {
        let words = "as many rows as networks are told apart, and one";
        let count = HELD_MAX as u128 + 1_000;
        let batch = noted(0..count);
        assert_eq!(batch.len(), NETWORKS_MAX + 1, "{words}");
        let times: i64 = batch.values().map(|it| it.count).sum();
        assert_eq!(times, count as i64, "none is lost");
        assert_eq!(noted([5, 5, 6].into_iter()).len(), 2);
    }
}
