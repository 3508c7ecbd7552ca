//! Judged submissions, correct and incorrect, in chronological order.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;

use flagship_game::contest::{FoundFlag, PracticeSolve, Solve, Team};
use flagship_game::{ChallengeId, Contest, Secret, TeamId};
use flagship_store::challenges::{Draft, Flag};
use flagship_store::lists::flags::{
    self as store, IncorrectSubmission, SubmissionFilter, TextCount,
};
use flagship_store::wrong_flags::NearMiss;
use flagship_store::{Db, Key, StoreError, sightings};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadScope;
use super::table::{Table, columns};
use crate::net::address::network_of;
use crate::node::flags::texts::Texts;

/// Maximum number of submissions per page.
pub const PAGE_MAX: usize = 100;

/// Kind of near miss that only readers who see all challenges can see.
const OTHERS: NearMiss = NearMiss::Elsewhere;

/// Outcome of a submission. At the same instant, correct ones come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Incorrect.
    Wrong,
    /// One of several flags that the challenge needs.
    Part,
    /// Correct; the solve counts, unless it was submitted after the end.
    Right,
}

impl Verdict {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Right, Self::Part, Self::Wrong];

    /// Wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Part => "part",
            Self::Wrong => "wrong",
        }
    }
}

/// Position of a submission in the list: time, outcome and number. Positions never change, so
/// paging misses no submission and repeats none. The number of a correct submission reveals the
/// length of the journal, so it is sent to organizers only in sealed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Time of the submission, in epoch milliseconds.
    pub at_ms: i64,
    /// Outcome.
    pub verdict: Verdict,
    /// Number among the submissions with the same outcome.
    pub id: i64,
}

impl Place {
    fn of_wrong(it: &IncorrectSubmission) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Wrong, id: it.id }
    }

    fn of_part(it: &FoundFlag) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Part, id: it.seq }
    }

    fn of_practice(it: PracticeSolve) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Right, id: it.seq }
    }

    pub(super) fn of_right(it: &Solve) -> Self {
        Self { at_ms: it.at_ms, verdict: Verdict::Right, id: it.seq }
    }
}

/// Filters for submissions.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Team.
    pub team: Option<TeamId>,
    /// Teams.
    pub teams: Option<HashSet<TeamId>>,
    /// Challenge.
    pub challenge: Option<ChallengeId>,
    /// Outcome.
    pub verdict: Option<Verdict>,
    /// True for only the first solve of each challenge.
    pub first: bool,
    /// Kinds of near misses.
    pub near: Option<Vec<NearMiss>>,
    /// Network.
    pub network: Option<String>,
    /// Start of the period, inclusive.
    pub from_ms: Option<i64>,
    /// End of the period, exclusive.
    pub until_ms: Option<i64>,
    /// Position after which the page starts.
    pub before: Option<Place>,
}

/// A judged submission.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentFlag)]
pub struct Sent {
    /// Position in the list.
    #[serde(skip)]
    pub place: Place,
    /// Time of the submission, in epoch milliseconds.
    pub at: i64,
    /// Team name.
    pub team_name: String,
    /// Challenge ID.
    pub challenge_id: String,
    /// `right`, `wrong`, or `part` for one of several flags that the challenge needs. Correct
    /// submissions are listed only if their solve counts, or after the end.
    #[schema(value_type = String)]
    pub verdict: Verdict,
    /// True for a submission after the end of the event, which no score counts.
    pub after_end: bool,
    /// Kind of near miss; null if the submission is not one.
    pub near: Option<String>,
    /// True for an incorrect submission that was credited later, because the challenge was
    /// rejudged.
    pub counts_now: bool,
    /// Number of times this incorrect text was submitted for the challenge; null for a correct one.
    pub times: Option<i64>,
    /// Number of teams that submitted it.
    pub teams: Option<i64>,
    /// Network of the client: an IPv4 address, or the first address of an IPv6 /64. Null if not
    /// stored or not visible to the caller.
    pub network: Option<String>,
    /// Text of an incorrect submission, if the event stores texts until its end
    /// (`keep_wrong_texts`), for owners and organizers. Omitted if the text is a flag of any
    /// challenge or team, or if the scoreboard was frozen then.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exposed")]
    #[schema(value_type = Option<String>)]
    pub text: Option<Secret>,
    /// Stored text, sealed.
    #[serde(skip)]
    pub(super) sealed_text: Option<String>,
    /// Team ID.
    #[serde(skip)]
    pub(super) team_id: i64,
}

