//! Organizers: who is signed in, and what the second factor is checked against.

pub mod acts;
pub mod factor;

use flagship_game::Contest;
use flagship_store::organizers::passes::{Kind, Pass};
use flagship_store::organizers::{self, Changer, Organizer, tokens};
use flagship_store::{Clock, Db, Key, StoreError};

use acts::{Factor, Rule};

/// How long a proof of the second factor is enough for what asks for it again, in milliseconds.
pub const FRESH_MS: i64 = 15 * 60_000;

/// The organizers of an event.
pub struct Organizers {
    db: Db,
    clock: Clock,
    /// The event's secret.
    pub key: Key,
}

/// Somebody who is signed in.
#[derive(Clone)]
pub struct Who {
    /// The organizer.
    pub organizer: Organizer,
    /// What let them in: a session or a token.
    pub pass: Pass,
    /// When this was read, in epoch milliseconds.
    now_ms: i64,
}

/// Why something is not for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    /// The second factor is missing, or too old.
    Factor,
    /// No role of theirs has it.
    Role,
}

impl Organizers {
    /// Those in a database.
    pub fn new(db: &Db, clock: &Clock, key: &Key) -> Self {
        Self { db: db.clone(), clock: clock.clone(), key: key.clone() }
    }

    /// A new token and its digest.
    pub fn new_token(&self, kind: Kind) -> (String, String) {
        tokens::create(&self.key, kind)
    }

    /// Whose token it is, while it is valid.
    pub async fn who(&self, kind: Kind, token: &str) -> Result<Option<Who>, StoreError> {
        let Some(digest) = tokens::digest(&self.key, kind, token) else { return Ok(None) };
        let now_ms = self.clock.now_ms();
        let found = organizers::by_pass(&self.db, &digest, now_ms).await?;
        let found = found.filter(|(pass, _)| pass.kind == kind);
        Ok(found.map(|(pass, organizer)| Who { organizer, pass, now_ms }))
    }
}

impl Who {
    /// Whether a rule lets them do it. What no role of theirs has does not exist for them, so the
    /// role is looked at before the age of the second factor.
    pub fn may(&self, rule: &Rule) -> Result<(), Barred> {
        let is_session = self.pass.kind == Kind::Session;
        if is_session && self.pass.factor_at_ms.is_none() {
            return Err(Barred::Factor);
        }
        if !rule.roles.iter().any(|role| self.organizer.is(*role)) {
            return Err(Barred::Role);
        }
        match rule.factor {
            Factor::Again if !self.is_fresh() => Err(Barred::Factor),
            _ => Ok(()),
        }
    }

    /// As whom they change other organizers.
    pub fn changer(&self) -> Changer<'_> {
        let proven_after_ms = self.now_ms - FRESH_MS;
        Changer::Owner { session: &self.pass.digest, proven_after_ms }
    }

    /// Until when the second factor need not be given again, in epoch milliseconds. Tokens never
    /// give it.
    pub fn fresh_until_ms(&self) -> Option<i64> {
        self.pass.factor_at_ms.map(|at_ms| at_ms + FRESH_MS)
    }

    fn is_fresh(&self) -> bool {
        self.fresh_until_ms().is_some_and(|until_ms| self.now_ms < until_ms)
    }
}

/// The event's name, under which an app shows the codes.
pub fn issuer(contest: &Contest) -> String {
    contest.event().map_or_else(|| "Flagship".to_owned(), |event| event.name.clone())
}

/// The link of an invitation. Its token is behind `#`, which browsers do not send.
pub fn invitation_link(public_url: &str, token: &str) -> String {
    format!("{public_url}/organize/invite#{token}")
}
