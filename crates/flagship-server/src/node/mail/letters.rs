//! The texts of mails to teams. Each says what it is for and how long its links are valid.

use flagship_game::Contest;
use flagship_store::mail::{Draft, Purpose};

use super::address::Email;

/// What every mail refers to: the event and its site.
pub struct MailContext {
    event: String,
    public_url: String,
}

/// The tokens for the links of one team; `None` if it needs no such link.
pub struct TeamLinks {
    /// The team's name.
    pub team: String,
    /// The token that confirms its address.
    pub confirm: Option<String>,
    /// The token that sets a new password.
    pub reset: Option<String>,
}

impl TeamLinks {
    /// Whether the team needs no link.
    pub fn is_empty(&self) -> bool {
        self.confirm.is_none() && self.reset.is_none()
    }
}

/// Longest line, in characters, unless one word is longer.
const LINE_CHARS_MAX: usize = 72;

/// The characters that make mail programs show a text as a link, if no white space follows. The
/// last ones count as dots in international domain names.
const LINK_MARKS: [char; 11] = ['.', ':', '/', '@', '：', '／', '＠', '。', '．', '｡', '․'];

const GOOD_FOR: &str = "The link works once, within 24 hours.";
const GOOD_FOR_SIGNUP: &str = "Each link works once, within 24 hours of the team's signup.";
const GOOD_FOR_ALL: &str = "Each link works once, within 24 hours.";
const NOT_YOU: &str = "If you did not ask for this, just ignore this mail: nothing happens.";

impl MailContext {
    /// The context for an event as it is now.
    pub fn new(contest: &Contest, public_url: &str) -> Self {
        let name = contest.event().map(|event| event.name.as_str());
        // The name comes from a file and must not add a line to a header.
        let event = name.unwrap_or("the CTF").replace(char::is_control, " ");
        Self { event, public_url: public_url.to_owned() }
    }

    /// The mail after a signup.
    pub fn welcome(&self, to: &Email, team: &str, token: &str) -> Draft {
        let body = format!(
            "Hello!\n\nYour team \"{}\" is signed up for {}. One step is left: open this \
             link and confirm that this is your address.\n\n{}\n\n{GOOD_FOR}\n{NOT_YOU}\n",
            defanged(team),
            self.event,
            self.confirm_link(token),
        );
        self.draft(to, "Confirm your team", body)
    }

    /// The mail after a signup with an address that has a confirmed team.
    pub fn address_used(&self, to: &Email, team: &str) -> Draft {
        let team = defanged(team);
        let body = format!(
            "Hello!\n\nSomeone just tried to sign up a team for {} with this address, but it \
             already has one: \"{team}\".\n\nIf that was you: log in as \"{team}\". Should \
             you have forgotten the password, set a new one here:\n\n{}/reset\n\n{NOT_YOU}\n",
            self.event, self.public_url,
        );
        self.draft(to, "You already have a team", body)
    }

    /// The mail that an organizer sends to see whether mail works.
    pub fn test(&self, to: &Email) -> Draft {
        let body = format!(
            "Hello!\n\nMail of {} works: this is the test that an organizer asked for.\n\n{}\n",
            self.event, self.public_url,
        );
        self.draft(to, "Test mail", body)
    }

    /// The mail with requested links, for all teams of an address.
    pub fn links(&self, to: &Email, purpose: Purpose, teams: &[TeamLinks]) -> Draft {
        let (subject, good_for) = match purpose {
            Purpose::Confirm => ("Confirm your team", GOOD_FOR_SIGNUP),
            Purpose::Reset => ("Set a new password", GOOD_FOR_ALL),
        };
        let mut body = format!("Hello!\n\nHere is what you asked for at {}.\n", self.event);
        for TeamLinks { team, confirm, reset } in teams {
            body += &format!("\nTeam \"{}\"\n", defanged(team));
            if let Some(token) = confirm {
                body += &format!("Confirm your address:\n{}\n", self.confirm_link(token));
            }
            if let Some(token) = reset {
                body += &format!("Set a new password:\n{}/reset#{token}\n", self.public_url);
            }
        }
        body += &format!("\n{good_for}\n{NOT_YOU}\n");
        self.draft(to, subject, body)
    }

    /// The mail with a link that an organizer sends a team.
    pub fn organizers_link(&self, to: &str, purpose: Purpose, team: &str, token: &str) -> Draft {
        let team = defanged(team);
        let (subject, what, link, good_for) = match purpose {
            Purpose::Confirm => (
                "Confirm your team",
                "confirms your address",
                self.confirm_link(token),
                "The link works once, within 24 hours of the team's signup.",
            ),
            Purpose::Reset => (
                "Set a new password",
                "sets a new password",
                format!("{}/reset#{token}", self.public_url),
                GOOD_FOR,
            ),
        };
        let body = format!(
            "Hello!\n\nThe organizers of {} send you a link for the team \"{team}\". It {what}:\
             \n\n{link}\n\n{good_for}\nIf you know nothing of this team, ignore this mail.\n",
            self.event,
        );
        self.draft_to(to, subject, body)
    }

