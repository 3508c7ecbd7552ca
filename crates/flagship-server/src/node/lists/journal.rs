//! The published journal: redactions and their replacements.

use flagship_game::published::{FORMAT, PublishedEntry, PublishedJournal, Withheld};
use flagship_game::{Entry, Fact, Phase, chain};
use flagship_store::journal::{self, StoredEntry};
use flagship_store::{Db, Seal, StoreError};

/// Returns the published journal; `None` before the end, and while the freeze hides something. It
/// contains everything needed to recompute the state and to verify the hashes from `genesis`, the
/// hash before the first entry, including challenge descriptions. If an entry has a challenge, or a
/// version of one, that no player could read, its commitment replaces it. Published entries omit
/// the reasons of awards and former team names. The journal ends before the last practice solves,
/// which therefore do not change it.
///
/// # Errors
/// Fails if the database does not respond, or if its contents were modified.
pub async fn published(
    db: &Db,
    generation: &str,
    seal: &Seal,
) -> Result<Option<PublishedJournal>, StoreError> {
    let mut stored = Vec::new();
    let mut seq = 0;
    loop {
        let rows = journal::read_after(db, seq).await?;
        let Some(last) = rows.last() else { break };
        seq = last.seq;
        stored.extend(rows);
    }
    while stored.last().map(is_practice).transpose()?.unwrap_or_default() {
        stored.pop();
    }
    let withheld = withheld(&stored)?;
    let contest = withheld.contest();
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
        if withheld.has(seq) {
            return Ok(entry);
        }
        if let Some(redacted) = serde_json::from_str::<Fact>(&body)?.redacted(contest) {
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

fn is_practice(row: &StoredEntry) -> Result<bool, StoreError> {
    let fact: Fact = serde_json::from_str(&row.body).map_err(corrupt)?;
    Ok(matches!(fact, Fact::Practiced(_)))
}

fn corrupt(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(format!("an entry of the journal: {error}"))
}

/// Folds all entries to find those to withhold.
fn withheld(stored: &[StoredEntry]) -> Result<Withheld, StoreError> {
    let mut withheld = Withheld::default();
    for row in stored {
        let fact = serde_json::from_str(&row.body).map_err(corrupt)?;
        let folded = withheld.fold(&Entry { seq: row.seq, at_ms: row.at_ms, fact });
        folded.map_err(|error| StoreError::Corrupt(error.to_string()))?;
    }
    Ok(withheld)
}
