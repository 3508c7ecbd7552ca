//! The one table of what organizers may do: routes, menus and the authorization test read it.

use flagship_store::organizers::Role;

/// How recent the second factor has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Given once in the session; a token needs none.
    Once,
    /// Given in the last [`super::FRESH_MS`]; never by a token.
    Again,
}

/// Who may do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name for programs: `organizer.add`.
    pub name: &'static str,
    /// The roles that have it.
    pub roles: &'static [Role],
    /// Whether the second factor is asked for again.
    pub factor: Factor,
}

/// Something that organizers do. A handler names it in its arguments, which is the check.
pub trait Action: Send + Sync + 'static {
    /// Who may do it.
    const RULE: Rule;
}

/// Those who help teams.
const HELPERS: &[Role] = &[Role::Support, Role::Organizer, Role::Owner];
/// Those who help teams, and authors with their own challenges.
const WRITERS_AND_HELPERS: &[Role] = &[Role::Author, Role::Support, Role::Organizer, Role::Owner];
/// Those who write challenges.
const AUTHORS: &[Role] = &[Role::Author, Role::Organizer, Role::Owner];
/// Those who run the contest.
const RUNNERS: &[Role] = &[Role::Organizer, Role::Owner];

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident = $name:literal, $roles:expr, $factor:ident;)*) => {
        $($(#[$doc])*
        pub struct $action;

        impl Action for $action {
            const RULE: Rule = Rule { name: $name, roles: $roles, factor: Factor::$factor };
        })*

        /// All of them.
        pub const RULES: &[Rule] = &[$($action::RULE),*];
    };
}

