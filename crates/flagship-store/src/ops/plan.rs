//! The event's files are applied: what differs from the event, which of it is destructive, and what
//! is recorded.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_game::entry::Phase;
use flagship_game::facts::{self, Fact};
use flagship_game::{Challenge, ChallengeId, Contest, Entry, Event, Reveal};
use serde_json::{Value, json};

use super::commands;
use super::files::Plan;
use super::former::text_object;
use super::live::{ChangedLive, Changes};
use super::step::{SignedDrafts, StepTx};
use crate::actions;
use crate::challenges::{self, Draft, Drafts};
use crate::fold::Fold;
use crate::seal::Seal;
use crate::{Db, Result, Tx, journal, settings};

/// One difference between a plan and the event as it is.
#[derive(Clone, PartialEq, Eq)]
pub enum PlanStep {
    /// The first event of the journal.
    CreateEvent {
        /// Its name.
        name: String,
    },
    /// Another name, time or text of the event.
    ChangeEvent {
        /// The event as it is.
        old: Box<Event>,
        /// The event as planned.
        new: Box<Event>,
    },
    /// All challenges and flags are written anew, because another program changed them.
    Rewrite,
    /// Other settings.
    ChangeSettings {
        /// The settings of the running nodes.
        old: String,
        /// The settings as planned.
        new: String,
    },
    /// A difference in one challenge.
    Challenge {
        /// Which challenge.
        id: ChallengeId,
        /// What becomes of it.
        change: ChallengeChange,
        /// The challenge as it is; `None` for a new one.
        old: Option<Box<Draft>>,
        /// The challenge as planned; `None` for one that is removed.
        new: Option<Box<Draft>>,
    },
}

/// What becomes of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeChange {
    /// Players will see a challenge that they do not see now.
    Release,
    /// What players see of it changes.
    Change,
    /// Players will not see it any more.
    Hide,
    /// It is new and not shown yet.
    AddUnseen,
    /// It is not shown, and changes.
    ChangeUnseen,
    /// Only its flags change.
    ChangeFlags,
    /// It is not in the files any more.
    Remove,
}

/// A change that takes something from players or shows what the freeze hides, which applying needs
/// to have confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destruction {
    /// A released challenge is removed.
    Removed(ChallengeId),
    /// A released challenge loses all its flags.
    Unsolvable(ChallengeId),
    /// The event has started, and is to start later.
    StartMoved,
    /// The event has not ended, and is to have ended.
    Ended,
    /// The scoreboard is frozen, and solves that the freeze hides are to be shown.
    FreezeLifted,
    /// Organizers chose live that the reveal waits for them, and it is to come by itself.
    CeremonySkipped,
}

/// A challenge that stays released or hidden by an organizer's command, though the files say
/// otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Which challenge.
    pub id: ChallengeId,
    /// True if it stays released.
    pub shown: bool,
    /// The time to come at which it is shown, in epoch milliseconds.
    pub at_ms: Option<i64>,
}

/// What applying a plan would do.
pub struct Preview {
    /// The differences.
    pub steps: Vec<PlanStep>,
    /// The destructive ones.
    pub destructions: Vec<Destruction>,
    /// Challenges that stay as they are.
    pub held: Vec<Held>,
    /// Live changes that stand in the way.
    pub changed_live: Vec<ChangedLive>,
    /// Whether files are kept that say the same in other words.
    pub has_other_sources: bool,
    /// The contest now.
    pub before: Contest,
    /// The contest after the differences.
    pub after: Contest,
}

/// What applying a plan did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// How many differences there were.
    pub changes: usize,
}

/// Why nothing was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotApplied {
    /// The destructive changes are not as many as were confirmed.
    #[error("{destructions} destructive changes are not confirmed")]
    Unconfirmed {
        /// How many there are.
        destructions: usize,
    },
    /// Live changes stand in the way, of which the plan does not say what becomes.
    #[error("{changes} live changes are not in the files")]
    ChangedLive {
        /// How many there are.
        changes: usize,
    },
}

/// The differences of a plan.
struct Differences {
    /// Each with the fact to record if it is public.
    steps: Vec<(PlanStep, Option<Fact>)>,
    destructions: Vec<Destruction>,
    held: Vec<Held>,
    /// The planned challenges that are new or changed, as commands hold them.
    written: Vec<Written>,
    /// The challenges that the plan does not have.
    removed: Vec<ChallengeId>,
}

/// A challenge to be written.
struct Written {
    draft: Draft,
    /// Whether flags are judged again, and what is due is read again.
    is_touched: bool,
    /// Whether its flags change.
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
) -> Result<std::result::Result<Apply, NotApplied>> {
    // Read once: a challenge released between two readings would never be on record.
    let now_ms = step.now_ms();
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
        return Ok(Err(NotApplied::ChangedLive { changes: in_the_way.len() }));
    }
    let (plan, sources) = (&merged, changes);
    let settings = settings::get(&mut step.tx).await?;
    let new_settings = plan.settings.as_ref().filter(|text| Some(*text) != settings.as_ref());
    let Differences { steps, mut destructions, written, removed, .. } =
        difference(step.contest(), &drafts, is_altered, settings.clone(), plan, now_ms);
    add_ceremony(&sources, step.contest(), plan, &mut destructions);
    let count = destructions.len();
    if count > 0 && plan.confirmed.is_some_and(|confirmed| confirmed != count) {
        return Ok(Err(NotApplied::Unconfirmed { destructions: count }));
    }
    let (changes, since_seq) = (steps.len(), step.contest().seq());
    let (mut objects, arguments) = recorded(&steps);
    for fact in steps.into_iter().filter_map(|(_, fact)| fact) {
        step.append(now_ms, fact)?;
    }
    if let Some(text) = new_settings {
        settings::set(&mut step.tx, text).await?;
    }
    let sources = sources.write(&mut step.tx, &seal, plan).await?;
    if is_altered {
        // Nothing that another program wrote is signed.
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
    // Also what no player sees: no earlier edit of it is taken back over that.
    if !objects.is_empty() || changes > 0 {
        let by = (actions::COMMAND_LINE, actions::APPLY);
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

/// What differences are about, and what is recorded of them: counts and ids, no texts.
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
            PlanStep::Challenge { id, .. } => {
                challenges.push(id.clone());
                objects.extend([format!("challenge {id}"), text_object(id)]);
            }
        }
    }
    (objects, json!({"changes": steps.len(), "challenges": challenges}))
}

