//! What puts back what an act changed.

use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Event, TeamId};
use serde::{Deserialize, Serialize};

use super::challenges::State;
use super::edits::Before;
use super::notices::Due;
use super::{ActError, Acting, Acts};
use crate::desk::{notices, questions};
use crate::{accounts, challenges};

/// What puts back what an act changed. It is kept sealed, beside the record of the act.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Restore {
    /// These facts do.
    Facts { facts: Vec<Fact> },
    /// The name and the country of a team.
    Name { team: TeamId, name: String, country: String },
    /// An event that was resumed: it is paused, and what moved moves back.
    Resumed { event: Box<Event>, paused_ms: i64, by_ms: i64 },
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
    /// A question as it was.
    Question { before: questions::Row },
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
    pub(super) async fn restore(&mut self, restore: Restore) -> Acting<()> {
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
            Restore::Resumed { event, paused_ms, by_ms } => {
                self.pause(true)?;
                self.try_append(Fact::Event { event: *event }, ActError::Unchanged)?;
                self.move_releases(paused_ms + by_ms, -by_ms).await?;
            }
            Restore::Rejudged { challenge, teams, solves } => {
                for team in teams {
                    self.unsolve(team, &challenge).await?;
                }
                self.count_again(&challenge, solves)?;
            }
            Restore::Solves { challenge, solves } => {
                for Withdrawn { team, .. } in &solves {
                    // The team may have solved it again meanwhile.
                    if self.step.contest().solve(*team, &challenge).is_some() {
                        self.unsolve(*team, &challenge).await?;
                    }
                }
                self.count_again(&challenge, solves)?;
            }
            Restore::States { states } => self.put_states(states).await?,
            Restore::Draft { challenge, before } => self.put_before(&challenge, *before).await?,
            Restore::DueNotice { notice, before } => self.put_due(notice, before).await?,
            Restore::Question { before } => {
                questions::put_in(&mut self.step.tx, &before).await?;
            }
        }
        Ok(())
    }

    /// Puts back a notice that waited; if its time has come meanwhile, what players see of it.
    async fn put_due(&mut self, notice: i64, before: Option<Due>) -> Acting<()> {
        let is_public = self.step.contest().notice(notice).is_some_and(|it| !it.withdrawn);
        if !is_public {
            notices::put_in(&mut self.step.tx, notice, before.as_ref()).await?;
            return self.releases_changed().await;
        }
        let fact = match before {
            None => Fact::NoticeWithdrawn { notice },
            Some(Due { title, html, challenge_id, urgent, .. }) => {
                let challenge = challenge_id.and_then(|id| ChallengeId::parse(&id).ok());
                Fact::Notice { notice, title, html, challenge, urgent }
            }
        };
        self.try_append(fact, ActError::Unchanged)
    }

    fn count_again(&mut self, challenge: &ChallengeId, solves: Vec<Withdrawn>) -> Acting<()> {
        for Withdrawn { team, at_ms, after } in solves {
            self.count(team, challenge, at_ms, after)?;
        }
        Ok(())
    }

    /// Moves the releases after a time that are to come.
    pub(super) async fn move_releases(&mut self, after_ms: i64, by_ms: i64) -> Acting<()> {
        challenges::move_releases(&mut self.step.tx, after_ms, by_ms).await?;
        self.releases_changed().await
    }

    /// Lets all nodes read again what is due.
    pub(super) async fn releases_changed(&mut self) -> Acting<()> {
        let revision = challenges::touch(&mut self.step.tx).await?;
        Ok(self.step.set_revision(revision).await?)
    }
}
