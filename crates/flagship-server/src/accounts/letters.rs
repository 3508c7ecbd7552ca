//! The mails that teams are sent: plain, short, each with what it is for and how long it is good.

use flagship_store::mail::Draft;

use super::Email;
use crate::app::App;

/// What every mail names.
pub struct House {
    event: String,
    public_url: String,
}

/// The links of one team; `None` where it has no use for one.
pub struct TeamLinks {
    /// The team's name.
    pub team: String,
    /// Token that confirms its address.
    pub confirm: Option<String>,
    /// Token that sets a new password.
    pub reset: Option<String>,
}

/// Longest line, in characters, unless one word is longer.
const LINE_CHARS_MAX: usize = 72;

const GOOD_FOR: &str = "The link works once, within 24 hours.";
const GOOD_FOR_ALL: &str = "Each link works once, within 24 hours.";
const NOT_YOU: &str = "If you did not ask for this, just ignore this mail: nothing happens.";

impl House {
    /// As the event is called now.
    pub fn of(app: &App) -> Self {
        let contest = app.contest();
        let name = contest.event().map(|event| event.name.as_str());
        // The name comes from a file; no header may grow a line by it.
        let event = name.unwrap_or("the CTF").replace(char::is_control, " ");
        Self { event, public_url: app.config().public_url.clone() }
    }

    /// After a signup.
    pub fn welcome(&self, to: &Email, team: &str, token: &str) -> Draft {
        let body = format!(
            "Hello!\n\nYour team \"{team}\" is signed up for {}. One step is left: open this \
             link and confirm that this is your address.\n\n{}\n\n{GOOD_FOR}\n{NOT_YOU}\n",
            self.event,
            self.confirm_link(token),
        );
        self.draft(to, "Confirm your team", body)
    }

    /// After a signup with an address that has a team; with a token when that one is not
    /// confirmed.
    pub fn address_used(&self, to: &Email, team: &str, token: Option<&str>) -> Draft {
        let next = match token {
            Some(token) => format!(
                "It is not confirmed yet. Open this link to do so:\n\n{}\n\n{GOOD_FOR}",
                self.confirm_link(token)
            ),
            None => format!(
                "If that was you: log in as \"{team}\". Should you have forgotten the password, \
                 set a new one here:\n\n{}/reset",
                self.public_url
            ),
        };
        let body = format!(
            "Hello!\n\nSomeone just tried to sign up a team for {} with this address, but it \
             already has one: \"{team}\".\n\n{next}\n\n{NOT_YOU}\n",
            self.event,
        );
        self.draft(to, "You already have a team", body)
    }

    /// The links that the owner of an address asked for, of all its teams.
    pub fn links(&self, to: &Email, subject: &str, teams: &[TeamLinks]) -> Draft {
        let mut body = format!("Hello!\n\nHere is what you asked for at {}.\n", self.event);
        for TeamLinks { team, confirm, reset } in teams {
            body += &format!("\nTeam \"{team}\"\n");
            if let Some(token) = confirm {
                body += &format!("Confirm your address:\n{}\n", self.confirm_link(token));
            }
            if let Some(token) = reset {
                body += &format!("Set a new password:\n{}/reset#{token}\n", self.public_url);
            }
        }
        body += &format!("\n{GOOD_FOR_ALL}\n{NOT_YOU}\n");
        self.draft(to, subject, body)
    }

    fn confirm_link(&self, token: &str) -> String {
        format!("{}/confirm#{token}", self.public_url)
    }

    fn draft(&self, to: &Email, subject: &str, body: String) -> Draft {
        let subject = format!("{subject} - {}", self.event);
        let body = body.lines().map(wrap).collect();
        Draft { address: to.as_str().to_owned(), subject, body }
    }
}

/// A paragraph in lines that every mail program shows as they are. A link is one word.
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
