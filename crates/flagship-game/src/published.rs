//! The published journal: the output of `flagship export journal`, and its public verification.
//!
//! An entry about something that no player ever saw is [withheld](Withheld): only its commitment is
//! published, for the chain. An entry with private text is redacted: its commitment covers the
//! recorded text, and the published fact omits the private part.

mod withheld;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chain;
use crate::contest::{Contest, FoldError};
use crate::entry::TeamId;
use crate::facts::{Entry, Fact, Properties};
pub use withheld::Withheld;

/// Name of this format.
pub const FORMAT: &str = "flagship-journal-1";

/// A published journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedJournal {
    /// [`FORMAT`].
    pub format: String,
    /// Random name of the journal.
    pub generation: String,
    /// Hash before the first entry, in hex.
    pub genesis: String,
    /// Authenticated head of the journal; `None` if the journal is empty. Verification requires the
    /// event's secret.
    pub head: Option<String>,
    /// All entries, in order.
    pub entries: Vec<PublishedEntry>,
}

/// An entry of a published journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedEntry {
    /// Position in the journal, from 1, without gaps.
    pub seq: i64,
    /// Epoch milliseconds.
    pub at_ms: i64,
    /// Hash of the chain up to this entry, in hex.
    pub hash: String,
    /// Commitment to the text, in hex.
    pub commitment: String,
    /// Salt of the commitment, in hex; `None` if the entry is withheld or redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// The committed text, which is the fact as JSON; `None` if the entry is withheld or redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The fact, for readers; [redacted](Fact::redacted) if the entry is redacted, `None` if it is
    /// withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<Value>,
}

/// Error returned when a published journal is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// The journal has a different format.
    #[error("the format is not {FORMAT}")]
    Format,
    /// The genesis hash does not match the generation.
    #[error("the genesis hash does not match the generation")]
    Genesis,
    /// The sequence number of an entry is not the expected one.
    #[error("entry {seq} is out of order")]
    Order {
        /// The entry's number.
        seq: i64,
    },
    /// The hash of an entry does not follow from the previous one.
    #[error("the hash of entry {seq} does not match")]
    Hash {
        /// The entry's number.
        seq: i64,
    },
    /// An entry has an invalid combination of salt, body and fact: all three, none, or only the
    /// fact are valid.
    #[error("entry {seq} is partially withheld")]
    Partial {
        /// The entry's number.
        seq: i64,
    },
    /// An entry lacks its text, but its fact cannot be redacted. Only awards without a reason, and
    /// earlier entries of a team with its current name, can be redacted.
    #[error("the text of entry {seq} is missing")]
    Redacted {
        /// The entry's number.
        seq: i64,
    },
    /// The commitment of an entry does not match its text.
    #[error("the commitment of entry {seq} does not match its text")]
    Commitment {
        /// The entry's number.
        seq: i64,
    },
    /// The fact of an entry does not match its text, or is not a fact.
    #[error("the fact of entry {seq} does not match its text")]
    Fact {
        /// The entry's number.
        seq: i64,
    },
    /// The fact of an entry is not valid after the previous ones.
    #[error("entry {seq} cannot be folded")]
    Fold {
        /// The entry's number.
        seq: i64,
        /// The reason.
        source: FoldError,
    },
}

/// Result of verifying a published journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Fold of the entries that are not withheld.
    pub contest: Contest,
    /// Hash of the last entry; the genesis hash if there is none.
    pub hash: String,
    /// Number of withheld entries.
    pub withheld: usize,
    /// Number of redacted entries, whose facts cannot be verified.
    pub redacted: usize,
}

impl PublishedJournal {
    /// Verifies the chain and the commitment of each text, and folds the facts.
    ///
    /// # Errors
    /// The first mismatch.
    pub fn verify(&self) -> Result<Verified, PublishedError> {
        if self.format != FORMAT {
            return Err(PublishedError::Format);
        }
        let mut hash = chain::genesis(&self.generation);
        if self.genesis != hash {
            return Err(PublishedError::Genesis);
        }
        let mut contest = Contest::default();
        let mut withheld = 0;
        let mut redacted = 0;
        let mut names = Names::default();
        for (entry, next) in self.entries.iter().zip(1..) {
            let seq = entry.seq;
            if seq != next {
                return Err(PublishedError::Order { seq });
            }
            hash = chain::link(&hash, seq, entry.at_ms, &entry.commitment);
            if entry.hash != hash {
                return Err(PublishedError::Hash { seq });
            }
            let fact = match (&entry.salt, &entry.body, &entry.fact) {
                (Some(salt), Some(body), Some(fact)) => entry.checked(salt, body, fact)?,
                (None, None, Some(fact)) => {
                    redacted += 1;
                    entry.without_text(fact)?
                }
                (None, None, None) => {
                    contest.advance_to(seq, entry.at_ms);
                    withheld += 1;
                    continue;
                }
                _ => return Err(PublishedError::Partial { seq }),
            };
            names.note(seq, &fact, entry.body.is_some());
            let folded = contest.fold(&Entry { seq, at_ms: entry.at_ms, fact });
            folded.map_err(|source| PublishedError::Fold { seq, source })?;
        }
        names.check(&contest)?;
        Ok(Verified { contest, hash, withheld, redacted })
    }
}

