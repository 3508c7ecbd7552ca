//! The flags that were judged, right and wrong, in the order in which they were sent.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use flagship_game::contest::{Solve, Team};
use flagship_game::{ChallengeId, Contest, Secret, TeamId};
use flagship_store::lists::flags::{self as store, Asked, Times, Wrong};
use flagship_store::wrong_flags::Near;
use flagship_store::{Db, StoreError, sightings};
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::table::{Table, columns};
use crate::net::address::network_of;
use crate::node::flags::texts::Texts;

/// Most flags of a page.
pub const PAGE_MAX: usize = 100;

/// The way of near misses that only those see who see all challenges.
const OTHERS: Near = Near::Elsewhere;

/// Whether a flag was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The solve counts.
    Right,
    /// It was wrong.
    Wrong,
}

impl Verdict {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Right, Self::Wrong];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
        }
    }
}

/// The place of a flag in the list: its time, whether it was right, and its number. It never
/// changes, so who reads on behind it misses none that was there and sees none twice. The number of
/// a right one tells how many entries the journal has: it is for organizers' eyes only sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// When the flag was sent, in epoch milliseconds.
    pub at_ms: i64,
    is_right: bool,
    id: i64,
}

impl Place {
    /// The place of a flag with this time and number.
    pub fn new(at_ms: i64, verdict: Verdict, id: i64) -> Self {
        Self { at_ms, is_right: verdict == Verdict::Right, id }
    }

    /// The flag's number, among those of its verdict.
    pub fn id(self) -> i64 {
        self.id
    }

    fn of_wrong(it: &Wrong) -> Self {
        Self::new(it.at_ms, Verdict::Wrong, it.id)
    }

    pub(super) fn of_right(it: &Solve) -> Self {
        Self::new(it.at_ms, Verdict::Right, it.seq)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at_ms, is_right, id } = self;
        write!(f, "{at_ms}.{}.{id}", if *is_right { "r" } else { "w" })
    }
}

impl FromStr for Place {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.splitn(3, '.');
        let mut next = || parts.next().ok_or(());
        let at_ms = next()?.parse().map_err(|_| ())?;
        let is_right = match next()? {
            "r" => true,
            "w" => false,
            _ => return Err(()),
        };
        Ok(Self { at_ms, is_right, id: next()?.parse().map_err(|_| ())? })
    }
}

/// How much a reader may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// What the freeze hides, and teams that do not count.
    pub truth: bool,
    /// Wrong flags.
    pub wrong: bool,
    /// From which networks flags came.
    pub networks: bool,
    /// The texts of wrong flags, where the event keeps them.
    pub texts: bool,
    /// The challenges of which flags are seen; all without them.
    pub only: Option<BTreeSet<ChallengeId>>,
}

impl Sight {
    /// What everybody sees.
    pub const PUBLIC: Self =
        Self { truth: false, wrong: false, networks: false, texts: false, only: None };
    /// What whoever has the machine sees.
    pub const ALL: Self =
        Self { truth: true, wrong: true, networks: true, texts: true, only: None };

    /// Whether they see flags of a team for a challenge.
    pub(super) fn shows(&self, contest: &Contest, team: &Team, challenge: &ChallengeId) -> bool {
        match &self.only {
            Some(only) if !only.contains(challenge) => false,
            None if !self.truth && !contest.is_seen(challenge) => false,
            _ => self.truth || team.counts(),
        }
    }
}

/// Which flags.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Only those of this team.
    pub team: Option<TeamId>,
    /// Only those for this challenge.
    pub challenge: Option<ChallengeId>,
    /// Only right ones, or wrong ones.
    pub verdict: Option<Verdict>,
    /// Only wrong ones that came near, in one of these ways.
    pub near: Option<Vec<Near>>,
    /// Only those from this network.
    pub network: Option<String>,
    /// Only those from this time on.
    pub from_ms: Option<i64>,
    /// Only those before this time.
    pub until_ms: Option<i64>,
    /// Only those behind this place.
    pub before: Option<Place>,
}

