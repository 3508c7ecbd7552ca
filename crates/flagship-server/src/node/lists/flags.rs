//! The flags that were judged, right and wrong, in the order in which they were sent.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;

use flagship_game::contest::{Solve, Team};
use flagship_game::{ChallengeId, Contest, Secret, TeamId};
use flagship_store::lists::flags::{self as store, Asked, Times, Wrong};
use flagship_store::wrong_flags::Near;
use flagship_store::{Db, StoreError, sightings};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::Sight;
use super::table::{Table, columns};
use crate::net::address::network_of;
use crate::node::flags::texts::Texts;

/// Most flags of a page.
pub const PAGE_MAX: usize = 100;

/// The way of near misses that only those see who see all challenges.
const OTHERS: Near = Near::Elsewhere;

/// Whether a flag was right. Of one moment, right ones are the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was wrong.
    Wrong,
    /// The solve counts.
    Right,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// When the flag was sent, in epoch milliseconds.
    pub at_ms: i64,
    /// Whether it was right.
    pub verdict: Verdict,
    /// The flag's number, among those of its verdict.
    pub id: i64,
}

impl Place {
    fn of_wrong(it: &Wrong) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Wrong, id: it.id }
    }

    pub(super) fn of_right(it: &Solve) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Right, id: it.seq }
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
    fn new(team: &Team, challenge: &ChallengeId, place: Place) -> Self {
        Self {
            place,
            at: place.at_ms,
            team_name: team.name.to_string(),
            challenge_id: challenge.to_string(),
            verdict: place.verdict,
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
    fn for_sight(self, sight: &Sight) -> Self {
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
            // Judging again gives the solve the time at which the flag was sent. A solve that the
            // freeze hides from the reader is later than all flags that were read.
            let counts_now =
                contest.solve(team.id, &id).is_some_and(|solve| solve.at_ms == it.at_ms);
            let sent = Sent {
                near: it.near.clone(),
                counts_now,
                times: times.map(|it| it.times),
                teams: times.map(|it| it.teams),
                network: it.network.clone(),
                sealed_text: it.sealed_text.clone(),
                ..Sent::new(team, &id, Place::of_wrong(it))
            };
            Some(sent.for_sight(sight))
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
        before: query.before.map(|it| match it.verdict {
            Verdict::Right => (it.at_ms, i64::MAX),
            Verdict::Wrong => (it.at_ms, it.id),
        }),
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
    solves.into_iter().map(|(place, challenge, team)| Sent::new(team, challenge, place)).collect()
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
}
