//! Applying the event files: the differences, the destructive ones among them, and the records.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::entry::Phase;
use flagship_game::facts::{self, Fact};
use flagship_game::{Challenge, ChallengeId, Contest, DivisionId, Entry, Event, Reveal};
use serde_json::{Value, json};

use super::actions::Caller;
use super::commands;
use super::divisions::{CurrentDivisions, DivisionChange, apply as apply_divisions};
use super::files::Plan;
use super::former::text_object;
use super::live::{Changes, LiveConflict};
use super::step::{SignedDrafts, StepTx};
use crate::actions;
use crate::challenges::{self, Draft, Drafts};
use crate::fold::Fold;
use crate::seal::Seal;
use crate::{Db, Result, Tx, journal, settings};

/// A difference between a plan and the current event.
#[derive(Clone, PartialEq, Eq)]
pub enum PlanStep {
    /// Creates the event.
    CreateEvent {
        /// Name of the event.
        name: String,
    },
    /// Changes the event's name, times or texts.
    ChangeEvent {
        /// The current event.
        old: Box<Event>,
        /// The planned event.
        new: Box<Event>,
    },
    /// Rewrites all challenges and flags, because another program changed them.
    Rewrite,
    /// Changes the settings.
    ChangeSettings {
        /// Settings of the running nodes.
        old: String,
        /// The planned settings.
        new: String,
    },
    /// Changes the divisions.
    Divisions {
        /// The added, changed and removed divisions.
        changes: Vec<DivisionChange>,
    },
    /// Changes one challenge.
    Challenge {
        /// The challenge.
        id: ChallengeId,
        /// Kind of change.
        change: ChallengeChange,
        /// The current challenge; `None` for a new one.
        old: Option<Box<Draft>>,
        /// The planned challenge; `None` for a removed one.
        new: Option<Box<Draft>>,
    },
}

/// Kind of change of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeChange {
    /// Players start to see the challenge.
    Release,
    /// The visible challenge changes.
    Change,
    /// Players no longer see the challenge.
    Hide,
    /// The challenge is new and not visible yet.
    AddUnseen,
    /// The challenge changes, but is not visible.
    ChangeUnseen,
    /// Only the flags change.
    ChangeFlags,
    /// The challenge is no longer in the files.
    Remove,
}

/// A change that takes something from players or reveals frozen results. Applying requires its
/// confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destruction {
    /// A released challenge is removed.
    Removed(ChallengeId),
    /// A released challenge loses all its flags.
    Unsolvable(ChallengeId),
    /// A division with teams is removed.
    DivisionRemoved {
        /// The division.
        id: DivisionId,
        /// Number of its teams.
        teams: i64,
    },
    /// A private division with teams becomes public.
    DivisionPublished {
        /// The division.
        id: DivisionId,
        /// Number of its teams.
        teams: i64,
    },
    /// The start of an event that has started moves to the future.
    StartMoved,
    /// The end of a running event moves to the past.
    Ended,
    /// Hidden solves of a frozen scoreboard would be revealed.
    FreezeLifted,
    /// Organizers chose a manual reveal live, and the files would make it automatic.
    CeremonySkipped,
}

/// A challenge whose live override of its visibility differs from the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverriddenChallenge {
    /// The challenge.
    pub id: ChallengeId,
    /// True if the challenge stays released.
    pub shown: bool,
    /// Future release time, in epoch milliseconds.
    pub at_ms: Option<i64>,
}

/// Preview of applying a plan.
pub struct Preview {
    /// The differences.
    pub steps: Vec<PlanStep>,
    /// The destructive differences.
    pub destructions: Vec<Destruction>,
    /// Challenges that keep a live override.
    pub overridden: Vec<OverriddenChallenge>,
    /// Live edits that conflict with the files.
    pub changed_live: Vec<LiveConflict>,
    /// True if sources change without any effect on the event.
    pub has_other_sources: bool,
    /// True if the plan changes the event in a way that needs two-factor authentication.
    pub needs_factor: bool,
    /// The contest now.
    pub before: Contest,
    /// The contest after the differences.
    pub after: Contest,
}

/// Result of applying a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// Number of differences.
    pub changes: usize,
}