actions! {
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
    /// Says how organizers see what teams have in common.
    MarkEvidence = "evidence.state", RUNNERS, Once;
    /// Sees what organizers did, of what the own roles may do.
    ListActions = "action.list", HELPERS, Once;
    /// Uploads a file for a challenge.
    UploadFile = "file.upload", AUTHORS, Once;
    /// Tries a flag; an author of the own challenges.
    TryFlag = "flag.try", AUTHORS, Once;
    /// Confirms a team's address.
    ConfirmTeam = "team.confirm", HELPERS, Once;
    /// Mails a team a new confirmation link.
    ResendLink = "team.resend", HELPERS, Once;
    /// Mails a team a link that sets a new password.
    ResetLink = "team.reset", HELPERS, Once;
    /// Changes a team's address.
    ChangeAddress = "team.address", HELPERS, Again;
    /// Makes a code that sets a new password, to be told to a team.
    TellCode = "team.code", RUNNERS, Again;
    /// Ends a team's sessions, and the links and codes that it has not used.
    EndTeamSessions = "team.end_sessions", HELPERS, Once;
    /// Bans a team.
    BanTeam = "team.ban", RUNNERS, Once;
    /// Undoes a ban.
    UnbanTeam = "team.unban", RUNNERS, Once;
    /// Hides a team.
    HideTeam = "team.hide", RUNNERS, Once;
    /// Shows a hidden team again.
    ShowTeam = "team.show", RUNNERS, Once;
    /// Gives a team another name.
    RenameTeam = "team.rename", HELPERS, Once;
    /// Gives a team another country.
    SetCountry = "team.country", HELPERS, Once;
    /// Notes something about a team for other organizers.
    NoteTeam = "team.note", HELPERS, Once;
    /// Writes a message to a team.
    MessageTeam = "team.message", HELPERS, Once;
    /// Gives a team points, or takes them.
    AwardPoints = "team.award", RUNNERS, Once;
    /// Withdraws a solve, or all of a challenge.
    WithdrawSolve = "solve.withdraw", RUNNERS, Once;
    /// Makes a team for organizers to play with, hidden from its first moment.
    MakeTestTeam = "team.test", RUNNERS, Once;
    /// Imports teams from a file, or undoes that.
    ImportTeams = "team.import", RUNNERS, Once;
    /// Counts a solve as if it had come at a time.
    CountSolve = "solve.count", RUNNERS, Once;
    /// Makes a challenge, which is hidden until it is released.
    CreateChallenge = "challenge.create", RUNNERS, Once;
    /// Changes what a challenge says; an author, what moves no points of own ones.
    EditChallenge = "challenge.edit", AUTHORS, Once;
    /// Takes no flags of a challenge from a time on.
    CloseChallenge = "challenge.close", RUNNERS, Once;
    /// Sees the source of a challenge, with its flags; an author, of own ones.
    ReadChallenge = "challenge.read", AUTHORS, Once;
    /// Shows challenges, now or at a time.
    ReleaseChallenges = "challenge.release", RUNNERS, Once;
    /// Hides a challenge.
    HideChallenge = "challenge.hide", RUNNERS, Once;
    /// Counts flags that were refused and are right now.
    RejudgeChallenge = "challenge.rejudge", RUNNERS, Once;
    /// Tells players how a challenge is.
    SetStatus = "challenge.status", WRITERS_AND_HELPERS, Once;
    /// Names the event, and says its time zone and what flags look like.
    NameEvent = "event.name", RUNNERS, Once;
    /// Writes the rules.
    WriteRules = "event.rules", RUNNERS, Once;
    /// Sets how the site presents the event: colours, pictures, links, sponsors.
    SetBrand = "brand.set", RUNNERS, Once;
    /// Writes a page of the event's own.
    WritePage = "page.set", RUNNERS, Once;
    /// Removes a page of the event's own.
    RemovePage = "page.remove", RUNNERS, Once;
    /// Writes the answers that organizers have ready.
    WriteAnswers = "answers.set", HELPERS, Once;
    /// Sees the settings, without secrets.
    SeeSettings = "settings.read", RUNNERS, Once;
    /// Sets what `event.toml` sets too.
    SetSettings = "settings.set", &[Role::Owner], Again;
    /// Downloads a backup, which holds the event's secret.
    DownloadBackup = "event.backup", &[Role::Owner], Again;
    /// Sends a test mail, to any server that could be set.
    TestMail = "mail.test", &[Role::Owner], Again;
    /// Moves the times of the event; asks for the second factor again if that takes something from
    /// players.
    MoveTimes = "event.times", RUNNERS, Once;
    /// Takes no flags until the event is resumed.
    PauseEvent = "event.pause", RUNNERS, Once;
    /// Takes flags again.
    ResumeEvent = "event.resume", RUNNERS, Once;
    /// Shows what the freeze hides; asks for the second factor again before the end.
    RevealEvent = "event.reveal", RUNNERS, Once;
    /// Publishes a notice.
    PostNotice = "notice.post", RUNNERS, Once;
    /// Corrects a notice.
    CorrectNotice = "notice.correct", RUNNERS, Once;
    /// Withdraws a notice.
    WithdrawNotice = "notice.withdraw", RUNNERS, Once;
    /// Answers a question; to all, if the contest is theirs to run.
    AnswerQuestion = "question.answer", WRITERS_AND_HELPERS, Once;
    /// Closes a question.
    CloseQuestion = "question.close", WRITERS_AND_HELPERS, Once;
    /// Sees the questions of teams; an author, those about own challenges.
    ListQuestions = "question.list", WRITERS_AND_HELPERS, Once;
    /// Sees notices, those that wait for their time too.
    ListNotices = "notice.list", WRITERS_AND_HELPERS, Once;
}

/// Rule of an import that mails each of its teams: mail does not come back, and a token must not
/// send it to whatever addresses.
pub const IMPORT_WITH_MAIL: Rule = Rule { factor: Factor::Again, ..ImportTeams::RULE };

/// The rule with a name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// True if the fields of an action have no text to render, so that it waits for nobody's.
pub fn is_light(action: &str) -> bool {
    const LIGHT: [&str; 13] = [
        "challenge.hide",
        "challenge.rejudge",
        "challenge.release",
        "challenge.status",
        "event.pause",
        "event.resume",
        "event.reveal",
        "event.times",
        "evidence.state",
        "notice.withdraw",
        "page.remove",
        "question.close",
        "solve.withdraw",
    ];
    LIGHT.contains(&action) || action.starts_with("team.") || action == "solve.count"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(RULES.iter().all(|rule| !rule.roles.is_empty()));
        assert!(flagship_store::ops::Action::NAMES.iter().all(|name| rule(name).is_some()));
    }
}
