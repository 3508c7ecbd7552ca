//! Challenges with their flags, as last applied or edited. Flags are stored only here, because the
//! journal must not contain them.

use std::collections::HashMap;

use flagship_game::{Challenge, ChallengeId, TeamFlag};
use serde::{Deserialize, Serialize};

use crate::engine::{Tx, run};
use crate::{Clock, Db, Key, Result, StoreError, meta};

/// Length of the ID of a needed flag, in characters.
const ID_CHARS: usize = 16;

/// A flag. The variant determines how a submission is compared with it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flag {
    /// Compared by keyed digest, in lower case if case-insensitive.
    Exact {
        /// `Key::flag_digest`.
        digest: String,
        /// True if the flag is case-insensitive.
        case_insensitive: bool,
    },
    /// Compared with a regex that must match the whole submission.
    Regex {
        /// The pattern.
        pattern: String,
        /// True if the flag is case-insensitive.
        case_insensitive: bool,
    },
    /// Per-team flag: contains a code of the submitting team.
    Team(
        /// Template with a placeholder for the code.
        String,
    ),
    /// Decoy: never correct. Submitting it is evidence of cheating.
    Decoy {
        /// `Key::flag_digest` of the text in lower case.
        digest: String,
    },
}

impl Flag {
    /// True if a submission can match this flag; false for decoys.
    pub fn counts(&self) -> bool {
        !matches!(self, Self::Decoy { .. })
    }

    /// ID of the flag among those that a challenge needs: a keyed digest, the same while the flag
    /// does not change. Does not depend on other flags.
    pub fn needed_id(&self, key: &Key, challenge: &ChallengeId) -> String {
        let (kind, value) = match self {
            Self::Exact { digest, .. } => ("exact", digest),
            Self::Regex { pattern, .. } => ("regex", pattern),
            Self::Team(text) => ("team", text),
            Self::Decoy { digest } => ("decoy", digest),
        };
        let mut id = key.mac("needed flag", &[challenge.as_str(), kind, value]);
        id.truncate(ID_CHARS);
        id
    }

    /// Returns the per-team flag, if this is one.
    pub fn of_teams(&self) -> Option<TeamFlag> {
        match self {
            Self::Team(text) => TeamFlag::parse(text),
            _ => None,
        }
    }
}

/// A challenge definition with its flags.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The challenge as players will see it, with all hints.
    pub challenge: Challenge,
    /// Accepted flags and decoys.
    pub flags: Vec<Flag>,
    /// True if the challenge is hidden.
    pub hidden: bool,
    /// Release time, in epoch milliseconds; `None` for immediately.
    pub release_at_ms: Option<i64>,
}

/// Meta key of the revision of these tables. Nodes reload them when it changes.
pub(crate) const REVISION: &str = "challenges_revision";

const DRAFTS: &str = "select challenge_id, definition, hidden, release_at_ms from challenges \
                      order by challenge_id";
const FLAGS: &str = "select challenge_id, kind, case_insensitive, value from flags \
                     order by challenge_id, number";

const NEXT_RELEASE: &str = "select min(at_ms) from (\
    select min(release_at_ms) as at_ms from challenges where not released and not hidden \
    union all select min(hint_at_ms) from challenges where released \
    union all select min(at_ms) from due_notices) as due";

/// All drafts with their flags, and their revision.
pub async fn all(db: &Db) -> Result<(i64, Vec<Draft>)> {
    let mut tx = db.snapshot().await?;
    Ok((revision_in(&mut tx).await?, all_in(&mut tx).await?))
}

/// All drafts with their flags, within a transaction.
pub async fn all_in(tx: &mut Tx) -> Result<Vec<Draft>> {
    match read_in(tx).await? {
        (drafts, None) => Ok(drafts),
        (_, Some(error)) => Err(error),
    }
}