/// Reason for rejecting a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The number of destructive changes differs from the confirmed number.
    #[error("{destructions} destructive changes are not confirmed")]
    Unconfirmed {
        /// Number of destructive changes.
        destructions: usize,
    },
    /// The plan has no choice for some conflicting live edits.
    #[error("{changes} live changes are not in the files")]
    LiveConflict {
        /// Number of conflicting live edits.
        changes: usize,
    },
    /// The organizer's session or token has ended, or the role was removed.
    #[error("the session has ended")]
    Ended,
    /// A change of the event needs recent two-factor authentication.
    #[error("two-factor authentication is needed")]
    Factor,
}

/// The differences of a plan.
struct Differences {
    /// The steps, each with the fact to record if the change is public.
    steps: Vec<(PlanStep, Option<Fact>)>,
    destructions: Vec<Destruction>,
    overridden: Vec<OverriddenChallenge>,
    /// New or changed challenges, with live overrides.
    written: Vec<Written>,
    /// Challenges that are not in the plan.
    removed: Vec<ChallengeId>,
}

/// A challenge to be written.
struct Written {
    draft: Draft,
    /// True if nodes must reload the flags and the next release time.
    is_touched: bool,
    /// True if the flags change.
    has_new_flags: bool,
}

impl Written {
    fn new(before: Option<&Draft>, draft: &Draft) -> Self {
        let draft = draft.clone();
        let has_new_flags = before.is_none_or(|before| before.flags != draft.flags);
        let is_touched = challenges::is_touched(before, &draft);
        Self { draft, is_touched, has_new_flags }
    }
}

pub(super) async fn apply(
    step: &mut StepTx,
    plan: &Plan,
) -> Result<std::result::Result<Apply, ApplyError>> {
    // Read the time once: a challenge released between two reads would never be recorded.
    let now_ms = step.now_ms();
    if matches!(plan.by, Caller::Organizer { .. }) {
        step.tx.also_lock_accounts().await?;
    }
    let Some(actor) = plan.by.name(&mut step.tx, now_ms).await? else {
        return Ok(Err(ApplyError::Ended));
    };
    let known = step.drafts.take().filter(|known| known.drafts.revision == step.revision);
    let signature = step.seal.watch_flags(&mut step.tx).await?;
    let drafts = match known {
        Some(known) if signature.as_ref() == Some(&known.signature) => known.drafts,
        _ => Drafts::read(&mut step.tx).await?,
    };
    let is_altered = signature.is_none();
    let seal = step.seal.clone();
    let contest = step.contest().clone();
    let changes = Changes::read(&mut step.tx, &seal, &contest, &drafts.drafts).await?;
    let (merged, in_the_way) = changes.merge(plan, &contest, &drafts);
    if !in_the_way.is_empty() {
        return Ok(Err(ApplyError::LiveConflict { changes: in_the_way.len() }));
    }
    let practice = plan.event.practice;
    let (plan, sources) = (&merged, changes);
    let settings = settings::get(&mut step.tx).await?;
    let new_settings = plan.settings.as_ref().filter(|text| Some(*text) != settings.as_ref());
    let divisions = CurrentDivisions::read(&mut step.tx, &seal).await?;
    let is_regrouped = divisions.rules != plan.divisions;
    let running = Running { settings: settings.clone(), divisions };
    let Differences { steps, mut destructions, written, removed, .. } =
        difference(step.contest(), &drafts, is_altered, running, plan, now_ms);
    add_ceremony(&sources, step.contest(), plan, &mut destructions);
    let count = destructions.len();
    if count > 0 && plan.confirmed.is_some_and(|confirmed| confirmed != count) {
        return Ok(Err(ApplyError::Unconfirmed { destructions: count }));
    }
    if needs_factor(step.contest(), plan, now_ms) {
        return Ok(Err(ApplyError::Factor));
    }
    let (changes, since_seq) = (steps.len(), step.contest().seq());
    let (mut objects, arguments) = recorded(&steps);
    for fact in steps.into_iter().filter_map(|(_, fact)| fact) {
        step.append(now_ms, fact)?;
    }
    if let Some(text) = new_settings {
        settings::set(&mut step.tx, text).await?;
    }
    if is_regrouped {
        apply_divisions(step, &plan.divisions).await?;
    }
    let sources = sources.write(&mut step.tx, &seal, plan, practice).await?;
    if is_altered {
        // Deletes rows written by another program, which must never be signed.
        challenges::clear(&mut step.tx).await?;
    }
    if is_altered || !written.is_empty() || !removed.is_empty() {
        write(step, &written, &removed, now_ms).await?;
        if is_altered || !removed.is_empty() || written.iter().any(|it| it.is_touched) {
            let revision = challenges::touch(&mut step.tx).await?;
            step.set_revision(revision).await?;
        }
    }
    objects.extend(sources.iter().map(text_object));
    objects.sort();
    objects.dedup();
    // Recorded even if no player sees the change, so that an undo of an earlier edit cannot
    // overwrite it.
    if !objects.is_empty() || changes > 0 {
        let by = (actor.as_str(), actions::APPLY);
        commands::record(step, by, &objects, &arguments, since_seq, None).await?;
    }
    Ok(Ok(Apply { changes }))
}

