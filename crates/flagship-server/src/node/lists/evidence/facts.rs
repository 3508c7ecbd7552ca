//! Dated evidence signals about pairs of teams, each with an innocent explanation.

use flagship_game::TeamId;
use serde::Serialize;
use utoipa::ToSchema;

use super::known::FEW_TEAMS;

/// Number of teams in a network above which it is considered a campus.
pub const CAMPUS_TEAMS: usize = 4;

/// A pair of teams and their signals, or a single team.
pub struct Item {
    /// First team.
    pub team: TeamId,
    /// Second team of a pair.
    pub other: Option<TeamId>,
    /// Evidence signals.
    pub facts: Vec<EvidenceFact>,
    /// Time of the latest signal, in epoch milliseconds.
    pub last_ms: i64,
}

/// Result of the last computation.
pub struct Found {
    /// Time of the computation, in epoch milliseconds.
    pub at_ms: i64,
    /// Pairs and single teams, newest first.
    pub items: Vec<Item>,
}

/// An evidence signal.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceFact {
    /// `team_flag` (submitted a flag that is correct for the other team), `same_text` (same rare
    /// incorrect flag within minutes), `no_download` (solved without downloading any file of the
    /// challenge), `same_order` (solved the same challenges in the same order, minutes later) or
    /// `same_network`.
    pub kind: &'static str,
    /// Name of the team that acted, or acted later; null for a network.
    pub by: Option<String>,
    /// Time of the first occurrence, in epoch milliseconds.
    pub at: i64,
    /// Challenges involved.
    pub challenges: Vec<EvidenceChallenge>,
    /// Number of times the flag was submitted, or number of challenges solved in this order.
    pub times: Option<usize>,
    /// Number of teams that submitted the flag or the text, downloaded a file, or used the network.
    pub teams: Option<usize>,
    /// Number of teams that solved the challenge with the file.
    pub of_teams: Option<usize>,
    /// Network, if the signal is about one.
    pub network: Option<String>,
    /// Innocent explanation.
    pub explanation: EvidenceExplanation,
    /// The team of `by`. Its name is resolved when the signal is displayed.
    #[serde(skip)]
    pub(super) by_team: Option<TeamId>,
}

/// A challenge in a signal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceChallenge {
    /// Challenge ID.
    pub challenge_id: String,
    /// Time of the acting team, in epoch milliseconds.
    pub at: i64,
    /// Time of the other team, in epoch milliseconds.
    pub other_at: Option<i64>,
}

/// Innocent explanation of a signal.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct EvidenceExplanation {
    /// Machine-readable code: `passed_on`, `published`, `shared_source`, `found_decoy`,
    /// `file_from_elsewhere`, `obvious_order`, `one_place` or `campus`.
    pub code: &'static str,
    /// Human-readable text.
    pub text: String,
}

impl EvidenceFact {
    fn new(
        kind: &'static str,
        by_team: Option<TeamId>,
        challenges: Vec<EvidenceChallenge>,
        code: &'static str,
        text: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            at: challenges.iter().map(|it| it.at).min().unwrap_or_default(),
            challenges,
            explanation: EvidenceExplanation { code, text: text.into() },
            by_team,
            ..Self::default()
        }
    }

    /// The team submitted a flag that is correct for another team `times` times. `teams` teams
    /// submitted it in total.
    pub fn team_flag(by: TeamId, what: EvidenceChallenge, times: usize, teams: usize) -> Self {
        let published = "teams submitted this flag; it may have been leaked publicly.";
        let (code, text) = match teams > FEW_TEAMS {
            true => ("published", format!("{teams} {published}")),
            false => (
                "passed_on",
                "A third party may have passed the flag on, or it was given to the wrong team."
                    .to_owned(),
            ),
        };
        let fact = Self::new("team_flag", Some(by), vec![what], code, text);
        Self { times: Some(times), teams: Some(teams), ..fact }
    }

    /// Both teams submitted the same incorrect text, which `teams` teams submitted in total.
    pub fn same_text(by: TeamId, what: EvidenceChallenge, teams: usize, is_decoy: bool) -> Self {
        let (code, text) = match is_decoy {
            true => ("found_decoy", "Anyone who looks where the decoy is can find it."),
            false => (
                "shared_source",
                "A write-up, a hint or a tool gives everyone who uses it the same text.",
            ),
        };
        let fact = Self::new("same_text", Some(by), vec![what], code, text);
        Self { teams: Some(teams), ..fact }
    }

    /// The team solved a challenge without downloading any of its files. `fetched` of the `solved`
    /// solving teams downloaded one.
    pub fn no_download(by: TeamId, what: EvidenceChallenge, fetched: usize, solved: usize) -> Self {
        let text = format!(
            "The file may be available elsewhere or not needed; {fetched} of {solved} solving \
             teams downloaded one."
        );
        let fact = Self::new("no_download", Some(by), vec![what], "file_from_elsewhere", text);
        Self { teams: Some(fetched), of_teams: Some(solved), ..fact }
    }

    /// The team solved challenges in the other team's order, minutes later. It has `solved` solves
    /// in total.
    pub fn same_order(by: TeamId, challenges: Vec<EvidenceChallenge>, solved: usize) -> Self {
        let text = format!(
            "Teams working from easy to hard solve in the same order; the team has {solved} \
             solves in total."
        );
        let times = Some(challenges.len());
        Self { times, ..Self::new("same_order", Some(by), challenges, "obvious_order", text) }
    }

    /// Both teams used the same network since a given time. `teams` teams used it in total.
    pub fn same_network(network: &str, since_ms: i64, teams: usize) -> Self {
        let campus = "teams used this network; it may be a campus, a conference or an ISP.";
        let (code, text) = match teams > CAMPUS_TEAMS {
            true => ("campus", format!("{teams} {campus}")),
            false => {
                ("one_place", "Teams from one school, company or home share a network.".to_owned())
            }
        };
        let fact = Self::new("same_network", None, Vec::new(), code, text);
        Self { at: since_ms, teams: Some(teams), network: Some(network.to_owned()), ..fact }
    }
}
