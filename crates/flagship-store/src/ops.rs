//! What each operation of the lane checks and records. Refused ones write nothing public.

use std::collections::BTreeSet;

use flagship_game::contest::{AWARD_MAX, Attempt, Team};
use flagship_game::entry::{Fact, Phase};
use flagship_game::{ChallengeId, TeamId};

use crate::accounts::{self, NewAccount, Signup};
use crate::challenges::{self, Draft};
use crate::lane::{Draught, Op, Outcome, Plan, TeamChange};
use crate::mail::{Purpose, use_token};
use crate::{Result, sessions};

/// For a person: what was done, or why not.
type Words = std::result::Result<String, String>;

pub(crate) async fn decide(draught: &mut Draught, op: &Op) -> Result<Outcome> {
    Ok(match op {
        Op::Flag { revision, .. } if *revision != draught.revision => Outcome::Stale,
        Op::Flag { team, challenge, .. } | Op::Solve { team, challenge } => {
            return solve(draught, *team, challenge).await;
        }
        Op::Import(teams) => return import(draught, teams).await,
        Op::SignUp { account, network } => return sign_up(draught, account, network).await,
        Op::Confirm { token } => Outcome::Done(confirm(draught, token).await?),
        Op::Join { account } => Outcome::Done(join(draught, *account).await?),
        Op::Team { name, change } => Outcome::Done(change_team(draught, name, change).await?),
        Op::Show { challenge, shown } => Outcome::Done(show(draught, challenge, *shown).await?),
        Op::Withdraw { name, challenge } => {
            Outcome::Done(withdraw(draught, name, challenge).await?)
        }
        Op::Reveal => Outcome::Done(reveal(draught)?),
        Op::Apply(plan) => Outcome::Done(apply(draught, plan).await?),
    })
}

async fn solve(draught: &mut Draught, team: TeamId, id: &ChallengeId) -> Result<Outcome> {
    let now_ms = draught.now_ms();
    let judged = draught.contest.judge(team, id, now_ms);
    if judged == Ok(Attempt::First) {
        draught.claim_solve(team, id);
        draught.append(now_ms, Fact::Solve { team, challenge: id.clone() })?;
    }
    Ok(Outcome::Solve(judged))
}

async fn sign_up(draught: &mut Draught, new: &NewAccount, network: &str) -> Result<Outcome> {
    draught.tx.also_lock_accounts().await?;
    let now_ms = draught.now_ms();
    if accounts::is_address_full(&mut draught.tx, &new.email).await? {
        return Ok(Outcome::SignUp(Signup::AddressFull));
    }
    let signed_up = accounts::sign_up(&mut draught.tx, new, network, now_ms).await?;
    if let Signup::Created(id) = signed_up {
        join(draught, id).await?.expect("the account was made above");
    }
    Ok(Outcome::SignUp(signed_up))
}

async fn confirm(draught: &mut Draught, token: &str) -> Result<Words> {
    draught.tx.also_lock_accounts().await?;
    let now_ms = draught.now_ms();
    let tx = &mut draught.tx;
    let used = || Ok(Err("This link was used before or is too old.".to_owned()));
    let Some(id) = use_token(tx, token, Purpose::Confirm, now_ms).await? else { return used() };
    let Some(account) = accounts::by_id_in(tx, id).await? else { return used() };
    // The first signup that is confirmed keeps the address.
    if accounts::team_of_email(tx, &account.email).await?.is_some() {
        return Ok(Err("This address has a team already.".to_owned()));
    }
    join(draught, id).await
}

async fn join(draught: &mut Draught, id: i64) -> Result<Words> {
    draught.tx.also_lock_accounts().await?;
    let Some(account) = accounts::by_id_in(&mut draught.tx, id).await? else {
        return Ok(Err("This link was used before or is too old.".to_owned()));
    };
    if account.confirmed_at_ms.is_none() {
        let now_ms = draught.now_ms();
        accounts::confirm_in(&mut draught.tx, id, now_ms).await?;
        let (name, country) = (account.name, account.country);
        draught.append(now_ms, Fact::Team { team: TeamId(id), name, country })?;
    }
    Ok(Ok("Your team is confirmed. You can log in now.".to_owned()))
}

