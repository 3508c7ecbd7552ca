//! Emails to teams, one method per email. Every email states its purpose and the lifetime of its
//! links.

use flagship_game::Contest;
use flagship_store::mail::{Draft, Purpose};

use super::address::Email;
use super::language::Language;
use super::texts::{Texts, fill};

/// Context of every email: the event and its site.
pub struct MailContext {
    event: Option<String>,
    public_url: String,
}

/// Emails in one language.
pub struct Letters<'a> {
    context: &'a MailContext,
    language: Language,
    texts: &'static Texts,
}

/// Tokens for the links of one team; `None` for links it does not need.
pub struct TeamLinks {
    /// Team name.
    pub team: String,
    /// Token that confirms the email address.
    pub confirm: Option<String>,
    /// Token that sets a new password.
    pub reset: Option<String>,
}

impl TeamLinks {
    /// True if the team needs no link.
    pub fn is_empty(&self) -> bool {
        self.confirm.is_none() && self.reset.is_none()
    }
}

/// Maximum line length in characters. A longer word gets its own line.
const LINE_CHARS_MAX: usize = 72;

/// Characters that make email clients turn a text into a link, unless white space follows. The last
/// ones count as dots in international domain names.
const LINK_MARKS: [char; 11] = ['.', ':', '/', '@', '：', '／', '＠', '。', '．', '｡', '․'];

/// Isolates a name from text of the other direction (UAX 9).
const ISOLATE: (char, char) = ('\u{2068}', '\u{2069}');

/// Non-breaking white space.
const NO_BREAK: char = '\u{a0}';

/// Subject of the test email.
const TEST_SUBJECT: &str = "Test email";
const TEST: &str = "Email for {event} is working. An organizer requested this test.";

impl MailContext {
    /// Creates the context for the current event.
    pub fn new(contest: &Contest, public_url: &str) -> Self {
        let event = contest.event().map(|event| event.name.as_str());
        // The name comes from a file. It must not add a line to a header.
        let event = event.map(|name| name.replace(char::is_control, " "));
        Self { event, public_url: public_url.to_owned() }
    }

    /// Emails in a language, or in English if it is not known.
    pub fn in_language(&self, language: Option<Language>) -> Letters<'_> {
        let language = language.unwrap_or_default();
        Letters { context: self, language, texts: language.texts() }
    }

    /// Test email that an organizer requests, in English.
    pub fn test(&self, to: &Email) -> Draft {
        let letters = self.in_language(None);
        let paragraphs = [letters.named(TEST, ""), self.public_url.clone()];
        letters.draft(to.as_str(), TEST_SUBJECT, &paragraphs)
    }

    fn link(&self, page: &str, token: &str) -> String {
        format!("{}/{page}#{token}", self.public_url)
    }
}

