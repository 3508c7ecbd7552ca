//! The interface between the lane and the actions of `flagship-actions`: an action that is ready
//! to be performed, and the data that undoes it.

use flagship_game::ChallengeId;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::context::{ActionResult, Context};

/// An action that is ready to be performed.
pub trait Perform: Send + Sync {
    /// Name on the wire: `team.ban`.
    fn name(&self) -> &'static str;

    /// True if the action may read or change an address, a session or a link. Changes of addresses
    /// whose day has passed are then made final before it.
    fn is_about_an_account(&self) -> bool;

    /// The arguments as the audit log keeps them, without addresses and secrets: a JSON object.
    fn arguments(&self) -> Value;

    /// Performs the action, and returns JSON of the data that undoes it; `None` if it cannot be
    /// undone. All that rejects it comes before its first write: other operations may share the
    /// transaction.
    fn perform<'a>(
        &'a self,
        context: &'a mut Context<'_>,
    ) -> BoxFuture<'a, ActionResult<Option<String>>>;
}

/// Undo data of a recorded action.
pub struct Undo {
    /// The challenge that it is about, for the check of authors; `None` rejects every author.
    pub challenge: Option<ChallengeId>,
    /// Puts back what the action changed. All that rejects it comes before its first write.
    pub put_back: PutBack,
}

type PutBack =
    Box<dyn for<'a> FnOnce(&'a mut Context<'_>) -> BoxFuture<'a, ActionResult<()>> + Send>;

/// Reads the undo data of an action with this name.
///
/// # Errors
/// Fails if the JSON is not the data of this action.
pub type ReadUndo = fn(name: &str, json: &str) -> Result<Undo, serde_json::Error>;
