//! Permissions of organizers' calls that are not actions: a handler names one in its arguments,
//! which is the check. The permissions of actions are in the crate `flagship-actions`.

use flagship_actions::challenge::create::Create;
use flagship_actions::event::rules::Rules;
use flagship_actions::{
    self as actions, AUTHORS, Action, Factor, HELPERS, RUNNERS, Rule, WRITERS_AND_HELPERS,
};
use flagship_store::organizers::Role;

/// A call of organizers. A handler names it in its arguments, which is the check.
pub trait Permission: Send + Sync + 'static {
    /// Who may make it.
    const RULE: Rule;
}

macro_rules! permissions {
    ($($(#[$doc:meta])* $permission:ident = $name:literal, $roles:expr, $factor:ident;)*) => {
        $($(#[$doc])*
        pub struct $permission;

        impl Permission for $permission {
            const RULE: Rule = Rule { name: $name, roles: $roles, factor: Factor::$factor };
        })*

        /// Those that are not actions.
        const RULES: &[Rule] = &[$($permission::RULE),*];
    };
}

permissions! {
    /// Sees the own name, roles and sessions.
    OwnAccount = "account.own", &Role::ALL, Once;
    /// Ends one of the own sessions or tokens. With a stolen one alone, a thief could keep its
    /// owner out.
    EndSession = "account.end", &Role::ALL, Again;
    /// Replaces the own second factor.
    ReplaceFactor = "account.factor", &Role::ALL, Again;
    /// Makes an own token for scripts, which has the own roles.
    MakeOwnToken = "account.token", &Role::ALL, Again;
    /// Makes or ends a token for scripts of an organizer.
    MakeToken = "organizer.token", &[Role::Owner], Again;
    /// Sees how much is kept about a team.
    SeePrivate = "privacy.show", &[Role::Owner], Once;
    /// Erases what is private about teams.
    ErasePrivate = "privacy.erase", &[Role::Owner], Again;
    /// Sees the organizers and their roles.
    ListOrganizers = "organizer.list", &[Role::Owner], Once;
    /// Invites an organizer.
    AddOrganizer = "organizer.add", &[Role::Owner], Again;
    /// Gives an organizer other roles.
    SetRoles = "organizer.role", &[Role::Owner], Again;
    /// Takes an organizer's password and second factor away, and invites them anew.
    ResetOrganizer = "organizer.reset", &[Role::Owner], Again;
    /// Removes an organizer.
    RemoveOrganizer = "organizer.remove", &[Role::Owner], Again;
    /// Sees the teams: as the public does, or with addresses, or with what the freeze hides.
    ListTeams = "team.list", &Role::ALL, Once;
    /// Sees the challenges: as the public does with counts, or own ones whole, or all of them.
    ListChallenges = "challenge.list", &Role::ALL, Once;
    /// Sees how the event and the node are; without what the freeze hides for who may not see it.
    SeeOverview = "event.overview", &Role::ALL, Once;
    /// Watches what is new of all that the own roles see.
    WatchLive = "event.live", &Role::ALL, Once;
    /// Exports lists, as much of them as the own roles see, without addresses.
    ExportLists = "list.export", &Role::ALL, Once;
    /// Exports lists with the addresses of teams.
    ExportAddresses = "list.export_addresses", &[Role::Owner], Again;
    /// Sees the flags that teams sent; an author, those for own challenges.
    ListFlags = "flag.list", WRITERS_AND_HELPERS, Once;
    /// Sees what pairs of teams have in common.
    ListEvidence = "evidence.list", RUNNERS, Once;
    /// Sees what organizers did, of what the own roles may do.
    ListActions = "action.list", HELPERS, Once;
    /// Uploads a file for a challenge.
    UploadFile = "file.upload", AUTHORS, Once;
    /// Tries a flag; an author of the own challenges.
    TryFlag = "flag.try", AUTHORS, Once;
    /// Imports teams from a file, or undoes that.
    ImportTeams = "team.import", RUNNERS, Once;
    /// Sees the source of a challenge, with its flags; an author, of own ones.
    ReadChallenge = "challenge.read", AUTHORS, Once;
    /// Sees the settings, without secrets.
    SeeSettings = "settings.read", RUNNERS, Once;
    /// Downloads a backup, which holds the event's secret.
    DownloadBackup = "event.backup", &[Role::Owner], Again;
    /// Sends a test mail, to any server that could be set.
    TestMail = "mail.test", &[Role::Owner], Again;
    /// Sees the questions of teams; an author, those about own challenges.
    ListQuestions = "question.list", WRITERS_AND_HELPERS, Once;
    /// Sees notices, those that wait for their time too.
    ListNotices = "notice.list", WRITERS_AND_HELPERS, Once;
}

/// Permission to preview rules and pages, which is the one to write them.
pub struct WriteRules;

impl Permission for WriteRules {
    const RULE: Rule = Rules::RULE;
}

/// Rule of whoever previews a new challenge, which is the one to create it.
pub const CREATE_CHALLENGE: Rule = Create::RULE;

/// Rule of an import that mails each of its teams: mail does not come back, and a token must not
/// send it to whatever addresses.
pub const IMPORT_WITH_MAIL: Rule = Rule { factor: Factor::Again, ..ImportTeams::RULE };

/// All rules: of actions, and of other calls.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().chain(actions::ACTIONS.iter().map(|action| &action.rule))
}

/// The rule with a name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = rules().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules().count());
        assert!(rules().all(|rule| !rule.roles.is_empty()));
    }
}
