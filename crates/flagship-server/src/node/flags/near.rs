//! Near misses of incorrect submissions. Correct flags are kept in memory as hashes under a random
//! key of this process; their texts are in memory only while the hashes are computed. All hashes of
//! a submission are computed before the first lookup, so that near misses take the same time to
//! judge.
//!
//! For per-team flags, the text around the code is kept. The owner of a code is looked up in the
//! same time whether or not it belongs to a team.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use flagship_actions::challenge::text::other;
use flagship_game::team_flag::CODE_CHARS;
use flagship_game::{ChallengeId, Secret, TeamFlag, TeamId, flag_text};
use flagship_pack::Flag;
use flagship_pack::source::{self, OtherChallenge, ParseContext};
use flagship_store::challenges::{Draft, Flag as StoredFlag};
use flagship_store::wrong_flags::NearMiss;
use flagship_store::{Db, Key, Seal, StoreError, challenges, sources};

use super::team_codes::TeamCodes;
use crate::node::background::once;

/// Index of an event's current and former flags, normalized for comparison.
#[derive(Default)]
pub struct NearSet {
    /// `challenges::revision` of the flags; 0 before they are read.
    revision: i64,
    /// `sources::revision` of the flag texts.
    sources: Option<String>,
    hashes: RandomState,
    /// Flags by the hash of their core: the text in lower case, without wrapper and spaces.
    by_core: HashMap<u64, Vec<KnownFlag>>,
    /// Digests of former flags; each is keyed to one challenge.
    former: HashSet<String>,
    /// Digests of decoys in lower case; each is keyed to one challenge.
    decoys: HashSet<String>,
    team_flags: Vec<TeamFlagEntry>,
    /// Owners of per-team flags.
    codes: Arc<TeamCodes>,
    /// Lengths of the flags' cores, in bytes.
    core_lengths: BTreeSet<usize>,
    /// False if the texts of some exact flags could not be read.
    is_complete: bool,
}

/// The near miss of an incorrect text, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Miss {
    pub near: Option<NearMiss>,
    /// Owner of the flag, if it belongs to another team.
    pub of_team: Option<TeamId>,
}

impl From<NearMiss> for Miss {
    fn from(near: NearMiss) -> Self {
        Self { near: Some(near), of_team: None }
    }
}

struct TeamFlagEntry {
    challenge: ChallengeId,
    flag: TeamFlag,
    /// The flag's core: its text in lower case, without wrapper and spaces.
    core: TeamFlag,
}

struct KnownFlag {
    challenge: ChallengeId,
    forms: Forms,
}

/// Three hashes of a text: of its lower-case form, of the text without spaces, and of the text
/// without its wrapper.
type Forms = [u64; 3];

impl NearSet {
    /// An index without flags, for the first read.
    pub fn empty(codes: Arc<TeamCodes>) -> Self {
        Self { codes, ..Self::default() }
    }

    /// Builds the index for a revision; `None` if this one has it and no source has changed.
    pub async fn updated(
        &self,
        db: &Db,
        seal: &Seal,
        revision: i64,
    ) -> Result<Option<Self>, StoreError> {
        // Read first, so that a source that changes afterwards is read again.
        let sources = sources::revision(db).await?;
        if self.revision == revision && self.sources == sources {
            return Ok(None);
        }
        let set = read(db, seal, revision).await?;
        Ok(Some(Self { sources, codes: self.codes.clone(), ..set }))
    }

    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// True if all exact flags are indexed. Flags whose texts could not be read are not.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// True if the text contains an exact flag of any challenge or a possible team code, ignoring
    /// case, whitespace and wrapper.
    pub fn has_flag_in(&self, text: &str) -> bool {
        let text = without_spaces(text).to_lowercase();
        let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
        let is_flag = |length: &usize| {
            let mut parts = starts.iter().filter_map(|start| text.get(*start..start + length));
            parts.any(|part| self.by_core.contains_key(&self.hashes.hash_one(part)))
        };
        let has_code =
            || text.split(|c: char| !c.is_ascii_hexdigit()).any(|it| it.len() >= CODE_CHARS);
        self.core_lengths.iter().any(is_flag) || !self.team_flags.is_empty() && has_code()
    }

