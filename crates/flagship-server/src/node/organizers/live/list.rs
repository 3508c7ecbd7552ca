//! Lists that organizers keep open, and the permissions to read them.

use flagship_actions::{List, Rule};

use crate::node::organizers::permissions::{
    ListActions, ListChallenges, ListEvidence, ListFlags, ListNotices, ListQuestions, ListTeams,
    Permission, ReadChallenge, SeeOverview, SeeSettings,
};
use crate::node::organizers::who::SignedInOrganizer;

/// Lists affected by changes of the scoreboard.
pub const OF_SCOREBOARD: [List; 4] = [List::Challenges, List::Teams, List::Story, List::Flags];
/// Lists that contain incorrect submissions.
pub const OF_WRONG_FLAGS: [List; 3] = [List::Challenges, List::Story, List::Flags];

/// True if the organizer may read a list.
pub fn is_for(list: List, who: &SignedInOrganizer) -> bool {
    who.may(&rule(list)).is_ok()
}

/// Permission rule of the request that reads a list.
fn rule(list: List) -> Rule {
    match list {
        List::Overview => SeeOverview::RULE,
        List::Challenges => ListChallenges::RULE,
        List::Source => ReadChallenge::RULE,
        List::Teams | List::Story => ListTeams::RULE,
        List::Flags => ListFlags::RULE,
        List::Evidence => ListEvidence::RULE,
        List::Actions => ListActions::RULE,
        List::Questions | List::Answers => ListQuestions::RULE,
        List::Notices => ListNotices::RULE,
        List::Settings => SeeSettings::RULE,
    }
}
