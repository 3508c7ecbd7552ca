//! Sessions in memory, kept up to date by following the revisions of their table.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use flagship_game::TeamId;
use flagship_store::sessions::{self, Session};
use flagship_store::{Db, StoreError};
use parking_lot::RwLock;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, sleep_until};

use super::error::NodeError;
use super::report::report;
use crate::net::shutdown::{Shutdown, shutdown_requested};

/// Prefix of a team token. It must not be `eyJ`, by which clients recognize another platform's
/// token.
const TOKEN_PREFIX: &str = "fsp_";
const TOKEN_BYTES: usize = 32;
/// Number of characters of a token after the prefix: the bytes in base64url.
const TOKEN_CHARS: usize = 43;

/// Pause between two writes of the sessions' last-seen times.
const NOTE_PAUSE: Duration = Duration::from_secs(60);
/// Maximum random addition to the pause, in milliseconds, so that nodes do not all write at once.
const NOTE_JITTER_MS: u64 = 10_000;
/// Minimum time between two updates of a session's last-seen time, in milliseconds.
const NOTE_OLD_MS: i64 = 5 * 60_000;
/// Maximum sessions whose last-seen times one transaction writes.
const NOTED_MAX: usize = 200;
/// Range of the pause between two such transactions, in milliseconds. Other writers get the lock in
/// between.
const CHUNK_PAUSE_MS: std::ops::Range<u64> = 50..150;

/// Minimum time between two reads of the table for unknown tokens, however many tokens arrive.
const LOOK_PAUSE: Duration = Duration::from_millis(10);

fn chance_ms(range: std::ops::Range<u64>) -> Duration {
    Duration::from_millis(rand::random_range(range))
}

/// Generates a token for a team.
pub fn new_token() -> String {
    TOKEN_PREFIX.to_owned() + &BASE64URL_NOPAD.encode(&rand::random::<[u8; TOKEN_BYTES]>())
}

/// True if a text has the format of a team token.
pub fn is_token(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let rest = text.strip_prefix(TOKEN_PREFIX);
    rest.is_some_and(|rest| rest.len() == TOKEN_CHARS && rest.chars().all(fits))
}

/// A logged-in team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub id: TeamId,
    /// SHA-256 of the team's token, in hex.
    pub token_hash: String,
}

#[derive(Default)]
pub struct Sessions {
    known: RwLock<Known>,
    /// Number of reads that have started.
    begun: AtomicU64,
    /// Last completed read. The holder of the lock performs the next read.
    last: Mutex<Option<Look>>,
}

/// A read of the table for unknown tokens.
#[derive(Clone, Copy)]
struct Look {
    number: u64,
    begun_at: Instant,
    outcome: Result<(), NodeError>,
}

#[derive(Default)]
struct Known {
    by_hash: HashMap<String, Kept>,
    rev: i64,
}

/// A session, with the time at which this node last saw it.
struct Kept {
    session: Session,
    /// Time of the last use on this node, in epoch milliseconds; 0 if there was none.
    seen_at_ms: AtomicI64,
    /// The value of `seen_at_ms` last written to the database; 0 if none was written.
    noted_at_ms: AtomicI64,
}

impl Sessions {
    pub async fn open(db: &Db) -> Result<Self, StoreError> {
        let sessions = Self::default();
        sessions.follow(db).await?;
        Ok(sessions)
    }

    /// Reads the changes of the table, including changes by other nodes.
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

    /// Returns the account whose token has this hash. For an unknown token, reads the table,
    /// because another node may have just created it. A client receives a token only after it was
    /// stored. Concurrent calls share one read.
    pub async fn account(
        &self,
        db: &Db,
        token_hash: &str,
        now_ms: i64,
    ) -> Result<Option<i64>, NodeError> {
        if !self.known.read().by_hash.contains_key(token_hash) {
            self.look(db).await?;
        }
        Ok(self.known_account(token_hash, now_ms))
    }

    /// Waits for a read that starts after this call.
    async fn look(&self, db: &Db) -> Result<(), NodeError> {
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
        // If the caller of this read is dropped, the next read must wait for the pause too. No
        // caller uses this outcome, because every read has a higher number than 0.
        *last = Some(Look { number: 0, begun_at, outcome: Ok(()) });
        let outcome = self.follow(db).await.map_err(NodeError::from);
        *last = Some(Look { number, begun_at, outcome });
        outcome
    }

