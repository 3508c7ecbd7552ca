//! Puts back what an action changed.

use flagship_game::facts::{self, Fact};
use flagship_game::{ChallengeId, TeamId};

use super::super::former::text_object;
use super::super::removal;
use super::super::restore::Restore;
use super::acting::{Acting, ActionError, Actions};
use crate::actions::Later;
use crate::desk::questions;
use crate::{accounts, actions};

impl Actions<'_> {
    pub(super) async fn restore(&mut self, restore: Restore, is_confirmed: bool) -> Acting<()> {
        match restore {
            Restore::Facts { facts } => {
                for fact in facts {
                    self.try_append(fact, ActionError::Unchanged)?;
                }
            }
            Restore::Import { teams } => self.remove(&teams, is_confirmed).await?,
            Restore::Name { team, name, country } => {
                let present = accounts::by_id_in(&mut self.step.tx, team.0).await?;
                let present = present.ok_or(ActionError::NoTeam)?;
                accounts::rename_in(&mut self.step.tx, team.0, &name, &country).await?;
                if present.name != name {
                    accounts::leave_name_in(&mut self.step.tx, &present, true).await?;
                }
                self.named(team, name, country)?;
            }
            Restore::Said { before, left, rules, defaults } => {
                self.put_said(&before, &left, is_confirmed)?;
                self.put_texts(rules, defaults).await?;
            }
            Restore::Settings { section, before, left, secrets } => {
                self.put_settings(&section, before, left, secrets).await?;
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
            Restore::Solves { challenge, solves } => {
                // A later solve of a team gives way to the one that comes back.
                let teams: Vec<TeamId> = solves.iter().map(|solve| solve.team).collect();
                self.unsolve(&teams, &challenge).await?;
                self.count_again(&challenge, solves)?;
            }
            Restore::States { states } => {
                self.check_states(&states).await?;
                self.put_states(states).await?;
            }
            Restore::Draft { challenge, before, mut naming } => {
                // Those of others keep the id, which is as good as the name: an author is not to
                // learn that one of them was changed since.
                naming.retain(|named| self.knows_object(&text_object(&named.challenge)));
                self.put_before(&challenge, *before, naming).await?;
            }
            Restore::DueNotice { notice, before } => self.put_due(notice, before).await?,
            Restore::Question { before, left } => {
                let tx = &mut self.step.tx;
                if questions::by_id_in(tx, before.id).await? != Some(left) {
                    return Err(ActionError::Touched.into());
                }
                questions::put_in(tx, &before).await?;
            }
        }
        Ok(())
    }

    /// Lets imported teams leave. Refused if one of them has played: it has a solve or points of
    /// organizers, or did something itself; or if another action about one stands.
    async fn remove(&mut self, teams: &[TeamId], is_confirmed: bool) -> Acting<()> {
        let contest = self.step.contest();
        let played = |team: &TeamId| {
            let has_points = contest.team(*team).is_some_and(|team| team.award != 0);
            has_points || contest.solves_of(*team).next().is_some()
        };
        let has_played = teams.iter().any(played);
        let ids: Vec<i64> = teams.iter().map(|team| team.0).collect();
        let objects = |id: &i64| [actions::team_object(*id), actions::name_object(*id)];
        let objects: Vec<String> = ids.iter().flat_map(objects).collect();
        let tx = &mut self.step.tx;
        let standing = actions::standing_about_in(tx, &objects).await?;
        if !standing.is_empty() {
            let sees = &self.sees;
            let seen = standing.into_iter().filter(|(_, action)| sees.contains(&action.as_str()));
            return Err(ActionError::Later { actions: seen.map(|(id, _)| id).collect() }.into());
        }
        if has_played || removal::has_played_in(tx, &ids).await? {
            return Err(ActionError::Played.into());
        }
        if !is_confirmed && !self.who.is_command {
            return Err(ActionError::Destructive.into());
        }
        let now_ms = self.step.now_ms();
        removal::remove_in(&mut self.step.tx, &ids, now_ms).await?;
        for team in teams {
            self.try_append(facts::TeamLeft { team: *team }, ActionError::Touched)?;
        }
        Ok(())
    }

    /// Refuses an author an action that is not about own challenges, as if it did not exist.
    pub(super) fn check_restore_scope(&self, restore: Option<&Restore>) -> Acting<()> {
        let challenge = match restore {
            Some(Restore::Draft { challenge, .. }) => Some(challenge.clone()),
            Some(Restore::Facts { facts }) => match &facts[..] {
                [Fact::Status(facts::Status { challenge, .. })] => Some(challenge.clone()),
                _ => None,
            },
            Some(Restore::Question { before, .. }) => {
                before.challenge_id.as_ref().and_then(|id| ChallengeId::parse(id).ok())
            }
            _ => None,
        };
        self.check_scope(challenge.as_ref(), ActionError::NoAction)
    }

    /// Refuses an author what moves points.
    pub(super) async fn check_restore(&mut self, restore: &Restore) -> Acting<()> {
        match restore {
            Restore::Draft { challenge, before, .. } if self.who.only_challenges.is_some() => {
                self.check_before(challenge, before).await
            }
            _ => Ok(()),
        }
    }

    /// Refuses an undo while later actions stand about one of `objects`, those of the action of
    /// which the actor knows.
    pub(super) async fn check_later(&mut self, id: i64, objects: &[String]) -> Acting<()> {
        let mut later = actions::standing_after_in(&mut self.step.tx, id).await?;
        // They share an object, which an author may not know of.
        if self.who.only_challenges.is_some() {
            let is_known = |object: &str| objects.iter().any(|known| known == object);
            later.retain(|action| action.object.split(',').any(is_known));
        }
        if later.is_empty() {
            return Ok(());
        }
        let seen = later.iter().filter(|action| self.sees_action(action));
        Err(ActionError::Later { actions: seen.map(|action| action.id).collect() }.into())
    }

    /// True if the actor may know of a later action: their roles have it, and for an author it is
    /// about own challenges only.
    fn sees_action(&self, later: &Later) -> bool {
        let mut objects = later.object.split(',');
        self.sees.contains(&later.action.as_str()) && objects.all(|it| self.knows_object(it))
    }
}
