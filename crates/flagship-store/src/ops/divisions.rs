//! Changes of the definitions of divisions: the differences of a plan, and their effects on teams.
//! A membership stays stored when its division is removed, so that defining it again restores it.

use std::collections::{HashMap, HashSet};

use flagship_game::division::{self, Division, DivisionId, DivisionRules};
use flagship_game::{TeamId, facts};

use super::step::StepTx;
use crate::desk::divisions;
use crate::engine::run;
use crate::{Result, Seal, Tx};

/// Change of a division.
#[derive(Clone, PartialEq, Eq)]
pub struct DivisionChange {
    /// The current division; `None` for a new one.
    pub old: Option<DivisionRules>,
    /// The planned division; `None` for a removed one.
    pub new: Option<DivisionRules>,
    /// Number of teams in the division. A removed division that is defined again has its teams
    /// again.
    pub teams: i64,
}

/// The divisions of the running event, and the number of their teams.
pub(super) struct CurrentDivisions {
    pub(super) rules: Vec<DivisionRules>,
    counts: HashMap<DivisionId, i64>,
}

impl CurrentDivisions {
    pub(super) async fn read(tx: &mut Tx, seal: &Seal) -> Result<Self> {
        let rules = divisions::rules_in(tx, seal).await?;
        Ok(Self { rules, counts: divisions::counts_in(tx).await? })
    }

    /// The differences to the planned divisions, in the planned order; `None` if there are none. A
    /// new order is a difference without a change.
    pub(super) fn changes(&self, new: &[DivisionRules]) -> Option<Vec<DivisionChange>> {
        let Self { rules: old, counts } = self;
        if old == new {
            return None;
        }
        let find =
            |all: &[DivisionRules], id: &DivisionId| all.iter().find(|it| it.id() == id).cloned();
        let teams = |id: &DivisionId| counts.get(id).copied().unwrap_or_default();
        let gone = old.iter().filter(|it| find(new, it.id()).is_none());
        let gone = gone.map(|it| (it.id(), Some(it.clone()), None));
        let left = new.iter().map(|it| (it.id(), find(old, it.id()), Some(it.clone())));
        let all = left.chain(gone).filter(|(_, old, new)| old != new);
        Some(all.map(|(id, old, new)| DivisionChange { old, new, teams: teams(id) }).collect())
    }
}

impl DivisionChange {
    /// The ID of the division.
    pub fn id(&self) -> &DivisionId {
        let rules = self.new.as_ref().or(self.old.as_ref());
        rules.expect("a change has a side").id()
    }
}

fn defined(rules: &[DivisionRules]) -> impl Iterator<Item = &Division> {
    rules.iter().map(|it| &it.division)
}

/// Replaces the divisions of an account, and records the public ones of its team if they change.
pub(super) async fn change(
    step: &mut StepTx,
    team: TeamId,
    rules: &[DivisionRules],
    ids: &[DivisionId],
) -> Result<()> {
    divisions::set_in(&mut step.tx, team.0, ids).await?;
    record(step, team, rules, ids)
}

/// Records the public divisions of a team if they change.
fn record(
    step: &mut StepTx,
    team: TeamId,
    rules: &[DivisionRules],
    ids: &[DivisionId],
) -> Result<()> {
    let divisions = divisions::public_of(rules, ids);
    let contest = step.contest();
    let recorded = contest.team(team).map(|it| contest.divisions_of(it));
    if recorded.is_some_and(|recorded| recorded != divisions) {
        let now_ms = step.now_ms();
        step.append(now_ms, facts::TeamDivisions { team, divisions })?;
    }
    Ok(())
}

/// Replaces the definitions, adds the students to a division that newly replaces the student flag,
/// and records the public divisions of teams where they change.
pub(super) async fn apply(step: &mut StepTx, rules: &[DivisionRules]) -> Result<()> {
    step.tx.also_lock_accounts().await?;
    let seal = step.seal.clone();
    let before = divisions::rules_in(&mut step.tx, &seal).await?;
    divisions::set_rules_in(&mut step.tx, &seal, rules).await?;
    let student = defined(rules).find(|it| it.student);
    let was_student = defined(&before).find(|it| it.student);
    if let Some(student) = student.filter(|it| was_student.is_none_or(|was| was.id != it.id)) {
        adopt_students(&mut step.tx, &before, rules, student).await?;
    }
    let mut all = divisions::all_in(&mut step.tx).await?;
    // The fold may have the former divisions of a team that left them while they were private. The
    // public divisions of an erased team stay.
    let sql = "select id from accounts where erased_at_ms is not null";
    let erased: Vec<i64> = run!(&mut step.tx => query_scalar(sql).fetch_all);
    let erased: HashSet<i64> = erased.into_iter().collect();
    for team in step.contest().teams().filter(|it| !erased.contains(&it.id.0)) {
        all.entry(team.id.0).or_default();
    }
    for (account_id, joined) in all {
        record(step, TeamId(account_id), rules, &joined)?;
    }
    Ok(())
}

/// Adds the students that are in no division of the group: the members of the former division of
/// students, or without one, the accounts with the student flag. The flag stays, so that it counts
/// again without the division.
async fn adopt_students(
    tx: &mut Tx,
    before: &[DivisionRules],
    rules: &[DivisionRules],
    student: &Division,
) -> Result<()> {
    let joined = divisions::all_in(tx).await?;
    let is_member = |joined: &[DivisionId], former: &Division| {
        division::effective(defined(before), joined).iter().any(|it| it.id == former.id)
    };
    let sql = "select id from accounts where student order by id";
    let students: Vec<i64> = match defined(before).find(|it| it.student) {
        None => run!(tx => query_scalar(sql).fetch_all),
        Some(former) => {
            let members = joined.iter().filter(|(_, joined)| is_member(joined, former));
            members.map(|(id, _)| *id).collect()
        }
    };
    for id in students {
        let joined = joined.get(&id).map_or(&[][..], |it| it);
        let joined = division::effective(defined(rules), joined);
        if joined.iter().all(|it| it.group != student.group) {
            divisions::add_in(tx, id, std::slice::from_ref(&student.id)).await?;
        }
    }
    Ok(())
}
