//! Sessions in memory, kept up to date with the table by following its revisions.

use std::collections::HashMap;

use data_encoding::BASE64URL_NOPAD;
use flagship_store::sessions::{self, Session};
use flagship_store::{Db, StoreError};
use parking_lot::RwLock;

/// What a team's token begins with: never `eyJ`, which clients take for a foreign one.
const TOKEN_PREFIX: &str = "fsp_";
/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;
/// Characters of a token after the prefix: its bytes in base64url.
const TOKEN_CHARS: usize = 43;

/// A new team's token.
pub fn new_token() -> String {
    TOKEN_PREFIX.to_owned() + &BASE64URL_NOPAD.encode(&rand::random::<[u8; TOKEN_BYTES]>())
}

/// Whether a text has the shape of a team's token.
pub fn is_token(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let rest = text.strip_prefix(TOKEN_PREFIX);
    rest.is_some_and(|rest| rest.len() == TOKEN_CHARS && rest.chars().all(fits))
}

/// Who is logged in.
#[derive(Default)]
pub struct Sessions {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    by_hash: HashMap<String, Session>,
    rev: i64,
}

impl Sessions {
    /// Reads what changed in the table, also by other nodes.
    pub async fn follow(&self, db: &Db) -> Result<(), StoreError> {
        let rev = self.known.read().rev;
        let changed = sessions::changed_after(db, rev).await?;
        let mut known = self.known.write();
        for session in changed {
            known.rev = known.rev.max(session.rev);
            known.keep(session);
        }
        Ok(())
    }

    /// Whose token has this hash. One that is not known yet may have been made by another node
    /// a moment ago, so the table has the last word.
    pub async fn account(
        &self,
        db: &Db,
        token_hash: &str,
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let known = self.known.read().by_hash.get(token_hash).cloned();
        let session = match known {
            Some(session) => Some(session),
            None => sessions::find(db, token_hash).await?.inspect(|found| self.add(found.clone())),
        };
        let living = session.filter(|it| !it.revoked && it.expires_at_ms > now_ms);
        Ok(living.map(|session| session.account_id))
    }

    /// The same without a look at the table: `None` also where only that knows.
    pub fn account_already(&self, token_hash: &str, now_ms: i64) -> Option<i64> {
        let known = self.known.read();
        let session = known.by_hash.get(token_hash);
        let living = session.filter(|it| !it.revoked && it.expires_at_ms > now_ms);
        living.map(|session| session.account_id)
    }

    /// Whether a token that was good is still.
    pub fn is_living(&self, token_hash: &str, now_ms: i64) -> bool {
        self.account_already(token_hash, now_ms).is_some()
    }

    /// Knows a session at once, before the table's change comes round.
    pub fn add(&self, session: Session) {
        self.known.write().keep(session);
    }

    /// Forgets a session at once.
    pub fn revoke(&self, token_hash: &str) {
        if let Some(session) = self.known.write().by_hash.get_mut(token_hash) {
            session.revoked = true;
        }
    }

    /// Forgets sessions that have expired.
    pub fn sweep(&self, now_ms: i64) {
        self.known.write().by_hash.retain(|_, session| session.expires_at_ms > now_ms);
    }
}

impl Known {
    /// Keeps the newer of two versions: a revocation is never undone by an older row.
    fn keep(&mut self, session: Session) {
        let old = self.by_hash.get(&session.token_hash);
        if old.is_none_or(|old| old.rev < session.rev) {
            self.by_hash.insert(session.token_hash.clone(), session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_shape() {
        let token = new_token();
        assert!(is_token(&token), "{token}");
        for other in ["", "fsp_", &token[1..], &token[..46], &format!("{token}A")] {
            assert!(!is_token(other), "{other}");
        }
    }
}
