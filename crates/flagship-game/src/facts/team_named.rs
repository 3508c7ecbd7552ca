//! A team's name.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Stamp};
use super::news::News;
use super::team::{Team, last_name};
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team changed its name or country. An unknown team joins with this entry, because its `team`
/// entry is withheld from the published journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamNamed {
    /// The team ID.
    pub team: TeamId,
    /// The displayed name.
    pub name: String,
    /// Two-letter country code.
    pub country: String,
}

impl FactKind for TeamNamed {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 2,
            team: Some(self.team),
            team_name: Some(&self.name),
            stands_without_text: true,
            ..Properties::of("team renamed")
        }
    }

    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
        let Self { team, name, country } = self;
        let Ok(index) = contest.teams.index_of(*team) else {
            let (team, name, country) = (*team, name.clone(), country.clone());
            let divisions = Vec::new();
            return Team { team, name, country, hidden: false, divisions }.fold(contest, at);
        };
        contest.teams.rename(index, name, country)?;
        let is_public = contest.team_at(index).counts();
        Ok(contest.team_change(*team, is_public, News::Snapshot))
    }

    fn redacted(&self, last: &Contest) -> Option<Self> {
        let name = last_name(self.team, &self.name, last)?;
        Some(Self { name, ..self.clone() })
    }
}
