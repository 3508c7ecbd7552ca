//! Acts about solves.

use flagship_game::contest::Solve;
use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Entry, TeamId};
use serde_json::json;

use super::restore::{Restore, Withdrawn};
use super::{ActError, Acting, Acts};
use crate::desk::questions;
use crate::{challenges, journal, wrong_flags};

impl Acts<'_> {
    /// Withdraws the solve of a team, or all of a challenge.
    pub(super) async fn withdraw(
        &mut self,
        team: Option<&str>,
        challenge: &ChallengeId,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let contest = self.step.contest();
        let teams: Vec<TeamId> = match team {
            Some(team) => vec![contest.team_named(team).ok_or(ActError::NoTeam)?.id],
            None => contest.teams().map(|team| team.id).collect(),
        };
        let solve = |team: TeamId| {
            let solve = contest.solve(team, challenge)?;
            Some(Withdrawn { team, at_ms: solve.at_ms, after: solve.after })
        };
        let solves: Vec<Withdrawn> = teams.into_iter().filter_map(solve).collect();
        if solves.is_empty() {
            return Err(ActError::NotSolved.into());
        }
        let objects: Vec<String> = solves.iter().map(|it| object(it.team, challenge)).collect();
        self.check_head(&objects).await?;
        for solve in &solves {
            self.unsolve(solve.team, challenge).await?;
        }
        Ok((objects, Some(Restore::Solves { challenge: challenge.clone(), solves })))
    }

    /// Counts a solve as if it had come at a time, after all that had come by then.
    pub(super) async fn count_solve(
        &mut self,
        team: &str,
        challenge: &ChallengeId,
        at_ms: i64,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let contest = self.step.contest();
        let team = contest.team_named(team).ok_or(ActError::NoTeam)?.id;
        if !contest.is_released(challenge) {
            return Err(ActError::NoChallenge.into());
        }
        let objects = vec![object(team, challenge)];
        self.check_head(&objects).await?;
        let after = self.place_at(at_ms).await?;
        self.count(team, challenge, at_ms, after)?;
        let (challenge, teams, solves) = (challenge.clone(), vec![team], Vec::new());
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
            return Err(ActError::NoChallenge.into());
        }
        let tx = &mut self.step.tx;
        self.step.seal.watch_flags(tx).await?;
        let drafts = challenges::all_in(tx).await?;
        let draft = drafts.into_iter().find(|draft| draft.challenge.id == *challenge);
        let flags = draft.ok_or(ActError::NoChallenge)?.flags;
        let wrong_flags::Found { mut sent, patterns } =
            wrong_flags::sent_in(tx, challenge, &flags).await?;
        sent.sort_by_key(|sent| (sent.at_ms, sent.account_id));
        let contest = self.step.contest();
        let counts = |sent: &wrong_flags::Sent| {
            let team = TeamId(sent.account_id);
            let is_earlier = |solve: Solve| sent.at_ms < solve.at_ms;
            contest.team(team).is_some() && contest.solve(team, challenge).is_none_or(is_earlier)
        };
        sent.retain(counts);
        let of_solve = |sent: &wrong_flags::Sent| object(TeamId(sent.account_id), challenge);
        let objects: Vec<String> = sent.iter().map(of_solve).collect();
        self.check_head(&objects).await?;
        let zone = self.step.contest().event().map(|event| event.timezone.clone());
        let (zone, mut teams, mut solves) = (zone.unwrap_or_default(), Vec::new(), Vec::new());
        for sent in sent {
            let team = TeamId(sent.account_id);
            // A flag of before the start or after the end was not judged.
            let Ok(after) = self.place_at(sent.at_ms).await else { continue };
            if let Some(Solve { at_ms, after, .. }) = self.step.contest().solve(team, challenge) {
                solves.push(Withdrawn { team, at_ms, after });
                self.unsolve(team, challenge).await?;
            }
            self.count(team, challenge, sent.at_ms, after)?;
            let (now_ms, tx) = (self.step.now_ms(), &mut self.step.tx);
            let text = tell(sent.at_ms, &zone);
            questions::tell_in(tx, sent.account_id, challenge, text, now_ms).await?;
            teams.push(team);
        }
        if teams.is_empty() {
            return Err(ActError::Unchanged.into());
        }
        self.details = json!({"teams": teams.len(), "patterns": patterns});
        Ok((objects, Some(Restore::Rejudged { challenge: challenge.clone(), teams, solves })))
    }

    /// The last entry of a time within the event so far, or of an earlier one.
    async fn place_at(&mut self, at_ms: i64) -> Acting<i64> {
        let event = self.step.contest().event().cloned().ok_or(ActError::Time)?;
        let has_started = event.start_ms.is_some_and(|start_ms| start_ms <= at_ms);
        let has_ended = event.end_ms.is_some_and(|end_ms| end_ms <= at_ms);
        if !has_started || has_ended || at_ms > self.step.now_ms() {
            return Err(ActError::Time.into());
        }
        let last = self.step.contest().seq();
        Ok(journal::last_before_in(&mut self.step.tx, last, at_ms).await?)
    }

    /// Records that a solve does not count any more.
    pub(super) async fn unsolve(&mut self, team: TeamId, challenge: &ChallengeId) -> Acting<()> {
        let challenge = challenge.clone();
        self.step.delete_solve_row(team, &challenge).await?;
        self.try_append(Fact::SolveWithdrawn { team, challenge }, ActError::NotSolved)
    }

    /// Records a solve as if it had come at a time and at a place.
    pub(super) fn count(
        &mut self,
        team: TeamId,
        challenge: &ChallengeId,
        at_ms: i64,
        after: i64,
    ) -> Acting<()> {
        let fact = Fact::SolveCounted { team, challenge: challenge.clone(), at_ms, after };
        self.try_append(fact, ActError::Unchanged)?;
        self.step.queue_solve_row(team, challenge, None);
        Ok(())
    }

    /// Appends a fact, or refuses the act if the fold does not take it.
    pub(super) fn try_append(&mut self, fact: Fact, refused: ActError) -> Acting<()> {
        self.check_fact(&fact, refused)?;
        Ok(self.step.append(self.step.now_ms(), fact)?)
    }

    /// Refuses the act if the fold does not take a fact.
    pub(super) fn check_fact(&self, fact: &Fact, refused: ActError) -> Acting<()> {
        let (contest, at_ms) = (self.step.contest(), self.step.now_ms());
        let entry = Entry { seq: contest.seq() + 1, at_ms, fact: fact.clone() };
        match contest.clone().fold(&entry) {
            Ok(_) => Ok(()),
            Err(_) => Err(refused.into()),
        }
    }
}

/// The solve of a challenge by a team, as acts name it.
fn object(team: TeamId, challenge: &ChallengeId) -> String {
    format!("solve {} {challenge}", team.0)
}
