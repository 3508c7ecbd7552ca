//! Reads an event from the texts of its files, without a folder: the tables `[event]`, `[scoring]`
//! and `[[divisions]]`, the rules, and challenges whose attachments are already stored. Settings
//! are not read, because they belong to the server.

use std::path::{Component, Path, PathBuf};

use super::read::Source;
use crate::challenge_yml;
use crate::event_toml::{self, ChallengeDefaults, EventFile};
use crate::files::{DESCRIPTOR_BYTES_MAX, Files, KnownFile};
use crate::links::{self, LoadedDescriptor};
use crate::problem::{Problem, Report, Severity};
use crate::walk::DESCRIPTOR;

/// Tables of `event.toml` that define the event itself.
const EVENT_TABLES: [&str; 3] = ["event", "scoring", "divisions"];
/// Folder of the challenges.
const FOLDER: &str = "challenges";
/// Maximum length of the path of a challenge file, in bytes.
const PATH_BYTES_MAX: usize = 4096;

/// A challenge file, with stored attachments.
pub struct StoredChallenge {
    /// Path and text.
    pub source: Source,
    /// Files that `files` and images can refer to.
    pub files: Vec<KnownFile>,
}

/// Returns the tables `[event]`, `[scoring]` and `[[divisions]]` of an `event.toml`; `None` if the
/// text is not TOML.
pub fn event_tables(text: &str) -> Option<String> {
    let mut root: toml::Table = toml::from_str(text).ok()?;
    root.retain(|name, _| EVENT_TABLES.contains(&name));
    toml::to_string(&root).ok()
}

/// True for the path of a challenge file: inside the folder of the challenges.
fn is_challenge_path(path: &str) -> bool {
    let path = Path::new(path);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    path.as_os_str().len() <= PATH_BYTES_MAX
        && path.components().all(is_plain)
        && path.starts_with(FOLDER)
        && name == DESCRIPTOR
}

/// Reads challenges and resolves their requirements. Challenges that cannot be read are left out;
/// others with errors are marked.
pub(crate) fn read_challenges(
    challenges: Vec<StoredChallenge>,
    common: &ChallengeDefaults,
    problems: &mut Vec<Problem>,
) -> Vec<(LoadedDescriptor, Vec<KnownFile>)> {
    let mut descriptors = Vec::new();
    let mut stored = Vec::new();
    for StoredChallenge { source: Source { path, text }, files } in challenges {
        let path = PathBuf::from(path);
        let mut report = Report::new(&path);
        if text.expose().len() as u64 > DESCRIPTOR_BYTES_MAX {
            report.error(1, "the file is too large");
        }
        if !is_challenge_path(&path.to_string_lossy()) {
            report.error(1, "this is not the path of a challenge file");
        }
        let read = challenge_yml::read(text.expose(), Files::Stored(&files), common, &mut report);
        problems.extend(report.finish());
        if let Some(descriptor) = read {
            descriptors.push(LoadedDescriptor { source: path, text, descriptor });
            stored.push(files);
        }
    }
    problems.extend(links::join(&mut descriptors));
    descriptors.into_iter().zip(stored).collect()
}

/// Reads the tables `[event]`, `[scoring]` and `[[divisions]]` of an `event.toml`; ignores the
/// others.
pub(crate) fn read_event(text: &str, problems: &mut Vec<Problem>) -> EventFile {
    let name = Path::new("event.toml");
    let Some(tables) = event_tables(text) else {
        let message = "not valid TOML".to_owned();
        let severity = Severity::Error;
        problems.push(Problem { severity, file: name.to_owned(), line: 1, message });
        return EventFile::default();
    };
    let mut report = Report::new(name);
    // Without the other tables, no setting can refer to a file of this machine.
    let file = event_toml::read(&tables, Path::new(""), &mut report);
    problems.extend(report.finish());
    file
}

#[cfg(test)]
mod tests {
    use flagship_game::Secret;

    use super::*;
    use crate::read_texts;

    const EVENT: &str = "[event]\nname = \"Cup\"\nstart = 2030-01-01T10:00:00Z\n\
                         end = \"2030-01-01T12:00:00+01:00\"\n[scoring]\nmax = 300\n\
                         [mail]\nca_file = \"secret.pem\"\n";

    fn stored(path: &str, text: &str) -> StoredChallenge {
        let source = Source { path: path.to_owned(), text: Secret::new(text) };
        StoredChallenge { source, files: Vec::new() }
    }

    #[test]
    fn only_the_tables_of_the_event_are_read() {
        let tables = event_tables(EVENT).expect("it is TOML");
        assert!(tables.contains("Cup") && tables.contains("300"), "{tables}");
        assert!(!tables.contains("secret"), "{tables}");
        let pack = read_texts(EVENT, "Up to {max} points", Vec::new());
        assert!(pack.problems.is_empty(), "{:?}", pack.problems);
        let event = pack.event.expect("it is usable");
        assert_eq!((event.name.as_str(), pack.defaults.max), ("Cup", 300));
        assert!(event.rules.contains("Up to 300 points"), "{}", event.rules);
        assert_eq!(event_tables("[event"), None);
    }

    #[test]
    fn a_path_outside_the_challenges_is_an_error() {
        for (path, is_one) in [
            ("challenges/web/one/challenge.yml", true),
            ("challenges/challenge.yml", true),
            ("challenges/../../etc/challenge.yml", false),
            ("/challenges/one/challenge.yml", false),
            ("pages/challenge.yml", false),
            ("challenges/one/challenge.yaml", false),
            ("challenges/one/flag.txt", false),
            ("", false),
        ] {
            assert_eq!(is_challenge_path(path), is_one, "{path}");
        }
    }

    #[test]
    fn requirements_are_resolved_and_broken_challenges_are_left_out() {
        let text = |name: &str, more: &str| {
            format!("name: {name}\ncategory: x\ndescription: d\nflags: [a]\nvalue: 1\n{more}\n")
        };
        let one = stored("challenges/one/challenge.yml", &text("One", "type: standard"));
        let more = "type: standard\nrequirements: [One]";
        let two = stored("challenges/two/challenge.yml", &text("Two", more));
        let broken = stored("challenges/x/challenge.yml", "name: [");
        let pack = read_texts(EVENT, "", vec![two, broken, one]);
        let ids: Vec<&str> = pack.challenges.iter().map(|it| it.challenge.id.as_str()).collect();
        assert_eq!((ids, pack.errors()), (vec!["two", "one"], 1), "{:?}", pack.problems);
        assert_eq!(pack.challenges[0].challenge.requirements[0].as_str(), "one");
    }
}
