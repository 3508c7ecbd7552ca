//! The public journal, for `flagship export journal`: what of it is left out, and what it says
//! instead.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, ensure};
use flagship_game::entry::{Fact, Phase};
use flagship_game::published::{FORMAT, PublishedEntry, PublishedJournal, redacted};
use flagship_game::{ChallengeId, Contest, Entry, chain};
use flagship_store::journal::{self, StoredEntry};
use flagship_store::{Db, Seal};

use crate::say::counted;

/// The public journal: everything needed to fold it again and to verify its hashes from `genesis`,
/// the hash before the first entry. It contains descriptions. An entry with a challenge, or a
/// version of one, that no player could read is replaced by its commitment; one with the reason of
/// an award or a name that its team does not have any more is published without these words.
pub async fn published(
    db: &Db,
    contest: &Contest,
    generation: &str,
    seal: &Seal,
) -> Result<PublishedJournal> {
    let frozen = contest.reached(Phase::Freeze) && !contest.reached(Phase::Reveal);
    ensure!(
        contest.reached(Phase::End) && !frozen,
        "the journal is published after the end and the reveal; `flagship status` shows both times"
    );
    let (mut stored, mut seq) = (Vec::new(), 0);
    loop {
        let rows = journal::read_after(db, seq).await?;
        let Some(last) = rows.last() else { break };
        seq = last.seq;
        stored.extend(rows);
    }
    let unread = unread(&stored)?;
    let head = stored.last().map(|last| seal.head(last.seq, &last.hash).to_string());
    let entry = |row: StoredEntry| -> Result<PublishedEntry> {
        let StoredEntry { seq, at_ms, salt, body, hash } = row;
        let commitment = chain::commitment(&salt, &body);
        let mut entry =
            PublishedEntry { seq, at_ms, hash, commitment, salt: None, body: None, fact: None };
        if unread.contains(&seq) {
            return Ok(entry);
        }
        if let Some(redacted) = redacted(&serde_json::from_str(&body)?, contest) {
            entry.fact = Some(serde_json::to_value(redacted)?);
            return Ok(entry);
        }
        entry.fact = Some(serde_json::from_str(&body)?);
        (entry.salt, entry.body) = (Some(salt), Some(body));
        Ok(entry)
    };
    Ok(PublishedJournal {
        format: FORMAT.to_owned(),
        generation: generation.to_owned(),
        genesis: chain::genesis(generation),
        head,
        entries: stored.into_iter().map(entry).collect::<Result<_>>()?,
    })
}

/// Says how many entries have no text, and why.
pub fn say_what_is_missing(journal: &PublishedJournal) {
    let count = |is_counted: fn(&PublishedEntry) -> bool| {
        let entries = journal.entries.iter().filter(|entry| entry.body.is_none());
        entries.filter(|entry| is_counted(entry)).count()
    };
    let (withheld, redacted) = (count(|it| it.fact.is_none()), count(|it| it.fact.is_some()));
    if withheld > 0 {
        let entries = counted(withheld, "entry is", "entries are");
        say_error!(
            "{entries} withheld: about challenges that no player could read, or words that \
             organizers took back"
        );
    }
    if redacted > 0 {
        let entries = counted(redacted, "entry is", "entries are");
        say_error!("{entries} redacted: without reasons of awards and former names of teams");
    }
}

/// The numbers of the entries that players could not read: with a version of a challenge that was
/// not shown or was locked for all teams, and with what was said of such a challenge.
fn unread(stored: &[StoredEntry]) -> Result<HashSet<i64>> {
    let mut contest = Contest::default();
    // By unread challenge, the entry with its current version.
    let mut current: HashMap<ChallengeId, i64> = HashMap::new();
    let (mut unread, mut notices) = (HashSet::new(), Notices::default());
    for row in stored {
        let fact: Fact = serde_json::from_str(&row.body)?;
        notices.note(row.seq, &fact);
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
        contest.fold(&Entry { seq: row.seq, at_ms: row.at_ms, fact })?;
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
    Ok(unread)
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
