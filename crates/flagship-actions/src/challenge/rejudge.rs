//! `challenge.rejudge`

use std::collections::BTreeMap;

use flagship_game::contest::Solve;
use flagship_store::actions::solve_object;
use flagship_store::challenges;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::desk::questions;
use flagship_store::ops::WithdrawnSolve;
use flagship_store::wrong_flags::{self, AcceptedSubmission, RejudgeMatches};
use jiff::Timestamp;

use crate::prelude::*;
use crate::solve::SolvesUndo;
use crate::text::challenge;

/// Credits submissions that were incorrect when sent and match the current flags, at their original
/// time, and notifies their teams.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejudge {
    /// ID of the challenge.
    pub challenge: String,
}

impl Action for Rejudge {
    const RULE: Rule = Rule { name: "challenge.rejudge", roles: RUNNERS, factor: Factor::Once };
    const NEEDS_REASON: bool = true;
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    type Undo = SolvesUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SolvesUndo>> {
        let challenge = challenge(&self.challenge)?;
        let RejudgeMatches { sent, digests, patterns } = found(context, &challenge).await?;
        let object = |sent: &AcceptedSubmission| solve_object(sent.account_id, challenge.as_str());
        context.touch(sent.iter().map(object)).await?;
        let mut counted = Vec::new();
        for AcceptedSubmission { account_id, at_ms } in sent {
            // Submissions before the start or after the end were not judged.
            if let Ok(after) = context.place_at(&challenge, at_ms) {
                counted.push(WithdrawnSolve { team: TeamId(account_id), at_ms, after });
            }
        }
        if counted.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        let teams: Vec<TeamId> = counted.iter().map(|it| it.team).collect();
        let solves = context.solves_of(&teams, &challenge);
        let solved: Vec<TeamId> = solves.iter().map(|it| it.team).collect();
        context.withdraw(&solved, &challenge).await?;
        let now_ms = context.now_ms();
        for WithdrawnSolve { team, at_ms, after } in counted {
            context.count(team, &challenge, at_ms, after)?;
            // These texts are flags now.
            let texts = digests.get(&team.0).map(Vec::as_slice).unwrap_or_default();
            let tx = context.tx();
            wrong_flags::erase_texts_of_in(tx, team.0, &challenge, texts).await?;
            let text = counts_now(at_ms);
            questions::message_team_in(tx, team.0, Some(&challenge), text, now_ms).await?;
        }
        context.add_details(json!({"teams": teams.len(), "patterns": patterns}));
        Ok(Some(SolvesUndo { challenge, teams: Some(teams), solves }))
    }

    fn phrase(arguments: &Value) -> Phrase {
        let number = |name: &str| arguments[name].as_i64().unwrap_or_default();
        let teams = number("teams");
        let key = match (teams == 1, number("patterns") != 0) {
            (false, false) => Self::RULE.name,
            (false, true) => "challenge.rejudge.patterns",
            (true, false) => "challenge.rejudge.one",
            (true, true) => "challenge.rejudge.one.patterns",
        };
        Phrase::new(key, arguments).with("teams", teams)
    }
}

/// Incorrect submissions that match the current flags, by time, of teams that had not solved the
/// challenge before.
async fn found(context: &mut Context<'_>, challenge: &ChallengeId) -> ActionResult<RejudgeMatches> {
    if !context.contest().is_released(challenge) {
        return Err(ActionError::NoChallenge.into());
    }
    let seal = context.seal();
    seal.watch_flags(context.tx()).await?;
    let drafts = challenges::all_in(context.tx()).await?;
    let draft = drafts.into_iter().find(|draft| draft.challenge.id == *challenge);
    let draft = draft.ok_or(ActionError::NoChallenge)?;
    let mut found = match draft.challenge.rules.needed_flags.is_empty() {
        true => {
            let flags = &draft.flags;
            wrong_flags::find_accepted_in(context.tx(), seal.key(), challenge, flags).await?
        }
        false => found_with_all(context, &draft).await?,
    };
    found.sent.sort_by_key(|sent| (sent.at_ms, sent.account_id));
    let contest = context.contest();
    let counts = |sent: &AcceptedSubmission| {
        let team = TeamId(sent.account_id);
        let is_earlier = |solve: Solve| sent.at_ms < solve.at_ms;
        contest.team(team).is_some() && contest.solve(team, challenge).is_none_or(is_earlier)
    };
    found.sent.retain(counts);
    Ok(found)
}

/// Teams whose incorrect submissions match all needed flags that they had not found before. The
/// time is that of the last needed flag.
async fn found_with_all(context: &mut Context<'_>, draft: &Draft) -> ActionResult<RejudgeMatches> {
    let (seal, id) = (context.seal(), &draft.challenge.id);
    let mut all = RejudgeMatches::default();
    // Time at which each team submitted each flag, by team account.
    let mut times: BTreeMap<i64, BTreeMap<String, i64>> = BTreeMap::new();
    for team in context.contest().teams() {
        let progress = context.contest().challenge_progress(team.id, id);
        for found in progress.into_iter().flat_map(|progress| &progress.found) {
            times.entry(team.id.0).or_default().insert(found.flag.clone(), found.at_ms);
        }
    }
    for flag in draft.flags.iter().filter(|flag| flag.counts()) {
        let needed = flag.needed_id(seal.key(), id);
        let flags = std::slice::from_ref::<Flag>(flag);
        let matches = wrong_flags::find_accepted_in(context.tx(), seal.key(), id, flags).await?;
        all.patterns += matches.patterns;
        for AcceptedSubmission { account_id, at_ms } in matches.sent {
            times.entry(account_id).or_default().entry(needed.clone()).or_insert(at_ms);
        }
        for (account_id, texts) in matches.digests {
            all.digests.entry(account_id).or_default().extend(texts);
        }
    }
    for (account_id, times) in times {
        let needed = draft.challenge.rules.needed_flags.iter();
        let last_ms = needed.map(|flag| times.get(flag)).collect::<Option<Vec<_>>>();
        if let Some(at_ms) = last_ms.and_then(|times| times.into_iter().max().copied()) {
            all.sent.push(AcceptedSubmission { account_id, at_ms });
        }
    }
    Ok(all)
}

/// Message to a team whose submission was credited. The time is in epoch milliseconds, and in UTC
/// in the message, like the times of solves on the site.
fn counts_now(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    format!("Your flag submitted at {} was accepted.", at.strftime("%H:%M UTC"))
}