impl Letters<'_> {
    /// Email after a signup.
    pub fn welcome(&self, to: &Email, team: &str, token: &str) -> Draft {
        self.signed_up(&self.texts.welcome, to, team, token)
    }

    /// Email after a signup for the waiting list.
    pub fn welcome_waiting(&self, to: &Email, team: &str, token: &str) -> Draft {
        self.signed_up(&self.texts.welcome_waiting, to, team, token)
    }

    fn signed_up(&self, welcome: &str, to: &Email, team: &str, token: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(welcome, team),
            self.context.link("confirm", token),
            lines(&texts.once, &texts.not_you),
        ];
        self.draft(to.as_str(), &texts.confirm_subject, &paragraphs)
    }

    /// Email after a signup with an address that belongs to a confirmed team.
    pub fn address_used(&self, to: &Email, team: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(&texts.taken, team),
            self.named(&texts.taken_login, team),
            format!("{}/reset", self.context.public_url),
            texts.not_you.to_string(),
        ];
        self.draft(to.as_str(), &texts.taken_subject, &paragraphs)
    }

    /// Email to a team from the waiting list that gets a place.
    pub fn place_free(&self, to: &str, team: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(&texts.place, team),
            format!("{}/login", self.context.public_url),
            texts.unknown_team.to_string(),
        ];
        self.draft(to, &texts.place_subject, &paragraphs)
    }

    /// Email with the requested links, for all teams of an address.
    pub fn links(&self, to: &Email, purpose: Purpose, teams: &[TeamLinks]) -> Draft {
        let (texts, link) = (self.texts, |page, token: &str| self.context.link(page, token));
        let (subject, good_for) = match purpose {
            Purpose::Confirm => (&texts.confirm_subject, &texts.each_once_from_signup),
            Purpose::Reset => (&texts.reset_subject, &texts.each_once),
        };
        let of_team = |TeamLinks { team, confirm, reset }: &TeamLinks| {
            let confirm = confirm.as_ref().map(|it| (&texts.confirm_here, link("confirm", it)));
            let reset = reset.as_ref().map(|it| (&texts.reset_here, link("reset", it)));
            let links = confirm.into_iter().chain(reset);
            let links = links.map(|(what, link)| format!("\n{what}\n{link}"));
            self.named(&texts.of_team, team) + &links.collect::<String>()
        };
        let mut paragraphs = vec![self.named(&texts.asked, "")];
        paragraphs.extend(teams.iter().map(of_team));
        paragraphs.push(lines(good_for, &texts.not_you));
        self.draft(to.as_str(), subject, &paragraphs)
    }

    /// Email to a team that organizers imported, with a link that sets its password and is valid
    /// for some days.
    pub fn imported(&self, to: &str, team: &str, token: &str, days: i64) -> Draft {
        let texts = self.texts;
        let days = days.to_string();
        let good_for = fill(&texts.once_for_days, &[("days", days.as_str())]);
        let paragraphs = [
            self.named(&texts.sent_reset, team),
            self.context.link("reset", token),
            lines(&good_for, &texts.unknown_team),
        ];
        self.draft(to, &texts.reset_subject, &paragraphs)
    }

    /// Email with a link that an organizer sends to a team.
    pub fn organizers_link(&self, to: &str, purpose: Purpose, team: &str, token: &str) -> Draft {
        let texts = self.texts;
        let (subject, what, page, good_for) = match purpose {
            Purpose::Confirm => {
                (&texts.confirm_subject, &texts.sent_confirm, "confirm", &texts.once_from_signup)
            }
            Purpose::Reset => (&texts.reset_subject, &texts.sent_reset, "reset", &texts.once),
        };
        let paragraphs = [
            self.named(what, team),
            self.context.link(page, token),
            lines(good_for, &texts.unknown_team),
        ];
        self.draft(to, subject, &paragraphs)
    }

    /// Email to the previous address about a change, with a link to cancel it. `at_once` is true if
    /// an organizer confirmed the change.
    pub fn address_changes(&self, to: &str, team: &str, token: &str, at_once: bool) -> Draft {
        let texts = self.texts;
        let what = if at_once { &texts.changes_now } else { &texts.changes_later };
        let paragraphs = [
            self.named(what, team),
            texts.stop_here.to_string(),
            self.context.link("stop", token),
            texts.fine_if_asked.to_string(),
        ];
        self.draft(to, &texts.changed_subject, &paragraphs)
    }

    /// Email to the new address of a team.
    pub fn new_address(&self, to: &Email, team: &str, at_once: bool) -> Draft {
        let texts = self.texts;
        let what = if at_once { &texts.new_now } else { &texts.new_later };
        let paragraphs = [self.named(what, team), texts.tell_organizers.to_string()];
        self.draft(to.as_str(), &texts.new_subject, &paragraphs)
    }

    /// Email to an address that a team requested, with the link that confirms it.
    pub fn asked_address(&self, to: &Email, team: &str, token: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(&texts.wanted, team),
            self.context.link("address", token),
            lines(&texts.once, &texts.not_you),
        ];
        self.draft(to.as_str(), &texts.wanted_subject, &paragraphs)
    }

    /// Email to an address that a team requested but another team uses.
    pub fn asked_address_used(&self, to: &Email, team: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [self.named(&texts.other, team), texts.not_you.to_string()];
        self.draft(to.as_str(), &texts.other_subject, &paragraphs)
    }

    /// Email to the current address when the team requests another one.
    pub fn address_asked(&self, to: &str, team: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(&texts.told, team),
            texts.told_reset.to_string(),
            format!("{}/reset", self.context.public_url),
            texts.fine_if_you.to_string(),
        ];
        self.draft(to, &texts.told_subject, &paragraphs)
    }

    /// Email to the previous address after the team confirmed a change, with a link to undo it.
    pub fn address_confirmed(&self, to: &str, team: &str, token: &str) -> Draft {
        let texts = self.texts;
        let paragraphs = [
            self.named(&texts.confirmed, team),
            texts.take_back.to_string(),
            self.context.link("stop", token),
            texts.fine_if_you.to_string(),
        ];
        self.draft(to, &texts.changed_subject, &paragraphs)
    }

    fn draft(&self, to: &str, subject: &str, paragraphs: &[String]) -> Draft {
        let subject = format!("{subject} - {}", self.event());
        let body = format!("{}\n\n{}\n", self.texts.hello, paragraphs.join("\n\n"));
        let body = body.lines().map(wrap).collect();
        Draft { address: to.to_owned(), subject, body }
    }

    /// Fills in the names of the event and of a team.
    fn named(&self, text: &str, team: &str) -> String {
        let (event, team) = (self.event(), self.isolated(&defanged(team)));
        fill(text, &[("event", event.as_str()), ("team", team.as_str())])
    }

    fn event(&self) -> String {
        self.isolated(self.context.event.as_deref().unwrap_or(&self.texts.unnamed))
    }

    /// Isolates a name so that it does not change the direction of the surrounding text. Links are
    /// not isolated, because email clients would treat the marks as part of the link; each link has
    /// its own line.
    fn isolated(&self, name: &str) -> String {
        match self.language.is_right_to_left() {
            true => format!("{}{name}{}", ISOLATE.0, ISOLATE.1),
            false => name.to_owned(),
        }
    }
}

