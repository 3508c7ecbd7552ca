//! Lists that organizers keep open.

use serde::Serialize;

/// A list on the organizer pages. Update hints on the live channel use these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum List {
    /// State of the event and of the node.
    Overview,
    /// Challenges, with their solves and incorrect submissions.
    Challenges,
    /// Challenge sources.
    Source,
    /// Teams.
    Teams,
    /// A team, with its activity.
    Story,
    /// Judged submissions.
    Flags,
    /// Evidence about pairs of teams.
    Evidence,
    /// Audit log.
    Actions,
    /// Questions of teams.
    Questions,
    /// Notices.
    Notices,
    /// Settings of the event.
    Settings,
    /// Saved replies.
    Answers,
}

/// Lists affected by actions about teams, solves or challenges.
pub const OF_CONTEST: &[List] =
    &[List::Overview, List::Challenges, List::Source, List::Teams, List::Story, List::Flags];
/// Lists affected by actions about the event.
pub const OF_EVENT: &[List] = &[
    List::Overview,
    List::Challenges,
    List::Source,
    List::Teams,
    List::Story,
    List::Flags,
    List::Settings,
];
/// Lists affected by actions that change only an account, not scores.
pub const OF_ACCOUNT: &[List] = &[List::Teams, List::Story];
/// Lists that contain notices, besides the list of notices itself, which the journal announces.
pub const OF_NOTICES: &[List] = &[List::Overview, List::Story];
/// Lists that contain questions.
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