/// Removes and writes challenges, and signs all flags.
async fn write(
    step: &mut StepTx,
    written: &[Written],
    removed: &[ChallengeId],
    now_ms: i64,
) -> Result<()> {
    challenges::remove(&mut step.tx, removed).await?;
    for Written { draft, has_new_flags, .. } in written {
        challenges::write(&mut step.tx, draft, is_visible(draft, now_ms), now_ms).await?;
        if *has_new_flags {
            challenges::write_flags(&mut step.tx, draft).await?;
        }
    }
    step.seal.sign_flags(&mut step.tx).await?;
    Ok(())
}

/// Returns the objects of differences and the arguments for the audit log: counts and ids, no
/// texts.
fn recorded(steps: &[(PlanStep, Option<Fact>)]) -> (Vec<String>, Value) {
    let mut objects = Vec::new();
    let mut challenges = Vec::new();
    for (step, _) in steps {
        match step {
            PlanStep::CreateEvent { .. } | PlanStep::ChangeEvent { .. } => {
                objects.push("event".to_owned());
            }
            PlanStep::Rewrite => objects.push("challenges".to_owned()),
            PlanStep::ChangeSettings { .. } => objects.push("settings".to_owned()),
            PlanStep::Divisions { .. } => objects.push("divisions".to_owned()),
            PlanStep::Challenge { id, .. } => {
                challenges.push(id.clone());
                objects.extend([format!("challenge {id}"), text_object(id)]);
            }
        }
    }
    (objects, json!({"changes": steps.len(), "challenges": challenges}))
}

/// Returns the changes that `apply` would make at `now_ms`. Reads a snapshot of the database and
/// the entries that `contest` lacks, so that submissions do not wait.
pub async fn preview(
    db: &Db,
    seal: &Seal,
    now_ms: i64,
    contest: &Contest,
    plan: &Plan,
) -> Result<Preview> {
    let mut tx = db.snapshot().await?;
    let head = journal::hash_at_in(&mut tx, contest.seq()).await?.unwrap_or_default();
    let fold = Fold { contest: contest.clone(), head };
    preview_in(&mut tx, seal, now_ms, fold, plan).await.map(|(preview, _)| preview)
}

