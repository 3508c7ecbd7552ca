//! The rules of the game, as pure functions: the current time is an argument.
//!
//! Contains phases, points, ranking, team names, journal entries, the fold of the journal
//! (`Contest`) and its views (public, team, organizer). No I/O, no clock, no randomness, no
//! database.

pub mod board;
pub mod ceremony;
pub mod chain;
pub mod challenge;
pub mod contest;
pub mod division;
pub mod entry;
pub mod event;
pub mod facts;
pub mod flag_text;
pub mod moves;
pub mod name;
pub mod phase_change;
pub mod points;
pub mod published;
pub mod purchase;
pub mod ranking;
pub mod team_flag;
pub mod view;
pub mod wire;

pub use board::{Board, RankedRow, Row, Tally};
pub use challenge::{Attachment, Challenge, ChallengeId, ChallengeStatus, Hint, Labels};
pub use challenge::{PictureKind, Scoring, Secret, StatusKind, SubmissionRules};
pub use contest::{Contest, FoldError};
pub use division::{Division, DivisionId, DivisionRules, Join};
pub use entry::{Phase, TeamId};
pub use event::{Event, Reveal, Status};
pub use facts::{Entry, Fact};
pub use name::{NameError, ReservedNames, TeamKey, TeamName};
pub use phase_change::PhaseChange;
pub use purchase::{HintRefusal, Purchase};
pub use team_flag::TeamFlag;
pub use view::{Card, Viewer};