/// Returns all readable drafts, and the error of one unreadable draft, if any. Unreadable rows were
/// written by another program.
async fn read_in(tx: &mut Tx) -> Result<(Vec<Draft>, Option<StoreError>)> {
    let drafts: Vec<(String, String, bool, Option<i64>)> = run!(tx => query_as(DRAFTS).fetch_all);
    let flags: Vec<(String, String, bool, String)> = run!(tx => query_as(FLAGS).fetch_all);
    let mut all = Vec::with_capacity(drafts.len());
    let mut wrong = None;
    // Flags without a challenge (written by another program) must not hide valid flags.
    let mut by_challenge: HashMap<String, Vec<Flag>> = HashMap::new();
    for (challenge_id, kind, case_insensitive, value) in flags {
        by_challenge.entry(challenge_id).or_default().push(match kind.as_str() {
            "exact" => Flag::Exact { digest: value, case_insensitive },
            "regex" => Flag::Regex { pattern: value, case_insensitive },
            "team" => Flag::Team(value),
            "decoy" => Flag::Decoy { digest: value },
            other => {
                wrong = Some(StoreError::Corrupt(format!("a flag of kind {other}")));
                continue;
            }
        });
    }
    for (id, definition, hidden, release_at_ms) in drafts {
        let own = by_challenge.remove(&id).unwrap_or_default();
        match parse(&id, &definition) {
            Ok(challenge) => all.push(Draft { challenge, flags: own, hidden, release_at_ms }),
            Err(error) => wrong = Some(error),
        }
    }
    Ok((all, wrong))
}

/// Revision of drafts and flags. It changes with every change for which [`is_touched`] is true. A
/// new text alone does not change it, so that pending submissions are not judged again.
pub async fn revision(db: &Db) -> Result<i64> {
    Ok(parse_revision(run!(db.read() => query_scalar(meta::VALUE, REVISION).fetch_optional)))
}

pub(crate) async fn revision_in(tx: &mut Tx) -> Result<i64> {
    Ok(parse_revision(meta::get(tx, REVISION).await?))
}

/// Returns the time, as [`Tx::now_ms`] does, and the revision.
pub(crate) async fn now_and_revision_in(tx: &mut Tx, clock: &Clock) -> Result<(i64, i64)> {
    let (now_ms, value) = tx.now_ms_and_meta(clock, REVISION).await?;
    Ok((now_ms, parse_revision(value)))
}

