//! Authentication of the journal and the flags. Entries, the journal's head and the flags have MACs
//! under the event's secret, so that changes made without the secret are detected. With the secret,
//! any change can be signed. Only a head noted elsewhere reveals that an older copy replaced the
//! whole database.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use flagship_game::{Entry, chain};
use sha2::{Digest, Sha256};

use crate::challenges::{self, Draft};
use crate::engine::run;
use crate::journal::{self, StoredEntry};
use crate::meta::Identity;
use crate::{Db, Key, Lock, Result, StoreError, Tx, meta};

/// The meta key of the record of the head.
const HEAD: &str = "journal_head";
/// The meta key of the MAC over challenges and flags.
const FLAGS: &str = "flags_mac";
/// Hex digits of a salt.
const SALT_DIGITS: usize = 32;
/// Hex digits of a hash and of a MAC.
const HASH_DIGITS: usize = 64;
/// Maximum time between two records of the head while the journal grows.
const RECORD_EVERY: Duration = Duration::from_secs(1);
const NO_RECORD: &str = "the record of the journal's head is missing or was changed";

/// Authenticates one journal under the event's secret.
#[derive(Clone)]
pub struct Seal {
    key: Key,
    head_key: Key,
    flags_key: Key,
    entry_key: Key,
    actions_key: Key,
    /// First authenticated entry. Earlier ones were written by 0.1.0.
    from: i64,
    /// Number of the last entry in the head that was recorded when the seal was opened.
    pub(crate) recorded: i64,
    /// The hash before the first entry.
    genesis: String,
    generation: String,
    is_altered: Arc<AtomicBool>,
}

/// Authenticated head of a journal at one point in time: `FROM:SEQ:HASH:MAC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The first authenticated entry.
    pub from: i64,
    /// The number of the last entry, 0 without one.
    pub seq: i64,
    /// Hash of the last entry.
    pub hash: String,
    mac: String,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.from, self.seq, self.hash, self.mac)
    }
}

/// Error returned for a malformed head.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a head looks like FROM:SEQ:HASH:MAC")]
pub struct ParseHeadError;

impl FromStr for Head {
    type Err = ParseHeadError;

    fn from_str(text: &str) -> std::result::Result<Self, ParseHeadError> {
        let parts: Vec<&str> = text.split(':').collect();
        let [from, seq, hash, mac] = parts[..] else { return Err(ParseHeadError) };
        let is_hex =
            |text: &str| text.len() == HASH_DIGITS && HEXLOWER.decode(text.as_bytes()).is_ok();
        let number = |text: &str| text.parse().ok().filter(|number: &i64| *number >= 0);
        match (number(from), number(seq)) {
            (Some(from), Some(seq)) if is_hex(hash) && is_hex(mac) => {
                Ok(Self { from, seq, hash: hash.to_owned(), mac: mac.to_owned() })
            }
            _ => Err(ParseHeadError),
        }
    }
}

impl Seal {
    /// Opens the seal of the database's journal. The head is recorded in the transaction that
    /// creates the journal's name, or in the first transaction on a journal written by 0.1.0.
    /// Afterwards a journal without a recorded head counts as modified, even if it has no entries,
    /// and is never signed again.
    ///
    /// # Errors
    /// [`StoreError::OtherSecret`] if the database was written with another secret.
    pub async fn open(db: &Db, key: &Key) -> Result<Self> {
        let known = meta::known_in(&mut db.snapshot().await?, key).await?;
        // A named and signed journal is opened without the lane's lock.
        if let Some(known) = known.filter(|it| !it.is_first_form) {
            return Self::named(known.generation, key).with_record(db).await;
        }
        let mut tx = db.begin(Lock::Journal).await?;
        let Identity { generation, is_new, is_first_form } = meta::open_in(&mut tx, key).await?;
        let seal = Self::named(generation, key);
        if is_new || is_first_form {
            seal.sign_first(&mut tx, is_first_form).await?;
        }
        if is_first_form {
            meta::leave_first_form(&mut tx, key, &seal.generation).await?;
        }
        tx.commit().await?;
        seal.with_record(db).await
    }

    /// Returns the hash of an action with these parts, one of which is the previous hash.
    pub(crate) fn action_hash(&self, parts: &[String]) -> String {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.actions_key.mac("action", &parts)
    }

    /// Seals a text for a purpose and an owner, as [`Key::seal`] does.
    pub(crate) fn seal_text(&self, purpose: &str, owner: &str, text: &str) -> String {
        self.actions_key.seal(purpose, owner, text.as_bytes())
    }