/// Like [`preview`]. Also returns the drafts that it read, if they are signed.
pub(crate) async fn preview_in(
    tx: &mut Tx,
    seal: &Seal,
    now_ms: i64,
    mut fold: Fold,
    plan: &Plan,
) -> Result<(Preview, Option<SignedDrafts>)> {
    // The drafts may be newer than the fold.
    fold.follow_all(tx).await?;
    let now_ms = now_ms.max(fold.contest.at_ms());
    let drafts = Drafts::read(tx).await?;
    let settings = settings::get(tx).await?;
    let signature = seal.signed_flags(tx).await?;
    let phases = fold.contest.due(now_ms).into_iter().map(|phase| facts::Phase { phase }.into());
    append(&mut fold, now_ms, phases)?;
    if fold.contest.event().is_some() {
        let due = challenges::due_in(tx, now_ms).await?;
        for challenge in due {
            // The step also skips challenges that another program wrote and the fold rejects.
            let challenge = challenge.at(now_ms);
            append(&mut fold, now_ms, [facts::Challenge { challenge }.into()]).ok();
        }
    }
    let before = fold.contest.clone();
    let divisions = CurrentDivisions::read(tx, seal).await?;
    let changes = Changes::read(tx, seal, &before, &drafts.drafts).await?;
    let (merged, changed_live) = changes.merge(plan, &before, &drafts);
    let has_other_sources = changes.differ(&merged, plan.event.practice);
    let running = Running { settings, divisions };
    let Differences { steps, mut destructions, overridden, .. } =
        difference(&before, &drafts, signature.is_none(), running, &merged, now_ms);
    add_ceremony(&changes, &before, &merged, &mut destructions);
    let needs_factor = needs_factor(&before, &merged, now_ms);
    append(&mut fold, now_ms, steps.iter().filter_map(|(_, fact)| fact.clone()))?;
    let steps = steps.into_iter().map(|(step, _)| step).collect();
    let signed = signature.map(|signature| SignedDrafts { drafts, signature });
    let after = fold.contest;
    let preview = Preview {
        steps,
        destructions,
        overridden,
        changed_live,
        has_other_sources,
        needs_factor,
        before,
        after,
    };
    Ok((preview, signed))
}

/// True if the caller may not change the event as planned without two-factor authentication.
fn needs_factor(contest: &Contest, plan: &Plan, now_ms: i64) -> bool {
    let is_changed = contest.event().is_some_and(|event| **event != plan.event);
    is_changed && plan.needs_factor.is_some_and(|needs| needs(contest, &plan.event, now_ms))
}

/// Folds facts that are not in the journal.
fn append(fold: &mut Fold, at_ms: i64, facts: impl IntoIterator<Item = Fact>) -> Result<()> {
    for fact in facts {
        let format =
            fold.contest.format_before(&fact).map(|version| facts::Format { version }.into());
        for fact in format.into_iter().chain([fact]) {
            let entry = Entry { seq: fold.seq() + 1, at_ms, fact };
            fold.fold(&entry, "")?;
        }
    }
    Ok(())
}

/// True if a draft is visible at a time.
pub fn is_visible(draft: &Draft, now_ms: i64) -> bool {
    !draft.hidden && draft.release_at_ms.is_none_or(|time| time <= now_ms)
}

fn difference(
    contest: &Contest,
    current: &Drafts,
    is_altered: bool,
    running: Running,
    plan: &Plan,
    now_ms: i64,
) -> Differences {
    let (drafts, overridden) = apply_overrides(&plan.challenges, &current.overrides, now_ms);
    let current = &current.drafts;
    let mut steps = Vec::new();
    let Running { settings, divisions } = running;
    let division_changes = divisions.changes(&plan.divisions);
    steps.extend(event_steps(contest, plan, division_changes.clone()));
    if is_altered {
        steps.push((PlanStep::Rewrite, None));
    }
    if let (Some(old), Some(new)) = (settings, &plan.settings)
        && old != *new
    {
        steps.push((PlanStep::ChangeSettings { old, new: new.clone() }, None));
    }
    let by_id = |drafts: &[Draft]| -> HashMap<ChallengeId, usize> {
        drafts.iter().map(|it| it.challenge.id.clone()).zip(0..).collect()
    };
    let (old, new) = (by_id(current), by_id(&drafts));
    let mut unsolvable = Vec::new();
    let mut written = Vec::new();
    let mut removed = Vec::new();
    for draft in &drafts {
        let before = old.get(&draft.challenge.id).map(|at| &current[*at]);
        if before.is_some_and(|before| loses_flags(contest, before, draft, now_ms)) {
            unsolvable.push(Destruction::Unsolvable(draft.challenge.id.clone()));
        }
        let step = challenge_step(contest, before, draft, now_ms);
        if is_altered || step.is_some() {
            written.push(Written::new(before.filter(|_| !is_altered), draft));
        }
        steps.extend(step);
    }
    let mut destructions = destructions(contest, &plan.event, now_ms);
    destructions.extend(division_changes.iter().flatten().filter_map(division_destruction));
    let lost = lost(contest, &old);
    for before in current.iter().chain(&lost) {
        let id = &before.challenge.id;
        if new.contains_key(id) {
            continue;
        }
        removed.push(id.clone());
        let fact =
            contest.is_released(id).then(|| facts::Withdrawn { challenge: id.clone() }.into());
        if fact.is_some() {
            destructions.push(Destruction::Removed(id.clone()));
        }
        steps.push((changed(ChallengeChange::Remove, Some(before), None), fact));
    }
    destructions.append(&mut unsolvable);
    Differences { steps, destructions, overridden, written, removed }
}

