//! Source of a challenge that an action creates or edits: edited in place, then parsed like a file.

use flagship_game::name::has_unseen;
use flagship_game::{Challenge, Hint, Secret};
use flagship_pack::source::{self, OtherChallenge, ParseContext, ParsedChallenge};
use flagship_pack::{KnownFile, Problem, Severity, writer};
use flagship_store::challenges::{self, Draft};
use flagship_store::sources::{self, StoredSource};

use super::draft::{DraftEdit, RequirementRewrite, SCORING_KEYS};
use super::files::{known_files, take_files};
use super::flags::{flags_of, with_needed_flags};
use crate::prelude::*;

/// Maximum number of keys of an edit, and maximum length of a key in bytes. Both are limited
/// because keys are recorded.
const KEYS_MAX: usize = 64;

/// Error message for an author when a challenge they cannot see requires theirs by its name.
const REQUIRED: &str = "another challenge requires it by this name, and its text cannot be \
                        changed; ask an organizer";

/// Unparsed source of a challenge that an action creates or edits.
pub struct Text {
    id: ChallengeId,
    /// Path and text.
    pub source: source::Source,
    known: Vec<KnownFile>,
    was: Option<String>,
    keys: Vec<String>,
}

impl Text {
    /// Creates the source of a new challenge, copied from the challenge in `from` if given.
    pub async fn made(
        desk: &Desk,
        challenge: &str,
        mut given: Map<String, Value>,
        from: Option<&str>,
    ) -> Result<Self, Rejection> {
        let id = ChallengeId::parse(challenge).map_err(|_| ArgumentError::ChallengeId)?;
        given.insert("id".to_owned(), Value::from(id.as_str()));
        // Otherwise, pulling it into a folder and applying that folder would release it.
        given.entry("state").or_insert_with(|| Value::from("hidden"));
        let keys = given.keys().cloned().collect();
        let from = match from {
            Some(from) => Some(kept(desk, from).await?),
            None => None,
        };
        // `challenges/CATEGORY/...`
        let like = from.as_ref().and_then(|from| from.live.path.split('/').nth(1));
        let category = given.get("category").and_then(Value::as_str).or(like).unwrap_or("misc");
        let taken = sources::all(&desk.db, &desk.seal).await?;
        let taken: Vec<String> = taken.into_iter().map(|kept| kept.live.path).collect();
        let path = writer::new_path(category, &id, &taken);
        names_to_ids(desk, &mut given).await?;
        let known = from.as_ref().map(known_files).unwrap_or_default();
        let text = from.as_ref().map_or_else(|| Secret::new(""), |from| from.live.text.clone());
        let source = source::Source { path, text };
        let known = take_files(desk, &source, &mut given, known).await?;
        let text = match &from {
            Some(_) => source::edit(source.text.expose(), &given),
            None => source::create(&given),
        };
        let text = text.map_err(|error| Rejection::Edit(error.to_string()))?;
        let source = source::Source { text: Secret::new(text), ..source };
        Ok(Self { id, source, known, was: None, keys })
    }

    /// Applies changed keys to the source of a challenge.
    pub async fn changed(
        desk: &Desk,
        challenge: &str,
        mut given: Map<String, Value>,
    ) -> Result<Self, Rejection> {
        let is_long = given.len() > KEYS_MAX || given.keys().any(|key| key.len() > KEYS_MAX);
        if is_long || given.contains_key("id") || given.keys().any(|key| has_unseen(key)) {
            return Err(ArgumentError::Shape.into());
        }
        let kept = kept(desk, challenge).await?;
        // Checked before parsing, since an author may not see all the other challenges.
        let is_of_points = |key: &String| SCORING_KEYS.contains(&key.as_str());
        if desk.only_challenges.is_some() && given.keys().any(is_of_points) {
            return Err(ActionError::MovesPoints.into());
        }
        let keys = given.keys().cloned().collect();
        names_to_ids(desk, &mut given).await?;
        let known = known_files(&kept);
        let was = Some(kept.version());
        let source = source::Source { path: kept.live.path, text: kept.live.text };
        // Without an ID in the file, the ID would follow the new name.
        if given.contains_key("name") && !source::has_id(source.text.expose()) {
            given.insert("id".to_owned(), Value::from(kept.challenge.as_str()));
        }
        let known = take_files(desk, &source, &mut given, known).await?;
        let text = source::edit(source.text.expose(), &given);
        let text = text.map_err(|error| Rejection::Edit(error.to_string()))?;
        let source = source::Source { text: Secret::new(text), ..source };
        Ok(Self { id: kept.challenge, source, known, was, keys })
    }

