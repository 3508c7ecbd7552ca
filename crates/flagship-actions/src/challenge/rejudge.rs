//! `challenge.rejudge`

use flagship_game::contest::Solve;
use flagship_store::actions::solve_object;
use flagship_store::challenges;
use flagship_store::desk::questions;
use flagship_store::ops::Withdrawn;
use flagship_store::wrong_flags::{self, Found, Sent};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::prelude::*;
use crate::solve::SolvesUndo;
use crate::text::challenge;

/// Counts the flags that were wrong when they were sent and are right now, at the time at which
/// they were sent, and writes to their teams.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejudge {
    /// Id of the challenge.
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
        let Found { sent, digests, patterns } = found(context, &challenge).await?;
        let object = |sent: &Sent| solve_object(sent.account_id, challenge.as_str());
        context.touch(sent.iter().map(object)).await?;
        let mut counted = Vec::new();
        for Sent { account_id, at_ms } in sent {
            // A flag of before the start or after the end was not judged.
            if let Ok(after) = context.place_at(&challenge, at_ms) {
                counted.push(Withdrawn { team: TeamId(account_id), at_ms, after });
            }
        }
        if counted.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        let teams: Vec<TeamId> = counted.iter().map(|it| it.team).collect();
        let solves = context.solves_of(&teams, &challenge);
        let solved: Vec<TeamId> = solves.iter().map(|it| it.team).collect();
        context.withdraw(&solved, &challenge).await?;
        let zone = context.contest().event().map(|event| event.timezone.clone());
        let (zone, now_ms) = (zone.unwrap_or_default(), context.now_ms());
        for Withdrawn { team, at_ms, after } in counted {
            context.count(team, &challenge, at_ms, after)?;
            // They are flags now.
            let texts = digests.get(&team.0).map(Vec::as_slice).unwrap_or_default();
            let tx = context.tx();
            wrong_flags::erase_texts_of_in(tx, team.0, &challenge, texts).await?;
            let text = counts_now(at_ms, &zone);
            questions::tell_in(tx, team.0, Some(&challenge), text, now_ms).await?;
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

/// The wrong flags that are right now, by time, of teams that have not solved the challenge before.
async fn found(context: &mut Context<'_>, challenge: &ChallengeId) -> ActionResult<Found> {
    if !context.contest().is_released(challenge) {
        return Err(ActionError::NoChallenge.into());
    }
    let seal = context.seal();
    seal.watch_flags(context.tx()).await?;
    let drafts = challenges::all_in(context.tx()).await?;
    let draft = drafts.into_iter().find(|draft| draft.challenge.id == *challenge);
    let flags = draft.ok_or(ActionError::NoChallenge)?.flags;
    let mut found = wrong_flags::sent_in(context.tx(), seal.key(), challenge, &flags).await?;
    found.sent.sort_by_key(|sent| (sent.at_ms, sent.account_id));
    let contest = context.contest();
    let counts = |sent: &Sent| {
        let team = TeamId(sent.account_id);
        let is_earlier = |solve: Solve| sent.at_ms < solve.at_ms;
        contest.team(team).is_some() && contest.solve(team, challenge).is_none_or(is_earlier)
    };
    found.sent.retain(counts);
    Ok(found)
}

/// The message to a team whose flag counts now, sent at a time in epoch milliseconds.
fn counts_now(at_ms: i64, timezone: &str) -> String {
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(zone);
    format!("Your flag of {} counts.", at.strftime("%H:%M"))
}
