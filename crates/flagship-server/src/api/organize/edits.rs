//! Actions that make or change a challenge: the fields are those of `challenge.yml`, whose text is
//! edited in place and read as a file is.

use flagship_game::name::has_unseen;
use flagship_game::{ChallengeId, Secret, flag_text};
use flagship_pack::source::{self, OtherChallenge, Reading, Surroundings};
use flagship_pack::{Flag as PackFlag, KnownFile, Severity, writer};
use flagship_store::Key;
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::ops::{Action, Edit, Naming, OF_POINTS};
use flagship_store::sources::{self, Kept};
use serde::Deserialize;
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

use super::orders::{Desk, Read, Unread, fields, time};
use crate::api::error::ApiError;
use crate::node::lists::drafts::{known_files, other};
use crate::node::uploads::Claimed;

/// Most keys of an edit, and longest one in bytes: they are recorded.
const KEYS_MAX: usize = 64;

/// Message to an author when a challenge that the author may not see requires theirs by its name.
const REQUIRED: &str = "another challenge requires it by this name, and its text cannot be \
                        changed; ask an organizer";

/// The fields of actions that make or change a challenge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfEdit {
    challenge: String,
    fields: Map<String, Value>,
    /// A challenge that a new one is made like.
    #[serde(default)]
    from: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfClosing {
    challenge: String,
    #[serde(default)]
    at: Option<String>,
}

/// A file of a challenge that was uploaded.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Uploaded {
    name: String,
    digest: String,
}

/// The flags of a file as the store keeps them: digests of exact ones and of decoys.
pub fn flags_of(id: &ChallengeId, flags: &[PackFlag], key: &Key) -> Vec<Flag> {
    let kept = |flag: &PackFlag| match flag {
        PackFlag::Exact { text, case_insensitive } => {
            let text = flag_text::compared(text.expose());
            let digest = match case_insensitive {
                true => key.flag_digest(id.as_str(), &text.to_lowercase()),
                false => key.flag_digest(id.as_str(), &text),
            };
            Flag::Exact { digest, case_insensitive: *case_insensitive }
        }
        PackFlag::Regex { pattern, case_insensitive } => Flag::Regex {
            pattern: pattern.expose().to_owned(),
            case_insensitive: *case_insensitive,
        },
        PackFlag::Team(flag) => Flag::Team(flag.to_string()),
        PackFlag::Decoy(text) => {
            let folded = flag_text::compared(text.expose()).to_lowercase();
            Flag::Decoy { digest: key.flag_digest(id.as_str(), &folded) }
        }
    };
    flags.iter().map(kept).collect()
}

/// The path of a file that is meant by a name. A challenge's file may be meant by its own name,
/// which is what players see, without its folders.
fn path_of(name: &str, known: &[KnownFile]) -> String {
    let is_path = known.iter().any(|file| file.name == name);
    let mut called = known.iter().filter(|file| file.name.rsplit('/').next() == Some(name));
    match (called.next(), called.next()) {
        (Some(file), None) if !is_path => file.name.clone(),
        _ => name.to_owned(),
    }
}

/// Whether two paths cannot both be files in one folder on every system: one lies below the other,
/// or they differ in case alone.
fn clash(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|path| path.to_lowercase().nfc().collect::<String>());
    let is_below = |path: &str, folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below(&one, &other) || is_below(&other, &one)
}

/// The text of a challenge as an action makes it, before it is read.
pub(super) struct Text {
    name: &'static str,
    id: ChallengeId,
    pub(super) source: source::Source,
    known: Vec<KnownFile>,
    was: Option<String>,
    keys: Vec<String>,
}

impl Desk {
    /// Reads an action that makes a challenge.
    pub(super) async fn create(&self, of: Map<String, Value>) -> Result<Read, Unread> {
        let OfEdit { challenge, fields: given, from } = fields(of)?;
        self.edited(self.made(&challenge, given, from.as_deref()).await?).await
    }

    /// Reads an action that closes a challenge at a time, or now.
    pub(super) async fn close(&self, of: Map<String, Value>) -> Result<Read, Unread> {
        let OfClosing { challenge, at } = fields(of)?;
        let at_ms = at.map_or(Ok(self.now_ms), |at| time(&at))?;
        let at = jiff::Timestamp::from_millisecond(at_ms).map_err(|_| ApiError::TIME)?;
        let given = Map::from_iter([("closes".to_owned(), Value::from(at.to_string()))]);
        self.edited(self.changed("challenge.close", &challenge, given).await?).await
    }

