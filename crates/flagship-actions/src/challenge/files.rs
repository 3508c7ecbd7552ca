//! Files of a challenge: those its source can name, and uploads that an edit adds.

use flagship_pack::source::{self, Source};
use flagship_pack::{KnownFile, writer};
use flagship_store::sources::{self, StoredSource};
use serde::de::{Deserializer, Error};
use unicode_normalization::UnicodeNormalization;

use crate::desk::ClaimedFile;
use crate::prelude::*;

/// An uploaded file in the `files` of an edit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Uploaded {
    name: String,
    digest: String,
    #[serde(default, deserialize_with = "switch")]
    per_team: bool,
}

/// A file in the `files` of a source, or a file in an edit that the challenge has.
#[derive(Deserialize)]
#[serde(untagged)]
enum Listed {
    Path(String),
    Described(Described),
}

/// A file with keys other than its path.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    path: String,
    #[serde(default, deserialize_with = "switch")]
    per_team: bool,
}

/// A boolean, or a text with one, as a source may have it in quotes.
fn switch<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Switch {
        Plain(bool),
        Quoted(String),
    }
    match Switch::deserialize(from)? {
        Switch::Plain(is_on) => Ok(is_on),
        Switch::Quoted(text) => text.to_lowercase().parse().map_err(Error::custom),
    }
}

impl Listed {
    fn path(self) -> String {
        match self {
            Self::Path(path) | Self::Described(Described { path, .. }) => path,
        }
    }
}

/// An entry of `files`.
fn entry(path: String, per_team: bool) -> Value {
    match per_team {
        true => serde_json::json!({ "path": path, "per_team": true }),
        false => Value::from(path),
    }
}

/// Files that a source can name.
pub fn known_files(kept: &StoredSource) -> Vec<KnownFile> {
    serde_json::from_str(&kept.live.files).unwrap_or_default()
}

/// Resolves a file name to its path. A base name, which is all that players see, resolves to the
/// only file with that name.
fn path_of(name: &str, known: &[KnownFile]) -> String {
    let is_path = known.iter().any(|file| file.name == name);
    let mut called = known.iter().filter(|file| file.name.rsplit('/').next() == Some(name));
    match (called.next(), called.next()) {
        (Some(file), None) if !is_path => file.name.clone(),
        _ => name.to_owned(),
    }
}

/// True if two paths cannot coexist on every system: one is inside the other, or they differ only
/// in case.
fn clash(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|path| path.to_lowercase().nfc().collect::<String>());
    let is_below = |path: &str, folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below(&one, &other) || is_below(&other, &one)
}

/// Replaces uploads in `files` by their names and adds them to the known files. Paths are relative
/// to the file of `source`, whose text lists the files before the edit.
pub(super) async fn take_files(
    desk: &Desk,
    source: &Source,
    given: &mut Map<String, Value>,
    mut known: Vec<KnownFile>,
) -> Result<Vec<KnownFile>, Rejection> {
    let Some(Value::Array(files)) = given.get_mut("files") else { return Ok(known) };
    let listed = source::fields(source.text.expose()).and_then(|mut it| it.remove("files"));
    let listed: Vec<Value> =
        listed.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default();
    let listed = listed.into_iter().filter_map(|it| serde_json::from_value::<Listed>(it).ok());
    let listed: Vec<String> = listed.map(Listed::path).collect();
    for file in files {
        if let Ok(given) = serde_json::from_value(file.clone()) {
            let per_team = matches!(&given, Listed::Described(Described { per_team: true, .. }));
            let name = path_of(&given.path(), &known);
            // A skipped file may stay in the list.
            if !known.iter().any(|it| it.name == name) && !listed.contains(&name) {
                return Err(Rejection::Edit(format!("the challenge has no file `{name}`")));
            }
            *file = entry(name, per_team);
            continue;
        }
        let uploaded = serde_json::from_value(file.take());
        let Uploaded { name, digest, per_team } = uploaded.map_err(|_| ArgumentError::Shape)?;
        let name = path_of(&name, &known);
        // `pull` would skip the file.
        if let Some(why) = writer::sibling_rejection(&source.path, &name) {
            return Err(Rejection::Edit(format!("the file `{name}` was rejected: {why}")));
        }
        if !may_take(desk, &digest, &known).await? {
            return Err(ArgumentError::NoFile.into());
        }
        let claimed = desk.files.claim(&digest, desk.now_ms).await?;
        let ClaimedFile { bytes, picture } = claimed.ok_or(ArgumentError::NoFile)?;
        known.retain(|file| file.name != name);
        let others = known.iter().map(|file| file.name.as_str());
        if let Some(other) = others.chain(["challenge.yml"]).find(|it| clash(&name, it)) {
            let why = format!("the file `{name}` was rejected: it conflicts with `{other}`");
            return Err(Rejection::Edit(why));
        }
        known.push(KnownFile { name: name.clone(), digest, bytes, picture });
        *file = entry(name, per_team);
    }
    Ok(known)
}

/// True if the actor can use the file with a digest. Authors can use their own uploads of the last
/// day and files of their own challenges. Knowing a digest is not enough.
async fn may_take(desk: &Desk, digest: &str, known: &[KnownFile]) -> Result<bool, Rejection> {
    let Some(own) = &desk.only_challenges else { return Ok(true) };
    let has = |files: &[KnownFile]| files.iter().any(|file| file.digest == digest);
    if has(known) || desk.files.is_by(digest, &desk.actor, desk.now_ms).await? {
        return Ok(true);
    }
    for id in own {
        let kept = sources::of(&desk.db, &desk.seal, id).await?;
        if kept.is_some_and(|kept| has(&known_files(&kept))) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_switches_are_read() {
        for (per_team, expected) in [
            (serde_json::json!(true), Some(true)),
            ("True".into(), Some(true)),
            ("false".into(), Some(false)),
            ("yes".into(), None),
            (1.into(), None),
        ] {
            let given = serde_json::json!({"path": "a", "per_team": per_team});
            let read = serde_json::from_value::<Described>(given).ok();
            assert_eq!(read.map(|it| it.per_team), expected, "{per_team}");
        }
    }

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
