//! Settings that organizers change on the site, and the action that changes them. A key in the
//! event files can only be changed there.

mod change;
pub mod secrets;
pub mod sections;
pub mod set;
mod uploads;
mod wanted;

pub use change::{SectionChange, SettingsUndo};
pub use wanted::{NodeSettings, Wanted, wanted};