    /// The mail to the address before a change, which it can stop. `at_once` is true if an
    /// organizer has confirmed the change.
    pub fn address_changes(&self, to: &str, team: &str, token: &str, at_once: bool) -> Draft {
        let team = defanged(team);
        let when = match at_once {
            true => "From now on, its mails go to another address.",
            false => {
                "For 24 hours its links still come here; then its mails go to another address."
            }
        };
        let body = format!(
            "Hello!\n\nThe organizers of {} were asked to change the address of your team \
             \"{team}\". {when}\n\nIf you did not ask for this, open this link within 24 hours \
             and stop it:\n\n{}/stop#{token}\n\nIf you did, there is nothing to do.\n",
            self.event, self.public_url,
        );
        self.draft_to(to, "Your address is changed", body)
    }

    /// The mail to the new address of a team.
    pub fn new_address(&self, to: &Email, team: &str, at_once: bool) -> Draft {
        let team = defanged(team);
        let when = match at_once {
            true => "now",
            false => "in 24 hours, unless the address before objects",
        };
        let body = format!(
            "Hello!\n\nThe organizers of {} have changed the address of the team \"{team}\" to \
             this one. It counts {when}.\n\nIf you know nothing of this team, tell the \
             organizers.\n",
            self.event,
        );
        self.draft(to, "Your team's new address", body)
    }

    /// The mail to an address that a team asked for, with the link that makes it the team's.
    pub fn asked_address(&self, to: &Email, team: &str, token: &str) -> Draft {
        let body = format!(
            "Hello!\n\nYour team \"{}\" wants the mails of {} at this address. Open this link \
             and confirm that it is yours.\n\n{}/address#{token}\n\n{GOOD_FOR}\n{NOT_YOU}\n",
            defanged(team),
            self.event,
            self.public_url,
        );
        self.draft(to, "Confirm your team's new address", body)
    }

    /// The mail to an address that a team asked for, and that another team has.
    pub fn asked_address_used(&self, to: &Email, team: &str) -> Draft {
        let body = format!(
            "Hello!\n\nA team of {} wants its mails at this address, but the address already has \
             a team: \"{}\". It stays so.\n\n{NOT_YOU}\n",
            self.event,
            defanged(team),
        );
        self.draft(to, "This address already has a team", body)
    }

    /// The mail to a team's address when the team asks for another one.
    pub fn address_asked(&self, to: &str, team: &str) -> Draft {
        let body = format!(
            "Hello!\n\nSomeone who knows the password of your team \"{}\" wants its mails of {} \
             at another address. Until a link that was sent there is opened, they come \
             here.\n\nIf that was not you, set a new password now, which ends that link and \
             logs everyone out:\n\n{}/reset\n\nIf it was, there is nothing to do.\n",
            defanged(team),
            self.event,
            self.public_url,
        );
        self.draft_to(to, "Another address was asked for", body)
    }

    /// The mail to the address before, which can stop the change that the team has confirmed.
    pub fn address_confirmed(&self, to: &str, team: &str, token: &str) -> Draft {
        let body = format!(
            "Hello!\n\nFrom now on, the mails of your team \"{}\" at {} go to another address, \
             which someone who knows its password has confirmed.\n\nIf that was not you, open \
             this link within 24 hours and take the change back:\n\n{}/stop#{token}\n\nIf it \
             was, there is nothing to do.\n",
            defanged(team),
            self.event,
            self.public_url,
        );
        self.draft_to(to, "Your address is changed", body)
    }

    fn confirm_link(&self, token: &str) -> String {
        format!("{}/confirm#{token}", self.public_url)
    }

    fn draft(&self, to: &Email, subject: &str, body: String) -> Draft {
        self.draft_to(to.as_str(), subject, body)
    }

    fn draft_to(&self, to: &str, subject: &str, body: String) -> Draft {
        let subject = format!("{subject} - {}", self.event);
        let body = body.lines().map(wrap).collect();
        Draft { address: to.to_owned(), subject, body }
    }
}

/// A team's name in a form that no mail program shows as a link. An attacker may choose a name so
/// that this server mails his link to others.
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

/// Wraps a paragraph into lines that every mail program shows unchanged. A link is one word.
fn wrap(paragraph: &str) -> String {
    let mut lines = String::new();
    let mut chars = 0;
    for word in paragraph.split_whitespace() {
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
    use super::*;

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
            (&format!("see {long} now"), &format!("see\n{long}\nnow\n")),
            (&"word ".repeat(15), &format!("{}\nword\n", ["word"; 14].join(" "))),
        ];
        for (paragraph, lines) in table {
            assert_eq!(wrap(paragraph), lines);
        }
    }
}
