//! What teams have in common as it is shown: with names, and with what organizers said of it.

use std::collections::HashMap;

use flagship_game::{Contest, TeamId};
use flagship_store::actions::{Record, evidence_object};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::facts::{EvidenceFact, Found};
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

/// The newest of what was found, with `said` by organizers, the oldest first; and how much more
/// there is.
pub fn show(found: &Found, contest: &Contest, said: &[Record]) -> (Vec<EvidencePair>, usize) {
    // The last one about a pair counts.
    let said: HashMap<&str, &Record> = said.iter().map(|it| (it.object.as_str(), it)).collect();
    let name = |team: TeamId| contest.team(team).map(|team| team.name.to_string());
    let shown = found.items.iter().take(ITEMS_MAX).filter_map(|item| {
        // The state is not known any more once the details of a record are erased.
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

/// The facts as a table, with times as `time` writes them.
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