fn exposed<S: Serializer>(text: &Option<Secret>, to: S) -> Result<S::Ok, S::Error> {
    text.as_ref().map(Secret::expose).serialize(to)
}

/// Normalized name of the network that contains an address.
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
            after_end: false,
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

    /// True if the text is stored.
    pub fn has_text(&self) -> bool {
        self.sealed_text.is_some()
    }

    /// Adds the text, if it is stored and may be shown.
    pub fn with_text(self, texts: &Texts) -> Self {
        let opened = self.sealed_text.as_deref().and_then(|sealed| {
            let challenge = ChallengeId::parse(&self.challenge_id).ok()?;
            texts.open_text(sealed, TeamId(self.team_id), &challenge)
        });
        Self { text: opened, ..self }
    }

    /// Removes what the reader may not see: the network, the text and, for authors, the fact that
    /// the text is a flag of another challenge, which may be hidden.
    fn for_sight(self, sight: &ReadScope) -> Self {
        let network = self.network.filter(|_| sight.networks);
        let near = self.near.filter(|near| sight.only.is_none() || near != OTHERS.as_str());
        let sealed_text = self.sealed_text.filter(|_| sight.texts);
        Self { network, near, sealed_text, ..self }
    }
}

/// A page of submissions.
pub struct Page {
    /// Submissions, newest first.
    pub flags: Vec<Sent>,
    /// Position after which the next page starts; `None` on the last page.
    pub next: Option<Place>,
}

/// Rows of a page from the database.
pub struct Read {
    query: Query,
    /// Up to one row more than fits on the page.
    wrong: Vec<IncorrectSubmission>,
    times: Vec<TextCount>,
    /// Solves from the requested network.
    solves: Option<HashSet<(i64, String)>>,
    count_max: usize,
}

impl Read {
    /// Reads the rows. `hidden_ms` is the time from which the freeze hides solves, if it does.
    pub async fn new(
        db: &Db,
        hidden_ms: Option<i64>,
        sight: &ReadScope,
        query: Query,
        count_max: usize,
    ) -> Result<Self, StoreError> {
        let hidden_ms = hidden_ms.filter(|_| !sight.truth);
        let until_ms = query.until_ms.into_iter().chain(hidden_ms).min();
        let query = Query { until_ms, ..query };
        let wrong = wrong(db, sight, &query, count_max.saturating_add(1)).await?;
        let text = |it: &IncorrectSubmission| (it.challenge_id.clone(), it.digest.clone());
        let texts: BTreeSet<_> = wrong.iter().map(text).collect();
        let texts: Vec<_> = texts.into_iter().collect();
        let times = store::times(db, &texts, hidden_ms.unwrap_or(i64::MAX)).await?;
        let solves = match &query.network {
            Some(network) => Some(sightings::solves_from(db, network).await?.into_iter().collect()),
            None => None,
        };
        Ok(Self { query, wrong, times, solves, count_max })
    }

