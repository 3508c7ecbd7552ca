//! Engine of organizers' actions. Each action is authorized, decided, performed and recorded in one
//! transaction. The actions themselves are in the crate `flagship-actions`.

mod context;
pub(super) mod own;
mod perform;
mod solves;

use std::sync::Arc;

use flagship_game::{Contest, PhaseChange};
use serde_json::Value;

use super::step::{StepTx, WriterCache};
pub use crate::actions::idempotency::IdempotencyKey;
use crate::actions::{self, LaterAction, NewAction, Record, idempotency};
use crate::fold::Fold;
use crate::{Clock, Db, Lock, Result, Seal, StoreError, addresses, journal};
pub use context::{ActionError, ActionFailure, ActionResult, ActorContext, Caller, Context};
pub use own::{OwnDivisionsError, OwnError, confirm_address, stop_address};
pub use perform::{Perform, ReadUndo, Undo};
pub use solves::WithdrawnSolve;

/// A request to perform an action, from an organizer or a command.
#[derive(Clone)]
pub struct ActionRequest {
    /// The actor.
    pub by: Caller,
    /// The action.
    pub command: ActionCommand,
    /// The reason, for the audit log; may be empty.
    pub reason: String,
    /// True if the actor confirmed a change that takes something from players or reveals frozen
    /// results.
    pub is_confirmed: bool,
    /// Id of the last action about the same objects that the actor saw, among actions that the
    /// actor may read; 0 for none, `None` to skip the check.
    pub head: Option<i64>,
    /// Idempotency key: a retry with it returns the first response.
    pub key: Option<IdempotencyKey>,
}

/// An action, or the undo of one.
#[derive(Clone)]
pub enum ActionCommand {
    /// Performs an action.
    Do(Arc<dyn Perform>),
    /// Undoes an action.
    Undo {
        /// The id of the action.
        id: i64,
        /// Reads the undo data of the action.
        read: ReadUndo,
    },
}

/// A performed action.
#[derive(Clone)]
pub struct PerformedAction {
    /// The audit log entry.
    pub record: Record,
    /// True if it can be undone.
    pub is_undoable: bool,
    /// Id of the previous action about the same objects, among actions that the actor may read; 0
    /// for none.
    pub head: i64,
    /// The contest before the action.
    pub before: Contest,
    /// The contest after the action.
    pub after: Contest,
}

impl PerformedAction {
    /// Immediate effects on the phases of the event.
    pub fn phases(&self) -> PhaseChange {
        PhaseChange::between(&self.before, &self.after, self.record.at_ms)
    }
}

impl PartialEq for PerformedAction {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
    }
}

impl Eq for PerformedAction {}

impl std::fmt::Debug for PerformedAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerformedAction").field("record", &self.record).finish_non_exhaustive()
    }
}

/// Members of the audit log entry of an action.
struct Done {
    name: String,
    arguments: Value,
    undo: Option<String>,
    undoes: Option<i64>,
}

impl Context<'_> {
    async fn perform(&mut self, action: &dyn Perform) -> ActionResult<Done> {
        let undo = action.perform(self).await?;
        let mut arguments = action.arguments();
        if let (Value::Object(all), Value::Object(more)) = (&mut arguments, self.details.take()) {
            all.extend(more);
        }
        Ok(Done { name: action.name().to_owned(), arguments, undo, undoes: None })
    }

    /// Undoes an action, unless a later action about the same objects could still be undone.
    async fn undo(&mut self, id: i64, read: ReadUndo) -> ActionResult<Done> {
        let tx = &mut self.step.tx;
        let record = actions::by_id_in(tx, id).await?.ok_or(ActionError::NoAction)?;
        let json = actions::restore_in(tx, &self.step.seal, id).await?;
        let undo = json.map(|json| read(&record.action, &json)).transpose().map_err(|_| {
            StoreError::Corrupt(format!("the undo data of action {id} is not readable"))
        })?;
        // Must be the first check: any other error would reveal that the action exists.
        let challenge = undo.as_ref().and_then(|undo| undo.challenge.clone());
        self.check_scope(challenge.as_ref(), ActionError::NoAction)?;
        if actions::undone_by_in(&mut self.step.tx, id).await?.is_some() {
            return Err(ActionError::Unchanged.into());
        }
        let undo = undo.ok_or(ActionError::NoUndo)?;
        let objects = record.object.split(',').filter(|object| self.knows_object(object));
        let objects: Vec<String> = objects.map(str::to_owned).collect();
        self.check_later(id, &objects).await?;
        self.touch(objects).await?;
        (undo.put_back)(self).await?;
        let arguments = record.field("arguments");
        Ok(Done { name: record.action, arguments, undo: None, undoes: Some(id) })
    }

    /// Rejects an undo while later actions about `objects` are not undone. `objects` are the
    /// objects of the action that the actor may know of.
    async fn check_later(&mut self, id: i64, objects: &[String]) -> ActionResult<()> {
        let mut later = actions::undoable_after_in(&mut self.step.tx, id).await?;
        // Authors are not allowed to know of all shared objects.
        if self.actor.only_challenges.is_some() {
            let is_known = |object: &str| objects.iter().any(|known| known == object);
            later.retain(|action| action.object.split(',').any(is_known));
        }
        if later.is_empty() {
            return Ok(());
        }
        let seen = later.iter().filter(|action| self.may_know(action));
        Err(ActionError::Later { actions: seen.map(|action| action.id).collect() }.into())
    }

    /// True if the actor may read the record of a later action and, for an author, if it is only
    /// about their own challenges.
    fn may_know(&self, later: &LaterAction) -> bool {
        let mut objects = later.object.split(',');
        self.may_read(&later.action) && objects.all(|it| self.knows_object(it))
    }
}

