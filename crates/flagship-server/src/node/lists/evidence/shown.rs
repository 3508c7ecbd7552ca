//! What teams have in common as it is shown: with names, with what organizers said of it, and with
//! the harmless explanation of each fact.

use std::collections::HashMap;

use flagship_game::{Contest, TeamId};
use flagship_store::acts::Record;
use serde_json::{Value, json};

use super::facts::{CAMPUS_TEAMS, Fact, Found, What};
use super::known::FEW_TEAMS;
use crate::node::lists::table::Table;

/// Most pairs that are shown.
const ITEMS_MAX: usize = 500;

/// What organizers said last.
#[derive(Clone, Debug)]
pub struct Said {
    /// `new`, `looked_at` or `cleared`.
    pub state: String,
    /// Who said it.
    pub by: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// What they noted.
    pub note: String,
}

/// Two teams and what they have in common, or one team.
#[derive(Clone, Debug)]
pub struct Shown {
    /// A team's name.
    pub team: String,
    /// The other one's.
    pub other: Option<String>,
    /// What organizers said last.
    pub said: Option<Said>,
    /// When the last of it was, in epoch milliseconds.
    pub last_ms: i64,
    /// What they have in common.
    pub facts: Vec<ShownFact>,
}

/// Something that two teams have in common.
#[derive(Clone, Debug)]
pub struct ShownFact {
    /// `team_flag`, `same_text`, `no_download`, `same_order` or `same_network`.
    pub kind: &'static str,
    /// Who did it, or did it later.
    pub by: Option<String>,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// With which challenges.
    pub challenges: Vec<Solved>,
    /// How often.
    pub times: Option<usize>,
    /// How many teams did the same, or were there.
    pub teams: Option<usize>,
    /// How many teams could have.
    pub of_teams: Option<usize>,
    /// The network.
    pub network: Option<String>,
    /// Why it may mean nothing.
    pub explanation: Explanation,
}

/// A challenge with which two teams did the same.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Its id.
    pub challenge: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// When the other team did.
    pub other_at_ms: Option<i64>,
}

/// Why a fact may mean nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// For programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

/// The newest of what was found, with `said` by organizers, the oldest first; and how much more
/// there is.
pub fn show(found: &Found, contest: &Contest, said: &[Record]) -> (Vec<Shown>, usize) {
    // The last one about a pair counts.
    let said: HashMap<&str, &Record> = said.iter().map(|it| (it.object.as_str(), it)).collect();
    let name = |team: TeamId| contest.team(team).map(|team| team.name.to_string());
    let shown = found.items.iter().take(ITEMS_MAX).filter_map(|item| {
        let record = said.get(object(item.team, item.other).as_str());
        let facts = item.facts.iter().map(|fact| show_fact(fact, contest));
        Some(Shown {
            team: name(item.team)?,
            other: match item.other {
                Some(other) => Some(name(other)?),
                None => None,
            },
            said: record.and_then(|record| said_in(record)),
            last_ms: item.last_ms,
            facts: facts.collect(),
        })
    });
    (shown.collect(), found.items.len().saturating_sub(ITEMS_MAX))
}

/// What acts call a pair.
fn object(team: TeamId, other: Option<TeamId>) -> String {
    flagship_store::ops::evidence_of(team, other)
}

fn said_in(record: &Record) -> Option<Said> {
    let arguments = record.field("arguments");
    Some(Said {
        state: arguments["state"].as_str()?.to_owned(),
        by: record.actor.clone(),
        at_ms: record.at_ms,
        note: record.field("reason").as_str().unwrap_or_default().to_owned(),
    })
}