    /// Decrypts a text sealed by [`Self::seal_text`] for the same purpose and owner.
    pub(crate) fn open_text(&self, purpose: &str, owner: &str, sealed: &str) -> Option<String> {
        String::from_utf8(self.actions_key.unseal(purpose, owner, sealed)?).ok()
    }

    /// The event's secret.
    pub fn key(&self) -> &Key {
        &self.key
    }

    fn named(generation: String, key: &Key) -> Self {
        let subkey = |purpose| key.subkey(purpose, &[&generation]);
        Self {
            key: key.clone(),
            head_key: subkey("journal head"),
            flags_key: subkey("flags as applied"),
            entry_key: subkey("journal entry"),
            actions_key: subkey("organizers' actions"),
            from: 1,
            recorded: 0,
            genesis: chain::genesis(&generation),
            generation,
            is_altered: Arc::default(),
        }
    }

    async fn with_record(self, db: &Db) -> Result<Self> {
        // A forged record must not affect later heads.
        match recorded(db).await {
            Ok(Some(head)) if self.is_ours(&head) => {
                Ok(Self { from: head.from, recorded: head.seq, ..self })
            }
            Ok(_) | Err(StoreError::Corrupt(_)) => Ok(self),
            Err(error) => Err(error),
        }
    }

    /// Records the head of a journal that was never signed: one without entries, or one written by
    /// 0.1.0. Keeps an existing record.
    async fn sign_first(&self, tx: &mut Tx, is_first_form: bool) -> Result<()> {
        let last = journal::last_in(tx, 2).await?;
        if let Some(entry) = last.first() {
            let previous = last.get(1).map_or(&self.genesis, |entry| &entry.hash);
            if !is_first_form || self.is_signed(previous, entry) {
                return Ok(());
            }
        }
        let (seq, hash) = last.first().map_or((0, &self.genesis), |it| (it.seq, &it.hash));
        let first = Self { from: seq + 1, ..self.clone() };
        meta::insert(tx, HEAD, &first.head(seq, hash).to_string()).await?;
        let mac = self.flags_mac(&FlagRows::read(tx).await?);
        meta::insert(tx, FLAGS, &mac).await
    }

    /// The random name of the journal.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The first authenticated entry.
    pub fn from(&self) -> i64 {
        self.from
    }

    /// Returns the authenticated head of the journal with this last entry and hash.
    pub fn head(&self, seq: i64, hash: &str) -> Head {
        let mac = self.head_key.mac(&self.from.to_string(), &[&seq.to_string(), hash]);
        Head { from: self.from, seq, hash: hash.to_owned(), mac }
    }

    /// Returns the current head of the journal.
    pub async fn current(&self, db: &Db) -> Result<Head> {
        let last = journal::head(db).await?;
        let (seq, hash) = last.unwrap_or_else(|| (0, self.genesis.clone()));
        Ok(self.head(seq, &hash))
    }

    /// True if a check has found changes by another program.
    pub fn is_altered(&self) -> bool {
        self.is_altered.load(Ordering::Relaxed)
    }

    fn note_altered(&self) {
        self.is_altered.store(true, Ordering::Relaxed);
    }

    /// Returns the row of an entry that follows one with hash `previous`.
    pub(crate) fn sign(&self, previous: &str, entry: &Entry) -> StoredEntry {
        let body = serde_json::to_string(&entry.fact).expect("facts are plain data");
        let salt = self.salt(previous, entry.at_ms, &body);
        StoredEntry::new(previous, entry.seq, entry.at_ms, salt, body)
    }

    /// Returns the salt of an entry that follows one with hash `previous`. Without the secret, the
    /// salt cannot be guessed, so it hides the entry's text as a random salt does. It also
    /// authenticates the entry.
    fn salt(&self, previous: &str, at_ms: i64, body: &str) -> String {
        let mut salt = self.entry_key.mac(previous, &[&at_ms.to_string(), body]);
        salt.truncate(SALT_DIGITS);
        salt
    }

    fn is_signed(&self, previous: &str, entry: &StoredEntry) -> bool {
        self.salt(previous, entry.at_ms, &entry.body) == entry.salt
    }

    /// True if a head is authentic and belongs to this journal.
    pub fn is_ours(&self, head: &Head) -> bool {
        let (from, seq) = (head.from.to_string(), head.seq.to_string());
        self.head_key.is_mac(&head.mac, &from, &[&seq, &head.hash])
    }

