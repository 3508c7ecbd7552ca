//! Sessions in memory, kept up to date with the table by following its revisions.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use flagship_store::sessions::{self, Session};
use flagship_store::{Db, StoreError};
use parking_lot::RwLock;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::error::ApiError;

/// What a team's token begins with: never `eyJ`, which clients take for a foreign one.
const TOKEN_PREFIX: &str = "fsp_";
/// Random bytes of a token.
const TOKEN_BYTES: usize = 32;
/// Characters of a token after the prefix: its bytes in base64url.
const TOKEN_CHARS: usize = 43;

/// Pause between two looks for unknown tokens. However many come, they cost so many reads.
const LOOK_PAUSE: Duration = Duration::from_millis(10);

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
    /// How many looks have begun.
    begun: AtomicU64,
    /// The last one that ended. Whoever holds the lock looks.
    last: Mutex<Option<Look>>,
}

/// A look at the table for those who sent tokens that are not known.
#[derive(Clone, Copy)]
struct Look {
    number: u64,
    begun_at: Instant,
    outcome: Result<(), ApiError>,
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
        if changed.sessions.is_empty() {
            return Ok(());
        }
        let mut known = self.known.write();
        if changed.is_all {
            known.forget_all_but(&changed.sessions);
        }
        for session in changed.sessions {
            known.rev = known.rev.max(session.rev);
            known.keep(session);
        }
        Ok(())
    }

    /// Whose token has this hash. One that is not known yet may have been made by another node
    /// a moment ago, so the table has the last word. A token is in the table before anyone hears
    /// of it, and all who ask in the same moment share one look.
    pub async fn account(
        &self,
        db: &Db,
        token_hash: &str,
        now_ms: i64,
    ) -> Result<Option<i64>, ApiError> {
        if !self.known.read().by_hash.contains_key(token_hash) {
            self.look(db).await?;
        }
        Ok(self.account_already(token_hash, now_ms))
    }

    /// Returns after a look that began after the call.
    async fn look(&self, db: &Db) -> Result<(), ApiError> {
        let before = self.begun.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let Some(look) = last.as_ref() {
            if look.number > before {
                return look.outcome;
            }
            sleep_until(look.begun_at + LOOK_PAUSE).await;
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let begun_at = Instant::now();
        let outcome = self.follow(db).await.map_err(ApiError::from);
        *last = Some(Look { number, begun_at, outcome });
        outcome
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

    /// Forgets sessions that have expired, and those that were revoked some minutes ago.
    pub fn sweep(&self, now_ms: i64) {
        self.known.write().by_hash.retain(|_, session| session.expires_at_ms > now_ms);
    }
}

impl Known {
    /// Forgets sessions that are not among all those of the table, but for newer ones.
    fn forget_all_but(&mut self, all: &[Session]) {
        let newest = all.iter().map(|session| session.rev).max().unwrap_or_default();
        let hashes: HashSet<&str> = all.iter().map(|it| it.token_hash.as_str()).collect();
        self.by_hash.retain(|hash, known| known.rev > newest || hashes.contains(hash.as_str()));
    }

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
    use flagship_control::control;

    use super::*;

    #[test]
    fn tokens_have_their_shape() {
        let token = new_token();
        assert!(is_token(&token), "{token}");
        for other in ["", "fsp_", &token[1..], &token[..46], &format!("{token}A")] {
            assert!(!is_token(other), "{other}");
        }
    }

    #[tokio::test]
    async fn unknown_tokens_share_their_looks_at_the_table() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let known = sessions::create(&db, "a token", 7, 0).await.expect("a session begins");
        let sessions = Sessions::default();
        let ask = async |number: u32| {
            sessions.account(&db, &format!("unknown {number}"), 1).await.expect("it is read")
        };
        let found = futures_util::future::join_all((0..1_000).map(ask)).await;
        assert!(found.iter().all(Option::is_none));
        let apart = control("unknown_tokens_share_their_looks_at_the_table", "looks for 1,000");
        if apart {
            for number in 0..10 {
                ask(number).await;
            }
        }
        let looks = sessions.begun.load(Ordering::SeqCst);
        assert!(looks <= 2, "{looks} looks for 1,000 tokens");
        // What one look brought is known to all; what was made since is found by the next.
        assert!(sessions.is_living(&known.token_hash, 1));
        let new = sessions::create(&db, "a newer token", 8, 1).await.expect("a session begins");
        assert_eq!(sessions.account(&db, &new.token_hash, 2).await, Ok(Some(8)));
    }

    #[tokio::test]
    async fn a_node_that_follows_late_knows_no_revoked_session() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let session = sessions::create(&db, "a token", 7, 0).await.expect("a session begins");
        let hash = session.token_hash.as_str();
        let (prompt, late) = (Sessions::default(), Sessions::default());
        for node in [&prompt, &late] {
            node.follow(&db).await.expect("it is read");
            assert!(node.is_living(hash, 1));
        }
        sessions::revoke(&db, hash, 1).await.expect("it is ended");
        prompt.follow(&db).await.expect("it is read");
        assert!(!prompt.is_living(hash, 2));
        let now_ms = 1 + sessions::REVOKED_MS;
        prompt.sweep(now_ms - 1);
        assert!(prompt.known.read().by_hash.contains_key(hash));
        prompt.sweep(now_ms);
        assert!(!prompt.known.read().by_hash.contains_key(hash), "it is forgotten");
        // The next login deletes the row, before the other node has seen that it was revoked. That
        // node made a session a moment ago, which it has not read yet.
        let other = sessions::create(&db, "another", 8, now_ms).await.expect("a session begins");
        let newest = sessions::create(&db, "the newest", 9, now_ms).await.expect("it begins");
        late.add(newest.clone());
        let is_deaf = control("a_node_that_follows_late_knows_no_revoked_session", "is over");
        if !is_deaf {
            late.follow(&db).await.expect("it is read");
        }
        assert!(!late.is_living(hash, now_ms), "what was revoked is over");
        assert!(late.is_living(&other.token_hash, now_ms));
        assert!(late.is_living(&newest.token_hash, now_ms));
    }

    #[tokio::test]
    async fn a_look_that_fails_is_told_to_all_who_waited_for_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        db.close().await;
        let sessions = Sessions::default();
        let asks = (0..100).map(async |number| sessions.account(&db, &number.to_string(), 0).await);
        let asked = futures_util::future::join_all(asks).await;
        assert!(asked.iter().all(|answer| *answer == Err(ApiError::overload())), "{asked:?}");
        assert!(sessions.begun.load(Ordering::SeqCst) <= 2);
    }
}
