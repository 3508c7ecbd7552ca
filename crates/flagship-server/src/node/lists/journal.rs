//! The public journal: what of it is left out, and what it says instead.

use std::collections::{HashMap, HashSet};

use flagship_game::entry::{Fact, Phase};
use flagship_game::published::{FORMAT, PublishedEntry, PublishedJournal, redacted};
use flagship_game::{ChallengeId, Contest, Entry, chain};
use flagship_store::journal::{self, StoredEntry};
use flagship_store::{Db, Seal, StoreError};

/// The public journal: everything needed to fold it again and to verify its hashes from `genesis`,
/// the hash before the first entry. It contains descriptions. An entry with a challenge, or a
/// version of one, that no player could read is replaced by its commitment; one with the reason of
/// an award or a name that its team does not have any more is published without these words.
/// `None` before the end, and while the freeze hides something.
///
/// # Errors
/// The database does not answer, or what it holds was altered.
pub async fn published(
    db: &Db,
    generation: &str,
    seal: &Seal,
) -> Result<Option<PublishedJournal>, StoreError> {
    let (mut stored, mut seq) = (Vec::new(), 0);
    loop {
        let rows = journal::read_after(db, seq).await?;
        let Some(last) = rows.last() else { break };
        seq = last.seq;
        stored.extend(rows);
    }
    let (contest, unread) = unread(&stored)?;
    let frozen = contest.reached(Phase::Freeze) && !contest.reached(Phase::Reveal);
    if !contest.reached(Phase::End) || frozen {
        return Ok(None);
    }
    let head = stored.last().map(|last| seal.head(last.seq, &last.hash).to_string());
    let entry = |row: StoredEntry| -> Result<PublishedEntry, serde_json::Error> {
        let StoredEntry { seq, at_ms, salt, body, hash } = row;
        let commitment = chain::commitment(&salt, &body);
        let mut entry =
            PublishedEntry { seq, at_ms, hash, commitment, salt: None, body: None, fact: None };
        if unread.contains(&seq) {
            return Ok(entry);
        }
        if let Some(redacted) = redacted(&serde_json::from_str(&body)?, &contest) {
            entry.fact = Some(serde_json::to_value(redacted)?);
            return Ok(entry);
        }
        entry.fact = Some(serde_json::from_str(&body)?);
        (entry.salt, entry.body) = (Some(salt), Some(body));
        Ok(entry)
    };
    let entries = stored.into_iter().map(entry).collect::<Result<_, _>>().map_err(corrupt)?;
    Ok(Some(PublishedJournal {
        format: FORMAT.to_owned(),
        generation: generation.to_owned(),
        genesis: chain::genesis(generation),
        head,
        entries,
    }))
}

fn corrupt(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(format!("an entry of the journal: {error}"))
}

/// The fold of all entries, and the numbers of those that players could not read: with a version of
/// a challenge that was not shown or was locked for all teams, with what was said of such a
/// challenge, and about a team that left.
fn unread(stored: &[StoredEntry]) -> Result<(Contest, HashSet<i64>), StoreError> {
    let mut contest = Contest::default();
    // By unread challenge, the entry with its current version.
    let mut current: HashMap<ChallengeId, i64> = HashMap::new();
    let (mut unread, mut notices) = (HashSet::new(), Notices::default());
    // The entries about teams, and the teams that left: what was imported by mistake is not for the
    // public.
    let (mut of_teams, mut left) = (Vec::new(), HashSet::new());
    for row in stored {
        let fact: Fact = serde_json::from_str(&row.body).map_err(corrupt)?;
        notices.note(row.seq, &fact);
        of_teams.extend(fact.team().map(|team| (row.seq, team)));
        if let Fact::TeamLeft { team } = &fact {
            left.insert(*team);
        }
        let about = match &fact {
            Fact::Challenge { challenge } => Some(challenge.id.clone()),
            Fact::Withdrawn { challenge } if !contest.is_readable(challenge) => {
                Some(challenge.clone())
            }
            _ => None,
        };
        if let Fact::Status { challenge, .. } = &fact
            && !contest.is_readable(challenge)
        {
            unread.insert(row.seq);
        }
        let folded = contest.fold(&Entry { seq: row.seq, at_ms: row.at_ms, fact });
        folded.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        if let Some(id) = about {
            current.insert(id, row.seq);
            unread.insert(row.seq);
        }
        current.retain(|id, seq| {
            let is_read = contest.is_readable(id);
            if is_read {
                unread.remove(seq);
            }
            !is_read
        });
        notices.unseen.retain(|_, id| !contest.is_seen(id));
    }
    unread.extend(notices.unread());
    unread.extend(of_teams.into_iter().filter(|(_, team)| left.contains(team)).map(|(seq, _)| seq));
    Ok((contest, unread))
}

/// The entries about notices.
#[derive(Default)]
struct Notices {
    /// The entry, the notice, and whether it posts the notice.
    entries: Vec<(i64, i64, bool)>,
    /// By entry, the challenge that it names and no player has seen.
    unseen: HashMap<i64, ChallengeId>,
}

impl Notices {
    fn note(&mut self, seq: i64, fact: &Fact) {
        match fact {
            Fact::Notice { notice, challenge, .. } => {
                self.entries.push((seq, *notice, true));
                self.unseen.extend(challenge.clone().map(|id| (seq, id)));
            }
            Fact::NoticeWithdrawn { notice } => self.entries.push((seq, *notice, false)),
            _ => {}
        }
    }

    /// All entries but the last words of each notice that stands and names no challenge that no
    /// player ever saw: what was withdrawn or corrected was to be read no more.
    fn unread(&self) -> Vec<i64> {
        let mut last: HashMap<i64, (i64, bool)> = HashMap::new();
        for (seq, notice, is_post) in &self.entries {
            last.insert(*notice, (*seq, *is_post));
        }
        let stands =
            |seq: i64, notice: &i64| last[notice] == (seq, true) && !self.unseen.contains_key(&seq);
        let entries = self.entries.iter().filter(|(seq, notice, _)| !stands(*seq, notice));
        entries.map(|(seq, ..)| *seq).collect()
    }
}
