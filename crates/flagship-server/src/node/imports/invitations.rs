//! Emails to imported teams, each with a link that sets the team's password.

use flagship_game::Contest;
use flagship_store::accounts::NewAccount;
use flagship_store::ops::Invitation;

use flagship_actions::mail::language::Language;
use flagship_actions::mail::letters::MailContext;
use flagship_actions::mail::token::new_link_token;

/// Minimum number of days for which the links are valid.
const DAYS_MIN: i64 = 7;
const DAY_MS: i64 = 24 * 3_600_000;

/// Emails to imported teams of an event. Links are valid for 7 days, or until the end of the event
/// if that is later.
pub struct Invitations {
    context: MailContext,
    /// Number of days for which the links are valid.
    pub days: i64,
}

impl Invitations {
    /// Prepares the emails. Their links lead to `public_url`, and are valid until the event ends,
    /// but for at least `DAYS_MIN` days.
    pub fn new(contest: &Contest, public_url: &str, now_ms: i64) -> Self {
        let end_ms = contest.event().and_then(|event| event.end_ms).unwrap_or(now_ms);
        let days = (end_ms - now_ms + DAY_MS - 1).div_euclid(DAY_MS).max(DAYS_MIN);
        Self { context: MailContext::new(contest, public_url), days }
    }

    /// Creates one email per team, in the same order.
    pub fn to_all(&self, teams: &[NewAccount], now_ms: i64) -> Vec<Invitation> {
        let expires_at_ms = now_ms + self.days * DAY_MS;
        let to = |team: &NewAccount| {
            let token = new_link_token();
            let letters = self.context.in_language(Language::kept(team.language.as_deref()));
            let letter = letters.imported(&team.email, team.name.as_str(), &token, self.days);
            Invitation { letter, token, expires_at_ms }
        };
        teams.iter().map(to).collect()
    }
}
