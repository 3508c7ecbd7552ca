//! Challenge sources, the texts of `challenge.yml` files: parsing without a folder, editing in
//! place, creation and comparison. Also creates the text of a new `event.toml`. Works only on text;
//! no files are opened.

mod edit;
mod emit;
mod error;
mod keys;
mod merge;
mod new_event;
mod read;
mod requirement_ids;
mod same;
mod spans;
mod splice;
pub(crate) mod texts;
mod three_way;
mod visibility;

pub use edit::{create, edit};
pub use error::EditError;
pub use keys::{Keys, fields, has_id};
pub use merge::{Merge, merge, overwritten};
pub use new_event::new_event_toml;
pub use read::{Defaults, OtherChallenge, ParseContext, ParsedChallenge, Source, read};
pub use requirement_ids::{is_same_name, names_to_ids, replace_requirement};
pub use three_way::{Conflict, State, three_way};
pub use visibility::{Visibility, with_visibility};