    /// Builds an index of these flags and the digests of former ones. Decoys and per-team flags are
    /// taken from the drafts.
    pub fn new<'a>(
        revision: i64,
        flags: impl IntoIterator<Item = (&'a ChallengeId, &'a str)>,
        former: impl IntoIterator<Item = String>,
        drafts: &[Draft],
    ) -> Self {
        let mut set = Self { revision, is_complete: true, ..Self::default() };
        set.former = former.into_iter().collect();
        let all = drafts.iter().flat_map(|draft| {
            let id = &draft.challenge.id;
            draft.flags.iter().map(move |flag| (id, flag))
        });
        for (challenge, flag) in all {
            if let StoredFlag::Decoy { digest } = flag {
                set.decoys.insert(digest.clone());
            }
            let Some(flag) = flag.of_teams() else { continue };
            let Some(core) = flag.changed(core_of) else { continue };
            set.team_flags.push(TeamFlagEntry { challenge: challenge.clone(), flag, core });
        }
        for (challenge, text) in flags {
            let (core, forms) = set.hashes(text.trim());
            set.core_lengths.insert(core_of(text).len());
            let known = KnownFlag { challenge: challenge.clone(), forms };
            set.by_core.entry(core).or_default().push(known);
        }
        set
    }

    /// Returns the near miss of an incorrect text. `digests` are those of the unchanged text and of
    /// the text in lower case; `team` is the submitting team, if any.
    pub fn near(
        &self,
        key: &Key,
        challenge: &ChallengeId,
        text: &str,
        digests: [&str; 2],
        team: Option<TeamId>,
    ) -> Miss {
        let (core, forms) = self.hashes(text);
        let team_miss = self.near_team_flag(key, challenge, text, &forms, team);
        if self.decoys.contains(digests[1]) {
            return NearMiss::Decoy.into();
        }
        if let Some(miss) = team_miss {
            return miss;
        }
        let near = if digests.iter().any(|digest| self.former.contains(*digest)) {
            Some(NearMiss::Former)
        } else {
            self.near_by_core(challenge, core, &forms)
        };
        Miss { near, of_team: None }
    }

    /// Returns the near miss of a text that resembles a per-team flag of another team or of the
    /// submitting team.
    fn near_team_flag(
        &self,
        key: &Key,
        challenge: &ChallengeId,
        text: &str,
        forms: &Forms,
        team: Option<TeamId>,
    ) -> Option<Miss> {
        if self.team_flags.is_empty() {
            return None;
        }
        let text_core = core_of(text);
        let mut found = None;
        for it in &self.team_flags {
            let Some(code) = it.core.code_in(&text_core) else { continue };
            // Computed for every text in this form, whichever team owns the code.
            let (_, expected) = self.hashes(&it.flag.with(code));
            let is_here = it.challenge == *challenge;
            let Some(owner) = self.codes.owner(key, &it.challenge, code) else { continue };
            let miss = match team {
                Some(team) if team != owner => {
                    Miss { near: Some(NearMiss::Team), of_team: Some(owner) }
                }
                _ if is_here => only_difference(&expected, forms).unwrap_or(NearMiss::Form).into(),
                _ => NearMiss::Elsewhere.into(),
            };
            // A match in this challenge is more significant than one in another.
            if is_here || found.is_none() {
                found = Some(miss);
            }
        }
        found
    }

    fn near_by_core(&self, challenge: &ChallengeId, core: u64, forms: &Forms) -> Option<NearMiss> {
        let found = self.by_core.get(&core)?;
        let mut own = found.iter().filter(|known| known.challenge == *challenge).peekable();
        if own.peek().is_none() {
            return Some(NearMiss::Elsewhere);
        }
        let one_way = own.find_map(|known| only_difference(&known.forms, forms));
        Some(one_way.unwrap_or(NearMiss::Form))
    }

    /// Returns the hash of a text's core, and the hashes of its forms.
    fn hashes(&self, text: &str) -> (u64, Forms) {
        let hash = |text: &str| self.hashes.hash_one(text);
        let forms =
            [hash(&text.to_lowercase()), hash(&without_spaces(text)), hash(unwrapped(text).trim())];
        (hash(&core_of(text)), forms)
    }
}

/// Returns the single difference between a text and a flag; `None` if there are several.
fn only_difference(known: &Forms, submitted: &Forms) -> Option<NearMiss> {
    let ways = [NearMiss::Case, NearMiss::Blanks, NearMiss::Wrapper];
    let mut same = known.iter().zip(submitted).zip(ways);
    same.find(|((a, b), _)| a == b).map(|(_, way)| way)
}

/// Returns the core of a text: in lower case, without wrapper, spaces and surrounding quotation
/// marks.
fn core_of(text: &str) -> String {
    let bare = without_spaces(text);
    unwrapped(bare.trim_matches(is_quotation_mark)).to_lowercase()
}

