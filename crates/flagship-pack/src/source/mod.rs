//! The source of a challenge: the text of its `challenge.yml`. It is read without a folder, edited
//! in place, made anew and compared; and the text of a new `event.toml`. Text in, text out; nothing
//! here opens a file.

mod edit;
mod emit;
mod error;
mod keys;
mod merge;
mod new_event;
mod read;
mod requiring;
mod same;
mod showing;
mod spans;
mod splice;
mod three_way;

pub use edit::{create, edit};
pub use error::EditError;
pub use keys::{Keys, fields, has_id};
pub use merge::{Merge, merge, overwritten};
pub use new_event::new_event_toml;
pub use read::{Defaults, OtherChallenge, Reading, Source, Surroundings, read};
pub use requiring::{is_called, require_by_id, requiring};
pub use showing::{Showing, shown_as};
pub use three_way::{Conflict, State, three_way};
