//! What organizers do: each action is decided, done and recorded in one transaction, which reads
//! again whether its organizer may do it.

mod acting;
mod challenges;
mod edits;
mod event;
mod evidence;
mod notices;
mod own;
mod settings;
mod solves;
mod teams;
mod undo;

use flagship_game::{ChallengeId, Contest, PhaseChange, TeamName};
use serde_json::{Value, json};

use super::commands::COMMANDS;
use super::restore::Restore;
use super::step::{Known, StepTx};
use crate::actions::{self, NewAction, Record};
use crate::fold::Fold;
use crate::{Clock, Db, Lock, Result, Seal, StoreError, addresses, journal};
use acting::{Acting, Actions, Stop};
pub use acting::{ActionError, By};
pub use challenges::ChallengeAction;
pub use edits::{Edit, Naming, OF_POINTS};
pub use event::{EventAction, Labels, Rules, Times};
pub use evidence::{EvidenceAction, EvidenceState, evidence_of};
pub use notices::{NoticeAction, QuestionAction};
pub(super) use own::set_country;
pub use own::{OwnError, confirm_address, stop_address};
pub use settings::SettingsAction;
pub use teams::{TeamAction, TeamChange};

/// An action.
#[derive(Clone)]
pub enum Action {
    /// One about a team.
    Team {
        /// The team's exact name.
        team: String,
        /// What to do with it.
        action: TeamAction,
    },
    /// One about challenges.
    Challenge(ChallengeAction),
    /// Makes a challenge, or changes what one says.
    Edit(Box<Edit>),
    /// One about the event.
    Event(EventAction),
    /// How organizers see what teams have in common.
    Evidence(EvidenceAction),
    /// Sets what the event's files set too, or what organizers share.
    Settings(Box<SettingsAction>),
    /// One about a notice.
    Notice(NoticeAction),
    /// One about a question of a team.
    Question(QuestionAction),
    /// Makes a team for organizers to play with, hidden from its first moment.
    TestTeam {
        /// Its name.
        name: TeamName,
        /// The code that sets its password.
        token: String,
    },
    /// Counts a solve as if it had come at a time.
    CountSolve {
        /// The team's exact name.
        team: String,
        /// Of which challenge.
        challenge: ChallengeId,
        /// When, in epoch milliseconds.
        at_ms: i64,
    },
    /// Withdraws a solve, or all of a challenge.
    WithdrawSolve {
        /// The team's exact name; all teams without one.
        team: Option<String>,
        /// Of which challenge.
        challenge: ChallengeId,
    },
}

/// Something that an organizer wants done.
#[derive(Clone)]
pub struct Order {
    /// Who.
    pub by: By,
    /// What.
    pub what: What,
    /// Why.
    pub reason: String,
    /// The last action about the same objects when they were looked at, of those that the organizer
    /// sees, 0 for none; `None` if it does not matter.
    pub head: Option<i64>,
}

/// What is to be done.
#[derive(Clone)]
pub enum What {
    /// An action.
    Do(Box<Action>),
    /// Takes an action back.
    Undo {
        /// Which.
        id: i64,
        /// Whether what takes something from players, or shows what the freeze hides, is meant.
        is_confirmed: bool,
    },
}

impl What {
    /// Whether it may read or change an address, a session or a link. If so, changes of addresses
    /// whose day has passed are made final before it. Undoing an action never does.
    fn is_about_an_account(&self) -> bool {
        let Self::Do(action) = self else { return false };
        matches!(&**action, Action::Team { action, .. } if !matches!(action, TeamAction::Change(_)))
    }
}

/// An action that is done.
#[derive(Clone)]
pub struct Acted {
    /// Its record.
    pub record: Record,
    /// Whether it can be taken back.
    pub is_undoable: bool,
    /// The last action before it about the same objects, of those that the organizer sees; 0 for
    /// none.
    pub head: i64,
    /// The contest before it.
    pub before: Contest,
    /// The contest after it.
    pub after: Contest,
}

impl Acted {
    /// What it does at once to the phases of the event.
    pub fn phases(&self) -> PhaseChange {
        PhaseChange::between(&self.before, &self.after, self.record.at_ms)
    }
}

impl PartialEq for Acted {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
    }
}

impl Eq for Acted {}

impl std::fmt::Debug for Acted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acted").field("record", &self.record).finish_non_exhaustive()
    }
}

