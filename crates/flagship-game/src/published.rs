//! The journal as it is published: what `flagship export journal` writes, and the check that
//! anyone can run on it.
//!
//! An entry about something that no player ever saw is withheld: its commitment is there for the
//! chain, its text is not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain;
use crate::contest::{Contest, FoldError};
use crate::entry::{Entry, Fact};

/// The name of this format.
pub const FORMAT: &str = "flagship-journal-1";

/// A published journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedJournal {
    /// [`FORMAT`].
    pub format: String,
    /// The random name of the journal.
    pub generation: String,
    /// The hash before the first entry, in hex.
    pub genesis: String,
    /// The authenticated head of the journal; none if it is empty. Only the event's secret checks
    /// it.
    pub head: Option<String>,
    /// All entries, in order.
    pub entries: Vec<PublishedEntry>,
}

/// An entry of a published journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedEntry {
    /// Place in the journal, from 1, without gaps.
    pub seq: i64,
    /// Epoch milliseconds.
    pub at_ms: i64,
    /// The chain up to here, in hex.
    pub hash: String,
    /// The commitment to the text, in hex.
    pub commitment: String,
    /// What hides the text behind its commitment, in hex; none if the entry is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The text that the commitment is to: the fact as JSON; none if the entry is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The same fact, for readers; none if the entry is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<Value>,
}

/// Why a published journal is not what it says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// The journal has another format.
    #[error("the format is not {FORMAT}")]
    Format,
    /// The genesis hash is not that of the generation.
    #[error("the genesis hash is not that of the generation")]
    Genesis,
    /// An entry's number is not the next.
    #[error("entry {seq} is not the next")]
    Order {
        /// The entry's number.
        seq: i64,
    },
    /// An entry's hash does not follow from the one before.
    #[error("the hash of entry {seq} does not match")]
    Hash {
        /// The entry's number.
        seq: i64,
    },
    /// An entry has some of salt, body and fact, but not all.
    #[error("entry {seq} is withheld in part")]
    Partial {
        /// The entry's number.
        seq: i64,
    },
    /// An entry's commitment is not to its text.
    #[error("the commitment of entry {seq} is to another text")]
    Commitment {
        /// The entry's number.
        seq: i64,
    },
    /// An entry's fact is not the one of its text, or no fact at all.
    #[error("the fact of entry {seq} is not that of its text")]
    Fact {
        /// The entry's number.
        seq: i64,
    },
    /// An entry's fact cannot follow those before it.
    #[error("entry {seq} cannot be folded")]
    Fold {
        /// The entry's number.
        seq: i64,
        /// Why.
        source: FoldError,
    },
}

/// What a published journal says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The fold of the entries that are not withheld.
    pub contest: Contest,
    /// The hash of the last entry; the genesis hash without one.
    pub hash: String,
    /// How many entries are withheld.
    pub withheld: usize,
}

impl PublishedJournal {
    /// Follows the chain, checks each text against its commitment, and folds the facts.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn verify(&self) -> Result<Verified, PublishedError> {
        if self.format != FORMAT {
            return Err(PublishedError::Format);
        }
        let mut hash = chain::genesis(&self.generation);
        if self.genesis != hash {
            return Err(PublishedError::Genesis);
        }
        let (mut contest, mut withheld) = (Contest::default(), 0);
        for (entry, next) in self.entries.iter().zip(1..) {
            let seq = entry.seq;
            if seq != next {
                return Err(PublishedError::Order { seq });
            }
            hash = chain::link(&hash, seq, entry.at_ms, &entry.commitment);
            if entry.hash != hash {
                return Err(PublishedError::Hash { seq });
            }
            match (&entry.salt, &entry.body, &entry.fact) {
                (Some(salt), Some(body), Some(fact)) => {
                    let fact = entry.checked(salt, body, fact)?;
                    let next = Entry { seq, at_ms: entry.at_ms, fact };
                    let folded = contest.fold(&next);
                    folded.map_err(|source| PublishedError::Fold { seq, source })?;
                }
                (None, None, None) => {
                    contest.skip(seq, entry.at_ms);
                    withheld += 1;
                }
                _ => return Err(PublishedError::Partial { seq }),
            }
        }
        Ok(Verified { contest, hash, withheld })
    }
}

