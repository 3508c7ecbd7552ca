//! What two teams have in common: facts with dates, each with its harmless explanation.

use flagship_game::TeamId;
use serde::Serialize;
use utoipa::ToSchema;

use super::known::FEW_TEAMS;

/// More teams than these in a network are a campus.
pub const CAMPUS_TEAMS: usize = 4;

/// Two teams and what they have in common, or one team.
pub struct Item {
    /// A team.
    pub team: TeamId,
    /// The other one.
    pub other: Option<TeamId>,
    /// What they have in common.
    pub facts: Vec<EvidenceFact>,
    /// When the last of it was, in epoch milliseconds.
    pub last_ms: i64,
}

/// What was found last.
pub struct Found {
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The newest first.
    pub items: Vec<Item>,
}

/// Something that two teams have in common.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
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
    /// The team of `by`, whose name is looked up when the fact is shown.
    #[serde(skip)]
    pub(super) by_team: Option<TeamId>,
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
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct EvidenceExplanation {
    /// For programs: `passed_on`, `published`, `shared_source`, `found_decoy`,
    /// `file_from_elsewhere`, `obvious_order`, `one_place` or `campus`.
    pub code: &'static str,
    /// For people.
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

    /// A team sent a flag `times` times that is right for another one; `teams` teams sent it.
    pub fn team_flag(by: TeamId, what: EvidenceChallenge, times: usize, teams: usize) -> Self {
        let published = "teams sent this flag: it may have been published somewhere.";
        let (code, text) = match teams > FEW_TEAMS {
            true => ("published", format!("{teams} {published}")),
            false => (
                "passed_on",
                "Somebody else may have passed the flag on, or it was handed to the wrong team."
                    .to_owned(),
            ),
        };
        let fact = Self::new("team_flag", Some(by), vec![what], code, text);
        Self { times: Some(times), teams: Some(teams), ..fact }
    }

    /// Two teams sent the same wrong text, which `teams` teams sent.
    pub fn same_text(by: TeamId, what: EvidenceChallenge, teams: usize, is_decoy: bool) -> Self {
        let (code, text) = match is_decoy {
            true => ("found_decoy", "Whoever looks where the decoy lies finds it."),
            false => (
                "shared_source",
                "A write-up, a hint or the output of a tool gives the same text to all who use it.",
            ),
        };
        let fact = Self::new("same_text", Some(by), vec![what], code, text);
        Self { teams: Some(teams), ..fact }
    }

    /// A team solved a challenge whose files it never fetched; `fetched` of the `solved` teams that
    /// solved it fetched one.
    pub fn no_download(by: TeamId, what: EvidenceChallenge, fetched: usize, solved: usize) -> Self {
        let text = format!(
            "The file may be known from elsewhere or not be needed; {fetched} of {solved} teams \
             that solved it fetched one."
        );
        let fact = Self::new("no_download", Some(by), vec![what], "file_from_elsewhere", text);
        Self { teams: Some(fetched), of_teams: Some(solved), ..fact }
    }

    /// A team solved challenges in the order of another one, minutes after it; `solved` in all.
    pub fn same_order(by: TeamId, challenges: Vec<EvidenceChallenge>, solved: usize) -> Self {
        let text = format!(
            "Teams that go from easy to hard challenges solve them in the same order; the team \
             solved {solved} in all."
        );
        let times = Some(challenges.len());
        Self { times, ..Self::new("same_order", Some(by), challenges, "obvious_order", text) }
    }

    /// Two teams were seen in one network since a time; `teams` teams were seen there.
    pub fn same_network(network: &str, since_ms: i64, teams: usize) -> Self {
        let campus = "teams were seen in this network: a campus, a conference or a provider.";
        let (code, text) = match teams > CAMPUS_TEAMS {
            true => ("campus", format!("{teams} {campus}")),
            false => {
                ("one_place", "Teams of one school, company or home share a network.".to_owned())
            }
        };
        let fact = Self::new("same_network", None, Vec::new(), code, text);
        Self { at: since_ms, teams: Some(teams), network: Some(network.to_owned()), ..fact }
    }
}