/// A flag that was judged.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentFlag)]
pub struct Sent {
    /// Its place in the list.
    #[serde(skip)]
    pub place: Place,
    /// When it was sent, in epoch milliseconds.
    pub at: i64,
    /// The team's name.
    pub team_name: String,
    /// The challenge's id.
    pub challenge_id: String,
    /// `right` or `wrong`. Of right ones, those that count are listed.
    #[schema(value_type = String)]
    pub verdict: Verdict,
    /// How a wrong one came near a right flag; null if it did not.
    pub near: Option<String>,
    /// Whether a wrong one counts now, because the challenge was judged again.
    pub counts_now: bool,
    /// How often this wrong text was sent for the challenge; null for a right one.
    pub times: Option<i64>,
    /// By how many teams.
    pub teams: Option<i64>,
    /// From which network it came: an IPv4 address or the first of an IPv6 /64. Null if that is not
    /// kept, or for who may not see it.
    pub network: Option<String>,
    /// The text of a wrong one, if the event keeps texts (`keep_wrong_texts`) until its end, for
    /// those who run the contest. Missing if the text is a flag of any challenge or team, and if
    /// the freeze hid solves then.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exposed")]
    #[schema(value_type = Option<String>)]
    pub text: Option<Secret>,
    /// The text as it is kept.
    #[serde(skip)]
    pub(super) sealed_text: Option<String>,
    /// The team.
    #[serde(skip)]
    pub(super) team_id: i64,
}

fn exposed<S: Serializer>(text: &Option<Secret>, to: S) -> Result<S::Ok, S::Error> {
    text.as_ref().map(Secret::expose).serialize(to)
}

/// The name of the network that an address is in, as it is recorded.
pub fn network(text: &str) -> Option<String> {
    let address: IpAddr = text.parse().ok()?;
    Some(network_of(address.to_canonical()).to_string())
}

impl Sent {
    /// A wrong one. `same` is how often its text was sent, and by how many teams.
    pub(super) fn wrong(team: &Team, it: &Wrong, same: Option<(i64, i64)>) -> Self {
        Self {
            place: Place::of_wrong(it),
            at: it.at_ms,
            team_name: team.name.to_string(),
            challenge_id: it.challenge_id.clone(),
            verdict: Verdict::Wrong,
            near: it.near.clone(),
            counts_now: false,
            times: same.map(|(times, _)| times),
            teams: same.map(|(_, teams)| teams),
            network: it.network.clone(),
            text: None,
            sealed_text: it.sealed_text.clone(),
            team_id: team.id.0,
        }
    }

    /// A right one.
    pub(super) fn right(team: &Team, challenge: &ChallengeId, place: Place) -> Self {
        Self {
            place,
            at: place.at_ms,
            team_name: team.name.to_string(),
            challenge_id: challenge.to_string(),
            verdict: Verdict::Right,
            near: None,
            counts_now: false,
            times: None,
            teams: None,
            network: None,
            text: None,
            sealed_text: None,
            team_id: team.id.0,
        }
    }

    /// Returns true if its text is kept.
    pub fn has_text(&self) -> bool {
        self.sealed_text.is_some()
    }

    /// The same with its text, if that is kept and may be shown.
    pub fn with_text(self, texts: &Texts) -> Self {
        let opened = self.sealed_text.as_deref().and_then(|sealed| {
            let challenge = ChallengeId::parse(&self.challenge_id).ok()?;
            texts.opened(sealed, TeamId(self.team_id), &challenge)
        });
        Self { text: opened, ..self }
    }

    /// Without what somebody may not see: the network, the text, and for authors that the text is a
    /// flag of another challenge, which may be hidden.
    pub(super) fn for_sight(self, sight: &Sight) -> Self {
        let network = self.network.filter(|_| sight.networks);
        let near = self.near.filter(|near| sight.only.is_none() || near != OTHERS.as_str());
        let sealed_text = self.sealed_text.filter(|_| sight.texts);
        Self { network, near, sealed_text, ..self }
    }
}

/// Some of the flags.
pub struct Page {
    /// The newest first.
    pub flags: Vec<Sent>,
    /// Behind which the next page begins; `None` on the last one.
    pub next: Option<Place>,
}