/// The destructive part of a changed division: teams lose it, or everyone sees who is in it.
fn division_destruction(change: &DivisionChange) -> Option<Destruction> {
    let id = change.id().clone();
    let teams = change.teams;
    let was_private = change.old.as_ref().is_some_and(|it| it.private);
    match &change.new {
        _ if teams == 0 => None,
        None => Some(Destruction::DivisionRemoved { id, teams }),
        Some(new) if was_private && !new.private => {
            Some(Destruction::DivisionPublished { id, teams })
        }
        Some(_) => None,
    }
}

/// Returns the released challenges whose rows were removed by another program.
fn lost(contest: &Contest, rows: &HashMap<ChallengeId, usize>) -> Vec<Draft> {
    let lost = contest.released().filter(|challenge| !rows.contains_key(&challenge.id));
    let draft = |challenge: &Arc<Challenge>| Draft {
        challenge: (**challenge).clone(),
        flags: Vec::new(),
        hidden: false,
        release_at_ms: None,
    };
    lost.map(draft).collect()
}

/// Returns the drafts with live overrides applied, and the challenges whose files differ from the
/// override.
fn apply_overrides(
    drafts: &[Draft],
    overrides: &HashMap<ChallengeId, challenges::LiveOverride>,
    now_ms: i64,
) -> (Vec<Draft>, Vec<OverriddenChallenge>) {
    let mut overridden = Vec::new();
    let state = |draft: &Draft| {
        let Some(&live) = overrides.get(&draft.challenge.id) else { return draft.clone() };
        let (shown, state) = (live.shown, live.over(draft.clone()));
        let to_come = |draft: &Draft| draft.release_at_ms.filter(|at_ms| *at_ms > now_ms);
        let showing = |draft: &Draft| (!draft.hidden).then(|| to_come(draft));
        if showing(draft) != showing(&state) {
            let at_ms = to_come(&state).filter(|_| shown);
            overridden.push(OverriddenChallenge { id: draft.challenge.id.clone(), shown, at_ms });
        }
        state
    };
    let drafts = drafts.iter().map(state).collect();
    (drafts, overridden)
}

/// The steps that change the event and its divisions. The last one has the fact.
fn event_steps(
    contest: &Contest,
    plan: &Plan,
    divisions: Option<Vec<DivisionChange>>,
) -> Vec<(PlanStep, Option<Fact>)> {
    let event = &plan.event;
    let fact = || Some(facts::Event { event: event.clone() }.into());
    let mut steps = Vec::new();
    match contest.event() {
        None => steps.push((PlanStep::CreateEvent { name: event.name.clone() }, None)),
        Some(old)
            if (Event { divisions: event.divisions.clone(), ..(**old).clone() }) != *event =>
        {
            let old = Box::new((**old).clone());
            steps.push((PlanStep::ChangeEvent { old, new: Box::new(event.clone()) }, None));
        }
        Some(_) => {}
    }
    let is_changed = contest.event().is_none_or(|old| **old != *event);
    let has_public_change = contest.divisions() != event.divisions;
    if divisions.is_some() || has_public_change {
        let changes = divisions.unwrap_or_default();
        steps.push((PlanStep::Divisions { changes }, None));
    }
    if let Some((_, last)) = steps.last_mut().filter(|_| is_changed) {
        *last = fact();
    }
    steps
}

/// Settings and divisions of the running event.
struct Running {
    settings: Option<String>,
    divisions: CurrentDivisions,
}