fn lines(one: &str, other: &str) -> String {
    format!("{one}\n{other}")
}

/// Rewrites a team name so that no email client turns it into a link. Otherwise an attacker could
/// make this server send links to others through team names.
fn defanged(name: &str) -> String {
    let mut defanged = String::new();
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let is_mark = LINK_MARKS.contains(&c) && chars.peek().is_some_and(|c| !c.is_whitespace());
        match is_mark {
            true => defanged.extend(['[', c, ']']),
            false => defanged.push(c),
        }
    }
    defanged
}

/// Wraps a paragraph into lines that every email client shows unchanged. A link is one word.
fn wrap(paragraph: &str) -> String {
    let mut lines = String::new();
    let mut chars = 0;
    let is_break = |c: char| c.is_whitespace() && c != NO_BREAK;
    for word in paragraph.split(is_break).filter(|word| !word.is_empty()) {
        let word_chars = word.chars().count();
        if chars > 0 {
            let fits = chars + 1 + word_chars <= LINE_CHARS_MAX;
            lines.push(if fits { ' ' } else { '\n' });
            chars = if fits { chars + 1 } else { 0 };
        }
        lines.push_str(word);
        chars += word_chars;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::texts::FILES;
    use super::*;

    const URL: &str = "https://ctf.example.org";
    const TEAM: &str = "{event} Team";

    fn context() -> MailContext {
        MailContext { event: Some("{team} CTF".to_owned()), public_url: URL.to_owned() }
    }

    /// One email of each kind.
    fn all(letters: &Letters<'_>) -> Vec<Draft> {
        let to = Email::parse("ada@example.org").expect("an address");
        let links = |confirm: bool| TeamLinks {
            team: TEAM.to_owned(),
            confirm: confirm.then(|| "-t0ken_".to_owned()),
            reset: Some("-t0ken_".to_owned()),
        };
        let mut all = vec![
            letters.welcome(&to, TEAM, "-t0ken_"),
            letters.welcome_waiting(&to, TEAM, "-t0ken_"),
            letters.address_used(&to, TEAM),
            letters.place_free("ada@example.org", TEAM),
            letters.asked_address(&to, TEAM, "-t0ken_"),
            letters.asked_address_used(&to, TEAM),
            letters.address_asked("ada@example.org", TEAM),
            letters.address_confirmed("ada@example.org", TEAM, "-t0ken_"),
            letters.imported("ada@example.org", TEAM, "-t0ken_", 9),
        ];
        for purpose in [Purpose::Confirm, Purpose::Reset] {
            all.push(letters.links(&to, purpose, &[links(true), links(false)]));
            all.push(letters.organizers_link("ada@example.org", purpose, TEAM, "-t0ken_"));
        }
        for at_once in [true, false] {
            all.push(letters.address_changes("ada@example.org", TEAM, "-t0ken_", at_once));
            all.push(letters.new_address(&to, TEAM, at_once));
        }
        all
    }

    #[test]
    fn mails_of_every_language_have_names_and_links_that_stand_alone() {
        let context = context();
        for (code, _) in FILES {
            let language = Language::kept(Some(code)).expect("it has texts");
            for Draft { subject, body, .. } in all(&context.in_language(Some(language))) {
                let words = format!("{subject}\n{body}");
                for line in words.lines().filter(|line| line.contains("://")) {
                    assert!(line.starts_with(URL) && line.is_ascii(), "{code}: {words}");
                    assert!(!line.contains(' '), "{code}: {words}");
                }
                let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
                let (team, event) = match language.is_right_to_left() {
                    true => ("\u{2068}{event} Team\u{2069}", "\u{2068}{team} CTF\u{2069}"),
                    false => (TEAM, "{team} CTF"),
                };
                assert!(words.contains(team) && words.contains(event), "{code}: {words}");
                let rest = words.replace(team, "").replace(event, "");
                let is_mark = |c: char| matches!(c, '{' | '}' | '\u{2068}' | '\u{2069}');
                assert!(!rest.contains(is_mark), "{code}: {rest}");
            }
        }
    }

    #[test]
    fn a_mail_without_a_known_language_is_english_and_one_without_an_event_names_none() {
        let mut context = context();
        let to = Email::parse("ada@example.org").expect("an address");
        context.event = None;
        let english = context.in_language(None).welcome(&to, "Mr. Robot", "t0ken");
        assert_eq!(english.subject, "Confirm your team - the CTF");
        assert_eq!(
            english.body,
            "Hello!\n\nYour team \"Mr. Robot\" is signed up for the CTF. To activate it, open\n\
             this link and confirm your email address.\n\n\
             https://ctf.example.org/confirm#t0ken\n\nThe link works once and expires in 24 hours.\n\
             If you did not request this, you can ignore this email.\n",
        );
        let french = context.in_language(Language::kept(Some("fr"))).welcome(&to, "É.T.", "t0ken");
        assert_eq!(french.subject, "Confirme ton équipe - CTF");
        assert!(french.body.contains("«\u{a0}É[.]T.\u{a0}»"), "{}", french.body);
    }

    #[test]
    fn names_that_look_like_links_are_defanged() {
        let table = [
            ("Mr. Robot", "Mr. Robot"),
            ("We are no. 1.", "We are no. 1."),
            ("h4ck.me", "h4ck[.]me"),
            ("https://evil.example", "https[:][/][/]evil[.]example"),
            ("eve@evil", "eve[@]evil"),
            ("evil。example", "evil[。]example"),
        ];
        for (name, written) in table {
            assert_eq!(defanged(name), written);
        }
    }

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let long = "https://ctf.example.org/".to_owned() + &"x".repeat(100);
        let table = [
            ("", "\n"),
            ("a  b", "a b\n"),
            (&format!("{} c\u{a0}!", "x".repeat(70)), &format!("{}\nc\u{a0}!\n", "x".repeat(70))),
            (&format!("see {long} now"), &format!("see\n{long}\nnow\n")),
            (&"word ".repeat(15), &format!("{}\nword\n", ["word"; 14].join(" "))),
        ];
        for (paragraph, lines) in table {
            assert_eq!(wrap(paragraph), lines);
        }
    }
}
