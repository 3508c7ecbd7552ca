//! What teams have in common as it is shown: with names, with what organizers said of it, and with
//! the harmless explanation of each fact.

use std::collections::HashMap;

use flagship_game::{Contest, TeamId};
use flagship_store::actions::Record;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::facts::{CAMPUS_TEAMS, Fact, Found, What};
use super::known::FEW_TEAMS;
use crate::node::lists::table::{Table, columns};

/// Most pairs that are shown.
const ITEMS_MAX: usize = 500;

/// Two teams and what they have in common, or one team.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidencePair {
    /// A team's name.
    pub team_name: String,
    /// The other one's; null for what is about one team.
    pub other_name: Option<String>,
    /// `new`, `looked_at` or `cleared`, as an organizer said last with the action `evidence.state`.
    pub state: String,
    /// Who said it.
    pub state_by: Option<String>,
    /// When, in epoch milliseconds: later facts are not looked at yet.
    pub state_at: Option<i64>,
    /// What they noted.
    pub note: Option<String>,
    /// When the last of it was, in epoch milliseconds.
    pub last_at: i64,
    /// What they have in common.
    pub facts: Vec<EvidenceFact>,
}

/// Something that two teams have in common.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceFact {
    /// `team_flag` (a flag that is right for the other team), `same_text` (the same rare wrong
    /// flag within minutes), `no_download` (solved, and no file of the challenge fetched),
    /// `same_order` (solved the same challenges in the same order, minutes later) or
    /// `same_network`.
    pub kind: &'static str,
    /// The name of the team that did it, or did it later; null for a network.
    pub by: Option<String>,
    /// When first, in epoch milliseconds.
    pub at: i64,
    /// With which challenges.
    pub challenges: Vec<EvidenceChallenge>,
    /// How often it sent the flag, or how many challenges it solved so.
    pub times: Option<usize>,
    /// How many teams sent the flag or the text, fetched a file, or were seen in the network.
    pub teams: Option<usize>,
    /// How many teams solved the challenge whose file was fetched.
    pub of_teams: Option<usize>,
    /// The network.
    pub network: Option<String>,
    /// Why it may mean nothing.
    pub explanation: EvidenceExplanation,
}

/// A challenge with which two teams did the same.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceChallenge {
    /// Its id.
    pub challenge_id: String,
    /// When, in epoch milliseconds.
    pub at: i64,
    /// When the other team did.
    pub other_at: Option<i64>,
}

/// Why a fact may mean nothing.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EvidenceExplanation {
    /// For programs: `passed_on`, `published`, `shared_source`, `found_decoy`,
    /// `file_from_elsewhere`, `obvious_order`, `one_place` or `campus`.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

/// The newest of what was found, with `said` by organizers, the oldest first; and how much more
/// there is.
pub fn show(found: &Found, contest: &Contest, said: &[Record]) -> (Vec<EvidencePair>, usize) {
    // The last one about a pair counts.
    let said: HashMap<&str, &Record> = said.iter().map(|it| (it.object.as_str(), it)).collect();
    let name = |team: TeamId| contest.team(team).map(|team| team.name.to_string());
    let shown = found.items.iter().take(ITEMS_MAX).filter_map(|item| {
        let facts = item.facts.iter().map(|fact| show_fact(fact, contest));
        let pair = EvidencePair {
            team_name: name(item.team)?,
            other_name: match item.other {
                Some(other) => Some(name(other)?),
                None => None,
            },
            state: "new".to_owned(),
            state_by: None,
            state_at: None,
            note: None,
            last_at: item.last_ms,
            facts: facts.collect(),
        };
        Some(match said.get(object(item.team, item.other).as_str()) {
            Some(record) => pair.with_state(record),
            None => pair,
        })
    });
    (shown.collect(), found.items.len().saturating_sub(ITEMS_MAX))
}

/// What actions call a pair.
fn object(team: TeamId, other: Option<TeamId>) -> String {
    flagship_store::actions::evidence_object(team, other)
}

impl EvidencePair {
    /// The same with the state that a record says, unless its details are erased.
    fn with_state(self, record: &Record) -> Self {
        let arguments = record.field("arguments");
        let Some(state) = arguments["state"].as_str() else { return self };
        Self {
            state: state.to_owned(),
            state_by: Some(record.actor.clone()),
            state_at: Some(record.at_ms),
            note: Some(record.field("reason").as_str().unwrap_or_default().to_owned()),
            ..self
        }
    }
}

fn show_fact(fact: &Fact, contest: &Contest) -> EvidenceFact {
    let challenges = fact.challenges.iter().map(|(id, at, other_at)| EvidenceChallenge {
        challenge_id: id.clone(),
        at: *at,
        other_at: *other_at,
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
    let (network, at) = match &fact.what {
        What::SameNetwork { network, since_ms, .. } => (Some(network.clone()), *since_ms),
        _ => (None, fact.first_ms()),
    };
    EvidenceFact {
        kind,
        by,
        at,
        challenges: challenges.collect(),
        times,
        teams,
        of_teams,
        network,
        explanation: explain(&fact.what),
    }
}

/// Why a fact may mean nothing.
fn explain(what: &What) -> EvidenceExplanation {
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
    EvidenceExplanation { code, text }
}

/// The facts as a table, with times as `time` writes them.
pub fn table(shown: &[EvidencePair], time: impl Fn(i64) -> Value) -> Table {
    let time = |ms: Option<i64>| ms.map(&time);
    let rows = shown.iter().flat_map(|it| it.facts.iter().map(move |fact| (it, fact)));
    columns! { (it, fact) in rows;
        "team" => it.team_name,
        "other_team" => it.other_name,
        "state" => it.state,
        "state_by" => it.state_by,
        "state_at" => time(it.state_at),
        "note" => it.note,
        "fact" => fact.kind,
        "by" => fact.by,
        "at" => time(Some(fact.at)),
        "challenges" => fact.challenge_ids().join(", "),
        "other_at" => time(fact.challenges.iter().find_map(|it| it.other_at)),
        "times" => fact.times,
        "teams" => fact.teams,
        "of_teams" => fact.of_teams,
        "network" => fact.network,
        "explanation" => fact.explanation.text,
    }
}

impl EvidenceFact {
    fn challenge_ids(&self) -> Vec<&str> {
        self.challenges.iter().map(|it| it.challenge_id.as_str()).collect()
    }
}
