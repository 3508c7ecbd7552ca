//! The lists that organizers keep open.

use serde::Serialize;

/// A list that an organizer reads, as its hint on the live channel names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum List {
    /// State of the event and of the node.
    Overview,
    /// Challenges, with their solves and wrong flags.
    Challenges,
    /// Texts of challenges.
    Source,
    /// Teams.
    Teams,
    /// A team, with its story.
    Story,
    /// Flags that were judged.
    Flags,
    /// Evidence about pairs of teams.
    Evidence,
    /// Actions of organizers.
    Actions,
    /// Questions of teams.
    Questions,
    /// Notices.
    Notices,
    /// Settings of the event.
    Settings,
    /// Answers that are ready.
    Answers,
}

/// Lists that an action about teams, solves or challenges can change.
pub const OF_CONTEST: &[List] =
    &[List::Overview, List::Challenges, List::Source, List::Teams, List::Story, List::Flags];
/// Lists that an action about the event can change.
pub const OF_EVENT: &[List] = &[
    List::Overview,
    List::Challenges,
    List::Source,
    List::Teams,
    List::Story,
    List::Flags,
    List::Settings,
];
/// Lists that an action about an account alone can change, and nothing that counts.
pub const OF_ACCOUNT: &[List] = &[List::Teams, List::Story];
/// Lists that a notice is in, besides the list of notices, which the journal announces.
pub const OF_NOTICES: &[List] = &[List::Overview, List::Story];
/// Lists that a question is in.
pub const OF_QUESTIONS: &[List] = &[List::Questions, List::Overview, List::Story];

impl List {
    /// All lists, in the order of their names in a hint.
    pub const ALL: [Self; 12] = [
        Self::Overview,
        Self::Challenges,
        Self::Source,
        Self::Teams,
        Self::Story,
        Self::Flags,
        Self::Evidence,
        Self::Actions,
        Self::Questions,
        Self::Notices,
        Self::Settings,
        Self::Answers,
    ];
}