impl PublishedEntry {
    /// The fact, if the commitment is to its text.
    fn checked(&self, salt: &str, body: &str, fact: &Value) -> Result<Fact, PublishedError> {
        let seq = self.seq;
        if self.commitment != chain::commitment(salt, body) {
            return Err(PublishedError::Commitment { seq });
        }
        let value = serde_json::from_str(body).ok().filter(|value: &Value| value == fact);
        let fact = value.and_then(|value| serde_json::from_value(value).ok());
        fact.ok_or(PublishedError::Fact { seq })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::TeamId;

    fn journal(facts: &[Fact]) -> PublishedJournal {
        let generation = "test".to_owned();
        let genesis = chain::genesis(&generation);
        let (mut hash, mut entries) = (genesis.clone(), Vec::new());
        for (fact, seq) in facts.iter().zip(1..) {
            let (salt, body) = (format!("{seq:032x}"), serde_json::to_string(fact).unwrap());
            let commitment = chain::commitment(&salt, &body);
            hash = chain::link(&hash, seq, seq, &commitment);
            let fact = serde_json::to_value(fact).unwrap();
            let (hash, salt, body, fact) = (hash.clone(), Some(salt), Some(body), Some(fact));
            entries.push(PublishedEntry { seq, at_ms: seq, hash, commitment, salt, body, fact });
        }
        PublishedJournal { format: FORMAT.to_owned(), generation, genesis, head: None, entries }
    }

    fn team(id: i64, name: &str) -> Fact {
        let (name, country) = (name.to_owned(), "IT".to_owned());
        Fact::Team { team: TeamId(id), name, country }
    }

    #[test]
    fn a_published_journal_with_a_withheld_entry_verifies() {
        let mut published = journal(&[team(1, "Ants"), team(2, "Bees"), team(3, "Cats")]);
        let withheld = &mut published.entries[1];
        (withheld.salt, withheld.body, withheld.fact) = (None, None, None);
        let text = serde_json::to_string(&published).unwrap();
        assert_eq!(serde_json::from_str::<PublishedJournal>(&text).unwrap(), published);
        let verified = published.verify().unwrap();
        assert_eq!(verified.withheld, 1);
        assert_eq!(verified.hash, published.entries[2].hash);
        assert_eq!(verified.contest.teams().count(), 2);
    }

    #[test]
    fn alterations_of_a_published_journal_are_identified() {
        let right = journal(&[team(1, "Ants"), team(2, "Bees")]);
        assert!(right.verify().is_ok());
        let altered = |change: fn(&mut PublishedJournal)| {
            let mut journal = right.clone();
            change(&mut journal);
            journal.verify().unwrap_err()
        };
        for (error, expected) in [
            (altered(|it| it.format.push('0')), PublishedError::Format),
            (altered(|it| it.generation.push('0')), PublishedError::Genesis),
            (altered(|it| drop(it.entries.remove(0))), PublishedError::Order { seq: 2 }),
            (altered(|it| it.entries[1].at_ms += 1), PublishedError::Hash { seq: 2 }),
            (
                altered(|it| it.entries[0].commitment = "0".repeat(64)),
                PublishedError::Hash { seq: 1 },
            ),
            (altered(|it| it.entries[1].body = None), PublishedError::Partial { seq: 2 }),
            (
                altered(|it| it.entries[1].body = Some("{}".to_owned())),
                PublishedError::Commitment { seq: 2 },
            ),
            (
                altered(|it| it.entries[1].fact = Some("Wasps".into())),
                PublishedError::Fact { seq: 2 },
            ),
        ] {
            assert_eq!(error, expected);
        }
        let again = journal(&[team(1, "Ants"), team(1, "Ants")]).verify();
        assert!(matches!(again, Err(PublishedError::Fold { seq: 2, .. })), "{again:?}");
    }
}