async fn import(draught: &mut Draught, teams: &[NewAccount]) -> Result<Outcome> {
    draught.tx.also_lock_accounts().await?;
    let mut seen = BTreeSet::new();
    for (i, team) in teams.iter().enumerate() {
        let keys = team.name.keys();
        let in_file = keys.iter().any(|key| seen.contains(key));
        if in_file || !accounts::taken_keys(&mut draught.tx, &team.name).await?.is_empty() {
            let where_ = if in_file { "in this file" } else { "already there" };
            let words = format!("a team with this or a look-alike name is {where_}");
            return Ok(Outcome::Import(Err((i, words))));
        }
        seen.extend(keys);
    }
    let now_ms = draught.now_ms();
    let mut ids = Vec::with_capacity(teams.len());
    for team in teams {
        let id = accounts::insert(&mut draught.tx, team, now_ms, Some(now_ms)).await?;
        let (name, country) = (team.name.as_str().to_owned(), team.country.clone());
        draught.append(now_ms, Fact::Team { team: TeamId(id), name, country })?;
        ids.push(id);
    }
    Ok(Outcome::Import(Ok(ids)))
}

async fn change_team(draught: &mut Draught, name: &str, change: &TeamChange) -> Result<Words> {
    let Some(team) = draught.contest.team_named(name) else {
        return Ok(Err(format!("no team is called {name:?}")));
    };
    let (id, banned, hidden) = (team.id, team.banned, team.hidden);
    let (banned, hidden, done) = match change {
        TeamChange::Ban => (true, hidden, "is banned"),
        TeamChange::Unban => (false, hidden, "is not banned any more"),
        TeamChange::Hide => (banned, true, "is hidden"),
        TeamChange::Show => (banned, false, "is shown"),
        TeamChange::Award { points, reason } => return award(draught, id, *points, reason),
    };
    if *change == TeamChange::Ban {
        draught.tx.also_lock_accounts().await?;
        sessions::revoke_all_in(&mut draught.tx, id.0).await?;
    }
    let team: &Team = draught.contest.team(id).expect("found above");
    if (team.banned, team.hidden) == (banned, hidden) {
        return Ok(Ok(format!("{name:?} {done} already")));
    }
    let now_ms = draught.now_ms();
    draught.append(now_ms, Fact::TeamState { team: id, banned, hidden })?;
    Ok(Ok(format!("{name:?} {done}")))
}

fn award(draught: &mut Draught, team: TeamId, points: i64, reason: &str) -> Result<Words> {
    let fits = |points: &i64| (-AWARD_MAX..=AWARD_MAX).contains(points);
    if points == 0 || !fits(&points) {
        return Ok(Err(format!("an award is 1 to {AWARD_MAX} points, or as many taken")));
    }
    let now_ms = draught.now_ms();
    let before = draught.contest.team(team).map_or(0, |team| team.award);
    let Some(total) = before.checked_add(points).filter(fits) else {
        return Ok(Err(format!("all awards of a team together are at most {AWARD_MAX} points")));
    };
    draught.append(now_ms, Fact::Award { team, points, reason: reason.to_owned() })?;
    Ok(Ok(format!("{points} points awarded; {total} in all")))
}

async fn show(draught: &mut Draught, id: &ChallengeId, shown: bool) -> Result<Words> {
    let drafts = challenges::all_in(&mut draught.tx).await?;
    let Some(draft) = drafts.into_iter().find(|draft| draft.challenge.id == *id) else {
        return Ok(Err(format!("no challenge has the id {:?}", id.as_str())));
    };
    let word = if shown { "released" } else { "hidden" };
    let revision = challenges::set_state(&mut draught.tx, id, shown).await?;
    draught.revised(revision).await?;
    if draught.contest.is_released(id) == shown {
        return Ok(Ok(format!("{id} is {word} already")));
    }
    let now_ms = draught.now_ms();
    let fact = match shown {
        true => Fact::Challenge { challenge: draft.challenge },
        false => Fact::Withdrawn { challenge: id.clone() },
    };
    draught.append(now_ms, fact)?;
    if shown && !draught.contest.is_shown(id) {
        return Ok(Ok(format!("{id} is released; players see it once its requirements are")));
    }
    Ok(Ok(format!("{id} is {word}")))
}