/// What the database has of a page.
pub struct Read {
    query: Query,
    /// One more than fit on the page, if there are so many.
    wrong: Vec<Wrong>,
    times: Vec<Times>,
    /// The solves from the network that is asked for.
    solves: Option<HashSet<(i64, String)>>,
    count_max: usize,
}

impl Read {
    /// Reads it. `hidden_ms` is the time from which the freeze hides solves, if it does.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn new(
        db: &Db,
        hidden_ms: Option<i64>,
        sight: &Sight,
        query: Query,
        count_max: usize,
    ) -> Result<Self, StoreError> {
        let hidden_ms = hidden_ms.filter(|_| !sight.truth);
        let until_ms = query.until_ms.into_iter().chain(hidden_ms).min();
        let query = Query { until_ms, ..query };
        let wrong = wrong(db, sight, &query, count_max.saturating_add(1)).await?;
        let text = |it: &Wrong| (it.challenge_id.clone(), it.digest.clone());
        let texts: BTreeSet<_> = wrong.iter().map(text).collect();
        let texts: Vec<_> = texts.into_iter().collect();
        let times = store::times(db, &texts, hidden_ms.unwrap_or(i64::MAX)).await?;
        let solves = match &query.network {
            Some(network) => Some(sightings::solves_from(db, network).await?.into_iter().collect()),
            None => None,
        };
        Ok(Self { query, wrong, times, solves, count_max })
    }

    /// The page. `contest` is a fold that is not older than what was read.
    pub fn page(&self, contest: &Contest, sight: &Sight) -> Page {
        let Self { query, wrong, times, solves, count_max } = self;
        let times: HashMap<(&str, &str), &Times> =
            times.iter().map(|it| ((&*it.challenge_id, &*it.digest), it)).collect();
        let mut flags = right(contest, sight, query, solves.as_ref(), *count_max);
        flags.extend(wrong.iter().filter_map(|it| {
            let team = contest.team(TeamId(it.account_id))?;
            let id = ChallengeId::parse(&it.challenge_id).ok()?;
            sight.shows(contest, team, &id).then_some(())?;
            let times = times.get(&(&*it.challenge_id, &*it.digest));
            let sent = Sent::wrong(team, it, times.map(|it| (it.times, it.teams)));
            // Judging again gives the solve the time at which the flag was sent. A solve that the
            // freeze hides from the reader is later than all flags that were read.
            let counts_now =
                contest.solve(team.id, &id).is_some_and(|it| it.at_ms == sent.place.at_ms);
            Some(Sent { counts_now, ..sent }.for_sight(sight))
        }));
        flags.sort_by_key(|it| Reverse(it.place));
        // Right ones from before the last wrong one that was read come after those that were not.
        let last = wrong.get(*count_max).map(Place::of_wrong);
        flags.retain(|it| last.is_none_or(|last| it.place >= last));
        let has_more = flags.len() > *count_max;
        flags.truncate(*count_max);
        let next = if has_more { flags.last().map(|it| it.place) } else { last };
        Page { flags, next }
    }
}

impl Page {
    /// Adds the texts that may be shown, as [`Sent::with_text`] does.
    pub fn with_texts(self, texts: &Texts) -> Self {
        Self { flags: self.flags.into_iter().map(|it| it.with_text(texts)).collect(), ..self }
    }

    /// Adds from where right ones came.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn with_networks(mut self, db: &Db, sight: &Sight) -> Result<Self, StoreError> {
        if !sight.networks {
            return Ok(self);
        }
        let right = |it: &&mut Sent| it.verdict == Verdict::Right;
        let solve = |it: &Sent| (it.team_id, it.challenge_id.clone());
        let solves: Vec<_> = self.flags.iter_mut().filter(right).map(|it| solve(it)).collect();
        let networks = sightings::of_solves(db, &solves).await?.into_iter();
        // Of a challenge that was solved again, the last.
        let networks: HashMap<_, _> =
            networks.map(|(team, challenge, network)| ((team, challenge), network)).collect();
        for it in self.flags.iter_mut().filter(right) {
            it.network = networks.get(&solve(it)).filter(|it| !it.is_empty()).cloned();
        }
        Ok(self)
    }
}