fn parse_revision(value: Option<String>) -> i64 {
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Time of the next scheduled release, in epoch milliseconds.
pub async fn next_release_ms(db: &Db) -> Result<Option<i64>> {
    Ok(run!(db.read() => query_scalar(NEXT_RELEASE).fetch_one))
}

pub(crate) async fn next_release_ms_in(tx: &mut Tx) -> Result<Option<i64>> {
    Ok(run!(tx => query_scalar(NEXT_RELEASE).fetch_one))
}

/// Stores the digests of the current exact flags of a challenge, or of all challenges.
async fn remember_flags(tx: &mut Tx, id: Option<&ChallengeId>) -> Result<()> {
    let sql = "insert into former_flags (challenge_id, digest) \
               select challenge_id, value from flags \
               where kind = 'exact' and (challenge_id = $1 or $1 is null) \
               on conflict do nothing";
    run!(tx => query(sql, id.map(ChallengeId::as_str)).execute);
    Ok(())
}

/// Digests of former exact flags. Some of these flags can be valid again.
pub async fn former_flags(db: &Db) -> Result<Vec<String>> {
    let sql = "select digest from former_flags";
    Ok(run!(db.read() => query_scalar(sql).fetch_all))
}

/// Deletes all drafts and flags. The caller must call `touch` afterwards.
pub(crate) async fn clear(tx: &mut Tx) -> Result<()> {
    remember_flags(tx, None).await?;
    run!(tx => query("delete from flags").execute);
    run!(tx => query("delete from challenges").execute);
    Ok(())
}

/// Deletes drafts with their flags. The caller must call `touch` afterwards.
pub async fn remove(tx: &mut Tx, ids: &[ChallengeId]) -> Result<()> {
    for id in ids {
        remember_flags(tx, Some(id)).await?;
        run!(tx => query("delete from flags where challenge_id = $1", id.as_str()).execute);
        run!(tx => query("delete from challenges where challenge_id = $1", id.as_str()).execute);
    }
    Ok(())
}

/// True if replacing a draft requires `touch`: its flags or its rules change, or the time at which
/// players see the challenge or one of its hints.
pub fn is_touched(before: Option<&Draft>, after: &Draft) -> bool {
    let times = |draft: &Draft| {
        let hints = draft.challenge.hints.iter().filter_map(|hint| hint.at_ms);
        (draft.hidden, draft.release_at_ms, hints.collect::<Vec<_>>())
    };
    before.is_none_or(|before| {
        let has_other_flags = before.flags != after.flags;
        let has_other_rules = before.challenge.rules != after.challenge.rules;
        has_other_flags || has_other_rules || times(before) != times(after)
    })
}

/// Replaces the draft with the same id, without its flags. The caller must call `touch` if the
/// draft [`is_touched`].
pub async fn write(tx: &mut Tx, draft: &Draft, released: bool, now_ms: i64) -> Result<()> {
    let id = &draft.challenge.id;
    let definition = serde_json::to_string(&draft.challenge).expect("plain data");
    let sql = "insert into challenges \
               (challenge_id, definition, hidden, released, release_at_ms, hint_at_ms) \
               values ($1, $2, $3, $4, $5, $6) on conflict (challenge_id) do update set \
               definition = excluded.definition, hidden = excluded.hidden, \
               released = excluded.released, release_at_ms = excluded.release_at_ms, \
               hint_at_ms = excluded.hint_at_ms";
    run!(tx => query(sql, id.as_str(), definition, draft.hidden, released, draft.release_at_ms,
        draft.challenge.next_hint_ms(now_ms)).execute);
    Ok(())
}

/// Replaces the flags of the draft with the same id. The caller must call `touch` afterwards.
pub async fn write_flags(tx: &mut Tx, draft: &Draft) -> Result<()> {
    let id = &draft.challenge.id;
    remember_flags(tx, Some(id)).await?;
    run!(tx => query("delete from flags where challenge_id = $1", id.as_str()).execute);
    for (flag, number) in draft.flags.iter().zip(1_i64..) {
        let (kind, value, case_insensitive) = match flag {
            Flag::Exact { digest, case_insensitive } => ("exact", digest, case_insensitive),
            Flag::Regex { pattern, case_insensitive } => ("regex", pattern, case_insensitive),
            Flag::Team(text) => ("team", text, &false),
            Flag::Decoy { digest } => ("decoy", digest, &true),
        };
        let sql = "insert into flags (challenge_id, number, kind, case_insensitive, value) \
                   values ($1, $2, $3, $4, $5)";
        run!(tx => query(sql, id.as_str(), number, kind, case_insensitive, value).execute);
    }
    Ok(())
}

/// Visibility that an organizer set live. Takes precedence over applied files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub struct LiveOverride {
    /// True if the challenge is shown.
    pub shown: bool,
    /// Release time, in epoch milliseconds; `None` for immediately.
    pub release_at_ms: Option<i64>,
}

impl LiveOverride {
    /// Returns the visibility of a draft.
    pub fn of(draft: &Draft) -> Self {
        Self { shown: !draft.hidden, release_at_ms: draft.release_at_ms }
    }

    /// Returns the draft with this visibility.
    pub fn over(self, draft: Draft) -> Draft {
        Draft { hidden: !self.shown, release_at_ms: self.release_at_ms, ..draft }
    }
}

/// Returns the live override of a challenge.
pub async fn live_override_in(tx: &mut Tx, id: &ChallengeId) -> Result<Option<LiveOverride>> {
    let sql = "select shown, release_at_ms from held where challenge_id = $1";
    Ok(run!(tx => query_as(sql, id.as_str()).fetch_optional))
}

/// Sets or removes the live override of a challenge.
pub async fn set_live_override_in(
    tx: &mut Tx,
    id: &ChallengeId,
    visibility: Option<LiveOverride>,
) -> Result<()> {
    run!(tx => query("delete from held where challenge_id = $1", id.as_str()).execute);
    if let Some(LiveOverride { shown, release_at_ms }) = visibility {
        let sql = "insert into held (challenge_id, shown, release_at_ms) values ($1, $2, $3)";
        run!(tx => query(sql, id.as_str(), shown, release_at_ms).execute);
    }
    Ok(())
}

/// Sets the visibility of a draft. The caller must call `touch` afterwards.
pub async fn set_times(
    tx: &mut Tx,
    id: &ChallengeId,
    hidden: bool,
    released: bool,
    release_at_ms: Option<i64>,
) -> Result<()> {
    let sql = "update challenges set hidden = $2, released = $3, release_at_ms = $4 \
               where challenge_id = $1";
    run!(tx => query(sql, id.as_str(), hidden, released, release_at_ms).execute);
    Ok(())
}

