//! Entries that are withheld from the published journal.

use std::collections::{HashMap, HashSet};

use crate::challenge::ChallengeId;
use crate::contest::{Contest, FoldError};
use crate::entry::TeamId;
use crate::facts::{Entry, Properties, Readers};

/// A fold of all entries that tracks which of them are withheld: those that no player could read,
/// and those retracted by later entries.
#[derive(Debug, Default)]
pub struct Withheld {
    contest: Contest,
    entries: HashSet<i64>,
    /// The entry with the current version of each challenge that players cannot read.
    versions: HashMap<ChallengeId, i64>,
    /// The challenge of each entry whose challenge no player has seen.
    unseen: HashMap<i64, ChallengeId>,
    /// Entries about each team and each notice.
    about: HashMap<Subject, Vec<i64>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Subject {
    Team(TeamId),
    Notice(i64),
}

impl Withheld {
    /// Folds the next entry.
    ///
    /// # Errors
    /// The entry is invalid.
    pub fn fold(&mut self, entry: &Entry) -> Result<(), FoldError> {
        let Properties { readers, team, notice, retracts, .. } = entry.fact.properties();
        let is_read = match readers {
            Readers::Everyone => true,
            Readers::OfReadable(challenge) => self.contest.is_readable(challenge),
            Readers::Nobody | Readers::OfVersion(_) | Readers::OfSeen(_) => false,
        };
        self.contest.fold(entry)?;
        if let Some(subject) = team.map(Subject::Team).or(notice.map(Subject::Notice)) {
            let about = self.about.entry(subject).or_default();
            if retracts {
                self.unseen.retain(|seq, _| !about.contains(seq));
                self.entries.extend(about.drain(..));
            }
            about.push(entry.seq);
        }
        if !is_read {
            self.entries.insert(entry.seq);
        }
        match readers {
            Readers::OfVersion(it) => drop(self.versions.insert(it.clone(), entry.seq)),
            Readers::OfSeen(it) => drop(self.unseen.insert(entry.seq, it.clone())),
            Readers::Everyone | Readers::OfReadable(_) | Readers::Nobody => {}
        }
        self.show();
        Ok(())
    }

    /// Removes the entries that players can read now.
    fn show(&mut self) {
        let Self { contest, entries, versions, unseen, .. } = self;
        versions.retain(|challenge, seq| {
            let is_read = contest.is_readable(challenge);
            if is_read {
                entries.remove(seq);
            }
            !is_read
        });
        unseen.retain(|seq, challenge| {
            let is_seen = contest.is_seen(challenge);
            if is_seen {
                entries.remove(seq);
            }
            !is_seen
        });
    }

    /// Fold of all entries.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// True if an entry is withheld.
    pub fn has(&self, seq: i64) -> bool {
        self.entries.contains(&seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::{Challenge, Scoring, StatusKind};
    use crate::entry::Phase;
    use crate::facts::{self, Fact};

    fn id() -> ChallengeId {
        ChallengeId::from_name("Heap")
    }

    fn challenge(max: i64) -> Fact {
        let challenge = Challenge {
            id: id(),
            name: "Heap".to_owned(),
            scoring: Scoring::Static { max },
            categories: Vec::new(),
            description: String::new(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: Default::default(),
        };
        Fact::from(facts::Challenge { challenge })
    }

    fn status() -> Fact {
        let note = String::new();
        Fact::from(facts::Status { challenge: id(), status: StatusKind::Broken, note })
    }

    fn notice(notice: i64, challenge: Option<ChallengeId>) -> Fact {
        let title = String::new();
        let html = String::new();
        Fact::from(facts::Notice {
            notice,
            title,
            html,
            challenge,
            urgent: false,
            urgent_until_ms: None,
        })
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

    /// Sequence numbers of the withheld entries.
    fn withheld(facts: Vec<Fact>) -> Vec<i64> {
        let mut withheld = Withheld::default();
        for (fact, seq) in facts.into_iter().zip(1..) {
            withheld.fold(&Entry { seq, at_ms: seq, fact }).unwrap();
        }
        (1..=withheld.contest().seq()).filter(|seq| withheld.has(*seq)).collect()
    }

    fn start() -> Fact {
        Fact::from(facts::Phase { phase: Phase::Start })
    }

    #[test]
    fn only_versions_and_statuses_that_players_could_read_are_published() {
        assert_eq!(withheld(vec![challenge(1), challenge(2), start(), challenge(3)]), [1]);
        assert_eq!(withheld(vec![challenge(1), status(), start(), status()]), [2]);
        let gone = || Fact::from(facts::Withdrawn { challenge: id() });
        assert_eq!(withheld(vec![challenge(1), gone(), start(), challenge(2)]), [1, 2]);
        assert_eq!(withheld(vec![start(), challenge(1), gone(), status()]), [4]);
    }

    #[test]
    fn only_the_last_words_of_a_notice_that_stands_are_published() {
        assert_eq!(withheld(vec![notice(1, None), notice(2, None), notice(1, None)]), [1]);
        let taken_back = Fact::from(facts::NoticeWithdrawn { notice: 1 });
        assert_eq!(withheld(vec![notice(1, None), taken_back.clone()]), [1, 2]);
        assert_eq!(withheld(vec![notice(1, None), taken_back, notice(1, None)]), [1, 2]);
        let about = || notice(1, Some(id()));
        assert_eq!(withheld(vec![challenge(1), about()]), [1, 2], "no player saw it");
        assert_eq!(withheld(vec![challenge(1), about(), start()]), Vec::<i64>::new());
        assert_eq!(withheld(vec![challenge(1), about(), about(), start()]), [2]);
    }

    #[test]
    fn nothing_about_a_team_that_left_is_published() {
        let state = facts::TeamState { team: TeamId(1), banned: false, hidden: true };
        let left = facts::TeamLeft { team: TeamId(1) };
        let facts = vec![team(1, "Ants"), team(2, "Bees"), state.into(), left.into()];
        assert_eq!(withheld(facts), [1, 3, 4]);
    }
}