/// The ways that somebody may filter by.
fn of_sight(mut ways: Vec<Near>, sight: &Sight) -> Vec<Near> {
    ways.retain(|way| sight.only.is_none() || *way != OTHERS);
    ways
}

/// The wrong ones.
async fn wrong(
    db: &Db,
    sight: &Sight,
    query: &Query,
    count_max: usize,
) -> Result<Vec<Wrong>, StoreError> {
    if query.verdict == Some(Verdict::Right) || !sight.wrong {
        return Ok(Vec::new());
    }
    let is_seen = |id: &ChallengeId| sight.only.as_ref().is_none_or(|only| only.contains(id));
    let challenges = match (&query.challenge, &sight.only) {
        (Some(id), _) => Some([id].into_iter().filter(|id| is_seen(id)).cloned().collect()),
        (None, only) => only.clone(),
    };
    let named = |all: BTreeSet<ChallengeId>| all.iter().map(ToString::to_string).collect();
    let asked = Asked {
        account_id: query.team.map(|team| team.0),
        challenges: challenges.map(named),
        near: query.near.clone().map(|near| of_sight(near, sight)),
        network: query.network.clone(),
        from_ms: query.from_ms,
        until_ms: query.until_ms,
        // Of flags of one moment, right ones come first.
        before: query.before.map(|it| (it.at_ms, if it.is_right { i64::MAX } else { it.id })),
    };
    store::wrong(db, &asked, i64::try_from(count_max).unwrap_or(i64::MAX)).await
}

/// The newest right ones, one more than fit on a page, in any order.
fn right(
    contest: &Contest,
    sight: &Sight,
    query: &Query,
    from: Option<&HashSet<(i64, String)>>,
    count_max: usize,
) -> Vec<Sent> {
    if query.verdict == Some(Verdict::Wrong) || query.near.is_some() {
        return Vec::new();
    }
    let (from_ms, until_ms) = (query.from_ms.unwrap_or(0), query.until_ms.unwrap_or(i64::MAX));
    let solves: Box<dyn Iterator<Item = _>> = match query.team {
        Some(team) => Box::new(contest.solves_of(team)),
        None => Box::new(contest.all_solves()),
    };
    let solves = solves.map(|(challenge, team, solve)| (Place::of_right(solve), challenge, team));
    let mut solves: Vec<_> = solves
        .filter(|(place, challenge, team)| {
            (from_ms..until_ms).contains(&place.at_ms)
                && query.before.is_none_or(|before| *place < before)
                && query.challenge.as_ref().is_none_or(|id| id == *challenge)
                && from.is_none_or(|from| from.contains(&(team.id.0, challenge.to_string())))
                && sight.shows(contest, team, challenge)
        })
        .collect();
    if solves.len() > count_max {
        solves.select_nth_unstable_by_key(count_max, |(place, ..)| Reverse(*place));
        solves.truncate(count_max + 1);
    }
    solves.into_iter().map(|(place, challenge, team)| Sent::right(team, challenge, place)).collect()
}

/// The flags as a table with the columns that a reader may see, and times as `time` writes them.
pub fn table(flags: &[Sent], sight: &Sight, time: impl Fn(i64) -> Value) -> Table {
    columns! { it in flags.iter();
        "time" => time(it.at),
        "team" => it.team_name,
        "challenge_id" => it.challenge_id,
        "verdict" => it.verdict,
        "near" => it.near,
        "times_same_text" => it.times,
        "teams_with_same_text" => it.teams,
        "network" if sight.networks => it.network,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_written_as_it_is_asked_for() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::json!(verdict), verdict.as_str());
        }
    }

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for text in ["12.r.7", "0.w.9223372036854775807"] {
            let place: Place = text.parse().expect("it is one");
            assert_eq!(place.to_string(), text);
        }
        for text in ["", "1", "1.r", "1.x.2", "a.r.2", "1.r.2.3"] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }
}