    /// Builds the page. `contest` is a fold at least as new as the rows.
    pub fn page(&self, contest: &Contest, sight: &ReadScope) -> Page {
        let Self { query, wrong, times, solves, count_max } = self;
        let times: HashMap<(&str, &str), &TextCount> =
            times.iter().map(|it| ((&*it.challenge_id, &*it.digest), it)).collect();
        let mut flags = right(contest, sight, query, solves.as_ref(), *count_max);
        flags.extend(wrong.iter().filter_map(|it| {
            let team = contest.team(TeamId(it.account_id))?;
            let id = ChallengeId::parse(&it.challenge_id).ok()?;
            sight.shows(contest, team, &id).then_some(())?;
            let times = times.get(&(&*it.challenge_id, &*it.digest));
            // Rejudging gives a solve the time of the submission. A solve that the freeze hides
            // from the reader is later than all rows.
            let counts_now =
                contest.solve(team.id, &id).is_some_and(|solve| solve.at_ms == it.at_ms);
            let sent = Sent {
                after_end: is_after_end(contest, it.at_ms),
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
        // Correct submissions older than the last incorrect one that was read come after rows that
        // were not read, so they belong on a later page.
        let last = wrong.get(*count_max).map(Place::of_wrong);
        flags.retain(|it| last.is_none_or(|last| it.place >= last));
        let has_more = flags.len() > *count_max;
        flags.truncate(*count_max);
        let next = if has_more { flags.last().map(|it| it.place) } else { last };
        Page { flags, next }
    }
}

impl Page {
    /// Adds the texts that may be shown, see [`Sent::with_text`].
    pub fn with_texts(self, texts: &Texts) -> Self {
        Self { flags: self.flags.into_iter().map(|it| it.with_text(texts)).collect(), ..self }
    }

    /// Adds the networks of correct submissions.
    pub async fn with_networks(mut self, db: &Db, sight: &ReadScope) -> Result<Self, StoreError> {
        if !sight.networks {
            return Ok(self);
        }
        let right = |it: &&mut Sent| it.verdict == Verdict::Right;
        let solve = |it: &Sent| (it.team_id, it.challenge_id.clone());
        let solves: Vec<_> = self.flags.iter_mut().filter(right).map(|it| solve(it)).collect();
        let networks = sightings::of_solves(db, &solves).await?.into_iter();
        // If a challenge was solved again, the last solve wins.
        let networks: HashMap<_, _> =
            networks.map(|(team, challenge, network)| ((team, challenge), network)).collect();
        for it in self.flags.iter_mut().filter(right) {
            it.network = networks.get(&solve(it)).filter(|it| !it.is_empty()).cloned();
        }
        Ok(self)
    }
}

/// Kinds of near misses that a reader can filter by.
fn of_sight(mut ways: Vec<NearMiss>, sight: &ReadScope) -> Vec<NearMiss> {
    ways.retain(|way| sight.only.is_none() || *way != OTHERS);
    ways
}

/// Reads incorrect submissions.
async fn wrong(
    db: &Db,
    sight: &ReadScope,
    query: &Query,
    count_max: usize,
) -> Result<Vec<IncorrectSubmission>, StoreError> {
    let is_of_wrong = query.verdict.is_none_or(|verdict| verdict == Verdict::Wrong);
    if query.first || !is_of_wrong || !sight.wrong {
        return Ok(Vec::new());
    }
    let is_seen = |id: &ChallengeId| sight.only.as_ref().is_none_or(|only| only.contains(id));
    let challenges = match (&query.challenge, &sight.only) {
        (Some(id), _) => Some([id].into_iter().filter(|id| is_seen(id)).cloned().collect()),
        (None, only) => only.clone(),
    };
    let named = |all: BTreeSet<ChallengeId>| all.iter().map(ToString::to_string).collect();
    let asked = SubmissionFilter {
        account_id: query.team.map(|team| team.0),
        accounts: query.teams.as_ref().map(|teams| teams.iter().map(|team| team.0).collect()),
        challenges: challenges.map(named),
        near: query.near.clone().map(|near| of_sight(near, sight)),
        network: query.network.clone(),
        from_ms: query.from_ms,
        until_ms: query.until_ms,
        // At the same instant, correct submissions come first.
        before: query.before.map(|it| match it.verdict {
            Verdict::Right | Verdict::Part => (it.at_ms, i64::MAX),
            Verdict::Wrong => (it.at_ms, it.id),
        }),
    };
    store::wrong(db, &asked, i64::try_from(count_max).unwrap_or(i64::MAX)).await
}

/// True if the event was over at a time, so that no score counts a submission.
fn is_after_end(contest: &Contest, at_ms: i64) -> bool {
    contest.event().and_then(|event| event.end_ms).is_some_and(|end_ms| at_ms >= end_ms)
}

/// Correct submissions after the end, including flags of several. `has_parts` is false for readers
/// that see only solves.
fn practiced(
    contest: &Contest,
    has_parts: bool,
) -> impl Iterator<Item = (Place, &ChallengeId, &Team)> {
    let solves = contest.practice_solves();
    let solves = solves.map(|(challenge, team, it)| (Place::of_practice(it), challenge, team));
    let parts = contest.practice_flags().filter(move |_| has_parts);
    solves.chain(parts.map(|(challenge, team, it)| (Place::of_part(it), challenge, team)))
}

/// The newest correct submissions, including flags of several and those after the end, one more
/// than fits on a page, unordered.
fn right(
    contest: &Contest,
    sight: &ReadScope,
    query: &Query,
    from: Option<&HashSet<(i64, String)>>,
    count_max: usize,
) -> Vec<Sent> {
    if query.verdict == Some(Verdict::Wrong) || query.near.is_some() {
        return Vec::new();
    }
    let first = query.first.then(|| first_solves(contest));
    let (from_ms, until_ms) = (query.from_ms.unwrap_or(0), query.until_ms.unwrap_or(i64::MAX));
    let solves: Box<dyn Iterator<Item = _>> = match query.team {
        Some(team) => Box::new(contest.solves_of(team)),
        None => Box::new(contest.all_solves()),
    };
    let counted = |(challenge, team, solve)| (Place::of_right(solve), challenge, team, false);
    let solves = solves.map(counted);
    // Networks are stored with solves.
    let has_parts = sight.wrong && !query.first && from.is_none();
    let parts = contest
        .found_flags()
        .filter(|(_, team, _)| has_parts && query.team.is_none_or(|wanted| wanted == team.id));
    let parts = parts.map(|(challenge, team, it)| (Place::of_part(it), challenge, team, false));
    let late = practiced(contest, has_parts)
        .filter(|_| sight.wrong && !query.first)
        .filter(|(_, _, team)| query.team.is_none_or(|wanted| wanted == team.id))
        .map(|(place, challenge, team)| (place, challenge, team, true));
    let mut solves: Vec<_> = solves
        .chain(parts)
        .chain(late)
        .filter(|(place, challenge, team, _)| {
            (from_ms..until_ms).contains(&place.at_ms)
                && query.verdict.is_none_or(|verdict| verdict == place.verdict)
                && query.before.is_none_or(|before| *place < before)
                && query.challenge.as_ref().is_none_or(|id| id == *challenge)
                && query.teams.as_ref().is_none_or(|teams| teams.contains(&team.id))
                && first.as_ref().is_none_or(|first| first.get(challenge) == Some(place))
                && from.is_none_or(|from| from.contains(&(team.id.0, challenge.to_string())))
                && sight.shows(contest, team, challenge)
        })
        .collect();
    if solves.len() > count_max {
        solves.select_nth_unstable_by_key(count_max, |(place, ..)| Reverse(*place));
        solves.truncate(count_max + 1);
    }
    let sent = |(place, challenge, team, after_end)| {
        let sent = Sent::new(team, challenge, place);
        Sent { after_end, ..sent }
    };
    solves.into_iter().map(sent).collect()
}

/// The first solve of each challenge by a team on the scoreboard.
fn first_solves(contest: &Contest) -> HashMap<&ChallengeId, Place> {
    let mut first = HashMap::new();
    for (challenge, _, solve) in contest.all_solves().filter(|(_, team, _)| team.counts()) {
        let place = Place::of_right(solve);
        let known = first.entry(challenge).or_insert(place);
        *known = place.min(*known);
    }
    first
}

/// Submissions as a table with the columns that a reader may see. `time` formats times.
pub fn table(flags: &[Sent], sight: &ReadScope, time: impl Fn(i64) -> Value) -> Table {
    columns! { it in flags.iter();
        "time" => time(it.at),
        "team" => it.team_name,
        "challenge_id" => it.challenge_id,
        "verdict" => it.verdict,
        "after_end" => it.after_end,
        "near" => it.near,
        "times_same_text" => it.times,
        "teams_with_same_text" => it.teams,
        "network" if sight.networks => it.network,
    }
}

/// The per-team flags of a challenge, by team name.
pub fn of_teams<'a>(draft: &Draft, teams: impl Iterator<Item = &'a Arc<Team>>, key: &Key) -> Table {
    let flags: Vec<_> = draft.flags.iter().filter_map(Flag::of_teams).collect();
    let mut teams: Vec<_> = teams.collect();
    teams.sort_by(|a, b| a.name.cmp(&b.name));
    let rows = teams.into_iter().flat_map(|team| {
        let code = key.team_code(draft.challenge.id.as_str(), team.id.0);
        flags.iter().map(move |flag| vec![json!(&*team.name), json!(flag.with(&code))])
    });
    Table::new(&["team", "flag"], rows.collect::<Vec<_>>())
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
