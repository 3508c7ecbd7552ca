//! The settings that organizers set on the site, and the action that sets them. A key that the
//! event's files name is set there only.

mod change;
pub mod secrets;
pub mod sections;
pub mod set;
mod uploads;
mod wanted;

pub use change::{SectionChange, SettingsUndo};
pub use wanted::{NodeSettings, Wanted, wanted};
