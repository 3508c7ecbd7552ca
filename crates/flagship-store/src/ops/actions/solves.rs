//! Actions about solves.

use flagship_game::contest::Solve;
use flagship_game::{ChallengeId, TeamId, facts};
use serde_json::json;

use super::super::restore::{Restore, Withdrawn};
use super::acting::{Acting, ActionError, Actions};
use crate::desk::questions;
use crate::{actions, challenges, wrong_flags};

impl Actions<'_> {
    /// Withdraws the solve of a team, or all of a challenge.
    pub(super) async fn withdraw(
        &mut self,
        team: Option<&str>,
        challenge: &ChallengeId,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let contest = self.step.contest();
        let teams: Vec<TeamId> = match team {
            Some(team) => vec![contest.team_named(team).ok_or(ActionError::NoTeam)?.id],
            None => contest.teams().map(|team| team.id).collect(),
        };
        let solves = self.withdrawn(&teams, challenge);
        if solves.is_empty() {
            return Err(ActionError::NotSolved.into());
        }
        let teams: Vec<TeamId> = solves.iter().map(|solve| solve.team).collect();
        let objects: Vec<String> =
            teams.iter().map(|team| actions::solve_object(team.0, challenge.as_str())).collect();
        self.check_head(&objects).await?;
        self.unsolve(&teams, challenge).await?;
        Ok((objects, Some(Restore::Solves { challenge: challenge.clone(), solves })))
    }

    /// The solves of teams, by place: in this order they are counted again.
    fn withdrawn(&self, teams: &[TeamId], challenge: &ChallengeId) -> Vec<Withdrawn> {
        let contest = self.step.contest();
        let solve = |team: &TeamId| Some((*team, contest.solve(*team, challenge)?));
        let mut solves: Vec<_> = teams.iter().filter_map(solve).collect();
        solves.sort_by_key(|(_, solve)| solve.place());
        let withdrawn = |(team, solve): (TeamId, Solve)| {
            let Solve { at_ms, after, .. } = solve;
            Withdrawn { team, at_ms, after }
        };
        solves.into_iter().map(withdrawn).collect()
    }

    /// Counts a solve as if it had come at a time, after all that had come by then.
    pub(super) async fn count_solve(
        &mut self,
        team: &str,
        challenge: &ChallengeId,
        at_ms: i64,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let contest = self.step.contest();
        let team = contest.team_named(team).ok_or(ActionError::NoTeam)?.id;
        if !contest.is_released(challenge) {
            return Err(ActionError::NoChallenge.into());
        }
        let objects = vec![actions::solve_object(team.0, challenge.as_str())];
        self.check_head(&objects).await?;
        let after = self.place_at(challenge, at_ms)?;
        self.count(team, challenge, at_ms, after)?;
        let challenge = challenge.clone();
        let teams = vec![team];
        let solves = Vec::new();
        Ok((objects, Some(Restore::Rejudged { challenge, teams, solves })))
    }

    /// Counts the flags that were refused and are right now, at the time at which they were sent,
    /// and tells their teams.
    pub(super) async fn rejudge(
        &mut self,
        challenge: &ChallengeId,
        tell: fn(i64, &str) -> String,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        if !self.step.contest().is_released(challenge) {
            return Err(ActionError::NoChallenge.into());
        }
        let tx = &mut self.step.tx;
        self.step.seal.watch_flags(tx).await?;
        let drafts = challenges::all_in(tx).await?;
        let draft = drafts.into_iter().find(|draft| draft.challenge.id == *challenge);
        let flags = draft.ok_or(ActionError::NoChallenge)?.flags;
        let wrong_flags::Found { mut sent, digests, patterns } =
            wrong_flags::sent_in(tx, self.step.seal.key(), challenge, &flags).await?;
        sent.sort_by_key(|sent| (sent.at_ms, sent.account_id));
        let contest = self.step.contest();
        let counts = |sent: &wrong_flags::Sent| {
            let team = TeamId(sent.account_id);
            let is_earlier = |solve: Solve| sent.at_ms < solve.at_ms;
            contest.team(team).is_some() && contest.solve(team, challenge).is_none_or(is_earlier)
        };
        sent.retain(counts);
        let of_solve =
            |sent: &wrong_flags::Sent| actions::solve_object(sent.account_id, challenge.as_str());
        let objects: Vec<String> = sent.iter().map(of_solve).collect();
        self.check_head(&objects).await?;
        let mut counted = Vec::new();
        for wrong_flags::Sent { account_id, at_ms } in sent {
            // A flag of before the start or after the end was not judged.
            if let Ok(after) = self.place_at(challenge, at_ms) {
                counted.push(Withdrawn { team: TeamId(account_id), at_ms, after });
            }
        }
        if counted.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        let teams: Vec<TeamId> = counted.iter().map(|it| it.team).collect();
        let solves = self.withdrawn(&teams, challenge);
        let solved: Vec<TeamId> = solves.iter().map(|it| it.team).collect();
        self.unsolve(&solved, challenge).await?;
        let zone = self.step.contest().event().map(|event| event.timezone.clone());
        let (zone, now_ms) = (zone.unwrap_or_default(), self.step.now_ms());
        for Withdrawn { team, at_ms, after } in counted {
            self.count(team, challenge, at_ms, after)?;
            // They are flags now.
            let texts = digests.get(&team.0).map(Vec::as_slice).unwrap_or_default();
            wrong_flags::erase_texts_of_in(&mut self.step.tx, team.0, challenge, texts).await?;
            let text = tell(at_ms, &zone);
            questions::tell_in(&mut self.step.tx, team.0, Some(challenge), text, now_ms).await?;
        }
        self.details = json!({"teams": teams.len(), "patterns": patterns});
        Ok((objects, Some(Restore::Rejudged { challenge: challenge.clone(), teams, solves })))
    }

    /// The place of a solve at a time within the event so far.
    fn place_at(&self, challenge: &ChallengeId, at_ms: i64) -> Acting<i64> {
        let contest = self.step.contest();
        let event = contest.event().ok_or(ActionError::Time)?;
        let has_started = event.start_ms.is_some_and(|start_ms| start_ms <= at_ms);
        let has_ended = event.end_ms.is_some_and(|end_ms| end_ms <= at_ms);
        if !has_started || has_ended || at_ms > self.step.now_ms() {
            return Err(ActionError::Time.into());
        }
        Ok(contest.place_at(challenge, at_ms))
    }

    /// Counts solves again that were withdrawn, of teams that have no other.
    pub(super) fn count_again(
        &mut self,
        challenge: &ChallengeId,
        solves: Vec<Withdrawn>,
    ) -> Acting<()> {
        let contest = self.step.contest().clone();
        let is_free = |it: &Withdrawn| contest.solve(it.team, challenge).is_none();
        for Withdrawn { team, at_ms, after } in solves.into_iter().filter(is_free) {
            self.count(team, challenge, at_ms, after)?;
        }
        Ok(())
    }

    /// Records that solves do not count any more, of the teams that have one.
    pub(super) async fn unsolve(
        &mut self,
        teams: &[TeamId],
        challenge: &ChallengeId,
    ) -> Acting<()> {
        self.step.delete_solve_rows(teams, challenge).await?;
        for team in teams {
            if self.step.contest().solve(*team, challenge).is_some() {
                let (team, challenge) = (*team, challenge.clone());
                self.try_append(facts::SolveWithdrawn { team, challenge }, ActionError::NotSolved)?;
            }
        }
        Ok(())
    }

    /// Records a solve as if it had come at a time and at a place.
    pub(super) fn count(
        &mut self,
        team: TeamId,
        challenge: &ChallengeId,
        at_ms: i64,
        after: i64,
    ) -> Acting<()> {
        let fact = facts::SolveCounted { team, challenge: challenge.clone(), at_ms, after };
        self.try_append(fact, ActionError::Unchanged)?;
        self.step.queue_solve_row(team, challenge, None);
        Ok(())
    }
}