fn show_fact(fact: &Fact, contest: &Contest) -> ShownFact {
    let challenges = fact.challenges.iter().map(|(challenge, at_ms, other_at_ms)| Solved {
        challenge: challenge.clone(),
        at_ms: *at_ms,
        other_at_ms: *other_at_ms,
    });
    let by = fact.by.and_then(|by| contest.team(by)).map(|team| team.name.to_string());
    let (kind, times, teams, of_teams) = match &fact.what {
        What::TeamFlag { times, teams } => ("team_flag", Some(*times), Some(*teams), None),
        What::SameText { teams, .. } => ("same_text", None, Some(*teams), None),
        What::NoDownload { fetched, solved } => {
            ("no_download", None, Some(*fetched), Some(*solved))
        }
        What::SameOrder { .. } => ("same_order", Some(fact.challenges.len()), None, None),
        What::SameNetwork { teams, .. } => ("same_network", None, Some(*teams), None),
    };
    let (network, at_ms) = match &fact.what {
        What::SameNetwork { network, since_ms, .. } => (Some(network.clone()), *since_ms),
        _ => (None, fact.first_ms()),
    };
    ShownFact {
        kind,
        by,
        at_ms,
        challenges: challenges.collect(),
        times,
        teams,
        of_teams,
        network,
        explanation: explain(&fact.what),
    }
}

/// Why a fact may mean nothing.
fn explain(what: &What) -> Explanation {
    let (code, text) = match what {
        What::TeamFlag { teams, .. } if *teams > FEW_TEAMS => (
            "published",
            format!("{teams} teams sent this flag: it may have been published somewhere."),
        ),
        What::TeamFlag { .. } => (
            "passed_on",
            "Somebody else may have passed the flag on, or it was handed to the wrong team."
                .to_owned(),
        ),
        What::SameText { is_decoy: true, .. } => {
            ("found_decoy", "Whoever looks where the decoy lies finds it.".to_owned())
        }
        What::SameText { .. } => (
            "shared_source",
            "A write-up, a hint or the output of a tool gives the same text to all who use it."
                .to_owned(),
        ),
        What::NoDownload { fetched, solved } => (
            "file_from_elsewhere",
            format!(
                "The file may be known from elsewhere or not be needed; {fetched} of {solved} \
                 teams that solved it fetched one."
            ),
        ),
        What::SameOrder { solved } => (
            "obvious_order",
            format!(
                "Teams that go from easy to hard challenges solve them in the same order; the team \
                 solved {solved} in all."
            ),
        ),
        What::SameNetwork { teams, .. } if *teams > CAMPUS_TEAMS => (
            "campus",
            format!(
                "{teams} teams were seen in this network: a campus, a conference or a provider."
            ),
        ),
        What::SameNetwork { .. } => {
            ("one_place", "Teams of one school, company or home share a network.".to_owned())
        }
    };
    Explanation { code, text }
}

/// The facts as a table, with times as `time` writes them.
pub fn table(shown: &[Shown], time: impl Fn(i64) -> Value) -> Table {
    let columns = [
        "team",
        "other_team",
        "state",
        "state_by",
        "state_at",
        "note",
        "fact",
        "by",
        "at",
        "challenges",
        "other_at",
        "times",
        "teams",
        "of_teams",
        "network",
        "explanation",
    ];
    let rows = shown.iter().flat_map(|it| it.facts.iter().map(move |fact| (it, fact)));
    let row = |(it, fact): (&Shown, &ShownFact)| -> Vec<Value> {
        let said = it.said.as_ref();
        let challenges: Vec<&str> = fact.challenges.iter().map(|it| &*it.challenge).collect();
        let other_at_ms = fact.challenges.iter().find_map(|it| it.other_at_ms);
        vec![
            json!(it.team),
            json!(it.other),
            json!(said.map_or("new", |said| said.state.as_str())),
            json!(said.map(|said| &said.by)),
            said.map_or(Value::Null, |said| time(said.at_ms)),
            json!(said.map(|said| &said.note)),
            json!(fact.kind),
            json!(fact.by),
            time(fact.at_ms),
            json!(challenges.join(", ")),
            other_at_ms.map_or(Value::Null, &time),
            json!(fact.times),
            json!(fact.teams),
            json!(fact.of_teams),
            json!(fact.network),
            json!(fact.explanation.text),
        ]
    };
    Table::new(&columns, rows.map(row))
}