/// Decides what `apply` would do at `now_ms`. No flag waits meanwhile: it reads a snapshot of the
/// database, and the entries after those of `contest`.
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

/// The same, with the drafts that it read, if they are signed.
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
            // The step leaves out what another program wrote and the fold refuses, too.
            let challenge = challenge.at(now_ms);
            append(&mut fold, now_ms, [facts::Challenge { challenge }.into()]).ok();
        }
    }
    let before = fold.contest.clone();
    let changes = Changes::read(tx, seal, &before, &drafts.drafts).await?;
    let (merged, changed_live) = changes.merge(plan, &before, &drafts);
    let has_other_sources = changes.differ(&merged);
    let Differences { steps, mut destructions, held, .. } =
        difference(&before, &drafts, signature.is_none(), settings, &merged, now_ms);
    add_ceremony(&changes, &before, &merged, &mut destructions);
    append(&mut fold, now_ms, steps.iter().filter_map(|(_, fact)| fact.clone()))?;
    let steps = steps.into_iter().map(|(step, _)| step).collect();
    let signed = signature.map(|signature| SignedDrafts { drafts, signature });
    let after = fold.contest;
    let preview =
        Preview { steps, destructions, held, changed_live, has_other_sources, before, after };
    Ok((preview, signed))
}

/// Folds facts that are in no journal.
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

/// True if a draft is to be shown at a time.
pub fn is_visible(draft: &Draft, now_ms: i64) -> bool {
    !draft.hidden && draft.release_at_ms.is_none_or(|time| time <= now_ms)
}

fn difference(
    contest: &Contest,
    current: &Drafts,
    is_altered: bool,
    running: Option<String>,
    plan: &Plan,
    now_ms: i64,
) -> Differences {
    let (drafts, held) = hold(&plan.challenges, &current.by_command, now_ms);
    let current = &current.drafts;
    let mut steps = Vec::new();
    steps.extend(event_step(contest, &plan.event));
    if is_altered {
        steps.push((PlanStep::Rewrite, None));
    }
    if let (Some(old), Some(new)) = (running, &plan.settings)
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
    Differences { steps, destructions, held, written, removed }
}

/// The released challenges whose rows another program removed.
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

/// The drafts with the state that commands gave them, and those whose files say otherwise.
fn hold(
    drafts: &[Draft],
    by_command: &HashMap<ChallengeId, challenges::Held>,
    now_ms: i64,
) -> (Vec<Draft>, Vec<Held>) {
    let mut held = Vec::new();
    let state = |draft: &Draft| {
        let Some(&live) = by_command.get(&draft.challenge.id) else { return draft.clone() };
        let (shown, state) = (live.shown, live.over(draft.clone()));
        let to_come = |draft: &Draft| draft.release_at_ms.filter(|at_ms| *at_ms > now_ms);
        let showing = |draft: &Draft| (!draft.hidden).then(|| to_come(draft));
        if showing(draft) != showing(&state) {
            let at_ms = to_come(&state).filter(|_| shown);
            held.push(Held { id: draft.challenge.id.clone(), shown, at_ms });
        }
        state
    };
    let drafts = drafts.iter().map(state).collect();
    (drafts, held)
}

fn event_step(contest: &Contest, event: &Event) -> Option<(PlanStep, Option<Fact>)> {
    let step = match contest.event() {
        Some(old) if **old == *event => return None,
        Some(old) => {
            PlanStep::ChangeEvent { old: Box::new((**old).clone()), new: Box::new(event.clone()) }
        }
        None => PlanStep::CreateEvent { name: event.name.clone() },
    };
    Some((step, Some(facts::Event { event: event.clone() }.into())))
}

/// The destructive changes of the event's times.
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

/// Adds that a plan takes the ceremony back, unless it reveals at once, which says more.
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

/// True if the freeze hides solves, and the new event shows some of them: its freeze is later or
/// missing, or the reveal, which waited for a command, is due at once.
fn lifts_freeze(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    let hidden_ms = contest.hidden_from_ms().filter(|_| contest.hides_new_solves(now_ms));
    let is_later = |from_ms: i64| new.freeze_ms.is_none_or(|time| time > from_ms);
    let is_over = new.end_ms.is_some_and(|time| time <= now_ms);
    hidden_ms.is_some_and(is_later) || is_over && ends_wait(contest, new, now_ms)
}

/// True if the freeze hides solves until a command shows them, and the new event shows them by
/// itself once it has ended.
pub fn ends_wait(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    let waits = contest.event().is_some_and(|old| old.reveal == Reveal::Manual);
    waits && new.reveal == Reveal::Auto && contest.hides_new_solves(now_ms)
}

/// True if a challenge that is released and stays so would have no flag any more.
fn loses_flags(contest: &Contest, before: &Draft, draft: &Draft, now_ms: i64) -> bool {
    let stays = contest.is_released(&draft.challenge.id) && is_visible(draft, now_ms);
    stays && !before.flags.is_empty() && draft.flags.is_empty()
}

/// The step that writes a draft in place of `before`, with the fact by which players see the
/// difference; `None` if there is none.
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