    /// Reads an action that changes what a challenge says.
    pub(super) async fn edit(&self, of: Map<String, Value>) -> Result<Read, Unread> {
        let OfEdit { challenge, fields: given, from } = fields(of)?;
        if given.is_empty() || from.is_some() {
            return Err(ApiError::WRONG_SHAPE.into());
        }
        self.edited(self.changed("challenge.edit", &challenge, given).await?).await
    }

    /// Another challenge for messages to the actor, who may not know of it.
    fn named_to_actor(&self, draft: &Draft) -> OtherChallenge {
        let other = other(draft);
        match self.is_theirs(&other.id) {
            true => other,
            false => OtherChallenge { path: String::new(), ..other },
        }
    }

    /// True if the actor may edit a challenge.
    fn is_theirs(&self, id: &ChallengeId) -> bool {
        self.only_challenges.as_ref().is_none_or(|of| of.contains(id))
    }

    /// The source of a challenge that whoever acts may edit.
    async fn kept(&self, challenge: &str) -> Result<Kept, Unread> {
        let id = ChallengeId::parse(challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
        let is_theirs = self.is_theirs(&id);
        let kept = sources::of(&self.db, &self.seal, &id).await?.filter(|_| is_theirs);
        kept.ok_or_else(|| ApiError::NO_CHALLENGE.into())
    }

    /// The text of a new challenge, made like another one if `from` names it.
    pub(super) async fn made(
        &self,
        challenge: &str,
        mut given: Map<String, Value>,
        from: Option<&str>,
    ) -> Result<Text, Unread> {
        let id = ChallengeId::parse(challenge).map_err(|_| ApiError::CHALLENGE_ID)?;
        given.insert("id".to_owned(), Value::from(id.as_str()));
        // Otherwise a folder that it is pulled into would release it where it is applied.
        given.entry("state").or_insert_with(|| Value::from("hidden"));
        let keys = given.keys().cloned().collect();
        let from = match from {
            Some(from) => Some(self.kept(from).await?),
            None => None,
        };
        // `challenges/CATEGORY/...`
        let like = from.as_ref().and_then(|from| from.live.path.split('/').nth(1));
        let category = given.get("category").and_then(Value::as_str).or(like).unwrap_or("misc");
        let taken = sources::all(&self.db, &self.seal).await?;
        let taken: Vec<String> = taken.into_iter().map(|kept| kept.live.path).collect();
        let path = writer::new_path(category, &id, &taken);
        self.require_by_id(&mut given).await?;
        let known = from.as_ref().map(known_files).unwrap_or_default();
        let text = from.as_ref().map_or_else(|| Secret::new(""), |from| from.live.text.clone());
        let source = source::Source { path, text };
        let known = self.take_files(&source, &mut given, known).await?;
        let text = match &from {
            Some(_) => source::edit(source.text.expose(), &given),
            None => source::create(&given),
        };
        let text = text.map_err(|error| Unread::Edit(error.to_string()))?;
        let source = source::Source { text: Secret::new(text), ..source };
        Ok(Text { name: "challenge.create", id, source, known, was: None, keys })
    }

    /// The text of a challenge with these keys changed.
    pub(super) async fn changed(
        &self,
        name: &'static str,
        challenge: &str,
        mut given: Map<String, Value>,
    ) -> Result<Text, Unread> {
        let is_long = given.len() > KEYS_MAX || given.keys().any(|key| key.len() > KEYS_MAX);
        if is_long || given.contains_key("id") || given.keys().any(|key| has_unseen(key)) {
            return Err(ApiError::WRONG_SHAPE.into());
        }
        let kept = self.kept(challenge).await?;
        // Before it is read among the others, of which an author may not know all.
        let is_of_points = |key: &String| OF_POINTS.contains(&key.as_str());
        if self.only_challenges.is_some() && given.keys().any(is_of_points) {
            return Err(ApiError::MOVES_POINTS.into());
        }
        let keys = given.keys().cloned().collect();
        self.require_by_id(&mut given).await?;
        let known = known_files(&kept);
        let was = Some(kept.version());
        let source = source::Source { path: kept.live.path, text: kept.live.text };
        // Without an id in the file, the id would follow the new name.
        if given.contains_key("name") && !source::has_id(source.text.expose()) {
            given.insert("id".to_owned(), Value::from(kept.challenge.as_str()));
        }
        let known = self.take_files(&source, &mut given, known).await?;
        let text = source::edit(source.text.expose(), &given);
        let text = text.map_err(|error| Unread::Edit(error.to_string()))?;
        let source = source::Source { text: Secret::new(text), ..source };
        Ok(Text { name, id: kept.challenge, source, known, was, keys })
    }

    /// Puts ids in place of names in `requirements`: a name may be another one later.
    async fn require_by_id(&self, given: &mut Map<String, Value>) -> Result<(), Unread> {
        let Some(required) = given.get_mut("requirements") else { return Ok(()) };
        let (_, drafts) = challenges::all(&self.db).await?;
        let all = || drafts.iter().map(|draft| &draft.challenge);
        source::require_by_id(required, &|text| {
            let is_id = all().any(|it| it.id.as_str() == text);
            let called = all().find(|it| !is_id && source::is_called(text, &it.name));
            called.map(|it| it.id.as_str())
        });
        Ok(())
    }

    /// Puts names in place of the uploaded files among `files`, and adds those files to the known
    /// ones. They belong beside the file of `source`, whose text lists the files of before.
    async fn take_files(
        &self,
        source: &source::Source,
        given: &mut Map<String, Value>,
        mut known: Vec<KnownFile>,
    ) -> Result<Vec<KnownFile>, Unread> {
        let Some(Value::Array(files)) = given.get_mut("files") else { return Ok(known) };
        let listed = source::fields(source.text.expose()).and_then(|mut it| it.remove("files"));
        let listed: Vec<String> =
            listed.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default();
        for file in files {
            if let Value::String(name) = file {
                *name = path_of(name, &known);
                // One that was left out of the files may stay in the list.
                if !known.iter().any(|it| it.name == *name) && !listed.contains(name) {
                    return Err(Unread::Edit(format!("the challenge has no file `{name}`")));
                }
                continue;
            }
            let uploaded = serde_json::from_value(file.take());
            let Uploaded { name, digest } = uploaded.map_err(|_| ApiError::WRONG_SHAPE)?;
            let name = path_of(&name, &known);
            // `pull` would leave it out.
            if let Some(why) = writer::refusal_beside(&source.path, &name) {
                return Err(Unread::Edit(format!("the file `{name}` is not taken: {why}")));
            }
            if !self.may_take(&digest, &known).await? {
                return Err(ApiError::NO_FILE.into());
            }
            let claimed = self.uploads.claim(&digest, self.now_ms).await;
            let Claimed { bytes, picture } = claimed.ok_or(ApiError::NO_FILE)?;
            known.retain(|file| file.name != name);
            let others = known.iter().map(|file| file.name.as_str());
            if let Some(other) = others.chain(["challenge.yml"]).find(|it| clash(&name, it)) {
                let why = format!("the file `{name}` is not taken: there is `{other}`");
                return Err(Unread::Edit(why));
            }
            known.push(KnownFile { name: name.clone(), digest, bytes, picture });
            *file = Value::from(name);
        }
        Ok(known)
    }

    /// True if the actor may give a challenge the file of a digest: an author takes own uploads
    /// of the last day and files of own challenges. Knowledge of a digest is not enough.
    async fn may_take(&self, digest: &str, known: &[KnownFile]) -> Result<bool, Unread> {
        let Some(own) = &self.only_challenges else { return Ok(true) };
        let has = |files: &[KnownFile]| files.iter().any(|file| file.digest == digest);
        if has(known) || self.uploads.is_by(digest, &self.actor, self.now_ms).await {
            return Ok(true);
        }
        for id in own {
            let kept = sources::of(&self.db, &self.seal, id).await?;
            if kept.is_some_and(|kept| has(&known_files(&kept))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a text among the other challenges.
    pub(super) async fn reading(&self, text: &Text) -> Result<Reading, Unread> {
        let defaults = self.defaults().await?;
        let (_, drafts) = challenges::all(&self.db).await?;
        let others = drafts.iter().filter(|draft| draft.challenge.id != text.id);
        let others: Vec<OtherChallenge> = others.map(|draft| self.named_to_actor(draft)).collect();
        let end_ms = self.contest.event().and_then(|event| event.end_ms);
        let around =
            Surroundings { defaults: &defaults, end_ms, files: &text.known, others: &others };
        let mut reading = source::read(&text.source, around).map_err(Unread::Problems)?;
        if reading.challenge.id != text.id {
            return Err(ApiError::CHALLENGE_ID.into());
        }
        reading.problems.retain(|problem| problem.severity < Severity::Note);
        Ok(reading)
    }

    /// The texts that require a challenge by a name that it loses, with its id in place of it.
    async fn naming(&self, id: &ChallengeId, name: &str) -> Result<Vec<Naming>, Unread> {
        let (_, drafts) = challenges::all(&self.db).await?;
        let old = drafts.iter().map(|draft| &draft.challenge).find(|it| it.id == *id);
        let Some(old) = old.filter(|old| old.name != name) else { return Ok(Vec::new()) };
        if drafts.iter().any(|draft| draft.challenge.id.as_str() == old.name) {
            return Ok(Vec::new());
        }
        let naming = |kept: Kept| {
            let text = source::requiring(kept.live.text.expose(), &old.name, id.as_str())?;
            let of = |error| match self.is_theirs(&kept.challenge) {
                true => Unread::Edit(format!("{} requires it: {error}", kept.challenge)),
                false => Unread::Edit(REQUIRED.to_owned()),
            };
            Some(text.map_err(of).map(|text| {
                let (was, challenge) = (kept.version(), kept.challenge.clone());
                let source = sources::Source { text: Secret::new(text), ..kept.live.clone() };
                Naming { challenge, source, was }
            }))
        };
        let requires = |kept: &Kept| {
            let mut of = drafts.iter().map(|draft| &draft.challenge);
            of.any(|it| it.id == kept.challenge && it.requirements.contains(id))
        };
        let kept = sources::all(&self.db, &self.seal).await?.into_iter();
        kept.filter(requires).filter_map(naming).collect()
    }

    /// The edit to a source.
    async fn edited(&self, text: Text) -> Result<Read, Unread> {
        let reading = self.reading(&text).await?;
        let naming = match text.keys.iter().any(|key| key == "name") {
            true => self.naming(&text.id, &reading.challenge.name).await?,
            false => Vec::new(),
        };
        let Text { name, id, source, known, was, keys } = text;
        let files: Vec<String> =
            reading.challenge.attachments.iter().map(|file| file.digest.clone()).collect();
        let draft = Draft {
            flags: flags_of(&id, &reading.flags, &self.key),
            challenge: reading.challenge,
            hidden: reading.hidden,
            release_at_ms: reading.release_at_ms,
        };
        // What the text does not name any more is gone.
        let attached = &draft.challenge.attachments;
        let is_named =
            |file: &&KnownFile| attached.iter().any(|it| it.is_file(&file.name, &file.digest));
        let known: Vec<&KnownFile> = known.iter().filter(is_named).collect();
        let named = serde_json::to_string(&known).expect("plain data");
        let source = sources::Source { path: source.path, text: source.text, files: named };
        let action = Action::Edit(Box::new(Edit { name, draft, source, was, keys, naming }));
        Ok(Read { files, problems: reading.problems, ..Read::of(action) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_cannot_be_beside_each_other_clash() {
        for (one, other) in [
            ("dist", "dist/a.txt"),
            ("dist/a.txt/x", "dist/a.txt"),
            ("challenge.yml/x", "challenge.yml"),
            ("A.txt", "a.txt"),
            ("\u{e9}.txt", "e\u{301}.txt"),
        ] {
            assert!(clash(one, other) && clash(other, one), "{one} {other}");
        }
        assert!(!clash("dist/a.txt", "dist/b.txt") && !clash("a.txt", "a.txt.gz"));
    }

    #[test]
    fn a_name_without_its_folders_means_the_only_file_of_that_name() {
        let file = |name: &str| KnownFile {
            name: name.to_owned(),
            digest: String::new(),
            bytes: 0,
            picture: None,
        };
        let known = ["dist/a.txt", "x/b.txt", "y/b.txt", "c.txt", "z/c.txt"].map(file);
        for (name, path) in [("a.txt", "dist/a.txt"), ("b.txt", "b.txt"), ("c.txt", "c.txt")] {
            assert_eq!(path_of(name, &known), path);
        }
    }
}