    /// Parses the source in the context of the other challenges.
    pub async fn reading(&self, desk: &Desk) -> Result<ParsedChallenge, Rejection> {
        let defaults = desk.defaults().await?;
        let (_, drafts) = challenges::all(&desk.db).await?;
        let others = drafts.iter().filter(|draft| draft.challenge.id != self.id);
        let others: Vec<OtherChallenge> = others.map(|draft| named_to_actor(desk, draft)).collect();
        let end_ms = desk.contest.event().and_then(|event| event.end_ms);
        let around =
            ParseContext { defaults: &defaults, end_ms, files: &self.known, others: &others };
        let mut reading = source::read(&self.source, around).map_err(Rejection::Problems)?;
        if reading.challenge.id != self.id {
            return Err(ArgumentError::ChallengeId.into());
        }
        reading.problems.retain(|problem| problem.severity < Severity::Note);
        reading.problems.extend(self.late_hints(desk, &reading.challenge));
        reading.problems.extend(self.copy_problems(desk, &reading.challenge).await?);
        if reading.problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(Rejection::Problems(reading.problems));
        }
        Ok(reading)
    }

    /// Problems of files of which each team gets a copy.
    async fn copy_problems(&self, desk: &Desk, new: &Challenge) -> Result<Vec<Problem>, Rejection> {
        let mut problems = Vec::new();
        for file in new.attachments.iter().filter(|file| file.per_team) {
            // A missing file is reported elsewhere.
            let Some(check) = desk.files.copy_check(&file.digest).await? else { continue };
            let problem = check.problem(&format!("the attachment `{}`", file.name));
            problems.extend(problem.map(|(severity, message)| Problem {
                severity,
                file: self.source.path.clone().into(),
                line: self.line_of("files"),
                message,
            }));
        }
        Ok(problems)
    }

    /// Line of a key in the source.
    fn line_of(&self, key: &str) -> usize {
        let mut lines = self.source.text.expose().lines().zip(1..);
        lines.find(|(text, _)| text.starts_with(key)).map_or(1, |(_, line)| line)
    }

    /// Warnings about hints that come after the first solve.
    fn late_hints(&self, desk: &Desk, new: &Challenge) -> Vec<Problem> {
        let line = self.line_of("hints");
        let late = desk.contest.late_hints(new).into_iter();
        let problem = |hint: &Hint| Problem {
            severity: Severity::Warning,
            file: self.source.path.clone().into(),
            line,
            message: format!(
                "the hint `{}` is new, but a team has already solved the challenge without it",
                hint.id
            ),
        };
        late.map(problem).collect()
    }

    /// Finishes the edit.
    pub async fn edit(self, desk: &Desk) -> Result<(DraftEdit, Extras), Rejection> {
        let reading = self.reading(desk).await?;
        let naming = match self.keys.iter().any(|key| key == "name") {
            true => naming(desk, &self.id, &reading.challenge.name).await?,
            false => Vec::new(),
        };
        let Self { id, source, known, was, keys } = self;
        let files: Vec<String> =
            reading.challenge.attachments.iter().map(|file| file.digest.clone()).collect();
        let flags = flags_of(&id, &reading.flags, &desk.key);
        let draft = Draft {
            challenge: with_needed_flags(reading.challenge, &flags, &desk.key),
            flags,
            hidden: reading.hidden,
            release_at_ms: reading.release_at_ms,
        };
        // A file that the source no longer names is removed.
        let attached = &draft.challenge.attachments;
        let is_named =
            |file: &&KnownFile| attached.iter().any(|it| it.is_file(&file.name, &file.digest));
        let known: Vec<&KnownFile> = known.iter().filter(is_named).collect();
        let named = serde_json::to_string(&known).expect("plain data");
        let source = sources::Source { path: source.path, text: source.text, files: named };
        let edit = DraftEdit { draft, source, was, keys, naming };
        Ok((edit, Extras { files, problems: reading.problems, ..Extras::default() }))
    }
}