/// Returns the destructive changes of the event's times.
pub fn destructions(contest: &Contest, new: &Event, now_ms: i64) -> Vec<Destruction> {
    let Some(old) = contest.event() else { return Vec::new() };
    let is_past = |time: Option<i64>| time.is_some_and(|time| time <= now_ms);
    let has_started = contest.reached(Phase::Start) || is_past(old.start_ms);
    let has_ended = contest.reached(Phase::End) || is_past(old.end_ms);
    let mut destructions = Vec::new();
    if has_started && new.start_ms.is_some_and(|time| time > now_ms) {
        destructions.push(Destruction::StartMoved);
    }
    if !has_ended && is_past(new.end_ms) {
        destructions.push(Destruction::Ended);
    }
    if lifts_freeze(contest, new, now_ms) {
        destructions.push(Destruction::FreezeLifted);
    }
    destructions
}

/// Adds `CeremonySkipped` if applicable, unless `FreezeLifted` already reports that the plan
/// reveals hidden solves.
fn add_ceremony(
    changes: &Changes,
    contest: &Contest,
    plan: &Plan,
    destructions: &mut Vec<Destruction>,
) {
    let reveals = destructions.contains(&Destruction::FreezeLifted);
    if !reveals && changes.skip_ceremony(contest, plan) {
        destructions.push(Destruction::CeremonySkipped);
    }
}

/// True if the freeze hides solves and the new event would reveal some of them: its freeze is later
/// or missing, or it has ended and replaces a manual reveal with an automatic one.
fn lifts_freeze(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    let hidden_ms = contest.hidden_from_ms().filter(|_| contest.hides_new_solves(now_ms));
    let is_later = |from_ms: i64| new.freeze_ms.is_none_or(|time| time > from_ms);
    let is_over = new.end_ms.is_some_and(|time| time <= now_ms);
    hidden_ms.is_some_and(is_later) || is_over && ends_wait(contest, new, now_ms)
}

/// True if the freeze hides solves until a manual reveal, and the new event would reveal them
/// automatically after its end.
pub fn ends_wait(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    let waits = contest.event().is_some_and(|old| old.reveal == Reveal::Manual);
    waits && new.reveal == Reveal::Auto && contest.hides_new_solves(now_ms)
}

/// True if a challenge that stays released would lose all flags.
fn loses_flags(contest: &Contest, before: &Draft, draft: &Draft, now_ms: i64) -> bool {
    let stays = contest.is_released(&draft.challenge.id) && is_visible(draft, now_ms);
    stays && !before.flags.is_empty() && draft.flags.is_empty()
}

/// Returns the step that replaces `before` with a draft, with the fact that shows the difference to
/// players; `None` if there is no difference.
pub fn challenge_step(
    contest: &Contest,
    before: Option<&Draft>,
    draft: &Draft,
    now_ms: i64,
) -> Option<(PlanStep, Option<Fact>)> {
    let (new, id) = (draft.challenge.at(now_ms), &draft.challenge.id);
    let published = contest.challenge(id).filter(|_| contest.is_released(id));
    let release = || Some(facts::Challenge { challenge: new.clone() }.into());
    let step = |change, fact| Some((changed(change, before, Some(draft)), fact));
    match (is_visible(draft, now_ms), published) {
        (true, None) => step(ChallengeChange::Release, release()),
        (true, Some(old)) if **old != new => step(ChallengeChange::Change, release()),
        (false, Some(_)) => {
            let challenge = id.clone();
            step(ChallengeChange::Hide, Some(facts::Withdrawn { challenge }.into()))
        }
        _ => match before {
            None => step(ChallengeChange::AddUnseen, None),
            Some(before) if before.flags != draft.flags => step(ChallengeChange::ChangeFlags, None),
            Some(before) if before != draft => step(ChallengeChange::ChangeUnseen, None),
            Some(_) => None,
        },
    }
}

fn changed(change: ChallengeChange, old: Option<&Draft>, new: Option<&Draft>) -> PlanStep {
    let boxed = |draft: &Draft| Box::new(draft.clone());
    let draft = new.or(old).expect("a difference has a side");
    let id = draft.challenge.id.clone();
    PlanStep::Challenge { id, change, old: old.map(boxed), new: new.map(boxed) }
}
