//! Names that most actions use.

pub use flagship_game::{ChallengeId, TeamId, facts};
pub use flagship_store::ops::{ActionError, ActionResult, Context};
pub use serde::{Deserialize, Serialize};
pub use serde_json::{Map, Value, json};
pub use utoipa::ToSchema;

pub use crate::action::{
    AUTHORS, Action, Extras, Factor, HELPERS, Never, OWNERS, RUNNERS, Rule, UndoData,
    WRITERS_AND_HELPERS,
};
pub use crate::desk::Desk;
pub use crate::facts_undo::FactsUndo;
pub use crate::lists::{List, OF_ACCOUNT, OF_EVENT, OF_NOTICES, OF_QUESTIONS};
pub use crate::messages::Phrase;
pub use crate::rejection::{ArgumentError, Rejection};
pub(crate) use crate::several;
pub use crate::text::{Time, is_unrecorded};