    /// Returns the account if it is known without reading the table, and updates the last-seen time
    /// of the session.
    pub fn known_account(&self, token_hash: &str, now_ms: i64) -> Option<i64> {
        let known = self.known.read();
        let kept = known.by_hash.get(token_hash);
        let living = kept.filter(|it| !it.session.revoked && it.session.expires_at_ms > now_ms)?;
        living.seen_at_ms.store(now_ms, Ordering::Relaxed);
        Some(living.session.account_id)
    }

    /// Returns the time of a session's last use on this node, in epoch milliseconds.
    pub fn seen_at_ms(&self, token_hash: &str) -> Option<i64> {
        let known = self.known.read();
        let seen_at_ms = known.by_hash.get(token_hash)?.seen_at_ms.load(Ordering::Relaxed);
        Some(seen_at_ms).filter(|at_ms| *at_ms > 0)
    }

    /// Writes the last-seen times of sessions until shutdown. Failed writes are retried.
    pub async fn note_seen(self: Arc<Self>, db: Db, mut shutdown: Shutdown) {
        loop {
            let is_shutdown = tokio::select! {
                () = shutdown_requested(&mut shutdown) => true,
                () = sleep(NOTE_PAUSE + chance_ms(0..NOTE_JITTER_MS)) => false,
            };
            // The last write includes recently written times too.
            let old_ms = if is_shutdown { 0 } else { NOTE_OLD_MS };
            for (number, seen) in self.unnoted(old_ms).chunks(NOTED_MAX).enumerate() {
                if number > 0 {
                    tokio::select! {
                        () = shutdown_requested(&mut shutdown) => {}
                        () = sleep(chance_ms(CHUNK_PAUSE_MS)) => {}
                    }
                }
                if let Err(error) = sessions::note_seen(&db, seen).await {
                    report(&error, "failed to update session last-seen times");
                    break;
                }
                self.noted(seen);
            }
            if is_shutdown {
                return;
            }
        }
    }

    /// Returns the sessions that were last seen more than `old_ms` after the time that was last
    /// written.
    fn unnoted(&self, old_ms: i64) -> Vec<(String, i64)> {
        let known = self.known.read();
        let seen = |(hash, kept): (&String, &Kept)| {
            let at_ms = kept.seen_at_ms.load(Ordering::Relaxed);
            let is_new = at_ms > kept.noted_at_ms.load(Ordering::Relaxed) + old_ms;
            (is_new && !kept.session.revoked).then(|| (hash.clone(), at_ms))
        };
        known.by_hash.iter().filter_map(seen).collect()
    }

    fn noted(&self, seen: &[(String, i64)]) {
        let known = self.known.read();
        for (hash, at_ms) in seen {
            if let Some(kept) = known.by_hash.get(hash) {
                kept.noted_at_ms.store(*at_ms, Ordering::Relaxed);
            }
        }
    }

    /// True if a token that was valid is still valid.
    pub fn is_living(&self, token_hash: &str, now_ms: i64) -> bool {
        self.known_account(token_hash, now_ms).is_some()
    }

    /// Adds a new session before its row is read from the table.
    pub fn add(&self, session: Session) {
        self.known.write().keep(session);
    }

    /// Ends a session before its change is read from the table.
    pub fn revoke(&self, token_hash: &str) {
        if let Some(kept) = self.known.write().by_hash.get_mut(token_hash) {
            kept.session.revoked = true;
        }
    }

    /// Removes expired sessions, and sessions that were revoked some minutes ago.
    pub fn sweep(&self, now_ms: i64) {
        self.known.write().by_hash.retain(|_, it| it.session.expires_at_ms > now_ms);
    }
}

impl Known {
    /// Removes sessions that are not in `all`, unless they are newer than every session in it.
    fn forget_all_but(&mut self, all: &[Session]) {
        let newest = all.iter().map(|session| session.rev).max().unwrap_or_default();
        let hashes: HashSet<&str> = all.iter().map(|it| it.token_hash.as_str()).collect();
        let is_there = |hash: &str, rev| rev > newest || hashes.contains(hash);
        self.by_hash.retain(|hash, known| is_there(hash, known.session.rev));
    }

