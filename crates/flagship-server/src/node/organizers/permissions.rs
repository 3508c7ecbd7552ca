//! Permissions of organizer requests other than actions. A handler takes a permission as an
//! argument, which performs the check. The permissions of actions are in the crate
//! `flagship-actions`.

use flagship_actions::challenge::create::Create;
use flagship_actions::event::rules::Rules;
use flagship_actions::{
    self as actions, AUTHORS, Action, Factor, HELPERS, RUNNERS, Rule, WRITERS_AND_HELPERS,
};
use flagship_store::organizers::Role;

/// A permission for an organizer request. A handler takes it as an argument, which performs the
/// check.
pub trait Permission: Send + Sync + 'static {
    /// Required role and two-factor authentication.
    const RULE: Rule;
}

macro_rules! permissions {
    ($($(#[$doc:meta])* $permission:ident = $name:literal, $roles:expr, $factor:ident;)*) => {
        $($(#[$doc])*
        pub struct $permission;

        impl Permission for $permission {
            const RULE: Rule = Rule { name: $name, roles: $roles, factor: Factor::$factor };
        })*

        /// Permissions that are not actions.
        const RULES: &[Rule] = &[$($permission::RULE),*];
    };
}

permissions! {
    /// Allows reading one's own name, roles and sessions.
    OwnAccount = "account.own", &Role::ALL, Once;
    /// Allows ending one's own sessions and tokens. Requires recent two-factor authentication;
    /// otherwise a thief with a stolen session could lock its owner out.
    EndSession = "account.end", &Role::ALL, Again;
    /// Allows replacing one's own authenticator.
    ReplaceFactor = "account.factor", &Role::ALL, Again;
    /// Allows creating an API token with one's own roles.
    MakeOwnToken = "account.token", &Role::ALL, Again;
    /// Allows creating and revoking API tokens of any organizer.
    MakeToken = "organizer.token", &[Role::Owner], Again;
    /// Allows reading how much personal data is stored about a team.
    SeePrivate = "privacy.show", &[Role::Owner], Once;
    /// Allows erasing the personal data of teams.
    ErasePrivate = "privacy.erase", &[Role::Owner], Again;
    /// Allows listing organizers and their roles.
    ListOrganizers = "organizer.list", &[Role::Owner], Once;
    /// Allows inviting organizers.
    AddOrganizer = "organizer.add", &[Role::Owner], Again;
    /// Allows changing the roles of an organizer.
    SetRoles = "organizer.role", &[Role::Owner], Again;
    /// Allows removing an organizer's password and authenticator and sending a new invitation.
    ResetOrganizer = "organizer.reset", &[Role::Owner], Again;
    /// Allows removing organizers.
    RemoveOrganizer = "organizer.remove", &[Role::Owner], Again;
    /// Allows listing teams: the public view, or with email addresses, or with the unfrozen
    /// scoreboard.
    ListTeams = "team.list", &Role::ALL, Once;
    /// Allows listing challenges: the public view with counts, one's own in full, or all in full.
    ListChallenges = "challenge.list", &Role::ALL, Once;
    /// Allows reading the state of the event and of the node. Frozen results are hidden depending
    /// on the role.
    SeeOverview = "event.overview", &Role::ALL, Once;
    /// Allows watching for changes of everything one's own roles can see.
    WatchLive = "event.live", &Role::ALL, Once;
    /// Allows exporting lists without email addresses, limited to what one's own roles can see.
    ExportLists = "list.export", &Role::ALL, Once;
    /// Allows exporting lists with the email addresses of teams.
    ExportAddresses = "list.export_addresses", &[Role::Owner], Again;
    /// Allows listing submissions; authors see those for their own challenges.
    ListFlags = "flag.list", WRITERS_AND_HELPERS, Once;
    /// Allows reading evidence.
    ListEvidence = "evidence.list", RUNNERS, Once;
    /// Allows reading the audit log, limited to actions that one's own roles may perform.
    ListActions = "action.list", HELPERS, Once;
    /// Allows uploading files for challenges.
    UploadFile = "file.upload", AUTHORS, Once;
    /// Allows testing flags; authors can test the flags of their own challenges.
    TryFlag = "flag.try", AUTHORS, Once;
    /// Allows importing teams from a file and undoing an import.
    ImportTeams = "team.import", RUNNERS, Once;
    /// Allows making join cards, whose links and codes log in as their teams.
    MakeCards = "team.cards", RUNNERS, Again;
    /// Allows reading the source of a challenge, with its flags; authors can read their own.
    ReadChallenge = "challenge.read", AUTHORS, Once;
    /// Allows reading the settings, without secrets.
    SeeSettings = "settings.read", RUNNERS, Once;
    /// Allows reading signup codes.
    ListCodes = "code.list", RUNNERS, Once;
    /// Allows applying event files, and reading the live edits for them with all flags.
    ApplyFiles = "event.apply", RUNNERS, Once;
    /// Allows checking the journal, the audit log, the mail server and the machine.
    CheckEvent = "event.check", RUNNERS, Once;
    /// Allows downloading a backup, which contains the event secret.
    DownloadBackup = "event.backup", &[Role::Owner], Again;
    /// Allows reading the sealed ranking for the ceremony, after the end and before the reveal.
    /// Requires recent two-factor authentication, because the computer is connected to a projector.
    HoldCeremony = "event.ceremony", RUNNERS, Again;
    /// Allows sending a test email to any server that could be configured.
    TestMail = "mail.test", &[Role::Owner], Again;
    /// Allows reading questions of teams; authors see those about their own challenges.
    ListQuestions = "question.list", WRITERS_AND_HELPERS, Once;
    /// Allows reading notices, including scheduled ones.
    ListNotices = "notice.list", WRITERS_AND_HELPERS, Once;
}

/// Permission to preview rules and pages: the same as for editing them.
pub struct WriteRules;

impl Permission for WriteRules {
    const RULE: Rule = Rules::RULE;
}

/// Permission rule for previewing a new challenge: the same as for creating it.
pub const CREATE_CHALLENGE: Rule = Create::RULE;

/// Permission rule for an import that emails each team. Emails cannot be undone, and an API token
/// must not be able to send them to arbitrary addresses.
pub const IMPORT_WITH_MAIL: Rule = Rule { factor: Factor::Again, ..ImportTeams::RULE };

/// Rules of all actions and other requests.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().chain(actions::ACTIONS.iter().map(|action| &action.rule))
}

/// Rule with a name.
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
