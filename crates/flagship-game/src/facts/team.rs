//! A new team.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::{Change, News};
use super::team_divisions;
use crate::contest::Contest;
use crate::division::DivisionId;
use crate::entry::{FORMAT_FIRST, Phase, TeamId};

/// A team confirmed its email address or was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// The team ID.
    pub team: TeamId,
    /// The displayed name.
    pub name: String,
    /// Two-letter country code.
    pub country: String,
    /// True if the team is hidden from the start, like a test team of the organizers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Public divisions of the team.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divisions: Vec<DivisionId>,
}

impl FactKind for Team {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: match (self.divisions.is_empty(), self.hidden) {
                (false, _) => team_divisions::FORMAT,
                (true, true) => 2,
                (true, false) => FORMAT_FIRST,
            },
            team: Some(self.team),
            team_name: Some(&self.name),
            stands_without_text: true,
            ..Properties::of("team joined")
        }
    }

    /// A hidden team, or one that joins after the end, is not visible to others.
    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let id = self.team;
        contest.teams.join(id, &self.name, &self.country)?;
        let late = contest.reached(Phase::End);
        let team = contest.teams.by_id_mut(id)?;
        team.divisions.clone_from(&self.divisions);
        if self.hidden || late {
            team.hidden = self.hidden;
            team.late = late;
            return Ok(Change::Own { team: id, news: News::Snapshot });
        }
        Ok(contest.public(News::NewTeam { team: id }))
    }

    fn redacted(&self, last: &Contest) -> Option<Self> {
        let name = last_name(self.team, &self.name, last)?;
        Some(Self { name, ..self.clone() })
    }
}

/// Returns the current name of a team if it differs from `name`, because former names are private.
pub(super) fn last_name(id: TeamId, name: &str, last: &Contest) -> Option<String> {
    let team = last.team(id).filter(|team| &*team.name != name)?;
    Some(team.name.to_string())
}
