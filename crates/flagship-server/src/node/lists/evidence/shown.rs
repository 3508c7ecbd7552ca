//! Evidence for display, with team names and review status.

use std::collections::HashMap;

use flagship_game::{Contest, TeamId};
use flagship_store::actions::{Record, evidence_object};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::facts::{EvidenceFact, Found};
use crate::node::lists::table::{Table, columns};

/// Maximum number of pairs shown.
const ITEMS_MAX: usize = 500;

/// A pair of teams and its signals, or a single team.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidencePair {
    /// Team name.
    pub team_name: String,
    /// Name of the other team; null for evidence about one team.
    pub other_name: Option<String>,
    /// `new`, `looked_at` or `cleared`, as last set by the action `evidence.state`.
    pub state: String,
    /// Organizer who set the status.
    pub state_by: Option<String>,
    /// Time at which the status was set, in epoch milliseconds. Later signals have not been
    /// reviewed.
    pub state_at: Option<i64>,
    /// Note of that organizer.
    pub note: Option<String>,
    /// Time of the latest signal, in epoch milliseconds.
    pub last_at: i64,
    /// Evidence signals.
    pub facts: Vec<EvidenceFact>,
}

/// The newest evidence with its status from the records in `said`, oldest first; and the number of
/// further pairs.
pub fn show(found: &Found, contest: &Contest, said: &[Record]) -> (Vec<EvidencePair>, usize) {
    // The last record about a pair wins.
    let said: HashMap<&str, &Record> = said.iter().map(|it| (it.object.as_str(), it)).collect();
    let name = |team: TeamId| contest.team(team).map(|team| team.name.to_string());
    let shown = found.items.iter().take(ITEMS_MAX).filter_map(|item| {
        // The status is unknown once the details of the record are erased.
        let state = said.get(evidence_object(item.team, item.other).as_str()).and_then(|record| {
            Some((record, record.field("arguments")["state"].as_str()?.to_owned()))
        });
        let record = state.as_ref().map(|(record, _)| record);
        let reason =
            |record: &Record| record.field("reason").as_str().unwrap_or_default().to_owned();
        let fact =
            |fact: &EvidenceFact| EvidenceFact { by: fact.by_team.and_then(name), ..fact.clone() };
        Some(EvidencePair {
            team_name: name(item.team)?,
            other_name: match item.other {
                Some(other) => Some(name(other)?),
                None => None,
            },
            state_by: record.map(|record| record.actor.clone()),
            state_at: record.map(|record| record.at_ms),
            note: record.map(|record| reason(record)),
            state: state.map_or_else(|| "new".to_owned(), |(_, state)| state),
            last_at: item.last_ms,
            facts: item.facts.iter().map(fact).collect(),
        })
    });
    (shown.collect(), found.items.len().saturating_sub(ITEMS_MAX))
}

/// Signals as a table. `time` formats times.
pub fn table(shown: &[EvidencePair], time: impl Fn(i64) -> Value) -> Table {
    let time = |ms: Option<i64>| ms.map(&time);
    let ids = |fact: &EvidenceFact| -> Vec<String> {
        fact.challenges.iter().map(|it| it.challenge_id.clone()).collect()
    };
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
        "challenges" => ids(fact).join(", "),
        "other_at" => time(fact.challenges.iter().find_map(|it| it.other_at)),
        "times" => fact.times,
        "teams" => fact.teams,
        "of_teams" => fact.of_teams,
        "network" => fact.network,
        "explanation" => fact.explanation.text,
    }
}
