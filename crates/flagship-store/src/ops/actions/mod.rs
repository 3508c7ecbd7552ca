//! The engine of organizers' actions: each action is decided, performed and recorded in one
//! transaction, which reads again whether its organizer may perform it. The actions themselves are
//! in the crate `flagship-actions`.

mod context;
pub(super) mod own;
mod perform;
mod solves;

use std::sync::Arc;

use flagship_game::{Contest, PhaseChange};
use serde_json::Value;

use super::step::{Known, StepTx};
pub use crate::actions::idempotency::IdempotencyKey;
use crate::actions::{self, Later, NewAction, Record, idempotency};
use crate::fold::Fold;
use crate::{Clock, Db, Lock, Result, Seal, StoreError, addresses, journal};
pub use context::{ActionError, ActionFailure, ActionResult, ActorContext, By, Context};
pub use own::{OwnError, confirm_address, stop_address};
pub use perform::{Perform, ReadUndo, Undo};
pub use solves::Withdrawn;

/// A request of an organizer or a command.
#[derive(Clone)]
pub struct Order {
    /// The actor.
    pub by: By,
    /// The action.
    pub command: ActionCommand,
    /// The reason, for the audit log; may be empty.
    pub reason: String,
    /// True if the actor means what takes something from players, or shows what the freeze hides.
    pub is_confirmed: bool,
    /// The last action about the same objects when the actor looked at them, of those whose records
    /// the actor may read; 0 for none, `None` if it does not matter.
    pub head: Option<i64>,
    /// The key that makes a retry of the request return the first answer.
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
pub struct Acted {
    /// Its record.
    pub record: Record,
    /// True if it can be undone.
    pub is_undoable: bool,
    /// The last action before it about the same objects, of those whose records the actor may read;
    /// 0 for none.
    pub head: i64,
    /// The contest before it.
    pub before: Contest,
    /// The contest after it.
    pub after: Contest,
}

impl Acted {
    /// Immediate effects on the phases of the event.
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

/// The members of the record of an action.
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

    /// Undoes an action, unless a later one about the same objects stands that could be undone too.
    async fn undo(&mut self, id: i64, read: ReadUndo) -> ActionResult<Done> {
        let tx = &mut self.step.tx;
        let record = actions::by_id_in(tx, id).await?.ok_or(ActionError::NoAction)?;
        let json = actions::restore_in(tx, &self.step.seal, id).await?;
        let undo = json.map(|json| read(&record.action, &json)).transpose().map_err(|_| {
            StoreError::Corrupt(format!("the undo data of action {id} is not readable"))
        })?;
        // First: any other answer reveals that the action exists.
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

    /// Rejects an undo while later actions stand about one of `objects`, which are the objects of
    /// the action that the actor may know of.
    async fn check_later(&mut self, id: i64, objects: &[String]) -> ActionResult<()> {
        let mut later = actions::standing_after_in(&mut self.step.tx, id).await?;
        // They share an object, which an author may not know of.
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

    /// True if the actor may know of a later action: the actor may read its record, and for an
    /// author it is about own challenges only.
    fn may_know(&self, later: &Later) -> bool {
        let mut objects = later.object.split(',');
        self.may_read(&later.action) && objects.all(|it| self.knows_object(it))
    }
}

pub(super) async fn run(
    step: &mut StepTx,
    order: &Order,
) -> Result<std::result::Result<Acted, ActionError>> {
    match try_run(step, order).await {
        Ok(acted) => Ok(Ok(acted)),
        Err(ActionFailure::Rejected(error)) => Ok(Err(error)),
        Err(ActionFailure::Failed(error)) => Err(error),
    }
}

async fn try_run(step: &mut StepTx, order: &Order) -> ActionResult<Acted> {
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
    Ok(Acted { record, is_undoable, head: last.head, before, after })
}

/// Rejects a request whose key was used.
async fn check_key(step: &mut StepTx, organizer_id: i64, key: &IdempotencyKey) -> ActionResult<()> {
    let now_ms = step.now_ms();
    match idempotency::used_in(&mut step.tx, organizer_id, &key.key, now_ms).await? {
        None => Ok(()),
        Some(used) if used.digest == key.digest => Err(ActionError::Repeated.into()),
        Some(_) => Err(ActionError::KeyReused.into()),
    }
}

/// A preview that would have to wait for rows of the lane begins anew, so many times at most.
const PREVIEWS_MAX: usize = 20;

/// Performs an action in a transaction that is not committed. `contest` is a fold of the journal,
/// however old. On PostgreSQL the transaction is not in the lane, so that flags do not wait for it.
pub async fn preview(
    db: &Db,
    clock: &Clock,
    seal: &Arc<Seal>,
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
    seal: Arc<Seal>,
    fold: Fold,
    order: &Order,
) -> Result<std::result::Result<Acted, ActionError>> {
    let mut tx = db.begin(Lock::Accounts).await?;
    // Operations of the lane take locks of rows before that of accounts.
    tx.wait_briefly().await?;
    let known = Known { revision: None, next_release_ms: None, drafts: None };
    let mut step = StepTx::over(tx, clock, seal, fold, known).await?;
    step.append_due().await?;
    run(&mut step, order).await
}