async fn withdraw(draught: &mut Draught, name: &str, id: &ChallengeId) -> Result<Words> {
    let Some(team) = draught.contest.team_named(name).map(|team| team.id) else {
        return Ok(Err(format!("no team is called {name:?}")));
    };
    let now_ms = draught.now_ms();
    let fact = Fact::SolveWithdrawn { team, challenge: id.clone() };
    let entry = flagship_game::Entry { seq: draught.contest.seq() + 1, at_ms: now_ms, fact };
    if draught.contest.clone().fold(&entry).is_err() {
        return Ok(Err(format!("{name:?} has not solved {id}")));
    }
    draught.release_solve(team, id).await?;
    draught.append(now_ms, entry.fact)?;
    Ok(Ok(format!("the solve of {id} by {name:?} is withdrawn")))
}

fn reveal(draught: &mut Draught) -> Result<Words> {
    if draught.contest.reached(Phase::Reveal) {
        return Ok(Ok("everything is revealed already".to_owned()));
    }
    if !draught.contest.reached(Phase::Freeze) {
        return Ok(Err("the scoreboard is not frozen, so there is nothing to reveal".to_owned()));
    }
    let now_ms = draught.now_ms();
    draught.append(now_ms, Fact::Phase { phase: Phase::Reveal })?;
    Ok(Ok("the final scoreboard is revealed".to_owned()))
}

async fn apply(draught: &mut Draught, plan: &Plan) -> Result<Words> {
    // Read once: what is released between two readings would never be on record.
    let now_ms = draught.now_ms();
    let steps = difference(draught, plan, now_ms).await?;
    let count = steps.len();
    for fact in steps.into_iter().filter_map(|(_, fact)| fact) {
        draught.append(now_ms, fact)?;
    }
    let released: Vec<bool> =
        plan.challenges.iter().map(|draft| is_visible(draft, now_ms)).collect();
    let revision = challenges::replace(&mut draught.tx, &plan.challenges, &released).await?;
    draught.seal.sign_flags(&mut draught.tx).await?;
    draught.revised(revision).await?;
    Ok(Ok(match count {
        0 => "nothing to change".to_owned(),
        1 => "1 change applied".to_owned(),
        count => format!("{count} changes applied"),
    }))
}

fn is_visible(draft: &Draft, now_ms: i64) -> bool {
    !draft.hidden && draft.release_at_ms.is_none_or(|time| time <= now_ms)
}

/// What applying a plan changes: in words, and as the fact to record, where it is a public one.
pub(crate) async fn difference(
    draught: &mut Draught,
    plan: &Plan,
    now_ms: i64,
) -> Result<Vec<(String, Option<Fact>)>> {
    let current = challenges::all_in(&mut draught.tx).await?;
    let contest = &draught.contest;
    let mut steps = Vec::new();
    if contest.event().map(|event| &**event) != Some(&plan.event) {
        let word = if contest.event().is_some() { "change" } else { "create" };
        let fact = Fact::Event { event: plan.event.clone() };
        steps.push((format!("{word} the event {:?}", plan.event.name), Some(fact)));
    }
    for draft in &plan.challenges {
        let (id, new) = (&draft.challenge.id, &draft.challenge);
        let before = current.iter().find(|before| before.challenge.id == *id);
        let published = contest.challenge(id).filter(|_| contest.is_released(id));
        let release = || Some(Fact::Challenge { challenge: new.clone() });
        let step = match (is_visible(draft, now_ms), published) {
            (true, None) => Some((format!("release {id}"), release())),
            (true, Some(old)) if **old != *new => Some((format!("change {id}"), release())),
            (false, Some(_)) => {
                Some((format!("hide {id}"), Some(Fact::Withdrawn { challenge: id.clone() })))
            }
            _ => match before {
                None => Some((format!("add {id}, not shown yet"), None)),
                Some(before) if before.flags != draft.flags => {
                    Some((format!("change the flags of {id}"), None))
                }
                Some(before) if before != draft => Some((format!("change {id}, not shown"), None)),
                Some(_) => None,
            },
        };
        steps.extend(step);
    }
    for before in &current {
        let id = &before.challenge.id;
        if plan.challenges.iter().any(|draft| draft.challenge.id == *id) {
            continue;
        }
        let fact = contest.is_released(id).then(|| Fact::Withdrawn { challenge: id.clone() });
        steps.push((format!("remove {id}"), fact));
    }
    Ok(steps)
}