/// Team names from redacted entries.
#[derive(Default)]
struct Names {
    /// The entry, the team and the name.
    redacted: Vec<(i64, TeamId, String)>,
    /// By team, the last entry with its text that sets the name.
    said: HashMap<TeamId, i64>,
}

impl Names {
    fn note(&mut self, seq: i64, fact: &Fact, has_text: bool) {
        let Properties { team: Some(team), team_name: Some(name), .. } = fact.properties() else {
            return;
        };
        if has_text {
            self.said.insert(team, seq);
        } else {
            self.redacted.push((seq, team, name.to_owned()));
        }
    }

    /// Checks that each redacted entry has the current name of the team, set by a later entry with
    /// its text.
    fn check(self, contest: &Contest) -> Result<(), PublishedError> {
        for (seq, team, name) in self.redacted {
            let is_last = contest.team(team).is_some_and(|team| *team.name == name);
            if !is_last || self.said.get(&team).is_none_or(|said| *said < seq) {
                return Err(PublishedError::Redacted { seq });
            }
        }
        Ok(())
    }
}

impl PublishedEntry {
    /// Returns the fact of a redacted entry, if its kind can be redacted.
    fn without_text(&self, fact: &Value) -> Result<Fact, PublishedError> {
        let fact: Option<Fact> = serde_json::from_value(fact.clone()).ok();
        let may_stand = |fact: &Fact| fact.properties().stands_without_text;
        fact.filter(may_stand).ok_or(PublishedError::Redacted { seq: self.seq })
    }

    /// Returns the fact, if the commitment matches its text.
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
    use flagship_control::control;

    use super::*;
    use crate::challenge::{Challenge, ChallengeId, Scoring};
    use crate::facts;

    fn journal(facts: &[Fact]) -> PublishedJournal {
        let generation = "test".to_owned();
        let genesis = chain::genesis(&generation);
        let mut hash = genesis.clone();
        let mut entries = Vec::new();
        for (fact, seq) in facts.iter().zip(1..) {
            let salt = format!("{seq:032x}");
            let body = serde_json::to_string(fact).unwrap();
            let commitment = chain::commitment(&salt, &body);
            hash = chain::link(&hash, seq, seq, &commitment);
            let fact = serde_json::to_value(fact).unwrap();
            let hash = hash.clone();
            let salt = Some(salt);
            let body = Some(body);
            let fact = Some(fact);
            entries.push(PublishedEntry { seq, at_ms: seq, hash, commitment, salt, body, fact });
        }
        PublishedJournal { format: FORMAT.to_owned(), generation, genesis, head: None, entries }
    }

