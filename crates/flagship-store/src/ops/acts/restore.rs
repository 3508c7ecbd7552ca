//! What puts back what an act changed.

use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, TeamId};
use serde::{Deserialize, Serialize};

use super::challenges::State;
use super::edits::Before;
use super::event::Moments;
use super::notices::Due;
use super::{ActError, Acting, Acts};
use crate::desk::questions;
use crate::{accounts, challenges};

/// What puts back what an act changed. It is kept sealed, beside the record of the act.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Restore {
    /// These facts do.
    Facts { facts: Vec<Fact> },
    /// The name and the country of a team.
    Name { team: TeamId, name: String, country: String },
    /// The times of the event, if they are those that the act left.
    Times { before: Moments, left: Moments },
    /// An event that was resumed: it is paused, and what moved moves back.
    Resumed { before: Moments, left: Moments, states: Vec<State> },
    /// Solves that were counted, some of them in place of later ones.
    Rejudged { challenge: ChallengeId, teams: Vec<TeamId>, solves: Vec<Withdrawn> },
    /// Solves that were withdrawn.
    Solves { challenge: ChallengeId, solves: Vec<Withdrawn> },
    /// Whether and when challenges are shown.
    States { states: Vec<State> },
    /// A challenge as it was.
    Draft { challenge: ChallengeId, before: Box<Before> },
    /// A notice that waits for its time; `None` if it did not.
    DueNotice { notice: i64, before: Option<Due> },
    /// A question as it was, if it is as the act left it.
    Question { before: questions::Row, left: questions::Row },
}

/// A solve that was withdrawn.
#[derive(Serialize, Deserialize)]
pub(super) struct Withdrawn {
    pub(super) team: TeamId,
    pub(super) at_ms: i64,
    pub(super) after: i64,
}

impl Restore {
    pub(super) fn fact(fact: Fact) -> Self {
        Self::Facts { facts: vec![fact] }
    }
}

impl Acts<'_> {
    pub(super) async fn restore(&mut self, restore: Restore, is_confirmed: bool) -> Acting<()> {
        match restore {
            Restore::Facts { facts } => {
                for fact in facts {
                    self.try_append(fact, ActError::Unchanged)?;
                }
            }
            Restore::Name { team, name, country } => {
                accounts::rename_in(&mut self.step.tx, team.0, &name, &country).await?;
                self.named(team, name, country)?;
            }
            Restore::Times { before, left } => self.put_times(before, left, is_confirmed)?,
            Restore::Resumed { before, left, states } => {
                self.check_states(&states).await?;
                self.put_times(before, left, is_confirmed)?;
                self.pause(true)?;
                self.put_states(states).await?;
            }
            Restore::Rejudged { challenge, teams, solves } => {
                self.unsolve(&teams, &challenge).await?;
                self.count_again(&challenge, solves)?;
            }
            Restore::Solves { challenge, solves } => self.count_again(&challenge, solves)?,
            Restore::States { states } => {
                self.check_states(&states).await?;
                self.put_states(states).await?;
            }
            Restore::Draft { challenge, before } => self.put_before(&challenge, *before).await?,
            Restore::DueNotice { notice, before } => self.put_due(notice, before).await?,
            Restore::Question { before, left } => {
                let tx = &mut self.step.tx;
                if questions::by_id_in(tx, before.id).await? != Some(left) {
                    return Err(ActError::Touched.into());
                }
                questions::put_in(tx, &before).await?;
            }
        }
        Ok(())
    }

    /// Refuses an author what is not about own challenges, or moves points.
    pub(super) async fn check_restore(&mut self, restore: &Restore) -> Acting<()> {
        if self.who.only_challenges.is_none() {
            return Ok(());
        }
        let challenge = match restore {
            Restore::Draft { challenge, before } => {
                self.check_before(challenge, before).await?;
                Some(challenge.clone())
            }
            Restore::Facts { facts } => match &facts[..] {
                [Fact::Status { challenge, .. }] => Some(challenge.clone()),
                _ => None,
            },
            Restore::Question { before, .. } => {
                before.challenge_id.as_ref().and_then(|id| ChallengeId::parse(id).ok())
            }
            _ => None,
        };
        self.check_scope(challenge.as_ref(), ActError::NoAct)
    }

    /// Lets all nodes read again what is due.
    pub(super) async fn releases_changed(&mut self) -> Acting<()> {
        let revision = challenges::touch(&mut self.step.tx).await?;
        Ok(self.step.set_revision(revision).await?)
    }
}
