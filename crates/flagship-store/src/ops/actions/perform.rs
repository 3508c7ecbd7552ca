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

    /// Performs the action. All that rejects it comes before its first write: other operations may
    /// share the transaction.
    fn perform<'a>(
        &'a self,
        context: &'a mut Context<'_>,
    ) -> BoxFuture<'a, ActionResult<Performed>>;
}

/// What an action leaves for its record.
pub struct Performed {
    /// The objects that it is about, at least one: `team 7`.
    pub objects: Vec<String>,
    /// JSON of the data that undoes it; `None` if it cannot be undone.
    pub undo: Option<String>,
}

/// Undo data of a recorded action.
pub trait Undo: Send {
    /// The challenge that it is about, for the check of authors; `None` rejects every author.
    fn challenge(&self) -> Option<ChallengeId>;

    /// Puts back what the action changed. All that rejects it comes before its first write.
    /// `is_confirmed` is true if the actor means what takes something from players, or shows what
    /// the freeze hides.
    fn undo<'a>(
        self: Box<Self>,
        context: &'a mut Context<'_>,
        is_confirmed: bool,
    ) -> BoxFuture<'a, ActionResult<()>>
    where
        Self: 'a;
}

/// Reads the undo data of an action with this name.
///
/// # Errors
/// Fails if the JSON is not the data of this action.
pub type ReadUndo = fn(name: &str, json: &str) -> Result<Box<dyn Undo>, serde_json::Error>;