    fn team(id: i64, name: &str) -> Fact {
        let name = name.to_owned();
        let country = "IT".to_owned();
        Fact::from(facts::Team {
            team: TeamId(id),
            name,
            country,
            hidden: false,
            divisions: vec![],
        })
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

    /// A published journal with redacted entries.
    fn published(facts: &[Fact]) -> PublishedJournal {
        let mut journal = journal(facts);
        let last = journal.verify().unwrap().contest;
        for (entry, fact) in journal.entries.iter_mut().zip(facts) {
            if let Some(redacted) = fact.redacted(&last) {
                let fact = Some(serde_json::to_value(redacted).unwrap());
                (entry.salt, entry.body, entry.fact) = (None, None, fact);
            }
        }
        journal
    }

    fn named(id: i64, name: &str) -> Fact {
        let name = name.to_owned();
        let country = "IT".to_owned();
        Fact::from(facts::TeamNamed { team: TeamId(id), name, country })
    }

    fn award(id: i64, points: i64, reason: &str) -> Fact {
        Fact::from(facts::Award { team: TeamId(id), points, reason: reason.to_owned() })
    }

    #[test]
    fn former_names_and_reasons_are_not_published_and_the_rest_can_be_folded() {
        let facts = [
            team(1, "Rude"),
            team(2, "Bees"),
            award(1, 5, "because of Rude"),
            named(1, "Ruder"),
            named(1, "Polite"),
            team(3, "Rude"),
            named(3, "Nice"),
            award(2, -5, ""),
            named(2, "Bees"),
        ];
        let words = "private text is not published";
        let tells =
            control("former_names_and_reasons_are_not_published_and_the_rest_can_be_folded", words);
        let published = if tells { journal(&facts) } else { published(&facts) };
        let text = serde_json::to_string(&published).unwrap();
        assert!(!text.contains("Rude") && !text.contains("because"), "{words}: {text}");
        let verified = published.verify().unwrap();
        assert_eq!((verified.redacted, verified.withheld), (4, 0));
        let whole = journal(&facts).verify().unwrap();
        assert_eq!(verified.hash, whole.hash);
        let teams = |it: &Verified| -> Vec<_> {
            it.contest.teams().map(|team| (team.id, team.name.clone(), team.award)).collect()
        };
        assert_eq!(teams(&verified), teams(&whole));
    }

    #[test]
    fn only_words_that_are_not_for_the_public_can_be_left_out() {
        let facts = [
            team(1, "Rude"),
            award(1, 5, "why"),
            named(1, "Polite"),
            team(2, "Bees"),
            award(2, 5, ""),
        ];
        let right = published(&facts);
        assert!(right.verify().is_ok());
        let hidden = Fact::from(facts::TeamState { team: TeamId(1), banned: true, hidden: false });
        for (entry, fact, seq) in [
            // A fact of another kind, a fact with a reason, and an invalid fact.
            (2, serde_json::to_value(hidden).unwrap(), 2),
            (2, serde_json::to_value(award(1, 5, "why")).unwrap(), 2),
            (2, Value::Null, 2),
            // A name other than the current one.
            (1, serde_json::to_value(team(1, "Rude")).unwrap(), 1),
            // A name that no later text confirms.
            (3, serde_json::to_value(named(1, "Polite")).unwrap(), 1),
            (4, serde_json::to_value(team(2, "Bees")).unwrap(), 4),
            (4, serde_json::to_value(team(2, "Wasps")).unwrap(), 4),
        ] {
            let mut altered = right.clone();
            let redacted = &mut altered.entries[entry - 1];
            (redacted.salt, redacted.body, redacted.fact) = (None, None, Some(fact.clone()));
            assert_eq!(altered.verify(), Err(PublishedError::Redacted { seq }), "{fact}");
        }
        let mut altered = right.clone();
        altered.entries[1].commitment = chain::commitment("salt", "text");
        assert_eq!(altered.verify(), Err(PublishedError::Hash { seq: 2 }));
        let mut altered = right;
        altered.entries[1].salt = Some("salt".to_owned());
        assert_eq!(altered.verify(), Err(PublishedError::Partial { seq: 2 }));
    }

    #[test]
    fn a_counted_solve_keeps_its_place_behind_withheld_entries() {
        let heap = ChallengeId::from_name("heap");
        let id = heap.clone();
        let name = "heap".to_owned();
        let scoring = Scoring::Static { max: 1 };
        let description = String::new();
        let position = None;
        let connection = None;
        let categories = vec![];
        let attachments = vec![];
        let requirements = vec![];
        let hints = vec![];
        let challenge = Challenge {
            id,
            name,
            scoring,
            categories,
            description,
            attachments,
            requirements,
            position,
            hints,
            connection,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: Default::default(),
        };
        let solve = |team| Fact::from(facts::Solve { team: TeamId(team), challenge: heap.clone() });
        let counted = |team, after| {
            let team = TeamId(team);
            let challenge = heap.clone();
            Fact::from(facts::SolveCounted { team, challenge, at_ms: 6, after })
        };
        let mut published = journal(&[
            team(1, "Ants"),
            team(2, "Bees"),
            Fact::from(facts::Challenge {
                challenge: Challenge { connection: Some("x".into()), ..challenge.clone() },
            }),
            Fact::from(facts::Challenge { challenge }),
            team(3, "Cats"),
            solve(1),
            solve(2),
            counted(3, 6),
        ]);
        let whole = published.verify().unwrap().contest;
        let withheld = &mut published.entries[2];
        (withheld.salt, withheld.body, withheld.fact) = (None, None, None);
        let contest = published.verify().unwrap().contest;
        assert_eq!(contest, whole);
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