/// Properties of a challenge that are needed to parse others.
pub fn other(draft: &Draft) -> OtherChallenge {
    let it = &draft.challenge;
    OtherChallenge {
        id: it.id.clone(),
        name: it.name.clone(),
        path: format!("challenges/{}", it.id),
        hidden: draft.hidden,
        requirements: it.requirements.clone(),
    }
}

/// The challenge as it may appear in messages to the actor, who may not be allowed to see it.
fn named_to_actor(desk: &Desk, draft: &Draft) -> OtherChallenge {
    let other = other(draft);
    match is_theirs(desk, &other.id) {
        true => other,
        false => OtherChallenge { path: String::new(), ..other },
    }
}

/// True if the actor can edit the challenge.
fn is_theirs(desk: &Desk, id: &ChallengeId) -> bool {
    desk.only_challenges.as_ref().is_none_or(|of| of.contains(id))
}

/// Stored source of a challenge that the actor can edit.
async fn kept(desk: &Desk, challenge: &str) -> Result<StoredSource, Rejection> {
    let id = crate::text::challenge(challenge)?;
    let is_theirs = is_theirs(desk, &id);
    let kept = sources::of(&desk.db, &desk.seal, &id).await?.filter(|_| is_theirs);
    kept.ok_or_else(|| ActionError::NoChallenge.into())
}

/// The keys of a challenge's file with their values.
pub async fn fields(desk: &Desk, challenge: &str) -> Result<Map<String, Value>, Rejection> {
    let kept = kept(desk, challenge).await?;
    Ok(source::fields(kept.live.text.expose()).unwrap_or_default())
}

/// Replaces names by IDs in `requirements`, because names can change.
async fn names_to_ids(desk: &Desk, given: &mut Map<String, Value>) -> Result<(), Rejection> {
    let Some(required) = given.get_mut("requirements") else { return Ok(()) };
    let (_, drafts) = challenges::all(&desk.db).await?;
    let all = || drafts.iter().map(|draft| &draft.challenge);
    source::names_to_ids(required, &|text| {
        let is_id = all().any(|it| it.id.as_str() == text);
        let called = all().find(|it| !is_id && source::is_same_name(text, &it.name));
        called.map(|it| it.id.as_str())
    });
    Ok(())
}

/// Rewrites sources that require a challenge by the name it loses, using its ID.
async fn naming(
    desk: &Desk,
    id: &ChallengeId,
    name: &str,
) -> Result<Vec<RequirementRewrite>, Rejection> {
    let (_, drafts) = challenges::all(&desk.db).await?;
    let old = drafts.iter().map(|draft| &draft.challenge).find(|it| it.id == *id);
    let Some(old) = old.filter(|old| old.name != name) else { return Ok(Vec::new()) };
    if drafts.iter().any(|draft| draft.challenge.id.as_str() == old.name) {
        return Ok(Vec::new());
    }
    let naming = |kept: StoredSource| {
        let text = source::replace_requirement(kept.live.text.expose(), &old.name, id.as_str())?;
        let of = |error| match is_theirs(desk, &kept.challenge) {
            true => Rejection::Edit(format!("{} requires it: {error}", kept.challenge)),
            false => Rejection::Edit(REQUIRED.to_owned()),
        };
        Some(text.map_err(of).map(|text| {
            let (was, challenge) = (kept.version(), kept.challenge.clone());
            let source = sources::Source { text: Secret::new(text), ..kept.live.clone() };
            RequirementRewrite { challenge, source, was }
        }))
    };
    let requires = |kept: &StoredSource| {
        let mut of = drafts.iter().map(|draft| &draft.challenge);
        of.any(|it| it.id == kept.challenge && it.requirements.contains(id))
    };
    let kept = sources::all(&desk.db, &desk.seal).await?.into_iter();
    kept.filter(requires).filter_map(naming).collect()
}
