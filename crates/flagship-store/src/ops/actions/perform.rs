//! Interface between the lane and the actions of `flagship-actions`: an action that is ready to be
//! performed, and its undo data.

use flagship_game::ChallengeId;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::context::{ActionResult, Context};

/// An action that is ready to be performed.
pub trait Perform: Send + Sync {
    /// Name on the wire: `team.ban`.
    fn name(&self) -> &'static str;

    /// True if the action can read or change an address, a session or a link. Pending address
    /// changes that are due are then completed first.
    fn is_about_an_account(&self) -> bool;

    /// The arguments for the audit log, without addresses and secrets: a JSON object.
    fn arguments(&self) -> Value;

    /// Performs the action and returns the undo data as JSON; `None` if it cannot be undone. All
    /// rejections must happen before the first write, because other operations can share the
    /// transaction.
    fn perform<'a>(
        &'a self,
        context: &'a mut Context<'_>,
    ) -> BoxFuture<'a, ActionResult<Option<String>>>;
}

/// Undo data of a recorded action.
pub struct Undo {
    /// The challenge that the action is about, to check authors; `None` rejects every author.
    pub challenge: Option<ChallengeId>,
    /// Restores the state before the action. All rejections must happen before the first write.
    pub put_back: PutBack,
}

type PutBack =
    Box<dyn for<'a> FnOnce(&'a mut Context<'_>) -> BoxFuture<'a, ActionResult<()>> + Send>;

/// Reads the undo data of an action with this name.
///
/// # Errors
/// Fails if the JSON is not the data of this action.
pub type ReadUndo = fn(name: &str, json: &str) -> Result<Undo, serde_json::Error>;