/// Removes whitespace and invisible characters.
pub(super) fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !flag_text::is_invisible(*c)).collect()
}

/// True for quotation marks that people and word processors put around a flag.
fn is_quotation_mark(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '´' | '«' | '»' | '‘'..='‟' | '‹' | '›' | '「'..='』' | '＂')
}

/// Returns the text between the brackets of `flag{text}`, with any brackets and any word. Without
/// brackets, or with nothing between them, returns the text unchanged.
pub(super) fn unwrapped(text: &str) -> &str {
    let Some((word, rest)) = text.split_once(['{', '[', '(', '<']) else { return text };
    let is_word = word.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    match rest.trim_end().strip_suffix(['}', ']', ')', '>']) {
        Some(inner) if is_word && !inner.trim().is_empty() => inner,
        _ => text,
    }
}

async fn read(db: &Db, seal: &Seal, revision: i64) -> Result<NearSet, StoreError> {
    let former = challenges::former_flags(db).await?;
    let kept = sources::all(db, seal).await?;
    let (_, drafts) = challenges::all(db).await?;
    let reading = once("near misses", move || {
        let mut flags: Vec<(ChallengeId, Secret)> = Vec::new();
        let is_exact = |flag: &StoredFlag| matches!(flag, StoredFlag::Exact { .. });
        let has_exact = |draft: &&Draft| draft.flags.iter().any(is_exact);
        let mut unread: Vec<ChallengeId> =
            drafts.iter().filter(has_exact).map(|it| it.challenge.id.clone()).collect();
        let defaults = source::Defaults::default();
        let all: Vec<OtherChallenge> = drafts.iter().map(other).collect();
        for kept in kept {
            let (path, text) = (kept.live.path, kept.live.text);
            // A source can require other challenges, but not its own.
            let others: Vec<OtherChallenge> =
                all.iter().filter(|it| it.id != kept.challenge).cloned().collect();
            let around =
                ParseContext { defaults: &defaults, end_ms: None, files: &[], others: &others };
            let Ok(reading) = source::read(&source::Source { path, text }, around) else {
                tracing::warn!(challenge = %kept.challenge, "near misses of this challenge are \
                    not reported");
                continue;
            };
            unread.retain(|id| *id != kept.challenge);
            let exact = reading.flags.into_iter().filter_map(|flag| match flag {
                Flag::Exact { text, .. } => Some((kept.challenge.clone(), text)),
                Flag::Regex { .. } | Flag::Team(_) | Flag::Decoy(_) => None,
            });
            flags.extend(exact);
        }
        let flags = flags.iter().map(|(challenge, text)| (challenge, text.expose()));
        let is_complete = unread.is_empty();
        NearSet { is_complete, ..NearSet::new(revision, flags, former, &drafts) }
    });
    Ok(reading.await.expect("reading a challenge does not panic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flags of three challenges.
    const FLAGS: [(&str, &str); 5] = [
        ("one", "flag{Salty_Dog}"),
        ("one", "open sesame"),
        ("two", "flag{two}"),
        ("two", "flag{a{b}c}"),
        ("three", "SN{the_third}"),
    ];
    const FORMER: [(&str, &str); 2] = [("one", "flag{typo}"), ("two", "flag{Before}")];

    /// Challenge, submitted text and expected near miss.
    const CASES: &[(&str, &str, Option<NearMiss>)] = &[
        // Different case.
        ("one", "flag{salty_dog}", Some(NearMiss::Case)),
        ("one", "FLAG{SALTY_DOG}", Some(NearMiss::Case)),
        ("one", "flag{Salty_dog}", Some(NearMiss::Case)),
        ("one", "Flag{Salty_Dog}", Some(NearMiss::Case)),
        ("one", "Open Sesame", Some(NearMiss::Case)),
        ("one", "OPEN SESAME", Some(NearMiss::Case)),
        ("two", "flag{TWO}", Some(NearMiss::Case)),
        ("two", "flag{A{b}c}", Some(NearMiss::Case)),
        ("three", "sn{the_third}", Some(NearMiss::Case)),
        ("three", "SN{THE_THIRD}", Some(NearMiss::Case)),
        // No wrapper, or a different one.
        ("one", "Salty_Dog", Some(NearMiss::Wrapper)),
        ("one", "SN{Salty_Dog}", Some(NearMiss::Wrapper)),
        ("one", "ctf{Salty_Dog}", Some(NearMiss::Wrapper)),
        ("one", "flag[Salty_Dog]", Some(NearMiss::Wrapper)),
        ("one", "flag(Salty_Dog)", Some(NearMiss::Wrapper)),
        ("one", "<Salty_Dog>", Some(NearMiss::Wrapper)),
        ("one", "{Salty_Dog}", Some(NearMiss::Wrapper)),
        ("one", "flag{open sesame}", Some(NearMiss::Wrapper)),
        ("two", "two", Some(NearMiss::Wrapper)),
        ("two", "a{b}c", Some(NearMiss::Wrapper)),
        ("two", "pier{a{b}c}", Some(NearMiss::Wrapper)),
        ("three", "the_third", Some(NearMiss::Wrapper)),
        ("three", "flag{the_third}", Some(NearMiss::Wrapper)),
        // Different spaces.
        ("one", "flag{ Salty_Dog }", Some(NearMiss::Blanks)),
        ("one", "flag {Salty_Dog}", Some(NearMiss::Blanks)),
        ("one", "flag{Salty_ Dog}", Some(NearMiss::Blanks)),
        ("one", "flag{Salty_Dog\u{a0}}", Some(NearMiss::Blanks)),
        ("one", "opensesame", Some(NearMiss::Blanks)),
        ("one", "open  sesame", Some(NearMiss::Blanks)),
        ("two", "flag{two }", Some(NearMiss::Blanks)),
        ("two", "flag{\ttwo}", Some(NearMiss::Blanks)),
        ("two", "flag{t\u{200b}wo}", Some(NearMiss::Blanks)),
        ("three", "S N{the_third}", Some(NearMiss::Blanks)),
        // Several differences.
        ("one", "salty_dog", Some(NearMiss::Form)),
        ("one", "SALTY_DOG", Some(NearMiss::Form)),
        ("one", "ctf{salty_dog}", Some(NearMiss::Form)),
        ("one", "flag{ salty_dog }", Some(NearMiss::Form)),
        ("one", "OpenSesame", Some(NearMiss::Form)),
        ("one", "flag{OPEN SESAME}", Some(NearMiss::Form)),
        ("two", "Two", Some(NearMiss::Form)),
        // In quotation marks.
        ("two", "“flag{two}”", Some(NearMiss::Form)),
        ("two", "„flag{two}“", Some(NearMiss::Form)),
        ("two", "«flag{two}»", Some(NearMiss::Form)),
        ("two", "`flag{two}`", Some(NearMiss::Form)),
        ("one", "'open sesame'", Some(NearMiss::Form)),
        ("three", "THE THIRD", None),
        // Former flags.
        ("one", "flag{typo}", Some(NearMiss::Former)),
        ("two", "flag{Before}", Some(NearMiss::Former)),
        ("two", "flag{before}", None),
        ("two", "flag{typo}", Some(NearMiss::Decoy)),
        // Flags of another challenge.
        ("one", "flag{two}", Some(NearMiss::Elsewhere)),
        ("one", "two", Some(NearMiss::Elsewhere)),
        ("one", "FLAG{TWO}", Some(NearMiss::Elsewhere)),
        ("two", "flag{Salty_Dog}", Some(NearMiss::Elsewhere)),
        ("two", "salty_dog", Some(NearMiss::Elsewhere)),
        ("two", "opensesame", Some(NearMiss::Elsewhere)),
        ("three", "flag{two}", Some(NearMiss::Elsewhere)),
        ("three", "flag{a{b}c}", Some(NearMiss::Elsewhere)),
        ("unknown", "flag{two}", Some(NearMiss::Elsewhere)),
        // Decoys, in any case.
        ("one", "flag{bait}", Some(NearMiss::Decoy)),
        ("one", "FLAG{Bait}", Some(NearMiss::Decoy)),
        ("one", "bait", None),
        ("two", "flag{bait}", None),
        ("two", "flag{TYPO}", Some(NearMiss::Decoy)),
        // Flags of another team, also with differences. `[2]` is the code of team 2 for the
        // challenge "pier".
        ("pier", "flag{pier_[2]}", Some(NearMiss::Team)),
        ("pier", "FLAG{PIER_[2]}", Some(NearMiss::Team)),
        ("pier", "pier_[2]", Some(NearMiss::Team)),
        ("pier", "flag{ pier_[2] }", Some(NearMiss::Team)),
        ("pier", "SN(PIER_[2])", Some(NearMiss::Team)),
        ("one", "flag{pier_[2]}", Some(NearMiss::Team)),
        ("mole", "[m2]", Some(NearMiss::Team)),
        ("mole", "flag{[m2]}", Some(NearMiss::Team)),
        // The team's own flag, with differences.
        ("pier", "FLAG{PIER_[1]}", Some(NearMiss::Case)),
        ("pier", "pier_[1]", Some(NearMiss::Wrapper)),
        ("pier", "flag{pier_ [1]}", Some(NearMiss::Blanks)),
        ("pier", "PIER_[1]", Some(NearMiss::Form)),
        ("one", "flag{pier_[1]}", Some(NearMiss::Elsewhere)),
        ("mole", "flag{pier_[1]}", Some(NearMiss::Elsewhere)),
        ("mole", "FLAG{[m1]}", Some(NearMiss::Form)),
        // Codes of another challenge, and codes of no team.
        ("pier", "flag{pier_[m2]}", None),
        ("mole", "[2]", None),
        ("pier", "flag{pier_[1][1]}", None),
        ("pier", "flag{pier_[TEAM]}", None),
        ("pier", "flag{pier_0123456789abcdef0123456789abcdef}", None),
        ("pier", "flag{pier_}", None),
        // No near miss.
        ("one", "flag{Salty_Dogs}", None),
        ("one", "flag{}", None),
        ("one", "{}", None),
        ("one", "flag", None),
        ("one", "x", None),
        ("two", "flag{tw0}", None),
        ("two", "flag{two", None),
        ("three", "flag{the_fourth}", None),
    ];

    #[test]
    fn near_misses_are_classified() {
        let key = Key::new(b"secret");
        let set = set(&key);
        assert!(CASES.len() >= 60 + 25);
        for (challenge, text, expected) in CASES {
            let text = with_codes(&key, text);
            let miss = near(&set, &key, challenge, &text);
            assert_eq!(miss.near, *expected, "{text:?} for {challenge}");
            let of_team = (*expected == Some(NearMiss::Team)).then_some(TeamId(2));
            assert_eq!(miss.of_team, of_team, "{text:?} for {challenge}");
        }
    }

    #[test]
    fn without_a_team_any_team_flag_counts_as_own() {
        let key = Key::new(b"secret");
        let set = set(&key);
        let pier = ChallengeId::from_name("pier");
        let text = with_codes(&key, "PIER_[2]");
        let miss = set.near(&key, &pier, &text, ["", ""], None);
        assert_eq!(miss, Miss::from(NearMiss::Form));
    }

    fn set(key: &Key) -> NearSet {
        let ids = FLAGS.map(|(id, text)| (ChallengeId::from_name(id), text));
        let former = FORMER.map(|(id, text)| key.flag_digest(id, text));
        let decoy = |id: &str, text: &str| {
            let digest = key.flag_digest(id, &text.to_lowercase());
            with_flag(id, StoredFlag::Decoy { digest })
        };
        let drafts = [
            decoy("one", "flag{Bait}"),
            // Also a former flag if case is ignored.
            decoy("two", "flag{typo}"),
            with_flag("pier", StoredFlag::Team("flag{pier_[TEAM]}".to_owned())),
            with_flag("mole", StoredFlag::Team("[TEAM]".to_owned())),
        ];
        let codes = Arc::new(TeamCodes::of(&[TeamId(1), TeamId(2)]));
        let set = NearSet::new(1, ids.iter().map(|(id, text)| (id, *text)), former, &drafts);
        NearSet { codes, ..set }
    }

    fn with_flag(id: &str, flag: StoredFlag) -> Draft {
        Draft { flags: vec![flag], ..flagship_testkit::player::draft(id) }
    }

    /// Inserts the codes of teams 1 and 2 for "pier" and "mole" into a text, in upper case if the
    /// text is.
    fn with_codes(key: &Key, text: &str) -> String {
        let mut text = text.to_owned();
        let is_upper = text.contains("PIER") || text.contains("FLAG{[");
        for (mark, challenge, team) in
            [("[1]", "pier", 1), ("[2]", "pier", 2), ("[m1]", "mole", 1), ("[m2]", "mole", 2)]
        {
            let code = key.team_code(challenge, team);
            let code = if is_upper { code.to_uppercase() } else { code };
            text = text.replace(mark, &code);
        }
        text
    }

    /// Near miss of a text submitted by team 1.
    fn near(set: &NearSet, key: &Key, challenge: &str, text: &str) -> Miss {
        let digests = [text, &text.to_lowercase()].map(|it| key.flag_digest(challenge, it));
        let challenge = ChallengeId::from_name(challenge);
        set.near(key, &challenge, text, [&digests[0], &digests[1]], Some(TeamId(1)))
    }
}
