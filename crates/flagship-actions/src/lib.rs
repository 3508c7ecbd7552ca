//! Organizer actions, one file each. To add one, create its file, add a line to [`list`](mod@list)
//! and add its messages to `messages/`.

mod action;
mod arguments;
pub mod challenge;
pub mod code;
mod countries;
mod desk;
pub mod event;
pub mod evidence;
mod facts_undo;
pub mod hint;
mod list;
mod lists;
pub mod mail;
mod messages;
pub mod notice;
mod openapi;
mod prelude;
pub mod question;
mod recorded;
mod rejection;
mod release_states;
mod run;
pub mod sentences;
pub mod settings;
mod several;
pub mod site;
pub mod solve;
pub mod team;
mod text;

pub use action::{
    AUTHORS, Action, Extras, Factor, HELPERS, Kind, Never, OWNERS, Prepared, RUNNERS, Rule,
    UndoData, WRITERS_AND_HELPERS, ready,
};
pub use arguments::{Argument, Type, arguments};
pub use countries::{country_code, is_country};
pub use desk::{ClaimedFile, Desk, Files, Services};
pub use list::{ACTIONS, RECORDED, find, lists_of, read_undo, recorded};
pub use lists::{List, OF_ACCOUNT, OF_CONTEST, OF_EVENT, OF_NOTICES, OF_QUESTIONS};
pub use messages::Phrase;
pub use openapi::ActionRequest;
pub use rejection::{ArgumentError, Rejection};
pub use run::{Common, Outcome, Place, Request, run, undo};
pub use text::Time;