impl Action {
    /// The names of all actions that organizers may do.
    pub const NAMES: [&str; 42] = [
        "answers.set",
        "brand.set",
        "challenge.close",
        "challenge.create",
        "challenge.edit",
        "challenge.hide",
        "challenge.rejudge",
        "challenge.release",
        "challenge.status",
        "event.name",
        "event.pause",
        "event.resume",
        "event.reveal",
        "event.rules",
        "event.times",
        "evidence.state",
        "notice.correct",
        "notice.post",
        "notice.withdraw",
        "page.remove",
        "page.set",
        "question.answer",
        "question.close",
        "settings.set",
        "solve.count",
        "solve.withdraw",
        "team.address",
        "team.award",
        "team.ban",
        "team.code",
        "team.confirm",
        "team.country",
        "team.end_sessions",
        "team.hide",
        "team.message",
        "team.note",
        "team.rename",
        "team.resend",
        "team.reset",
        "team.show",
        "team.test",
        "team.unban",
    ];

    /// The names of all that is recorded, also what only the command line does.
    pub fn recorded() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().chain(COMMANDS)
    }

    /// Its name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Team { action, .. } => action.name(),
            Self::Challenge(action) => action.name(),
            Self::Edit(edit) => edit.name,
            Self::TestTeam { .. } => "team.test",
            Self::Event(action) => action.name(),
            Self::Evidence(_) => "evidence.state",
            Self::Settings(action) => action.name,
            Self::Notice(action) => action.name(),
            Self::Question(action) => action.name(),
            Self::CountSolve { .. } => "solve.count",
            Self::WithdrawSolve { .. } => "solve.withdraw",
        }
    }

    /// Whether it touches a team, so that it needs a reason.
    pub fn needs_reason(&self) -> bool {
        match self {
            Self::Team { action, .. } => {
                !matches!(action, TeamAction::Note { .. } | TeamAction::Message { .. })
            }
            Self::CountSolve { .. } | Self::WithdrawSolve { .. } => true,
            Self::TestTeam { .. } => false,
            Self::Challenge(action) => matches!(action, ChallengeAction::Rejudge { .. }),
            Self::Edit(_) | Self::Event(_) | Self::Evidence(_) => false,
            Self::Notice(_) | Self::Question(_) | Self::Settings(_) => false,
        }
    }

    /// What is recorded of it, without addresses and secrets.
    fn arguments(&self) -> Value {
        match self {
            Self::Team { team, action } => action.arguments(team),
            Self::Challenge(action) => action.arguments(),
            Self::Edit(edit) => {
                let mut arguments =
                    json!({"challenge": edit.draft.challenge.id, "keys": edit.keys});
                if !edit.naming.is_empty() {
                    arguments["naming"] =
                        edit.naming.iter().map(|it| json!(it.challenge)).collect();
                }
                arguments
            }
            Self::TestTeam { name, .. } => json!({"team": name.as_str()}),
            Self::Event(action) => action.arguments(),
            Self::Evidence(action) => action.arguments(),
            Self::Settings(action) => action.arguments.clone(),
            Self::Notice(action) => action.arguments(),
            Self::Question(action) => action.arguments(),
            Self::CountSolve { team, challenge, at_ms } => {
                json!({"team": team, "challenge": challenge, "at": at_ms})
            }
            Self::WithdrawSolve { team, challenge } => {
                json!({"team": team, "challenge": challenge})
            }
        }
    }
}

/// What is written into the record of an action.
struct Done {
    name: String,
    objects: Vec<String>,
    arguments: Value,
    restore: Option<Restore>,
    undoes: Option<i64>,
}

impl Actions<'_> {
    /// Does an action. Whatever refuses it comes before its first write: other operations may share
    /// the transaction.
    async fn perform(&mut self, action: &Action) -> Acting<Done> {
        let (objects, restore) = match action {
            Action::Team { team, action } => self.team(team, action).await?,
            Action::Challenge(action) => self.challenge(action).await?,
            Action::Edit(edit) => self.edit(edit).await?,
            Action::TestTeam { name, token } => self.test_team(name, token).await?,
            Action::Event(action) => self.event(action).await?,
            Action::Evidence(action) => self.evidence(action).await?,
            Action::Settings(action) => self.settings(action).await?,
            Action::Notice(action) => self.notice(action).await?,
            Action::Question(action) => self.question(action).await?,
            Action::CountSolve { team, challenge, at_ms } => {
                self.count_solve(team, challenge, *at_ms).await?
            }
            Action::WithdrawSolve { team, challenge } => {
                self.withdraw(team.as_deref(), challenge).await?
            }
        };
        let (name, mut arguments) = (action.name().to_owned(), action.arguments());
        if let (Value::Object(all), Value::Object(more)) = (&mut arguments, self.details.take()) {
            all.extend(more);
        }
        Ok(Done { name, objects, arguments, restore, undoes: None })
    }

    /// Takes an action back, unless a later one about the same objects stands that could be taken
    /// back too.
    async fn undo(&mut self, id: i64, is_confirmed: bool) -> Acting<Done> {
        let tx = &mut self.step.tx;
        let record = actions::by_id_in(tx, id).await?.ok_or(ActionError::NoAction)?;
        let restore = actions::restore_in(tx, &self.step.seal, id).await?;
        let restore: Option<Restore> =
            restore.map(|restore| serde_json::from_str(&restore)).transpose().map_err(|_| {
                StoreError::Corrupt(format!("what puts action {id} back is not readable"))
            })?;
        // First: any other answer reveals that the action exists.
        self.check_restore_scope(restore.as_ref())?;
        let tx = &mut self.step.tx;
        if actions::undone_by_in(tx, id).await?.is_some() {
            return Err(ActionError::Unchanged.into());
        }
        let restore = restore.ok_or(ActionError::NoUndo)?;
        let objects = record.object.split(',').filter(|object| self.knows_object(object));
        let objects: Vec<String> = objects.map(str::to_owned).collect();
        self.check_later(id, &objects).await?;
        self.check_head(&objects).await?;
        self.check_restore(&restore).await?;
        self.restore(restore, is_confirmed).await?;
        let arguments = record.field("arguments");
        Ok(Done { name: record.action, objects, arguments, restore: None, undoes: Some(id) })
    }
}