    /// Signs the challenges and flags that were just applied.
    pub async fn sign_flags(&self, tx: &mut Tx) -> Result<()> {
        let mac = self.flags_mac(&FlagRows::read(tx).await?);
        meta::set(tx, FLAGS, &mac).await
    }

    /// Returns the signature of challenges and flags if they are unchanged since they were signed.
    pub(crate) async fn signed_flags(&self, tx: &mut Tx) -> Result<Option<String>> {
        let mac = meta::get(tx, FLAGS).await?;
        let expected = self.flags_mac(&FlagRows::read(tx).await?);
        Ok(mac.filter(|mac| *mac == expected))
    }

    /// Returns the signature of challenges and flags if they are unchanged since they were signed.
    /// Otherwise another program changed them, which is logged and remembered.
    pub async fn watch_flags(&self, tx: &mut Tx) -> Result<Option<String>> {
        let signature = self.signed_flags(tx).await?;
        if signature.is_none() {
            self.note_altered();
            tracing::error!(
                "challenges or flags were changed by another program: `flagship journal verify`"
            );
        }
        Ok(signature)
    }

    /// Returns [`challenges::all`] for judging, and logs changes by another program.
    pub async fn drafts(&self, db: &Db) -> Result<(i64, Vec<Draft>)> {
        let mut tx = db.snapshot().await?;
        self.watch_flags(&mut tx).await?;
        Ok((challenges::revision_in(&mut tx).await?, challenges::all_in(&mut tx).await?))
    }

    fn flags_mac(&self, rows: &FlagRows) -> String {
        self.flags_key.mac("", &[&rows.digest()])
    }

    /// Records the head within a step. Returns `false` and keeps the record as evidence if the
    /// journal no longer extends the recorded head. Consecutive records always differ: SQLite would
    /// not write an equal value, and during the freeze the head changes only after a correct
    /// submission.
    pub(crate) async fn record(&self, tx: &mut Tx, head: &Head) -> Result<bool> {
        let recorded = meta::get(tx, HEAD).await?.and_then(|text| head_of(&text).ok());
        let Some(recorded) = recorded.filter(|it| it.from == self.from && self.is_ours(it)) else {
            self.note_altered();
            return Ok(false);
        };
        let is_extended = recorded.seq == 0
            || journal::hash_at_in(tx, recorded.seq).await?.as_ref() == Some(&recorded.hash);
        if is_extended {
            meta::set(tx, HEAD, &format!("{head} {:08x}", rand::random::<u32>())).await?;
        } else {
            self.note_altered();
        }
        Ok(is_extended)
    }

    /// Checks that the journal, its recorded head and the flags were not modified. The hash chain
    /// itself is checked by folding the journal.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] describes the change.
    pub async fn check(&self, db: &Db) -> Result<()> {
        let checked = self.find_altered(db).await;
        if let Err(StoreError::Corrupt(_)) = checked {
            self.note_altered();
        }
        checked
    }

    async fn find_altered(&self, db: &Db) -> Result<()> {
        let Some(head) = recorded(db).await?.filter(|head| self.is_ours(head)) else {
            return corrupt(NO_RECORD);
        };
        let mut previous = self.genesis.clone();
        let mut seq = 0;
        loop {
            let rows = journal::read_after(db, seq).await?;
            let Some(last) = rows.last() else { break };
            seq = last.seq;
            for row in rows {
                self.check_entry(&previous, &row, &head)?;
                previous = row.hash;
            }
            tokio::task::yield_now().await;
        }
        if seq < head.seq {
            let words = format!("the journal ends at entry {seq}, but had {} entries", head.seq);
            return corrupt(&words);
        }
        let mut tx = db.snapshot().await?;
        if self.signed_flags(&mut tx).await?.is_none() {
            return corrupt("the challenges or flags differ from the applied ones");
        }
        Ok(())
    }

    fn check_entry(&self, previous: &str, row: &StoredEntry, head: &Head) -> Result<()> {
        let (seq, is_signed) = (row.seq, self.is_signed(previous, row));
        if seq >= head.from && !is_signed {
            return corrupt(&format!("journal entry {seq} was not written by Flagship"));
        }
        if seq < head.from && is_signed {
            return corrupt(&format!(
                "journal entry {seq} was signed, but the journal is recorded as signed from {} on",
                head.from
            ));
        }
        if seq == head.seq && row.hash != head.hash {
            return corrupt(&format!("journal entry {seq} is not the one that was recorded"));
        }
        Ok(())
    }

