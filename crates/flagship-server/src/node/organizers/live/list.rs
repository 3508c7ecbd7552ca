//! The lists that organizers keep open, and which of them an action changes.

use serde::Serialize;

use crate::node::organizers::actions::{
    Action, ListActions, ListChallenges, ListEvidence, ListFlags, ListNotices, ListQuestions,
    ListTeams, ReadChallenge, Rule, SeeOverview, SeeSettings,
};
use crate::node::organizers::who::Who;

/// A list that an organizer reads.
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

/// Lists that the scoreboard moves.
pub const OF_SCOREBOARD: [List; 4] = [List::Challenges, List::Teams, List::Story, List::Flags];
/// Lists that a wrong flag is in.
pub const OF_WRONG_FLAGS: [List; 3] = [List::Challenges, List::Story, List::Flags];
/// Lists that a question is in.
pub const OF_QUESTIONS: [List; 3] = [List::Questions, List::Overview, List::Story];
/// Lists that an action about teams, solves, challenges or the event may change.
const OF_CONTEST: [List; 6] =
    [List::Overview, List::Challenges, List::Source, List::Teams, List::Story, List::Flags];

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

    /// Returns true if somebody may read it.
    pub fn is_for(self, who: &Who) -> bool {
        who.may(&self.rule()).is_ok()
    }

    /// The rule of the call that reads it.
    fn rule(self) -> Rule {
        match self {
            Self::Overview => SeeOverview::RULE,
            Self::Challenges => ListChallenges::RULE,
            Self::Source => ReadChallenge::RULE,
            Self::Teams | Self::Story => ListTeams::RULE,
            Self::Flags => ListFlags::RULE,
            Self::Evidence => ListEvidence::RULE,
            Self::Actions => ListActions::RULE,
            Self::Questions | Self::Answers => ListQuestions::RULE,
            Self::Notices => ListNotices::RULE,
            Self::Settings => SeeSettings::RULE,
        }
    }
}

/// The lists that an action may change, besides that of actions.
pub fn of_action(action: &str) -> &'static [List] {
    let (object, verb) = action.split_once('.').unwrap_or((action, ""));
    match (object, verb) {
        ("evidence", _) => &[List::Evidence],
        ("answers", _) => &[List::Answers],
        ("settings" | "brand" | "page", _) | ("event", "rules") => &[List::Settings],
        ("notice", _) => &[List::Overview, List::Story],
        ("question", _) => &OF_QUESTIONS,
        ("challenge", "status") => &[List::Overview, List::Challenges],
        // What changes an account alone, and nothing that counts.
        ("team", "message" | "note" | "address" | "resend" | "reset" | "code" | "end_sessions") => {
            &[List::Teams, List::Story]
        }
        ("event", "backup") => &[List::Overview],
        ("event", _) => &[
            List::Overview,
            List::Challenges,
            List::Source,
            List::Teams,
            List::Story,
            List::Flags,
            List::Settings,
        ],
        ("team" | "solve" | "challenge", _) => &OF_CONTEST,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use flagship_store::ops;

    use super::*;

    #[test]
    fn an_action_is_told_with_the_lists_that_it_may_change() {
        assert!(of_action("team.ban").contains(&List::Teams));
        assert_eq!(of_action("team.note"), [List::Teams, List::Story]);
        assert_eq!(of_action("challenge.status"), [List::Overview, List::Challenges]);
        assert!(of_action("event.times").contains(&List::Settings));
        assert_eq!(of_action("event.rules"), [List::Settings]);
        assert_eq!(of_action("page.set"), [List::Settings]);
        assert_eq!(of_action("organizer.add"), []);
        for action in ops::Action::NAMES {
            assert_ne!(of_action(action), [], "{action}");
        }
    }
}
