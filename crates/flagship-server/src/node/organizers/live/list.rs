//! The lists that organizers keep open, and which of them an act changes.

use serde::Serialize;

use crate::node::organizers::Who;
use crate::node::organizers::acts::{
    Act, ListActs, ListChallenges, ListEvidence, ListFlags, ListNotices, ListQuestions, ListTeams,
    ReadChallenge, Rule, SeeOverview, SeeSettings,
};

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
    /// Acts of organizers.
    Acts,
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
/// Lists that an act about teams, solves, challenges or the event may change.
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
        Self::Acts,
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
            Self::Acts => ListActs::RULE,
            Self::Questions | Self::Answers => ListQuestions::RULE,
            Self::Notices => ListNotices::RULE,
            Self::Settings => SeeSettings::RULE,
        }
    }
}

/// The lists that an act may change, besides that of acts.
pub fn of_act(act: &str) -> &'static [List] {
    let (object, verb) = act.split_once('.').unwrap_or((act, ""));
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
    fn an_act_is_told_with_the_lists_that_it_may_change() {
        assert!(of_act("team.ban").contains(&List::Teams));
        assert_eq!(of_act("team.note"), [List::Teams, List::Story]);
        assert_eq!(of_act("challenge.status"), [List::Overview, List::Challenges]);
        assert!(of_act("event.times").contains(&List::Settings));
        assert_eq!(of_act("event.rules"), [List::Settings]);
        assert_eq!(of_act("page.set"), [List::Settings]);
        assert_eq!(of_act("organizer.add"), []);
        for act in ops::Act::NAMES {
            assert_ne!(of_act(act), [], "{act}");
        }
    }
}