    /// Keeps the newer of two versions of a session, so that an outdated row does not undo a
    /// revocation.
    fn keep(&mut self, session: Session) {
        match self.by_hash.get_mut(&session.token_hash) {
            Some(old) if old.session.rev < session.rev => old.session = session,
            Some(_) => {}
            None => {
                let (seen_at_ms, noted_at_ms) = Default::default();
                let hash = session.token_hash.clone();
                self.by_hash.insert(hash, Kept { session, seen_at_ms, noted_at_ms });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_tokens_are_tokens() {
        let token = new_token();
        assert!(is_token(&token), "{token}");
        for other in ["", "fsp_", &token[1..], &token[..46], &format!("{token}A")] {
            assert!(!is_token(other), "{other}");
        }
    }

    #[tokio::test]
    async fn unknown_tokens_share_reads_of_the_table() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let known = sessions::create(&db, "a token", 7, 0).await.expect("a session begins");
        let sessions = Sessions::default();
        let ask = async |number: u32| {
            sessions.account(&db, &format!("unknown {number}"), 1).await.expect("it is read")
        };
        let found = futures_util::future::join_all((0..1_000).map(ask)).await;
        assert!(found.iter().all(Option::is_none));
        let reads = sessions.begun.load(Ordering::SeqCst);
        assert!(reads <= 2, "{reads} reads for 1,000 tokens");
        // All callers use the result of one read; the next read finds newer sessions.
        assert!(sessions.is_living(&known.token_hash, 1));
        let new = sessions::create(&db, "a newer token", 8, 1).await.expect("a session begins");
        assert_eq!(sessions.account(&db, &new.token_hash, 2).await, Ok(Some(8)));
    }

    #[tokio::test]
    async fn a_late_node_accepts_no_revoked_session() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        let session = sessions::create(&db, "a token", 7, 0).await.expect("a session begins");
        let hash = session.token_hash.as_str();
        let prompt = Sessions::default();
        let late = Sessions::default();
        for node in [&prompt, &late] {
            node.follow(&db).await.expect("it is read");
            assert!(node.is_living(hash, 1));
        }
        sessions::revoke(&db, hash, 1).await.expect("it is revoked");
        prompt.follow(&db).await.expect("it is read");
        assert!(!prompt.is_living(hash, 2));
        let now_ms = 1 + sessions::REVOKED_MS;
        prompt.sweep(now_ms - 1);
        assert!(prompt.known.read().by_hash.contains_key(hash));
        prompt.sweep(now_ms);
        assert!(!prompt.known.read().by_hash.contains_key(hash), "it is removed");
        // The next login deletes the row before the other node has seen the revocation. That node
        // has just created a session that it has not read yet.
        let other = sessions::create(&db, "another", 8, now_ms).await.expect("a session begins");
        let newest = sessions::create(&db, "the newest", 9, now_ms).await.expect("it begins");
        late.add(newest.clone());
        late.follow(&db).await.expect("it is read");
        assert!(!late.is_living(hash, now_ms), "a revoked session is over");
        assert!(late.is_living(&other.token_hash, now_ms));
        assert!(late.is_living(&newest.token_hash, now_ms));
    }

    #[test]
    fn a_session_is_noted_again_when_the_last_note_is_old() {
        let sessions = Sessions::default();
        let at_ms = 1_000_000;
        let token_hash = "hash".to_owned();
        let expires_at_ms = i64::MAX;
        sessions.add(Session { token_hash, account_id: 7, expires_at_ms, revoked: false, rev: 1 });
        for (after_ms, count) in [(0, 1), (NOTE_OLD_MS, 0), (NOTE_OLD_MS + 1, 1)] {
            sessions.known_account("hash", at_ms + after_ms);
            let due = sessions.unnoted(NOTE_OLD_MS);
            assert_eq!(due.len(), count, "after {after_ms} ms");
            sessions.noted(&due);
        }
        sessions.known_account("hash", at_ms + NOTE_OLD_MS + 2);
        assert_eq!(sessions.unnoted(0).len(), 1, "at the end also what is not old");
    }

    #[tokio::test]
    async fn a_failed_read_fails_all_waiting_requests() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open_sqlite(&folder.path().join("flagship.db")).await.expect("it opens");
        db.close().await;
        let sessions = Sessions::default();
        let asks = (0..100).map(async |number| sessions.account(&db, &number.to_string(), 0).await);
        let asked = futures_util::future::join_all(asks).await;
        assert!(asked.iter().all(|answer| *answer == Err(NodeError::Busy)), "{asked:?}");
        assert!(sessions.begun.load(Ordering::SeqCst) <= 2);
    }
}
