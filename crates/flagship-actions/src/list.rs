//! List of all actions; the only place that enumerates them.

use flagship_store::ops::{self, Undo};

use crate::action::{Kind, read_undo as read};
use crate::lists::{List, OF_CONTEST, OF_EVENT};
use crate::{
    challenge, code, event, evidence, hint, notice, question, settings, site, solve, team,
};

macro_rules! actions {
    ($($action:ty),* $(,)?) => {
        /// All actions, by name.
        pub static ACTIONS: &[Kind] = &[$(Kind::of::<$action>()),*];
    };
}

actions![
    site::answers_set::AnswersSet,
    site::brand_set::BrandSet,
    challenge::attempts::Attempts,
    challenge::close::Close,
    challenge::create::Create,
    challenge::edit::Edit,
    challenge::hide::Hide,
    challenge::rejudge::Rejudge,
    challenge::release::Release,
    challenge::status::Status,
    code::make::Make,
    code::revoke::Revoke,
    event::name::Name,
    event::pause::Pause,
    event::resume::Resume,
    event::reveal::Reveal,
    event::rules::Rules,
    event::times::Times,
    evidence::state::State,
    hint::free::Free,
    notice::correct::Correct,
    notice::post::Post,
    notice::withdraw::Withdraw,
    site::page_remove::PageRemove,
    site::page_set::PageSet,
    question::answer::Answer,
    question::close::Close,
    settings::set::Set,
    solve::count::Count,
    solve::withdraw::Withdraw,
    team::address::Address,
    team::admit::Admit,
    team::award::Award,
    team::ban::Ban,
    team::code::Code,
    team::confirm::Confirm,
    team::country::Country,
    team::divisions::Divisions,
    team::end_sessions::EndSessions,
    team::hide::Hide,
    team::message::Message,
    team::note::Note,
    team::rename::Rename,
    team::resend::Resend,
    team::reset::Reset,
    team::show::Show,
    team::test::Test,
    team::unban::Unban,
];

/// Names of records that are not actions: operations of commands and of organizers' own accounts.
pub const RECORDED: [&str; 12] = ops::COMMANDS;

/// The action with a name.
pub fn find(name: &str) -> Option<&'static Kind> {
    ACTIONS.iter().find(|action| action.rule.name == name)
}

/// All names that occur in the audit log.
pub fn recorded() -> impl Iterator<Item = &'static str> {
    ACTIONS.iter().map(|action| action.rule.name).chain(RECORDED)
}

/// Parses the undo data of a record.
///
/// # Errors
/// Fails if no action has this name, or if the JSON is not its undo data.
pub fn read_undo(name: &str, json: &str) -> Result<Undo, serde_json::Error> {
    match find(name) {
        Some(action) => (action.read_undo)(json),
        None if name == team::import::NAME => read::<ops::undo_data::ImportUndo>(json),
        None => read::<crate::action::Never>(json),
    }
}

/// Lists that a recorded action or operation can change, besides the audit log.
pub fn lists_of(name: &str) -> &'static [List] {
    match (find(name), name) {
        (Some(action), _) => action.lists,
        (None, "event.apply") => OF_EVENT,
        (None, "team.import") => OF_CONTEST,
        (None, "event.backup") => &[List::Overview],
        (None, _) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_in_the_order_of_their_names() {
        let names: Vec<&str> = ACTIONS.iter().map(|action| action.rule.name).collect();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
        assert!(ACTIONS.iter().all(|action| !action.rule.roles.is_empty()));
    }

    #[test]
    fn an_action_is_told_with_the_lists_that_it_can_change() {
        assert!(lists_of("team.ban").contains(&List::Teams));
        assert_eq!(lists_of("team.note"), [List::Teams, List::Story]);
        assert_eq!(lists_of("team.import"), OF_CONTEST);
        assert_eq!(lists_of("organizer.add"), []);
        for action in ACTIONS {
            assert!(!action.lists.is_empty(), "{}", action.rule.name);
        }
    }
}