    /// Checks that the journal extends a head that was noted elsewhere.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] describes the difference.
    pub async fn check_against(&self, db: &Db, head: &Head) -> Result<()> {
        if !self.is_ours(head) {
            return corrupt(&format!("the head of entry {} is not one of this event", head.seq));
        }
        match journal::hash_at(db, head.seq).await? {
            _ if head.seq == 0 => Ok(()),
            Some(hash) if hash == head.hash => Ok(()),
            Some(_) => corrupt(&format!("journal entry {} is not that of the head", head.seq)),
            None => corrupt(&format!("the journal ends before entry {} of the head", head.seq)),
        }
    }
}

/// Schedules records of the head. Recording it in every step would cost one more statement per
/// correct submission.
///
/// Only the process that appended an entry records the head after it. If other nodes did so too,
/// each would write something after a hidden solve, and nothing after an incorrect submission.
#[derive(Default)]
pub(crate) struct Recorder {
    at: Option<Instant>,
    is_broken: bool,
    /// True if this process, since the last record, appended an entry or handled an incorrect
    /// submission during the freeze. The head is recorded after both, so that they look alike.
    is_requested: bool,
}

impl Recorder {
    /// True if a record is requested and the last one is older than [`RECORD_EVERY`].
    pub(crate) fn is_due(&self) -> bool {
        let is_requested = self.is_requested && !self.is_broken;
        is_requested && self.at.is_none_or(|at| at.elapsed() >= RECORD_EVERY)
    }

    /// Requests a record.
    pub(crate) fn request(&mut self) {
        self.is_requested = true;
    }

    /// Makes the next record due at once.
    pub(crate) fn hurry(&mut self) {
        self.at = None;
    }

    /// Notes that the head was recorded or, if `is_extended` is false, that the journal does not
    /// extend the recorded head.
    pub(crate) fn note(&mut self, is_extended: bool) {
        if !is_extended {
            tracing::error!(
                "the journal was changed by another program: `flagship journal verify`"
            );
        }
        *self = Self { at: Some(Instant::now()), is_broken: !is_extended, is_requested: false };
    }
}

async fn recorded(db: &Db) -> Result<Option<Head>> {
    let text = meta::get(&mut db.snapshot().await?, HEAD).await?;
    text.map(|text| head_of(&text).or_else(|ParseHeadError| corrupt(NO_RECORD))).transpose()
}

/// Parses the head in a record.
fn head_of(record: &str) -> std::result::Result<Head, ParseHeadError> {
    record.split_once(' ').map_or(record, |(head, _)| head).parse()
}

fn corrupt<T>(words: &str) -> Result<T> {
    Err(StoreError::Corrupt(words.to_owned()))
}

/// The stored rows of challenges and flags.
struct FlagRows {
    challenges: Vec<(String, String)>,
    flags: Vec<(String, i64, String, bool, String)>,
}

const CHALLENGE_ROWS: &str = "select challenge_id, definition from challenges";
const FLAG_ROWS: &str = "select challenge_id, number, kind, case_insensitive, value from flags";

impl FlagRows {
    async fn read(tx: &mut Tx) -> Result<Self> {
        let challenges = run!(tx => query_as(CHALLENGE_ROWS).fetch_all);
        Ok(Self { challenges, flags: run!(tx => query_as(FLAG_ROWS).fetch_all) })
    }

    /// Returns a digest of all rows. They are sorted here because the databases sort differently.
    fn digest(&self) -> String {
        let (mut challenges, mut flags) = (self.challenges.clone(), self.flags.clone());
        challenges.sort();
        flags.sort();
        let text = serde_json::to_vec(&(challenges, flags)).expect("rows are plain data");
        HEXLOWER.encode(&Sha256::digest(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_parses_and_malformed_text_does_not() {
        let (hash, mac) = ("ab".repeat(32), "01".repeat(32));
        let text = format!("1:12:{hash}:{mac}");
        assert_eq!(text.parse::<Head>().map(|head| head.to_string()), Ok(text.clone()));
        for bad in [
            String::new(),
            format!("1:{hash}:{mac}"),
            format!("1:-2:{hash}:{mac}"),
            format!("1:12:{hash}:{}", &mac[1..]),
            format!("1:12:{}:{mac}", hash.to_uppercase()),
            format!("{text}:"),
        ] {
            assert_eq!(bad.parse::<Head>(), Err(ParseHeadError), "{bad}");
        }
    }
}