pub(super) async fn action(
    step: &mut StepTx,
    order: &Order,
) -> Result<std::result::Result<Acted, ActionError>> {
    match try_action(step, order).await {
        Ok(acted) => Ok(Ok(acted)),
        Err(Stop::Refused(error)) => Ok(Err(error)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

async fn try_action(step: &mut StepTx, order: &Order) -> Acting<Acted> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    if order.what.is_about_an_account() {
        addresses::settle(&mut step.tx, now_ms).await?;
    }
    let who = order.by.check(&mut step.tx, now_ms).await?;
    let before = step.contest().clone();
    let sees = match &order.by {
        By::Organizer { sees, .. } => sees.clone(),
        By::CommandLine => Action::recorded().collect(),
    };
    let wanted_head = order.head;
    let details = Value::Null;
    let mut actions = Actions { step, sees, who, wanted_head, last: None, details };
    let done = match &order.what {
        What::Do(action) => actions.perform(action).await?,
        What::Undo { id, is_confirmed } => actions.undo(*id, *is_confirmed).await?,
    };
    let Actions { step, who, last, .. } = actions;
    let after = step.contest().clone();
    let seqs = (after.seq() > before.seq()).then_some((before.seq() + 1, after.seq()));
    let restore = done.restore.map(|it| serde_json::to_string(&it).expect("plain data"));
    let is_undoable = restore.is_some();
    let new = NewAction {
        actor: &who.name,
        action: &done.name,
        objects: &done.objects,
        restore,
        arguments: &done.arguments,
        reason: &order.reason,
        seqs,
        undoes: done.undoes,
    };
    let last = match last {
        Some(last) => last,
        None => actions::last_in(&mut step.tx).await?,
    };
    let record = actions::append(&mut step.tx, &step.seal.clone(), &new, &last, now_ms).await?;
    Ok(Acted { record, is_undoable, head: last.head, before, after })
}

/// A preview that would have to wait for rows of the lane begins anew, so many times at most.
const PREVIEWS_MAX: usize = 20;

/// What an action would do: it is done in a transaction that is not committed. `contest` is a fold
/// of the journal, however old. On PostgreSQL it is not in the lane, so that flags do not wait for
/// it.
pub async fn preview(
    db: &Db,
    clock: &Clock,
    seal: &std::sync::Arc<Seal>,
    contest: &Contest,
    order: &Order,
) -> Result<std::result::Result<Acted, ActionError>> {
    let head = journal::hash_at_in(&mut db.snapshot().await?, contest.seq()).await?;
    let fold = Fold { contest: contest.clone(), head: head.unwrap_or_default() };
    let mut tries = 1..PREVIEWS_MAX;
    loop {
        match preview_on(db, clock, seal.clone(), fold.clone(), order).await {
            Err(error) if error.is_of_locks() && tries.next().is_some() => {}
            done => return done,
        }
    }
}

async fn preview_on(
    db: &Db,
    clock: &Clock,
    seal: std::sync::Arc<Seal>,
    fold: Fold,
    order: &Order,
) -> Result<std::result::Result<Acted, ActionError>> {
    let mut tx = db.begin(Lock::Accounts).await?;
    // Operations of the lane take locks of rows before that of accounts.
    tx.wait_briefly().await?;
    let known = Known { revision: None, next_release_ms: None, drafts: None };
    let mut step = StepTx::over(tx, clock, seal, fold, known).await?;
    step.append_due().await?;
    action(&mut step, order).await
}