/// Sets the visibility of a draft and stores it as live override. The caller must call `touch`
/// afterwards.
pub async fn override_visibility_in(
    tx: &mut Tx,
    id: &ChallengeId,
    visibility: LiveOverride,
) -> Result<()> {
    set_live_override_in(tx, id, Some(visibility)).await?;
    let released = visibility.shown && visibility.release_at_ms.is_none();
    set_times(tx, id, !visibility.shown, released, visibility.release_at_ms).await
}

/// All readable challenges in the database.
pub(crate) struct Drafts {
    /// [`revision`] of the drafts and overrides.
    pub(crate) revision: i64,
    pub(crate) drafts: Vec<Draft>,
    /// Live overrides.
    pub(crate) overrides: HashMap<ChallengeId, LiveOverride>,
}

impl Drafts {
    pub(crate) async fn read(tx: &mut Tx) -> Result<Self> {
        let sql = "select challenge_id, shown, release_at_ms from held";
        let rows: Vec<(String, bool, Option<i64>)> = run!(tx => query_as(sql).fetch_all);
        // Skips rows with invalid ids, which another program wrote.
        let visibility = |(id, shown, release_at_ms): (String, bool, Option<i64>)| {
            Some((ChallengeId::parse(&id).ok()?, LiveOverride { shown, release_at_ms }))
        };
        let overrides = rows.into_iter().filter_map(visibility).collect();
        let revision = revision_in(tx).await?;
        let (drafts, _) = read_in(tx).await?;
        Ok(Self { revision, drafts, overrides })
    }
}

/// Returns the challenges whose release is due at `now_ms`. Skips unreadable ones.
pub(crate) async fn due_in(tx: &mut Tx, now_ms: i64) -> Result<Vec<Challenge>> {
    let sql = "select challenge_id, definition from challenges \
               where not released and not hidden and release_at_ms <= $1 order by challenge_id";
    let rows: Vec<(String, String)> = run!(tx => query_as(sql, now_ms).fetch_all);
    let readable = |(id, definition): &(String, String)| {
        parse(id, definition).inspect_err(|error| tracing::error!(%error, "not released")).ok()
    };
    Ok(rows.iter().filter_map(readable).collect())
}

/// Returns the released challenges with a hint that is due at `now_ms`, and stores the times of
/// their next hints. Skips unreadable challenges.
pub(crate) async fn hints_due_in(tx: &mut Tx, now_ms: i64) -> Result<Vec<Challenge>> {
    let sql = "select challenge_id, definition from challenges \
               where released and hint_at_ms <= $1 order by challenge_id";
    let rows: Vec<(String, String)> = run!(tx => query_as(sql, now_ms).fetch_all);
    let mut due = Vec::new();
    for (id, definition) in rows {
        let challenge = parse(&id, &definition)
            .inspect_err(|error| tracing::error!(%error, "its hint is not shown"))
            .ok();
        let next_ms = challenge.as_ref().and_then(|challenge| challenge.next_hint_ms(now_ms));
        let sql = "update challenges set hint_at_ms = $2 where challenge_id = $1";
        run!(tx => query(sql, &id, next_ms).execute);
        due.extend(challenge);
    }
    Ok(due)
}

/// Marks the challenges whose release is due at `now_ms` as released.
pub(crate) async fn mark_released(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let sql = "update challenges set released = true \
               where not released and not hidden and release_at_ms <= $1";
    run!(tx => query(sql, now_ms).execute);
    Ok(())
}

/// Changes the revision of drafts and flags; returns the new revision.
pub(crate) async fn touch(tx: &mut Tx) -> Result<i64> {
    let revision = i64::from(rand::random::<u32>());
    meta::set(tx, REVISION, &revision.to_string()).await?;
    Ok(revision)
}

fn parse(id: &str, definition: &str) -> Result<Challenge> {
    let corrupt = |words: String| StoreError::Corrupt(format!("challenge {id}: {words}"));
    let challenge: Challenge =
        serde_json::from_str(definition).map_err(|error| corrupt(error.to_string()))?;
    match challenge.id.as_str() == id {
        true => Ok(challenge),
        false => Err(corrupt(format!("its definition is of {}", challenge.id))),
    }
}
