//! A team that left.

use serde::{Deserialize, Serialize};

use super::kind::{FactKind, Folded, Properties, Readers, Stamp};
use super::news::News;
use crate::contest::Contest;
use crate::entry::TeamId;

/// A team left as if it had never joined, since the import that it came with was undone. It has no
/// solve, and its name is free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamLeft {
    /// Its identity, which no team ever has again.
    pub team: TeamId,
}

impl FactKind for TeamLeft {
    fn properties(&self) -> Properties<'_> {
        Properties {
            format: 3,
            team: Some(self.team),
            // What was imported by mistake is not for the public.
            readers: Readers::Nobody,
            retracts: true,
            ..Properties::of("a team left")
        }
    }

    fn fold(&self, contest: &mut Contest, _: Stamp) -> Folded {
        let is_public = contest.teams.leave(self.team)?;
        Ok(contest.team_change(self.team, is_public, News::Snapshot))
    }
}