pub(super) async fn run(
    step: &mut StepTx,
    order: &ActionRequest,
) -> Result<std::result::Result<PerformedAction, ActionError>> {
    match try_run(step, order).await {
        Ok(acted) => Ok(Ok(acted)),
        Err(ActionFailure::Rejected(error)) => Ok(Err(error)),
        Err(ActionFailure::Failed(error)) => Err(error),
    }
}

async fn try_run(step: &mut StepTx, order: &ActionRequest) -> ActionResult<PerformedAction> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    if matches!(&order.command, ActionCommand::Do(action) if action.is_about_an_account()) {
        addresses::settle(&mut step.tx, now_ms).await?;
    }
    let actor = order.by.check(&mut step.tx, now_ms).await?;
    if let (Some(organizer_id), Some(key)) = (actor.organizer_id, &order.key) {
        check_key(step, organizer_id, key).await?;
    }
    let before = step.contest().clone();
    let mut context = Context {
        step,
        by: &order.by,
        is_confirmed: order.is_confirmed,
        head: order.head,
        actor,
        objects: Vec::new(),
        last: None,
        details: Value::Null,
    };
    let done = match &order.command {
        ActionCommand::Do(action) => context.perform(&**action).await?,
        ActionCommand::Undo { id, read } => context.undo(*id, *read).await?,
    };
    let Context { step, actor, objects, last, .. } = context;
    debug_assert!(!objects.is_empty(), "an action is about something");
    let after = step.contest().clone();
    let seqs = (after.seq() > before.seq()).then_some((before.seq() + 1, after.seq()));
    let is_undoable = done.undo.is_some();
    let new = NewAction {
        actor: &actor.name,
        action: &done.name,
        objects: &objects,
        restore: done.undo,
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
    if let (Some(organizer_id), Some(key)) = (actor.organizer_id, &order.key) {
        idempotency::use_in(&mut step.tx, organizer_id, key, record.id, now_ms).await?;
    }
    Ok(PerformedAction { record, is_undoable, head: last.head, before, after })
}

/// Rejects a request with a used idempotency key.
async fn check_key(step: &mut StepTx, organizer_id: i64, key: &IdempotencyKey) -> ActionResult<()> {
    let now_ms = step.now_ms();
    match idempotency::used_in(&mut step.tx, organizer_id, &key.key, now_ms).await? {
        None => Ok(()),
        Some(used) if used.digest == key.digest => Err(ActionError::Repeated.into()),
        Some(_) => Err(ActionError::KeyReused.into()),
    }
}

/// Maximum attempts of a preview. A preview that would wait for row locks of the lane is restarted.
const PREVIEWS_MAX: usize = 20;

/// Performs an action in a transaction that is rolled back. `contest` is any earlier fold of the
/// journal. On PostgreSQL the transaction is not in the lane, so submissions do not wait for it.
pub async fn preview(
    db: &Db,
    clock: &Clock,
    seal: &Arc<Seal>,
    contest: &Contest,
    order: &ActionRequest,
) -> Result<std::result::Result<PerformedAction, ActionError>> {
    let head = journal::hash_at_in(&mut db.snapshot().await?, contest.seq()).await?;
    let fold = Fold { contest: contest.clone(), head: head.unwrap_or_default() };
    let mut tries = 1..PREVIEWS_MAX;
    loop {
        match preview_on(db, clock, seal.clone(), fold.clone(), order).await {
            Err(error) if error.is_lock_timeout() && tries.next().is_some() => {}
            done => return done,
        }
    }
}

async fn preview_on(
    db: &Db,
    clock: &Clock,
    seal: Arc<Seal>,
    fold: Fold,
    order: &ActionRequest,
) -> Result<std::result::Result<PerformedAction, ActionError>> {
    let mut tx = db.begin(Lock::Accounts).await?;
    // Operations of the lane take row locks before the accounts lock.
    tx.wait_briefly().await?;
    let known = WriterCache { revision: None, next_release_ms: None, drafts: None };
    let mut step = StepTx::over(tx, clock, seal, fold, known).await?;
    step.append_due().await?;
    run(&mut step, order).await
}
