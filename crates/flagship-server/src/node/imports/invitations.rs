//! The mails to imported teams, each with a link that sets the team's password.

use flagship_game::Contest;
use flagship_store::mail::{self, Cause, Kind, Purpose, SHARER_DIGITS, Token};
use flagship_store::{Result, Tx};

use crate::node::mail::language::Language;
use crate::node::mail::letters::MailContext;
use crate::node::mail::outbox::new_link_token;

/// Fewest days that the links are valid.
const DAYS_MIN: i64 = 7;
const DAY_MS: i64 = 24 * 3_600_000;

/// The mails to imported teams of an event. Links are valid for 7 days, or until the end of the
/// event if that is later.
pub struct Invitations {
    context: MailContext,
    /// Number of days that the links are valid.
    pub days: i64,
}

/// A team that gets a mail.
pub struct Invited<'t> {
    /// The id of its account.
    pub id: i64,
    /// Its name.
    pub name: &'t str,
    /// Its e-mail address.
    pub email: &'t str,
    /// The code of the language of its mails, if it is known.
    pub language: Option<&'t str>,
}

impl Invitations {
    /// The mails for an event as it is at `now_ms`, with links to a site.
    pub fn new(contest: &Contest, public_url: &str, now_ms: i64) -> Self {
        let end_ms = contest.event().and_then(|event| event.end_ms).unwrap_or(now_ms);
        let days = (end_ms - now_ms + DAY_MS - 1).div_euclid(DAY_MS).max(DAYS_MIN);
        Self { context: MailContext::new(contest, public_url), days }
    }

    /// Queues the mail to a team, in a transaction that holds the lock on accounts. The mails of an
    /// import share their turns, so that they do not delay those that players ask for.
    ///
    /// # Errors
    /// The database failed.
    pub async fn queue(&self, tx: &mut Tx, team: &Invited<'_>, now_ms: i64) -> Result<()> {
        let token = new_link_token();
        let letters = self.context.in_language(Language::kept(team.language));
        let letter = letters.imported(team.email, team.name, &token, self.days);
        let network = "0".repeat(2 * SHARER_DIGITS);
        let cause = Cause {
            kind: Kind::Organizer,
            network: &network,
            per_hour_max: 0,
            account_id: Some(team.id),
        };
        mail::queue(tx, &letter, cause, now_ms).await?;
        let expires_at_ms = now_ms + self.days * DAY_MS;
        let (account_id, purpose) = (team.id, Purpose::Reset);
        let token = Token { token: &token, account_id, purpose, expires_at_ms };
        mail::keep_tokens(tx, &[token]).await
    }
}
